"""Around the interface for programs: no cookies, its own headers, and problems in place of pages."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from api import etags, problems

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
        return etags.marked(request, response)

    return middleware


def _problem(page: HttpResponse) -> HttpResponse:
    """What was refused before a view was asked, or broke around it: a page would be shown for it."""
    kind, title = problems.KINDS.get(page.status_code, problems.KINDS[400])
    said = problems.body(page.status_code, kind, title)
    made = HttpResponse(json.dumps(said, ensure_ascii=False), content_type=problems.MEDIA, status=page.status_code)
    for name in ("Allow", "Retry-After"):
        if name in page.headers:
            made.headers[name] = page.headers[name]
    return made
