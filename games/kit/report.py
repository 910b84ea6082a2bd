"""Reports of a game with one board: a turn with every effect and die, the chronicle, the end.

They are written from the effects of the log alone, and only from public ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine.effects import Effect, Roll
from engine.language import Texts, inside_sentence, sentence
from games.contract.report import (
    DRY,
    HEADLINE,
    Block,
    Bullets,
    Contents,
    Fold,
    Heading,
    Paragraph,
    Report,
    ReportedEvent,
    ReportEntry,
    Span,
    Spans,
)
from games.kit.words import Facts

ARROW = " → "
W = TypeVar("W")


class LineWords(Protocol):
    """The functions of a title's `words.py` that a report needs."""

    def effect_line(self, scenario: Any, effect: Effect) -> str: ...
    def roll_line(self, scenario: Any, roll: Roll) -> str: ...
    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str: ...


class TurnLog(NamedTuple, Generic[W]):
    """The lines of a turn and the board before and after them.

    `over` is true if the turn has ended, so that no line will be added to it.
    """

    number: int
    lines: list[ReportEntry]
    before: W
    after: W
    over: bool


def split_turns(
    lines: Iterable[ReportEntry],
    start: W,
    after: Callable[[W, Sequence[Effect]], W],
    next_turn: Callable[[ReportEntry, int], int | None],
) -> list[TurnLog[W]]:
    """Split the log into turns.

    The entry that opens another turn still belongs to the turn that it closes. `next_turn` returns
    the number of the turn that a line opens, None if the turn goes on.
    """
    parts: list[TurnLog[W]] = []
    now, mine, number = start, list[ReportEntry](), 1
    before = now
    for line in lines:
        mine.append(line)
        now = after(now, line.effects)
        following = next_turn(line, number)
        if following is not None:
            parts.append(TurnLog(number, mine, before, now, True))
            number, before, mine = following, now, []
    if mine:
        parts.append(TurnLog(number, mine, before, now, False))
    return parts


def last_effect(lines: Sequence[ReportEntry], kinds: Sequence[str]) -> Effect | None:
    """Return the effect of one of these kinds that ended the game; None while the game goes on."""
    return (
        next((effect for effect in lines[-1].effects if effect.kind in kinds), None)
        if lines
        else None
    )


def change_text(was: int, now: int) -> str:
    """Return a number, with its earlier value before it if it changed."""
    return str(now) if was == now else f"{was}{ARROW}{now}"


