"""What the templates of the Roman Empire read (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Picture

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpireBoard:
    """The page of a game. What is not part of its moment is empty.

    `stage` is that of `reader.stage_of`; `mine` says whether the reader makes the next
    move.
    """

    stage: str
    mine: bool
    plays: bool
    typed: Mapping[str, str]
    """What the reader typed, if it was refused."""
    period: str
    going: str | None
    """The move that is made automatically."""
    dealing: Row | None
    hands: Sequence[Row]
    scores: Row
    counters: Sequence[Row]
    own_counters: Sequence[Row]
    areas: Sequence[Row]
    chart: Row
    lands: Sequence[Row]
    told: Sequence[Row]
    variants: Sequence[str]
    line: Sequence[Row]
    own_names: Sequence[str]
    board_data: Mapping[str, Any]
    """What the title's script reads."""
    past: bool = False

    # The map, and what the seat that moves may do.
    map: Picture
    seat: Row | None
    deputed: bool
    """Whether the reader may let a program choose for this seat."""
    acts_for: str
    """The seat for which the game master would move."""
    act: Row | None
    ways: Sequence[Row]
    here: Sequence[Row]
    """The ways into the chosen land."""
    before: Sequence[Row]
    """What may be done before an army is placed."""
    spot: Row | None
    """The chosen land."""
    decision: Row | None
    ending: Row | None
    """What the seat would score if its turn ended now."""
    listing: Row | None
    """The list of planned moves."""

    # The end of a game.
    end: Row | None = None
    hall: Sequence[Row] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEmpire:
    """What everyone may know of the board after an entry of the log."""

    map: Picture
    period: str
    scores: Row
    areas: Sequence[Row]
    lands: Sequence[Row]
    variants: Sequence[str] = ()
    past: bool = True
