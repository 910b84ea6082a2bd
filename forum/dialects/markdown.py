"""Markdown as Discourse and NodeBB read it (CommonMark with tables)."""

from __future__ import annotations

from engine.report import Block, Bullets, Heading, Table
from forum.dialects.base import Context, Dialect, by_utf16
from forum.dialects.inert import address
from forum.dialects.marked import escaped, inline


class Markdown(Dialect):
    """Discourse takes 32,000 characters by default, NodeBB 32,767."""

    short = "Markdown"
    key, name, limit, between = "markdown", "Markdown (Discourse, NodeBB)", 32_000, "\n\n"
    tables = True

    def weight(self, text: str) -> int:
        return by_utf16(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline(block.spans, heading=True)
            return f"{'#' * block.level} {inside}"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline(item)}" for item in block.items)
        if isinstance(block, Table):
            return _table(block)
        picture = next((span for span in block.spans if address(span.picture)), None)
        if picture is not None:
            text = escaped(picture.text)
            return f"![{text}]({picture.picture})\n*{text}*" if text.strip() else f"![]({picture.picture})"
        return inline(block.spans)


def _table(table: Table) -> str:
    """The first column to the left, the others to the right."""
    rows = [[escaped(cell).strip() or " " for cell in row] for row in (table.head, *table.rows)]
    under = [":--", *["--:"] * (len(table.head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], under, *rows[1:]))
