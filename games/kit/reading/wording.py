"""The words of a line that names a move: which of them matter, and their stems."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import pairwise

from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import ARROW, HALF, Kind, Token, tokenize, without_accents

FILLERS = (
    (EVERY.articles | EVERY.fillers | EVERY.chat | EVERY.thanks)
    | (EVERY.narration | EVERY.orders | EVERY.passives)
) - (EVERY.conditions | EVERY.negations)
"""Words that add nothing to a move."""
GOALS = EVERY.goals | {ARROW}
UNCOUNTED = FILLERS | EVERY.origins | GOALS
"""Words that belong to no move in particular."""
QUESTION = "?"
AMOUNTS = PhraseBook((phrase, None) for phrase in EVERY.amounts)
FRACTION = ["1", "/", "2"]
COST_WORDS = EVERY.actions | EVERY.costs
HALF_AS_DECIMAL = ("0.5", "0,5")
OPENINGS, CLOSINGS = ("(", "["), (")", "]")
COST = re.compile(r"(?:[^\W\d]+ )*(?:[0-3](?:[.,]5)?|(?:[0-3] )?1 / 2)(?: [^\W\d]+)*(?: \.)?")
"""A cost in brackets, from its tokens: "1", "0.5", "1 1/2 actions", "costs 1/2 act."."""
PRONOUNS = ("il", "el")
"""Articles of one language that are also pronouns: "il construit", "él construye"."""
SIGNS = ("-", "+")
PLURAL_ENDINGS = tuple(EVERY.plural_endings)
VOWELS = "aeio"
PAST_ACCENTS = ("é", "és", "ée", "ó", "í", "ì", "nò", "cò", "iò")
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


def names_past(text: str, names: Container[str] = (), accented: Container[str] = ()) -> bool:
    """Return whether a line has a word that ends like a verb in the past: "ataqué", "attaqué".

    Words of `names` and those that are `accented` in a phrase are none.
    """
    return any(
        word.endswith(PAST_ACCENTS) and len(word) > SHORTEST_PAST
        for word in map(str.casefold, WORD.findall(text))
        if word not in accented
        and without_accents(word) not in FILLERS - EVERY.orders
        and without_accents(word) not in names
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
        end = end_of_cost([token.text for token in tokens[at : at + 8]], begins=at == 0)
        if end == 0:
            kept.append(tokens[at])
        at += max(end, 1)
    return kept


def end_of_cost(texts: Sequence[str], *, begins: bool = False) -> int:
    """Return how many of these tokens, from the first on, form the cost of a move.

    `begins` says that they begin the line.
    """
    if texts[0] in OPENINGS:
        return end_of_cost_in_brackets(texts)
    if texts[0] in HALF_AS_DECIMAL and (begins or len(texts) == 1):
        return 1
    at = after_amount(texts, 0)
    has_fraction = texts[at : at + 3] == FRACTION
    if has_fraction:
        at = after_amount(texts, at + len(FRACTION))
    if texts[at : at + 1] and texts[at] in EVERY.actions:
        return at + 1
    # At an end of the line: "Shrines, ½".
    return at if has_fraction and (begins or at == len(texts)) else 0


def end_of_cost_in_brackets(texts: Sequence[str]) -> int:
    """Return how many of these tokens form a cost in brackets, which the first one opens."""
    for end, text in enumerate(texts):
        if text in CLOSINGS:
            words = " ".join(texts[1:end])
            amount = after_amount(texts, 1)
            is_worded = amount > 1 and end == amount + 1 and texts[amount] in EVERY.actions
            units = {word for word in texts[1:end] if word.isalpha()} - COST_WORDS
            return end + 1 if is_worded or (COST.fullmatch(words) and not units) else 0
    return 0


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
    """Return whether a word is a verb in the past, or a participle."""
    if word in EVERY.past or word in EVERY.participles:
        return True
    endings = (ending for ending in EVERY.past_endings if len(word) > len(ending) + 2)
    return any(map(word.endswith, endings))


def said_of_others(words: Sequence[str]) -> set[str]:
    """Return harmless words that others or another time make harmful.

    Examples: "their envoys", "next spring", "il construit".
    """
    known = [word for word in words if word not in EVERY.articles]
    by_others = {
        word
        for before, word in pairwise(known)
        if before in EVERY.others and word in EVERY.narration
    }
    return by_others | {
        before
        for before, word in pairwise(words)
        if before in PRONOUNS and word in EVERY.third_person
    }


GENERAL_VERBS = frozenset(map(stem, EVERY.general_verbs))
"""The stems of verbs that fit any move and so identify none."""
