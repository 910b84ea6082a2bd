"""Long lists, page by page, and whole numbers in addresses.

A cursor is the number of items that are older than the page it leads to. Lists here grow only at
their newest end, so a page stays the same when items are added. The cursor counts only items that
the reader may see, so it reveals nothing about others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from api.base import serialized
from engine.strict_json import read_whole_number

USUAL, MOST = 50, 200


PARAMETERS = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
        description="The largest number of results on a page.",
    ),
    OpenApiParameter(
        "cursor",
        {"type": "string", "pattern": "^[0-9]{1,9}$"},
        description="Taken from `next` of the previous page.",
    ),
]
"""The argument `parameters` of `extend_schema` for a list."""


Row = TypeVar("Row")


def page(
    request: Request,
    rows: QuerySet[Model, Row] | Sequence[Row],
    kind: type[Serializer],
    facts_of: Callable[[list[Row]], Sequence[object]],
) -> Response:
    """Answer with a page of rows, newest first: `{"results": […], "next": address or null}`.

    `facts_of` returns the facts of the rows on the page, which a serializer of this kind writes.
    Raises `ValidationError` for a limit or cursor that is not a number.
    """
    limit = whole_number(request, "limit", USUAL)
    if not 1 <= limit <= MOST:
        raise ValidationError(
            {"limit": [_("This must be a whole number from 1 to %(most)s.") % {"most": MOST}]}
        )
    total = rows.count() if isinstance(rows, QuerySet) else len(rows)
    older = min(whole_number(request, "cursor", total), total)
    start = total - older
    shown = list(rows[start : start + limit])
    left = older - len(shown)
    results = serialized(kind, list(facts_of(shown)))
    address = next_address(request, left) if left > 0 and shown else None
    return Response({"results": results, "next": address})


def next_address(request: Request, left: int) -> str:
    """Return the address of the next page. `left` is the number of items from there on."""
    query = request.GET.copy()
    query["cursor"] = str(left)
    return f"{request.path}?{query.urlencode()}"


def whole_number(request: Request, name: str, usual: int) -> int:
    """Return a whole number from the address, by default `usual`. Raises `ValidationError`."""
    text = request.GET.get(name)
    if text is None:
        return usual
    number = read_whole_number(text)
    if number is None:
        raise ValidationError({name: [_("This must be a whole number.")]})
    return number
