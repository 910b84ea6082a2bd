"""The data for the templates of Tetrarchia (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import NamedSeat, Picture
from games.tetrarchia.page.choosing import AttackOnArmy, ChosenSpace, OfferedMove
from games.tetrarchia.page.ending import Ending, FamousGame
from games.tetrarchia.page.history import BarbarianPhase, SpentMove
from games.tetrarchia.page.outlook import Outlook
from games.tetrarchia.page.tables import EmperorOnRibbon, Fleets, NamedEmperor, Supply
from games.tetrarchia.page.threats import RegionRows, Threats


@dataclass(frozen=True, slots=True, kw_only=True)
class EmperorsTurn:
    """The current turn: its past moves, the points left, and the possible moves."""

    done: Sequence[SpentMove]
    left: int
    """The Imperium Points left."""
    pips: range
    of: int
    """The Imperium Points of the turn, at least 1."""
    undo: bool
    at: str
    tokens: str
    """The tokens that the Emperor has in reserve."""
    enter: Sequence[OfferedMove]
    gone: bool
    """Whether the Emperor has left the board."""
    here: Sequence[OfferedMove]
    """The possible moves in the Emperor's space."""
    sails: Sequence[OfferedMove]
    goals: Sequence[OfferedMove]
    imperium: range
    """How many tokens the Emperor may give up for points."""
    patres: OfferedMove | None
    patres_text: str
    sharing: bool
    """Whether the Emperor shares ROMA."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TetrarchyBoard:
    """The page of a game. Parts that do not apply now are empty.

    `stage` is the phase; `mine` says whether the reader makes the next move.
    """

    stage: str
    mine: bool
    plays: bool
    form_values: Mapping[str, str]
    """The reader's input, if it was refused."""
    ribbon: Sequence[EmperorOnRibbon]
    emperor: NamedEmperor
    seat: NamedSeat
    """The seat that makes the next move; its key and name are empty if none does."""
    own_names: Sequence[str]
    acts_for: str
    """The seat for which the game master would move."""
    shared: str
    variants: Sequence[str]
    board: Mapping[str, Any]
    """The data for the title's script."""
    map: Picture
    spaces: Sequence[RegionRows]
    supply: Sequence[Supply]
    threats: Threats
    phase: BarbarianPhase | None
    """The last phase of the Barbarians."""
    past: bool = False

    # The turn of an Emperor.
    turn: EmperorsTurn | None
    spot: ChosenSpace | None
    """The chosen space."""
    attack: AttackOnArmy | None
    """The army whose attack is explained."""
    outlook: Outlook

    fleets: Sequence[Fleets] = ()

    # The end of a game.
    ending: Ending | None = None
    hall: Sequence[FamousGame] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTetrarchy:
    """The board after an entry of the log."""

    map: Picture
    spaces: Sequence[RegionRows]
    supply: Sequence[Supply]
    variants: Sequence[str]
    past: bool = True
