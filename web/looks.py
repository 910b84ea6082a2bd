"""A report as a board will show it: the preview beside the text that is copied."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from django.conf import settings
from django.utils.safestring import SafeString

from engine.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table
from forum.dialects.aligned import rows_of
from forum.dialects.colours import readable
from forum.dialects.inert import clean

MARKUP = re.compile("[&<>\"']")

# A report has thousands of pieces: each is escaped as it is joined, and the whole is marked as safe once.


def post(told: Report, colours: Mapping[str, str], tables: bool) -> SafeString:
    """The blocks as a forum shows them: with `colours` of the seats, if it has any; `tables` says whether it has these."""
    return SafeString("\n".join(_block(block, colours, tables) for block in told.blocks))


def letter(text: str) -> SafeString:
    """Plain text as a letter shows it."""
    return SafeString(f'<pre class="post__plain">{escape(text)}</pre>')


def picture(told: Report) -> str:
    """The address of the picture in a report; empty where it has none."""
    spans = (span for block in told.blocks if isinstance(block, Paragraph) for span in block.spans)
    return next((span.picture for span in spans if span.picture), "")


def languages() -> list[tuple[str, str]]:
    """The languages in which a report may be read, each with its own name."""
    return [(code, name) for code, name in settings.LANGUAGES]


def _block(block: Block, colours: Mapping[str, str], tables: bool) -> str:
    if isinstance(block, Table):
        return _table(block) if tables else f'<code tabindex="0">{escape(chr(10).join(rows_of(block)))}</code>'
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_spans(item, colours)}</li>" for item in block.items) + "</ul>"
    inside = _spans(block.spans, colours)
    if isinstance(block, Heading):
        return f'<p class="is-title-{block.level}"><b>{inside}</b></p>'
    return f'<p class="is-small">{inside}</p>' if block.small else f"<p>{inside}</p>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(clean(cell))}</th>" if cell else "<td></td>" for cell in table.head)
    rows = ("".join(f"<td>{escape(clean(cell))}</td>" for cell in row) for row in table.rows)
    made = (f"<tr>{row}</tr>" for row in (head, *rows))
    return f'<div class="post__table" tabindex="0"><table>{"".join(made)}</table></div>'


def _spans(spans: Spans, colours: Mapping[str, str]) -> str:
    return "".join(_span(span, colours) for span in spans)


def _span(span: Span, colours: Mapping[str, str]) -> str:
    """A piece of a line as HTML; its text and its address are whoever's, its colour is `readable`."""
    made = clean(span.text)
    if MARKUP.search(made):
        made = escape(made)
    if span.picture:
        shown = f'<img src="{escape(span.picture)}" alt="{made}" loading="lazy">'
        return f'<a href="{escape(span.picture)}">{shown}</a><br><span class="is-small">{made}</span>'
    if span.link:
        made = f'<a href="{escape(span.link)}">{made}</a>'
    if span.italic:
        made = f"<i>{made}</i>"
    colour = readable(colours.get(span.seat, "")) if span.seat else ""
    if colour:
        return f'<b style="color:{colour}">{made}</b>'
    return f"<b>{made}</b>" if span.bold or span.seat else made
