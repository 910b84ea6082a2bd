"""The board as inline SVG, drawn from `drawing.json` and coloured by classes and tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from html import escape
from math import cos, dist, pi, sin
from typing import NamedTuple

from games.tetrarchia.rules.position import (
    EMPERORS,
    PRINTED,
    REGION_NUMERALS,
    REVOLT,
    SPACES,
    UNREST,
    ZONES,
    Position,
    data,
)
from games.tetrarchia.text.words import emperor as emperor_name

Point = tuple[float, float]
WIDTH, HEIGHT = 1600, 1150
NUMERAL_AT: Mapping[str, Point] = {
    "hispania": (217, 563),
    "gallia": (454, 356),
    "illyricum": (1033, 413),
    "graecia": (875, 719),
    "asia_minor": (1216, 761),
    "africa_region": (681, 813),
    "italia": (576, 526),
}
"""The place of a region's numeral: among its circles, clear of links and names."""
ALTERNATE = frozenset({"gallia", "graecia", "africa_region"})


class BoardTexts(NamedTuple):
    """The words on the board: its title, and the description of a space by its key."""

    title: str
    space: Callable[[str], str]


class Leg(NamedTuple):
    """A step from space to space, past or planned, with its cost; it may be an attack."""

    source: str
    target: str
    cost: int
    attack: bool = False


def draw(
    position: Position,
    texts: BoardTexts,
    *,
    lit: Collection[str] = (),
    selected: str | None = None,
    legs: Sequence[Leg] = (),
    links: Callable[[str], str] | None = None,
    bold: Collection[str] = (),
) -> str:
    """Return the board of a position.

    `lit` are the spaces that can be chosen, `links(space)` returns the address of a space, `bold`
    are the names in bold. Everything that differs between positions is in one group and in the
    labels of the addresses, because `static/js/live.js` redraws nothing else.
    """
    role = "group" if links else "img"
    opening = (
        f'<svg class="map__svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}"'
        ' aria-labelledby="b-title" preserveAspectRatio="xMidYMid slice"><title'
        f' id="b-title">{escape(texts.title)}</title>'
    )
    parts = [
        opening,
        _ground(),
        '<g data-now="pieces">',
        *(_leg(leg) for leg in legs),
        *(_space(position, key, selected == key, key in lit) for key in SPACES),
        *(_fleet(zone) for zone in position.fleets),
        *(_name(key, key in bold or key == selected) for key in SPACES),
        *(_price(leg) for leg in legs if leg.cost),
        "</g>",
    ]
    if links is not None:
        parts.append('<g class="m-hits">')
        for key in SPACES:
            x, y, r = _circle(key)
            text = escape(texts.space(key))
            parts.append(
                f'<a href="{escape(links(key))}" aria-label="{text}"><circle cx="{x}" cy="{y}"'
                f' r="{r + 4}"/><title>{text}</title></a>'
            )
        parts.append("</g>")
    return "".join([*parts, "</g></svg>"])


def _circle(key: str) -> tuple[float, float, float]:
    x, y, r = data("drawing")["spaces"][key]["circle"]
    return x, y, r


