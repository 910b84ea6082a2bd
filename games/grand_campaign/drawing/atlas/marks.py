"""The marks of a province: its name, capital, fortification and fleet."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from html import escape

from games.grand_campaign.drawing.atlas.paint import Paint, brief
from games.grand_campaign.drawing.atlas.state import Scenario, State, level_of
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.text.words import localized_name

LAID_OUT_SCALE = 1.7
"""A laid-out map has few provinces on the same sheet, so its marks are larger."""


def marks(
    drawing: Drawing,
    scenario: Scenario,
    state: State,
    owners: Mapping[str, str | None],
    attributes: Mapping[str, str],
) -> str:
    """Return the capitals, seats, fortifications and fleets of all provinces."""
    capitals = {nation["capital"] for nation in scenario["nations"]}
    external = {p["key"] for p in scenario["provinces"] if p["kind"] == "external"}
    scale = LAID_OUT_SCALE if drawing.laid_out else 1.0
    dots = ""  # All dots are a single path; its round ends are the dots.
    out = []
    for key, province in drawing.provinces.items():
        x, y = province.seat.at
        is_capital = key in capitals and owners[key] is not None
        if is_capital:
            out.append(star(x, y, 8.2 * scale))
        elif key not in external:
            dots += f"M{x:g} {y:g}h.01"
        level, word = level_of(state["provinces"][key], state)
        if level:
            beside = x + (14 if is_capital else 9) * scale
            out.append(fort(beside, y + 2 * scale, scale, level, word))
        if state["provinces"][key]["fleet"]:
            # The map accepts a fleet of a province without a port and draws it at the seat.
            harbour_x, harbour_y = province.port.at if province.port else (x, y)
            group = owners[key] or "independent"
            out.append(fleet(harbour_x, harbour_y + 8, scale, attributes[group]))
    rings = (("m-seat", 3.6 * scale + 0.8), ("m-seat m-seat--in", 3.6 * scale - 0.8))
    seats = "".join(
        f'<path class="{name}" d="{dots}" style="stroke-width:{wide:g}px"/>' for name, wide in rings
    )
    return seats + "".join(out)


def nation_names(
    drawing: Drawing,
    scenario: Scenario,
    owners: Mapping[str, str | None],
    colours: Mapping[str, Paint],
) -> str:
    """Return the nations' names, for the whole map on a small screen."""
    out = []
    for nation in scenario["nations"]:
        key = nation["key"]
        own = [province for province, owner in owners.items() if owner == key]
        if not own:
            continue
        home = [p["key"] for p in scenario["provinces"] if p["owner"] == key]
        x, y = place_of_name(drawing, key, home, own)
        kind = "is-light" if colours[key].light_text else "is-dark"
        short = escape(brief(localized_name(key, nation["name"], drawing.nations[key].spoken)))
        out.append(
            f'<text class="{kind}" {colours[key].attributes(key)} x="{x:g}"'
            f' y="{y:g}">{short}</text>'
        )
    return f'<g class="m-nations" aria-hidden="true">{"".join(out)}</g>'


def place_of_name(
    drawing: Drawing, nation: str, home: Collection[str], own: Collection[str]
) -> tuple[float, float]:
    """Return the place of a nation's name.

    It is at home as long as the nation holds most of its home, otherwise in the middle of its
    provinces.
    """
    if 2 * len(set(home) & set(own)) >= len(home) and 2 * len(home) >= len(own):
        return drawing.nations[nation].label
    spots = [drawing.provinces[province].label for province in own]
    middle_x = sum(x for x, _ in spots) / len(spots)
    middle_y = sum(y for _, y in spots) / len(spots)
    return min(spots, key=lambda spot: (spot[0] - middle_x) ** 2 + (spot[1] - middle_y) ** 2)


def label(key: str, drawing: Drawing, kind: str, attributes: str) -> str:
    """Return a province's name as SVG."""
    province = drawing.provinces[key]
    x, y = province.label
    if len(province.lines) == 1:
        text = escape(province.lines[0])
    else:
        steps = [-0.51 * (len(province.lines) - 1), *[1.02] * (len(province.lines) - 1)]
        text = "".join(
            f'<tspan x="{x:g}" dy="{step:g}em">{escape(line)}</tspan>'
            for step, line in zip(steps, province.lines, strict=True)
        )
    style, plain = f"--f:{province.size:g}", attributes
    if ' style="' in attributes:
        plain, own = attributes[:-1].split(' style="')
        style = f"{own};{style}"
    return f'<text class="m-label {kind}" {plain} x="{x:g}" y="{y:g}" style="{style}">{text}</text>'


def star(x: float, y: float, radius: float) -> str:
    """Return the star of a capital."""
    points = []
    for corner in range(10):
        angle = -math.pi / 2 + corner * math.pi / 5
        reach = radius if corner % 2 == 0 else radius * 0.43
        points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
    return f'<polygon class="m-star" points="{" ".join(points)}"/>'


def fort(x: float, y: float, scale: float, level: int, word: str) -> str:
    """Return the tower of a fortification with a bar for each level."""
    gap = min(3.4, 10.2 / level)
    bars = "".join(
        f'<path class="m-fort__bar" d="M{gap * (bar - (level - 1) / 2):.1f} 0v3.4"/>'
        for bar in range(level)
    )
    return (
        f'<g class="m-fort" data-level="{level}" transform="translate({x:.1f} {y:.1f})'
        f' scale({scale:g})"><title>{escape(word)}</title><path d="M-6'
        f' 5V-5h2.6v2h2.1v-2h2.6v2h2.1v-2H6V5z"/>{bars}</g>'
    )


def fleet(x: float, y: float, scale: float, attributes: str) -> str:
    """Return the ship of a fleet with its owner's sail."""
    return (
        f'<g class="m-fleet" {attributes} transform="translate({x:.1f} {y:.1f})'
        f' scale({scale:g})"><title>Fleet</title><path d="M-9 1h18l-3.2 5.4H-6z"/><path d="M0'
        ' 1V-9"/><path class="m-sail" d="M1-8.5q7 3 6 7.5H1z"/></g>'
    )
