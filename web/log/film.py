"""A stretch of the log as a film: its frames, and the page on which any title's history is shown from one entry to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign.log import history as log_history
from campaign.log import selectors
from campaign.log.history import Stop, Trail
from engine.strict_json import whole
from games.contract.pages import Composing, Filming, Frame, Pages, Reader, Remembering, Told
from web import titles
from web.log.position_diff import stood
from web.play import title_page
from web.shell.campaign_page import TableContext, campaign_page, show
from web.titles import extras

FRAMES = 400
"""Frames of one answer; of a longer stretch the page fetches one part after the other."""
ONLOOKER = Reader((), {}, False)
STAGES = "js/titles/stages/"


@dataclass(frozen=True)
class Reel:
    """Frames, the position before the first of them, and after which entry the next part begins; None where all is told."""

    frames: Sequence[Frame] = ()
    before: Any = None
    more: int | None = None


def frames_of(table: TableContext, before: Any, log: Sequence[Told]) -> list[Frame]:
    """The frames of these moves in the title's own words."""
    if table.pages is not None:
        return list(table.pages.film(before, log)) if isinstance(table.pages, Filming) else []
    own = extras(table.campaign.title, "film")
    return list(own.film(table, log)) if own is not None else []


def stretch(log: Sequence[Told], first: int, last: int | None) -> list[Told]:
    """The moves from one entry to another; one without a public number belongs to the entry before it, and has its number."""
    moves, at = list[Told](), 0
    for one in log:
        at = one.number or at
        if first <= at and (last is None or at <= last):
            moves.append(one._replace(number=at))
    return moves


def reel_since(table: TableContext, number: int, last: int | None = None, *, newest: bool = False) -> Reel:
    """The film of what came after an entry, as far as the reader may know it. Of more than `FRAMES` the first are given, with
    `newest` the last."""
    stop = _first_after(log_history.trail(table.campaign), number)
    if stop is None:
        return Reel()
    before = log_history.after(table.campaign, stop.moves - 1)
    frames = frames_of(table, before, stretch(selectors.moves_on_page(table.campaign, table.access, seen=True), number + 1, last))
    if len(frames) <= FRAMES:
        return Reel(frames, before)
    if newest:
        at = frames[-FRAMES].at
        return reel_since(table, at, last) if at > number else Reel(frames[-FRAMES:], before)
    # Cut between entries: the next part begins where a whole entry is told.
    at = frames[FRAMES].at
    kept = [one for one in frames[:FRAMES] if one.at < at] or frames[:FRAMES]
    return Reel(kept, before, kept[-1].at)


def reel_of(table: TableContext, before: Any, first: int) -> Reel:
    """The newest frames of what came from an entry on, where the position before it is known."""
    log = stretch(selectors.moves_on_page(table.campaign, table.access, seen=True, first=first), first, None)
    return Reel(frames_of(table, before, log)[-FRAMES:], before)


def _first_after(road: Trail, number: int) -> Stop | None:
    return next((stop for stop in road.stops if stop.is_move and stop.number > number), None)


@require_safe
@campaign_page
def film(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The frames of the entries after `?since=` that the reader may see, up to `?to=`, and the board before them."""
    if not (isinstance(table.pages, Filming) or titles.films(table)):
        raise Http404
    number, last = whole(request.GET.get("since", "")), whole(request.GET.get("to", "")) if request.GET.get("to") else None
    if number is None or (request.GET.get("to") and last is None):
        raise Http404
    reel = reel_since(table, number, last, newest="part" not in request.GET)
    board = None
    if reel.frames and isinstance(table.pages, Composing):
        board = table.pages.board(reel.before, title_page.reader_of(request, table, {}))
    answered = {"seen": table.seen, "frames": [one.to_json() for one in reel.frames], "board": board, "more": reel.more}
    answer = JsonResponse(answered)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_safe
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The film from the position after one entry (`?since=`) to another (`?to=`), without them from the beginning to now."""
    road = log_history.trail(table.campaign)
    if not titles.films(table) or not road.stops:
        raise Http404
    first, newest = road.stops[0].number, road.stops[-1].number
    asked = {"since": request.GET.get("since", "").strip() or str(first), "to": request.GET.get("to", "").strip() or str(newest)}
    numbers = [whole(asked["since"]), whole(asked["to"])]
    wrong = ""
    since, to = first, first
    if None in numbers or not all(first <= number <= newest for number in numbers if number is not None):
        facts = {"first": first, "last": newest}
        wrong = _("“From” and “to” are numbers of entries: %(first)d to %(last)d.") % facts
    else:
        since, to = sorted(number for number in numbers if number is not None)
        if since == to:
            wrong = _("From entry %(n)d to entry %(n)d nothing happens. Choose two different entries.") % {"n": since}
    reel = Reel() if wrong else reel_since(table, since, to)
    before = road.stops[road.before(since + 1)]
    then = stood(table, log_history.after(table.campaign, before.moves))
    context = {
        "asked": asked, "since": since, "to": to, "first": first, "newest": newest, "wrong": wrong, "frames": reel.frames,
        "data": {"frames": [one.to_json() for one in reel.frames], "board": board_of(table, then), "more": reel.more},
        "stage": f"{STAGES}{table.campaign.title}.js", "seats": tally_of(then), **drawn(then),
    }  # fmt: skip
    return show(request, table, "log/film.html", context, here="history", status=422 if wrong else 200)


def board_of(table: TableContext, then: TableContext) -> Any:
    """The board as the title's stage reads it."""
    if isinstance(table.pages, Composing):
        return table.pages.board(then.position, ONLOOKER)
    own = extras(table.campaign.title, "film")
    return own.board(then) if own is not None else None


def tally_of(then: TableContext) -> Sequence[Any]:
    """The seats with what a film counts beside their names."""
    own = extras(then.campaign.title, "film")
    return own.tally(then) if own is not None else ()


def drawn(then: TableContext) -> dict[str, Any]:
    """The board as it stood, for the page to draw."""
    pages: Pages | None = then.pages
    if isinstance(pages, Remembering):
        return {"map": pages.past(then.position, ()).context["map"]}
    own = extras(then.campaign.title, "film")
    return {"map": {"svg": own.picture(then)}} if own is not None else {}