@cache
def _ground() -> str:
    """Return the parts that never change: land, regions, seas and links."""
    drawing = data("drawing")
    waves = "".join(
        '<use href="#b-land" class="m-wave"'
        f' style="stroke-width:{width + 1}px;stroke-opacity:{strong}"/><use href="#b-land"'
        f' class="m-wave m-wave--in" style="stroke-width:{width - 1}px"/>'
        for width, strong in ((16, 0.25), (11, 0.34), (6, 0.5))
    )
    regions = "".join(
        f'<path class="b-region{_tint(key)}" d="{region["d"]}"/>'
        for key, region in drawing["regions"].items()
    )
    borders = "".join(f'<path class="m-routes" d="{d}"/>' for d in drawing["sea_borders"].values())
    names = "".join(
        f'<text class="{css} is-big" x="{label["x"]}" y="{label["y"]}" style="--f:{label["size"]}"'
        f' transform="rotate({label["rotate"]} {label["x"]} {label["y"]})">'
        f"{escape(label['name'])}</text>"
        for css, kind in (("m-seaname", "sea"), ("m-landname", "land_labels"))
        for label in drawing[kind]
    )
    links = "".join(
        f'<path class="b-link{" is-broken" if link["broken"] else ""}" d="{link["d"]}"/>'
        for link in drawing["links"].values()
    )
    numerals = "".join(
        f'<g class="b-num" data-region="{key}"><circle cx="{x}" cy="{y}" r="27"/>'
        f'<text x="{x}" y="{y + 1}">{REGION_NUMERALS[key] or "IT"}</text></g>'
        for key, (x, y) in NUMERAL_AT.items()
    )
    return (
        f'<defs><path id="b-land" d="{drawing["land"]}"/><pattern id="b-sand" width="11" height="9"'
        ' patternUnits="userSpaceOnUse"><circle class="sand" cx="2" cy="2" r=".6"/><circle'
        ' class="sand" cx="7.5" cy="6" r=".5"/></pattern></defs><g class="map__world"><rect'
        f' class="m-sea" x="-100" y="-100" width="{WIDTH + 200}"'
        f' height="{HEIGHT + 250}"/>{waves}<use href="#b-land" class="m-waste"/><path'
        f' d="{drawing["wasteland"]}" fill="url(#b-sand)" opacity=".8"/>{regions}<use'
        f' href="#b-land" class="m-coast"/>{borders}{names}{numerals}{links}'
    )


def _tint(region: str) -> str:
    return " is-alt" if region in ALTERNATE else " is-italia" if region == "italia" else ""


def _space(position: Position, key: str, chosen: bool, lit: bool) -> str:
    """Draw the circle of a space with its contents; figures and armies leave room for a token."""
    (x, y, r), drawn = _circle(key), data("drawing")["spaces"][key]
    token, standing, army = (
        position.tokens.get(key),
        position.standing(key),
        key in position.barbarians,
    )
    capital = drawn["capital"]
    css = (
        " is-outside"
        if drawn["outside"]
        else " is-roma"
        if drawn["joker"]
        else " is-capital"
        if capital
        else ""
    )
    css += " is-planned" if chosen else " is-lit" if lit else ""
    owner = f' data-nation="{capital}"' if capital else ""
    parts = [f'<circle class="b-circle{css}"{owner} cx="{x}" cy="{y}" r="{r}"/>', _number(key)]
    if key in PRINTED and token is None:
        parts.append(
            f'<polygon class="b-print"{owner} points="{_star(x, y, 15 if not standing else 12)}"/>'
        )
    crowded = bool(standing) or army
    if token is not None:
        parts.append(_token(token, (x + 13, y + 12) if crowded else (x, y)))
    step = 15 if len(standing) > 1 else 0
    left, up = (9, 6) if token is not None else (0, 0)
    for place, emperor in enumerate(standing):
        at = x - left + (step if place else -step), y - up
        parts.append(
            f'<g class="b-figure" data-nation="{emperor}"><circle cx="{at[0]:g}" cy="{at[1]:g}"'
            f' r="22"/><text x="{at[0]:g}" y="{at[1] + 1:g}">{EMPERORS[emperor].name[0]}</text></g>'
        )
    if army:
        ax, ay = x - left, y - up
        parts.append(
            f'<g class="b-army"><path d="M{ax:g} {ay - 24:g}L{ax + 20:g} {ay:g}L{ax:g}'
            f' {ay + 24:g}L{ax - 20:g} {ay:g}z"/></g>'
        )
    return "".join(parts)


@cache
def _number(key: str) -> str:
    """Draw a province's number in its region, which the second die of the threat shows."""
    if SPACES[key].outside:
        return ""
    x, y, _r = data("drawing")["spaces"][key]["number"]
    return (
        f'<g class="b-no"><circle cx="{x}" cy="{y}" r="10"/><text x="{x}"'
        f' y="{y + 0.5:g}">{SPACES[key].n}</text></g>'
    )


