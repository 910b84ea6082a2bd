"""Additions of a title to the game master's desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from games.contract.plain import Position
from games.contract.title import Offer

RuleText = tuple[str, str]
"""A sentence and the paragraph of the rules that it follows from, which may be empty."""


@runtime_checkable
class WithTurnOpening(Protocol):
    """A title whose turns the game master opens."""

    def turn_opening(self, position: Position) -> Sequence[RuleText]:
        """Return what the start or the next turn rolls and opens, in the current language."""
        ...


@runtime_checkable
class WithCorrections(Protocol):
    """A title whose sheets the game master may correct beyond accounts, places and cards."""

    def corrections(self, position: Position, typed: Mapping[str, str]) -> Sequence[Offer]:
        """Return the corrections on offer, with the current values as defaults.

        `typed` is what the user has typed so far.
        """
        ...
