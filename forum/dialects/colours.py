"""Colours of nations as text on a forum's paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_COLOUR = re.compile(r"#([0-9a-f]{6})", re.ASCII | re.IGNORECASE)
# The darker of prosilver's two post backgrounds, and the contrast that text needs on it.
_PAPER = (0xE1, 0xEB, 0xF2)
_CONTRAST = 4.5


def _luminance(rgb: Sequence[float]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@lru_cache(maxsize=256)
def readable(colour: str) -> str:
    """The colour, darkened as far as text on a forum needs; "" if it is none."""
    found = _COLOUR.fullmatch(colour)
    if found is None:
        return ""
    rgb = [int(found[1][at : at + 2], 16) for at in (0, 2, 4)]
    while (_luminance(_PAPER) + 0.05) / (_luminance(rgb) + 0.05) < _CONTRAST:
        rgb = [c * 9 // 10 for c in rgb]
    return "#" + "".join(f"{c:02x}" for c in rgb)
