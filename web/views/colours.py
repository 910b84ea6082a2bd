"""Colours of seats that the stylesheet does not know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from web.titles import extras

if TYPE_CHECKING:
    from web.views.common import TableContext

COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)


def styles(table: TableContext) -> dict[str, str]:
    """Per seat the custom properties of its colours; the title's own where it has some."""
    own = extras(table.campaign.title, "table")
    if own is not None and hasattr(own, "styles"):
        return {key: style for key, style in own.styles(table).items() if style}
    return {
        seat.key: f"--fill:{seat.info.colour};--name:light-dark(color-mix(in oklab,{seat.info.colour},black 35%),"
        f"color-mix(in oklab,{seat.info.colour},white 45%));--on:#fff8ea"
        for seat in table.seats
        if COLOUR.fullmatch(seat.info.colour)
    }
