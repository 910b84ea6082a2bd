"""Dialects, which write reports in the markup of boards: a base class, the classes, a registry."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext_lazy

from engine.strict_json import UNSEEN
from forum.spans import filled_spans
from games.contract.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table

# The base class: how each block of a report is written, how a board measures a text, and its limit


class Context(NamedTuple):
    """The facts for writing a report: `colours` of the seats by their keys, as `#rrggbb`."""

    colours: Mapping[str, str] = {}


class Dialect(ABC):
    """The markup of some boards.

    Text that users typed has no effect in any dialect: no markup, no links, no mentions.
    """

    key: ClassVar[str]
    name: ClassVar[Any]
    short: ClassVar[Any]
    """A short name, for places with little room."""
    limit: ClassVar[int]
    """The default maximum weight of one post."""
    between: ClassVar[str] = "\n"
    """The separator between two blocks."""
    colours: ClassVar[bool] = False
    """Whether nations are shown in their colours."""
    tables: ClassVar[bool] = False
    """Whether the dialect has tables. If not, they are aligned in a fixed-width font."""

    @abstractmethod
    def block(self, block: Block, context: Context) -> str:
        """Write one block."""

    def weight(self, text: str) -> int:
        """Return the length of a text as the board counts it against its limit."""
        return len(text)

    def parts(self, report: Report, context: Context, limit: int | None = None) -> list[Report]:
        """Divide a report into reports that each fit into a post, in order.

        If there are several, the title of each says which part it is.
        """

        def weigh(block: Block) -> int:
            return self.weight(self.block(block, context))

        return divide_report(
            report, weigh, self.limit if limit is None else limit, self.weight(self.between)
        )

    def text(self, report: Report, context: Context) -> str:
        """Write the whole report, whatever its weight."""
        return self.between.join(self.block(block, context) for block in report.blocks)

    def render(self, report: Report, context: Context, limit: int | None = None) -> list[str]:
        """Write the report as posts of at most `limit`, by default the board's usual limit."""
        return [self.text(part, context) for part in self.parts(report, context, limit)]


def utf16_length(text: str) -> int:
    """Return the number of UTF-16 code units, as JavaScript counts characters."""
    return len(text.encode("utf-16-le")) // 2


def utf8_length(text: str) -> int:
    """Return the number of bytes in UTF-8."""
    return len(text.encode())


# Colours of nations as text on a forum's background

_COLOUR = re.compile(r"#([0-9a-f]{6})", re.ASCII | re.IGNORECASE)
# The darker of the two post backgrounds of phpBB's style prosilver, and the contrast that text
# needs on it.
_PAPER = (0xE1, 0xEB, 0xF2)
_CONTRAST = 4.5


