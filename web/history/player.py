"""The slider of the history: its marks, and the turns as a list of stops."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log.history import Trail
from web import titles
from web.history.moment import Spot, turn_name

TICKS = 250
"""The largest number of marks on the slider."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the slider, of a changed place or of a battle."""

    at: str
    is_result: bool


@dataclass(frozen=True, slots=True)
class TurnStop:
    """The end of a turn."""

    turn: int
    name: str
    entries: str
    at: str
    """The place on the slider where the turn begins."""
    room: str
    """The width of the turn on the slider."""
    place: int
    url: str
    is_shown: bool
    film: TurnFilm | None


@dataclass(frozen=True, slots=True)
class TurnFilm:
    """The film of a turn."""

    url: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class FilmForm:
    """The form that asks for a film."""

    url: str
    since: int
    to: int


@dataclass(frozen=True, slots=True)
class Player:
    """The slider and its controls (static/js/history.js)."""

    home: str
    back_text: str
    count: int
    last: int
    numbers: str
    """The numbers of all stops."""
    ends: str
    """The places of the ends of turns."""
    ticks: list[Tick]
    turns: list[TurnStop]
    film: FilmForm | None


def player(spot: Spot) -> Player:
    road, table = spot.road, spot.table
    films = spot.branch is None and titles.films(table)
    return Player(
        home=spot.home,
        back_text=_("Back to the current position") if spot.branch is None else _("To its end"),
        count=len(road.stops),
        last=road.stops[-1].number,
        numbers=road.numbers,
        ends=" ".join(map(str, road.ends)),
        ticks=ticks(road),
        turns=turn_stops(spot, films=films),
        film=(
            FilmForm(table.url("history_film"), film_since(spot), road.stops[-1].number)
            if films
            else None
        ),
    )


def turn_stops(spot: Spot, *, films: bool) -> list[TurnStop]:
    begins = [*spot.road.begins.values(), len(spot.road.stops)]
    rooms = dict(zip(spot.road.begins, pairwise(begins), strict=True))
    return [
        turn_stop(spot, end, rooms[spot.road.stops[end].turn], films=films)
        for end in spot.road.ends
    ]


def turn_stop(spot: Spot, end: int, room: tuple[int, int], *, films: bool) -> TurnStop:
    """Return the end of a turn; `room` are the places at which this and the next turn begin."""
    road, (begin, after) = spot.road, room
    most = max(len(road.stops) - 1, 1)
    first, last = road.stops[begin].number, road.stops[end].number
    before = road.stops[max(begin - 1, 0)].number
    film = None
    if films and first != last:
        url = f"{spot.table.url('history_film')}?since={before}&to={last}"
        film = TurnFilm(url, before, last)
    return TurnStop(
        turn=road.stops[end].turn,
        name=turn_name(spot.table, road.stops[end].turn),
        entries=entries_text(first, last),
        at=f"{begin / most:.2%}",
        room=f"{(after - begin) / most:.2%}",
        place=end,
        url=spot.address(end, by_turns=True),
        is_shown=end == spot.turn_end,
        film=film,
    )


def entries_text(first: int, last: int) -> str:
    if first == last:
        return pgettext("history", "entry %(first)s") % {"first": first}
    return _("entries %(first)s to %(last)s") % {"first": first, "last": last}


def ticks(road: Trail) -> list[Tick]:
    """Return the marks on the slider.

    Of marks that would cover each other only the first is shown, and a mark of a change has
    priority over a mark of a battle. Runs in time proportional to the visible marks.
    """
    most, shown, next_mark = max(len(road.stops) - 1, 1), list[Tick](), 0
    while next_mark < len(road.marked):
        place = road.marked[next_mark]
        # The first place whose mark does not cover this one, rounded up.
        end = -(-(place * TICKS // most + 1) * most // TICKS)
        change = bisect_left(road.changed, place)
        is_result = change < len(road.changed) and road.changed[change] < end
        if is_result:
            place = road.changed[change]
        shown.append(Tick(f"{place / most:.2%}", is_result))
        next_mark = bisect_left(road.marked, end, next_mark)
    return shown


def film_since(spot: Spot) -> int:
    """Return the entry at which a film from this stop begins.

    It is the stop itself; at the last stop, the end of the previous turn.
    """
    road, place = spot.road, spot.place
    if place < len(road.stops) - 1:
        return road.stops[place].number
    return road.stops[max((end for end in road.ends if end < place), default=0)].number
