"""A moment of a campaign: its position after an entry, and the changes before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import selectors
from campaign.log.history import Stop, Trail
from campaign.models import GAME_MASTER
from games.contract.history import ChangedPlace
from games.contract.maps import WithMaps
from games.contract.pages import WithPastPages
from games.registry import word
from web.frame.amounts import amount
from web.frame.table import TableContext
from web.history.contract import TitleParts
from web.history.earlier_table import changed_places, table_as_of
from web.ledger.lines import taken_over
from web.log.lines import Change, LogRow, OtherEffect, changes, notes, other_effects, row
from web.table.standings import FinalPlace, Place, final
from web.table.standings import standings as running_standings
from web.titles.contract import pages_of

TURNS = "turns"
"""The value of `?by=` for a page that steps turn by turn."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A stop of a trail that a reader looks at, as a single entry or as the end of its turn."""

    table: TableContext
    road: Trail
    place: int
    by_turns: bool
    branch: int | None = None
    """The undo whose struck moves the trail contains; None for the trail of moves in force."""

    @property
    def stop(self) -> Stop:
        return self.road.stops[self.place]

    @property
    def turn_back(self) -> int | None:
        return max((end for end in self.road.ends if end < self.place), default=None)

    @property
    def turn_on(self) -> int | None:
        return min((end for end in self.road.ends if end > self.place), default=None)

    @property
    def turn_end(self) -> int:
        return next(end for end in self.road.ends if end >= self.place)

    @property
    def since(self) -> int | None:
        """Return the earlier place with which this place is compared; None at the first place."""
        if self.by_turns:
            return self.turn_back
        return self.place - 1 if self.place else None

    @property
    def home(self) -> str:
        """Return the page on which a reader steps through the trail."""
        if self.branch is None:
            return self.table.url("history")
        return self.table.url("branch", self.branch)

    def address(self, place: int | None, *, by_turns: bool = False) -> str:
        """Return the address of a place of the trail; empty if there is no such place."""
        if place is None or not 0 <= place < len(self.road.stops):
            return ""
        query = {"at": str(self.road.stops[place].number)} | ({"by": TURNS} if by_turns else {})
        return f"{self.home}?{urlencode(query)}"

    def as_of(self, place: int) -> TableContext:
        """Return the table at a place of the trail."""
        road = None if self.branch is None else self.road
        return table_as_of(self.table, self.road.stops[place].moves, road)


@dataclass(frozen=True, slots=True)
class Steps:
    """Addresses of other stops; empty at either end."""

    first: str
    turn_back: str
    back: str
    on: str
    turn_on: str
    last: str


@dataclass(frozen=True, slots=True)
class Now:
    """The line that names the entry or turn that is shown."""

    turn: str
    extent: str
    """A text on how much of the turn is shown; empty if single entries are shown."""
    line: LogRow | None
    """The entry, if single entries are shown."""
    entry_url: str
    moved_places: list[ChangedPlace]


@dataclass(frozen=True, slots=True)
class Event:
    """The effects of an entry of the turn."""

    number: int
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of the entry, or of the turn."""

    heading: str
    places: list[ChangedPlace]
    events: list[Event]
    happened: list[OtherEffect]
    ledger: list[Change]
    none: str
    """The sentence to show if nothing changed."""
    entry_url: str
    picture_url: str

    @property
    def is_empty(self) -> bool:
        return not (self.places or self.events or self.happened or self.ledger)


@dataclass(frozen=True, slots=True)
class Slot:
    """A seat in the order of play; `state` is `done`, `now` or `later`."""

    seat: str
    name: str
    state: str
    actions_left: str
    """The purse of the seat whose slot is open."""

    @property
    def is_now(self) -> bool:
        return self.state == "now"

    @property
    def text(self) -> str:
        if self.state == "done":
            return _("has played")
        if not self.is_now:
            return ""
        if not self.actions_left:
            return _("plays")
        return _("plays, actions left: %(left)s") % {"left": self.actions_left}


@dataclass(frozen=True, slots=True)
class Order:
    """The order of play of a turn."""

    turn: str
    slots: list[Slot]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the standings, and its previous value; empty if that is the same."""

    label: str
    text: str
    was: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's line of the standings."""

    seat: str
    name: str
    url: str
    note: str
    mine: bool
    numbers: list[Number]


