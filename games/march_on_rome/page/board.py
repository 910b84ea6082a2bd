"""What the templates of March on Rome read (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Picture
from games.kit.report import TurnText
from games.march_on_rome.text.telling import Fight, Step

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarchBoard:
    """The page of a reign. What is not part of its moment is empty.

    `stage` is the moment: `setup`, `choose`, `devote`, `answer`, `year` or `over`.
    """

    stage: str
    year: int
    plays: bool
    typed: Mapping[str, str]
    """What the reader typed, if it was refused."""
    general: Row
    lands: int
    """The provinces of the player."""
    won_with: int
    """How many provinces win."""
    chronicle: Sequence[TurnText]
    board: Mapping[str, Any]
    """What the title's script reads."""
    map: Picture
    legend: Sequence[Row]
    holders: Sequence[Row]
    ribbon: Sequence[Row]
    own_names: Sequence[str] = ()
    variants: Sequence[str] = ()

    # What happened, step by step.
    told: Sequence[Row] = ()
    told_year: int = 0
    dice: int = 0
    """How many dice were thrown in what is told."""

    # The action of a year.
    targets: Sequence[Row] = ()
    chosen: str | None = None

    # A battle, or an offer, that waits for the player.
    asked: Row | None = None
    sides: Sequence[Row] = ()
    source: str = ""

    # A year up to a step.
    step: Step | None = None
    segment: int = 0
    next_url: str = ""
    goes_on: bool = False
    told_all: bool = False
    ahead: Sequence[str] = ()
    """The phases that follow."""
    where: Fight | None = None
    """The battle that goes on."""
    left: tuple[int, int] | None = None

    # The end of a reign.
    ending: Row | None = None
    hall: Sequence[Row] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMarch:
    """The map and the holders after an entry of the log."""

    map: Picture
    legend: Sequence[Row]
    holders: Sequence[Row]
    won_with: int
