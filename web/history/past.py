"""A campaign as it was at another position, and what a title adds to its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from campaign.log import history
from campaign.log.history import Trail
from engine.language import plain_name
from games.contract.pages import Remembering
from games.contract.plain import HoldingFacts, Position
from web.frame.table import TableContext
from web.titles import extras


@dataclass(frozen=True, slots=True)
class Level:
    """An amount or a name in two positions."""

    label: str
    now: str
    then: str


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a place; both are empty if no one owns it."""

    key: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A place with its owner before and after, and what else changed there."""

    key: str
    name: str
    was: Owner
    now: Owner
    notes: tuple[tuple[str, str], ...] = ()
    """Further facts before and after; either may be empty."""

    @property
    def moved(self) -> bool:
        return self.was != self.now

    @property
    def note_texts(self) -> list[str]:
        return [note_text(was, now) for was, now in self.notes]


def note_text(was: str, now: str) -> str:
    if was and now:
        return f"{was} → {now}"
    return f"+ {now}" if now else f"− {was}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Something that was agreed, and whether it holds in the second position."""

    text: str
    holds: bool


class TitleMap(Protocol):
    """A map; the title's template shows the rest of it."""

    @property
    def svg(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TitleParts:
    """What a title adds to the history: its map, and templates that read `page.moment.own`."""

    facts: object
    """What the title's templates show."""
    map: TitleMap
    map_template: str
    rail_template: str
    places_template: str
    scripts: tuple[str, ...]


class TitleHistory(Protocol):
    """The part `history` of a title."""

    def changed(self, past_table: TableContext, before: TableContext) -> list[ChangedPlace]:
        """Return the places that changed."""
        ...

    def parts(
        self,
        past_table: TableContext,
        before: TableContext | None,
        changed: Sequence[ChangedPlace],
        *,
        moving: bool,
    ) -> TitleParts:
        """Return what the title adds; `moving` for a page that has the rest of the map."""
        ...

    def item(self, key: str) -> str:
        """Return the name of a card or another item."""
        ...

    def levels(self, now: TableContext, then: TableContext, key: str) -> list[Level]:
        """Return what differs for a holder beyond the rows of every title."""
        ...

    def agreements(self, now: TableContext, then: TableContext) -> list[Agreement]:
        """Return the agreements that hold in one of the positions only."""
        ...


def title_history(title_key: str) -> TitleHistory | None:
    """Return the title's own part of the history, if it has one."""
    return cast("TitleHistory | None", extras(title_key, "history"))


def as_of(table: TableContext, moves: int, road: Trail | None = None) -> TableContext:
    """Return the table after `moves` moves, for the same reader; `road` is the trail of a branch.

    Who holds a seat is a fact of today and left out.
    """
    past_table = at_position(table, history.after(table.campaign, moves, road))
    past_table.mark = (history.trail(table.campaign) if road is None else road).keys[moves]
    return past_table


def at_position(table: TableContext, position: Position) -> TableContext:
    """Return the table with another position of its log."""
    past_table = TableContext(
        table.request, table.campaign, table.access, past=True, notes=table.notes
    )
    past_table.position = position
    past_table.places = []
    return past_table


def changed_places(past_table: TableContext, before: TableContext) -> list[ChangedPlace]:
    """Return the places that changed between two positions."""
    own = title_history(past_table.campaign.title)
    if own is not None:
        return own.changed(past_table, before)
    old, new = before.rows.holdings, past_table.rows.holdings
    return [
        ChangedPlace(
            key=key,
            name=place_name(past_table, key),
            was=owner_of(past_table, old.get(key, {})),
            now=owner_of(past_table, facts),
        )
        for key, facts in new.items()
        if facts.get("owner") != old.get(key, {}).get("owner")
    ]


def place_name(table: TableContext, key: str) -> str:
    return table.pages.place(key) if isinstance(table.pages, Remembering) else plain_name(key)


def owner_of(table: TableContext, facts: HoldingFacts) -> Owner:
    owner = facts.get("owner")
    return Owner(owner, table.name_of(owner)) if owner else Owner()
