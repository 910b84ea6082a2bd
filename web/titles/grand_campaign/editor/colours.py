"""Tests of whether the colour and pattern of a nation differ enough from those of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.language import sentence
from games.grand_campaign.drawing import editing
from games.grand_campaign.drawing.editing import contrast
from web.titles.grand_campaign.editor.checks import Names
from web.titles.grand_campaign.record import Bundle, NationRecord

Matrix = tuple[float, ...]
"""Nine numbers, row by row, that convert red, green and blue to what an eye sees."""

WITHOUT_RED: Matrix = (
    *(0.152286, 1.052583, -0.204868),
    *(0.114503, 0.786281, 0.099216),
    *(-0.003882, -0.048116, 1.051998),
)
WITHOUT_GREEN: Matrix = (
    *(0.367322, 0.860646, -0.227968),
    *(0.280085, 0.672501, 0.047413),
    *(-0.011820, 0.042940, 0.968881),
)
EYES = (
    ("", None),
    (gettext_lazy("for people who cannot see red"), WITHOUT_RED),
    (gettext_lazy("for people who cannot see green"), WITHOUT_GREEN),
)
"""The kinds of colour vision: full, and two kinds of colour blindness.

Source: Machado, Oliveira and Fernandes 2009.
"""
READABLE = 4.5
"""The least contrast of a name on its colour (WCAG 2.2)."""
NEAR_NATION, NEAR_LAND = 6.0, 8.0
"""The least distances, in hundredths of OKLab."""
UNOWNED = "#d8b98c"


@dataclass(frozen=True, slots=True)
class ColourTest:
    """A test, and whether the nation passes it; `least` is the required value if it is a number."""

    is_passed: bool
    text: str
    least: str = ""


def colour_tests(bundle: Bundle, key: str) -> list[ColourTest]:
    """Return the tests of a nation's colour and pattern, none if the colour is malformed."""
    names = Names(bundle)
    colour = names.nation_records[key]["colour"]
    if not editing.COLOUR.fullmatch(colour):
        return []
    others = [
        row
        for row in bundle["scenario"]["nations"]
        if row["key"] != key and editing.COLOUR.fullmatch(row["colour"])
    ]
    return [
        contrast_test(colour),
        *([nearest_nation_test(colour, others, names)] if others else []),
        land_test(colour),
        pattern_test(bundle, key, others, names),
    ]


def contrast_test(colour: str) -> ColourTest:
    """Return whether the nation's name is readable on its colour."""
    reached = contrast(editing.ink(colour), colour)
    return ColourTest(
        is_passed=reached >= READABLE,
        text=sentence(_("Contrast of the name with the colour: {n} : 1"), n=f"{reached:.1f}"),
        least=_("at least 4.5"),
    )


def nearest_nation_test(colour: str, others: Sequence[NationRecord], names: Names) -> ColourTest:
    """Return the distance of another nation's nearest colour, for the least favourable vision."""
    distances = [
        (distance(colour, row["colour"], matrix), row["key"], eyes)
        for row in others
        for eyes, matrix in EYES
    ]
    nearest, other, eyes = min(distances, key=lambda measured: measured[0])
    text = sentence(
        _("Nearest colour: {nation}, distance {n} {eyes}"),
        nation=names.nations[other],
        n=f"{nearest:.0f}",
        eyes=eyes,
    )
    return ColourTest(is_passed=nearest >= NEAR_NATION, text=text.rstrip(), least=_("at least 6"))


def land_test(colour: str) -> ColourTest:
    """Return the distance of the colour from that of land without an owner."""
    reached = distance(colour, UNOWNED)
    return ColourTest(
        is_passed=reached >= NEAR_LAND,
        text=sentence(_("Distance from the colour of unowned land: {n}"), n=f"{reached:.0f}"),
        least=_("at least 8"),
    )


def pattern_test(
    bundle: Bundle, key: str, others: Sequence[NationRecord], names: Names
) -> ColourTest:
    """Return whether another nation has the same pattern."""
    drawn = bundle["drawing"].get("nations", {})
    pattern = drawn.get(key, {}).get("pattern")
    for row in others:
        if drawn.get(row["key"], {}).get("pattern") == pattern:
            text = _("The same pattern as {nation:the}")
            return ColourTest(False, sentence(text, nation=names.nations[row["key"]]))
    return ColourTest(True, _("No other nation has this pattern"))


def distance(colour: str, other: str, matrix: Matrix | None = None) -> float:
    """Return the distance of two colours, in hundredths of OKLab."""
    pairs = zip(_oklab(colour, matrix), _oklab(other, matrix), strict=True)
    return float(100 * sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@lru_cache(maxsize=512)
def _oklab(colour: str, matrix: Matrix | None) -> tuple[float, float, float]:
    """Return a colour, `#rrggbb`, in OKLab (Ottosson 2020) as an eye sees it."""
    rgb = [linear(int(part, 16) / 255) for part in (colour[1:3], colour[3:5], colour[5:7])]
    if matrix is not None:
        rgb = [
            min(1.0, max(0.0, sum(matrix[3 * row + n] * rgb[n] for n in range(3))))
            for row in range(3)
        ]
    red, green, blue = rgb
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def linear(part: float) -> float:
    """Return a part of an sRGB colour, 0 to 1, as linear light."""
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
