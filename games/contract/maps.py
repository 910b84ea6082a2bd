"""Maps of a title: its outlines as a file, a picture to post, the map of the front page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from games.contract.plain import Position


class Outlines(NamedTuple):
    """The lines of a map that never change, as an SVG text, and a name derived from them."""

    svg: str
    name: str


OutlinesUrl = Callable[[str], str]
"""A function that returns the address of outlines by their name; empty if there is none."""
Palette = Mapping[str, str]
"""The colours of the site's light theme, `#rrggbb`, by the names in its stylesheet."""


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A map with its legend as an SVG text with literal colours, its size, and its caption.

    `literal` are the colours that must be kept when the number of colours is reduced.
    """

    svg: str
    width: int
    height: int
    literal: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class FrontMap:
    """A map as an SVG text, and the attacks shown on it in words, which may be empty."""

    svg: str
    caption: str


class Maps(Protocol):
    """The maps of a title's campaigns.

    `drawing` is the text of the drawing that belongs to a campaign; empty if it has none, and the
    title draws its own. Positions are shown as everyone may see them, in the current language.
    """

    def outlines(self, scenario: Any, drawing: str) -> Outlines:
        """Return the outlines of a map."""
        ...

    def shipped_outlines(self) -> Mapping[str, str]:
        """Return the outlines of the drawings that come with the title, by name."""
        ...

    def picture(
        self, position: Position, drawing: str, *, name: str, number: int, palette: Palette
    ) -> MapPicture:
        """Return the map after the entry `number` of the campaign `name`."""
        ...

    def picture_caption(self, position: Position, *, name: str) -> str:
        """Return the caption of `picture` for reports, without the number of the entry."""
        ...

    def front(
        self, position: Position, drawing: str, outlines_url: OutlinesUrl, uid: str = "front"
    ) -> FrontMap | None:
        """Return the map of a campaign; None if its map has no drawing.

        `uid` begins the ids in the SVG: two maps on a page have different ones.
        """
        ...

    def opening(self, outlines_url: OutlinesUrl) -> FrontMap:
        """Return the map at the beginning of a campaign."""
        ...

    def seat_styles(self, scenario: Any, drawing: str) -> Mapping[str, str]:
        """Return the colours of each seat as custom properties of CSS.

        They are empty if the site's stylesheet has them.
        """
        ...

    def patterns(self, scenario: Any, drawing: str) -> Mapping[str, str]:
        """Return the pattern of each seat, as the content of an SVG pattern of 8 by 8.

        It is empty for a plain colour.
        """
        ...


@runtime_checkable
class WithMaps(Protocol):
    """A title that draws maps of its campaigns."""

    @property
    def maps(self) -> Maps:
        """The maps of the title's campaigns."""
        ...
