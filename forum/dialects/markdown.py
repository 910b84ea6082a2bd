"""What Markdown and Discord's own have in common: backslashes, emphasis that opens and closes wherever it stands."""

from __future__ import annotations

import re
import unicodedata

from forum.dialects.base import JOINER, Context, Dialect, address, by_utf16, pieces, rows_of, unlinked
from games.contract.report import Block, Bullets, Heading, Span, Spans, Table

_SIGNS = re.compile(r"[\\`*_\[\]<>|~$^]|([=+])(?=\1|$)|&(?=#?\w)")
# What makes a line a heading, a list, a quotation, a rule, a table, a definition.
_HEAD = re.compile(r"[#>+=:~|-]|\d+[.)](?=\s|$)")


def escaped(text: str) -> str:
    """The text with a backslash before every sign that would mean something."""
    return _backslashed(unlinked(text))


def _backslashed(text: str) -> str:
    return _SIGNS.sub(lambda match: "\\" + match[0], text)


def begun(line: str) -> str:
    """A line that begins as nothing but text."""
    line = line.lstrip(" ")
    match = _HEAD.match(line)
    if match is None:
        return line
    at = match.end() - 1
    return f"{line[:at]}\\{line[at:]}"


def inline(spans: Spans, heading: bool = False) -> str:
    """One line: bold, italic, links, seats in bold. A heading is bold by itself."""
    line, closed = "", False
    for span, text in zip(spans, pieces([span.text for span in spans]), strict=True):
        text = _piece(span, _backslashed(text), heading)
        if closed and text.startswith("*"):
            line += JOINER  # else the stars of both would be taken together
        line += text
        if text:
            closed = text.endswith("*") and not text.endswith("\\*")
    return begun(line)


def _piece(span: Span, text: str, heading: bool) -> str:
    """A span with its stars and its link. Blanks at its ends are left outside: stars beside them would be stars."""
    link = address(span.link)
    if link and link == span.text:
        return f"<{link}>"
    inside = text.strip(" ")
    if not inside:
        return text
    stars = ("**" if (span.bold or span.seat) and not heading else "") + ("*" if span.italic else "")
    before, after = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
    styled = stars + _edged(inside) + stars if stars else inside
    return f"{before}[{styled}]({link}){after}" if link else before + styled + after


def _edged(text: str) -> str:
    """Between stars: a joiner beside a sign at its end, since stars open and close beside letters wherever they stand."""
    first = "" if text[0].isalnum() else JOINER
    return first + text + ("" if text[-1].isalnum() or unicodedata.combining(text[-1]) else JOINER)


# Markdown as Discourse and NodeBB read it (CommonMark with tables).


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


# Discord's Markdown: no tables, no colours, 2,000 characters a message.


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
