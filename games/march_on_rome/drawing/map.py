"""The map of a reign as inline SVG, drawn from `drawing.json` with classes and tokens as paint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from math import atan2, cos, dist, pi, sin
from typing import NamedTuple

from games.march_on_rome.drawing.plaques import Armies, Plaque, armies
from games.march_on_rome.rules.position import LOST, PC, SENATE, data, is_general, number
from games.march_on_rome.text.words import province_name

PATTERNS = {
    "npc-1": '<path d="M0 0L8 8M-2 6L2 10M6 -2L10 2"/>',
    "npc-2": '<path d="M2 0V8M6 0V8"/>',
    "npc-3": '<path d="M0 6L2 3L4 6L6 3L8 6"/>',
    "npc-4": '<path d="M0 0L8 8M0 8L8 0"/>',
    "npc-5": '<circle cx="2" cy="2" r=".6"/><circle cx="6" cy="6" r=".6"/>',
    "npc-6": '<path d="M0 2H8M0 6H8"/>',
}
LIGHT = frozenset({PC, "npc-1", "npc-3", "npc-6"})
"""Paints with light letters on them."""
PAINTS = 6
"""The number of rivals with a paint of their own; the seventh has that of the first."""

Point = tuple[float, float]


class Standard(NamedTuple):
    """The standard of a holder on the map: its key, name and legions."""

    holder: str
    name: str
    legions: int

    @property
    def text(self) -> str:
        """Return the text of the standard, with a long name cut."""
        name = self.name if len(self.name) <= 14 else self.name[:13] + "…"
        return f"{name} {self.legions}"


class Arrow(NamedTuple):
    """The march of a holder from a province into another."""

    source: str
    target: str
    holder: str


def paint(holder: str) -> str:
    """Return the `data-nation` of a holder.

    Rivals beyond the sixth reuse the paints of the first ones.
    """
    if holder in (PC, SENATE, LOST) or not is_general(holder):
        return holder
    return f"npc-{(number(holder) - 1) % PAINTS + 1}"


def draw(
    owner: Mapping[str, str],
    garrison: Mapping[str, int],
    standards: Collection[Standard],
    holder_name: Callable[[str, str], str],
    *,
    lit: Collection[str] = (),
    selected: str | None = None,
    arrow: Arrow | None = None,
    links: Callable[[str], str] | None = None,
    title: str,
    uid: str = "m",
) -> str:
    """Return the map: owners by province, legions on standards, garrisons in squares.

    `lit` are the provinces that can be chosen. `links(province)` returns the address of a province.
    `uid` keeps the ids of two maps on a page apart. Names are escaped here.
    """
    drawn = data("drawing")["provinces"]
    painted = {key: paint(owner[key]) for key in drawn}
    opening = (
        f'<svg class="map__svg" viewBox="0 6 1600 1124" role="{"group" if links else "img"}"'
        f' aria-labelledby="{uid}-title" preserveAspectRatio="xMidYMid slice"><title'
        f' id="{uid}-title">{escape(title)}</title><defs>'
    )
    parts = [
        opening,
        *(_pattern(uid, key) for key in sorted({painted[key] for key in drawn} & set(PATTERNS))),
        _shapes(uid),
        *(_clip(uid, key) for key in drawn if is_general(owner[key])),
        "</defs>",
        _ground(uid),
        *(_province(uid, key, owner[key], painted[key]) for key in drawn),
        _waters(uid),
        f'<path class="m-frontier" d="{_frontier(owner)}" style="stroke-width:2.6px"/>',
        f'<use href="#{uid}-land" class="m-coast"/>',
        *(f'<use href="#{uid}-{key}" class="m-lit" style="stroke-width:5px"/>' for key in lit),
    ]
    if selected:
        parts.append(f'<use href="#{uid}-{selected}" class="m-selected" style="stroke-width:5px"/>')
    parts.append(_names())
    if arrow is not None:
        parts.append(_arrow(arrow))  # below the names and plaques, so that all can be read
    parts += [_label(key, owner[key], painted[key]) for key in drawn]
    placed = armies_on_map(owner, garrison, standards)
    parts += [
        _standard(standard, placed.standards[standard.holder])
        for standard in standards
        if standard.holder in placed.standards
    ]
    parts += [_garrison(placed.garrisons[key], legions) for key, legions in garrison.items()]
    if links is not None:
        parts.append('<g class="m-hits">')
        for key in drawn:
            text = escape(f"{province_name(key)}, {holder_name(owner[key], key)}")
            parts.append(
                f'<a href="{escape(links(key))}" aria-label="{text}"><use'
                f' href="#{uid}-{key}"/><title>{text}</title></a>'
            )
        parts.append("</g>")
    parts.append("</g></svg>")
    return "".join(parts)


# Parts that never change --------------------------------------------------------------------------


@cache
def _shapes(uid: str) -> str:
    drawing = data("drawing")
    return (
        f'<pattern id="{uid}-ext" width="9" height="9" patternUnits="userSpaceOnUse"><path'
        f' class="ext-line" d="M0 9L9 0"/></pattern><pattern id="{uid}-sand" width="11" height="9"'
        ' patternUnits="userSpaceOnUse"><circle class="sand" cx="2" cy="2" r=".6"/><circle'
        f' class="sand" cx="7.5" cy="6" r=".5"/></pattern><path id="{uid}-land"'
        f' d="{drawing["land"]}"/>'
        + "".join(
            f'<path id="{uid}-{key}" d="{drawn["d"]}"/>'
            for key, drawn in drawing["provinces"].items()
        )
    )


@cache
def _ground(uid: str) -> str:
    waves = "".join(
        f'<use href="#{uid}-land" class="m-wave"'
        f' style="stroke-width:{width + 1}px;stroke-opacity:{strong}"/><use href="#{uid}-land"'
        f' class="m-wave m-wave--in" style="stroke-width:{width - 1}px"/>'
        for width, strong in ((16, 0.25), (11, 0.34), (6, 0.5))
    )
    waste = data("drawing")["wasteland"]
    return (
        '<g class="map__world"><rect class="m-sea" x="-100" y="-100" width="1800"'
        f' height="1400"/>{waves}<use href="#{uid}-land" class="m-waste"/><path d="{waste}"'
        f' fill="url(#{uid}-sand)" opacity=".8"/>'
    )


@cache
def _waters(uid: str) -> str:
    drawing = data("drawing")
    rivers = "".join(
        f'<path d="{river["d"]}" style="stroke-width:{(1, 1.4, 2)[river["class"] - 1]}px"/>'
        for river in drawing["rivers"]
    )
    borders = "".join(f'<use href="#{uid}-{key}"/>' for key in drawing["provinces"])
    return (
        f'<path d="{drawing["lakes"]}" class="m-lake"/><g class="m-rivers">{rivers}</g><g'
        f' class="m-borders">{borders}</g>'
    )


@cache
def _names() -> str:
    drawing = data("drawing")
    routes = "".join(
        f'<path d="{link["d"]}"/>' for link in drawing["links"].values() if link["kind"] == "sea"
    )
    texts = "".join(
        f'<text class="{css}{" is-big" if label["name"].isupper() else ""}" x="{label["x"]}"'
        f' y="{label["y"]}"'
        f' style="--f:{label["size"] * 0.95:.1f}" transform="rotate({label["rotate"]} {label["x"]}'
        f' {label["y"]})">'
        f"{escape(label['name'])}</text>"
        for css, kind in (("m-seaname", "sea"), ("m-landname", "land_labels"))
        for label in drawing[kind]
    )
    return f'<g class="m-routes" style="stroke-width:2px">{routes}</g>{texts}'


def _pattern(uid: str, key: str) -> str:
    return (
        f'<pattern id="{uid}-p-{key}" width="12" height="12" patternUnits="userSpaceOnUse"'
        f' class="pat"><g transform="scale(1.5)">{PATTERNS[key]}</g></pattern>'
    )


def _clip(uid: str, key: str) -> str:
    return f'<clipPath id="{uid}-c-{key}"><use href="#{uid}-{key}"/></clipPath>'


# Parts that change --------------------------------------------------------------------------------


def _province(uid: str, key: str, owner: str, painted: str) -> str:
    shape = f'<use href="#{uid}-{key}" class="m-prov" data-nation="{painted}"/>'
    if owner == LOST:
        return f'{shape}<use href="#{uid}-{key}" fill="url(#{uid}-ext)" opacity=".38"/>'
    if owner == SENATE:
        return shape
    if painted in PATTERNS:
        shape += f'<use href="#{uid}-{key}" fill="url(#{uid}-p-{painted})" class="m-pat"/>'
    rim = (
        f'<use href="#{uid}-{key}" class="m-rim" data-nation="{painted}"'
        ' style="stroke-width:11px"/>'
    )
    return f'{shape}<g clip-path="url(#{uid}-c-{key})">{rim}</g>'


def _frontier(owner: Mapping[str, str]) -> str:
    """Return the borders between provinces of different owners."""
    paths = []
    for names, link in data("drawing")["links"].items():
        first, second = names.split("|")
        if link["kind"] == "land" and owner[first] != owner[second]:
            paths.append(link["d"])
    return "".join(paths)


def _label(key: str, owner: str, painted: str) -> str:
    drawn = data("drawing")["provinces"][key]
    css = (
        "is-lost"
        if owner == LOST
        else "is-ind"
        if owner == SENATE
        else "is-light"
        if painted in LIGHT
        else "is-dark"
    )
    x, y = drawn["label"]
    name = escape(province_name(key))
    return (
        f'<text class="m-label {css}" data-nation="{painted}" data-place="{key}" x="{x}" y="{y}"'
        f' style="--f:{drawn["size"]}">{name}</text>'
    )


def _mark(key: str) -> Point:
    x, y, _ = data("drawing")["provinces"][key]["markers"]["legions"]
    return x, y


def armies_on_map(
    owner: Mapping[str, str], garrison: Collection[str], standards: Collection[Standard]
) -> Armies:
    """Return the places of the standards and garrisons on the map.

    A general's legions are drawn once, since they are not in any province (1.3).
    """
    living = {
        standard.holder: standard.text
        for standard in standards
        if standard.holder in owner.values()
    }
    return armies(owner, garrison, living)


def _at(plaque: Plaque) -> str:
    """Return the style of a plaque, which moves and scales it to its place."""
    x, y = data("drawing")["provinces"][plaque.province]["label"]
    dx, dy = plaque.offset
    return f"transform:translate({x}px,{y}px) scale(var(--k,1)) translate({dx:.1f}px,{dy:.1f}px)"


def _standard(standard: Standard, plaque: Plaque) -> str:
    """Draw a general's legions."""
    half, width = plaque.size.width / 2, plaque.size.width
    return (
        f'<g class="m-std" data-nation="{paint(standard.holder)}"'
        f' style="{_at(plaque)}"><rect x="{-half:.0f}" y="-12" width="{width:.0f}"'
        f' height="24" rx="2"/><path d="M{-half:.0f}-12h11v24h-11z"/><text x="5.5"'
        f' y="0.5">{escape(standard.text)}</text></g>'
    )


