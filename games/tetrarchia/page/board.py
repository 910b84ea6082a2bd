"""What the templates of Tetrarchia read (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import NamedSeat, Picture

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TetrarchyBoard:
    """The page of a game. What is not part of its moment is empty.

    `stage` is the phase; `mine` says whether the reader makes the next move.
    """

    stage: str
    mine: bool
    plays: bool
    typed: Mapping[str, str]
    """What the reader typed, if it was refused."""
    ribbon: Sequence[Row]
    emperor: Row
    seat: NamedSeat
    """The seat that makes the next move; its key and name are empty if none does."""
    own_names: Sequence[str]
    acts_for: str
    """The seat for which the game master would move."""
    shared: str
    variants: Sequence[str]
    board: Mapping[str, Any]
    """What the title's script reads."""
    map: Picture
    spaces: Sequence[Row]
    supply: Sequence[Row]
    threats: Row
    phase: Row | None
    """The last phase of the Barbarians."""
    past: bool = False

    # The turn of an Emperor.
    turn: Row
    spot: Row | None
    """The chosen space."""
    attack: Row | None
    """The army whose attack is explained."""

    fleets: Sequence[Row] = ()

    # The end of a game.
    ending: Row | None = None
    hall: Sequence[Row] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTetrarchy:
    """The board after an entry of the log."""

    map: Picture
    spaces: Sequence[Row]
    supply: Sequence[Row]
    variants: Sequence[str]
    past: bool = True
