"""The words of a line that names a move: which of them matter, and their stems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import ARROW, HALF, Kind, Token, tokenize, without_accents

FILLERS = (
    (EVERY.articles | EVERY.fillers | EVERY.chat | EVERY.thanks)
    - EVERY.conditions
    - EVERY.negations
)
"""Words that add nothing to a move."""
GOALS = EVERY.goals | {ARROW}
UNCOUNTED = FILLERS | EVERY.origins | GOALS
"""Words that belong to no move in particular."""
QUESTION = "?"
AMOUNTS = PhraseBook((phrase, None) for phrase in EVERY.amounts)
FRACTION = ["1", "/", "2"]
OPENING, CLOSING = "(", ")"
SIGNS = ("-", "+")
PLURAL_ENDINGS = tuple(EVERY.plural_endings)
VOWELS = "aeio"
ACUTE_ENDINGS = ("é", "és", "ée", "ó", "í")
SHORTEST_PAST = 4
WORD = re.compile(r"[^\W\d_]+")
LONGEST_STEM = 5


def comparable(text: str) -> str:
    """Return the text in a form that identifies a line or a name.

    These are its words and signed numbers, without case, accents and articles.
    """
    tokens = spelled_out(tokenize(text))
    return " ".join(
        signed(tokens, at)
        for at, token in enumerate(tokens)
        if (not token.is_sign or token.text == "#") and token.text not in EVERY.articles
    )


def signed(tokens: Sequence[Token], at: int) -> str:
    """Return a token as text, with the sign that touches a number."""
    token, before = tokens[at], tokens[at - 1] if at else None
    if token.kind is not Kind.NUMBER or before is None or not before.touches(token):
        return token.text
    return f"{before.text}{token.text}" if before.text in SIGNS else token.text


def names_past(text: str) -> bool:
    """Return whether a line has a word that ends like a verb in the past: "ataqué", "attaqué"."""
    return any(
        word.endswith(ACUTE_ENDINGS) and len(word) > SHORTEST_PAST
        for word in map(str.casefold, WORD.findall(text))
        if without_accents(word) not in FILLERS
    )


@lru_cache(8192)
def words_of(text: str) -> Sequence[str]:
    """Return the words of a line in their order, without the cost of the move.

    An arrow is `>`. A question mark counts as a word: a question announces nothing.
    """
    return [
        ARROW if token.is_arrow else token.text
        for token in without_costs(spelled_out(tokenize(text)))
        if not token.is_sign or token.is_arrow or token.text == QUESTION
    ]


def spelled_out(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with 1/2 for ½, so that both spellings are equal."""
    if all(token.text != HALF for token in tokens):
        return [*tokens]
    half = tokenize("1/2")
    return [
        part._replace(start=token.start, end=token.end) if token.text == HALF else part
        for token in tokens
        for part in (half if token.text == HALF else (token,))
    ]


def without_costs(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without costs, which players write after a move: "(½ action)"."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        end = end_of_cost([token.text for token in tokens[at : at + 8]])
        if end == 0:
            kept.append(tokens[at])
        at += max(end, 1)
    return kept


def end_of_cost(texts: Sequence[str]) -> int:
    """Return how many of these tokens, from the first on, form the cost of a move."""
    at = opening = int(texts[:1] == [OPENING])
    at = after_amount(texts, at)
    has_fraction = texts[at : at + 3] == FRACTION
    if has_fraction:
        at = after_amount(texts, at + len(FRACTION))
    if has_fraction and opening == 0 and at == len(texts):
        return at  # at the end of the line: "Shrines, ½"
    if texts[at : at + 1] and texts[at] in EVERY.actions:
        return at + 1 + (texts[at + 1 : at + 2] == [CLOSING])
    is_fraction_in_brackets = has_fraction and at == opening + len(FRACTION) and opening == 1
    return at + 1 if is_fraction_in_brackets and texts[at : at + 1] == [CLOSING] else 0


def after_amount(texts: Sequence[str], at: int) -> int:
    """Return the index after an amount that begins here; the same index if none does."""
    is_number = re.fullmatch(r"\d+(?:[.,]\d+)?", "".join(texts[at : at + 1])) is not None
    if is_number and texts[at + 1 : at + 2] != ["/"]:
        return at + 1
    amount = AMOUNTS.at(texts, at)
    return amount.end if amount else at


@lru_cache(8192)
def stem(word: str) -> str:
    """Return the common part of a word's forms.

    Examples: "attack", "attacks", "attacking"; "costruisco", "costruiamo", "costruzione".
    """
    for ending in EVERY.present_endings:
        if len(word) > len(ending) + 2:
            word = word.removesuffix(ending)
    if len(word) > 4 and word.endswith(PLURAL_ENDINGS):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = word[:LONGEST_STEM]
    return word[:-1] if len(word) > 3 and word[-1] in VOWELS else word


def is_past(word: str) -> bool:
    """Return whether a word is a verb in the past."""
    endings = (ending for ending in EVERY.past_endings if len(word) > len(ending) + 2)
    return any(map(word.endswith, endings))


GENERAL_VERBS = frozenset(map(stem, EVERY.general_verbs))
"""The stems of verbs that fit any move and so identify none."""
