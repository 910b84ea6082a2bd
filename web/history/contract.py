"""The interface of a title to the pages of earlier positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from games.contract.history import ChangedPlace
from web.frame.table import TableContext


class TitleMap(Protocol):
    """A map; the title's template shows the rest of it."""

    @property
    def svg(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TitleParts:
    """The title's parts of the history: its map, and templates that read `page.moment.own`."""

    facts: object
    """The object that the title's templates show."""
    map: TitleMap
    map_template: str
    rail_template: str
    places_template: str
    scripts: tuple[str, ...]


class TitleHistory(Protocol):
    """The part `history` of a title."""

    def parts(
        self,
        past_table: TableContext,
        before: TableContext | None,
        changed: Sequence[ChangedPlace],
        *,
        moving: bool,
    ) -> TitleParts:
        """Return the title's parts; `moving` for a page that already has the rest of the map."""
        ...
