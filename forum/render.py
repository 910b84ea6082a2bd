"""A report's blocks as BBCode of phpBB and as plain text.

BBCode uses the tags that every phpBB has: b, i, size, color, list, code, url, img. There are no tables in it: they stand
aligned in [code]. Posts are cut at the board's limit, between blocks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape

from engine.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table

LIMIT = 60_000
"""phpBB's default for characters in a post."""

LEAST = 200
"""Never less than this for the text under a title, so that dividing comes to an end."""

SIZES = {1: 150, 2: 120, 3: 100}
SMALL = 85

# A bracket that a person wrote is followed by a word joiner: phpBB knows a tag only where its name or "/" follows "["
# at once, inside [code] too, and shows the joiner as nothing. An entity would be shown as its letters, a zero-width
# space would let the line break there.
JOINER = "\u2060"

# Marks that turn the direction of writing would reach beyond the name they stand in; line breaks would end a list item.
_TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])
_BLANK = re.compile(r"\s+")
_ODD = re.compile(rf"\s\s|[^\S ]|[{''.join(map(chr, _TURNING))}]")

ODD_IN_ADDRESS = set("[]\"' ")
_COLOUR = re.compile(r"#([0-9a-f]{6})", re.ASCII | re.IGNORECASE)
# The darker of prosilver's two post backgrounds, and the contrast that text needs on it.
_PAPER = (0xE1, 0xEB, 0xF2)
_CONTRAST = 4.5


def clean(text: str) -> str:
    """The text on one line, in one direction."""
    if _ODD.search(text) is None:  # nearly all of a report's thousands of pieces
        return text
    return _BLANK.sub(" ", text.translate(_TURNING))


def harmless(text: str) -> str:
    """The text as BBCode that opens and closes nothing."""
    return clean(text).replace("[", "[" + JOINER)


