"""A game in prose, a paragraph a turn, written from what the log's effects say and from nothing else.

Words are a title's CHRONICLE; a sentence of which there are several takes them in turn, so that a log always reads the same,
and a longer log only longer. What had no effect is left out, and whatever not everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.effects import Effect
from engine.language import Texts, sentence
from games.contract.report import Block, Heading, Paragraph, Span

Facts = Mapping[str, Any]


class Entry(Protocol):
    """A standing move of the log, as `games.contract.pages.Told` and `games.contract.report.Line` have it."""

    @property
    def number(self) -> int: ...
    @property
    def effects(self) -> Sequence[Effect]: ...


class Sentence(NamedTuple):
    """A sentence or two of the chronicle, the turn and the entry of the log they tell of."""

    turn: int
    entry: int
    text: str


class TurnText(NamedTuple):
    """The paragraph of a turn."""

    number: int
    text: str


def turn_texts(sentences: Iterable[Sentence]) -> list[TurnText]:
    """These sentences, turn by turn. A turn of which there is nothing to tell has no paragraph."""
    paragraphs: dict[int, list[str]] = {}
    for one in sentences:
        paragraphs.setdefault(one.turn, []).append(one.text)
    return [TurnText(number, " ".join(texts)) for number, texts in paragraphs.items()]


def chronicle_blocks(paragraphs: Iterable[TurnText], heading: Callable[[int], str]) -> list[Block]:
    """These paragraphs as blocks of a report, each below the name of its turn."""
    blocks: list[Block] = []
    for one in paragraphs:
        blocks += [Heading((Span(heading(one.number)),), 2), Paragraph((Span(one.text),))]
    return blocks


def count_in_words(book: Facts, unit: str, n: int) -> str:
    """So many of something, in words as far as the catalogue has them."""
    numbers: Sequence[str] = book["numbers"]
    return str(book["units"][unit].form(n)).format(n=numbers[n] if n < len(numbers) else n)


class Chronicler:
    """Reads the log entry by entry, `on_<kind>` with the facts of each effect of that kind, and keeps what a later sentence
    needs."""

    catalogue: Texts
    first_choice = 0
    """The place of the sentence that comes first among several of a key."""

    def __init__(self) -> None:
        self.book: Facts = self.catalogue.read()
        self.sentences: list[Sentence] = []
        self.used: list[tuple[int, Effect]] = []
        """The effects that made a sentence."""
        self.turn = 1
        self.entry = 0
        self.choices: dict[str, int] = {}

    def read(self, entry: Entry) -> None:
        """Add what one entry tells."""
        for effect in entry.effects:
            reader = getattr(self, f"on_{effect.kind}", None)
            if reader is not None and effect.audience is None:
                self.before_effect(effect.kind)
                self.entry = entry.number
                self.used.append((entry.number, effect))
                reader(effect.facts)
        self.after_entry()

    def read_all(self, log: Iterable[Entry]) -> list[Sentence]:
        """Everything that is told, in order."""
        for entry in log:
            self.read(entry)
        self.finish()
        return self.sentences

    def before_effect(self, kind: str) -> None:
        """Write down what is held back and does not wait for an effect of this kind."""

    def after_entry(self) -> None:
        """Write down what no later entry can add to."""

    def finish(self) -> None:
        """Nothing more comes: write down what is still held back."""

    def add_line(self, key: str, **named: str) -> None:
        """Add the next of the sentences of this key."""
        choice: Sequence[str] = self.book["sentences"][key]
        at = self.choices.get(key, self.first_choice)
        self.choices[key] = at + 1
        text = self.fill(choice[at % len(choice)], **named)
        self.sentences.append(Sentence(self.turn, self.entry, text[:1].upper() + text[1:]))

    def fill(self, text: str, **named: str) -> str:
        """The sentence with these names in it."""
        return sentence(text, **named)