class ReportWriter:
    """A writer that turns effects and rolls into lines, and remembers which of them it used."""

    words: LineWords
    ends: tuple[str, ...] = ("won", "lost")
    """The kinds of effects that end the game."""

    def __init__(self, scenario: Any, people: Mapping[str, str], texts: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.people = people
        self.texts = texts
        self.used: list[ReportedEvent] = []

    # Parts that a title implements itself ---------------------------------------------------------

    def turn_name(self, number: int) -> str:
        """Return the name of a turn."""
        raise NotImplementedError

    def turn_heading(self, number: int) -> str:
        """Return the heading of a turn in the chronicle."""
        return self.turn_name(number)

    def board_blocks(self, part: TurnLog[Any]) -> list[Block]:
        """Return the board after a turn, with what has changed."""
        raise NotImplementedError

    def step_blocks(self, part: TurnLog[Any]) -> list[Block]:
        """Return the steps of a turn."""
        raise NotImplementedError

    def outcome(self, over: Effect, parts: Sequence[TurnLog[Any]]) -> str:
        """Return a sentence about how the game ended."""
        raise NotImplementedError

    def end_blocks(self, parts: Sequence[TurnLog[Any]]) -> list[Block]:
        """Return the final result turn by turn."""
        raise NotImplementedError

    def opening(self, line: ReportEntry) -> Spans:
        """Return the move itself, for the beginning of its line."""
        return (Span(self.words.move_line(self.scenario, line.move, line.effects)),)

    def changed(self, effect: Effect) -> Spans:
        """Return the change that an effect made; empty if its cause already describes it."""
        raise NotImplementedError

    def roll_text(self, roll: Roll, values: Sequence[Roll]) -> str:
        """Return the dice of one purpose as text."""
        return (
            f"{self.words.roll_line(self.scenario, roll)}:"
            f" {', '.join(str(die.value) for die in values)}"
        )

    # Parts that all titles share ------------------------------------------------------------------

    def text(self, key: str, **named: object) -> str:
        return str(self.texts[key]).format_map(named)

    def heading(self, key: str, **named: object) -> Heading:
        return Heading((Span(self.text(key, **named)),), 2)

    def names(self, seat_name: Callable[[str], str], listed: Callable[[Iterable[str]], str]) -> str:
        """Return a sentence that lists which user played which seat."""
        players = [
            self.text("player", seat=seat_name(seat), name=name)
            for seat, name in self.people.items()
        ]
        return self.text("players", names=listed(players)) if players else ""

    def reason(self, effect: Effect) -> tuple[str, str]:
        """Return the cause of an effect: the phrase alone, and the phrase with its rule."""
        phrase = self.words.effect_line(self.scenario, effect)
        return phrase, f"{phrase}, §{effect.cause.rule}" if effect.cause.rule else phrase

    def step(self, line: ReportEntry) -> Spans:
        """Return an entry with all its effects.

        A reason that several effects share is written once, after the last of them.
        """
        spans = [*self.opening(line)]
        effects = [effect for effect in line.effects if effect.audience is None]
        self.used += [ReportedEvent(line.number, effect) for effect in effects]
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

    def steps(self, lines: Sequence[ReportEntry]) -> Bullets:
        """Return a list with a step for each line."""
        return Bullets(tuple(self.step(line) for line in lines))

    def dice(self, lines: Sequence[ReportEntry]) -> list[Block]:
        """Return the dice of these entries, with several dice of one purpose together."""
        items: list[Spans] = []
        for line in lines:
            thrown: dict[str, list[Roll]] = {}
            for roll in line.rolls:
                if roll.audience is None:
                    self.used.append(ReportedEvent(line.number, roll))
                    head, _, last = roll.purpose.rpartition("/")
                    thrown.setdefault(head if last.isdecimal() else roll.purpose, []).append(roll)
            texts = [
                self.roll_text(rolls[0]._replace(purpose=purpose), rolls)
                for purpose, rolls in thrown.items()
            ]
            if texts:
                move = "".join(span.text for span in self.opening(line))
                label = (Span(move, bold=True), Span(": ")) if move else ()
                items.append((*label, Span("; ".join(texts) + ".")))
        return [self.heading("dice"), Bullets(tuple(items))] if items else []

    def report(
        self, name: str, what: str, blocks: Sequence[Block], lines: Sequence[ReportEntry]
    ) -> Report:
        """Return the report, with the public effects and rolls that it used and left out."""
        used = {(use.number, id(use.what)) for use in self.used}
        everything: list[ReportedEvent] = []
        for line in lines:
            everything += [
                ReportedEvent(line.number, effect)
                for effect in line.effects
                if effect.audience is None
            ]
            everything += [
                ReportedEvent(line.number, roll) for roll in line.rolls if roll.audience is None
            ]
        left = tuple(use for use in everything if (use.number, id(use.what)) not in used)
        title = f"{name}: {inside_sentence(what[:1])}{what[1:]}" if name else what
        return Report(
            title,
            (Heading((Span(title),), 1), *blocks),
            tuple(self.used),
            left,
            lines[0].number,
            lines[-1].number,
        )

    def turn_report(self, part: TurnLog[Any], sentences: Sequence[Sentence], name: str) -> Report:
        """Return the report of a turn.

        It has the first sentence of its chronicle, the board, the rest of the chronicle, and all
        steps and dice as details.
        """
        first, *rest = [text.text for text in sentences if text.turn == part.number] or [""]
        board = self.board_blocks(part)
        details = [*self.step_blocks(part), *self.dice(part.lines)]
        blocks: list[Block] = [
            *([Paragraph((Span(first),), part=HEADLINE)] if first else []),
            *board,
            *([Paragraph((Span(" ".join(rest)),))] if rest else []),
            Fold((Span(self.text("details")),), tuple(map(_inside, details))),
        ]
        return self.report(name, self.turn_name(part.number), blocks, part.lines)

    def end_report(
        self, over: Effect, parts: Sequence[TurnLog[Any]], sentences: Sequence[Sentence], name: str
    ) -> Report:
        """Return the final report: how the game ended, and its result turn by turn."""
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


def _inside(block: Block) -> Block:
    """Return a chapter's heading as that of a part."""
    return block._replace(level=3) if isinstance(block, Heading) else block


class BoardReports:
    """The reports of a title with one board; implements `games.contract.report.Reporter`.

    `kind` is the word for a turn in the keys of reports.
    """

    kind: str

    def writer(self, scenario: Any, people: Mapping[str, str]) -> ReportWriter:
        raise NotImplementedError

    def chronicler(self, scenario: Any) -> Chronicler:
        raise NotImplementedError

    def split(self, lines: Sequence[ReportEntry]) -> list[TurnLog[Any]]:
        """Split the log into its turns."""
        raise NotImplementedError

    @property
    def kinds(self) -> Sequence[str]:
        return self.kind, "final"

    def contents(self, scenario: Any, lines: Sequence[ReportEntry]) -> list[Contents]:
        parts, writer = self.split(lines), self.writer(scenario, {})
        if not parts:
            return []
        last, over = parts[-1].number, last_effect(lines, writer.ends) is not None
        contents = [Contents("final", "final", writer.text("final"), last, True)] if over else []
        contents.append(Contents("chronicle", "chronicle", writer.text("chronicle"), last, over))
        return contents + [
            Contents(
                f"{self.kind}-{part.number}",
                self.kind,
                writer.turn_name(part.number),
                part.number,
                part.over,
            )
            for part in reversed(parts)
        ]

    def report(
        self,
        scenario: Any,
        start: Any,
        lines: Sequence[ReportEntry],
        key: str,
        name: str,
        people: Mapping[str, str],
        tone: str = DRY,
    ) -> Report | None:
        asked = re.fullmatch(rf"{self.kind}-([1-9][0-9]{{0,5}})|chronicle|final", key, re.ASCII)
        parts = self.split(lines)
        if asked is None or not parts:
            return None
        writer, chronicler = self.writer(scenario, people), self.chronicler(scenario)
        sentences = chronicler.read_all(lines)
        if key == "chronicle":
            writer.used += [ReportedEvent(entry, effect) for entry, effect in chronicler.used]
            blocks = chronicle_blocks(turn_texts(sentences), writer.turn_heading)
            return writer.report(name, writer.text("chronicle"), blocks, lines)
        if key == "final":
            over = last_effect(lines, writer.ends)
            return over and writer.end_report(over, parts, sentences, name)
        part = next((part for part in parts if part.number == int(asked[1])), None)
        return part and writer.turn_report(part, sentences, name)


# A game in prose, a paragraph for each turn, written from the public effects of the log alone.
#
# The sentences are in a title's CHRONICLE. A key may have several sentences, which are used in
# turn: the same log always gives the same text, and a longer log only adds to it. Moves without
# effect are left out.


class Entry(Protocol):
    """A log entry in force: a `LoggedMove` of `contract.pages` or a `ReportEntry`."""

    @property
    def number(self) -> int: ...
    @property
    def effects(self) -> Sequence[Effect]: ...


class Sentence(NamedTuple):
    """A sentence or two of the chronicle, with the turn and the log entry that they describe."""

    turn: int
    entry: int
    text: str


class TurnText(NamedTuple):
    """The paragraph of a turn."""

    number: int
    text: str


def turn_texts(sentences: Iterable[Sentence]) -> list[TurnText]:
    """Join these sentences into paragraphs, one for each turn that has any."""
    paragraphs: dict[int, list[str]] = {}
    for line in sentences:
        paragraphs.setdefault(line.turn, []).append(line.text)
    return [TurnText(number, " ".join(texts)) for number, texts in paragraphs.items()]


def chronicle_blocks(paragraphs: Iterable[TurnText], heading: Callable[[int], str]) -> list[Block]:
    """Return these paragraphs as blocks of a report, each below the heading of its turn."""
    blocks: list[Block] = []
    for paragraph in paragraphs:
        blocks += [
            Heading((Span(heading(paragraph.number)),), 2),
            Paragraph((Span(paragraph.text),)),
        ]
    return blocks


def count_in_words(book: Facts, unit: str, n: int) -> str:
    """Return a count with its unit, in words as far as the catalogue has them."""
    numbers: Sequence[str] = book["numbers"]
    return str(book["units"][unit].form(n)).format(n=numbers[n] if n < len(numbers) else n)


class Chronicler:
    """A reader of the log that writes the chronicle.

    It calls `on_<kind>` with the facts of each effect of that kind, and keeps the facts that later
    sentences need.
    """

    catalogue: Texts
    first_choice = 0
    """The index of the first sentence to use if a key has several."""

    def __init__(self) -> None:
        self.book: Facts = self.catalogue.read()
        self.sentences: list[Sentence] = []
        self.used: list[tuple[int, Effect]] = []
        """The effects that made a sentence."""
        self.turn = 1
        self.entry = 0
        self.choices: dict[str, int] = {}

    def read(self, entry: Entry) -> None:
        """Add the sentences of one entry."""
        for effect in entry.effects:
            reader = getattr(self, f"on_{effect.kind}", None)
            if reader is not None and effect.audience is None:
                self.before_effect(effect.kind)
                self.entry = entry.number
                self.used.append((entry.number, effect))
                reader(effect.facts)
        self.after_entry()

    def read_all(self, log: Iterable[Entry]) -> list[Sentence]:
        """Return the sentences of the whole log, in order."""
        for entry in log:
            self.read(entry)
        self.finish()
        return self.sentences

    def before_effect(self, kind: str) -> None:
        """Write the pending sentences that do not wait for an effect of this kind."""

    def after_entry(self) -> None:
        """Write the pending sentences that no later entry can extend."""

    def finish(self) -> None:
        """Write all pending sentences at the end of the log."""

    def add_line(self, key: str, **named: str) -> None:
        """Add the next sentence for this key."""
        choice: Sequence[str] = self.book["sentences"][key]
        at = self.choices.get(key, self.first_choice)
        self.choices[key] = at + 1
        text = self.fill(choice[at % len(choice)], **named)
        self.sentences.append(Sentence(self.turn, self.entry, text[:1].upper() + text[1:]))

    def fill(self, text: str, **named: str) -> str:
        """Return the sentence with these names in it."""
        return sentence(text, **named)
