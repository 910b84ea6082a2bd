"""The words by which the moves that are possible now may be named, in every language.

Places, holders and cards count as one word each, `@key`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.language import LANGUAGES, use_language
from games.contract.move_words import MoveWords
from games.contract.plain import Position, RawMove
from games.contract.title import Field, Offer, Rows, Title
from games.kit.move_words import move_words
from games.kit.reading.grammar import BY_LANGUAGE, EVERY
from games.kit.reading.matcher import LEAST_LIKENESS, PhraseBook, nearest_spelling
from games.kit.reading.tokens import ARROW
from games.kit.reading.wording import (
    FILLERS,
    GENERAL_VERBS,
    GOALS,
    LONGEST_STEM,
    UNCOUNTED,
    WORD,
    is_past,
    said_of_others,
    stem,
    words_of,
)

Words = frozenset[str]
"""Stems, and places, holders and cards as `@key`."""

NAMED = ("province", "nation", "card")
"""Kinds of choices that have names of their own."""
FREE = ("number", "text", "shares")
"""Kinds of choices with free values."""
PAST = "-ed"
"""The mark of a verb in the past beside its stem: such a line announces nothing."""
THANKS = "-thanks"
"""The mark of a line that begins with thanks, which announces nothing."""
# The roles of places in a line: where a move begins and ends.
FROM, TO = "from", "to"
FRENCH = "fr"
TYPED_LANGUAGES = (*LANGUAGES, FRENCH)
"""The languages in which lines are typed: those of the site, and French."""
LINKS = EVERY.links | EVERY.articles
"""Words that link the words of a phrase and add nothing."""
THING = "$"
"""The sign before the key of a thing that moves build."""
SHORTEST_ABBREVIATION = 3
SHORTEST_CORRECTED = 4
"""The least length of a word that is corrected, and of a part of a name that can be its name."""


class KnownMove(NamedTuple):
    """A move that is possible now, with the log's line for it in each language.

    `plain` is true if no optional field of the move is chosen.
    """

    offer: Offer
    raw: RawMove
    plain: bool
    lines: tuple[str, ...]

    def lines_in(self, at: int) -> Sequence[str]:
        """Return the two lines in a language, given by its index in `TYPED_LANGUAGES`.

        French lines name moves by the words of the first language, English.
        """
        at = at if at < len(LANGUAGES) else 0
        return self.lines[2 * at : 2 * at + 2]


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A move with the words that may name it.

    - words: all words of its line, its name and its choices
    - acts: those of them that name the kind of move
    - wants: the required choices
    - more: for each language, the words that unusual choices add, which have to be named
    """

    move: KnownMove
    words: Words
    acts: Words
    wants: Words
    more: tuple[Words, ...]

    def names_choice(self, words: Words) -> bool:
        """Return whether these words name all unusual choices in one of the languages."""
        return self.move.plain or any(more and more <= words for more in self.more)

    def extra_words(self, words: Words) -> int:
        """Return how many of these words name an unusual choice."""
        return max((len(more) for more in self.more if more <= words), default=0)

    def is_meant_by(self, line: TypedLine, *, may_miss_choice: bool = False) -> bool:
        """Return whether all words of the line belong to this move and name all its choices.

        With `may_miss_choice`, one of the required choices suffices.
        """
        is_named = bool(line.words & self.acts) or (line.shows_direction and len(self.wants) > 1)
        played = f"@{self.move.offer.given.get('card')}"  # a Spy may steal a Spy
        return (
            is_named
            and line.words <= self.words
            and (self.wants <= line.words or (may_miss_choice and bool(self.wants & line.words)))
            and self.names_choice(line.words)
            and line.leads_along(self.move.raw)
            and (played not in self.wants or line.names.count(played) > 1)
        )


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line: its words, its names in order, their roles, and the words as typed.

    A role is `FROM` or `TO`. `languages` are those in which the line may be written, `certain` the
    words whose meaning does not depend on the language.
    """

    words: Words
    names: tuple[str, ...]
    roles: Mapping[str, str]
    typed_words: tuple[str, ...]
    languages: frozenset[str]
    certain: Words = frozenset()

    @property
    def shows_direction(self) -> bool:
        """Return whether the line leads from a place to another: "Asia > Cilicia"."""
        return ARROW in self.typed_words or FROM in self.roles.values()

    @property
    def things(self) -> Words:
        """Return the things that the line names, such as structures."""
        return frozenset(word for word in self.words if word[0] == THING)

    def leads_along(self, raw: RawMove) -> bool:
        """Return whether the line has the direction of the move, from its origin to its target.

        Examples: "Africa attacks Asia", "Africa > Asia", "on Asia from Africa".
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
    """The words of an offer: `acts` for its kind, `labels` for its choices, and its names.

    `by_language` has the words for its kind and its choices in each language.
    """

    acts: Words = frozenset()
    labels: Words = frozenset()
    names: list[Words] = dataclasses.field(default_factory=list)
    by_language: dict[str, Words] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OfferVocabulary:
    """The words of each offer by its key, and each language's synonyms by their stems."""

    offers: Mapping[str, OfferWords]
    synonyms: Mapping[str, Mapping[str, Words]]


