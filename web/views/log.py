"""The log in whole, and one entry of it."""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors, services
from engine.strict_json import whole
from web import eyes
from web.views import countersign
from web.views.common import TableContext, campaign_page, show
from web.views.lines import changes, row, rows, what_happened

PAGE = 50


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The newest page; `?before=` and `?after=` an entry's number the ones next to it, `?at=` that with the entry; or `?all`."""
    asked = {key: whole(request.GET[key]) for key in ("before", "after", "at") if request.GET.get(key)}
    if None in asked.values():
        raise Http404
    before, after, at = (asked.get(key) for key in ("before", "after", "at"))
    skip, every = 0, "all" in request.GET
    if every:
        shown, more = selectors.log(table.campaign, table.user), False
    else:
        if at is not None:
            before = after = None
            skip = selectors.newer(table.campaign, table.user, at) // PAGE * PAGE
        found = selectors.log(table.campaign, table.user, before=before, after=after, skip=skip, limit=PAGE + 1)
        more = len(found) > PAGE
        shown = found[-PAGE:] if after is not None else found[:PAGE]
    numbers = [line.number for line in shown if line.number is not None]
    context: dict[str, Any] = {"lines": rows(table, shown), "before": before, "every": every, "entries": table.seen + 1}
    if numbers:
        context["older"] = min(numbers) if more or after is not None else None
        context["newer"] = max(numbers) if before is not None or skip or (after is not None and more) else None
    context["file"] = table.url("log_sheet")
    context["closed"] = eyes.shut(table)
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
        "log_url": f"{table.url('log')}?at={number}#e{number}",
        "history_url": "" if line.struck or not table.remembers else f"{table.url('history')}?at={number}",
        "countersigns": countersign.may(table, line),
        "forum_url": line.url,
        "may_link": services.may_link(table.access, table.user, line.entry),
    }
    return show(request, table, "campaign/entry.html", context, here="log")
