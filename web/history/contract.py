"""What a title adds to the pages of earlier positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from web.frame.table import TableContext


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
