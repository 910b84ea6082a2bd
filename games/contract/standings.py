"""The standings of a campaign while it runs, if a title has its own order and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from games.contract.plain import Position


class StandingNumber(NamedTuple):
    """A number of a seat; `warning` names an imminent threshold in words, or is empty."""

    label: str
    text: str
    warning: str = ""


class StandingLine(NamedTuple):
    """A seat's line of the standings. `note` may be empty."""

    seat: str
    numbers: Sequence[StandingNumber]
    note: str = ""


@runtime_checkable
class WithStandings(Protocol):
    """A title with its own standings; for other titles the accounts of each seat are listed."""

    def standings(self, position: Position) -> Sequence[StandingLine]:
        """Return a line for each seat, the leader first, in the current language."""
        ...
