"""Dialects, which write reports in the markup of boards: a base class, the classes, a registry."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import pgettext_lazy

from engine.strict_json import UNSEEN
from forum.dividing import Scales, divide_report, split_title, unfolded
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

Plainly = Heading | Paragraph | Bullets | Table | Code
"""A block that is not a fold."""

# The base class: how each block of a report is written, how a board measures a text, and its limit


class Context(NamedTuple):
    """The facts for writing a report: `colours` of the seats by their keys, as `#rrggbb`.

    `folds` says whether the board can fold, if not all boards of the dialect can. `subject` says
    whether the place shows the subject above each post, so that the text does not repeat it.
    """

    colours: Mapping[str, str] = {}
    folds: bool = False
    subject: bool = False


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
    """The separator between two blocks; headings always follow a blank line."""
    subject: ClassVar[bool] = False
    """Whether all boards of the dialect show the subject above each post."""
    folds: ClassVar[bool] = False
    """Whether all boards of the dialect can fold text."""
    colours: ClassVar[bool] = False
    """Whether nations are shown in their colours."""
    tables: ClassVar[bool] = False
    """Whether the dialect has tables. If not, they are aligned in a fixed-width font."""

    @abstractmethod
    def block(self, block: Plainly, context: Context) -> str:
        """Write one block that is not a fold."""

    def folded(self, heading: str, inside: str) -> str:
        """Write a fold, whose heading has no markup."""
        raise NotImplementedError

    def write(self, block: Block, context: Context) -> str:
        """Write one block."""
        if not isinstance(block, Fold):
            return self.block(block, context)
        if not self.can_fold(context):
            return self.join(unfolded(block), context)
        heading = "".join(unlink_pieces([span.text for span in block.heading]))
        return self.folded(heading, self.join(block.blocks, context))

    def can_fold(self, context: Context) -> bool:
        return self.folds

    def weight(self, text: str) -> int:
        """Return the length of a text as the board counts it against its limit."""
        return len(text)

    def parts(self, report: Report, context: Context, limit: int | None = None) -> list[Report]:
        """Divide a report into reports that each fit into a post, in order.

        If there are several, the title of each says which part it is.
        """
        limit = self.limit if limit is None else limit
        if self.weight(self.text(report, context)) <= limit:
            return [report]
        # Every block may follow a blank line.
        between = self.weight("\n\n")

        def weigh(block: Block) -> int:
            return self.weight(self.write(block, context))

        return divide_report(report, Scales(weigh, between, self.can_fold(context)), limit)

    def text(self, report: Report, context: Context) -> str:
        """Write the whole report, whatever its weight."""
        title, blocks = split_title(report)
        has_subject = (self.subject or context.subject) and blocks
        return self.join(blocks if has_subject else (title, *blocks), context)

    def join(self, blocks: Sequence[Block], context: Context) -> str:
        """Write blocks below each other."""
        text, before = "", None
        for block in blocks:
            written = self.write(block, context)
            if written:
                text += (self.separator(before, block) if before else "") + written
                before = block
        return text

    def separator(self, before: Block, after: Block) -> str:
        """Return the separator of two blocks: a blank line before headings and between texts."""
        apart = isinstance(after, (Heading, Fold)) or isinstance(before, Fold)
        texts = (before, after)
        apart = apart or all(isinstance(block, Paragraph) and not block.small for block in texts)
        return "\n\n" if apart else self.between

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


def code_lines(block: Table | Code, spell: Callable[[str], str]) -> list[str]:
    """Return the lines of a block in a fixed-width font."""
    return table_lines(block, spell) if isinstance(block, Table) else [*map(spell, block.lines)]


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

    colours = subject = True
    sizes: ClassVar[Mapping[int, str]]
    small: ClassVar[str]

    def block(self, block: Plainly, context: Context) -> str:
        if isinstance(block, Heading):
            inside = self.line(block.spans, context, heading=True)
            return self.sized(f"[b]{inside}[/b]", self.sizes[block.level])
        if isinstance(block, Paragraph):
            inside = self.line(block.spans, context)
            return self.sized(inside, self.small) if block.small else inside
        if isinstance(block, Bullets):
            items = ("[*]" + line for line in self.items(block, context))
            return "[list]\n" + "\n".join(items) + "\n[/list]"
        return "[code]" + "\n".join(code_lines(block, self.cell)) + "[/code]"

    def can_fold(self, context: Context) -> bool:
        return context.folds

    def folded(self, heading: str, inside: str) -> str:
        # A title within the tag is not known to all boards.
        return f"[b]{self.escaped(heading)}[/b]\n[spoiler]\n{inside}\n[/spoiler]"

    def items(self, block: Bullets, context: Context) -> Iterator[str]:
        """Yield the lines of a list. A seat that begins lines has its colour at the first one."""
        named = {item[0].seat for item in block.items if item} - {""}
        waiting = set(named)
        for item in block.items:
            known = named - (waiting & {item[0].seat} if item else set())
            waiting -= named - known
            yield self.line(item, context, named=known)
            named |= known

    def cell(self, text: str) -> str:
        """Return a text for a fixed-width block."""
        return self.escaped(unlink(text))

    def escaped(self, text: str) -> str:
        """Return an unlinked text without effective tags."""
        return escape_brackets(text)

    def sized(self, text: str, size: str) -> str:
        return f"[size={size}]{text}[/size]" if size else text

    def line(
        self,
        spans: Spans,
        context: Context,
        heading: bool = False,
        named: set[str] | None = None,
    ) -> str:
        """Write a line. A seat has its colour only at its first mention in a block.

        `named` are the seats that the block has already mentioned; those of the line are added.
        """
        named = set() if named is None else named
        texts = unlink_pieces([span.text for span in spans])
        pieces = []
        for span, text in zip(spans, texts, strict=True):
            known = span.seat in named
            named |= {span.seat} - {""}
            shown = span._replace(seat="") if known else span
            pieces.append(self.span(shown, self.escaped(text), context, heading))
        return "".join(pieces)

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

    def block(self, block: Plainly, context: Context) -> str:
        return _LINE.sub("/" + JOINER, super().block(block, context))

    def line(
        self,
        spans: Spans,
        context: Context,
        heading: bool = False,
        named: set[str] | None = None,
    ) -> str:
        return _LINE.sub("/" + JOINER, super().line(spans, context, heading, named))

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

    def block(self, block: Plainly, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline_markdown(block.spans, heading=True)
            return f"{'#' * block.level} {inside}"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline_markdown(item)}" for item in block.items)
        if isinstance(block, Table):
            return _table(block)
        if isinstance(block, Code):
            return _fenced(block)
        picture = next((span for span in block.spans if safe_address(span.picture)), None)
        if picture is not None:
            text = escape_markdown(picture.text)
            return (
                f"![{text}]({picture.picture})\n*{text}*"
                if text.strip()
                else f"![]({picture.picture})"
            )
        return inline_markdown(block.spans)

    def can_fold(self, context: Context) -> bool:
        return context.folds

    def folded(self, heading: str, inside: str) -> str:
        shown = heading.translate(_DETAILS)
        return f'[details="{shown}"]\n\n{inside}\n\n[/details]'


_DETAILS = str.maketrans('"[]\\', "”()/")
"""Replacements for the signs that would end the title of Discourse's tag."""


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

    def block(self, block: Plainly, context: Context) -> str:
        if isinstance(block, Heading):
            inside = inline_markdown(block.spans, heading=True)
            return f"{'#' * (block.level + 1)} {inside}" if block.level < 3 else f"**{inside}**"
        if isinstance(block, Bullets):
            return "\n".join(f"- {inline_markdown(item)}" for item in block.items)
        if isinstance(block, (Table, Code)):
            return _fenced(block)
        picture = next((span for span in block.spans if safe_address(span.picture)), None)
        if picture is not None:
            # Discord shows the picture of an address that is alone on its line.
            return f"-# {escape_line_start(escape_markdown(picture.text))}\n{picture.picture}"
        return f"-# {inline_markdown(block.spans)}" if block.small else inline_markdown(block.spans)


