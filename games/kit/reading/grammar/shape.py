"""The form of the description of a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import product

Words = frozenset[str]
Phrases = frozenset[tuple[str, ...]]
"""Phrases by their words."""
NO_WORDS: Words = frozenset()
NO_PHRASES: Phrases = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The words of a language, by their function in a line."""

    # Lines of moves.
    articles: Words = NO_WORDS
    """Articles and the like, which do not distinguish two lines or two names."""
    links: Words = NO_WORDS
    """Words like "of" inside names and phrases."""
    fillers: Words = NO_WORDS
    """Other words that add nothing to a move."""
    chat: Words = NO_WORDS
    """Greetings and other small talk that do not change the meaning of a move."""
    thanks: Words = NO_WORDS
    """Words of thanks, which add nothing either, except in "Thanks for the truce"."""
    narration: Words = NO_WORDS
    """Rulers, people, messengers, decrees and seasons in stories around a move."""
    orders: Words = NO_WORDS
    """Verbs and their nouns in such stories, in the present: "orders the construction of"."""
    participles: Words = NO_WORDS
    """Participles, which announce nothing except in a passive of the present."""
    passives: Words = NO_WORDS
    """Verbs that make such a passive of a participle: "are built"."""
    past: Words = NO_WORDS
    """Verbs in the past without one of the endings below."""
    others: Words = NO_WORDS
    """Words that give narration to others or to another time: "their envoys", "next spring"."""
    third_person: Words = NO_WORDS
    """Verbs after "il" or "el", which then are no articles: "il construit"."""
    headings: Words = NO_WORDS
    """Words of headings before a colon: "Buildings: Shrines"."""
    courtesies: Phrases = NO_PHRASES
    """Phrases beside a move that add nothing, even those with a word for "not"."""
    deeds: Words = NO_WORDS
    """Words that add nothing to a move but may be an order of their own: "move army"."""
    general_verbs: Words = NO_WORDS
    """Verbs that fit any move and so identify none."""
    origins: Words = NO_WORDS
    """Words before the place that a move comes from."""
    goals: Words = NO_WORDS
    """Words before the place that a move goes to."""
    conjunctions: Phrases = NO_PHRASES
    """Words between two moves of a line."""
    amounts: Phrases = NO_PHRASES
    """Amounts before `actions`, beside numbers."""
    actions: Words = NO_WORDS
    """The unit of a move's cost."""
    costs: Words = NO_WORDS
    """Words beside an amount in brackets: "(costs 1/2 act.)"."""
    negations: Words = NO_WORDS
    """Words for "not" and "no": a line with them is no move, and none is suggested for it."""
    additions: Words = NO_WORDS
    """Words for "with", which add to the move before them."""
    without: Words = NO_WORDS
    """Words for "without", which negate at the beginning of a line."""
    conditions: Words = NO_WORDS
    """Words for conditions: a line with them is not split into moves."""
    present_endings: Words = NO_WORDS
    """Endings of verbs in the progressive form."""
    plural_endings: Words = NO_WORDS
    """Endings of plurals that lose their "es" in the singular, not only their "s"."""
    past_endings: Words = NO_WORDS
    """Endings of verbs in the past, which announce nothing."""

    # Results of battles, as a sentence: the first side, a verb, the second side, two shares.
    beats: Phrases = NO_PHRASES
    loses_to: Phrases = NO_PHRASES
    draws_with: Phrases = NO_PHRASES
    between_shares: Words = NO_WORDS
    """Words between the two shares of a pair."""
    points: Words = NO_WORDS
    """The unit of an army's size, in brackets after its number."""
    eras: Phrases = NO_PHRASES
    """Words after a year; signs count as words."""

    battles: Words = NO_WORDS
    """Words before the number of a battle or of its result."""
    doubts: Words = NO_WORDS
    """Words for conditions, guesses and negations: such a line reports no result."""

    # Results of battles, as words in any order.
    victory: Words = NO_WORDS
    """Words of victory that name winner and loser."""
    victory_alone: Words = NO_WORDS
    """Words of victory that need no loser."""
    defeat: Words = NO_WORDS
    draw: Words = NO_WORDS
    auxiliaries: Words = NO_WORDS
    """Verbs that begin a passive: "were beaten by"."""
    agents: Words = NO_WORDS
    """Words before the victor in a passive."""
    between_joined_shares: Words = NO_WORDS
    """More words between two shares of a pair."""
    beside_shares: Words = NO_WORDS
    """Words beside names and shares that mean nothing else."""


def join_grammars(grammars: Sequence[Grammar]) -> Grammar:
    """Return one description with the words of all these languages."""
    parts = {
        field.name: frozenset().union(*(getattr(grammar, field.name) for grammar in grammars))
        for field in fields(Grammar)
    }
    return Grammar(**parts)


def words(text: str) -> Words:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def phrases(text: str) -> Phrases:
    """Return the phrases of a compact text.

    A comma separates phrases, a bar alternative words: "win|wins against, beats" are "win against",
    "wins against" and "beats".
    """
    return frozenset(
        choice
        for phrase in text.split(",")
        for choice in product(*(word.split("|") for word in phrase.split()))
    )