def _garrison(plaque: Plaque, legions: int) -> str:
    return (
        f'<g class="m-std is-garrison" data-nation="{SENATE}" style="{_at(plaque)}">'
        f'<rect x="-10" y="-10" width="20" height="20" rx="2"/><text y="0.5">{legions}</text></g>'
    )


def _arrow(march: Arrow) -> str:
    """Draw a bowed arrow between the middles of two provinces, which it does not reach."""
    start, end = _mark(march.source), _mark(march.target)
    far = dist(start, end)
    ux, uy = (end[0] - start[0]) / far, (end[1] - start[1]) / far
    off, short = min(90.0, far * 0.42), min(30.0, far * 0.2)
    start, end = (
        (start[0] + ux * off, start[1] + uy * off),
        (end[0] - ux * short, end[1] - uy * short),
    )
    bow = (start[0] + end[0]) / 2 - uy * far * 0.16, (start[1] + end[1]) / 2 + ux * far * 0.16
    turn = atan2(end[1] - bow[1], end[0] - bow[0])
    neck = end[0] - 18 * cos(turn), end[1] - 18 * sin(turn)
    head = " ".join(
        f"{end[0] + reach * cos(turn + by):.1f},{end[1] + reach * sin(turn + by):.1f}"
        for reach, by in ((1, 0), (34, pi - 0.46), (22, pi), (34, pi + 0.46))
    )
    path = f"M{start[0]:.1f} {start[1]:.1f}Q{bow[0]:.1f} {bow[1]:.1f} {neck[0]:.1f} {neck[1]:.1f}"
    return (
        f'<g class="arrow" data-nation="{paint(march.holder)}"><path class="arrow__halo" d="{path}"'
        f' style="stroke-width:17px"/><polygon class="arrow__halo" points="{head}"'
        f' style="stroke-width:7px"/><path class="arrow__shaft" d="{path}"'
        f' style="stroke-width:9px"/><polygon class="arrow__head" points="{head}"/></g>'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendEntry:
    """A general below the map."""

    key: str
    name: str
    legions: int


def legend(standards: Collection[Standard]) -> list[LegendEntry]:
    """Return the generals below the map."""
    return [
        LegendEntry(key=paint(standard.holder), name=standard.name, legions=standard.legions)
        for standard in standards
    ]
