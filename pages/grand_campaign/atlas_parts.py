"""Pieces of the map: what never changes of a drawing (made once), marks, colours of nations."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from games.grand_campaign import outlines
from games.grand_campaign.drawing import Drawing, Name

PATTERNS = {
    "solid": "",
    "diagonal-left": '<path d="M0 0L8 8M-2 6L2 10M6 -2L10 2"/>',
    "zigzag": '<path d="M0 6L2 3L4 6L6 3L8 6"/>',
    "dots": '<circle cx="2" cy="2" r=".6"/><circle cx="6" cy="6" r=".6"/>',
    "crosshatch": '<path d="M0 0L8 8M0 8L8 0"/>',
    "vertical": '<path d="M2 0V8M6 0V8"/>',
    "horizontal": '<path d="M0 2H8M0 6H8"/>',
}
# Six nations have their colours in tokens.css, six more colours stand there for whoever needs them.
HOUSE = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
SPARE = ("7", "8", "9", "10", "11", "12")
LIGHT_TEXT = {"hephtalites", "huns", "romans", "sassanids", "7", "9", "12"}
# For comparison only, never drawn: independent and external land, which no nation may resemble; the two grounds
# names are written on; the two inks.
TAKEN = ((216, 185, 140), (102, 99, 95))
PAPER, NIGHT = (243, 236, 219), (32, 28, 21)
CREAM, DARK = (255, 248, 234), (29, 20, 8)
ALIKE = 48

Rgb = tuple[int, int, int]
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


# colours -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Paint:
    """A nation's colours: CSS custom properties (none if the stylesheet knows the nation), and how names are set on it."""

    style: str
    light_text: bool

    def attributes(self, key: str) -> str:
        style = f' style="{self.style}"' if self.style else ""
        return f'data-nation="{escape(key)}"{style}'


def brief(name: str, most: int = 14) -> str:
    """A nation's name as short as a drawing has room for; beside it stands the whole one in words."""
    return name if len(name) <= most else name[: most - 1].rstrip(" -") + "…"


def paints(drawing: Drawing, nations: Sequence[Mapping[str, Any]]) -> dict[str, Paint]:
    """Colours for the nations of a scenario, in its order.

    The six of the house have their own. Others show the scenario's colour if it is a colour and unlike those before
    it and the land nobody owns; else the next of the spare ones.
    """
    out: dict[str, Paint] = {}
    used: list[Rgb] = list(TAKEN)
    used += [rgb for n in nations if n["key"] in HOUSE and (rgb := _rgb(n.get("colour")))]
    spare = [*SPARE, *(key for key in HOUSE if all(n["key"] != key for n in nations))]
    for nation in nations:
        key, rgb = nation["key"], _rgb(nation.get("colour"))
        if key in HOUSE:
            out[key] = Paint("", key in LIGHT_TEXT)
            continue
        pattern = f"--pat:var(--pat-{drawing.nations[key].pattern})"
        if rgb and all(_apart(rgb, other) >= ALIKE for other in used):
            used.append(rgb)
            on = max(CREAM, DARK, key=lambda ink, fill=rgb: _contrast(ink, fill))  # type: ignore[misc]
            name = f"light-dark({_hex(_readable(rgb, PAPER, DARK))},{_hex(_readable(rgb, NIGHT, CREAM))})"
            out[key] = Paint(f"--fill:{_hex(rgb)};--name:{name};--on:{_hex(on)};{pattern}", on == CREAM)
        else:
            token = spare.pop(0) if spare else SPARE[len(out) % len(SPARE)]
            style = f"--fill:var(--n-{token});--name:var(--n-{token}-ink);--on:var(--n-{token}-on);{pattern}"
            out[key] = Paint(style, token in LIGHT_TEXT)
    return out


def _rgb(colour: object) -> Rgb | None:
    if not isinstance(colour, str) or not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return None
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _apart(a: Rgb, b: Rgb) -> float:
    return math.dist(a, b)


def _luminance(rgb: Rgb) -> float:
    r, g, b = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(a: Rgb, b: Rgb) -> float:
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _readable(rgb: Rgb, ground: Rgb, ink: Rgb) -> Rgb:
    """The colour, mixed with ink until text in it can be read on the ground."""
    for step in range(11):
        mixed = tuple(round(c + (i - c) * step / 10) for c, i in zip(rgb, ink, strict=True))
        if _contrast((mixed[0], mixed[1], mixed[2]), ground) >= 4.7:
            break
    return mixed[0], mixed[1], mixed[2]


# what never changes ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Still:
    """The unchanging strings of a drawing under one prefix of ids."""

    shapes: str
    under: str
    waters: str
    borders: str
    routes: str
    names: str


