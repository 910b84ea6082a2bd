"""A form that comes twice within seconds: a double click does its work once."""

from __future__ import annotations

from hashlib import sha256

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.http import urlencode

DOUBLE_CLICK = 10  # seconds


def first(request: HttpRequest, seconds: int = DOUBLE_CLICK) -> bool:
    """Is it the first time within `seconds` that this very form comes from this account to this address?"""
    return cache.add(_form(request), 1, seconds)


def forget(request: HttpRequest) -> None:
    """It was refused: mended or not, it may be sent again at once."""
    cache.delete(_form(request))


def _form(request: HttpRequest) -> str:
    """The key under which a form that was sent is remembered; it may hold a password, which nobody reads out of the key."""
    said = [(key, request.POST.getlist(key)) for key in sorted(request.POST) if key != "csrfmiddlewaretoken"]
    for key, file in sorted(request.FILES.items()):
        marks = sha256()
        for chunk in file.chunks():  # type: ignore[union-attr]
            marks.update(chunk)
        file.seek(0)  # type: ignore[union-attr]
        said.append((key, [marks.hexdigest()]))
    body = urlencode([("", [request.path]), *said], True)
    return f"once-{request.user.pk}-{salted_hmac('web.once', body, algorithm='sha256').hexdigest()}"
