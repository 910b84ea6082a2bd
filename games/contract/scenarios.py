"""Scenarios that users write, and drafts of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from engine.errors import MalformedRecord
from games.contract.plain import Bundle, RawScenario

Run = Callable[..., Any]
"""A function that calls its first argument with the others, within limits of time and memory."""


@runtime_checkable
class OwnScenarios(Protocol):
    """A title whose campaigns can be played on scenarios that users write."""

    def own_scenario_faults(self, scenario: RawScenario) -> list[MalformedRecord]:
        """Return why a scenario that the title can read cannot be played here."""
        ...

    def takes_long(self, scenario: RawScenario) -> bool:
        """Return whether the layout of its map takes longer than a request may."""
        ...

    def shipped_drawing(self, scenario: RawScenario) -> str:
        """Return the text of the drawing that comes with a scenario; empty if there is none."""
        ...


class ShapesSheet(Protocol):
    """The shapes of a file as the page shows them, before a draft begins from them."""

    @property
    def text(self) -> str:
        """The shapes in the canonical form; empty if the file could not be read."""
        ...

    @property
    def faults(self) -> Sequence[str]:
        """The faults of the file in words."""
        ...

    def as_json(self) -> Mapping[str, object]:
        """Return the sheet as JSON, to be stored until the page shows it."""
        ...


class Beginnings(Protocol):
    """The ways in which drafts of a title's scenarios begin."""

    def from_map(self, name: str) -> Bundle:
        """Return the shipped map without owners."""
        ...

    def from_rows(self, rows: str, given: str, name: str) -> Bundle:
        """Return a draft whose provinces are made from a sheet of hexagons.

        Args:
            rows: The sheet: a sign for each hexagon.
            given: A line for each sign that has a name: the sign, then the name.
            name: The name of the scenario.

        Raises:
            MalformedRecord: The sheet cannot be read.
        """
        ...

    def from_file(self, data: bytes, names: Sequence[str], name: str, run: Run) -> Bundle:
        """Return a draft whose provinces are the shapes of a file, with the given names.

        Raises:
            MalformedRecord: The file cannot be read.
        """
        ...

    def look(self, data: bytes, names: Sequence[str] | None, run: Run) -> ShapesSheet:
        """Return the shapes of a file as the page shows them, with their typed names."""
        ...

    def from_json(
        self, kept: Mapping[str, object], names: Sequence[str] | None = None
    ) -> ShapesSheet:
        """Return a stored sheet, with the names that the user has typed since then, if any."""
        ...

    def sentence(self, fault: MalformedRecord) -> str:
        """Return a fault of a file in words."""
        ...


@runtime_checkable
class WithBeginnings(Protocol):
    """A title whose users can begin scenarios from its map, from shapes or from hexagons."""

    @property
    def beginnings(self) -> Beginnings:
        """The ways in which drafts begin."""
        ...