Label = tuple[tuple[str, ...], str]
"""The words of a name, and the `@key` that it means."""


class Vocabulary:
    """The words for the possible moves of a seat at a position."""

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
            with use_language(language):
                yield move_words(self.title, self.scenario, self.position)

    # Names of places, holders and cards.

    @cached_property
    def labels(self) -> list[Label]:
        """Return the names of places, holders and cards in all languages, in a fixed order."""
        labels: set[Label] = set()
        keys_by_part: dict[str, set[str]] = {}
        for kind, key, label in self.names():
            labels |= {(words, f"@{key}") for words in forms_of(label)}
            if kind == "province" and len(label) > 1:
                for word in label:
                    keys_by_part.setdefault(word, set()).add(f"@{key}")
        own = {words for words, _key in labels}
        labels |= {
            (words, f"@{key}")
            for key, label in self.other_names()
            for words in forms_of(label)
            if words not in own
        }
        labels |= {
            ((word,), next(iter(keys)))
            for word, keys in keys_by_part.items()  # a part that no other name has
            if len(keys) == 1 and len(word) >= SHORTEST_CORRECTED and word not in UNCOUNTED
        }
        return sorted(labels)

    @cached_property
    def things(self) -> list[Label]:
        """Return the names of things that moves build, in all languages."""
        return sorted(
            {
                (words, f"{THING}{key}")
                for spoken in self.words_by_language()
                for key, names in spoken.things.items()
                for name in names
                for words in forms_of(tuple(words_of(name)))
            }
        )

    def names(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield every name in every language: its kind, its key and its words."""
        keys, fields = self.named_keys(), self.named_fields()
        for spoken in self.words_by_language():
            for kind, (offer, field) in fields.items():
                for key in keys[kind]:
                    yield kind, key, tuple(words_of(spoken.value_label(offer, field, key)))

    def other_names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the other names of places, holders and cards: their key and their words."""
        spoken = move_words(self.title, self.scenario, self.position)
        for kind, keys in self.named_keys().items():
            for key in keys:
                for name in spoken.other_names(kind, key):
                    yield key, tuple(words_of(name))

    @cached_property
    def label_book(self) -> PhraseBook[str]:
        """Return the keys of places, holders, cards and things by their names."""
        return PhraseBook([*self.labels, *self.things])

    @cached_property
    def phrase_book(self) -> PhraseBook[str]:
        """Return the title's phrases with their English words."""
        phrases = move_words(self.title, self.scenario, self.position).phrases
        return PhraseBook(
            (without_links(words_of(phrase)), meaning) for phrase, meaning in phrases.items()
        )

    @cached_property
    def abbreviations(self) -> Mapping[str, frozenset[str]]:
        """Return the places and holders by each beginning of a word of their names."""
        keys: dict[str, set[str]] = {}
        cards = self.named_keys()["card"]
        places = {f"@{key}" for key in (*self.rows.holdings, *self.rows.holders, *cards)}
        for label, key in self.labels:
            for word in label if key in places else ():
                for length in range(SHORTEST_ABBREVIATION, len(word)):
                    keys.setdefault(word[:length], set()).add(key)
        return {beginning: frozenset(named) for beginning, named in keys.items()}

    def named_fields(self) -> dict[str, tuple[Offer, Field]]:
        """Return for each kind of choice with a name an offer and its field of that kind."""
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

    # The words of a text.

    def counted(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words, with places, holders and cards as `@key`."""
        for match in self.label_book.in_turn(words):
            yield match.meaning or words[match.start]

    def stems(self, text: str) -> Words:
        """Return the stems of the significant words of a text."""
        return frozenset(
            word if word[0] in ("@", THING) else stem(word)
            for word in self.counted(words_of(text))
            if word not in UNCOUNTED
        )

    @cached_property
    def offer_vocabulary(self) -> OfferVocabulary:
        """Return the words of offers, and the title's synonyms."""
        offers = {offer.key: OfferWords() for offer in self.offers}
        synonyms: dict[str, dict[str, Words]] = {}
        for language, spoken in zip(LANGUAGES, self.words_by_language(), strict=True):
            groups = {group.key: group.name for group in spoken.groups}
            for offer in self.offers:
                given = " ".join(text for text in offer.given.values() if isinstance(text, str))
                name = self.stems(spoken.offer_name(offer))
                kind = self.stems(f"{offer.move} {groups.get(offer.group, '')} {given}")
                labels = self.stems(
                    " ".join(spoken.field_label(offer, field) for field in offer.fields)
                )
                words = offers[offer.key]
                words.acts |= name | kind
                words.labels |= labels
                words.names.append(name)
                words.by_language[language] = name | kind | labels
                if language == LANGUAGES[0]:
                    words.by_language[FRENCH] = name | kind | labels
            synonyms[language] = {
                stem(word): self.stems(meant) for word, meant in spoken.synonyms.items()
            }
            if language == LANGUAGES[0]:
                synonyms[FRENCH] = {
                    stem(word): self.stems(meant)
                    for word, meant in spoken.foreign.get(FRENCH, {}).items()
                }
        return OfferVocabulary(offers, synonyms)

    @cached_property
    def order_words(self) -> Words:
        """Return the stems of words that name a kind of move, whether it is possible now or not."""
        words = self.offer_vocabulary
        acts = (offer.acts for offer in words.offers.values())
        phrases = move_words(self.title, self.scenario, self.position).phrases
        meanings = (
            frozenset(map(stem, synonyms)).union(*synonyms.values())
            for synonyms in words.synonyms.values()
        )
        return GENERAL_VERBS.union(*acts, *meanings, *map(self.stems, set(phrases.values())))

    def is_order(self, line: TypedLine) -> bool:
        """Return whether a line has a word for a kind of move, and a name or a thing."""
        is_past = bool(line.words & {PAST, THANKS})
        names = frozenset(line.names) | line.things
        return not is_past and bool(names) and bool(line.words & self.order_words - names)

    def is_chat(self, line: TypedLine) -> bool:
        """Return whether a line has nothing of a move: no name, no thing, no kind of move."""
        return not line.names and not line.things and not line.words & self.order_words

    # Moves by their words.

    @cached_property
    def named_moves(self) -> list[NamedMove]:
        """Return every move that is possible now, with the words that may name it."""
        lines_of = [[self.stems(text) for text in move.lines] for move in self.moves]
        usual = {
            required_choices(move): lines
            for move, lines in zip(self.moves, lines_of, strict=True)
            if move.plain
        }
        return [
            self.named_move(move, lines, usual.get(required_choices(move), lines))
            for move, lines in zip(self.moves, lines_of, strict=True)
            # If an amount or a reason is typed, the moves are only examples.
            if not any(field.kind in FREE for field in move.offer.fields)
        ]

    def named_move(
        self, move: KnownMove, lines: Sequence[Words], plain: Sequence[Words]
    ) -> NamedMove:
        """Return a move with the words that may name it.

        `plain` are the stems of the lines of the same move without optional choices.
        """
        offer_words = self.offer_vocabulary.offers[move.offer.key]
        wants = frozenset(
            f"@{move.raw[field.key]}"
            for field in move.offer.fields
            if not field.optional and field.kind in NAMED and move.raw.get(field.key)
        )
        words = frozenset[str]().union(
            *lines, offer_words.acts, offer_words.labels, wants, self.owners_of(wants)
        )
        acts = offer_words.acts | (frozenset[str]().union(*plain) - wants - offer_words.labels)
        return NamedMove(
            move=move,
            words=words | GENERAL_VERBS,
            acts=acts - GENERAL_VERBS,
            wants=wants,
            more=tuple(here - usual for here, usual in zip(lines, plain, strict=True)),
        )

    def owners_of(self, places: Words) -> Words:
        """Return the owners of the places among these names."""
        return frozenset(self.owners.get(key, key) for key in places)

    def is_in_language_of(self, line: TypedLine, named: NamedMove) -> bool:
        """Return whether the languages of a line have all its words for this move.

        In "a fine turn" all words are English, so the Italian name "fine turno" does not count.
        """
        offer_words = self.offer_vocabulary.offers[named.move.offer.key].by_language
        words = GENERAL_VERBS | named.wants | self.owners_of(named.wants) | line.certain
        for at, language in enumerate(TYPED_LANGUAGES):
            if language in line.languages:
                words |= offer_words[language].union(*map(self.stems, named.move.lines_in(at)))
        return line.words <= words

    # Typed lines.

    def typed_line(self, words: Sequence[str]) -> TypedLine:
        """Return a typed line, from its words."""
        counted, names, roles = set[str](), list[str](), dict[str, str]()
        languages, certain = self.languages_of(words), set[str]()
        role, rest = "", list[str]()
        is_passive = not EVERY.passives.isdisjoint(words)
        linked = without_links(words)
        for match in self.phrase_book.in_turn(linked):
            if match.meaning is None:
                rest.append(linked[match.start])
            else:
                certain |= self.stems(match.meaning)
        for word in self.counted(self.spelled_out(rest, languages)):
            if word == ARROW and names:
                roles.setdefault(names[-1], FROM)
            if word[0] == "@":
                names.append(word)
                if role:
                    roles.setdefault(word, role)
                counted.add(word)
            elif word[0] == THING:
                counted.add(word)
                certain.add(word)
            elif word not in UNCOUNTED and not (is_passive and word in EVERY.participles):
                counted |= self.meaning(word, languages)
            role = role_after(word, role)
        if words and words[0] in EVERY.thanks:
            counted.add(THANKS)
        counted |= certain | said_of_others(words)
        return TypedLine(
            frozenset(counted), tuple(names), roles, tuple(words), languages, frozenset(certain)
        )

    def spelled_out(self, words: Sequence[str], languages: Words) -> list[str]:
        """Return the words of a line with the names of places for abbreviations of one meaning."""
        return [self.spelled_out_word(word, languages) for word in words]

    def spelled_out_word(self, word: str, languages: Words) -> str:
        """Return the name of a place for its abbreviation, otherwise the word itself."""
        keys = self.abbreviations.get(word, frozenset())
        if len(keys) != 1 or word in UNCOUNTED or (word,) in self.first_words:
            return word
        is_word = stem(word) in self.known_stems or any(
            stem(word) in self.offer_vocabulary.synonyms.get(language, ()) for language in languages
        )
        return word if is_word or word in EVERY.negations | EVERY.conditions else next(iter(keys))

    @cached_property
    def first_words(self) -> frozenset[tuple[str, ...]]:
        """Return the first words of all names."""
        return frozenset((label[0],) for label, _key in (*self.labels, *self.things))

    @cached_property
    def words_of_names(self) -> frozenset[str]:
        """Return all words of names."""
        return frozenset(word for label, _key in (*self.labels, *self.things) for word in label)

    @cached_property
    def accented(self) -> frozenset[str]:
        """Return the words of the title's phrases as they are written, with accents."""
        phrases = move_words(self.title, self.scenario, self.position).phrases
        return frozenset(word for phrase in phrases for word in WORD.findall(phrase.casefold()))

    def meaning(self, word: str, languages: Words) -> set[str]:
        """Return the stem of a word, or those of the title's word for it in these languages."""
        synonyms = self.offer_vocabulary.synonyms
        # A short French word counts only as it is: the English "fine" is not "fin".
        languages = languages if len(stem(word)) == LONGEST_STEM else languages - {FRENCH}
        meant = set[str]().union(
            *(synonyms.get(language, {}).get(stem(word), ()) for language in languages)
        ) or {stem(word)}
        return meant | {PAST} if is_past(word) else meant

    def languages_of(self, words: Sequence[str]) -> Words:
        """Return the languages in which a line may be written; all if it mixes languages.

        Articles and words of the moves' lines decide: "a fine turn" is English, so the Italian
        synonym "fine" does not count in it.
        """
        possible = frozenset(TYPED_LANGUAGES)
        for word in words:
            spoken = self.languages_of_word.get(word)
            if spoken is not None:
                possible &= spoken
        return possible or frozenset(TYPED_LANGUAGES)

    @cached_property
    def languages_of_word(self) -> Mapping[str, Words]:
        """Return the languages of each article and of each word of the moves' lines."""
        languages: dict[str, set[str]] = {}
        for at, language in enumerate(TYPED_LANGUAGES):
            grammar = BY_LANGUAGE[language]
            known = EVERY.articles & (grammar.articles | grammar.fillers)
            for move in self.moves if language != FRENCH else ():
                for text in move.lines_in(at):
                    known |= {word for word in words_of(text) if word.isalpha()}
            if language == FRENCH:
                french = self.offer_vocabulary.synonyms[FRENCH]
                known |= {word for word in languages if stem(word) in french}
            for word in known:
                languages.setdefault(word, set()).add(language)
        return {word: frozenset(spoken) for word, spoken in languages.items()}

    def corrected(self, line: TypedLine, likeness: float = LEAST_LIKENESS) -> TypedLine:
        """Return the line with the misspelled words corrected."""
        words = tuple(
            word if self.is_known(word) else nearest_spelling(word, self.spelled, likeness)
            for word in line.typed_words
        )
        return line if words == line.typed_words else self.typed_line(words)

    def is_known(self, word: str) -> bool:
        """Return whether a word needs no correction."""
        if word in UNCOUNTED or len(word) < SHORTEST_CORRECTED or word in EVERY.conditions:
            return True
        if (word,) in self.first_words or len(self.abbreviations.get(word, ())) == 1:
            return True
        return stem(word) in self.known_stems or word in self.spelled

    @cached_property
    def known_stems(self) -> Words:
        stems = (named.words for named in self.named_moves)
        return frozenset().union(*self.offer_vocabulary.synonyms.values(), *stems)

    @cached_property
    def spelled(self) -> list[str]:
        """Return every word of the moves' lines and of the names, as it is written."""
        words = {word for move in self.moves for text in move.lines for word in words_of(text)}
        words |= {word for label, _key in (*self.labels, *self.things) for word in label}
        words |= {
            first
            for first, rows in self.phrase_book.by_first_word.items()
            if any(len(phrase) == 1 for phrase, _meaning in rows)
        }
        return sorted(word for word in words if len(word) >= SHORTEST_CORRECTED)


def without_links(words: Sequence[str]) -> list[str]:
    """Return words without articles and the like, so that "engins siège" is "engins de siège"."""
    return [word for word in words if word not in LINKS]


def role_after(word: str, role: str) -> str:
    """Return the role of the next name in a line; empty if the words do not indicate one."""
    if word in EVERY.origins:
        return FROM
    if word in GOALS:
        return TO
    return role if word in FILLERS else ""


def forms_of(label: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a name unchanged, and with its last word in the singular."""
    if not label:
        return []
    return [label, (*label[:-1], label[-1].removesuffix("s"))]


def required_choices(move: KnownMove) -> tuple[str, ...]:
    """Return the offer of a move and its choices in the required fields."""
    fields = move.offer.fields
    chosen = (str(move.raw.get(field.key)) for field in fields if not field.optional)
    return move.offer.key, *chosen
