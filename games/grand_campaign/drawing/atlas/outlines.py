"""The lines of a map that never change: coasts, provinces, rivers, routes.

A page loads them from a separate file, which contains shapes but no colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from html import escape
from typing import NamedTuple

from games.contract.maps import Outlines
from games.grand_campaign.drawing import parts
from games.grand_campaign.drawing.drawing import Drawing, for_scenario
from games.grand_campaign.drawing.drawing import Name as Label
from games.grand_campaign.rules.scenario import load, shipped

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Still:
    """The unchanging markup of a drawing with a certain prefix of ids."""

    under: str
    waters: str
    routes: str


class Lines(NamedTuple):
    """The lines of a drawing: shapes and rivers by the ends of their ids, and contacts.

    `contacts` has the lines where provinces touch, in the drawing's order.
    """

    shapes: Mapping[str, str]
    rivers: Mapping[str, str]
    contacts: Sequence[str]


OUTLINES = "o"
"""The prefix of the names in a file of outlines."""
THIN, GRID = 2.0, 5
"""The distance of the file's lines from the drawing's, and the width of their grid.

Both are in tenths of the drawing's unit: two pixels at the closest zoom, and less than half a pixel
on the whole map.
"""
SHORE, SHORE_GRID, LEAST_SHORE = 20.0, 10, 6000
"""The distance, grid and smallest island of the line around which waves lie.

