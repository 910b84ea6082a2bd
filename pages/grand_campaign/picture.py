"""The map as a picture to post: the literal map in a frame, under it the campaign's name, when, and whose colour is whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaign import positions
from campaign.models import Campaign
from games.grand_campaign import words
from games.grand_campaign.drawing import Drawing
from games.grand_campaign.position import Position
from pages.grand_campaign import atlas, drawn, literal
from pages.grand_campaign.atlas_parts import PATTERNS

WIDTH, EDGE, BAND, ROW = 1600, 16, 104, 34
"""The picture's width, its frame, the room for name and time, a row of the legend, in pixels."""
NAME, LEAST, SMALL = 38, 22, 21


class Picture(NamedTuple):
    """What is drawn, its measures, the colours that may not be changed when colours are made fewer, and what it says."""

    svg: str
    width: int
    height: int
    literal: Sequence[str]
    text: str


def picture(campaign: Campaign, position: Position, number: int) -> Picture:
    """The map of a position after entry `number` as everybody may see it, in the language that is active."""
    scenario = positions.scenario(campaign)
    raw, drawing = scenario.raw, drawn.of(campaign)
    view = campaign.game.view(position, None)
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    fills = {key: fill for key, (fill, _on) in literal.colours(drawing, raw).items()}
    legend = _legend(drawing, fills, [(n["key"], words.nation_name(scenario, n["key"])) for n in raw["nations"]], view["nations"])
    inner = WIDTH - 2 * EDGE
    map_height = round(inner * drawing.height / drawing.width)
    rows = max(row for row, _x, _svg in legend) + 1
    height = EDGE + map_height + BAND + rows * ROW
    when = _when(view, number)
    known = literal.tokens()
    svg = "".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f"<style>{literal.sheet(drawing, raw)}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="{known["paper"]}"/>',
        f'<svg x="{EDGE}" y="{EDGE}" width="{inner}" height="{map_height}" viewBox="0 0 {drawing.width} {drawing.height}">',
        literal.drawn(drawing, raw, state), "</svg>",
        _frame(inner, map_height, known["line-ink"]),
        _title(campaign.name, when, EDGE + map_height, known),
        *(f'<g transform="translate({EDGE + x} {map_height + BAND + row * ROW})">{part}</g>' for row, x, part in legend),
        "</svg>",
    ))  # fmt: skip
    literals = [known["n-independent"], known["n-external"], known["paper"], *fills.values()]
    return Picture(svg, WIDTH, height, literals, _said(campaign.name, when))


def caption(campaign: Campaign, position: Position, number: int) -> str:
    """What is on the picture, in a sentence."""
    return _said(campaign.name, _when(campaign.game.view(position, None), number))


def _said(name: str, when: str) -> str:
    return _("Map of {campaign}: {when}.").format(campaign=name, when=when)


def _when(view: Mapping[str, Any], number: int) -> str:
    if view["phase"] == "setup":
        return _("before the start")
    facts = {"turn": view["turn"], "turns": view["turns"], "number": number}
    return _("turn {turn} of {turns}, after entry {number}").format(**facts)


def _frame(width: int, height: int, ink: str) -> str:
    """The neatline."""
    return (
        f'<g fill="none" stroke="{ink}"><rect x="{EDGE}" y="{EDGE}" width="{width}" height="{height}" stroke-width="2"/>'
        f'<rect x="{EDGE + 6}" y="{EDGE + 6}" width="{width - 12}" height="{height - 12}" opacity=".75"/></g>'
    )


def _title(name: str, when: str, top: int, known: Mapping[str, str]) -> str:
    """The campaign's name on the left, when on the right; a long name is set smaller, a very long one is cut."""
    room = WIDTH - 2 * EDGE - wide(when) * SMALL - 40
    size = max(LEAST, min(NAME, int(room / wide(name))))
    told = name
    while wide(told) * size > room:
        told = told[:-2].rstrip() + "…"
    return (
        f'<text x="{EDGE + 2}" y="{top + 40}" style="text-anchor:start;font-size:{size}px;font-weight:600" '
        f'fill="{known["ink"]}">{escape(told)}</text>'
        f'<text x="{WIDTH - EDGE - 2}" y="{top + 42}" style="text-anchor:end;font-family:\'{literal.SANS}\';font-size:{SMALL}px" '
        f'fill="{known["ink-2"]}">{escape(when)}</text>'
    )


def wide(text: str) -> float:
    """About the width of a text for its size."""
    return sum(0.78 if letter.isupper() or letter > "\u2fff" else 0.3 if letter in " .,:il’" else 0.52 for letter in text)


def _legend(
    drawing: Drawing, fills: Mapping[str, str], nations: Sequence[tuple[str, str]], held: Mapping[str, Mapping[str, Any]]
) -> list[tuple[int, int, str]]:
    """Row, place and drawing of each nation: its colour and pattern, its name, its victory points."""
    known, made, row, x = literal.tokens(), [], 0, 0
    for key, name in nations:
        points = str(held[key]["victory_points"]).replace("-", "−")
        said = _("{nation}, {points} VP").format(nation=name, points=points)
        room = round(40 + wide(said) * SMALL + 26)
        if x and x + room > WIDTH - 2 * EDGE:
            row, x = row + 1, 0
        pattern = drawing.nations[key].pattern
        lines = f'<rect width="30" height="20" fill="url(#p--p-{escape(key)})" opacity=".62"/>' if PATTERNS[pattern] else ""
        made.append((row, x, (
            f'<g transform="translate(2 -10)"><rect width="30" height="20" fill="{fills[key]}"/>{lines}'
            f'<rect width="30" height="20" fill="none" stroke="{known["line-ink"]}"/></g>'
            f'<text x="40" style="text-anchor:start;font-family:\'{literal.SANS}\';font-size:{SMALL}px" '
            f'fill="{known["ink"]}">{escape(said)}</text>'
        )))  # fmt: skip
        x += room
    return made
