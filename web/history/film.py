"""Films of a part of the log: their frames, and the page that shows them for any title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import practice, scenarios
from campaign.log import history as log_history
from campaign.log import selectors
from campaign.log.history import Stop, Trail
from campaign.models import Campaign
from engine.language import capitalize
from engine.strict_json import read_whole_number
from games.contract.film import SeatLevels, WithFilms
from games.contract.pages import (
    Frame,
    LoggedMove,
    Reader,
    WithBoardData,
    WithMoveFilm,
    WithPastPages,
)
from games.contract.plain import Position
from web import titles
from web.frame.table import TableContext
from web.frame.waiting_lines import waits
from web.history.earlier_table import at_position
from web.history.forms import FilmPageQuery

FRAMES = 400
"""The largest number of frames in an answer. A page fetches a longer film part by part."""
ONLOOKER = Reader((), {}, False)
STAGES = "js/titles/stages/"


@dataclass(frozen=True)
class Reel:
    """Frames, and the position before the first of them."""

    frames: Sequence[Frame] = ()
    before: Position = None
    more: int | None = None
    """The entry after which the next part begins; None if there is none."""

    def to_json(self) -> dict[str, object]:
        """Return the frames as the page's script reads them."""
        return {"frames": [frame.to_json() for frame in self.frames], "more": self.more}


