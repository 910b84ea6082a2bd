"""BBCode: what phpBB's and MyBB's have in common. There are no tables in it: they stand aligned in [code].

A bracket that a person wrote is followed by a word joiner: both boards know a tag only where its name or "/" follows "["
at once, inside [code] too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import ClassVar

from forum.dialects.base import JOINER, Context, Dialect, address, by_bytes, pieces, readable, rows_of, unlinked
from games.contract.report import Block, Bullets, Heading, Paragraph, Span, Spans


def bracketed(text: str) -> str:
    """The text as BBCode that opens and closes nothing."""
    return text.replace("[", "[" + JOINER)


class BBCode(Dialect):
    """`sizes` are the heading's sizes by level, "" for the text's own; `small` that of what stands under a report."""

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
            return "[list]\n" + "\n".join("[*]" + self.line(item, context) for item in block.items) + "\n[/list]"
        return "[code]" + "\n".join(rows_of(block, lambda cell: self.typed(unlinked(cell)))) + "[/code]"

    def typed(self, text: str) -> str:
        """A text in which no address is found, so that it opens and closes nothing either."""
        return bracketed(text)

    def sized(self, text: str, size: str) -> str:
        return f"[size={size}]{text}[/size]" if size else text

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        texts = pieces([span.text for span in spans])
        return "".join(self.span(span, self.typed(text), context, heading) for span, text in zip(spans, texts, strict=True))

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


# BBCode of MyBB. Sizes have names there, and "/me" or "/slap" is a stage direction at the beginning of a line or a tag.

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
