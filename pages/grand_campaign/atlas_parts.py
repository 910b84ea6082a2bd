"""Pieces of the map: what never changes of a drawing (made once), arrows, marks, colours of nations."""

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
    """The unchanging strings of a drawing under one prefix of ids, and the boxes of its names."""

    shapes: str
    under: str
    waters: str
    borders: str
    routes: str
    names: str
    boxes: tuple[Box, ...]


@lru_cache(maxsize=64)
def still(drawing: Drawing, uid: str) -> Still:
    d = drawing
    shapes = "".join(f'<path id="{uid}-{escape(k)}" d="{p.d}"/>' for k, p in d.provinces.items())
    waves = "".join(
        f'<use href="#{uid}--land" class="m-wave" style="stroke-width:{w + 0.9}px;stroke-opacity:{a}"/>'
        f'<use href="#{uid}--land" class="m-wave m-wave--in" style="stroke-width:{w - 0.9}px"/>'
        for w, a in ((13, 0.25), (9, 0.34), (5, 0.5))
    )
    sea = f'<rect class="m-sea" x="-400" y="-400" width="{d.width + 800}" height="{d.height + 836}"/>'
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
        boxes=tuple(_box(p.label, p.lines, p.size) for p in d.provinces.values()),
    )


def _names(names: Iterable[Name], kind: str) -> str:
    return "".join(
        f'<text class="{kind}{" is-big" if n.name.isupper() else ""}" x="{n.x:g}" y="{n.y:g}" style="--f:{n.size:g}" '
        f'transform="rotate({n.rotate:g} {n.x:g} {n.y:g})">{escape(n.name)}</text>'
        for n in names
    )


def _box(label: Spot, lines: Sequence[str], size: float) -> Box:
    w, h = max(map(len, lines)) * size * 0.26 + 6, len(lines) * size * 0.5 + 5
    return label[0] - w, label[1] - h, label[0] + w, label[1] + h


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


# arrows ------------------------------------------------------------------------------------------------------------
def arrow(attack: Mapping[str, Any], drawing: Drawing, boxes: Sequence[Box], tokens: list[Spot], attributes: str) -> str:
    """One attack, from seat to seat, in the attacker's colour, out of the battle's number.

    Start and bend are those of a few that cover the fewest names. `tokens` are the numbers set so far; this one is
    added. Without a starting point (an insurrection) the arrow comes from just outside the province's seat.
    """
    goal = drawing.provinces[attack["target"]].seat.at
    source = attack.get("from")
    start = drawing.provinces[source].seat.at if source else (goal[0] + 30.0, goal[1] - 34.0)
    d = math.dist(start, goal) or 1.0
    ux, uy = (goal[0] - start[0]) / d, (goal[1] - start[1]) / d
    # Short ways start farther back, long ones beside the seat, which may be a capital's star.
    least = max(26 if drawing.laid_out else 14, int(62 - d)) if source else 0
    places = [
        (start[0] - ux * back - uy * side, start[1] - uy * back + ux * side)
        for back in (range(least, least + 25, 8) if source else (0,))
        for side in (0, 12, -12, 22, -22)
    ]
    z = (goal[0] - ux * 5, goal[1] - uy * 5)
    reach = d * 0.5 + 70
    middle = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    # The number must not seem to belong to another province's seat, nor hide its own.
    seats = [p.seat.at for p in drawing.provinces.values() if math.dist(p.seat.at, start) < 90]
    near = [b for b in boxes if b[0] - reach < middle[0] < b[2] + reach and b[1] - reach < middle[1] < b[3] + reach]

    def turned(a: Spot, bend: float) -> Spot:
        long = math.dist(a, z)
        return (a[0] + z[0]) / 2 - uy * long * bend, (a[1] + z[1]) / 2 + ux * long * bend

    def cover(choice: tuple[Spot, float]) -> int:
        a, bend = choice
        curve = [_on_curve(a, turned(a, bend), z, k / 8) for k in range(1, 8)]
        token = 3 * any(_within(b, a, 4) for b in near) + 9 * any(math.dist(a, t) < 21 for t in tokens)
        token += 4 * any(math.dist(a, seat) < 13.5 for seat in seats)
        return token + sum(_within(b, p) for b in near for p in curve)

    # Of equals the first: least out of the way, bent as the design bends.
    a, bend = min(((a, bend) for a in places for bend in (0.2, -0.2, 0.32, -0.32)), key=cover)
    tokens.append(a)
    m = turned(a, bend)
    t = math.atan2(z[1] - m[1], z[0] - m[0])
    n = (z[0] - 9 * math.cos(t), z[1] - 9 * math.sin(t))
    head = " ".join(
        f"{z[0] + r * math.cos(t + o):.1f},{z[1] + r * math.sin(t + o):.1f}"
        for r, o in ((1, 0), (15, math.pi - 0.46), (10, math.pi), (15, math.pi + 0.46))
    )
    path = f"M{a[0]:.1f} {a[1]:.1f}Q{m[0]:.1f} {m[1]:.1f} {n[0]:.1f} {n[1]:.1f}"
    number = escape(str(attack["number"]))
    return (
        f'<g class="arrow" {attributes} data-kind="{escape(attack["kind"])}" data-status="{escape(attack["status"])}">'
        f'<path class="arrow__halo" d="{path}"/><polygon class="arrow__halo" points="{head}"/>'
        f'<path class="arrow__shaft" d="{path}"/><polygon class="arrow__head" points="{head}"/>'
        f'<g class="arrow__no"><circle cx="{a[0]:.1f}" cy="{a[1]:.1f}" r="9.5"/>'
        f'<text x="{a[0]:.1f}" y="{a[1]:.1f}">{number}</text></g></g>'
    )


def _within(box: Box, at: Spot, about: float = 0) -> bool:
    return box[0] - about < at[0] < box[2] + about and box[1] - about < at[1] < box[3] + about


def _on_curve(a: Spot, m: Spot, z: Spot, t: float) -> Spot:
    s = 1 - t
    return s * s * a[0] + 2 * s * t * m[0] + t * t * z[0], s * s * a[1] + 2 * s * t * m[1] + t * t * z[1]
