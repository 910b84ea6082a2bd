"""A table's page of a title's own: the title says in plain data what is on it, the pages render it.

A title that is played on one page gives a `Pages` (`games.registry.PAGES`). Nothing here knows markup beyond the SVG a
title draws itself; the title's templates lie in `templates/titles/<key>/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.effects import Effect, Roll


class Told(NamedTuple):
    """A standing move of the log as its reader may know it: number, record form, seat, effects, rolls, turn."""

    number: int
    move: Mapping[str, Any]
    seat: str
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    turn: int


class Reader(NamedTuple):
    """Who looks: the seats he may speak for, what the address asks (`?told=…`), and what he typed, if refused.

    `plays` is whether he may move now: he holds a seat and the campaign runs.
    """

    seats: tuple[str, ...]
    asked: Mapping[str, str]
    plays: bool
    typed: Mapping[str, str] = {}
    name: str = ""


class Page(NamedTuple):
    """What to show: the template below `templates/titles/<key>/`, its context, and the page's title."""

    template: str
    context: Mapping[str, Any]
    title: str = ""


class Fame(NamedTuple):
    """A finished campaign of the title in the hall of fame: who played, its result, its address, when it ended."""

    player: str
    points: int
    facts: Mapping[str, Any]
    url: str
    ended: str


class Pages(Protocol):
    """What a title played on one page gives to the pages."""

    styles: Sequence[str]
    """Stylesheets in `static/`, after the product's own."""

    def page(self, position: Any, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]) -> Page:
        """The page of the table as it stands."""
        ...

    def asked(self, position: Any, form: Mapping[str, str]) -> Mapping[str, Any]:
        """The move a form of the title's templates makes, in record form. Raises `IllegalMove` for a bad shape."""
        ...

    def onward(self, position: Any) -> Mapping[str, Any] | None:
        """The move "run on" makes now; None where somebody must decide."""
        ...

    def deputy(self, position: Any) -> Mapping[str, Any] | None:
        """The move of a sensible player by program, for "play on for me"; None where the campaign is over."""
        ...
