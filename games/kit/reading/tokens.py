"""Cut a text into tokens: words, numbers and signs, without case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

Number = int | Decimal

ARROW, DASH, HALF = ">", "-", "½"
DASHES = "-‐‑‒–—―−﹣－"
PATTERN = re.compile(
    r"(?P<word>[^\W\d_½](?:[^\W\d_½]|[\u0300-\u036f])*)"
    r"|(?P<number>\d+(?:[.,]\d+)?)"
    r"|(?P<arrow>[-=]{1,2}>|[→⇒➔➜»>])"
    r"|(?P<sign>[^\w\s]|½)"
)
"""The tokens of a text. Blanks and underscores only separate them."""


class Kind(Enum):
    """The kind of a token."""

    WORD = auto()
    NUMBER = auto()
    SIGN = auto()


class Token(NamedTuple):
    """A token in the form in which tokens are compared, and its place in the text.

    Every arrow is `>`, and every dash is `-`. `is_spaced` is true if there are blanks on both sides
    of the token.
    """

    text: str
    kind: Kind
    start: int
    end: int
    is_spaced: bool

    @property
    def is_sign(self) -> bool:
        return self.kind is Kind.SIGN

    @property
    def is_arrow(self) -> bool:
        """Return whether the token leads from one name to the next, as in "Asia - Cilicia"."""
        return self.text == ARROW or (self.text == DASH and self.is_spaced)

    def touches(self, following: Token) -> bool:
        """Return whether nothing separates this token from the following one."""
        return self.end == following.start


@lru_cache(8192)
def tokenize(text: str) -> Sequence[Token]:
    """Return the tokens of a text in their order."""
    tokens: list[Token] = []
    for match in PATTERN.finditer(text):
        start, end = match.span()
        is_spaced = text[start - 1 : start].isspace() and text[end : end + 1].isspace()
        kind = KINDS[match.lastgroup or ""]
        tokens.append(Token(folded_token(match), kind, start, end, is_spaced))
    return tuple(tokens)


KINDS = {"word": Kind.WORD, "number": Kind.NUMBER, "arrow": Kind.SIGN, "sign": Kind.SIGN}


def folded_token(match: re.Match[str]) -> str:
    """Return a matched token in the form in which tokens are compared."""
    if match.lastgroup == "arrow":
        return ARROW
    text = match[0]
    if text == HALF:
        return HALF
    return DASH if text in DASHES else without_accents(text)


def without_accents(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_and_numbers(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the texts of the tokens that are not signs."""
    return tuple(token.text for token in tokens if not token.is_sign)


def number(text: str) -> Number:
    """Return the value of a number with a decimal point or comma; an `int` if it is whole."""
    value = Decimal(text.replace(",", "."))
    return int(value) if value == value.to_integral_value() else value