def _luminance(rgb: Sequence[float]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@lru_cache(maxsize=256)
def readable(colour: str) -> str:
    """The colour, darkened as far as text on a forum needs; "" if it is none."""
    found = _COLOUR.fullmatch(colour)
    if found is None:
        return ""
    rgb = [int(found[1][at : at + 2], 16) for at in (0, 2, 4)]
    while (_luminance(_PAPER) + 0.05) / (_luminance(rgb) + 0.05) < _CONTRAST:
        rgb = [c * 9 // 10 for c in rgb]
    return "#" + "".join(f"{c:02x}" for c in rgb)


def weight(text: str) -> int:
    """The characters phpBB counts: it escapes a post before it measures it."""
    return len(escape(text))


# BBCode --------------------------------------------------------------------------------------------------------------


def _span(span: Span, colours: Mapping[str, str], heading: bool = False) -> str:
    text = harmless(span.text)
    if not text.strip():
        return text
    colour = readable(colours.get(span.seat, "")) if span.seat else ""
    if (span.bold or span.seat) and not heading:
        text = f"[b]{text}[/b]"
    if colour:
        text = f"[color={colour}]{text}[/color]"
    if span.italic:
        text = f"[i]{text}[/i]"
    # Addresses are the site's own; one with a bracket would end the tag.
    if span.picture and not set(span.picture) & ODD_IN_ADDRESS:
        text = f"[img]{span.picture}[/img]"
    if span.link and not set(span.link) & ODD_IN_ADDRESS:
        text = f"[url={span.link}]{text}[/url]"
    return text


def _spans(spans: Spans, colours: Mapping[str, str]) -> str:
    return "".join(_span(span, colours) for span in spans)


def _block(block: Block, colours: Mapping[str, str]) -> str:
    if isinstance(block, Heading):
        inside = "".join(_span(span, colours, heading=True) for span in block.spans)
        size = SIZES[block.level]
        return f"[b]{inside}[/b]" if size == 100 else f"[size={size}][b]{inside}[/b][/size]"
    if isinstance(block, Paragraph):
        inside = _spans(block.spans, colours)
        return f"[size={SMALL}]{inside}[/size]" if block.small else inside
    if isinstance(block, Bullets):
        return "[list]\n" + "\n".join("[*]" + _spans(item, colours) for item in block.items) + "\n[/list]"
    return "[code]" + "\n".join(rows_of(block, harmless)) + "[/code]"


def bbcode(report: Report, colours: Mapping[str, str], limit: int = LIMIT) -> list[str]:
    """The report as posts of at most `limit` characters; where there are several, each says which it is.

    Blocks stay whole where they can: a longer list, table or paragraph is divided between its items, rows or words.
    """
    title, blocks = _head(report)
    made = [(block, _block(block, colours)) for block in blocks]
    room = max(limit - weight(_block(_numbered(title, 999, 999), colours)) - 2, LEAST)
    if sum(weight(text) + 1 for _, text in made) <= room:
        return ["\n".join([_block(title, colours), *(text for _, text in made)])]
    posts: list[list[str]] = [[]]
    used = 0
    for text in _parts(made, colours, room):
        if posts[-1] and used + weight(text) + 1 > room:
            posts.append([])
            used = 0
        posts[-1].append(text)
        used += weight(text) + 1
    return ["\n".join([_block(_numbered(title, n, len(posts)), colours), *texts]) for n, texts in enumerate(posts, 1)]


def _head(report: Report) -> tuple[Heading, tuple[Block, ...]]:
    first = report.blocks[0] if report.blocks else None
    if isinstance(first, Heading):
        return first, report.blocks[1:]
    return Heading((Span(report.title),)), report.blocks


def _numbered(title: Heading, n: int, of: int) -> Heading:
    return Heading((*title.spans, Span(f" ({n} of {of})")), title.level)


def _parts(made: Sequence[tuple[Block, str]], colours: Mapping[str, str], room: int) -> Iterable[str]:
    """The blocks' texts, those that are too long for a post divided."""
    for block, text in made:
        if weight(text) <= room:
            yield text
        else:
            for part in _halves(block, colours, room):
                yield _block(part, colours)


def _halves(block: Block, colours: Mapping[str, str], room: int) -> Iterable[Block]:
    if weight(_block(block, colours)) <= room:
        yield block
        return
    for half in _divide(block):
        yield from _halves(half, colours, room)


def _divide(block: Block) -> tuple[Block, ...]:
    """The block as two smaller ones."""
    if isinstance(block, Table):
        if len(block.rows) > 1:
            middle = len(block.rows) // 2
            return Table(block.head, block.rows[:middle]), Table(block.head, block.rows[middle:])
        return (Paragraph(tuple(Span(f"{cell} ") for cell in (*block.head, *(c for row in block.rows for c in row)))),)
    if isinstance(block, Bullets):
        if len(block.items) > 1:
            middle = len(block.items) // 2
            return Bullets(block.items[:middle]), Bullets(block.items[middle:])
        return (Paragraph(block.items[0]),)
    spans = block.spans
    if len(spans) > 1:
        middle = len(spans) // 2
        return Paragraph(spans[:middle]), Paragraph(spans[middle:])
    text = spans[0].text
    middle = text.find(" ", len(text) // 2) + 1
    if not 0 < middle < len(text):
        middle = len(text) // 2
    return Paragraph((spans[0]._replace(text=text[:middle]),)), Paragraph((spans[0]._replace(text=text[middle:]),))


# Tables and plain text -----------------------------------------------------------------------------------------------


def _width(text: str) -> int:
    """How many columns of a monospaced font the text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 or unicodedata.category(c) == "Cf" for c in text)


def rows_of(table: Table, spell: Callable[[str], str] = clean) -> list[str]:
    """The table's lines, aligned: the first column to the left, the others to the right."""
    cells = [[spell(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(_width(row[at]) for row in cells) for at in range(len(table.head))]
    lines = []
    for row in cells:
        blanks = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        others = [blank + cell for cell, blank in zip(row[1:], blanks[1:], strict=True)]
        lines.append("  ".join([row[0] + blanks[0], *others]).rstrip())
    return lines


def _plain_block(block: Block) -> str:
    if isinstance(block, Table):
        return "\n".join(rows_of(block))
    if isinstance(block, Bullets):
        return "\n".join("- " + plain_spans(item) for item in block.items)
    text = plain_spans(block.spans)
    if isinstance(block, Heading) and block.level < 3:
        return f"{text}\n{('=' if block.level == 1 else '-') * _width(text)}"
    return text


def plain_spans(spans: Spans) -> str:
    """A line without its dress."""
    return "".join(
        clean(span.text) + (f" <{to}>" if (to := span.picture or span.link) and to != span.text else "") for span in spans
    )


def plain(report: Report) -> str:
    """The report as text for a letter."""
    return "\n\n".join(_plain_block(block) for block in report.blocks) + "\n"