def _token(token: str, at: Point) -> str:
    x, y = at
    if token == REVOLT:
        return (
            f'<path class="b-revolt" d="M{x - 13:g} {y + 11:g}L{x:g} {y - 14:g}L{x + 13:g}'
            f' {y + 11:g}z"/>'
        )
    if token == UNREST:
        return (
            f'<path class="b-unrest" d="M{x - 12:g} {y + 10:g}L{x:g} {y - 13:g}L{x + 12:g}'
            f' {y + 10:g}z"/>'
        )
    return (
        f'<rect class="b-token" data-nation="{token}" x="{x - 12:g}" y="{y - 12:g}" width="24"'
        ' height="24" rx="3"/>'
    )


def _fleet(zone: str) -> str:
    x, y, _ = data("drawing")["sea_zones"][zone]["fleet"]
    return (
        f'<path class="b-fleet" d="M{x - 26:g} {y + 4:g}h52l-9 16h-34zM{x:g}'
        f" {y + 4:g}v-28M{x + 2:g} {y - 22:g}q20 8 17"
        f' 22h-17z"><title>{escape(ZONES[zone])}</title></path>'
    )


@cache
def _name(key: str, bold: bool) -> str:
    drawn = data("drawing")["spaces"][key]
    (x, y), lines = drawn["label"], drawn["lines"]
    text = "".join(
        f'<tspan x="{x}"'
        f' dy="{-0.5 * (len(lines) - 1) if place == 0 else 1:g}em">{escape(line)}</tspan>'
        for place, line in enumerate(lines)
    )
    return (
        f'<text class="b-name{" is-key" if bold else ""}" data-name="{key}" x="{x}"'
        f' y="{y}">{text}</text>'
    )


def _middle(leg: Leg) -> Point:
    (ax, ay, _), (bx, by, _) = _circle(leg.source), _circle(leg.target)
    return (ax + bx) / 2, (ay + by) / 2


def _leg(leg: Leg) -> str:
    """Draw a step from rim to rim."""
    (ax, ay, ar), (bx, by, br) = _circle(leg.source), _circle(leg.target)
    far = dist((ax, ay), (bx, by)) or 1.0
    ux, uy = (bx - ax) / far, (by - ay) / far
    css = " is-attack" if leg.attack else ""
    return (
        f'<path class="b-plan{css}" d="M{ax + ux * ar:.1f} {ay + uy * ar:.1f}L{bx - ux * br:.1f}'
        f' {by - uy * br:.1f}"/>'
    )


def _price(leg: Leg) -> str:
    x, y = _middle(leg)
    return (
        f'<g class="b-cost"><circle cx="{x:.0f}" cy="{y:.0f}" r="16"/><text x="{x:.0f}"'
        f' y="{y + 1:.0f}">{leg.cost}</text></g>'
    )


@cache
def _star(x: float, y: float, r: float) -> str:
    points = (
        (
            x + (r if n % 2 == 0 else r * 0.42) * sin(n * pi / 5),
            y - (r if n % 2 == 0 else r * 0.42) * cos(n * pi / 5),
        )
        for n in range(10)
    )
    return " ".join(f"{px:.1f},{py:.1f}" for px, py in points)


def space_text(position: Position, key: str, words: Mapping[str, str]) -> str:
    """Return a space in words: its name and its contents.

    `words` are those of the page's catalogue.
    """
    token = position.tokens.get(key)
    what = []
    if token is not None and token in EMPERORS:
        what.append(words["token-of"].format(name=emperor_name(token)))
    elif token is not None:
        what.append(words[token])
    elif key in PRINTED:
        what.append(words["printed"])
    what += map(emperor_name, position.standing(key))
    if key in position.barbarians:
        what.append(words["army"])
    return words["space"].format(name=SPACES[key].name, what=", ".join(what) or words["nothing"])
