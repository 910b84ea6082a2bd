"""What Markdown and Discord's own have in common: backslashes, emphasis that opens and closes wherever it stands."""

from __future__ import annotations

import re
import unicodedata

from engine.report import Span, Spans
from forum.dialects.inert import JOINER, address, pieces, unlinked

_SIGNS = re.compile(r"[\\`*_\[\]<>|~$^]|([=+])(?=\1|$)|&(?=#?\w)")
# What makes a line a heading, a list, a quotation, a rule, a table, a definition.
_HEAD = re.compile(r"[#>+=:~|-]|\d+[.)](?=\s|$)")


def escaped(text: str) -> str:
    """The text with a backslash before every sign that would mean something."""
    return _backslashed(unlinked(text))


def _backslashed(text: str) -> str:
    return _SIGNS.sub(lambda found: "\\" + found[0], text)


def begun(line: str) -> str:
    """A line that begins as nothing but text."""
    line = line.lstrip(" ")
    found = _HEAD.match(line)
    if found is None:
        return line
    at = found.end() - 1
    return f"{line[:at]}\\{line[at:]}"


def inline(spans: Spans, heading: bool = False) -> str:
    """One line: bold, italic, links, seats in bold. A heading is bold by itself."""
    made, closed = "", False
    for span, text in zip(spans, pieces([span.text for span in spans]), strict=True):
        text = _piece(span, _backslashed(text), heading)
        if closed and text.startswith("*"):
            made += JOINER  # else the stars of both would be taken together
        made += text
        if text:
            closed = text.endswith("*") and not text.endswith("\\*")
    return begun(made)


def _piece(span: Span, text: str, heading: bool) -> str:
    """A span with its stars and its link. Blanks at its ends are left outside: stars beside them would be stars."""
    link = address(span.link)
    if link and link == span.text:
        return f"<{link}>"
    inside = text.strip(" ")
    if not inside:
        return text
    stars = ("**" if (span.bold or span.seat) and not heading else "") + ("*" if span.italic else "")
    before, after = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
    made = stars + _edged(inside) + stars if stars else inside
    return f"{before}[{made}]({link}){after}" if link else before + made + after


def _edged(text: str) -> str:
    """Between stars: a joiner beside a sign at its end, since stars open and close beside letters wherever they stand."""
    first = "" if text[0].isalnum() else JOINER
    return first + text + ("" if text[-1].isalnum() or unicodedata.combining(text[-1]) else JOINER)
