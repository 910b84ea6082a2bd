"""Films: the log of a title without its own page, replayed on its map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from games.contract.pages import Frame, LoggedMove
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
        """The first three letters of the name."""
        return self.name[:3]


class Films(Protocol):
    """The films of a title's campaigns, in the current language.

    `drawing` is the text of the drawing that belongs to a campaign; empty if it has none.
    """

    def film(self, scenario: Any, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        """Return the frames of these log entries."""
        ...

    def board(self, position: Position, drawing: str) -> Mapping[str, object]:
        """Return the data of the map that the title's script needs, as JSON."""
        ...

    def levels(self, position: Position) -> Sequence[SeatLevels]:
        """Return the levels that the film shows for each seat."""
        ...

    def picture(self, position: Position, drawing: str) -> str:
        """Return the map as an SVG text."""
        ...


@runtime_checkable
class WithFilms(Protocol):
    """A title whose log can be shown on its map, one entry after the other."""

    @property
    def films(self) -> Films:
        """The films of the title's campaigns."""
        ...
