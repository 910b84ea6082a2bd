"""A word in a coloured frame, as `components/ui.html` shows it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise


class Chip(NamedTuple):
    """A word or two with a tone: good, warn, bad, mine, or empty."""

    text: str | Promise
    tone: str = ""
    icon: str = ""
