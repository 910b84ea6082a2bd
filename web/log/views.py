"""The log in whole, and one entry of it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import services
from campaign.errors import Refused
from campaign.log import record as records
from campaign.log import removal, selectors
from campaign.models import Look
from campaign.sentences import BOUND
from engine.strict_json import canonical, whole
from web import titles
from web.desk.countersigning import may_countersign
from web.frame.campaign_page import TableContext, campaign_page, see_other, show, talks
from web.frame.live import mark
from web.log.lines import changes, drawn, rows, what_happened
from web.seats import hidden_hands

PAGE = 50


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The newest page; `?before=` and `?after=` an entry's number the ones next to it, `?at=` that
    with the entry; or `?all`.
    """
    asked = {
        key: whole(request.GET[key]) for key in ("before", "after", "at") if request.GET.get(key)
    }
    if None in asked.values():
        raise Http404
    before, after, at = (asked.get(key) for key in ("before", "after", "at"))
    skip, every = 0, "all" in request.GET
    if every:
        shown, more = selectors.heads(table.campaign, table.access), False
    else:
        if at is not None:
            before = after = None
            skip = selectors.newer(table.campaign, table.user, at) // PAGE * PAGE
        lines = selectors.heads(
            table.campaign, table.access, before=before, after=after, skip=skip, limit=PAGE + 1
        )
        more = len(lines) > PAGE
        shown = lines[-PAGE:] if after is not None else lines[:PAGE]
    numbers = [line.number for line in shown if line.number is not None]
    context: dict[str, Any] = {
        "lines": drawn(table, shown),
        "before": before,
        "every": every,
        "entries": table.seen + 1,
    }
    if numbers:
        context["older"] = min(numbers) if more or after is not None else None
        context["newer"] = (
            max(numbers) if before is not None or skip or (after is not None and more) else None
        )
    context["file"] = table.url("log_sheet")
    context["closed"] = hidden_hands.closed_hands(table)
    return show(request, table, "log/log.html", context, here="log")


@require_safe
@campaign_page
def entry(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    line = selectors.entry(table.campaign, table.user, number)
    shown = rows(table, [line])[0]
    # Numbers count the entries that everybody sees, from 0 and without a gap.
    before, after = (
        number - 1 if number else None,
        number + 1 if number < table.campaign.last_number else None,
    )
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
        "history_url": (
            ""
            if line.struck or not titles.remembers(table)
            else f"{table.url('history')}?at={number}"
        ),
        "countersigns": may_countersign(table, line),
        "talks": talks(table),
        "forum_url": line.url,
        "reportable": bool(removal.removable(line.entry)) and line.entry.act not in BOUND,
        "author": line.entry.actor_id,
        "may_link": services.may_link(table.access, table.user, line.entry),
    }
    return show(request, table, "log/entry.html", context, here="log")


# Where an entry stands on the forum: said by who said the entry, or by the game master.


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def link(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST links; a GET leads to the entry."""
    if request.method != "POST":
        return redirect(table.url("entry", number))
    try:
        entry = services.link(table.campaign, table.user, number, request.POST.get("url", ""))
    except Refused as error:
        messages.error(request, str(error))
    else:
        if entry is not None:
            messages.success(
                request,
                _("The link is saved.") if entry.content["url"] else _("The link is taken back."),
            )
    return see_other(table.url("entry", number))


# The campaign's record as a file: what `manage.py replay` reads.


@require_safe
@campaign_page
def record(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The record of the moves in force; with hidden hands for the game master only, until the
    campaign has finished.
    """
    if records.must_take(table.campaign, table.user):
        if hidden_hands.ahead(request):
            return hidden_hands.not_ahead()
        services.log_access_to_all(table.campaign, table.user, Look.Way.RECORD)
    text = canonical(records.export(table.campaign, table.user))
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}.json"'
    return answer


# What has moved since a page was made: asked for every few seconds by whoever has it open
# (`static/js/live.js`).

MOST = 3
"""So many entries are told, the rest counted."""
MANY = 10_000
"""The most earlier entries that an open page may report as already counted."""


@require_safe
@campaign_page
def moved(request: HttpRequest, table: TableContext) -> HttpResponse:
    """204 where nothing has; else the new entries, as far as this reader may see them. `?at=` is
    their page's `mark`.
    """
    at = mark(table)
    if request.GET.get("at") == at:
        return HttpResponse(status=204)
    seen = whole(request.GET.get("at", "").partition(".")[0])
    since = (
        []
        if seen is None or seen >= table.seen
        else selectors.since(table.campaign, table.access, seen)
    )
    lines = since[: table.seen - seen] if seen is not None else []  # none later than the mark tells
    shown = rows(table, lines)
    earlier = min(whole(request.GET.get("counted", "")) or 0, MANY)
    context: dict[str, Any] = {
        "table": table,
        "at": at,
        "told": shown[-MOST:],
        "more": len(shown[:-MOST]),
        "count": len(shown) + earlier,
        "numbers": " ".join(str(one.number) for one in shown if one.number is not None),
        "log_url": table.url("log"),
    }
    return render(request, "frame/_live.html", context)
