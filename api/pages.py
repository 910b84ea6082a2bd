"""Long lists, page by page.

A cursor says how many things are older than the page it leads to. Lists here grow at their newest end only, so a page
stays the same however much is added meanwhile; and it counts what its reader may see, so it tells of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from engine.strict_json import whole

USUAL, MOST = 50, 200
PARAMETERS = [
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL}, description="Most of a page."
    ),
    OpenApiParameter("cursor", {"type": "string", "pattern": "^[0-9]{1,9}$"}, description="From `next` of the page before."),
]
"""For `extend_schema(parameters=…)` of a list."""


def page(request: Request, items: QuerySet[Any] | Sequence[Any], told: Callable[[list[Any]], list[Any]]) -> Response:
    """A page of `items`, which stand newest first: `{"results": […], "next": address or null}`.

    `told` makes what is answered of those on the page. Raises `ValidationError` for a limit or cursor that is none.
    """
    limit = asked(request, "limit", USUAL)
    if not 1 <= limit <= MOST:
        raise ValidationError({"limit": [_("A whole number from 1 to %(most)s.") % {"most": MOST}]})
    total = items.count() if isinstance(items, QuerySet) else len(items)
    older = min(asked(request, "cursor", total), total)
    start = total - older
    shown = list(items[start : start + limit])
    left = older - len(shown)
    after = None
    if left > 0 and shown:
        query = request.GET.copy()
        query["cursor"] = str(left)
        after = f"{request.path}?{query.urlencode()}"
    return Response({"results": told(shown), "next": after})


def asked(request: Request, name: str, usual: int) -> int:
    """A whole number of the address. Raises `ValidationError`."""
    text = request.GET.get(name)
    if text is None:
        return usual
    number = whole(text)
    if number is None:
        raise ValidationError({name: [_("A whole number, please.")]})
    return number
