"""A moment of a campaign's log as one reader may know it: how it stood, and what had changed since the stop before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from campaign import moments, selectors
from campaign.moments import Trail
from engine.pages import Page, Remembering
from web.titles import extras
from web.titles.talk import plain_name
from web.views.common import GAME_MASTER, TableContext
from web.views.head import amount
from web.views.lines import Change, Happened, Row, changes, notes, row, what_happened
from web.views.table import Place, plain_standings

TURNS = "turns"
"""Stops are looked at one by one, or turn by turn: then what counts is what had changed since the turn before."""


class Changed(NamedTuple):
    """A place that had become otherwise: its owner (key for the swatch, name) before and then, further (before, then)."""

    key: str
    name: str
    was: tuple[str, str]
    now: tuple[str, str]
    notes: Sequence[tuple[str, str]] = ()

    @property
    def moved(self) -> bool:
        return self.was != self.now


class Slot(NamedTuple):
    """A seat in the order of play as it stood: `done`, `now`, `later`, or `idle` where nobody plays; its purse while it plays."""

    seat: str
    name: str
    how: str
    left: str = ""


class Told(NamedTuple):
    """What an entry of the turn brought about, in words."""

    number: int
    url: str
    texts: Sequence[str]


def as_of(table: TableContext, moves: int, road: Trail | None = None) -> TableContext:
    """The table as it stood after so many moves, of a struck branch where that is the `road`, for the same reader. Who holds
    a seat is of today and left out."""
    return stood(table, moments.after(table.campaign, moves, road))


def stood(table: TableContext, position: Any) -> TableContext:
    """The same at another position of its log, as it stood or would stand."""
    then = TableContext(table.request, table.campaign, table.access, past=True)
    then.position = position
    then.places = []
    return then


def changed(then: TableContext, before: TableContext) -> list[Changed]:
    """The places that had become otherwise since: what its title tells, else whose they were."""
    own = extras(then.campaign.title, "history")
    if own is not None:
        return list(own.changed(then, before))
    old, new = before.rows.holdings, then.rows.holdings
    return [
        Changed(key, place_name(then, key), _owner(then, old.get(key, {})), _owner(then, facts))
        for key, facts in new.items()
        if facts.get("owner") != old.get(key, {}).get("owner")
    ]


def place_name(table: TableContext, key: str) -> str:
    return table.pages.place(key) if isinstance(table.pages, Remembering) else plain_name(key)


def _owner(table: TableContext, facts: Any) -> tuple[str, str]:
    owner = facts.get("owner")
    return (owner, table.name_of(owner)) if owner else ("", "")


class Moment:
    """The stop at a place of the trail, seen by itself or as the end of its turn. `branch` is the undo whose struck moves
    the trail is of; None: of what is in force."""

    def __init__(self, table: TableContext, road: Trail, place: int, by: str = "", branch: int | None = None) -> None:
        self.table, self.road, self.place, self.by, self.branch = table, road, place, by, branch
        self.stop, ends = road.stops[place], road.ends
        self.turn_back = max((end for end in ends if end < place), default=None)
        self.turn_on = min((end for end in ends if end > place), default=None)
        self.turn_end = next(end for end in ends if end >= place)
        self.since = self.turn_back if by == TURNS else place - 1 if place else None

    @property
    def _road(self) -> Trail | None:
        return None if self.branch is None else self.road

    @property
    def home(self) -> str:
        """The page on which one goes from stop to stop."""
        return self.table.url("history") if self.branch is None else self.table.url("branch", self.branch)

    @cached_property
    def then(self) -> TableContext:
        return as_of(self.table, self.stop.moves, self._road)

    @cached_property
    def before(self) -> TableContext | None:
        """The stop this one is compared with; None at the first."""
        assert self.then  # first: on its way there it comes by this one
        return None if self.since is None else as_of(self.table, self.road.stops[self.since].moves, self._road)

    @property
    def moved(self) -> bool:
        """Was anything played since?"""
        return self.since is not None and self.road.stops[self.since].moves != self.stop.moves

    def _own(self, part: str) -> Any:
        return extras(self.table.campaign.title, part)

    @cached_property
    def changed(self) -> list[Changed]:
        if self.before is None or not self.moved:
            return []
        return changed(self.then, self.before)

    @cached_property
    def past(self) -> Page | None:
        """The board of a title that is played on a page of its own."""
        pages = self.table.pages
        return pages.past(self.then.position, [one.key for one in self.changed]) if isinstance(pages, Remembering) else None

    @cached_property
    def standings(self) -> list[Place]:
        """The lines of the standings as they stood, each number with what it had been."""
        own = self._own("table")
        find: Callable[[TableContext], list[Place]] = own.standings if own else plain_standings
        old = {(one.seat, cell.label): cell.text for one in (find(self.before) if self.before else ()) for cell in one.cells}
        made = []
        for one in find(self.then):
            cells = []
            for cell in one.cells:
                was = old.get((one.seat, cell.label), cell.text)
                cells.append(cell._replace(was=was if was != cell.text else ""))
            made.append(one._replace(cells=cells, url="" if self.table.draft else one.url))
        return made

    @property
    def order(self) -> list[Slot]:
        """The order of play of its turn; empty before the first, and where one plays alone."""
        then = self.then
        keys = [key for key in then.view.get("order") or () if key in then.names and key != GAME_MASTER]
        if not then.view["turn"] or len(keys) < 2:
            return []
        now, purse = then.view["slot"], then.accounts.get("actions")
        at = keys.index(now) if now in keys else len(keys)
        made = []
        for place, key in enumerate(keys):
            how = "now" if place == at else "done" if place < at else "later"
            left = amount(purse, then.rows.accounts.get((key, purse.key), 0)) if purse and how == "now" else ""
            made.append(Slot(key, then.name_of(key), how, left))
        return made

    @cached_property
    def entry(self) -> selectors.Line:
        return selectors.entry(self.table.campaign, self.table.access, self.stop.number)

    @property
    def line(self) -> Row:
        return row(self.table, self.entry)

    @property
    def ledger(self) -> list[Change]:
        """The ledger lines of the entry."""
        return changes(self.table, self.entry.effects)

    @property
    def happened(self) -> list[Happened]:
        return what_happened(self.table, self.entry.effects)

    @property
    def told(self) -> list[Told]:
        """What the entries since brought about, each in words; those of which there is nothing to tell are left out."""
        if self.since is None:
            return []
        named = {
            one.sequence: one.number for one in self.road.stops[self.since + 1 : self.place + 1] if one.changed or one.contest
        }
        made = []
        for entry in self.table.campaign.entries.filter(sequence__in=named).order_by("sequence"):
            seen = [effect for effect in entry.all_effects if self.table.access.sees(effect.audience)]
            texts = notes(self.table, seen)
            if texts:
                number = named[entry.sequence]
                made.append(Told(number, self.table.url("entry", number), texts))
        return made
