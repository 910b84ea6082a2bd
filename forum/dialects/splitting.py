"""A report divided at a board's limit: between its sections where it can, then between blocks, then within one."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from engine.report import Block, Bullets, Heading, Paragraph, Report, Span, Table

LEAST = 200
"""Never less than this for the text under a title, so that dividing comes to an end."""
MOST = 999
FULL = 2
"""A post that is full to one part in so many may end early, for the next section to stay whole."""

Weigh = Callable[[Block], int]


def parts(report: Report, weigh: Weigh, limit: int, between: int) -> list[Report]:
    """The report as reports of at most `limit`, as `weigh` weighs a block and `between` what stands between two.

    Where there are several, the title of each says which it is. A heading stays with what follows it. Sections stay whole
    if that costs no post more than half its room; longer lists, tables, paragraphs are divided between items, rows, words.
    """
    title, blocks = headed(report)
    if weigh(title) + sum(weigh(block) + between for block in blocks) <= limit:
        return [report._replace(blocks=(title, *blocks))]
    room = max(limit - weigh(_numbered(title, MOST, MOST)) - between, LEAST)
    found = list(_packed(_fitting(blocks, weigh, room), weigh, room, between))
    return [
        report._replace(blocks=(_numbered(title, n, len(found)), *part), title=_titled(report.title, n, len(found)))
        for n, part in enumerate(found, 1)
    ]


def headed(report: Report) -> tuple[Heading, tuple[Block, ...]]:
    """The report's title and what is under it."""
    first = report.blocks[0] if report.blocks else None
    if isinstance(first, Heading):
        return first, report.blocks[1:]
    return Heading((Span(report.title),)), report.blocks


def _numbered(title: Heading, n: int, of: int) -> Heading:
    return Heading((*title.spans, Span(_titled("", n, of))), title.level)


def _titled(title: str, n: int, of: int) -> str:
    return title + " " + _("(%(n)s of %(of)s)") % {"n": n, "of": of}


# Into posts ----------------------------------------------------------------------------------------------------------


def _packed(blocks: Sequence[Block], weigh: Weigh, room: int, between: int) -> list[list[Block]]:
    posts: list[list[Block]] = [[]]
    used = 0

    def heavy(some: Sequence[Block]) -> int:
        return sum(weigh(block) + between for block in some)

    def put(some: Sequence[Block], level: int) -> None:
        nonlocal used
        weight = heavy(some)
        fits = used + weight <= room
        if posts[-1] and not fits and weight <= room and used * FULL >= room:
            posts.append([])
            used, fits = 0, True
        if fits or (not posts[-1] and len(some) == 1):
            posts[-1].extend(some)
            used += weight
        elif level < 3:
            for part in sections(some, level + 1):
                put(part, level + 1)
        else:
            for part in _held(some):
                # A heading stays with what follows, unless that fills a post by itself.
                for group in [part] if heavy(part) <= room else [[block] for block in part]:
                    if posts[-1] and used + heavy(group) > room:
                        posts.append([])
                        used = 0
                    posts[-1].extend(group)
                    used += heavy(group)

    for section in sections(blocks, 2):
        put(section, 2)
    return [post for post in posts if post]


def sections(blocks: Sequence[Block], level: int) -> list[list[Block]]:
    """The blocks by chapter: each heading of this level or above begins one, but for one right under another heading."""
    found: list[list[Block]] = []
    for block in blocks:
        starts = isinstance(block, Heading) and block.level <= level
        if not found or (starts and not all(isinstance(one, Heading) for one in found[-1])):
            found.append([])
        found[-1].append(block)
    return found


def _held(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks by themselves, headings with the block after them."""
    found: list[list[Block]] = []
    for block in blocks:
        if not found or not all(isinstance(one, Heading) for one in found[-1]):
            found.append([])
        found[-1].append(block)
    return found


# Within a block ------------------------------------------------------------------------------------------------------


def _fitting(blocks: Sequence[Block], weigh: Weigh, room: int) -> list[Block]:
    """The blocks, those that are too long for a post divided."""
    made: list[Block] = []
    for block in blocks:
        made += _halves(block, weigh, room)
    return made


def _halves(block: Block, weigh: Weigh, room: int) -> Iterable[Block]:
    if weigh(block) <= room:
        yield block
        return
    if isinstance(block, (Bullets, Table)) and len(_items(block)) > 1:
        pieces: Iterable[Block] = _filled(block, weigh, room)
    else:
        pieces = _divide(block)
    for piece in pieces:
        yield from _halves(piece, weigh, room)


def _items(block: Bullets | Table) -> Sequence[Any]:
    return block.items if isinstance(block, Bullets) else block.rows


def _some(block: Bullets | Table, items: Sequence[Any]) -> Bullets | Table:
    return Bullets(tuple(items)) if isinstance(block, Bullets) else block._replace(rows=tuple(items))


def _filled(block: Bullets | Table, weigh: Weigh, room: int) -> Iterable[Block]:
    """A list or table as several, each with as many items as fit, at least one."""
    items = _items(block)
    start, end = 0, 1
    while start < len(items):
        low, end = start + 1, len(items)
        while low < end:  # the most that fit
            middle = (low + end + 1) // 2
            if weigh(_some(block, items[start:middle])) <= room:
                low = middle
            else:
                end = middle - 1
        yield _some(block, items[start:end])
        start = end


def _divide(block: Block) -> tuple[Block, ...]:
    """A paragraph or heading as two; the only item of a list, or row of a table, as a paragraph."""
    if isinstance(block, Table):
        return (Paragraph(tuple(Span(f"{cell} ") for cell in (*block.head, *(c for row in block.rows for c in row)))),)
    if isinstance(block, Bullets):
        return (Paragraph(block.items[0]),)
    small = isinstance(block, Paragraph) and block.small
    spans = block.spans
    if len(spans) > 1:
        middle = len(spans) // 2
        return Paragraph(spans[:middle], small), Paragraph(spans[middle:], small)
    only = spans[0]
    middle = _middle(only.text)
    return tuple(Paragraph((only._replace(text=text),), small) for text in (only.text[:middle], only.text[middle:]))


def _middle(text: str) -> int:
    """Where a text is divided: after a blank behind its middle, else between two letters that stand by themselves."""
    middle = text.find(" ", len(text) // 2) + 1
    if 0 < middle < len(text):
        return middle
    middle = len(text) // 2
    while middle + 1 < len(text) and (unicodedata.combining(text[middle]) or text[middle] in "\u200d\ufe0f"):
        middle += 1
    return middle
