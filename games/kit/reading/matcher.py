"""Find phrases in a sequence of words, and the nearest spelling of a word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

Meaning = TypeVar("Meaning")
Meaning_co = TypeVar("Meaning_co", covariant=True)
Phrase = Sequence[str]

LEAST_LIKENESS = 0.78
"""The least similarity, of at most 1, at which a word counts as a misspelling of another."""


class Match(NamedTuple, Generic[Meaning_co]):
    """A phrase found among words, from index `start` up to but not including `end`."""

    start: int
    end: int
    meaning: Meaning_co


class PhraseBook(Generic[Meaning]):
    """Phrases with their meanings. The longest phrase at a place counts.

    If a phrase is given twice, its first meaning counts.
    """

    def __init__(self, phrases: Iterable[tuple[Phrase, Meaning]]) -> None:
        by_first_word: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
        for phrase, meaning in phrases:
            if phrase:
                by_first_word.setdefault(phrase[0], []).append((tuple(phrase), meaning))
        self.by_first_word = {
            first: sorted(entries, key=lambda entry: -len(entry[0]))
            for first, entries in by_first_word.items()
        }

    def all_at(self, words: Sequence[str], start: int) -> list[Match[Meaning]]:
        """Return every phrase that begins at a place, the longest first."""
        entries = self.by_first_word.get(words[start]) if start < len(words) else None
        return [
            Match(start, start + len(phrase), meaning)
            for phrase, meaning in entries or ()
            if tuple(words[start : start + len(phrase)]) == phrase
        ]

    def at(self, words: Sequence[str], start: int) -> Match[Meaning] | None:
        """Return the longest phrase that begins at a place; None if there is none."""
        matches = self.all_at(words, start)
        return matches[0] if matches else None

    def everywhere(self, words: Sequence[str]) -> Iterator[Match[Meaning]]:
        """Yield every phrase that the words contain, even inside another one."""
        for start in range(len(words)):
            yield from self.all_at(words, start)

    def in_turn(self, words: Sequence[str]) -> Iterator[Match[Meaning | None]]:
        """Yield the words in their order, as phrases and single words; single words mean None."""
        start = 0
        while start < len(words):
            match = self.at(words, start) if words[start] in self.by_first_word else None
            yield match or Match(start, start + 1, None)
            start = match.end if match else start + 1


def nearest_spelling(word: str, known: Iterable[str], likeness: float = LEAST_LIKENESS) -> str:
    """Return the known word that is most like this one; the word itself if none is."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=likeness)
    return near[0] if near else word
