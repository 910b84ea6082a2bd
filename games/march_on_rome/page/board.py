"""The data for the templates of March on Rome (`games.contract.pages.Page`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Picture
from games.kit.report import TurnText
from games.march_on_rome.drawing.map import LegendEntry
from games.march_on_rome.page.moments import Moment
from games.march_on_rome.page.scene import Holder
from games.march_on_rome.text.phrases import PhrasePart


@dataclass(frozen=True, slots=True, kw_only=True)
class MarchBoard:
    """The page of a reign.

    `stage` is `setup`, `choose`, `devote`, `answer`, `year` or `over`.
    """

    stage: str
    plays: bool
    form_values: Mapping[str, str]
    """The reader's input, if it was refused."""
    general: PhrasePart
    lands: int
    """The provinces of the player."""
    won_with: int
    """How many provinces the player needs to win."""
    chronicle: Sequence[TurnText]
    board: Mapping[str, Any]
    """The data for the title's script."""
    map: Picture
    legend: Sequence[LegendEntry]
    holders: Sequence[Holder]
    moment: Moment
    own_names: Sequence[str] = ()
    variants: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMarch:
    """The map and the holders after an entry of the log."""

    map: Picture
    legend: Sequence[LegendEntry]
    holders: Sequence[Holder]
    won_with: int
