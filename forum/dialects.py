"""The report model in each board's own dress: what all dialects share, a class for each, and the
registry of them.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from engine.strict_json import UNSEEN
from games.contract.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table

# What a dialect is: how each block of a report is written, how a board counts letters, how many it
# takes.


class Context(NamedTuple):
    """What a report is dressed with: `colours` of the seats by their keys, as `#rrggbb`."""

    colours: Mapping[str, str] = {}


class Dialect(ABC):
    """A way of writing that some boards read. What people typed opens, closes, links, mentions
    nothing in any of them.
    """

    key: ClassVar[str]
    name: ClassVar[Any]
    short: ClassVar[Any]
    """What it is called where there is little room."""
    limit: ClassVar[int]
    """The weight of one post that boards take by default."""
    between: ClassVar[str] = "\n"
    """What stands between two blocks."""
    colours: ClassVar[bool] = False
    """Are nations shown in their colours?"""
    tables: ClassVar[bool] = False
    """Are tables tables? Else they stand aligned in a fixed-width font."""

    @abstractmethod
    def block(self, block: Block, context: Context) -> str:
        """One block."""

    def weight(self, text: str) -> int:
        """What the board counts against its limit."""
        return len(text)

    def parts(self, report: Report, context: Context, limit: int | None = None) -> list[Report]:
        """The report as reports that fit into a post each, in order; where there are several, each
        says which it is.
        """

        def weigh(block: Block) -> int:
            return self.weight(self.block(block, context))

        return parts(
            report, weigh, self.limit if limit is None else limit, self.weight(self.between)
        )

    def text(self, report: Report, context: Context) -> str:
        """The whole report, whatever its weight."""
        return self.between.join(self.block(block, context) for block in report.blocks)

    def render(self, report: Report, context: Context, limit: int | None = None) -> list[str]:
        """The report as posts of at most `limit`, by default the board's usual one."""
        return [self.text(part, context) for part in self.parts(report, context, limit)]


def by_utf16(text: str) -> int:
    """Letters as JavaScript counts them."""
    return len(text.encode("utf-16-le")) // 2


def by_bytes(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode())


# Colours of nations as text on a forum's paper.

_COLOUR = re.compile(r"#([0-9a-f]{6})", re.ASCII | re.IGNORECASE)
# The darker of prosilver's two post backgrounds, and the contrast that text needs on it.
_PAPER = (0xE1, 0xEB, 0xF2)
_CONTRAST = 4.5


