"""The board as inline SVG, drawn from `drawing.json` and coloured by classes and tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from html import escape
from typing import Any, NamedTuple

from games.roman_empire.rules.position import (
    BARBARIANS,
    COLOURS,
    LANDS,
    REBEL,
    WHOLE,
    Place,
    Position,
    data,
)
from games.roman_empire.text.words import counted_phrase, group_in_sentence, group_name, phrase_text

WIDTH, HEIGHT = 1600, 1236
SIGNS = {"mountain": "M-8 6L-1 -7L3 -1L5 -4L10 6z", "forest": "M-5 2L0 -8L5 2zM-7 7L0 -3L7 7z"}


class BoardTexts(NamedTuple):
    """The words on the board: its title, and the description of a land by its key."""

    title: str
    land: Callable[[str], str]


def draw(
    position: Position,
    texts: BoardTexts,
    *,
    lit: Collection[str] = (),
    selected: str | None = None,
    fought: str | None = None,
    links: Callable[[str], str] | None = None,
) -> str:
    """Return the board of a position.

    `lit` are the lands that can be chosen, `fought` is the land of a combat in progress,
    `links(land)` returns the address of a land. Everything that differs between positions is in one
    group and in the labels of the addresses, because `static/js/live.js` redraws nothing else.
    """
    role = "group" if links else "img"
    opening = (
        f'<svg class="map__svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}"'
        ' aria-labelledby="e-title" preserveAspectRatio="xMidYMid slice"><title'
        f' id="e-title">{escape(texts.title)}</title>'
    )
    marks = dict.fromkeys(lit, "e-lit")
    marks |= {fought: "e-lit is-fought"} if fought else {}
    marks |= {selected: "e-lit is-chosen"} if selected else {}
    parts = [
        opening,
        _ground(),
        '<g data-now="pieces">',
        *(f'<use href="#e-{key}" class="{css}"/>' for key, css in marks.items()),
        *(_land(key, position.lands[key], position.seat_of) for key in LANDS),
        *(_name(key, key in marks) for key in LANDS),
        "</g>",
    ]
    if links is not None:
        parts.append('<g class="m-hits">')
        for key in LANDS:
            words = escape(texts.land(key))
            parts.append(
                f'<a href="{escape(links(key))}" aria-label="{words}"><use'
                f' href="#e-{key}"/><title>{words}</title></a>'
            )
        parts.append("</g>")
    return "".join([*parts, "</g></svg>"])


@cache
def _ground() -> str:
    """Return the parts that never change: seas, lands, borders with their terrain, and straits.

    The two borders marked by arrows are drawn like straits.
    """
    drawing = data("drawing")
    shapes = "".join(
        f'<path id="e-{key}" d="{shape["d"]}"/>' for key, shape in drawing["lands"].items()
    )
    waves = "".join(
        '<use href="#e-land" class="m-wave"'
        f' style="stroke-width:{width + 1}px;stroke-opacity:{strong}"/><use href="#e-land"'
        f' class="m-wave m-wave--in" style="stroke-width:{width - 1}px"/>'
        for width, strong in ((14, 0.28), (7, 0.45))
    )
    lands = "".join(
        f'<use href="#e-{key}" class="e-land" data-area="{shape["area"]}"/>'
        for key, shape in drawing["lands"].items()
    )
    rivers = "".join(f'<path d="{river["d"]}"/>' for river in drawing["rivers"])
    signs = "".join(
        f'<use href="#e-s-{sign["kind"]}" x="{sign["at"][0]}" y="{sign["at"][1]}"/>'
        for border in drawing["borders"].values()
        for sign in border["signs"]
    )
    blocks = "".join(
        f'<use href="#e-s-mountain" x="{patch["at"][0]}" y="{patch["at"][1]}"/>'
        for patch in drawing["patches"]
    )
    ways = "".join(
        f'<path class="e-strait" d="{strait["d"]}"/>{_ends(strait)}'
        for strait in drawing["straits"].values()
    )
    ways += "".join(
        f'<path class="e-strait is-border" d="{passage["d"]}"/>{_ends(passage)}'
        for passage in drawing["passages"].values()
    )
    names = "".join(
        f'<text class="{css} is-big" x="{label["x"]}" y="{label["y"]}" style="--f:{label["size"]}"'
        f' transform="rotate({label["rotate"]} {label["x"]} {label["y"]})">'
        f"{escape(label['name'])}</text>"
        for css, kind in (("m-seaname", "sea"), ("m-landname", "land_labels"))
        for label in drawing[kind]
    )
    kinds = "".join(f'<path id="e-s-{kind}" d="{d}"/>' for kind, d in SIGNS.items())
    return (
        f'<defs><path id="e-land" d="{drawing["land"]}"/>{shapes}{kinds}</defs><g'
        f' class="map__world"><rect class="m-sea" x="-100" y="-100" width="{WIDTH + 200}"'
        f' height="{HEIGHT + 250}"/>{waves}<use href="#e-land" class="m-waste"/>{lands}<path'
        f' class="m-lake" d="{drawing["lakes"]}"/><g class="m-rivers">{rivers}</g><g'
        f' class="e-borders">{_borders()}</g><use href="#e-land" class="m-coast"/><g'
        f' class="e-signs">{signs}{blocks}</g>{ways}{names}'
    )


@cache
def _borders() -> str:
    """Return the borders, with those between areas bolder than those within an area."""
    inner: list[str] = []
    outer: list[str] = []
    for key, border in data("drawing")["borders"].items():
        a, b = key.split("|")
        (inner if LANDS[a].area == LANDS[b].area else outer).append(border["d"])
    return f'<path d="{"".join(inner)}"/><path class="is-area" d="{"".join(outer)}"/>'


def _ends(line: Mapping[str, Any]) -> str:
    return "".join(f'<circle class="e-end" cx="{x}" cy="{y}" r="4.5"/>' for x, y in line["ends"])


def _land(key: str, place: Place, seat_of: Callable[[str | None], str | None]) -> str:
    """Draw the contents of a land: resource, City, Fort, the stack of its armies."""
    drawn = data("drawing")["lands"][key]
    marks = drawn["markers"]
    parts = []
    if "resource" in marks:
        x, y, r = marks["resource"]
        parts.append(f'<circle class="e-resource" cx="{x}" cy="{y}" r="{r}"/>')
    if "city" in marks:
        parts.append(_city(place.city, bool(drawn["capital"]), *marks["city"]))
    if place.fort is not None and "fort" in marks:
        parts.append(_fort(place.fort.who, place.fort.level, *marks["fort"]))
    if place.n:
        above = drawn["label"][1] > marks["stack"][1]
        parts.append(_stack(place, seat_of(place.who) or REBEL, above, *marks["stack"]))
    return "".join(parts)


def _city(city: str | None, capital: bool, x: float, y: float, r: float) -> str:
    css = " is-empty" if city is None else "" if city == WHOLE else " is-looted"
    house = (
        ""
        if city is None
        else (
            f'<path d="M{x - r * 0.55:.1f} {y + r * 0.5:.1f}v{-r * 0.7:.1f}L{x:.1f}'
            f' {y - r * 0.65:.1f}l{r * 0.55:.1f} {r * 0.45:.1f}v{r * 0.7:.1f}z"/>'
        )
    )
    scar = (
        f'<path class="e-scar" d="M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}"/>'
        if city not in (None, WHOLE)
        else ""
    )
    star = f'<circle class="e-capital" cx="{x}" cy="{y}" r="{r + 3:.1f}"/>' if capital else ""
    return f'<g class="e-city{css}">{star}<circle cx="{x}" cy="{y}" r="{r}"/>{house}{scar}</g>'


def _fort(who: str, level: int, x: float, y: float, r: float) -> str:
    """Draw a tower, with a second wall for a Fortress."""
    wall = (
        f'<rect x="{x - r - 3:.1f}" y="{y - r - 3:.1f}" width="{2 * r + 6:.1f}"'
        f' height="{2 * r + 6:.1f}"/>'
        if level > 1
        else ""
    )
    half = r * 0.66
    tower = (
        f"M{x - r:.1f}"
        f" {y + r:.1f}v{-2 * r:.1f}h{half:.1f}v{half:.1f}"
        f"h{half:.1f}v{-half:.1f}h{half:.1f}v{2 * r:.1f}z"
    )
    return f'<g class="e-fort" data-nation="{who}">{wall}<path d="{tower}"/></g>'


def _stack(place: Place, seat: str, above: bool, x: float, y: float, r: float) -> str:
    """Draw a stack of armies.

    Legions are squares, a People's armies discs, Rebels diamonds; the colour shows the owner, the
    number the size. The name of a People is `above` the stack if the name of the land is below it.
    """
    shapes = []
    for under in range(place.n):
        sx, sy = x + 4 * under - 2 * (place.n - 1), y - 4 * under + 2 * (place.n - 1)
        if place.who in COLOURS:
            shapes.append(
                f'<rect x="{sx - r:.1f}" y="{sy - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}"'
                ' rx="2"/>'
            )
        elif place.who == REBEL:
            shapes.append(
                f'<path d="M{sx:.1f} {sy - r - 2:.1f}l{r + 2:.1f} {r + 2:.1f}l{-r - 2:.1f}'
                f' {r + 2:.1f}l{-r - 2:.1f} {-r - 2:.1f}z"/>'
            )
        else:
            shapes.append(f'<circle cx="{sx:.1f}" cy="{sy:.1f}" r="{r + 1:.1f}"/>')
    tx, ty = x + 2 * (place.n - 1), y - 2 * (place.n - 1)
    label = f'<text x="{tx:.1f}" y="{ty + 1:.1f}">{place.n}</text>'
    tag = (
        f'<text class="e-who" x="{x:.1f}"'
        f' y="{y - r - 8 if above else y + r + 13:.1f}">{escape(group_name(place.who))}</text>'
        if place.who in BARBARIANS
        else ""
    )
    return f'<g class="e-stack" data-nation="{seat}">{"".join(shapes)}{label}</g>{tag}'


@cache
def _name(key: str, bold: bool) -> str:
    drawn = data("drawing")["lands"][key]
    (x, y), lines = drawn["label"], drawn["lines"]
    words = "".join(
        f'<tspan x="{x}"'
        f' dy="{-0.5 * (len(lines) - 1) if place == 0 else 1:g}em">{escape(line)}</tspan>'
        for place, line in enumerate(lines)
    )
    css = "e-name is-key" if bold else "e-name"
    return f'<text class="{css}" style="--f:{drawn["size"]}" x="{x}" y="{y}">{words}</text>'


def land_text(position: Position, key: str) -> str:
    """Return a land in words: its name and its contents."""
    return phrase_text(
        "land",
        name=LANDS[key].name,
        what=", ".join(land_contents(position, key)) or phrase_text("nothing"),
    )


def land_contents(position: Position, key: str) -> list[str]:
    """Return the contents of a land in words."""
    place, what = position.lands[key], []
    if place.n:
        what.append(counted_phrase("armies-of", place.n, group=group_in_sentence(place.who)))
    if place.city is not None:
        what.append(phrase_text(f"city-{place.city}"))
    if place.fort is not None:
        what.append(
            phrase_text(
                "fortress-of" if place.fort.level > 1 else "fort-of",
                group=group_in_sentence(place.fort.who),
            )
        )
    return what
