"""The colours of the light theme, for pictures that are drawn without a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from django.conf import settings

DECLARED = re.compile(
    r"--([a-z0-9-]+):\s*(light-dark\(((?:[^(),]|\([^()]*\))+),(?:[^()]|\([^()]*\))+\)|[^;{}]+);"
)
COLOUR = re.compile("#[0-9a-f]{6}")


@cache
def light_palette() -> Mapping[str, str]:
    """Return the tokens of `static/css/tokens.css` that are colours `#rrggbb`, by their names.

    Of `light-dark()` the first colour is returned.
    """
    text = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text("utf-8")
    colours: dict[str, str] = {}
    for name, whole, light in DECLARED.findall(text):
        colours.setdefault(name, (light or whole).strip())
    return {name: value for name, value in colours.items() if COLOUR.fullmatch(value)}