@dataclass(frozen=True, slots=True)
class Standings:
    heading: str
    labels: list[str]
    lines: list[Standing]


@dataclass(frozen=True, slots=True)
class PastBoard:
    """The board of a title with a page of its own, at an earlier position."""

    template: str
    own: object
    """The object that the template reads (`games.contract.pages.PastPage`)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """All parts of the page that change from stop to stop."""

    number: int
    place: int
    turn_end: int
    by: str
    turn_word: str
    turn_number: str
    """The title's words for the number `n` of a turn."""
    turn_back: str
    """The label of the button that leads back by one turn."""
    turn_forward: str
    steps: Steps
    now: Now
    changes: Changes
    order: Order | None
    final: list[FinalPlace]
    standings: Standings | None
    """None for a title with a page of its own, whose board shows them."""
    own: TitleParts | None
    past: PastBoard | None
    """The board of a title with a page of its own."""
    title: str
    """The title of the document, for a page that steps without loading."""

    @property
    def scripts(self) -> Sequence[str]:
        """Return the scripts of the title's own parts."""
        return self.own.scripts if self.own else ()


def moment(spot: Spot, *, moving: bool) -> Moment:
    """Return the moment; `moving` for a page that already has the rest of the map."""
    table, stop = spot.table, spot.stop
    # Take the later position first: computing it passes through the earlier one.
    past_table = spot.as_of(spot.place)
    before = None if spot.since is None else spot.as_of(spot.since)
    has_moved = spot.since is not None and spot.road.stops[spot.since].moves != stop.moves
    places = changed_places(past_table, before) if before is not None and has_moved else []
    line = None if spot.by_turns else selectors.entry(table.campaign, table.access, stop.number)
    own = pages_of(table.title.key).history
    return Moment(
        number=stop.number,
        place=spot.place,
        turn_end=spot.turn_end,
        by=TURNS if spot.by_turns else "",
        turn_word=word(table.campaign.title, "turn"),
        turn_number=word(table.campaign.title, "turn_number"),
        turn_back=word(table.campaign.title, "turn_back"),
        turn_forward=word(table.campaign.title, "turn_forward"),
        steps=steps(spot),
        now=now_line(spot, line, places),
        changes=changes_of(spot, line, places),
        order=order_of_play(past_table),
        final=final(past_table),
        standings=standings(spot, past_table, before) if table.pages is None else None,
        own=own.parts(past_table, before, places, moving=moving) if own else None,
        past=board(past_table, places),
        title=document_title(spot),
    )


def document_title(spot: Spot) -> str:
    heading = pgettext("heading", "History, entry %(number)s") % {"number": spot.stop.number}
    return f"{heading} · {spot.table.campaign.name}"


def board(past_table: TableContext, places: Iterable[ChangedPlace]) -> PastBoard | None:
    """Return the board of a title that is played on a page of its own; None for other titles."""
    pages = past_table.pages
    if not isinstance(pages, WithPastPages):
        return None
    past = pages.past(past_table.position, [place.key for place in places])
    return PastBoard(f"titles/{past_table.campaign.title}/{past.template}", past.own)


def steps(spot: Spot) -> Steps:
    place, last = spot.place, len(spot.road.stops) - 1
    return Steps(
        first=spot.address(0 if place else None),
        turn_back=spot.address(spot.turn_back, by_turns=True),
        back=spot.address(place - 1 if place else None),
        on=spot.address(place + 1),
        turn_on=spot.address(spot.turn_on, by_turns=True),
        last=spot.address(last if place < last else None),
    )


def now_line(spot: Spot, line: selectors.Line | None, places: Iterable[ChangedPlace]) -> Now:
    table = spot.table
    return Now(
        turn=turn_name(table, spot.stop.turn),
        extent=extent(spot) if spot.by_turns else "",
        line=row(table, line) if line is not None else None,
        entry_url=table.url("entry", spot.stop.number),
        moved_places=[place for place in places if place.moved],
    )


def turn_name(table: TableContext, turn: int) -> str:
    if not turn:
        return pgettext("history", "Before the start")
    return str(capfirst(word(table.campaign.title, "turn_number").format(n=turn)))


