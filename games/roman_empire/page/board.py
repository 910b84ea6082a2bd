"""The data for the templates of the Roman Empire (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Fame, Picture
from games.roman_empire.page.deciding import Acting, Dealing, Decision
from games.roman_empire.page.ending import PhaseEnd
from games.roman_empire.page.history import GameEnd, LogPhase
from games.roman_empire.page.listing import PlacementList
from games.roman_empire.page.placing import Way
from games.roman_empire.page.preparing import Card, MoveGroup
from games.roman_empire.page.reader import SeatOfFaction
from games.roman_empire.page.tables import (
    AreaLands,
    AreaRow,
    Chart,
    ChosenLand,
    Scores,
    SeatCounters,
    SeatOnLine,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The cards of a seat."""

    key: str
    seat_name: str
    cards: Sequence[Card]
    left: str
    """How many cards it may still play."""
    ready: bool
    """Whether it can play one now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfSeat:
    """The possible moves of the seat that moves. Parts that do not apply now are empty."""

    act: Acting | None
    ways: Sequence[Way]
    here: Sequence[Way]
    """The ways into the chosen land."""
    before: Sequence[MoveGroup]
    """The moves that are possible before an army is placed."""
    spot: ChosenLand | None
    """The chosen land."""
    decision: Decision | None
    ending: PhaseEnd | None
    """The points that the seat would score if its turn ended now."""
    listing: PlacementList | None
    """The list of planned moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpireBoard:
    """The page of a game. Parts that do not apply now are empty.

    `stage` is that of `reader.stage_of`; `mine` says whether the reader makes the next move.
    """

    stage: str
    mine: bool
    plays: bool
    form_values: Mapping[str, str]
    """The reader's input, if it was refused."""
    period: str
    going: str | None
    """The move that is made automatically."""
    dealing: Dealing | None
    hands: Sequence[Hand]
    scores: Scores
    counters: Sequence[SeatCounters]
    own_counters: Sequence[SeatCounters]
    areas: Sequence[AreaRow]
    chart: Chart
    lands: Sequence[AreaLands]
    last_phases: Sequence[LogPhase]
    variants: Sequence[str]
    line: Sequence[SeatOnLine]
    own_names: Sequence[str]
    board_data: Mapping[str, Any]
    """The data for the title's script."""
    past: bool = False

    # The map, and the possible moves of the seat that moves.
    map: Picture
    seat: SeatOfFaction | None
    deputed: bool
    """Whether the reader may let a program choose for this seat."""
    acts_for: str
    """The seat for which the game master would move."""
    turn: TurnOfSeat

    # The end of a game.
    end: GameEnd | None = None
    hall: Sequence[Fame] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEmpire:
    """The public part of the board after an entry of the log."""

    map: Picture
    period: str
    scores: Scores
    areas: Sequence[AreaRow]
    lands: Sequence[AreaLands]
    variants: Sequence[str] = ()
    past: bool = True
