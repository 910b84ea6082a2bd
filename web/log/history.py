"""Time travel: the table as after any entry in force, one by one or turn by turn, and a stretch of
the log as a film.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign.log import history as log_history
from campaign.log import selectors, undo
from campaign.log.history import Step, Stop, Trail, Turn
from campaign.log.texts import act_line
from engine.strict_json import whole
from games.contract.pages import Composing, Filming, Frame, Pages, Reader, Remembering, Told
from games.registry import words
from web import titles
from web.board.voices import reader_of
from web.frame import page_cache
from web.frame.campaign_page import TableContext, accounts_by_key, campaign_page, show
from web.frame.parts import part_alone as alone
from web.ledger import Courses, Drawn
from web.log.position_diff import TURNS, Moment, as_of, compare, stood
from web.table.standings import final
from web.titles import extras

TICKS = 250
"""So many marks have room on the slider."""
PART, COURSES = "moment", "courses"
"""What a page asks for by itself: the moving parts alone when it steps, the charts when they come
into sight.
"""


@require_safe
@campaign_page
def history(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?at=` an entry's number, without it the last; `?by=turns` compares with the end of the turn
    before.

    `?stop=` the how manieth stop, as the slider counts them, leads to its entry.
    """
    if not titles.remembers(table):
        raise Http404
    road, by = log_history.trail(table.campaign), TURNS if request.GET.get("by") == TURNS else ""
    if "stop" in request.GET:
        nth = whole(request.GET["stop"])
        if nth is None or not 1 <= nth <= len(road.stops):
            return nowhere(request, table, road, None)
        return redirect(address(table, road, nth - 1, by))
    place, asked = len(road.stops) - 1, request.GET.get("at", "")
    if asked:
        number = whole(asked.strip())
        stop = None if number is None else road.at(number)
        if stop is None:
            return nowhere(request, table, road, number)
        place = stop
    if request.headers.get("HX-Target") == COURSES:
        return alone(
            request,
            table,
            "log/_account_curves.html",
            {"charts": account_curves(table, road.stops[place].number)},
        )
    moment, part = Moment(table, road, place, by), request.headers.get("HX-Target") == PART
    context = {"moment": moment, **parts(moment, moving=part)}
    if part:
        return alone(request, table, "log/_moment.html", context)
    answer = show(request, table, "log/history.html", context | player(moment), here="history")
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def address(
    table: TableContext, road: Trail, place: int | None, by: str = "", home: str = ""
) -> str:
    """The address of a place of the trail, of a branch's on its own page; empty for None."""
    if place is None or not 0 <= place < len(road.stops):
        return ""
    query = urlencode({"at": road.stops[place].number, **({"by": by} if by else {})})
    return f"{home or table.url('history')}?{query}"


def parts(moment: Moment, *, moving: bool) -> dict[str, Any]:
    """What changes from stop to stop."""
    table, road, place, home = moment.table, moment.road, moment.place, moment.home
    last = len(road.stops) - 1
    own = extras(table.campaign.title, "history")
    drawn = moment.branch is None and titles.draws(table.campaign)
    return {
        "words": words(table.campaign.title),
        "by_turns": moment.by == TURNS,
        "final": final(moment.then),
        "entry_url": table.url("entry", moment.stop.number),
        "picture_url": f"{table.url('map_picture')}?at={moment.stop.number}" if drawn else "",
        "steps": {
            "first": address(table, road, 0 if place else None, home=home),
            "turn_back": address(table, road, moment.turn_back, TURNS, home=home),
            "back": address(table, road, place - 1 if place else None, home=home),
            "on": address(table, road, place + 1, home=home),
            "turn_on": address(table, road, moment.turn_on, TURNS, home=home),
            "last": address(table, road, last if place < last else None, home=home),
        },
        **(moment.own_context(own, moving=moving) if own else {}),
        **_past(moment),
    }


def _past(moment: Moment) -> dict[str, Any]:
    """The board of a title's own page with its template."""
    past, key = moment.past, moment.table.campaign.title
    return {} if past is None else {**past.context, "own_past": f"titles/{key}/{past.template}"}


def player(moment: Moment) -> dict[str, Any]:
    """The slider, its marks, and the turns as a list of stops."""
    table, road = moment.table, moment.road
    most, begins = max(len(road.stops) - 1, 1), road.begins
    room = {
        turn: (after - place) / most
        for (turn, place), (_, after) in pairwise([*begins.items(), (0, len(road.stops))])
    }
    return {
        "home": moment.home,
        "films": titles.films(table) and moment.branch is None,
        "film_url": (
            table.url("history_film") if titles.films(table) and moment.branch is None else ""
        ),
        "film_since": _film_since(moment),
        "count": len(road.stops),
        "last": road.stops[-1].number,
        "numbers": road.numbers,
        "ends": " ".join(map(str, road.ends)),
        "ticks": page_cache.kept.get(("ticks", road.keys[-1], road.numbers), lambda: ticks(road)),
        "turns": [
            {
                "turn": road.stops[end].turn,
                "at": f"{begins[road.stops[end].turn] / most:.2%}",
                "place": end,
                "room": f"{room[road.stops[end].turn]:.2%}",
                "first": road.stops[begins[road.stops[end].turn]].number,
                "last": road.stops[end].number,
                "before": road.stops[max(begins[road.stops[end].turn] - 1, 0)].number,
                "url": address(table, road, end, TURNS, moment.home),
                "here": end == moment.turn_end,
            }
            for end in road.ends
        ],
    }


