"""Discord's Markdown: no tables, no colours, 2,000 characters a message."""

from __future__ import annotations

from engine.report import Block, Bullets, Heading, Table
from forum.dialects.aligned import rows_of
from forum.dialects.base import Context, Dialect, by_utf16
from forum.dialects.inert import JOINER, address, unlinked
from forum.dialects.marked import begun, escaped, inline


class Discord(Dialect):
    """A message is a part of a report. Whoever sends it allows no mentions either."""

    short = "Discord"
    key, name, limit = "discord", "Discord", 2_000

    def weight(self, text: str) -> int:
        return by_utf16(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline(block.spans, heading=True)
            return f"{'#' * (block.level + 1)} {inside}" if block.level < 3 else f"**{inside}**"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline(item)}" for item in block.items)
        if isinstance(block, Table):
            return "```\n" + "\n".join(rows_of(block, _coded)) + "\n```"
        picture = next((span for span in block.spans if address(span.picture)), None)
        if picture is not None:
            # An address by itself is shown as its picture.
            return f"-# {begun(escaped(picture.text))}\n{picture.picture}"
        return f"-# {inline(block.spans)}" if block.small else inline(block.spans)


def _coded(text: str) -> str:
    """Within a block of code nothing means anything but its end."""
    return unlinked(text).replace("`", "`" + JOINER)
