"""The list of moves on a title's own page.

The holder of the seat adds moves that no other reader sees, and announces them together.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import npgettext
from django.views.decorators.http import require_http_methods

from campaign import plans, services
from campaign.errors import TableError, TableMovedOn
from campaign.log import selectors
from campaign.plans import EARLIER, LATER, AnnouncementResult
from engine.errors import IllegalMove
from games.contract.pages import WithMoveList
from web.board.forms import MoveListForm
from web.board.page import Attempt
from web.board.playing_rights import Refusal, must_play, refusal_of
from web.board.views import REFUSED, show_board
from web.frame.campaign_page import campaign_page, see_other
from web.frame.table import TableContext

PLACE = "#h-list"
"""The anchor of the list on the page."""
SHOWN_AS_ERRORS = (403, 404)
"""The status codes of refusals that have pages of their own."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def move_list(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Add the move of a form to the list, change the list, or announce it."""
    pages = table.pages
    if not isinstance(pages, WithMoveList):
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    seat = pages.announcer(table.position)
    if seat is None and table.own_seats:
        return see_other(table.home)
    if seat is None or seat not in table.own_seats:
        raise PermissionDenied(
            _("Only the holder of a seat can make plans for it, and no one else can see them.")
        )
    form = MoveListForm(request.POST)
    try:
        if form.act in ("announce", "first"):
            return announce(request, table, pages, seat, form)
        change_list(table, pages, seat, form)
    except TableMovedOn as error:
        lines = selectors.lines(table.campaign, request.user, error.entries)
        return show_board(request, table, Attempt(moved=lines, status=error.status))
    except TableError as error:
        if error.status in SHOWN_AS_ERRORS:
            raise
        why: Refusal = {"sentence": str(error), "rule": "", "code": error.code}
        return show_board(request, table, Attempt(form.title_fields, why, status=error.status))
    except IllegalMove as refusal:
        why = refusal_of(table, refusal)
        return show_board(request, table, Attempt(form.title_fields, why, status=REFUSED))
    return see_other(table.home + PLACE)


def change_list(table: TableContext, pages: WithMoveList, seat: str, form: MoveListForm) -> None:
    """Add a move to the list, shift a move, remove a move, or empty the list."""
    campaign, user = table.campaign, table.user
    if form.act in ("earlier", "later"):
        way = EARLIER if form.act == "earlier" else LATER
        services.move_planned_move(campaign, user, seat, form.list_version, form.place, way)
    elif form.act == "remove":
        services.remove_planned_move(campaign, user, seat, form.list_version, form.place)
    elif form.act == "empty":
        services.remove_planned_move(campaign, user, seat, form.list_version)
    elif not form.act:
        move = pages.listed(table.position, form.title_fields)
        for _time in range(form.repetitions):
            services.plan_move(campaign, user, seat, dict(move))


def announce(
    request: HttpRequest, table: TableContext, pages: WithMoveList, seat: str, form: MoveListForm
) -> HttpResponse:
    """Announce the first move, or all moves up to the first of the chosen stops.

    The other moves stay on the list.
    """
    chosen = [key for key in pages.stops() if key in form.stops]
    last = [table.position]

    def stop(result: services.Result) -> str:
        before, last[0] = last[0], selectors.position(result.campaign)
        return pages.stopped(before, last[0], seat, chosen)

    most = 1 if form.act == "first" else plans.MOST
    announced = services.announce_plan(
        table.campaign, table.user, seat, form.list_version, form.seen_entry, most, stop=stop
    )
    if not announced.results:
        assert isinstance(announced.refused, IllegalMove)
        why = refusal_of(table, announced.refused)
        return show_board(request, table, Attempt(error=why, status=REFUSED))
    confirm(request, table, announced)
    first = announced.results[0].entries[0].number
    return see_other(f"{table.home}?{urlencode({'told': first, 'stops': '.'.join(chosen)})}")


def confirm(request: HttpRequest, table: TableContext, announced: AnnouncementResult) -> None:
    """Leave messages with the number of announced moves and why the announcement ended."""
    count = len(announced.results)
    text = npgettext("board", "%(count)d move announced.", "%(count)d moves announced.", count)
    messages.success(request, text % {"count": count})
    if isinstance(announced.refused, IllegalMove):
        why = table.why_not(announced.refused)
        messages.warning(request, _("The next move was refused: %(why)s") % {"why": why})
    elif isinstance(announced.refused, TableError):
        messages.warning(request, str(announced.refused))
    elif announced.stopped and announced.plan.size:
        messages.warning(request, announced.stopped)
