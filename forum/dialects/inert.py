"""What people typed, so that no board reads anything into it; the same for all dialects.

A word joiner (U+2060) is shown as nothing, breaks no line, and comes between the signs that a board would take together:
`[` and a tag's name, the two strokes of an address, `@` and whom it would call. An entity or a backslash would be shown
by boards that do not know it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from engine.strict_json import UNSEEN

JOINER = "\u2060"
_LRM = "\u200e"
_JOINS = "\u200c\u200d"
_BLANKS = re.compile(r"\s+")
_SPACES = re.compile(rf"\s\s|^\s|\s$|[{UNSEEN}]")
_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LINKS = re.compile(
    r"/(?=/)"  # http://, //host
    r"|(?<=\w)\.(?=[^\W\d_])"  # host.tld, www.
    r"|@(?=\S)"  # mentions, e-mail addresses
    r"|(?<=[A-Za-z]):(?=[^\s\d])"  # mailto:x, javascript:x
    r"|(?<!\S)(?:[:;=]|8(?=-?\)))(?=\S)|:(?=[\w+-]+:)"  # smilies, :shortcodes:
    r"|#(?=[^\W\d_])"  # tags, channels
    r"|&(?=#?\w+;)"  # entities
)


def clean(text: str) -> str:
    """The text on one line, in one direction, without signs that nobody sees. Blanks at its ends stay: it is a piece."""
    if text.isprintable() and _SPACES.search(text) is None:  # nearly all of a report's thousands of pieces
        return text
    seen = [sign for at, sign in enumerate(text) if (sign.isprintable() and sign not in UNSEEN) or _stays(text, at)]
    return _BLANKS.sub(" ", "".join(seen))


def _stays(text: str, at: int) -> bool:
    """Blanks, which become one; the two joiners within a foreign word; letters that have no name yet."""
    sign = text[at]
    if sign in _JOINS:
        return text[at - 1 : at] > "\x7f" and text[at + 1 : at + 2] > "\x7f"
    return sign.isspace() or unicodedata.category(sign) in ("Cn", "Co")


def unlinked(text: str) -> str:
    """The cleaned text in which no board finds an address, a name to call, a picture or an entity."""
    return pieces([text])[0]


def pieces(texts: Sequence[str]) -> list[str]:
    """The same for the pieces of one line: what only two of them together would be, is nothing either."""
    cleaned = [clean(text) for text in texts]
    whole = "".join(cleaned)
    cuts = [found.end() for found in _LINKS.finditer(whole)]
    made, start = [], 0
    for text in cleaned:
        end, parts, at = start + len(text), list[str](), start
        while cuts and cuts[0] <= end:
            parts += (whole[at : cuts[0]], JOINER)
            at = cuts.pop(0)
        parts.append(whole[at:end])
        if _RIGHT.search(text) is not None:  # what follows is not drawn into writing from right to left
            parts.append(_LRM)
        made.append("".join(parts))
        start = end
    return made


ODD_IN_ADDRESS = frozenset("[]()<>\"'`|\\^{} \t\r\n")


def address(link: str) -> str:
    """An address of the site itself, to stand in a tag; empty where it holds what would end one, or is no web address."""
    plain = link.isascii() and link.isprintable() and not ODD_IN_ADDRESS & set(link)
    return link if plain and link.startswith(("https://", "http://")) else ""
