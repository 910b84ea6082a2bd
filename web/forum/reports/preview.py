"""A preview of a report on a board: the HTML beside the text that is copied.

A report has thousands of pieces. Each is escaped when it is joined, and the whole is marked as safe
once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from django.utils.safestring import SafeString

from forum.dialects import clean, readable_colour, table_lines
from games.contract.report import (
    Block,
    Bullets,
    Code,
    Fold,
    Heading,
    Paragraph,
    Report,
    Span,
    Spans,
    Table,
)

BBCODE_TAG = re.compile(r"(\[/?(?:b|i|list|code|size|color|url|img)(?:=[^\]\u2060]*)?\]|\[\*\])")
MARKUP = re.compile("[&<>\"']")


def bbcode(post: str) -> SafeString:
    """Return BBCode with highlighted tags. Its text equals the post, because it is copied."""
    return SafeString(BBCODE_TAG.sub(r'<span class="tag">\1</span>', escape(post)))


def letter(text: str) -> SafeString:
    """Return plain text that looks like an e-mail."""
    return SafeString(f'<pre class="post__plain">{escape(text)}</pre>')


def board_post(report: Report, colours: Mapping[str, str], has_tables: bool) -> SafeString:
    """Return the blocks as they look on a forum.

    `colours` are those of the seats, empty if the forum shows no colours; `has_tables` says whether
    the forum has tables.
    """
    return SafeString("\n".join(block_html(block, colours, has_tables) for block in report.blocks))


def picture_address(report: Report) -> str:
    """Return the address of the picture in a report; empty if it has none."""
    paragraphs = (block for block in report.blocks if isinstance(block, Paragraph))
    spans = (span for paragraph in paragraphs for span in paragraph.spans)
    return next((span.picture for span in spans if span.picture), "")


def chapters(report: Report) -> list[str]:
    """Return the headings of a report."""
    headings = [block for block in report.blocks if isinstance(block, Heading) and block.level == 2]
    return [clean("".join(span.text for span in block.spans)) for block in headings]


def block_html(block: Block, colours: Mapping[str, str], has_tables: bool) -> str:
    """Return one block as HTML."""
    if isinstance(block, Fold):
        inside = "\n".join(block_html(part, colours, has_tables) for part in block.blocks)
        heading = f"<summary>{spans_html(block.heading, colours)}</summary>"
        return f'<details class="post__fold">{heading}{inside}</details>'
    if isinstance(block, Code):
        return f'<code tabindex="0">{escape(chr(10).join(map(clean, block.lines)))}</code>'
    if isinstance(block, Table):
        return table_html(block) if has_tables else aligned_table(block)
    if isinstance(block, Bullets):
        items = (f"<li>{spans_html(item, colours)}</li>" for item in block.items)
        return f"<ul>{''.join(items)}</ul>"
    content = spans_html(block.spans, colours)
    if isinstance(block, Heading):
        return f'<p class="is-title-{block.level}"><b>{content}</b></p>'
    return f'<p class="is-small">{content}</p>' if block.small else f"<p>{content}</p>"


def aligned_table(table: Table) -> str:
    """Return a table for a forum without tables: aligned in a fixed-width font."""
    return f'<code tabindex="0">{escape(chr(10).join(table_lines(table)))}</code>'


def table_html(table: Table) -> str:
    """Return a table as HTML."""
    head = "".join(
        f"<th>{escape(clean(cell))}</th>" if cell else "<td></td>" for cell in table.head
    )
    rows = ("".join(f"<td>{escape(clean(cell))}</td>" for cell in row) for row in table.rows)
    parts = (f"<tr>{row}</tr>" for row in (head, *rows))
    return f'<div class="post__table" tabindex="0"><table>{"".join(parts)}</table></div>'


def spans_html(spans: Spans, colours: Mapping[str, str]) -> str:
    """Return a line as HTML."""
    return "".join(span_html(span, colours) for span in spans)


def span_html(span: Span, colours: Mapping[str, str]) -> str:
    """Return a piece of a line as HTML.

    Its text and its address may be anyone's, so they are escaped; its colour is made `readable`.
    """
    text = clean(span.text)
    if MARKUP.search(text):
        text = escape(text)
    if span.picture:
        return picture_html(escape(span.picture), text)
    if span.link:
        text = f'<a href="{escape(span.link)}">{text}</a>'
    if span.italic:
        text = f"<i>{text}</i>"
    colour = readable_colour(colours.get(span.seat, "")) if span.seat else ""
    if colour:
        return f'<b style="color:{colour}">{text}</b>'
    return f"<b>{text}</b>" if span.bold or span.seat else text


def picture_html(address: str, caption: str) -> str:
    """Return a picture with its caption as HTML. Both are already escaped."""
    image = f'<img src="{address}" alt="{caption}" loading="lazy">'
    return f'<a href="{address}">{image}</a><br><span class="is-small">{caption}</span>'