def frames_of(table: TableContext, before: Position, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return the frames of these moves in the title's own words."""
    if table.pages is not None:
        return list(table.pages.film(before, log)) if isinstance(table.pages, WithMoveFilm) else []
    title = table.title
    return list(title.films.film(table.scenario, log)) if isinstance(title, WithFilms) else []


def stretch(log: Sequence[LoggedMove], first: int, last: int | None) -> list[LoggedMove]:
    """Return the moves from entry `first` to entry `last`.

    A hidden move gets the number of the entry before it.
    """
    moves, at = list[LoggedMove](), 0
    for move in log:
        at = move.number or at
        if first <= at and (last is None or at <= last):
            moves.append(move._replace(number=at))
    return moves


def reel_since(
    table: TableContext, number: int, last: int | None = None, *, newest: bool = False
) -> Reel:
    """Return the film of the moves after an entry, as far as the reader may see them.

    Of more than `FRAMES` frames the first are returned; if `newest`, the last.
    """
    stop = first_after(log_history.trail(table.campaign), number)
    if stop is None:
        return Reel()
    before = log_history.after(table.campaign, stop.moves - 1)
    log = selectors.moves_on_page(table.campaign, table.access, seen=True)
    frames = frames_of(table, before, stretch(log, number + 1, last))
    if len(frames) <= FRAMES:
        return Reel(frames, before)
    if newest:
        at = frames[-FRAMES].at
        return reel_since(table, at, last) if at > number else Reel(frames[-FRAMES:], before)
    # The cut is between entries, so that the next part begins after a whole entry.
    at = frames[FRAMES].at
    kept = [frame for frame in frames[:FRAMES] if frame.at < at] or frames[:FRAMES]
    return Reel(kept, before, kept[-1].at)


def reel_of(table: TableContext, before: Position, first: int) -> Reel:
    """Return the newest frames from an entry on; `before` is the position before that entry."""
    log = selectors.moves_on_page(table.campaign, table.access, seen=True, first=first)
    return Reel(frames_of(table, before, stretch(log, first, None))[-FRAMES:], before)


def first_after(road: Trail, number: int) -> Stop | None:
    return next((stop for stop in road.stops if stop.is_move and stop.number > number), None)


class Decision(NamedTuple):
    """The next thing that a practice game asks of the reader: a text, a button and its page."""

    text: str
    verb: str
    url: str


def next_decision(table: TableContext) -> Decision | None:
    """Return what the reader has to do next; None while programs play."""
    campaign = table.campaign
    if campaign.ended:
        return Decision(
            _("The campaign has ended."), pgettext("button", "View the result"), table.home
        )
    if practice.asked(campaign) is not None:
        return None
    line = next((line for line in waits(table) if line.mine and line.url), None)
    if line is None:
        return Decision("", pgettext("button", "Back to the table"), table.home)
    own = next((seat.key for seat in line.seats if seat.key in table.own_seats), "")
    # The page of the nation has the answers to an attack above everything else.
    url = table.url("nation", own) if own and line.contest is not None else line.url
    return Decision(f"{capitalize(line.text)}.", line.verb, url)


def film_onward(table: TableContext, campaign: Campaign, since: int) -> str:
    """Return the address of the film of what programs do now, after the entry `since`.

    It is empty if no program is to move, or if no film shows the moves. `campaign` is the row after
    the reader's move.
    """
    has_film = bool(campaign.programs) and table.pages is None and titles.films(table)
    if not has_film or campaign.lesson or practice.asked(campaign) is None:
        return ""
    return f"{table.url('history_film')}?since={since}&follow=1"


@dataclass(frozen=True, slots=True)
class FilmPage:
    """The film from the position after the entry `since` to the entry `to`."""

    since_text: str
    to_text: str
    since: int
    to: int
    first: int
    newest: int
    wrong: str
    """The reason why the requested entries make no film."""
    frames: Sequence[Frame]
    data: dict[str, object]
    """The data for the script (static/js/theatre.js)."""
    stage: str
    """The title's script."""
    seats: Sequence[SeatLevels]
    map_svg: SafeString
    history_url: str
    decision: Decision | None
    """The reader's next decision; None while programs play, and for other films."""
    follows: bool
    """Whether the film of a practice game goes on to the reader's next decision."""
    own: str
    """The reader's seats, separated by spaces."""

    @property
    def first_shown(self) -> int:
        """The entry that the film begins with."""
        return min(self.since + 1, self.to)

    @property
    def captioned_frames(self) -> list[Frame]:
        return [frame for frame in self.frames if frame.say]


@dataclass(frozen=True, slots=True)
class Span:
    """The entries between which a film runs, or the error in the requested ones."""

    since: int
    to: int
    wrong: str = ""


def film_page(table: TableContext, road: Trail, query: FilmPageQuery) -> FilmPage:
    """Return the film from `since` to `to`, by default of the whole log."""
    first, newest = road.stops[0].number, road.stops[-1].number
    since_text = query.entry_or("since", first)
    to_text = query.entry_or("to", newest)
    since = read_whole_number(since_text)
    span = span_of(since, read_whole_number(to_text), first, newest)
    if query.follows:
        span = Span(min(max(since or first, first), newest), newest)
    reel = Reel() if span.wrong else reel_since(table, span.since, span.to)
    start = road.stops[road.before(span.since + 1)]
    past_table = at_position(table, log_history.after(table.campaign, start.moves))
    title = table.title
    history_url = table.url("history")
    return FilmPage(
        since_text=since_text,
        to_text=to_text,
        since=span.since,
        to=span.to,
        first=first,
        newest=newest,
        wrong=span.wrong,
        frames=reel.frames,
        data={**reel.to_json(), "board": board_of(past_table)},
        stage=f"{STAGES}{table.campaign.title}.js",
        seats=title.films.levels(past_table.position) if isinstance(title, WithFilms) else [],
        map_svg=SafeString(map_svg(past_table)),  # the title has escaped it
        history_url=history_url if span.wrong else f"{history_url}?at={span.to}",
        decision=next_decision(table) if query.follows else None,
        follows=query.follows,
        own=" ".join(table.own_seats),
    )


def span_of(since: int | None, to: int | None, first: int, newest: int) -> Span:
    """Return the entries in ascending order. Both must be numbers from `first` to `newest`."""
    numbers = [number for number in (since, to) if number is not None and first <= number <= newest]
    if len(numbers) < 2:
        text = _("“From” and “to” are numbers of entries: %(first)d to %(last)d.")
        return Span(first, first, text % {"first": first, "last": newest})
    start, end = sorted(numbers)
    if start == end:
        text = _("From entry %(n)d to entry %(n)d nothing happens. Choose two different entries.")
        return Span(start, end, text % {"n": start})
    return Span(start, end)


def board_of(past_table: TableContext) -> Mapping[str, object] | None:
    """Return the board in the form that the title's script reads."""
    if isinstance(past_table.pages, WithBoardData):
        return past_table.pages.board(past_table.position, ONLOOKER)
    title = past_table.title
    if not isinstance(title, WithFilms):
        return None
    return title.films.board(past_table.position, scenarios.text_of(past_table.campaign))


def map_svg(past_table: TableContext) -> str:
    """Return the board at that position as SVG."""
    if isinstance(past_table.pages, WithPastPages):
        return str(past_table.pages.past(past_table.position, ()).own.map.svg)
    title = past_table.title
    if not isinstance(title, WithFilms):
        return ""
    return title.films.picture(past_table.position, scenarios.text_of(past_table.campaign))