def _fenced(block: Table | Code) -> str:
    """Write lines in a fixed-width font between two fences."""
    return "```\n" + "\n".join(code_lines(block, _code_text)) + "\n```"


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

    def block(self, block: Plainly, context: Context) -> str:
        if isinstance(block, (Table, Code)):
            return "\n".join(map(_unquoted, code_lines(block, unlink)))
        if isinstance(block, Bullets):
            return "\n".join("- " + plain_line(item) for item in block.items)
        text = plain_line(block.spans)
        if isinstance(block, Heading) and block.level < 3:
            # Two hyphens alone would begin a signature.
            return f"{text}\n{('=' if block.level == 1 else '-') * max(3, column_width(text))}"
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
    colours = tables = folds = True

    def separator(self, before: Block, after: Block) -> str:
        return self.between

    def folded(self, heading: str, inside: str) -> str:
        summary = f"<summary><b>{escape(heading)}</b></summary>"
        return f"<details>\n{summary}\n{inside}\n</details>"

    def weight(self, text: str) -> int:
        return utf8_length(text)

    def block(self, block: Plainly, context: Context) -> str:
        if isinstance(block, Table):
            return _plain_table(block)
        if isinstance(block, Code):
            return "<pre>" + "\n".join(escape(unlink(line)) for line in block.lines) + "</pre>"
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
