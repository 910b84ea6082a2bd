"""Plain text for letters: titles underlined, tables aligned, addresses in angle brackets."""

from __future__ import annotations

from django.utils.translation import pgettext_lazy

from engine.report import Block, Bullets, Heading, Spans, Table
from forum.dialects.aligned import rows_of, width
from forum.dialects.base import Context, Dialect, by_bytes
from forum.dialects.inert import JOINER, address, pieces, unlinked


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
            return "\n".join("- " + line(item) for item in block.items)
        text = line(block.spans)
        if isinstance(block, Heading) and block.level < 3:
            return f"{text}\n{('=' if block.level == 1 else '-') * width(text)}"
        return text


def line(spans: Spans) -> str:
    """A line without its dress."""
    made = ""
    for span, text in zip(spans, pieces([span.text for span in spans]), strict=True):
        to = address(span.picture) or address(span.link)
        made += to if to and to == span.text else text + (f" <{to}>" if to else "")
    return _begun(made.strip(" "))


def _begun(made: str) -> str:
    """No line begins as a quotation or as the one above a signature."""
    return JOINER + made if made.startswith((">", "--", "|")) else made
