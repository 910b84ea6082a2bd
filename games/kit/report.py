"""Reports of a game with one board: a turn with every effect and die, the chronicle, the end.
Written from the log's effects alone, and of these what everybody may see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine.effects import Effect, Roll
from engine.language import Texts, sentence, within
from games.contract.report import (
    Block,
    Bullets,
    Contents,
    Heading,
    Line,
    Paragraph,
    Report,
    Span,
    Spans,
    Told,
)
from games.kit.words import Facts

ARROW = " → "
W = TypeVar("W")


class LineWords(Protocol):
    """What a report asks of a title's `words.py`."""

    def effect_line(self, scenario: Any, effect: Effect) -> str: ...
    def roll_line(self, scenario: Any, roll: Roll) -> str: ...
    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str: ...


class Part(NamedTuple, Generic[W]):
    """The lines of a turn and the board before and after them; `over`: nothing more will come to
    it.
    """

    number: int
    lines: list[Line]
    before: W
    after: W
    over: bool


def split_turns(
    lines: Iterable[Line],
    start: W,
    after: Callable[[W, Sequence[Effect]], W],
    next_turn: Callable[[Line, int], int | None],
) -> list[Part[W]]:
    """The turns of the log. The entry that opens another turn still belongs to the one it closes:
    `next_turn` gives the number of the other; None where the turn goes on.
    """
    parts: list[Part[W]] = []
    now, mine, number = start, list[Line](), 1
    before = now
    for line in lines:
        mine.append(line)
        now = after(now, line.effects)
        following = next_turn(line, number)
        if following is not None:
            parts.append(Part(number, mine, before, now, True))
            number, before, mine = following, now, []
    if mine:
        parts.append(Part(number, mine, before, now, False))
    return parts


def last_effect(lines: Sequence[Line], kinds: Sequence[str]) -> Effect | None:
    """The effect of one of these kinds that ended the game; None while it lasts."""
    return (
        next((effect for effect in lines[-1].effects if effect.kind in kinds), None)
        if lines
        else None
    )


def change_text(was: int, now: int) -> str:
    """A number, with what it was before where it changed."""
    return str(now) if was == now else f"{was}{ARROW}{now}"


