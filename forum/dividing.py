"""Division of a report that is longer than a board's limit.

A report is divided between sections if possible, otherwise between blocks, otherwise within a
block.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from forum.spans import filled_spans
from games.contract.report import (
    Block,
    Bullets,
    Code,
    Fold,
    Heading,
    Paragraph,
    Report,
    Span,
    Table,
)

LEAST_ROOM = 200
"""The minimum room for the text below a title, so that the division always ends."""
MOST_PARTS = 999
FULL = 2
"""The divisor of a post's room: a post that is half full may end early to keep a section whole."""


class Scales(NamedTuple):
    """A board's measures: the weight of a block, and that of a separator.

    `folds` says whether the board can fold. If not, a fold is the same as the blocks in it.
    """

    weigh: Callable[[Block], int]
    between: int
    folds: bool = False


def divide_report(report: Report, scales: Scales, limit: int) -> list[Report]:
    """Divide a report into several of at most `limit`, each of which says which part it is.

    A heading stays with the block after it. Sections are kept whole if that costs no post more than
    half its room; longer lists, tables and paragraphs are divided between items, rows and words.
    A long fold becomes several folds.
    """
    title, blocks = split_title(report)
    numbered = _numbered_heading(title, MOST_PARTS, MOST_PARTS)
    room = max(limit - scales.weigh(numbered) - scales.between, LEAST_ROOM)
    posts = _fill_posts(_divide_long(blocks, scales, room), scales, room)
    return [
        report._replace(
            blocks=(_numbered_heading(title, n, len(posts)), *part),
            title=_numbered_title(report.title, n, len(posts)),
        )
        for n, part in enumerate(posts, 1)
    ]


def split_title(report: Report) -> tuple[Heading, tuple[Block, ...]]:
    """Return the report's title and the blocks below it."""
    first = report.blocks[0] if report.blocks else None
    if isinstance(first, Heading):
        return first, report.blocks[1:]
    return Heading((Span(report.title),)), report.blocks


NUMBERED = gettext_noop("%(title)s (%(n)s of %(of)s)")


def _numbered_heading(title: Heading, n: int, of: int) -> Heading:
    return Heading(filled_spans(_(NUMBERED), title=title.spans, n=n, of=of), title.level)


def _numbered_title(title: str, n: int, of: int) -> str:
    return _(NUMBERED) % {"title": title, "n": n, "of": of}


# Filling posts


class _Posts:
    """Posts that are being filled, each with the same `room`."""

    def __init__(self, scales: Scales, room: int) -> None:
        self.scales, self.room = scales, room
        self.posts: list[list[Block]] = [[]]
        self.used = 0

    def weight(self, blocks: Sequence[Block]) -> int:
        return sum(self.scales.weigh(block) + self.scales.between for block in blocks)

    def put(self, blocks: Sequence[Block], level: int) -> None:
        """Put a chapter into one post, or its parts into several."""
        weight = self.weight(blocks)
        fits = self.used + weight <= self.room
        is_full = self.used * FULL >= self.room
        if self.posts[-1] and not fits and weight <= self.room and is_full:
            self._begin()
            fits = True
        if fits or (not self.posts[-1] and len(blocks) == 1):
            self._add(blocks, weight)
        elif level < 3:
            for part in sections(blocks, level + 1):
                self.put(part, level + 1)
        else:
            self._put_in_parts(blocks)

    def _put_in_parts(self, blocks: Sequence[Block]) -> None:
        """Put block after block. A heading stays with the next block if both fit into a post."""
        for part in _with_headings(blocks):
            groups = [part] if self.weight(part) <= self.room else [[block] for block in part]
            for group in groups:
                weight = self.weight(group)
                if self.posts[-1] and self.used + weight > self.room:
                    self._begin()
                self._add(group, weight)

    def _begin(self) -> None:
        self.posts.append([])
        self.used = 0

    def _add(self, blocks: Sequence[Block], weight: int) -> None:
        self.posts[-1].extend(blocks)
        self.used += weight


def _fill_posts(blocks: Sequence[Block], scales: Scales, room: int) -> list[list[Block]]:
    posts = _Posts(scales, room)
    for section in sections(blocks, 2):
        posts.put(section, 2)
    return [post for post in posts.posts if post]


def sections(blocks: Sequence[Block], level: int) -> list[list[Block]]:
    """Group the blocks into chapters.

    Each fold and each heading of this level or above begins a chapter, unless it directly follows
    another heading.
    """
    chapters: list[list[Block]] = []
    for block in blocks:
        starts = isinstance(block, Fold) or (isinstance(block, Heading) and block.level <= level)
        if not chapters or (
            starts and not all(isinstance(block, Heading) for block in chapters[-1])
        ):
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _with_headings(blocks: Sequence[Block]) -> list[list[Block]]:
    """Group each heading with the block after it; other blocks are single."""
    groups: list[list[Block]] = []
    for block in blocks:
        if not groups or not all(isinstance(block, Heading) for block in groups[-1]):
            groups.append([])
        groups[-1].append(block)
    return groups


