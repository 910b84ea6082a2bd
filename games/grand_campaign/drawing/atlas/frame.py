"""The map in its frame, with the regions to which a reader can zoom, or a part of the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.language import gettext as _
from engine.language import gettext_noop as noop
from games.grand_campaign.drawing.atlas.state import Scenario, State
from games.grand_campaign.drawing.atlas.svg import map_svg
from games.grand_campaign.drawing.drawing import Drawing

REGIONS = (
    noop("West"),
    noop("Danube"),
    noop("East"),
    noop("Persia"),
    noop("India"),
    noop("North-west"),
    noop("North-east"),
    noop("South-west"),
    noop("South-east"),
)


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the map to which a button zooms; `sheet` is its number in the style sheet."""

    key: str
    name: str
    sheet: int


@dataclass(frozen=True, slots=True)
class FramedMap:
    """The map that `titles/grand_campaign/_map.html` shows as `map`.

    `svg` is already escaped. `style` has the windows of the regions as custom properties. `crop`
    means a part of the map, without regions and key. `laid_out` means that the scenario has no
    drawing, so marks are larger. `fought` means that the map has recently resolved attacks.
    """

    svg: str
    laid_out: bool = False
    regions: Sequence[Region] = ()
    style: str = ""
    crop: bool = False
    fought: bool = False


def framed_map(drawing: Drawing, scenario: Scenario, state: State, **options: Any) -> FramedMap:
    """Return a map in its frame.

    The options are those of `map_svg`; a map with a `window` is a crop.
    """
    svg = map_svg(drawing, scenario, state, **options)
    fought = bool(options.get("fought") and state.get("fought"))
    if options.get("window") is not None:
        return FramedMap(svg, drawing.laid_out, crop=True, fought=fought)
    regions = [
        Region(region.key, _(region.name) if region.name in REGIONS else region.name, number)
        for number, region in enumerate(drawing.regions, start=1)
    ]
    style = "".join(
        f"--z{number}:{region.zoom:g};"
        f"--x{number}:{drawing.width / 2 - region.centre[0]:g}px;"
        f"--y{number}:{drawing.height / 2 - region.centre[1]:g}px;"
        for number, region in enumerate(drawing.regions, start=1)
    )
    return FramedMap(svg, drawing.laid_out, regions, style, fought=fought)
