"""A list of moves on a title's own page: put one behind the other by who acts, seen by nobody else, announced in one go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign import plans, selectors, services
from campaign.errors import TableError, TableMovedOn
from campaign.services.planning import EARLIER, LATER, Announced
from engine.errors import IllegalMove
from engine.pages import Announcing
from engine.strict_json import whole
from web.views import played
from web.views.common import TableContext, campaign_page, see_other
from web.views.seen import seen_number, since

TIMES = 9
"""How often one form may put the same move on the list."""
NOWHERE = 10**6
HERE = "#h-list"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def sequence(request: HttpRequest, table: TableContext) -> HttpResponse:
    """A form of a move puts it on the list `times` times; `list` changes the list's order, takes out, announces."""
    pages = table.pages
    if not isinstance(pages, Announcing):
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    played.must_play(table)
    seat = pages.announcer(table.position)
    if seat is None or seat not in table.own_seats:
        if seat is None and table.own_seats:
            return see_other(table.home)
        raise PermissionDenied(_("Only who holds a seat makes plans for it, and nobody else sees them."))
    do, typed = request.POST.get("list", ""), played.form(request.POST)
    version, at = (_whole(request.POST.get(key, "")) for key in ("version", "at"))
    here = (table.campaign, table.user, seat)
    try:
        if do in ("announce", "first"):
            return _announce(request, table, pages, seat, version)
        if do in ("earlier", "later"):
            services.shift(*here, version, at, EARLIER if do == "earlier" else LATER)
        elif do == "remove":
            services.unplan(*here, version, at)
        elif do == "empty":
            services.unplan(*here, version)
        elif not do:
            _add(here, pages.listed(table.position, typed), typed)
    except TableMovedOn as error:
        lines = selectors.lines(table.campaign, request.user, error.entries)
        return played.page(request, table, moved=lines, status=error.status)
    except TableError as error:
        if error.status in (403, 404):
            raise
        said = {"sentence": str(error), "rule": "", "code": error.code}
        return played.page(request, table, typed=typed, error=said, status=error.status)
    except IllegalMove as refusal:
        return played.page(request, table, typed=typed, error=played.wrong(table, refusal), status=422)
    return see_other(table.home + HERE)


def _add(here: tuple[Any, Any, str], move: Mapping[str, Any], typed: Mapping[str, str]) -> None:
    for _once in range(min(max(whole(typed.get("times", "1")) or 1, 1), TIMES)):
        services.plan_move(*here, dict(move))


def _whole(text: str) -> int:
    """A number as posted; of nonsense one that nothing has."""
    number = whole(text)
    return NOWHERE if number is None else number


def _announce(request: HttpRequest, table: TableContext, pages: Announcing, seat: str, version: int) -> HttpResponse:
    """Announce the first or all, to the first of the chosen stops. What is left stays on the list; why is told."""
    seen = seen_number(request.POST.get("seen", ""))
    if moved := since(table, seen):
        return played.page(request, table, moved=moved, status=TableMovedOn.status)
    chosen = [key for key in pages.stops() if key in request.POST.getlist("stop")]
    last = [table.position]

    def stop(result: services.Result) -> str:
        before, last[0] = last[0], selectors.position(result.campaign)
        return pages.stopped(before, last[0], seat, chosen)

    most = 1 if request.POST.get("list") == "first" else plans.MOST
    found = services.announce_plan(table.campaign, table.user, seat, version, max(seen, table.seen), most, stop=stop)
    if not found.results:
        assert isinstance(found.refused, IllegalMove)
        return played.page(request, table, error=played.wrong(table, found.refused), status=422)
    _tell(request, table, found)
    first = found.results[0].entries[0].number
    asked = {"told": first, "stops": ".".join(chosen)}
    return see_other(f"{table.home}?{urlencode(asked)}")


def _tell(request: HttpRequest, table: TableContext, found: Announced) -> None:
    count = len(found.results)
    told = ngettext("%(count)d move announced.", "%(count)d moves announced.", count) % {"count": count}
    messages.success(request, told)
    if isinstance(found.refused, IllegalMove):
        messages.warning(request, _("The next move was refused: %(why)s") % {"why": table.why_not(found.refused)})
    elif isinstance(found.refused, TableError):
        messages.warning(request, str(found.refused))
    elif found.stopped and found.plan.size:
        messages.warning(request, found.stopped)
