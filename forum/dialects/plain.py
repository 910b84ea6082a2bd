"""Plain text for letters: titles underlined, tables aligned, addresses in angle brackets."""

from __future__ import annotations

from html import escape

from django.utils.translation import pgettext_lazy

from forum.dialects.base import JOINER, Context, Dialect, address, by_bytes, pieces, readable, rows_of, unlinked, width
from games.contract.report import Block, Bullets, Heading, Paragraph, Span, Spans, Table


class Plain(Dialect):
    """Lists of letters take 40 kB by default, with all that stands about a letter."""

    short = pgettext_lazy("dialect", "Text")
    key, name, limit, between = "plain", pgettext_lazy("dialect", "Plain text"), 36_000, "\n\n"

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Table):
            return "\n".join(map(_begun, rows_of(block, unlinked)))
        if isinstance(block, Bullets):
            return "\n".join("- " + plain_line(item) for item in block.items)
        text = plain_line(block.spans)
        if isinstance(block, Heading) and block.level < 3:
            return f"{text}\n{('=' if block.level == 1 else '-') * width(text)}"
        return text


def plain_line(spans: Spans) -> str:
    """A line without its dress."""
    line = ""
    for span, text in zip(spans, pieces([span.text for span in spans]), strict=True):
        to = address(span.picture) or address(span.link)
        line += to if to and to == span.text else text + (f" <{to}>" if to else "")
    return _begun(line.strip(" "))


def _begun(line: str) -> str:
    """No line begins as a quotation or as the one above a signature."""
    return JOINER + line if line.startswith((">", "--", "|")) else line


# HTML for letters and for boards that take it: plain elements, colours beside them, no classes, no scripts.

CELL = 'style="padding:2px 10px 2px 0;text-align:{}"'
SMALL = 'style="font-size:85%"'


class Html(Dialect):
    """Some mail programs cut a letter after 102 kB; with its plain text beside it, it stays below."""

    short = "HTML"
    key, name, limit = "html", "HTML", 60_000
    colours = tables = True

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Table):
            return _table(block)
        if isinstance(block, Bullets):
            return "<ul>\n" + "\n".join(f"<li>{_line(item, context)}</li>" for item in block.items) + "\n</ul>"
        inside = _line(block.spans, context, heading=isinstance(block, Heading))
        if isinstance(block, Heading):
            return f"<h{block.level}>{inside}</h{block.level}>"
        return f"<p {SMALL}>{inside}</p>" if isinstance(block, Paragraph) and block.small else f"<p>{inside}</p>"


def _line(spans: Spans, context: Context, heading: bool = False) -> str:
    texts = pieces([span.text for span in spans])
    return "".join(_span(span, escape(text), context, heading) for span, text in zip(spans, texts, strict=True))


def _span(span: Span, text: str, context: Context, heading: bool) -> str:
    link, picture = address(span.link), address(span.picture)
    if picture:
        return f'<img src="{escape(picture)}" alt="{text}" style="max-width:100%;height:auto"><br><small>{text}</small>'
    if link and link == span.text:
        text = escape(link)
    colour = readable(context.colours.get(span.seat, "")) if span.seat else ""
    if (span.bold or span.seat) and not heading:
        text = f"<b>{text}</b>"
    if colour:
        text = f'<span style="color:{colour}">{text}</span>'
    if span.italic:
        text = f"<i>{text}</i>"
    return f'<a href="{escape(link)}">{text}</a>' if link else text


def _table(table: Table) -> str:
    """The first column to the left, the others to the right."""
    sides = ["left", *["right"] * (len(table.head) - 1)]
    rows = []
    for row in (table.head, *table.rows):
        cells = []
        for side, cell in zip(sides, row, strict=True):
            shown = unlinked(cell)
            kind = "th" if row is table.head and shown.strip() else "td"  # an empty one is no header of anything
            cells.append(f"<{kind} {CELL.format(side)}>{escape(shown)}</{kind}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"
