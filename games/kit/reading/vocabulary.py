"""The words by which the moves that are possible now may be named, in every language.

Places, holders and cards count as one word each, `@key`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.language import LANGUAGES, reading_in
from games.contract.move_words import MoveWords
from games.contract.plain import Position, RawMove
from games.contract.title import Field, Offer, Rows, Title
from games.kit.move_words import move_words
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook, nearest_spelling
from games.kit.reading.tokens import ARROW
from games.kit.reading.wording import (
    FILLERS,
    GENERAL_VERBS,
    GOALS,
    UNCOUNTED,
    is_past,
    stem,
    words_of,
)

Words = frozenset[str]
"""Stems, and places, holders and cards as `@key`."""

NAMED = ("province", "nation", "card")
"""Kinds of choices that have a name of their own."""
FREE = ("number", "text", "shares")
"""Kinds of choices that anyone may fill."""
PAST = "-ed"
"""What a verb in the past means beside its stem: nothing to announce."""
FROM, TO = "from", "to"
"""The parts of places in a line: where a move begins and ends."""
SHORTEST_CORRECTED = 4
"""Shorter words are not corrected, and parts of names that short do not name them."""


class KnownMove(NamedTuple):
    """A move that may be announced now, with the log's line for it in each language. `plain`:
    nothing optional is chosen.
    """

    offer: Offer
    raw: RawMove
    plain: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A move by the words that may name it.

    words: all that its line, its name and its choices hold · acts: of them what names the kind of
    move · wants: what has to be chosen · more: in each language what a choice beyond the usual
    adds, which has to be named.
    """

    move: KnownMove
    words: Words
    acts: Words
    wants: Words
    more: tuple[Words, ...]

    def names_choice(self, words: Words) -> bool:
        """Return whether these words name what was chosen beyond the usual, all of it in one
        language.
        """
        return self.move.plain or any(more and more <= words for more in self.more)

    def extra_words(self, words: Words) -> int:
        """Return how many of these words name an unusual choice."""
        return max((len(more) for more in self.more if more <= words), default=0)

    def is_meant_by(self, line: TypedLine) -> bool:
        """Return whether all words of the line belong to this move, and all its choices are
        named.
        """
        is_named = bool(line.words & self.acts) or (ARROW in line.typed and len(self.wants) > 1)
        played = f"@{self.move.offer.given.get('card')}"  # a Spy who steals a Spy is named twice
        return (
            is_named
            and line.words <= self.words
            and self.wants <= line.words
            and self.names_choice(line.words)
            and line.leads_along(self.move.raw)
            and (played not in self.wants or line.names.count(played) > 1)
        )


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line: its words, the names in their order, which of them are `FROM` or `TO`, and the
    words as typed.
    """

    words: Words
    names: tuple[str, ...]
    roles: Mapping[str, str]
    typed: tuple[str, ...]

    def leads_along(self, raw: RawMove) -> bool:
        """Return whether the line leads from where a move begins to where it ends: "Africa attacks
        Asia", "Africa > Asia", "on Asia from Africa".
        """
        start, end = f"@{raw.get('from')}", f"@{raw.get('target')}"
        if self.roles.get(start) == TO or self.roles.get(end) == FROM:
            return False
        has_roles = self.roles.get(start) == FROM or self.roles.get(end) == TO
        if start in self.names and end in self.names and not has_roles:
            return self.names.index(start) < self.names.index(end)
        return True


@dataclass(slots=True)
class OfferWords:
    """The words of an offer: `acts` for its kind, `labels` for its choices, and its names."""

    acts: Words = frozenset()
    labels: Words = frozenset()
    names: list[Words] = dataclasses.field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OfferVocabulary:
    """The words of each offer by its key, and what other words mean, by their stems."""

    offers: Mapping[str, OfferWords]
    synonyms: Mapping[str, Words]


Label = tuple[tuple[str, ...], str]
"""The words of a name, and the `@key` that it means."""


class Vocabulary:
    """The words for what a seat may do at a position."""

    def __init__(
        self,
        title: Title,
        scenario: object,
        position: Position,
        offers: Sequence[Offer],
        moves: Sequence[KnownMove],
    ) -> None:
        self.title, self.scenario, self.position = title, scenario, position
        self.offers, self.moves = offers, moves
        self.rows: Rows = title.rows(position)

    def words_by_language(self) -> Iterator[MoveWords]:
        """Yield the title's words in each language, while that language is active."""
        for language in LANGUAGES:
            with reading_in(language):
                yield move_words(self.title, self.scenario, self.position)

    # Names of places, holders and cards.

    @cached_property
    def labels(self) -> list[Label]:
        """Return what places, holders and cards are called in any language, in a fixed order."""
        labels: set[Label] = set()
        keys_by_part: dict[str, set[str]] = {}
        for kind, key, label in self.names():
            labels |= {(words, f"@{key}") for words in forms_of(label)}
            if kind == "province" and len(label) > 1:
                for word in label:
                    keys_by_part.setdefault(word, set()).add(f"@{key}")
        labels |= {
            ((word,), next(iter(keys)))
            for word, keys in keys_by_part.items()  # a part of a name that no other place has
            if len(keys) == 1 and len(word) >= SHORTEST_CORRECTED
        }
        return sorted(labels)

    def names(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield every name in every language: its kind, its key and its words."""
        keys, fields = self.named_keys(), self.named_fields()
        for spoken in self.words_by_language():
            for kind, (offer, field) in fields.items():
                for key in keys[kind]:
                    yield kind, key, tuple(words_of(spoken.value_label(offer, field, key)))

    @cached_property
    def label_book(self) -> PhraseBook[str]:
        """Return the keys of places, holders and cards by their names."""
        return PhraseBook(self.labels)

    def named_fields(self) -> dict[str, tuple[Offer, Field]]:
        """Return for each kind of choice with a name an offer's field that has it."""
        return {
            field.kind: (offer, field)
            for offer in self.offers
            for field in offer.fields
            if field.kind in NAMED
        }

    def named_keys(self) -> dict[str, set[str]]:
        """Return the keys of all places and holders, and of the cards in moves."""
        card_fields = {"card"} | {
            field.key for offer in self.offers for field in offer.fields if field.kind == "card"
        }
        cards = {str(move.raw[key]) for move in self.moves for key in card_fields & move.raw.keys()}
        return {
            "province": set(self.rows.holdings),
            "nation": set(self.rows.holders),
            "card": cards,
        }

    @cached_property
    def owners(self) -> dict[str, str]:
        """Return the owner of each place, both as `@key`."""
        return {
            f"@{key}": f"@{holding['owner']}"
            for key, holding in self.rows.holdings.items()
            if holding.get("owner")
        }

    # Words of texts.

    def counted(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words, with places, holders and cards as `@key`."""
        for match in self.label_book.in_turn(words):
            yield match.meaning or words[match.start]

    def stems(self, text: str) -> Words:
        """Return the words of a text that count."""
        return frozenset(
            word if word[0] == "@" else stem(word)
            for word in self.counted(words_of(text))
            if word not in UNCOUNTED
        )

    @cached_property
    def offer_vocabulary(self) -> OfferVocabulary:
        """Return the words of offers, and the title's synonyms."""
        offers = {offer.key: OfferWords() for offer in self.offers}
        synonyms: dict[str, Words] = {}
        for spoken in self.words_by_language():
            groups = {group.key: group.name for group in spoken.groups}
            for offer in self.offers:
                given = " ".join(text for text in offer.given.values() if isinstance(text, str))
                name = self.stems(spoken.offer_name(offer))
                kind = self.stems(f"{offer.move} {groups.get(offer.group, '')} {given}")
                labels = " ".join(spoken.field_label(offer, field) for field in offer.fields)
                words = offers[offer.key]
                words.acts |= name | kind
                words.labels |= self.stems(labels)
                words.names.append(name)
            synonyms |= {stem(word): self.stems(meant) for word, meant in spoken.synonyms.items()}
        return OfferVocabulary(offers, synonyms)

    # Moves by their words.

    @cached_property
    def named_moves(self) -> list[NamedMove]:
        """Return every move that may be announced now, by its words."""
        lines_of = [[self.stems(text) for text in move.lines] for move in self.moves]
        usual = {
            required_choices(move): lines
            for move, lines in zip(self.moves, lines_of, strict=True)
            if move.plain
        }
        return [
            self.named_move(move, lines, usual.get(required_choices(move), lines))
            for move, lines in zip(self.moves, lines_of, strict=True)
            # Where an amount or a reason is typed, the moves are only examples.
            if not any(field.kind in FREE for field in move.offer.fields)
        ]

    def named_move(
        self, move: KnownMove, lines: Sequence[Words], plain: Sequence[Words]
    ) -> NamedMove:
        """Return a move by its words. `plain` are the lines of the same move without anything
        optional.
        """
        offer_words = self.offer_vocabulary.offers[move.offer.key]
        wants = frozenset(
            f"@{move.raw[field.key]}"
            for field in move.offer.fields
            if not field.optional and field.kind in NAMED and move.raw.get(field.key)
        )
        owners = (self.owners.get(key, key) for key in wants)
        words = frozenset[str]().union(*lines, offer_words.acts, offer_words.labels, wants, owners)
        acts = offer_words.acts | (frozenset[str]().union(*plain) - wants - offer_words.labels)
        return NamedMove(
            move=move,
            words=words | GENERAL_VERBS,
            acts=acts - GENERAL_VERBS,
            wants=wants,
            more=tuple(here - usual for here, usual in zip(lines, plain, strict=True)),
        )

    # Lines that were typed.

    def typed(self, words: Sequence[str]) -> TypedLine:
        """Return a typed line by its words."""
        counted, names, roles = set[str](), list[str](), dict[str, str]()
        role = ""
        for word in self.counted(words):
            if word == ARROW and names:
                roles.setdefault(names[-1], FROM)
            if word[0] == "@":
                names.append(word)
                if role:
                    roles.setdefault(word, role)
                counted.add(word)
            elif word not in UNCOUNTED:
                counted |= self.meaning(word)
            role = role_after(word, role)
        return TypedLine(frozenset(counted), tuple(names), roles, tuple(words))

    def meaning(self, word: str) -> set[str]:
        """Return what a word says: its stem, or that of the title's word for it."""
        meant = set(self.offer_vocabulary.synonyms.get(stem(word), {stem(word)}))
        return meant | {PAST} if is_past(word) else meant

    def corrected(self, line: TypedLine) -> TypedLine:
        """Return the line with misspelled words as they are probably meant."""
        return self.typed(
            [
                word if self.is_known(word) else nearest_spelling(word, self.spelled)
                for word in line.typed
            ]
        )

    def is_known(self, word: str) -> bool:
        """Return whether a word need not be corrected."""
        if word in UNCOUNTED or len(word) < SHORTEST_CORRECTED:
            return True
        return stem(word) in self.known_stems or word in self.spelled

    @cached_property
    def known_stems(self) -> Words:
        stems = (named.words for named in self.named_moves)
        return frozenset(self.offer_vocabulary.synonyms).union(*stems)

    @cached_property
    def spelled(self) -> list[str]:
        """Return every word of our lines and names, as it is written."""
        words = {word for move in self.moves for text in move.lines for word in words_of(text)}
        words |= {word for label, _key in self.labels for word in label}
        return sorted(word for word in words if len(word) >= SHORTEST_CORRECTED)


def role_after(word: str, role: str) -> str:
    """Return the part that the next name has in a line; empty if the words do not say it."""
    if word in EVERY.origins:
        return FROM
    if word in GOALS:
        return TO
    return role if word in FILLERS else ""


def forms_of(label: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a name as it is, and its last word without a plural's s."""
    if not label:
        return []
    return [label, (*label[:-1], label[-1].removesuffix("s"))]


def required_choices(move: KnownMove) -> tuple[str, ...]:
    """Return the offer of a move and what was chosen of what has to be chosen."""
    fields = move.offer.fields
    chosen = (str(move.raw.get(field.key)) for field in fields if not field.optional)
    return move.offer.key, *chosen