@lru_cache(maxsize=64)
def still(drawing: Drawing, uid: str) -> Still:
    d = drawing
    shapes = "".join(f'<path id="{uid}-{escape(k)}" d="{p.d}"/>' for k, p in d.provinces.items())
    waves = "".join(
        f'<use href="#{uid}--land" class="m-wave" style="stroke-width:{w + 0.9}px;stroke-opacity:{a}"/>'
        f'<use href="#{uid}--land" class="m-wave m-wave--in" style="stroke-width:{w - 0.9}px"/>'
        for w, a in ((13, 0.25), (9, 0.34), (5, 0.5))
    )
    beside = 400 if (d.width, d.height) == (1600, 964) else 1600  # a sheet of another form has more sea beside it
    wide, high = d.width + 2 * beside, d.height + 2 * beside + 36
    sea = f'<rect class="m-sea" x="{-beside}" y="{-beside}" width="{wide}" height="{high}"/>'
    waste = f'<path d="{d.wasteland}" fill="url(#{uid}--sand)" opacity=".8"/>' if d.wasteland else ""
    rivers = "".join(f'<path d="{r.d}" style="stroke-width:{(0.8, 1.1, 1.5)[r.width - 1]}px"/>' for r in d.rivers)
    lakes = f'<path d="{d.lakes}" class="m-lake"/>' if d.lakes else ""
    marks = "".join(
        f'<path class="m-strait" d="M{x - 3:.1f} {y - 3.4:.1f}l6 2.8M{x - 3:.1f} {y + 0.6:.1f}l6 2.8"/>'
        for x, y in d.straits.values()
    )
    links = "".join(f'<path class="m-link" d="{path}"/>' for path in d.links.values())
    return Still(
        shapes=f'<path id="{uid}--land" d="{d.land}"/>{shapes}',
        under=f'{sea}{waves}<use href="#{uid}--land" class="m-waste"/>{waste}',
        waters=f'{lakes}<g class="m-rivers">{rivers}</g>',
        borders='<g class="m-borders">' + "".join(f'<use href="#{uid}-{escape(k)}"/>' for k in d.provinces) + "</g>",
        routes='<g class="m-routes">' + "".join(f'<path d="{path}"/>' for path in d.sea_routes.values()) + f"</g>{marks}{links}",
        names=_names(d.sea_names, "m-seaname") + _names(d.land_names, "m-landname"),
    )


def _names(names: Iterable[Name], kind: str) -> str:
    return "".join(
        f'<text class="{kind}{" is-big" if n.name.isupper() else ""}" x="{n.x:g}" y="{n.y:g}" style="--f:{n.size:g}" '
        f'transform="rotate({n.rotate:g} {n.x:g} {n.y:g})">{escape(n.name)}</text>'
        for n in names
    )


@lru_cache(maxsize=64)
def bounds(drawing: Drawing) -> Mapping[str, Box]:
    """Left, top, right, bottom of each province."""
    out = {}
    for key, p in drawing.provinces.items():
        points = [point for line in outlines.lines(p.d) for point in line]
        xs, ys = [x / 10 for x, _ in points], [y / 10 for _, y in points]
        out[key] = min(xs), min(ys), max(xs), max(ys)
    return out


def label(key: str, drawing: Drawing, kind: str, attributes: str) -> str:
    """A province's name as it is set."""
    p = drawing.provinces[key]
    x, y = p.label
    if len(p.lines) == 1:
        text = escape(p.lines[0])
    else:
        steps = [-0.51 * (len(p.lines) - 1), *[1.02] * (len(p.lines) - 1)]
        text = "".join(f'<tspan x="{x:g}" dy="{dy:g}em">{escape(t)}</tspan>' for dy, t in zip(steps, p.lines, strict=True))
    style, plain = f"--f:{p.size:g}", attributes
    if ' style="' in attributes:
        plain, own = attributes[:-1].split(' style="')
        style = f"{own};{style}"
    return f'<text class="m-label {kind}" {plain} x="{x:g}" y="{y:g}" style="{style}">{text}</text>'


# marks -------------------------------------------------------------------------------------------------------------
def star(x: float, y: float, r: float) -> str:
    points = []
    for i in range(10):
        a, q = -math.pi / 2 + i * math.pi / 5, r if i % 2 == 0 else r * 0.43
        points.append(f"{x + q * math.cos(a):.1f},{y + q * math.sin(a):.1f}")
    return f'<polygon class="m-star" points="{" ".join(points)}"/>'


def fort(x: float, y: float, scale: float, level: int, word: str) -> str:
    gap = min(3.4, 10.2 / level)
    bars = "".join(f'<path class="m-fort__bar" d="M{gap * (i - (level - 1) / 2):.1f} 0v3.4"/>' for i in range(level))
    return (
        f'<g class="m-fort" data-level="{level}" transform="translate({x:.1f} {y:.1f}) scale({scale:g})">'
        f'<title>{escape(word)}</title><path d="M-6 5V-5h2.6v2h2.1v-2h2.6v2h2.1v-2H6V5z"/>{bars}</g>'
    )


def fleet(x: float, y: float, scale: float, attributes: str) -> str:
    return (
        f'<g class="m-fleet" {attributes} transform="translate({x:.1f} {y:.1f}) scale({scale:g})"><title>Fleet</title>'
        '<path d="M-9 1h18l-3.2 5.4H-6z"/><path d="M0 1V-9"/><path class="m-sail" d="M1-8.5q7 3 6 7.5H1z"/></g>'
    )
