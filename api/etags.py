"""304 for what its reader has already.

A tag is made of the answer itself, which holds what this reader may see and nothing else: so a hidden move changes nobody
else's. That saves the way, not the work; what costs work is kept in the process by the log's own hash (`campaign.positions`).
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac


def marked(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its tag, or 304 where the request brings that tag."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
        return response
    text = f"{response.headers.get('Content-Language', '')}\n".encode() + response.content
    tag = f'W/"{salted_hmac("api.etags", text, algorithm="sha256").hexdigest()[:40]}"'
    response.headers["ETag"] = tag
    found = get_conditional_response(request, etag=tag, response=response)
    if found is not response and found is not None:
        for name in ("Cache-Control", "Vary", "Content-Language"):
            if name in response.headers:
                found.headers[name] = response.headers[name]
    return found or response
