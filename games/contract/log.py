"""The kinds of a title's moves, and the shares of a result, for the page of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

BATTLES, CARDS, BUILDING, CORRECTIONS = "battles", "cards", "building", "corrections"
MOVE_KINDS = (BATTLES, CARDS, BUILDING, CORRECTIONS)
"""The kinds of moves by which readers filter the log: attacks and battles, cards and events,
building, corrections.
"""


@runtime_checkable
class WithMoveKinds(Protocol):
    """A title that sorts its moves into kinds. Without it, the log has no filter for these kinds.

    What is hidden must not depend on the kind of a public move.
    """

    @property
    def move_kinds(self) -> Mapping[str, frozenset[str]]:
        """The names of the moves of each kind in `MOVE_KINDS`. A move may be of several kinds."""
        ...


class LoggedShare(NamedTuple):
    """A share of a result, such as "48%" with the label "attacker routed"."""

    share: str
    label: str


@runtime_checkable
class WithLoggedShares(Protocol):
    """A title whose results have shares, which the log shows in the column of figures."""

    def logged_shares(self, move: Mapping[str, Any]) -> Sequence[LoggedShare]:
        """Return the shares that a move enters; empty for other moves."""
        ...
