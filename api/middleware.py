"""Around the interface for programs: no cookies, its own headers, and problems in place of pages."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac

from api import problems

ROOT = "/api/v1/"
CACHE = "private, no-cache"
VARY = "Authorization, Accept-Language"
Next = Callable[[HttpRequest], HttpResponse]


def for_programs(get_response: Next) -> Next:
    """Every answer below `ROOT` is of its reader alone, has a tag where it was read, and is a problem where it is none.

    Cookies that a browser sends along say nothing here, and none is given.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ROOT):
            return get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        response = get_response(request)
        if response.status_code >= 400 and response.headers.get("Content-Type") != problems.MEDIA:
            response = _problem(response)
        response.cookies.clear()
        response.headers["Cache-Control"] = CACHE
        response.headers["Vary"] = VARY
        return marked(request, response)

    return middleware


def _problem(page: HttpResponse) -> HttpResponse:
    """What was refused before a view was asked, or broke around it: a page would be shown for it."""
    kind, title = problems.KINDS.get(page.status_code, problems.KINDS[400])
    content = problems.body(page.status_code, kind, title)
    answer = HttpResponse(json.dumps(content, ensure_ascii=False), content_type=problems.MEDIA, status=page.status_code)
    for name in ("Allow", "Retry-After"):
        if name in page.headers:
            answer.headers[name] = page.headers[name]
    return answer


# 304 for what its reader has already.
#
# A tag is made of the answer itself, which holds what this reader may see and nothing else: so a hidden move changes nobody
# else's. That saves the way, not the work: what costs work is kept by the log's own hash (`campaign.log.positions`).


def marked(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its tag, or 304 where the request brings that tag."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
        return response
    text = f"{response.headers.get('Content-Language', '')}\n".encode() + response.content
    tag = f'W/"{salted_hmac("api.middleware", text, algorithm="sha256").hexdigest()[:40]}"'
    response.headers["ETag"] = tag
    answer = get_conditional_response(request, etag=tag, response=response)
    if answer is not response and answer is not None:
        for name in ("Cache-Control", "Vary", "Content-Language"):
            if name in response.headers:
                answer.headers[name] = response.headers[name]
    return answer or response