class ReportWriter:
    """Puts effects and rolls into lines, and remembers what it used."""

    words: LineWords
    ends: tuple[str, ...] = ("won", "lost")
    """The kinds of effects that end the game."""

    def __init__(self, scenario: Any, people: Mapping[str, str], texts: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.people = people
        self.texts = texts
        self.used: list[Told] = []

    # What a title says in its own way -------------------------------------------------------------

    def part_name(self, number: int) -> str:
        """The name of a turn."""
        raise NotImplementedError

    def turn_heading(self, number: int) -> str:
        """Its name within the chronicle."""
        return self.part_name(number)

    def part_blocks(self, part: Part[Any]) -> list[Block]:
        """The steps of a turn and the board after it."""
        raise NotImplementedError

    def outcome(self, over: Effect, parts: Sequence[Part[Any]]) -> str:
        """How the game ended."""
        raise NotImplementedError

    def end_blocks(self, parts: Sequence[Part[Any]]) -> list[Block]:
        """What it came to."""
        raise NotImplementedError

    def opening(self, line: Line) -> Spans:
        """What was done, at the head of its line."""
        return (Span(self.words.move_line(self.scenario, line.move, line.effects)),)

    def changed(self, effect: Effect) -> Spans:
        """What an effect changed; empty where its cause says all."""
        raise NotImplementedError

    def roll_text(self, roll: Roll, values: Sequence[Roll]) -> str:
        """The dice of one purpose."""
        return (
            f"{self.words.roll_line(self.scenario, roll)}:"
            f" {', '.join(str(one.value) for one in values)}"
        )

    # What all have in common ----------------------------------------------------------------------

    def text(self, key: str, **named: object) -> str:
        return str(self.texts[key]).format_map(named)

    def heading(self, key: str, **named: object) -> Heading:
        return Heading((Span(self.text(key, **named)),), 2)

    def names(self, seat_name: Callable[[str], str], listed: Callable[[Iterable[str]], str]) -> str:
        """Who played what."""
        players = [
            self.text("player", seat=seat_name(seat), name=name)
            for seat, name in self.people.items()
        ]
        return self.text("players", names=listed(players)) if players else ""

    def reason(self, effect: Effect) -> tuple[str, str]:
        """Why an effect came about: the phrase alone, and with its rule."""
        phrase = self.words.effect_line(self.scenario, effect)
        return phrase, f"{phrase}, §{effect.cause.rule}" if effect.cause.rule else phrase

    def step(self, line: Line) -> Spans:
        """An entry with all that came of it. A reason that many things have is said once, behind
        the last of them.
        """
        spans = [*self.opening(line)]
        effects = [effect for effect in line.effects if effect.audience is None]
        self.used += [Told(line.number, effect) for effect in effects]
        clauses = [
            (self.changed(effect), *self.reason(effect), effect.cause.rule) for effect in effects
        ]
        for at, (changed, phrase, why, rule) in enumerate(clauses):
            same = at + 1 < len(clauses) and clauses[at + 1][2] == why
            head = "; " if spans else ""
            tail = "" if same else f" ({why})"
            if len(changed) == 1:
                spans.append(Span(f"{head}{changed[0].text}{tail}"))
            elif changed:
                spans += [Span(head), *changed, *([Span(tail)] if tail else [])]
            elif not same:
                spans.append(Span(f"{head}{phrase} (§{rule})" if rule else f"{head}{phrase}"))
        return (*spans, Span("."))

    def steps(self, lines: Sequence[Line]) -> Bullets:
        return Bullets(tuple(self.step(line) for line in lines))

    def dice(self, lines: Sequence[Line]) -> list[Block]:
        """The dice of these entries; several of one purpose after it."""
        items: list[Spans] = []
        for line in lines:
            thrown: dict[str, list[Roll]] = {}
            for roll in line.rolls:
                if roll.audience is None:
                    self.used.append(Told(line.number, roll))
                    head, _, last = roll.purpose.rpartition("/")
                    thrown.setdefault(head if last.isdecimal() else roll.purpose, []).append(roll)
            texts = [
                self.roll_text(rolls[0]._replace(purpose=purpose), rolls)
                for purpose, rolls in thrown.items()
            ]
            if texts:
                items.append(
                    (
                        Span(self.text("entry", n=line.number), bold=True),
                        Span(": " + "; ".join(texts) + "."),
                    )
                )
        return [self.heading("dice"), Bullets(tuple(items))] if items else []

    def report(
        self, name: str, what: str, blocks: Sequence[Block], lines: Sequence[Line]
    ) -> Report:
        """The report, with what it used and what it left of what everybody may see."""
        used = {(one.number, id(one.what)) for one in self.used}
        everything: list[Told] = []
        for line in lines:
            everything += [
                Told(line.number, effect) for effect in line.effects if effect.audience is None
            ]
            everything += [Told(line.number, roll) for roll in line.rolls if roll.audience is None]
        left = tuple(one for one in everything if (one.number, id(one.what)) not in used)
        title = f"{name}: {within(what[:1])}{what[1:]}" if name else what
        return Report(
            title,
            (Heading((Span(title),), 1), *blocks),
            tuple(self.used),
            left,
            lines[0].number,
            lines[-1].number,
        )

    def part_report(self, part: Part[Any], sentences: Sequence[Sentence], name: str) -> Report:
        """A turn: its paragraph of the chronicle, every step, the board, every die."""
        mine = turn_texts(one for one in sentences if one.turn == part.number)
        blocks: list[Block] = [Paragraph((Span(one.text),)) for one in mine]
        blocks += [*self.part_blocks(part), *self.dice(part.lines)]
        return self.report(name, self.part_name(part.number), blocks, part.lines)

    def end_report(
        self, over: Effect, parts: Sequence[Part[Any]], sentences: Sequence[Sentence], name: str
    ) -> Report:
        """The end: how the game ended, and what it came to turn by turn."""
        last = parts[-1].lines[-1]
        blocks: list[Block] = [
            Paragraph((Span(self.outcome(over, parts)),)),
            *(
                Paragraph((Span(sentence.text),))
                for sentence in sentences
                if sentence.entry == last.number
            ),
            *self.end_blocks(parts),
            self.heading("steps"),
            self.steps([last]),
            *self.dice([last]),
        ]
        return self.report(name, self.text("final"), blocks, [last])


class BoardReports:
    """See `games.contract.report.Reporter`. `kind` is what a turn is called in keys."""

    kind: str

    def writer(self, scenario: Any, people: Mapping[str, str]) -> ReportWriter:
        raise NotImplementedError

    def chronicler(self, scenario: Any) -> Chronicler:
        raise NotImplementedError

    def split(self, lines: Sequence[Line]) -> list[Part[Any]]:
        """The turns of the log."""
        raise NotImplementedError

    @property
    def kinds(self) -> Sequence[str]:
        return self.kind, "final"

    def contents(self, scenario: Any, lines: Sequence[Line]) -> list[Contents]:
        parts, writer = self.split(lines), self.writer(scenario, {})
        if not parts:
            return []
        last, over = parts[-1].number, last_effect(lines, writer.ends) is not None
        contents = [Contents("final", "final", writer.text("final"), last, True)] if over else []
        contents.append(Contents("chronicle", "chronicle", writer.text("chronicle"), last, over))
        return contents + [
            Contents(
                f"{self.kind}-{one.number}",
                self.kind,
                writer.part_name(one.number),
                one.number,
                one.over,
            )
            for one in reversed(parts)
        ]

    def report(
        self,
        scenario: Any,
        start: Any,
        lines: Sequence[Line],
        key: str,
        name: str,
        people: Mapping[str, str],
    ) -> Report | None:
        asked = re.fullmatch(rf"{self.kind}-([1-9][0-9]{{0,5}})|chronicle|final", key, re.ASCII)
        parts = self.split(lines)
        if asked is None or not parts:
            return None
        writer, chronicler = self.writer(scenario, people), self.chronicler(scenario)
        sentences = chronicler.read_all(lines)
        if key == "chronicle":
            writer.used += [Told(entry, effect) for entry, effect in chronicler.used]
            blocks = chronicle_blocks(turn_texts(sentences), writer.turn_heading)
            return writer.report(name, writer.text("chronicle"), blocks, lines)
        if key == "final":
            over = last_effect(lines, writer.ends)
            return over and writer.end_report(over, parts, sentences, name)
        part = next((one for one in parts if one.number == int(asked[1])), None)
        return part and writer.part_report(part, sentences, name)


# A game in prose, a paragraph a turn, written from what the log's effects say and from nothing
# else.
#
# Words are a title's CHRONICLE; a sentence of which there are several takes them in turn, so that a
# log always reads the same, and a longer log only longer. What had no effect is left out, and
# whatever not everybody may see.


class Entry(Protocol):
    """A standing move of the log, as `games.contract.pages.Told` and `games.contract.report.Line`
    have it.
    """

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
    """Reads the log entry by entry, `on_<kind>` with the facts of each effect of that kind, and
    keeps what a later sentence needs.
    """

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
