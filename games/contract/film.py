"""The log of a title without a page of its own as a film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from games.contract.pages import Frame, Told
from games.contract.plain import Position


@dataclass(frozen=True, slots=True)
class FilmLevel:
    """A level that a film counts."""

    key: str
    label: str
    n: int


@dataclass(frozen=True, slots=True)
class SeatLevels:
    """A seat with the levels that a film counts beside its name."""

    seat: str
    name: str
    levels: Sequence[FilmLevel]

    @property
    def short_name(self) -> str:
        return self.name[:3]


class Films(Protocol):
    """The films of a title's campaigns, in the current language.

    `drawing` is the text of the drawing that a campaign brings; empty if it brings none.
    """

    def film(self, scenario: Any, log: Sequence[Told]) -> Sequence[Frame]:
        """Return the frames of these entries."""
        ...

    def board(self, position: Position, drawing: str) -> Mapping[str, object]:
        """Return what the title's script must know of the map, as JSON."""
        ...

    def levels(self, position: Position) -> Sequence[SeatLevels]:
        """Return the levels that the film counts, for every seat."""
        ...

    def picture(self, position: Position, drawing: str) -> str:
        """Return the map as an SVG text."""
        ...


@runtime_checkable
class Filmed(Protocol):
    """A title whose log can be shown on its map, one entry after the other."""

    @property
    def films(self) -> Films: ...
