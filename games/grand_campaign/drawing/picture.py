"""The map as a picture to post, in a frame, with the campaign's name, the time and a legend."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from engine.language import gettext as _
from engine.language import pgettext
from games.contract.maps import MapPicture, Palette
from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.atlas import HOUSE, PATTERNS, Paint, Scenario, State, paints
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.view import view
from games.grand_campaign.text import words

WIDTH, EDGE, BAND, ROW = 1600, 16, 104, 34
"""The picture's width, its frame, the height of name and time, and a row of the legend, in pixels.
"""
NAME, LEAST, SMALL = 38, 22, 21


def picture(
    drawing: Drawing, position: Position, name: str, number: int, palette: Palette
) -> MapPicture:
    """Return the public map of the campaign `name` after entry `number`.

    Its texts are in the reader's language.
    """
    scenario = position.scenario.amended(position.amendments)
    raw, public = scenario.raw, view(position, None)
    state = atlas.from_record(public, [level.name for level in scenario.rules.fortifications])
    fills = {key: fill for key, (fill, _on) in colours(drawing, raw, palette).items()}
    nations = [(n["key"], words.nation_name(scenario, n["key"])) for n in raw["nations"]]
    legend = _legend(drawing, fills, nations, public["nations"], palette)
    inner = WIDTH - 2 * EDGE
    map_height = round(inner * drawing.height / drawing.width)
    rows = max(row for row, _x, _svg in legend) + 1
    height = EDGE + map_height + BAND + rows * ROW
    when = _when(public, number)
    svg = "".join(
        (
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
                f' viewBox="0 0 {WIDTH} {height}">'
            ),
            f"<style>{sheet(drawing, raw, palette)}</style>",
            f'<rect width="{WIDTH}" height="{height}" fill="{palette["paper"]}"/>',
            (
                f'<svg x="{EDGE}" y="{EDGE}" width="{inner}" height="{map_height}" viewBox="0 0'
                f' {drawing.width} {drawing.height}">'
            ),
            literal_map(drawing, raw, state),
            "</svg>",
            _frame(inner, map_height, palette["line-ink"]),
            _title(name, when, EDGE + map_height, palette),
            *(
                f'<g transform="translate({EDGE + x} {map_height + BAND + row * ROW})">{part}</g>'
                for row, x, part in legend
            ),
            "</svg>",
        )
    )
    literals = [palette[key] for key in ("n-independent", "n-external", "paper")]
    caption = _picture_caption(name, when)
    return MapPicture(svg, WIDTH, height, [*literals, *fills.values()], caption)


def caption(position: Position, name: str) -> str:
    """Return the content of the picture as a sentence, without the number of an entry."""
    return _picture_caption(name, _when(view(position, None)))


def _picture_caption(name: str, when: str) -> str:
    return _("Map of {campaign}: {when}.").format(campaign=name, when=when)


def _when(public: Mapping[str, Any], number: int | None = None) -> str:
    if public["phase"] == "setup":
        return pgettext("picture", "before the start")
    facts = {"turn": public["turn"], "turns": public["turns"], "number": number}
    if number is None:
        return pgettext("picture", "turn {turn} of {turns}").format(**facts)
    return _("turn {turn} of {turns}, after entry {number}").format(**facts)


def _frame(width: int, height: int, ink: str) -> str:
    """Return the double line around the map."""
    return (
        f'<g fill="none" stroke="{ink}"><rect x="{EDGE}" y="{EDGE}" width="{width}"'
        f' height="{height}" stroke-width="2"/><rect x="{EDGE + 6}" y="{EDGE + 6}"'
        f' width="{width - 12}" height="{height - 12}" opacity=".75"/></g>'
    )


def _title(name: str, when: str, top: int, palette: Palette) -> str:
    """Return the campaign's name on the left and the time on the right.

    A long name gets a smaller size, and a very long one is cut.
    """
    room = WIDTH - 2 * EDGE - wide(when) * SMALL - 40
    size = max(LEAST, min(NAME, int(room / wide(name))))
    text = name
    while wide(text) * size > room:
        text = text[:-2].rstrip() + "…"
    return (
        f'<text x="{EDGE + 2}" y="{top + 40}"'
        f' style="text-anchor:start;font-size:{size}px;font-weight:600"'
        f' fill="{palette["ink"]}">{escape(text)}</text><text x="{WIDTH - EDGE - 2}" y="{top + 42}"'
        f" style=\"text-anchor:end;font-family:'{SANS}';font-size:{SMALL}px\""
        f' fill="{palette["ink-2"]}">{escape(when)}</text>'
    )


def wide(text: str) -> float:
    """Return the approximate width of a text in units of its size."""
    return sum(
        0.78 if letter.isupper() or letter > "\u2fff" else 0.3 if letter in " .,:il’" else 0.52
        for letter in text
    )


def _legend(
    drawing: Drawing,
    fills: Mapping[str, str],
    nations: Sequence[tuple[str, str]],
    held: Mapping[str, Mapping[str, Any]],
    palette: Palette,
) -> list[tuple[int, int, str]]:
    """Return row, place and drawing of each nation: colour, pattern, name and victory points."""
    places, row, x = [], 0, 0
    for key, name in nations:
        points = str(held[key]["victory_points"]).replace("-", "−")
        text = _("{nation}, {points} VP").format(nation=name, points=points)
        room = round(40 + wide(text) * SMALL + 26)
        if x and x + room > WIDTH - 2 * EDGE:
            row, x = row + 1, 0
        pattern = drawing.nations[key].pattern
        lines = (
            f'<rect width="30" height="20" fill="url(#p--p-{escape(key)})" opacity=".62"/>'
            if PATTERNS[pattern]
            else ""
        )
        places.append(
            (
                row,
                x,
                (
                    '<g transform="translate(2 -10)"><rect width="30" height="20"'
                    f' fill="{fills[key]}"/>{lines}<rect width="30" height="20" fill="none"'
                    f' stroke="{palette["line-ink"]}"/></g><text x="40"'
                    f" style=\"text-anchor:start;font-family:'{SANS}';font-size:{SMALL}px\""
                    f' fill="{palette["ink"]}">{escape(text)}</text>'
                ),
            )
        )
        x += room
    return places


# The map for programs other than browsers: the page's own SVG with a stylesheet of literal colours,
# those of the light theme. Each `var()` is replaced by its value, and `color-mix()` is computed.

SERIF, SANS = "EB Garamond", "Source Sans 3"
NAMED = re.compile(r"var\(--([a-z0-9-]+)\)")
OWN_SIZE = re.compile(r'style="[^"]*--f:([0-9.]+)"')
OWN_COLOURS = re.compile(r' style="--fill:[^"]*"')


def colours(drawing: Drawing, scenario: Scenario, palette: Palette) -> dict[str, tuple[str, str]]:
    """Return for each nation the colours of its land and of names on it."""
    painted = paints(drawing, scenario["nations"])
    return {key: _pair(key, paint, palette) for key, paint in painted.items()}


def _pair(key: str, paint: Paint, palette: Palette) -> tuple[str, str]:
    if key in HOUSE:
        return palette[f"n-{key}"], palette[f"n-{key}-on"]
    own = dict(part.split(":", 1) for part in paint.style.split(";"))
    fill, on = (NAMED.sub(lambda name: palette[name[1]], own[key]) for key in ("--fill", "--on"))
    return fill, on


def mixed(colour: str, other: str, share: float) -> str:
    """Return `color-mix(in oklab, colour, other share)` of two colours `#rrggbb`.

    The share is 0 to 1.
    """
    (l1, a1, b1), (l2, a2, b2) = _oklab(colour), _oklab(other)
    return _from_oklab(l1 + (l2 - l1) * share, a1 + (a2 - a1) * share, b1 + (b2 - b1) * share)


def _oklab(colour: str) -> tuple[float, float, float]:
    r, g, b = (_linear(int(colour[n : n + 2], 16) / 255) for n in (1, 3, 5))
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _from_oklab(light: float, a: float, b: float) -> str:
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    rgb = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _curved(min(1.0, max(0.0, part)))):02x}" for part in rgb)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _curved(part: float) -> float:
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def sheet(drawing: Drawing, scenario: Scenario, palette: Palette) -> str:
    """Return the rules of map.css with literal colours.

    Names of a laid-out map are as large as on the page.
    """
    t = palette
    black, white = "#000000", "#ffffff"
    ext = mixed(t["n-external"], black, 0.35)
    lines = [
        f"text{{text-anchor:middle;dominant-baseline:central;font-family:'{SERIF}'}}",
        f".m-sea,.m-lake{{fill:{t['map-sea']}}}",
        f".m-wave{{fill:none;stroke:{t['map-water']};stroke-linejoin:bevel}}.m-wave--in{{stroke:{t['map-sea']}}}",
        f".m-waste{{fill:{t['map-waste']}}}.sand{{fill:{t['map-waste-dot']}}}",
        f".m-prov{{fill:{t['n-independent']}}}.m-prov[data-nation=external]{{fill:{t['n-external']}}}",
        ".pat{fill:none;stroke:#140800;stroke-opacity:.42;stroke-width:.8}.m-pat{opacity:.62}",
        ".m-rim{fill:none;stroke-opacity:.34;stroke-width:7px;stroke-linejoin:round}",
        f".ext-line{{fill:none;stroke:{mixed(t['n-external'], black, 0.3)};stroke-width:.8}}",
        f".m-lake{{stroke:{t['map-water']};stroke-width:.6}}",
        f".m-rivers{{fill:none;stroke:{t['map-river']};stroke-linecap:round;stroke-linejoin:round;opacity:.5}}",
        f".m-borders{{fill:none;stroke:{t['map-border']};stroke-width:.75;stroke-opacity:.9;stroke-linejoin:round}}",
        f".m-frontier{{fill:none;stroke:{t['map-ink']};stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}}",
        f".m-coast{{fill:none;stroke:{t['map-ink']};stroke-width:.9;stroke-linejoin:round}}",
        (
            f".m-routes{{fill:none;stroke:{t['map-route']};stroke-width:1.1;stroke-dasharray:4.6"
            " 3.4;opacity:.7}"
        ),
        f".m-strait{{fill:none;stroke:{t['map-route']};stroke-width:1.3}}",
        (
            f".m-link{{fill:none;stroke:{t['map-route']};stroke-width:3.4;stroke-dasharray:1"
            " 6;stroke-linecap:round;opacity:.75}"
        ),
        f".m-seat{{fill:none;stroke:{t['map-ink']};stroke-linecap:round}}.m-seat--in{{stroke:#fffaf0}}",
        f".m-star{{fill:#fff6d0;stroke:{t['map-ink']};stroke-width:1.1;stroke-linejoin:round}}",
        (
            ".m-fort path,.m-fleet"
            f" path{{fill:#fff6e0;stroke:{t['map-ink']};stroke-width:1;stroke-linejoin:round}}"
        ),
        ".m-fort .m-fort__bar{stroke-width:1.4}.m-fleet path{stroke-width:1.1}",
        ".m-label{font-weight:600;paint-order:stroke;stroke-width:2.3px;stroke-linejoin:round;stroke-opacity:.65}",
        f".m-label.is-ind{{fill:{t['map-label']};stroke:{t['map-halo']}}}.m-label.is-light{{fill:#fff8ea}}",
        f".m-label.is-ext{{fill:{t['map-ext-label']};stroke:{ext};font-style:italic;font-weight:400}}",
        ".m-seaname,.m-landname{font-style:italic;letter-spacing:.6px}.is-big{letter-spacing:3px}",
        f".m-seaname{{fill:{t['map-sea-name']}}}.m-landname{{fill:{t['map-land-name']}}}",
        ".arrow__halo{fill:none;stroke:#fff9e8;stroke-width:7.2px;stroke-linejoin:round;stroke-linecap:round}",
        "polygon.arrow__halo{fill:#fff9e8;stroke-width:3px}.arrow__shaft{fill:none;stroke-width:4.2px;stroke-linecap:round}",
        ".arrow[data-kind=independent] .arrow__shaft{stroke-dasharray:1 6.5}",
        (
            ".arrow__no circle{fill:#fffdf5;stroke-width:1.6px}.arrow[data-status=challenged]"
            " circle{stroke-dasharray:2.4 2}"
        ),
        f".arrow__no text{{font-family:'{SANS}';font-weight:600;font-size:11px;fill:#271d13}}",
        ".m-nations{display:none}",
    ]
    for key, (fill, on) in colours(drawing, scenario, palette).items():
        of, dark = f"[data-nation={key}]", mixed(fill, black, 0.22)
        lines += [
            (
                f".m-prov{of}{{fill:{fill}}}.m-rim{of}{{stroke:{mixed(fill, black, 0.4)}}}"
                f".m-fleet{of} .m-sail{{fill:{fill}}}"
            ),
            f".m-label.is-light{of}{{stroke:{mixed(fill, black, 0.5)}}}",
            f".m-label.is-dark{of}{{fill:{on};stroke:{mixed(fill, white, 0.45)}}}",
            f".arrow{of} .arrow__shaft{{stroke:{dark}}}.arrow{of} .arrow__head{{fill:{dark}}}",
            f".arrow{of} .arrow__no circle{{stroke:{mixed(fill, black, 0.4)}}}",
        ]
    return "".join(lines)


def literal_map(drawing: Drawing, scenario: Scenario, state: State) -> str:
    """Return the page's map of a state without links.

    `sheet` has the sizes and colours that the page computes.
    """
    svg = atlas.map_svg(drawing, scenario, state, links=False, title="", uid="p")
    return OWN_COLOURS.sub("", OWN_SIZE.sub(r'style="font-size:\1px"', svg))
