"""The standings of a campaign while it runs, if a title has its own order and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from games.contract.plain import Position


class StandingNumber(NamedTuple):
    """A number of a seat; `warning` says in words what is near, or is empty."""

    label: str
    text: str
    warning: str = ""


class StandingLine(NamedTuple):
    """A seat's line of the standings. `note` may be empty."""

    seat: str
    numbers: Sequence[StandingNumber]
    note: str = ""


@runtime_checkable
class Ranked(Protocol):
    """A title with standings of its own; others list the accounts of each seat."""

    def standings(self, position: Position) -> Sequence[StandingLine]:
        """Return the seats, the first first, in the current language."""
        ...
