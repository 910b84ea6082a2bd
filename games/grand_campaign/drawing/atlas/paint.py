"""The colours of nations on a map and on the pages around it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from engine.language import Name
from games.grand_campaign.drawing.atlas.state import Scenario
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.rules.faults import ALIKE

PATTERNS = {
    "solid": "",
    "diagonal-left": '<path d="M0 0L8 8M-2 6L2 10M6 -2L10 2"/>',
    "zigzag": '<path d="M0 6L2 3L4 6L6 3L8 6"/>',
    "dots": '<circle cx="2" cy="2" r=".6"/><circle cx="6" cy="6" r=".6"/>',
    "crosshatch": '<path d="M0 0L8 8M0 8L8 0"/>',
    "vertical": '<path d="M2 0V8M6 0V8"/>',
    "horizontal": '<path d="M0 2H8M0 6H8"/>',
}
# Six nations have their colours in tokens.css, which has six more colours for others.
HOUSE = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
SPARE = ("7", "8", "9", "10", "11", "12")
LIGHT_TEXT = {"hephtalites", "huns", "romans", "sassanids", "7", "9", "12"}
# For comparison only, never drawn: independent and external land, which no nation may resemble; the
# two grounds on which names are written; the two inks.
TAKEN = ((216, 185, 140), (102, 99, 95))
PAPER, NIGHT = (243, 236, 219), (32, 28, 21)
CREAM, DARK = (255, 248, 234), (29, 20, 8)

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Paint:
    """A nation's colours, and whether names on it are light.

    The colours are CSS custom properties, or empty if the stylesheet has the nation.
    """

    style: str
    light_text: bool

    def attributes(self, key: str) -> str:
        style = f' style="{self.style}"' if self.style else ""
        return f'data-nation="{escape(key)}"{style}'


def brief(name: str, most: int = 14) -> str:
    """Return a nation's name in the room that a drawing has for it."""
    short = name if len(name) <= most else name[: most - 1].rstrip(" -") + "…"
    return name.written(short) if isinstance(name, Name) else short


def paints(drawing: Drawing, nations: Sequence[Mapping[str, Any]]) -> dict[str, Paint]:
    """Return colours for the nations of a scenario, in its order.

    The six nations of the stylesheet have their own. Others have the scenario's colour if it is
    valid and unlike those before it and unlike land without an owner; otherwise the next spare
    colour.
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
        if rgb and all(math.dist(rgb, other) >= ALIKE for other in used):
            used.append(rgb)
            out[key] = _own_paint(rgb, pattern)
        else:
            token = spare.pop(0) if spare else SPARE[len(out) % len(SPARE)]
            out[key] = _spare_paint(token, pattern)
    return out


def _own_paint(rgb: Rgb, pattern: str) -> Paint:
    """Return the paint of a nation with the colour of its scenario."""
    on = max(CREAM, DARK, key=lambda ink: _contrast(ink, rgb))
    by_day, by_night = _readable(rgb, PAPER, DARK), _readable(rgb, NIGHT, CREAM)
    name = f"light-dark({_hex(by_day)},{_hex(by_night)})"
    return Paint(f"--fill:{_hex(rgb)};--name:{name};--on:{_hex(on)};{pattern}", on == CREAM)


def _spare_paint(token: str, pattern: str) -> Paint:
    """Return a spare paint of the stylesheet."""
    style = (
        f"--fill:var(--n-{token});--name:var(--n-{token}-ink);--on:var(--n-{token}-on);{pattern}"
    )
    return Paint(style, token in LIGHT_TEXT)


def _rgb(colour: object) -> Rgb | None:
    if not isinstance(colour, str) or not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return None
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _luminance(rgb: Rgb) -> float:
    r, g, b = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(a: Rgb, b: Rgb) -> float:
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _readable(rgb: Rgb, ground: Rgb, ink: Rgb) -> Rgb:
    """Return the colour, mixed with ink until text in it is readable on the ground."""
    for step in range(11):
        mixed = tuple(round(c + (i - c) * step / 10) for c, i in zip(rgb, ink, strict=True))
        if _contrast((mixed[0], mixed[1], mixed[2]), ground) >= 4.7:
            break
    return mixed[0], mixed[1], mixed[2]


def nation_styles(drawing: Drawing, scenario: Scenario) -> dict[str, str]:
    """Return each nation's inline style, which goes with `data-nation`.

    It is empty if the stylesheet has the nation.
    """
    return {key: paint.style for key, paint in paints(drawing, scenario["nations"]).items()}