The line is wide and soft. Islands smaller than this, in square tenths, have no waves. Waves around
the exact coast took a browser 0.16 of the 0.22 seconds for painting the whole map.
"""
_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")


def _strait(x: float, y: float) -> str:
    return f"M{x - 3:.1f} {y - 3.4:.1f}l6 2.8M{x - 3:.1f} {y + 0.6:.1f}l6 2.8"


@lru_cache(maxsize=64)
def lines_of(drawing: Drawing, *, thin: bool) -> Lines:
    """Return the lines that never change; `thin` lines, for a file, have fewer points."""

    def fewer(lines: Mapping[str, str]) -> dict[str, str]:
        return (
            dict(zip(lines, parts.thinned([*lines.values()], THIN, GRID), strict=True))
            if thin
            else dict(lines)
        )

    provinces = {f"-{escape(key)}": p.d for key, p in drawing.provinces.items()}
    touching = {f"--f{n}": path for n, path in enumerate(drawing.contacts.values())}
    lines = fewer(
        provinces
        | touching
        | {
            "--land": drawing.land,
            "--waste": drawing.wasteland,
            "--lakes": drawing.lakes,
        }
    )
    contacts = [lines.pop(name) for name in touching]
    wide: dict[str, list[str]] = {}
    for river in drawing.rivers:
        wide.setdefault(("0.8", "1.1", "1.5")[river.width - 1], []).append(river.d)
    rivers = fewer({width: "".join(paths) for width, paths in wide.items()})
    coast = (line for line in parts.path_parts(lines["--land"]) if parts.area(line) >= LEAST_SHORE)
    shore = "".join(parts.path(line, closed=True) for line in coast)
    lines |= {
        "--shore": parts.thinned([shore], SHORE, SHORE_GRID)[0],
        "--routes": fewer({"": "".join(drawing.sea_routes.values())})[""],
        "--straits": "".join(_strait(*spots) for spots in drawing.straits.values()),
        "--links": "".join(drawing.links.values()),
    }
    if not thin:
        return Lines(lines, rivers, contacts)
    # The borders again as a single path: it costs 0.3 kB with Brotli and saves a page 89 shapes.
    lines["--borders"] = "".join(lines[name] for name in provinces)
    return Lines(
        {name: _ZERO.sub("", path) for name, path in lines.items()},
        rivers,
        [_ZERO.sub("", path) for path in contacts],
    )


def shapes(drawing: Drawing, prefix: str, lines: Lines) -> str:
    """Return the lines as shapes whose ids begin with the prefix."""
    paths = "".join(
        f'<path id="{prefix}{name}" d="{path}"/>' for name, path in lines.shapes.items() if path
    )
    rivers = "".join(
        f'<path d="{path}" style="stroke-width:{wide}px"/>' for wide, path in lines.rivers.items()
    )
    if "--borders" not in lines.shapes:
        borders = "".join(f'<use href="#{prefix}-{escape(key)}"/>' for key in drawing.provinces)
        paths += f'<g id="{prefix}--borders">{borders}</g>'
    return f'{paths}<g id="{prefix}--rivers">{rivers}</g>'


@lru_cache(maxsize=64)
def outlines(drawing: Drawing) -> Outlines:
    """Return the outlines of a drawing as a file, with a name derived from its lines."""
    lines = shapes(drawing, OUTLINES, lines_of(drawing, thin=True))
    box = f"0 0 {drawing.width} {drawing.height}"
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{lines}</defs></svg>'
    return Outlines(text, sha256(text.encode()).hexdigest()[:20])


@lru_cache(maxsize=1)
def shipped_outlines() -> Mapping[str, str]:
    """Return the outlines of the drawings that come with the title, by name; they are public."""
    known = {}
    for key in shipped():
        text, name = outlines(for_scenario(load(key).raw))
        known[name] = text
    return known


@lru_cache(maxsize=64)
def still_parts(drawing: Drawing, uid: str, ids: str) -> Still:
    """Return the parts of a map that never change.

    `ids` is the address of the outlines before `-` and a name. The groups of a file inherit the
    classes of the page.
    """
    d = drawing
    waves = "".join(
        f'<use href="{ids}--shore" class="m-wave"'
        f' style="stroke-width:{w + 0.9}px;stroke-opacity:{a}"/><use href="{ids}--shore"'
        f' class="m-wave m-wave--in" style="stroke-width:{w - 0.9}px"/>'
        for w, a in ((13, 0.25), (9, 0.34), (5, 0.5))
    )
    # A sheet of another shape has more sea beside it.
    beside = 400 if (d.width, d.height) == (1600, 964) else 1600
    wide, high = d.width + 2 * beside, d.height + 2 * beside + 36
    sea = f'<rect class="m-sea" x="{-beside}" y="{-beside}" width="{wide}" height="{high}"/>'
    waste = (
        f'<use href="{ids}--waste" fill="url(#{uid}--sand)" opacity=".8"/>' if d.wasteland else ""
    )
    lakes = f'<use href="{ids}--lakes" class="m-lake"/>' if d.lakes else ""
    marks = f'<use href="{ids}--straits" class="m-strait"/>' if d.straits else ""
    links = f'<use href="{ids}--links" class="m-link"/>' if d.links else ""
    return Still(
        under=f'{sea}{waves}<use href="{ids}--land" class="m-waste"/>{waste}',
        waters=(
            f'{lakes}<g class="m-rivers"><use href="{ids}--rivers"/></g><g class="m-borders"><use'
            f' href="{ids}--borders"/></g>'
        ),
        routes=f'<g class="m-routes"><use href="{ids}--routes"/></g>{marks}{links}'
        + _names(d.sea_names, "m-seaname")
        + _names(d.land_names, "m-landname"),
    )


def _names(names: Iterable[Label], kind: str) -> str:
    """Return the names of seas or lands."""
    return "".join(
        f'<text class="{kind}{" is-big" if n.name.isupper() else ""}" x="{n.x:g}" y="{n.y:g}"'
        f' style="--f:{n.size:g}" transform="rotate({n.rotate:g} {n.x:g}'
        f' {n.y:g})">{escape(n.name)}</text>'
        for n in names
    )


@lru_cache(maxsize=64)
def bounds(drawing: Drawing) -> Mapping[str, Box]:
    """Return the box of each province."""
    out = {}
    for key, province in drawing.provinces.items():
        points = [point for line in parts.path_parts(province.d) for point in line]
        xs, ys = [x / 10 for x, _ in points], [y / 10 for _, y in points]
        out[key] = min(xs), min(ys), max(xs), max(ys)
    return out