def _luminance(rgb: Sequence[float]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@lru_cache(maxsize=256)
def readable_colour(colour: str) -> str:
    """Return the colour, darkened until it is readable as text; empty if it is not a colour."""
    match = _COLOUR.fullmatch(colour)
    if match is None:
        return ""
    rgb = [int(match[1][at : at + 2], 16) for at in (0, 2, 4)]
    while (_luminance(_PAPER) + 0.05) / (_luminance(rgb) + 0.05) < _CONTRAST:
        rgb = [c * 9 // 10 for c in rgb]
    return "#" + "".join(f"{c:02x}" for c in rgb)


# Text that users typed, in a form in which no board finds markup; the same for all dialects
#
# A word joiner (U+2060) is invisible and allows no line break. It is inserted between characters
# that a board would read together: `[` and the name of a tag, the two slashes of an address, `@`
# and a name. Entities or backslashes would be visible on boards that do not know them.

JOINER = "\u2060"
_LRM = "\u200e"
_JOINS = "\u200c\u200d"
_BLANKS = re.compile(r"\s+")
_SPACES = re.compile(rf"\s\s|^\s|\s$|[{UNSEEN}]")
_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LINKS = re.compile(
    # www. and ftp., after which phpBB and MyBB make a link of any text
    r"(?<=[Ww][Ww][Ww])(?=\.)|(?<=[Ff][Tt][Pp])(?=\.)"
    r"|/(?=/)"  # http://, //host
    r"|(?<=\S)\.(?=[^\W\d_])"  # host.tld, even if the host ends with a sign
    r"|@(?=\S)"  # mentions, e-mail addresses
    r"|(?<=[A-Za-z]):(?=[^\s\d])"  # mailto:x, javascript:x
    r"|(?<!\S)(?:[:;=]|8(?=-?\)))(?=\S)|:(?=[\w+-]+:)"  # smilies, :shortcodes:
    r"|#(?=[^\W\d_])"  # tags, channels
    r"|&(?=#?\w+;)"  # entities
)


def clean(text: str) -> str:
    """Return the text on one line, in one direction, without invisible characters.

    Blanks at its ends are kept, because it is a piece of a line.
    """
    # Nearly all of the thousands of pieces of a report end here.
    if text.isprintable() and _SPACES.search(text) is None:
        return text
    seen = [
        sign
        for at, sign in enumerate(text)
        if (sign.isprintable() and sign not in UNSEEN) or _is_kept(text, at)
    ]
    return _BLANKS.sub(" ", "".join(seen))


def _is_kept(text: str, at: int) -> bool:
    """Return whether a character that is not printable is kept.

    These are blanks, which are merged later; the two joiners within a word of a foreign script; and
    characters that have no name yet.
    """
    sign = text[at]
    if sign in _JOINS:
        return text[at - 1 : at] > "\x7f" and text[at + 1 : at + 2] > "\x7f"
    return sign.isspace() or unicodedata.category(sign) in ("Cn", "Co")


def unlink(text: str) -> str:
    """Return the cleaned text in which no board finds a link, a mention, a picture or an entity."""
    return unlink_pieces([text])[0]


def unlink_pieces(texts: Sequence[str]) -> list[str]:
    """Return the pieces of one line, cleaned and unlinked.

    Two adjacent pieces do not form an address or a mention together either.
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
        # The text after it must not become part of the right-to-left text.
        if _RIGHT.search(text) is not None:
            parts.append(_LRM)
        guarded.append("".join(parts))
        start = end
    return guarded


ODD_IN_ADDRESS = frozenset("[]()<>\"'`|\\^{} \t\r\n")


def safe_address(link: str) -> str:
    """Return an address of this site for use in a tag.

    It is empty if it contains characters that would end a tag, or is not a web address.
    """
    plain = link.isascii() and link.isprintable() and not ODD_IN_ADDRESS & set(link)
    return link if plain and link.startswith(("https://", "http://")) else ""


# Tables in a fixed-width font


def column_width(text: str) -> int:
    """Return the number of columns that the text takes in a fixed-width font."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return (
        len(text)
        + wide
        - sum(unicodedata.combining(c) > 0 or unicodedata.category(c) == "Cf" for c in text)
    )


def table_lines(table: Table, spell: Callable[[str], str] = clean) -> list[str]:
    """Return the table's lines, with the first column aligned left and the others right."""
    cells = [[spell(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(column_width(row[at]) for row in cells) for at in range(len(table.head))]
    lines = []
    for row in cells:
        blanks = [" " * (most - column_width(cell)) for cell, most in zip(row, widths, strict=True)]
        others = [blank + cell for cell, blank in zip(row[1:], blanks[1:], strict=True)]
        lines.append("  ".join([row[0] + blanks[0], *others]).rstrip())
    return lines


# Dividing a report at a board's limit: between sections if possible, otherwise between blocks,
# otherwise within a block

LEAST_ROOM = 200
"""The minimum room for the text below a title, so that the division always ends."""
MOST_PARTS = 999
FULL = 2
"""The divisor of a post's room: a post that is half full may end early to keep a section whole."""

Weigh = Callable[[Block], int]


def divide_report(report: Report, weigh: Weigh, limit: int, between: int) -> list[Report]:
    """Divide a report into reports of at most `limit`.

    `weigh` returns the weight of a block, and `between` is that of a separator. If there are
    several reports, the title of each says which part it is. A heading stays with the block after
    it. Sections are kept whole if that costs no post more than half its room; longer lists, tables
    and paragraphs are divided between items, rows and words.
    """
    title, blocks = split_title(report)
    if weigh(title) + sum(weigh(block) + between for block in blocks) <= limit:
        return [report._replace(blocks=(title, *blocks))]
    room = max(
        limit - weigh(_numbered_heading(title, MOST_PARTS, MOST_PARTS)) - between, LEAST_ROOM
    )
    posts = list(_fill_posts(_divide_long(blocks, weigh, room), weigh, room, between))
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
    """Posts that are being filled.

    `room` is the room of each post, `between` the weight that a block adds.
    """

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


def _fill_posts(
    blocks: Sequence[Block], weigh: Weigh, room: int, between: int
) -> list[list[Block]]:
    posts = _Posts(weigh, room, between)
    for section in sections(blocks, 2):
        posts.put(section, 2)
    return [post for post in posts.posts if post]


def sections(blocks: Sequence[Block], level: int) -> list[list[Block]]:
    """Group the blocks into chapters.

    Each heading of this level or above begins a chapter, unless it directly follows another
    heading.
    """
    chapters: list[list[Block]] = []
    for block in blocks:
        starts = isinstance(block, Heading) and block.level <= level
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


def _divide_long(blocks: Sequence[Block], weigh: Weigh, room: int) -> list[Block]:
    """Return the blocks, with those that are too long for a post divided."""
    fitted: list[Block] = []
    for block in blocks:
        fitted += _divide_block(block, weigh, room)
    return fitted


def _divide_block(block: Block, weigh: Weigh, room: int) -> Iterable[Block]:
    if weigh(block) <= room:
        yield block
        return
    if isinstance(block, (Bullets, Table)) and len(_items(block)) > 1:
        pieces: Iterable[Block] = _divide_items(block, weigh, room)
    else:
        pieces = _divide_in_two(block)
    for piece in pieces:
        yield from _divide_block(piece, weigh, room)


def _items(block: Bullets | Table) -> Sequence[Any]:
    return block.items if isinstance(block, Bullets) else block.rows


def _with_items(block: Bullets | Table, items: Sequence[Any]) -> Bullets | Table:
    return (
        Bullets(tuple(items)) if isinstance(block, Bullets) else block._replace(rows=tuple(items))
    )


def _divide_items(block: Bullets | Table, weigh: Weigh, room: int) -> Iterable[Block]:
    """Divide a list or table into several, each with as many items as fit, at least one."""
    items = _items(block)
    start, end = 0, 1
    while start < len(items):
        low, end = start + 1, len(items)
        while low < end:  # Find the largest number of items that fits.
            middle = (low + end + 1) // 2
            if weigh(_with_items(block, items[start:middle])) <= room:
                low = middle
            else:
                end = middle - 1
        yield _with_items(block, items[start:end])
        start = end


def _divide_in_two(block: Block) -> tuple[Block, ...]:
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


# BBCode as phpBB and MyBB have in common. It has no tables; they are aligned in [code].
#
# A bracket that a user typed is followed by a word joiner: both boards recognize a tag only if its
# name or "/" follows "[" directly, inside [code] too.


def escape_brackets(text: str) -> str:
    """Return the text as BBCode without effective tags."""
    return text.replace("[", "[" + JOINER)


class BBCode(Dialect):
    """The base class of the BBCode dialects.

    `sizes` are the letter sizes of headings by level, empty for the normal size; `small` is the
    size of the lines below a report.
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
            + "\n".join(table_lines(block, lambda cell: self.escaped(unlink(cell))))
            + "[/code]"
        )

    def escaped(self, text: str) -> str:
        """Return an unlinked text without effective tags."""
        return escape_brackets(text)

    def sized(self, text: str, size: str) -> str:
        return f"[size={size}]{text}[/size]" if size else text

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        texts = unlink_pieces([span.text for span in spans])
        return "".join(
            self.span(span, self.escaped(text), context, heading)
            for span, text in zip(spans, texts, strict=True)
        )

    def span(self, span: Span, text: str, context: Context, heading: bool) -> str:
        """Write a piece of a line, whose cleaned text is `text`."""
        picture, link = safe_address(span.picture), safe_address(span.link)
        if picture:
            return f"[img]{picture}[/img]\n{self.sized(text, self.small)}"
        if link and link == span.text:
            text = link
        if not text.strip():
            return text
        colour = readable_colour(context.colours.get(span.seat, "")) if span.seat else ""
        if (span.bold or span.seat) and not heading:
            text = f"[b]{text}[/b]"
        if colour:
            text = f"[color={colour}]{text}[/color]"
        if span.italic:
            text = f"[i]{text}[/i]"
        return f"[url={link}]{text}[/url]" if link else text


# BBCode of MyBB. Its sizes have names. "/me" or "/slap" at the beginning of a line or a tag is a
# command.

_LINE = re.compile(r"^/(?=\w)", re.MULTILINE)
_STAGE = re.compile(r"/(?=me\b|slap\b|$)", re.IGNORECASE)


class MyBB(BBCode):
    """The BBCode of MyBB, whose default limit is 65,535 bytes."""

    short = "MyBB"
    key, name, limit = "mybb", "BBCode (MyBB)", 65_535
    sizes, small = {1: "x-large", 2: "large", 3: ""}, "small"

    def weight(self, text: str) -> int:
        return utf8_length(text)

    def block(self, block: Block, context: Context) -> str:
        return _LINE.sub("/" + JOINER, super().block(block, context))

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        return _LINE.sub("/" + JOINER, super().line(spans, context, heading))

    def escaped(self, text: str) -> str:
        return _STAGE.sub("/" + JOINER, super().escaped(text))


# BBCode of phpBB, with the tags that every phpBB has


class PhpBB(BBCode):
    """The BBCode of phpBB, whose default limit is 60,000 characters."""

    short = "phpBB"
    key, name, limit = "phpbb", "BBCode (phpBB)", 60_000
    sizes, small = {1: "150", 2: "120", 3: ""}, "85"

    def weight(self, text: str) -> int:
        """Return the number of characters as phpBB counts them: after escaping HTML."""
        return len(escape(text))


# Markdown as Discord and other boards have in common: backslashes, and emphasis that may begin and
# end anywhere

_SIGNS = re.compile(r"[\\`*_\[\]<>|~$^]|([=+])(?=\1|$)|&(?=#?\w)")
# The beginning of a line that is a heading, a list, a quotation, a rule, a table or a definition.
_HEAD = re.compile(r"[#>+=:~|-]|\d+[.)](?=\s|$)")


def escape_markdown(text: str) -> str:
    """Return the text with a backslash before every character that has a meaning in Markdown."""
    return _backslashed(unlink(text))


def _backslashed(text: str) -> str:
    return _SIGNS.sub(lambda match: "\\" + match[0], text)


def escape_line_start(line: str) -> str:
    """Escape the beginning of a line, so that it is plain text."""
    line = line.lstrip(" ")
    match = _HEAD.match(line)
    if match is None:
        return line
    at = match.end() - 1
    return f"{line[:at]}\\{line[at:]}"


def inline_markdown(spans: Spans, heading: bool = False) -> str:
    """Write one line with bold, italic and links. Seats are bold; a heading is bold already."""
    line, closed = "", False
    for span, text in zip(spans, unlink_pieces([span.text for span in spans]), strict=True):
        text = _piece(span, _backslashed(text), heading)
        if closed and text.startswith("*"):
            line += JOINER  # Otherwise the asterisks of both would be read together.
        line += text
        if text:
            closed = text.endswith("*") and not text.endswith("\\*")
    return escape_line_start(line)


def _piece(span: Span, text: str, heading: bool) -> str:
    """Write a span with its asterisks and its link.

    Blanks at its ends remain outside: next to a blank, asterisks would be literal.
    """
    link = safe_address(span.link)
    if link and link == span.text:
        return f"<{link}>"
    inside = text.strip(" ")
    if not inside:
        return text
    stars = ("**" if (span.bold or span.seat) and not heading else "") + (
        "*" if span.italic else ""
    )
    before, after = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
    styled = stars + _with_joiners(inside) + stars if stars else inside
    return f"{before}[{styled}]({link}){after}" if link else before + styled + after


def _with_joiners(text: str) -> str:
    """Prepare a text for enclosing asterisks, which only work next to letters.

    A joiner is added where the text begins or ends with another character.
    """
    first = "" if text[0].isalnum() else JOINER
    return first + text + ("" if text[-1].isalnum() or unicodedata.combining(text[-1]) else JOINER)


# Markdown as Discourse and NodeBB read it (CommonMark with tables)


class Markdown(Dialect):
    """The Markdown of Discourse and NodeBB.

    By default Discourse takes 32,000 characters, NodeBB 32,767.
    """

    short = "Markdown"
    key, name, limit, between = "markdown", "Markdown (Discourse, NodeBB)", 32_000, "\n\n"
    tables = True

    def weight(self, text: str) -> int:
        return utf16_length(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline_markdown(block.spans, heading=True)
            return f"{'#' * block.level} {inside}"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline_markdown(item)}" for item in block.items)
        if isinstance(block, Table):
            return _table(block)
        picture = next((span for span in block.spans if safe_address(span.picture)), None)
        if picture is not None:
            text = escape_markdown(picture.text)
            return (
                f"![{text}]({picture.picture})\n*{text}*"
                if text.strip()
                else f"![]({picture.picture})"
            )
        return inline_markdown(block.spans)


def _table(table: Table) -> str:
    """Write a table with the first column aligned left and the others right."""
    rows = [
        [escape_markdown(cell).strip() or " " for cell in row] for row in (table.head, *table.rows)
    ]
    under = [":--", *["--:"] * (len(table.head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], under, *rows[1:]))


# Discord's Markdown: no tables, no colours, 2,000 characters in a message


class Discord(Dialect):
    """The Markdown of Discord; each message is a part of a report.

    The code that sends a message also disables mentions.
    """

    short = "Discord"
    key, name, limit = "discord", "Discord", 2_000

    def weight(self, text: str) -> int:
        return utf16_length(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline_markdown(block.spans, heading=True)
            return f"{'#' * (block.level + 1)} {inside}" if block.level < 3 else f"**{inside}**"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline_markdown(item)}" for item in block.items)
        if isinstance(block, Table):
            return "```\n" + "\n".join(table_lines(block, _code_text)) + "\n```"
        picture = next((span for span in block.spans if safe_address(span.picture)), None)
        if picture is not None:
            # Discord shows the picture of an address that is alone on its line.
            return f"-# {escape_line_start(escape_markdown(picture.text))}\n{picture.picture}"
        return f"-# {inline_markdown(block.spans)}" if block.small else inline_markdown(block.spans)


def _code_text(text: str) -> str:
    """Write a text within a code block, where only the end of the block has a meaning."""
    return unlink(text).replace("`", "`" + JOINER)


# Plain text for e-mails: titles underlined, tables aligned, addresses in angle brackets


class Plain(Dialect):
    """Plain text for e-mails.

    The default limit of mailing lists is 40 kB including the headers.
    """

    short = pgettext_lazy("dialect", "Text")
    key, name, limit, between = "plain", pgettext_lazy("dialect", "Plain text"), 36_000, "\n\n"

    def weight(self, text: str) -> int:
        return utf8_length(text)

    def block(self, block: Block, context: Context) -> str:
        if isinstance(block, Table):
            return "\n".join(map(_unquoted, table_lines(block, unlink)))
        if isinstance(block, Bullets):
            return "\n".join("- " + plain_line(item) for item in block.items)
        text = plain_line(block.spans)
        if isinstance(block, Heading) and block.level < 3:
            return f"{text}\n{('=' if block.level == 1 else '-') * column_width(text)}"
        return text


def plain_line(spans: Spans) -> str:
    """Write a line without formatting."""
    line = ""
    for span, text in zip(spans, unlink_pieces([span.text for span in spans]), strict=True):
        to = safe_address(span.picture) or safe_address(span.link)
        line += to if to and to == span.text else text + (f" <{to}>" if to else "")
    return _unquoted(line.strip(" "))


def _unquoted(line: str) -> str:
    """Prevent a line from being read as a quotation or as the beginning of a signature."""
    return JOINER + line if line.startswith((">", "--", "|")) else line


# HTML for e-mails and for boards that accept it: plain elements with inline styles, no classes, no
# scripts

CELL = 'style="padding:2px 10px 2px 0;text-align:{}"'
SMALL = 'style="font-size:85%"'


class Html(Dialect):
    """HTML.

    Some mail programs cut an e-mail after 102 kB; with its plain text included, it stays below
    that.
    """

    short = "HTML"
    key, name, limit = "html", "HTML", 60_000
    colours = tables = True

    def weight(self, text: str) -> int:
        return utf8_length(text)

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
    texts = unlink_pieces([span.text for span in spans])
    return "".join(
        _span(span, escape(text), context, heading) for span, text in zip(spans, texts, strict=True)
    )


def _span(span: Span, text: str, context: Context, heading: bool) -> str:
    link, picture = safe_address(span.link), safe_address(span.picture)
    if picture:
        return (
            f'<img src="{escape(picture)}" alt="{text}"'
            f' style="max-width:100%;height:auto"><br><small>{text}</small>'
        )
    if link and link == span.text:
        text = escape(link)
    colour = readable_colour(context.colours.get(span.seat, "")) if span.seat else ""
    if (span.bold or span.seat) and not heading:
        text = f"<b>{text}</b>"
    if colour:
        text = f'<span style="color:{colour}">{text}</span>'
    if span.italic:
        text = f"<i>{text}</i>"
    return f'<a href="{escape(link)}">{text}</a>' if link else text


def _plain_table(table: Table) -> str:
    """Write a table with the first column aligned left and the others right."""
    sides = ["left", *["right"] * (len(table.head) - 1)]
    rows = []
    for row in (table.head, *table.rows):
        cells = []
        for side, cell in zip(sides, row, strict=True):
            shown = unlink(cell)
            # An empty cell is not a header.
            kind = "th" if row is table.head and shown.strip() else "td"
            cells.append(f"<{kind} {CELL.format(side)}>{escape(shown)}</{kind}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


DIALECTS: dict[str, Dialect] = {
    dialect.key: dialect for dialect in (PhpBB(), MyBB(), Markdown(), Discord(), Html(), Plain())
}
"""All dialects by their keys, in the order in which they are offered; the first is the default."""
DEFAULT = next(iter(DIALECTS))

__all__ = ["DEFAULT", "DIALECTS", "Context", "Dialect"]
