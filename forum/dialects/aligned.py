"""Tables in a fixed-width font."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from engine.report import Table
from forum.dialects.inert import clean


def width(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 or unicodedata.category(c) == "Cf" for c in text)


def rows_of(table: Table, spell: Callable[[str], str] = clean) -> list[str]:
    """The table's lines, aligned: the first column to the left, the others to the right."""
    cells = [[spell(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(width(row[at]) for row in cells) for at in range(len(table.head))]
    lines = []
    for row in cells:
        blanks = [" " * (most - width(cell)) for cell, most in zip(row, widths, strict=True)]
        others = [blank + cell for cell, blank in zip(row[1:], blanks[1:], strict=True)]
        lines.append("  ".join([row[0] + blanks[0], *others]).rstrip())
    return lines