def extent(spot: Spot) -> str:
    """Return how much of the turn is shown."""
    if spot.place != spot.turn_end:
        text = _("up to entry %(number)s")
    elif spot.place < len(spot.road.stops) - 1 or spot.table.campaign.ended:
        text = _("to its end, entry %(number)s")
    else:
        text = _("so far, up to entry %(number)s")
    return text % {"number": spot.stop.number}


def changes_of(spot: Spot, line: selectors.Line | None, places: list[ChangedPlace]) -> Changes:
    """Return the changes of the entry; without a `line`, the changes of its turn."""
    table, number = spot.table, spot.stop.number
    effects = line.effects if line is not None else ()
    draws = spot.branch is None and isinstance(table.title, WithMaps)
    if line is None:
        heading, none = _("What changed"), _("Nothing to report.")
    else:
        heading = _("What entry %(number)s changed") % {"number": number}
        none = _("No account and no place has changed.")
    return Changes(
        heading=heading,
        places=places,
        events=events(spot) if line is None else [],
        happened=other_effects(table, effects),
        ledger=changes(table, effects),
        none=none,
        entry_url=table.url("entry", number),
        picture_url=f"{table.url('map_picture')}?at={number}" if draws else "",
    )


def events(spot: Spot) -> list[Event]:
    """Return the entries since the previous turn that changed something, with their effects."""
    table = spot.table
    if spot.since is None:
        return []
    stops = spot.road.stops[spot.since + 1 : spot.place + 1]
    numbers = {stop.sequence: stop.number for stop in stops if stop.changed or stop.contest}
    shown = []
    for entry in table.campaign.entries.filter(sequence__in=numbers).order_by("sequence"):
        seen = [effect for effect in entry.all_effects if table.access.sees(effect.audience)]
        if texts := notes(table, seen):
            number = numbers[entry.sequence]
            shown.append(Event(number, table.url("entry", number), "; ".join(texts)))
    return shown


def order_of_play(past_table: TableContext) -> Order | None:
    """Return the order of play, if there is one to show.

    It is None before the first turn, for a single seat, and for turns that were played elsewhere.
    """
    order, turn = past_table.view.get("order") or (), past_table.view["turn"]
    keys = [key for key in order if key in past_table.names and key != GAME_MASTER]
    if not turn or len(keys) < 2 or turn <= taken_over(past_table):
        return None
    active, turns = past_table.view["slot"], past_table.view.get("turns")
    at = keys.index(active) if active in keys else len(keys)
    name = "turn_of_turns" if turns else "turn_number"
    heading = word(past_table.campaign.title, name).format(n=turn, turns=turns)
    return Order(heading, [slot(past_table, key, place - at) for place, key in enumerate(keys)])


def slot(past_table: TableContext, seat: str, distance: int) -> Slot:
    """Return a seat's slot; `distance` counts the slots from the open slot."""
    purse = past_table.accounts_by_key.get("actions")
    state = "now" if distance == 0 else "done" if distance < 0 else "later"
    left = ""
    if purse and state == "now":
        left = amount(purse, past_table.rows.accounts.get((seat, purse.key), 0))
    return Slot(seat, past_table.name_of(seat), state, left)


def standings(spot: Spot, past_table: TableContext, before: TableContext | None) -> Standings:
    """Return the standings at that position, each number with its previous value."""
    started = spot.table.campaign.started
    places = running_standings(past_table)
    old = {
        (place.seat, cell.label): cell.text
        for place in (running_standings(before) if before is not None else ())
        for cell in place.cells
    }
    heading = _("Standings after entry %(number)s") % {"number": spot.stop.number}
    labels = [cell.label for cell in places[0].cells] if places else []
    return Standings(heading, labels, [standing(place, old, started) for place in places])


def standing(place: Place, old: Mapping[tuple[str, str], str], started: bool) -> Standing:
    numbers = []
    for cell in place.cells:
        was = old.get((place.seat, cell.label), cell.text)
        numbers.append(Number(cell.label, cell.text, was if was != cell.text else ""))
    return Standing(
        seat=place.seat,
        name=place.name,
        url=place.url if started else "",
        note=place.note,
        mine=place.mine,
        numbers=numbers,
    )