# Dividing a block


def _divide_long(blocks: Sequence[Block], scales: Scales, room: int) -> list[Block]:
    """Return the blocks, with those that are too long for a post divided."""
    fitted: list[Block] = []
    for block in blocks:
        fitted += _divide_block(block, scales, room)
    return fitted


def _divide_block(block: Block, scales: Scales, room: int) -> Iterable[Block]:
    if scales.weigh(block) <= room:
        yield block
        return
    pieces: Iterable[Block]
    if isinstance(block, Fold):
        if scales.folds and room > LEAST_ROOM:
            yield from _divide_fold(block, scales, room)
            return
        pieces = unfolded(block)
    elif not isinstance(block, (Heading, Paragraph)) and len(_items(block)) > 1:
        pieces = _divide_items(block, scales, room)
    else:
        pieces = _divide_in_two(block)
    for piece in pieces:
        yield from _divide_block(piece, scales, room)


def unfolded(fold: Fold) -> tuple[Block, ...]:
    """Return the blocks that a board shows instead of a fold that it cannot show."""
    heading = Heading(fold.heading, 2)
    if not fold.page:
        return (heading, *fold.blocks)
    link = Span(_("All details of this report"), link=fold.page)
    return (heading, *fold.short, Paragraph((link,)))


def _divide_fold(fold: Fold, scales: Scales, room: int) -> Iterable[Fold]:
    """Divide a fold into several, each of which says which part it is."""

    def part(n: int, of: int, blocks: Sequence[Block]) -> Fold:
        heading = filled_spans(_(NUMBERED), title=fold.heading, n=n, of=of)
        return fold._replace(heading=heading, blocks=tuple(blocks))

    frame = scales.weigh(part(MOST_PARTS, MOST_PARTS, ()))
    inside = max(room - frame - scales.between, LEAST_ROOM)
    parts = _fill_posts(_divide_long(fold.blocks, scales, inside), scales, inside)
    for n, blocks in enumerate(parts, 1):
        yield part(n, len(parts), blocks)


def _items(block: Bullets | Table | Code) -> Sequence[Any]:
    if isinstance(block, Bullets):
        return block.items
    return block.lines if isinstance(block, Code) else block.rows


def _with_items(block: Bullets | Table | Code, items: Sequence[Any]) -> Block:
    if isinstance(block, Bullets):
        return Bullets(tuple(items))
    if isinstance(block, Code):
        return Code(tuple(items))
    return block._replace(rows=tuple(items))


def _divide_items(block: Bullets | Table | Code, scales: Scales, room: int) -> Iterable[Block]:
    """Divide a list or table into several, each with as many items as fit, at least one."""
    items = _items(block)
    start, end = 0, 1
    while start < len(items):
        low, end = start + 1, len(items)
        while low < end:  # Find the largest number of items that fits.
            middle = (low + end + 1) // 2
            if scales.weigh(_with_items(block, items[start:middle])) <= room:
                low = middle
            else:
                end = middle - 1
        yield _with_items(block, items[start:end])
        start = end


def _divide_in_two(block: Heading | Paragraph | Bullets | Table | Code) -> tuple[Block, ...]:
    """Divide a paragraph or heading in two.

    The only item of a list, or row of a table, becomes a paragraph.
    """
    if isinstance(block, Table):
        return (
            Paragraph(
                tuple(
                    Span(f"{cell} ")
                    for cell in (*block.head, *(c for row in block.rows for c in row))
                )
            ),
        )
    if isinstance(block, Bullets):
        return (Paragraph(block.items[0]),)
    if isinstance(block, Code):
        return (Paragraph((Span(block.lines[0]),)),)
    small = isinstance(block, Paragraph) and block.small
    spans = block.spans
    if len(spans) > 1:
        middle = len(spans) // 2
        return Paragraph(spans[:middle], small), Paragraph(spans[middle:], small)
    only = spans[0]
    middle = _middle(only.text)
    return tuple(
        Paragraph((only._replace(text=text),), small)
        for text in (only.text[:middle], only.text[middle:])
    )


def _middle(text: str) -> int:
    """Return the index at which a text is divided.

    That is after the first blank behind its middle, or else between two characters that can be
    separated.
    """
    middle = text.find(" ", len(text) // 2) + 1
    if 0 < middle < len(text):
        return middle
    middle = len(text) // 2
    while middle + 1 < len(text) and (
        unicodedata.combining(text[middle]) or text[middle] in "\u200d\ufe0f"
    ):
        middle += 1
    return middle
