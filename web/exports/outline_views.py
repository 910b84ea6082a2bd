"""Views that send the outlines of a map.

Pages use the outlines repeatedly. The name of such a file is derived from its content, so that it
never changes.
"""

from __future__ import annotations

import re
from functools import lru_cache

import brotli
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
)
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from web.frame.campaign_page import campaign_page
from web.frame.outlines import outlines_of, shipped_outlines
from web.frame.table import TableContext

YEAR = 365 * 24 * 60 * 60


@require_safe
def outlines(request: HttpRequest, name: str) -> HttpResponse:
    """Send outlines that are shipped with a title, to everyone."""
    text = shipped_outlines(name)
    if text is None:
        raise Http404
    return _outlines(request, text, "public")


@require_safe
@campaign_page
def campaign_outlines(request: HttpRequest, table: TableContext, name: str) -> HttpResponse:
    """Send the outlines of a campaign's map, to its readers."""
    known = outlines_of(table.campaign)
    if known is None or name != known.name:
        raise Http404
    return _outlines(request, known.svg, "private")


@lru_cache(maxsize=64)
def _small(text: str) -> bytes:
    return brotli.compress(text.encode(), mode=brotli.MODE_TEXT)


def _outlines(request: HttpRequest, text: str, whose: str) -> HttpResponse:
    """Send outlines, compressed with Brotli if the browser accepts it.

    They are compressed once, to two thirds of the size that a proxy would reach on each request.
    """
    answer = HttpResponse(content_type="image/svg+xml")
    if re.search(
        r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))", request.headers.get("Accept-Encoding", "")
    ):
        answer.content = _small(text)
        answer.headers["Content-Encoding"] = "br"
    else:
        answer.content = text.encode()
    patch_vary_headers(answer, ["Accept-Encoding"])
    answer.headers["Cache-Control"] = f"{whose}, max-age={YEAR}, immutable"
    return answer
