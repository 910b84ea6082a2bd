"""Differences between two positions of a campaign that the rows of every title do not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from games.contract.plain import Position


@dataclass(frozen=True, slots=True)
class ChangedLevel:
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
    """A place with its owner before and after, and its other changes."""

    key: str
    name: str
    was: Owner
    now: Owner
    notes: tuple[tuple[str, str], ...] = ()
    """Further facts before and after; either may be empty."""

    @property
    def moved(self) -> bool:
        """Whether the owner has changed."""
        return self.was != self.now

    @property
    def note_texts(self) -> list[str]:
        """The further changes in words."""
        return [note_text(was, now) for was, now in self.notes]


def note_text(was: str, now: str) -> str:
    """Return a change of a fact as text: before and after, "+" if it is new, "−" if it is lost."""
    if was and now:
        return f"{was} → {now}"
    return f"+ {now}" if now else f"− {was}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Something that was agreed, and whether it holds in the second position."""

    text: str
    holds: bool


@runtime_checkable
class WithComparisons(Protocol):
    """A title with words for differences between two of its positions, in the current language."""

    def changed_places(self, before: Position, after: Position) -> Sequence[ChangedPlace]:
        """Return the places that changed, by name."""
        ...

    def changed_levels(
        self, before: Position, after: Position, holder: str
    ) -> Sequence[ChangedLevel]:
        """Return the differences of a holder that the rows of every title do not have."""
        ...

    def changed_agreements(self, before: Position, after: Position) -> Sequence[Agreement]:
        """Return the agreements that hold in only one of the positions."""
        ...

    def item_name(self, key: str) -> str:
        """Return the name of a card or another item."""
        ...