def ticks(road: Trail) -> SafeString:
    """The marks on the slider; of those that would lie on each other the first, and one of a change
    before a contest's. It costs the marks that are shown, not the stops of the log.
    """
    kinds = {True: ' class="is-result"', False: ""}
    most, shown, next_mark = max(len(road.stops) - 1, 1), [], 0
    while next_mark < len(road.marked):
        place = road.marked[next_mark]
        end = -(
            -(place * TICKS // most + 1) * most // TICKS
        )  # the first place whose mark lies beside this one
        change = bisect_left(road.changed, place)
        if changed := change < len(road.changed) and road.changed[change] < end:
            place = road.changed[change]
        shown.append(f'<i{kinds[changed]} style="--at:{place / most:.2%}"></i>')
        next_mark = bisect_left(road.marked, end, next_mark)
    return SafeString("".join(shown))


def _film_since(moment: Moment) -> int:
    """Where a film from here begins: at this stop, at the last one of its turn's."""
    road, place = moment.road, moment.place
    if place < len(road.stops) - 1:
        return road.stops[place].number
    return road.stops[max((end for end in road.ends if end < place), default=0)].number


def account_curves(table: TableContext, number: int) -> list[Drawn]:
    """The accounts over the whole log with this entry marked, the purse left out."""
    courses = Courses(table, focus=table.own_seats[0] if table.own_seats else "")
    return (
        []
        if courses.empty
        else [courses.drawn(key, at=number) for key in accounts_by_key(table) if key != "actions"]
    )


def nowhere(
    request: HttpRequest, table: TableContext, road: Trail, number: int | None
) -> HttpResponse:
    """There is no such stop: why, and the nearest before it."""
    struck = None
    if number is not None:
        entries = table.campaign.entries.filter(number=number).exclude(struck_by=None)
        struck = entries.select_related("struck_by").first()
    near = None if number is None else road.before(number)
    by = None if struck is None or struck.struck_by is None else struck.struck_by.number
    context = {
        "number": number,
        "struck": struck,
        "struck_url": table.url("entry", number) if struck else "",
        "by": by,
        "by_url": "" if by is None else table.url("entry", by),
        "first": road.stops[0].number,
        "last": road.stops[-1].number,
        "near": None if near is None else road.stops[near].number,
        "near_url": address(table, road, near),
        "now_url": table.url("history"),
    }
    return show(request, table, "log/history_nowhere.html", context, here="history", status=404)


# A struck branch as it stood: its moves one by one, how it ended, what differs from now, and how it
# comes back.


@require_safe
@campaign_page
def branch(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """What the undo of this number struck, for everybody who reads its entry. `?at=` one of its
    entries, without it the last; `?by=turns` and `?stop=` as in the history.
    """
    turn, turns = undo.rewind_of(table.campaign, number)
    if not titles.remembers(table):
        raise Http404
    road, by = (
        log_history.branch(table.campaign, turn),
        TURNS if request.GET.get("by") == TURNS else "",
    )
    if not road.stops:
        raise Http404
    moment = Moment(table, road, place_of(request, road), by, number)
    context: dict[str, Any] = {
        "moment": moment,
        **parts(moment, moving=request.headers.get("HX-Target") == PART),
    }
    if request.headers.get("HX-Target") == PART:
        return alone(request, table, "log/_moment.html", context)
    context |= player(moment) | ways_to_restore(table, turn, turns)
    context |= {
        "text": act_line(turn.act.content, table.name_of(turn.act.seat)),
        "person": turn.act.actor,
        "at": turn.act.at,
    }
    context["other"] = compare(table, as_of(table, len(road.sequences), road))
    context["number"] = number
    context["struck"] = sum(1 for stop in road.stops if stop.sequence in turn.moves)
    answer = show(request, table, "log/branch.html", context, here="log")
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def place_of(request: HttpRequest, road: log_history.Trail) -> int:
    """Which stop is asked for. Raises `Http404` for none of the branch's."""
    last = len(road.stops) - 1
    if nth := request.GET.get("stop", ""):
        place = whole(nth)
        if place is None or not 1 <= place <= last + 1:
            raise Http404
        return place - 1
    if asked := request.GET.get("at", ""):
        number = whole(asked.strip())
        stop = None if number is None else road.at(number)
        if stop is None:
            raise Http404
        return stop
    return last


def ways_to_restore(table: TableContext, turn: Turn, turns: dict[int, Turn]) -> dict[str, Any]:
    """How the branch comes back: by which steps, or that it has, or cannot."""
    by = turn.act.struck_by_id
    if by is not None:
        back = next((one.act.number for one in turns.values() if one.act.pk == by), None)
        return {"back": back, "back_url": table.url("entry", back) if back is not None else ""}
    steps = log_history.way_back(
        turns, turn.act, frozenset(log_history.trail(table.campaign).sequences)
    )
    return {
        "steps_back": [(step, _url(table, step)) for step in steps or ()],
        "since": len(frozenset(log_history.trail(table.campaign).sequences) - turn.stands),
        "gone": steps is None,
    }


def _url(table: TableContext, step: Step) -> str:
    return f"{table.url('rewind')}?{'undo' if step.restores else 'entry'}={step.number}"


# A stretch of the log as a film: its frames, and the page on which any title's history is shown
# from one entry to another.


FRAMES = 400
"""Frames of one answer; of a longer stretch the page fetches one part after the other."""
ONLOOKER = Reader((), {}, False)
STAGES = "js/titles/stages/"


@dataclass(frozen=True)
class Reel:
    """Frames, the position before the first of them, and after which entry the next part begins;
    None where all is told.
    """

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
    """The moves from one entry to another; one without a public number belongs to the entry before
    it, and has its number.
    """
    moves, at = list[Told](), 0
    for one in log:
        at = one.number or at
        if first <= at and (last is None or at <= last):
            moves.append(one._replace(number=at))
    return moves


def reel_since(
    table: TableContext, number: int, last: int | None = None, *, newest: bool = False
) -> Reel:
    """The film of what came after an entry, as far as the reader may know it. Of more than `FRAMES`
    the first are given, with `newest` the last.
    """
    stop = _first_after(log_history.trail(table.campaign), number)
    if stop is None:
        return Reel()
    before = log_history.after(table.campaign, stop.moves - 1)
    frames = frames_of(
        table,
        before,
        stretch(selectors.moves_on_page(table.campaign, table.access, seen=True), number + 1, last),
    )
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
    log = stretch(
        selectors.moves_on_page(table.campaign, table.access, seen=True, first=first), first, None
    )
    return Reel(frames_of(table, before, log)[-FRAMES:], before)


def _first_after(road: Trail, number: int) -> Stop | None:
    return next((stop for stop in road.stops if stop.is_move and stop.number > number), None)


@require_safe
@campaign_page
def film(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The frames of the entries after `?since=` that the reader may see, up to `?to=`, and the
    board before them.
    """
    if not (isinstance(table.pages, Filming) or titles.films(table)):
        raise Http404
    number, last = (
        whole(request.GET.get("since", "")),
        whole(request.GET.get("to", "")) if request.GET.get("to") else None,
    )
    if number is None or (request.GET.get("to") and last is None):
        raise Http404
    reel = reel_since(table, number, last, newest="part" not in request.GET)
    board = None
    if reel.frames and isinstance(table.pages, Composing):
        board = table.pages.board(reel.before, reader_of(request, table, {}))
    answered = {
        "seen": table.seen,
        "frames": [one.to_json() for one in reel.frames],
        "board": board,
        "more": reel.more,
    }
    answer = JsonResponse(answered)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_safe
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The film from the position after one entry (`?since=`) to another (`?to=`), without them from
    the beginning to now.
    """
    road = log_history.trail(table.campaign)
    if not titles.films(table) or not road.stops:
        raise Http404
    first, newest = road.stops[0].number, road.stops[-1].number
    asked = {
        "since": request.GET.get("since", "").strip() or str(first),
        "to": request.GET.get("to", "").strip() or str(newest),
    }
    numbers = [whole(asked["since"]), whole(asked["to"])]
    wrong = ""
    since, to = first, first
    if None in numbers or not all(
        first <= number <= newest for number in numbers if number is not None
    ):
        facts = {"first": first, "last": newest}
        wrong = _("“From” and “to” are numbers of entries: %(first)d to %(last)d.") % facts
    else:
        since, to = sorted(number for number in numbers if number is not None)
        if since == to:
            wrong = _(
                "From entry %(n)d to entry %(n)d nothing happens. Choose two different entries."
            ) % {"n": since}
    reel = Reel() if wrong else reel_since(table, since, to)
    before = road.stops[road.before(since + 1)]
    then = stood(table, log_history.after(table.campaign, before.moves))
    context = {
        "asked": asked,
        "since": since,
        "to": to,
        "first": first,
        "newest": newest,
        "wrong": wrong,
        "frames": reel.frames,
        "data": {
            "frames": [one.to_json() for one in reel.frames],
            "board": board_of(table, then),
            "more": reel.more,
        },
        "stage": f"{STAGES}{table.campaign.title}.js",
        "seats": tally_of(then),
        **drawn(then),
    }
    return show(
        request, table, "log/film.html", context, here="history", status=422 if wrong else 200
    )


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