def _luminance(rgb: Sequence[float]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@lru_cache(maxsize=256)
def readable(colour: str) -> str:
    """The colour, darkened as far as text on a forum needs; "" if it is none."""
    match = _COLOUR.fullmatch(colour)
    if match is None:
        return ""
    rgb = [int(match[1][at : at + 2], 16) for at in (0, 2, 4)]
    while (_luminance(_PAPER) + 0.05) / (_luminance(rgb) + 0.05) < _CONTRAST:
        rgb = [c * 9 // 10 for c in rgb]
    return "#" + "".join(f"{c:02x}" for c in rgb)


# What people typed, so that no board reads anything into it; the same for all dialects.
#
# A word joiner (U+2060) is shown as nothing, breaks no line, and comes between the signs that a
# board would take together: `[` and a tag's name, the two strokes of an address, `@` and whom it
# would call. An entity or a backslash would be shown by boards that do not know it.

JOINER = "\u2060"
_LRM = "\u200e"
_JOINS = "\u200c\u200d"
_BLANKS = re.compile(r"\s+")
_SPACES = re.compile(rf"\s\s|^\s|\s$|[{UNSEEN}]")
_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LINKS = re.compile(
    # www. and ftp., which phpBB and MyBB link whatever follows
    r"(?<=[Ww][Ww][Ww])(?=\.)|(?<=[Ff][Tt][Pp])(?=\.)"
    r"|/(?=/)"  # http://, //host
    r"|(?<=\S)\.(?=[^\W\d_])"  # host.tld, whatever sign the host ends with
    r"|@(?=\S)"  # mentions, e-mail addresses
    r"|(?<=[A-Za-z]):(?=[^\s\d])"  # mailto:x, javascript:x
    r"|(?<!\S)(?:[:;=]|8(?=-?\)))(?=\S)|:(?=[\w+-]+:)"  # smilies, :shortcodes:
    r"|#(?=[^\W\d_])"  # tags, channels
    r"|&(?=#?\w+;)"  # entities
)


def clean(text: str) -> str:
    """The text on one line, in one direction, without signs that nobody sees. Blanks at its ends
    stay: it is a piece.
    """
    if (
        text.isprintable() and _SPACES.search(text) is None
    ):  # nearly all of a report's thousands of pieces
        return text
    seen = [
        sign
        for at, sign in enumerate(text)
        if (sign.isprintable() and sign not in UNSEEN) or _stays(text, at)
    ]
    return _BLANKS.sub(" ", "".join(seen))


def _stays(text: str, at: int) -> bool:
    """Blanks, which become one; the two joiners within a foreign word; letters that have no name
    yet.
    """
    sign = text[at]
    if sign in _JOINS:
        return text[at - 1 : at] > "\x7f" and text[at + 1 : at + 2] > "\x7f"
    return sign.isspace() or unicodedata.category(sign) in ("Cn", "Co")


def unlinked(text: str) -> str:
    """The cleaned text in which no board finds an address, a name to call, a picture or an
    entity.
    """
    return pieces([text])[0]


def pieces(texts: Sequence[str]) -> list[str]:
    """The same for the pieces of one line: what only two of them together would be, is nothing
    either.
    """
    cleaned = [clean(text) for text in texts]
    whole = "".join(cleaned)
    cuts = [match.end() for match in _LINKS.finditer(whole)]
    guarded, start = [], 0
    for text in cleaned:
        end, parts, at = start + len(text), list[str](), start
        while cuts and cuts[0] <= end:
            parts += (whole[at : cuts[0]], JOINER)
            at = cuts.pop(0)
        parts.append(whole[at:end])
        if (
            _RIGHT.search(text) is not None
        ):  # what follows is not drawn into writing from right to left
            parts.append(_LRM)
        guarded.append("".join(parts))
        start = end
    return guarded


ODD_IN_ADDRESS = frozenset("[]()<>\"'`|\\^{} \t\r\n")


def address(link: str) -> str:
    """An address of the site itself, to stand in a tag; empty where it holds what would end one, or
    is no web address.
    """
    plain = link.isascii() and link.isprintable() and not ODD_IN_ADDRESS & set(link)
    return link if plain and link.startswith(("https://", "http://")) else ""


# Tables in a fixed-width font.


def width(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return (
        len(text)
        + wide
        - sum(unicodedata.combining(c) > 0 or unicodedata.category(c) == "Cf" for c in text)
    )


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


# A report divided at a board's limit: between its sections where it can, then between blocks, then
# within one.

LEAST = 200
"""Never less than this for the text under a title, so that dividing comes to an end."""
MOST = 999
FULL = 2
"""A post that is full to one part in so many may end early, for the next section to stay whole."""

Weigh = Callable[[Block], int]


def parts(report: Report, weigh: Weigh, limit: int, between: int) -> list[Report]:
    """The report as reports of at most `limit`, as `weigh` weighs a block and `between` what stands
    between two.

    Where there are several, the title of each says which it is. A heading stays with what follows
    it. Sections stay whole if that costs no post more than half its room; longer lists, tables,
    paragraphs are divided between items, rows, words.
    """
    title, blocks = headed(report)
    if weigh(title) + sum(weigh(block) + between for block in blocks) <= limit:
        return [report._replace(blocks=(title, *blocks))]
    room = max(limit - weigh(_numbered(title, MOST, MOST)) - between, LEAST)
    posts = list(_fill_posts(_fitting(blocks, weigh, room), weigh, room, between))
    return [
        report._replace(
            blocks=(_numbered(title, n, len(posts)), *part),
            title=_titled(report.title, n, len(posts)),
        )
        for n, part in enumerate(posts, 1)
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


# Into posts ---------------------------------------------------------------------------------------


class _Posts:
    """Posts that are being filled. `room` is the room of each, `between` what a block adds."""

    def __init__(self, weigh: Weigh, room: int, between: int) -> None:
        self.weigh, self.room, self.between = weigh, room, between
        self.posts: list[list[Block]] = [[]]
        self.used = 0

    def weight(self, blocks: Sequence[Block]) -> int:
        return sum(self.weigh(block) + self.between for block in blocks)

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
        """Put block after block. A heading stays with what follows if both fit into a post."""
        for part in _held(blocks):
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


def _fill_posts(
    blocks: Sequence[Block], weigh: Weigh, room: int, between: int
) -> list[list[Block]]:
    posts = _Posts(weigh, room, between)
    for section in sections(blocks, 2):
        posts.put(section, 2)
    return [post for post in posts.posts if post]


def sections(blocks: Sequence[Block], level: int) -> list[list[Block]]:
    """The blocks by chapter: each heading of this level or above begins one, but for one right
    under another heading.
    """
    chapters: list[list[Block]] = []
    for block in blocks:
        starts = isinstance(block, Heading) and block.level <= level
        if not chapters or (starts and not all(isinstance(one, Heading) for one in chapters[-1])):
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _held(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks by themselves, headings with the block after them."""
    groups: list[list[Block]] = []
    for block in blocks:
        if not groups or not all(isinstance(one, Heading) for one in groups[-1]):
            groups.append([])
        groups[-1].append(block)
    return groups


# Within a block -----------------------------------------------------------------------------------


def _fitting(blocks: Sequence[Block], weigh: Weigh, room: int) -> list[Block]:
    """The blocks, those that are too long for a post divided."""
    fitted: list[Block] = []
    for block in blocks:
        fitted += _halves(block, weigh, room)
    return fitted


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
    return (
        Bullets(tuple(items)) if isinstance(block, Bullets) else block._replace(rows=tuple(items))
    )


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
    """Where a text is divided: after a blank behind its middle, else between two letters that stand
    by themselves.
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


# BBCode: what phpBB's and MyBB's have in common. There are no tables in it: they stand aligned in
# [code].
#
# A bracket that a person wrote is followed by a word joiner: both boards know a tag only where its
# name or "/" follows "[" at once, inside [code] too.


def bracketed(text: str) -> str:
    """The text as BBCode that opens and closes nothing."""
    return text.replace("[", "[" + JOINER)


class BBCode(Dialect):
    """`sizes` are the heading's sizes by level, "" for the text's own; `small` that of what stands
    under a report.
    """

    colours = True
    sizes: ClassVar[Mapping[int, str]]
    small: ClassVar[str]

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Heading):
            inside = self.line(block.spans, context, heading=True)
            return self.sized(f"[b]{inside}[/b]", self.sizes[block.level])
        if isinstance(block, Paragraph):
            inside = self.line(block.spans, context)
            return self.sized(inside, self.small) if block.small else inside
        if isinstance(block, Bullets):
            return (
                "[list]\n"
                + "\n".join("[*]" + self.line(item, context) for item in block.items)
                + "\n[/list]"
            )
        return (
            "[code]"
            + "\n".join(rows_of(block, lambda cell: self.typed(unlinked(cell))))
            + "[/code]"
        )

    def typed(self, text: str) -> str:
        """A text in which no address is found, so that it opens and closes nothing either."""
        return bracketed(text)

    def sized(self, text: str, size: str) -> str:
        return f"[size={size}]{text}[/size]" if size else text

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        texts = pieces([span.text for span in spans])
        return "".join(
            self.span(span, self.typed(text), context, heading)
            for span, text in zip(spans, texts, strict=True)
        )

    def span(self, span: Span, text: str, context: Context, heading: bool) -> str:
        """A piece of a line, `text` its words."""
        picture, link = address(span.picture), address(span.link)
        if picture:
            return f"[img]{picture}[/img]\n{self.sized(text, self.small)}"
        if link and link == span.text:
            text = link
        if not text.strip():
            return text
        colour = readable(context.colours.get(span.seat, "")) if span.seat else ""
        if (span.bold or span.seat) and not heading:
            text = f"[b]{text}[/b]"
        if colour:
            text = f"[color={colour}]{text}[/color]"
        if span.italic:
            text = f"[i]{text}[/i]"
        return f"[url={link}]{text}[/url]" if link else text


# BBCode of MyBB. Sizes have names there, and "/me" or "/slap" is a stage direction at the beginning
# of a line or a tag.

_LINE = re.compile(r"^/(?=\w)", re.MULTILINE)
_STAGE = re.compile(r"/(?=me\b|slap\b|$)", re.IGNORECASE)


class MyBB(BBCode):
    """Its default limit is 65,535 bytes."""

    short = "MyBB"
    key, name, limit = "mybb", "BBCode (MyBB)", 65_535
    sizes, small = {1: "x-large", 2: "large", 3: ""}, "small"

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def block(self, block: Block, context: Context) -> str:
        return _LINE.sub("/" + JOINER, super().block(block, context))

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        return _LINE.sub("/" + JOINER, super().line(spans, context, heading))

    def typed(self, text: str) -> str:
        return _STAGE.sub("/" + JOINER, super().typed(text))


# BBCode of phpBB: the tags that every phpBB has.


class PhpBB(BBCode):
    """Its default limit is 60,000 characters."""

    short = "phpBB"
    key, name, limit = "phpbb", "BBCode (phpBB)", 60_000
    sizes, small = {1: "150", 2: "120", 3: ""}, "85"

    def weight(self, text: str) -> int:
        """The characters phpBB counts: it escapes a post before it measures it."""
        return len(escape(text))


# What Markdown and Discord's own have in common: backslashes, emphasis that opens and closes
# wherever it stands.

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
    """A span with its stars and its link. Blanks at its ends are left outside: stars beside them
    would be stars.
    """
    link = address(span.link)
    if link and link == span.text:
        return f"<{link}>"
    inside = text.strip(" ")
    if not inside:
        return text
    stars = ("**" if (span.bold or span.seat) and not heading else "") + (
        "*" if span.italic else ""
    )
    before, after = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
    styled = stars + _edged(inside) + stars if stars else inside
    return f"{before}[{styled}]({link}){after}" if link else before + styled + after


def _edged(text: str) -> str:
    """Between stars: a joiner beside a sign at its end, since stars open and close beside letters
    wherever they stand.
    """
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
            return (
                f"![{text}]({picture.picture})\n*{text}*"
                if text.strip()
                else f"![]({picture.picture})"
            )
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


# Plain text for letters: titles underlined, tables aligned, addresses in angle brackets.


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


# HTML for letters and for boards that take it: plain elements, colours beside them, no classes, no
# scripts.

CELL = 'style="padding:2px 10px 2px 0;text-align:{}"'
SMALL = 'style="font-size:85%"'


class Html(Dialect):
    """Some mail programs cut a letter after 102 kB; with its plain text beside it, it stays
    below.
    """

    short = "HTML"
    key, name, limit = "html", "HTML", 60_000
    colours = tables = True

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Table):
            return _plain_table(block)
        if isinstance(block, Bullets):
            return (
                "<ul>\n"
                + "\n".join(f"<li>{_line(item, context)}</li>" for item in block.items)
                + "\n</ul>"
            )
        inside = _line(block.spans, context, heading=isinstance(block, Heading))
        if isinstance(block, Heading):
            return f"<h{block.level}>{inside}</h{block.level}>"
        return (
            f"<p {SMALL}>{inside}</p>"
            if isinstance(block, Paragraph) and block.small
            else f"<p>{inside}</p>"
        )


def _line(spans: Spans, context: Context, heading: bool = False) -> str:
    texts = pieces([span.text for span in spans])
    return "".join(
        _span(span, escape(text), context, heading) for span, text in zip(spans, texts, strict=True)
    )


def _span(span: Span, text: str, context: Context, heading: bool) -> str:
    link, picture = address(span.link), address(span.picture)
    if picture:
        return (
            f'<img src="{escape(picture)}" alt="{text}"'
            f' style="max-width:100%;height:auto"><br><small>{text}</small>'
        )
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


def _plain_table(table: Table) -> str:
    """The first column to the left, the others to the right."""
    sides = ["left", *["right"] * (len(table.head) - 1)]
    rows = []
    for row in (table.head, *table.rows):
        cells = []
        for side, cell in zip(sides, row, strict=True):
            shown = unlinked(cell)
            kind = (
                "th" if row is table.head and shown.strip() else "td"
            )  # an empty one is no header of anything
            cells.append(f"<{kind} {CELL.format(side)}>{escape(shown)}</{kind}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


DIALECTS: dict[str, Dialect] = {
    dialect.key: dialect for dialect in (PhpBB(), MyBB(), Markdown(), Discord(), Html(), Plain())
}
"""By their keys, in the order in which they are offered; the first is the default."""
DEFAULT = next(iter(DIALECTS))

__all__ = ["DEFAULT", "DIALECTS", "Context", "Dialect"]
