"""What has moved since a page was made: asked for every few seconds by whoever has it open (`static/js/live.js`)."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_safe

from campaign import selectors
from engine.strict_json import whole
from web import bell
from web.views.common import TableContext, campaign_page
from web.views.lines import rows

MOST = 3
"""So many entries are told, the rest counted."""
FRESH = frozenset({"table", "nation", "battles", "battle", "desk", "log"})
"""The pages whose parts are brought up to date; on the others only the head is, and what moved is told."""


class Live(NamedTuple):
    """What a page needs to hear of what moves: where it asks, what it has, and whether its parts may be fetched again."""

    url: str
    at: str
    parts: bool


def live(table: TableContext, name: str, status: int) -> Live | None:
    """None where nothing moves any more, or nobody but the reader moves."""
    if table.campaign.archived or (table.solo and table.own_seats):
        return None
    parts = name in FRESH and status == 200 and table.request.method == "GET" and not table.solo
    return Live(table.url("live"), mark(table), parts)


def mark(table: TableContext) -> str:
    """The reader's last entry, and all else of which a page tells without an entry: his place, his notices, the name."""
    campaign = table.campaign
    known = f"{table.user.pk} {table.access} {bell.count(table.request)} {campaign.name} {campaign.visibility}"
    return f"{table.seen}.{salted_hmac('web.views.live', known, algorithm='sha256').hexdigest()[:16]}"


@require_safe
@campaign_page
def moved(request: HttpRequest, table: TableContext) -> HttpResponse:
    """204 where nothing has; else the new entries, as far as this reader may see them. `?at=` is his page's `mark`."""
    at = mark(table)
    if request.GET.get("at") == at:
        return HttpResponse(status=204)
    seen = whole(request.GET.get("at", "").partition(".")[0])
    since = [] if seen is None or seen >= table.seen else selectors.since(table.campaign, table.access, seen)
    lines = since[: table.seen - seen] if seen is not None else []  # none later than the mark tells
    told = rows(table, lines)
    context: dict[str, Any] = {
        "table": table, "at": at, "told": told[-MOST:], "more": len(told[:-MOST]), "count": len(told),
        "numbers": " ".join(str(one.number) for one in told if one.number is not None), "log_url": table.url("log"),
    }  # fmt: skip
    return render(request, "campaign/_live.html", context)
