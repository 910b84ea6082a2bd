"""Views of earlier positions, struck branches, and films."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from campaign.log import history as log_history
from campaign.log import undo
from campaign.log.history import Trail
from games.contract.pages import WithBoardData, WithMoveFilm
from web import titles
from web.board.playing_rights import reader_of
from web.frame.campaign_page import campaign_page, show
from web.frame.parts import part_alone
from web.frame.table import TableContext
from web.history.branch import branch_page
from web.history.film import film_page, next_decision, reel_since
from web.history.forms import FilmPageQuery, FilmQuery, HistoryQuery
from web.history.moment import Spot
from web.history.page import account_curves, history_page, moment_part, nowhere_page

PART, COURSES = "moment", "courses"
"""Parts that a page requests: the changing parts at a step, the charts when they become visible."""


@require_safe
@campaign_page
def history(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the campaign after an entry, by default the last (`HistoryQuery`)."""
    if not titles.remembers(table):
        raise Http404
    road, query = log_history.trail(table.campaign), HistoryQuery(request.GET)
    if query.has_stop:
        place = query.place_on_slider(road)
        if place is None:
            return nowhere(request, table, road, None)
        return redirect(Spot(table, road, place, False).address(place, by_turns=query.by_turns))
    place = query.place(road)
    if place is None:
        return nowhere(request, table, road, query.entry)
    target = request.headers.get("HX-Target")
    if target == COURSES:
        page = account_curves(table, road.stops[place].number)
        return part_alone(request, table, "history/account_curves.html", {"page": page})
    spot = Spot(table, road, place, query.by_turns)
    if target == PART:
        return part(request, spot)
    shown = history_page(spot)
    context, scripts = {"page": shown}, shown.moment.scripts
    answer = show(request, table, "history/history.html", context, tab="history", scripts=scripts)
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def part(request: HttpRequest, spot: Spot) -> HttpResponse:
    """Show only the changing parts."""
    context = {"page": moment_part(spot)}
    return part_alone(request, spot.table, "history/moment.html", context)


def nowhere(
    request: HttpRequest, table: TableContext, road: Trail, number: int | None
) -> HttpResponse:
    """Show that there is no such position, and the nearest earlier position."""
    context = {"page": nowhere_page(table, road, number)}
    return show(request, table, "history/nowhere.html", context, tab="history", status=404)


@require_safe
@campaign_page
def branch(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """Show the moves that the undo with this number struck.

    Everyone who may read the entry of the undo may see them.
    """
    turn, turns = undo.undo_act_of(table.campaign, number)
    if not titles.remembers(table):
        raise Http404
    road, query = log_history.branch(table.campaign, turn), HistoryQuery(request.GET)
    spot = Spot(table, road, place_in_branch(road, query), query.by_turns, number)
    if request.headers.get("HX-Target") == PART:
        return part(request, spot)
    page = branch_page(spot, turn, turns)
    context, scripts = {"page": page}, page.moment.scripts
    answer = show(request, table, "history/branch.html", context, tab="log", scripts=scripts)
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def place_in_branch(road: Trail, query: HistoryQuery) -> int:
    """Return the requested place. Raise `Http404` if the branch does not contain it."""
    place = query.place_on_slider(road) if query.text_of("stop") else query.place(road)
    if place is None or not road.stops:
        raise Http404
    return place


@require_safe
@campaign_page
def film(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the frames after the entry `?since=` up to `?to=`, and the board before them.

    It contains only entries that the reader may see.
    """
    query = FilmQuery(request.GET)
    if not (isinstance(table.pages, WithMoveFilm) or titles.films(table)) or not query.is_valid():
        raise Http404
    since, to = query.cleaned_data["since"], query.cleaned_data["to"]
    reel = reel_since(table, since, to, newest=not query.is_part)
    board = None
    if reel.frames and isinstance(table.pages, WithBoardData):
        board = table.pages.board(reel.before, reader_of(request, table, {}))
    facts = {"seen": table.seen, **reel.to_json(), "board": board}
    if query.follows:
        decision = None if reel.frames else next_decision(table)
        facts["next"] = decision._asdict() if decision is not None else None
    answer = JsonResponse(facts)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_safe
@campaign_page
def film_of_history(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the film from the position after the entry `?since=` to the entry `?to=`."""
    road = log_history.trail(table.campaign)
    if not titles.films(table) or not road.stops:
        raise Http404
    page = film_page(table, road, FilmPageQuery(request.GET))
    status = 422 if page.wrong else 200
    return show(request, table, "history/film.html", {"page": page}, tab="history", status=status)
