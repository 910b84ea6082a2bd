"""The log in whole, and one entry of it."""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors
from engine.strict_json import whole
from web.views import countersign
from web.views.common import TableContext, campaign_page, show
from web.views.lines import changes, row, rows, what_happened

PAGE = 50


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?before=` an entry's number pages on."""
    asked = request.GET.get("before", "")
    before = whole(asked)
    if asked and before is None:
        raise Http404
    found = selectors.log(table.campaign, table.user, before=before, limit=PAGE + 1)
    shown = found[:PAGE]
    numbers = [line.number for line in shown if line.number is not None]
    older = min(numbers) if len(found) > PAGE and numbers else None
    context: dict[str, Any] = {"lines": rows(table, shown), "older": older, "before": before, "entries": table.seen + 1}
    context["file"] = table.url("log_sheet")
    return show(request, table, "campaign/log.html", context, here="log")


@require_safe
@campaign_page
def entry(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    line = selectors.entry(table.campaign, table.user, number)
    shown = row(table, line)
    # One question for both neighbours: a first look also asks for the notices it marks as read.
    near = selectors.entries(table.campaign, table.user).aggregate(
        before=Max("number", filter=Q(number__lt=number)), after=Min("number", filter=Q(number__gt=number))
    )
    before, after = near["before"], near["after"]
    context = {
        "line": shown,
        "is_move": line.entry.is_move,
        "changes": changes(table, line.effects),
        "happened": what_happened(table, line.effects),
        "before_url": table.url("entry", before) if before is not None else "",
        "after_url": table.url("entry", after) if after is not None else "",
        "before": before,
        "after": after,
        "struck_url": table.url("entry", shown.struck_by) if shown.struck_by is not None else "",
        "log_url": table.url("log"),
        "history_url": "" if line.struck or not table.remembers else f"{table.url('history')}?at={number}",
        "countersigns": countersign.may(table, line),
    }
    return show(request, table, "campaign/entry.html", context, here="log")
