"""Reports of a game: a round with every effect and die, the chronicle, the end. Told from the log's effects alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.effects import Effect, Roll
from games.contract.report import Block, Bullets, Contents, Heading, Line, Paragraph, Report, Span, Spans, Table, Told
from games.tetrarchia.rules.barbarians import QUIET, score
from games.tetrarchia.rules.board import BORDER, EMPERORS, NUMERALS, OF_REGION, OUTSIDE, REGIONS, REVOLT, UNREST, World
from games.tetrarchia.rules.position import Scenario
from games.tetrarchia.text import chronicle, words
from games.tetrarchia.text.chronicle import Chronicler, Sentence

KEY = re.compile(r"round-([1-9][0-9]{0,5})|chronicle|final", re.ASCII)
ARROW = " → "


class Round(NamedTuple):
    """The lines of a round and the board before and after them; `over`: nothing more will come to it."""

    number: int
    lines: list[Line]
    before: World
    after: World
    over: bool


def split(lines: Iterable[Line]) -> list[Round]:
    """The rounds of the log. The entry that opens another round still belongs to the one it closes."""
    found: list[Round] = []
    now, mine, number = World(), list[Line](), 1
    before = now
    for line in lines:
        mine.append(line)
        now = now.after(line.effects)
        following = next((int(e.facts["round"]) for e in line.effects if e.kind == "turn"), number)
        if following > number or result([line]) is not None:
            found.append(Round(number, mine, before, now, True))
            number, before, mine = following, now, []
    if mine:
        found.append(Round(number, mine, before, now, False))
    return found


def result(lines: Sequence[Line]) -> Effect | None:
    """The effect that ended the game; None while it lasts."""
    last = lines[-1].effects if lines else ()
    return next((effect for effect in last if effect.kind in ("won", "lost")), None)


class Teller:
    """Puts effects and rolls into lines, and remembers what it told."""

    def __init__(self, scenario: Scenario, people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.people = people
        self.texts: Mapping[str, Any] = chronicle.book()["report"]
        self.told: list[Told] = []

    def text(self, key: str, **named: object) -> str:
        return str(self.texts[key]).format(**named)

    def heading(self, key: str, level: int = 2, **named: object) -> Heading:
        return Heading((Span(self.text(key, **named)),), level)

    def clause(self, line: Line, effect: Effect) -> tuple[str, str]:
        """What changed, a balance or a token, and why; nothing before the why where it is a phrase of its own."""
        self.told.append(Told(line.number, effect))
        said = words.effect_line(self.scenario, effect)
        why = f"{said}, §{effect.cause.rule}" if effect.cause.rule else said
        if effect.kind == "account":
            label = words.book()["accounts"][effect.subject]
            holder = words.holder_name(str(effect.holder))
            return f"{holder}: {label} {effect.balance - effect.change}{ARROW}{effect.balance}", why
        if effect.kind == "holding":
            was, now = (words.token_name(one) if one else self.text("none") for one in (effect.facts["from"], effect.holder))
            return f"{words.space_name(effect.subject)}: {was}{ARROW}{now}", why
        return "", why

    def step(self, line: Line) -> Spans:
        """An entry with all that came of it. A reason that many things have is said once, behind the last of them."""
        spans = [Span(words.deed_line(self.scenario, line.move, line.effects))]
        clauses = [self.clause(line, effect) for effect in line.effects]
        for at, (changed, why) in enumerate(clauses):
            same = at + 1 < len(clauses) and clauses[at + 1][1] == why
            if changed:
                spans.append(Span(f"; {changed}" if same else f"; {changed} ({why})"))
            elif not same:
                said, _, rule = why.rpartition(", §")
                spans.append(Span(f"; {said} (§{rule})" if said else f"; {why}"))
        return (*spans, Span("."))

    def dice(self, line: Line) -> Spans:
        """The dice of an entry."""
        said = []
        for roll in line.rolls:
            self.told.append(Told(line.number, roll))
            said.append(f"{words.roll_line(self.scenario, roll)}: {die_text(roll)}")
        return (Span(self.text("entry", n=line.number), bold=True), Span(": " + "; ".join(said) + "."))

    def turns(self, lines: Sequence[Line], emperor: str) -> list[Block]:
        """The steps of these lines, a part for each Emperor; before the first turn the set-up."""
        blocks: list[Block] = []
        items: list[Spans] = []
        name = words.holder_name(emperor) if emperor else self.text("opening")
        for line in lines:
            items.append(self.step(line))
            opened = next((e for e in line.effects if e.kind == "turn"), None)
            if opened is not None:
                blocks += [Heading((Span(name),), 2), Bullets(tuple(items))]
                items, name = [], words.holder_name(str(opened.holder))
        if items:
            blocks += [Heading((Span(name),), 2), Bullets(tuple(items))]
        return blocks

    def board(self, world: World) -> Table:
        """The tokens of each region and its border."""
        rows = []
        for region, name in REGIONS.items():
            tokens = [world.tokens.get(key) for key in OF_REGION[region]]
            border = BORDER.get(region)
            state = "no_border" if border is None else "secured" if world.tokens.get(border) in EMPERORS else "open"
            mine = sum(token in EMPERORS for token in tokens)
            rows.append((f"{NUMERALS[region]} {name}", str(mine), str(tokens.count(UNREST)), str(tokens.count(REVOLT)),
                         self.text(state)))  # fmt: skip
        return Table(tuple(self.texts["head_board"]), tuple(rows))

    def numbers(self, rounds: Sequence[Round]) -> Table:
        """Borders, tokens and armies at the end of each round."""
        rows = []
        for one in rounds:
            tokens = list(one.after.tokens.values())
            secured = sum(one.after.tokens.get(key) in EMPERORS for key in OUTSIDE)
            numbers = (one.number, secured, tokens.count(REVOLT), tokens.count(UNREST), len(one.after.armies))
            rows.append(tuple(map(str, numbers)))
        return Table(tuple(self.texts["head_numbers"]), tuple(rows))

    def score(self, position: Any) -> Table:
        """The parts of the score (6.3)."""
        parts, labels = score(position), self.texts["scores"]
        less = {"unsecured": len(OUTSIDE) - parts.secured, "armies": parts.armies, "heavy": len(parts.heavy)}
        points = {"secured": parts.secured, "quiet": QUIET * parts.quiet, **{key: -n for key, n in less.items()}}
        rows = [(str(labels[key]).format(n=abs(n)), signed(n)) for key, n in points.items()]
        rows.append((str(labels["sum"]), signed(parts.points)))
        return Table(tuple(self.texts["head_score"]), tuple(rows))

    def names(self) -> str:
        """Who played what."""
        told = [self.text("player", seat=words.seat_name(seat), name=name) for seat, name in self.people.items()]
        return self.text("players", names=words.listed(told)) if told else ""


def signed(n: int) -> str:
    """A number with its sign; a true minus."""
    return f"{n:+}".replace("-", "−") if n else "0"


def die_text(roll: Roll) -> str:
    """A die as it is written: the Roman one with its numerals."""
    roman = roll.purpose.endswith(("/roman", "/region")) or "/echo-" in roll.purpose or "setup/barbarian" in roll.purpose
    return words.NUMERALS[roll.value] if roman else str(roll.value)


class TetrarchiaReports:
    """See `games.contract.report.Reporter`."""

    kinds = ("round", "final")

    def contents(self, scenario: Scenario, lines: Sequence[Line]) -> list[Contents]:
        rounds, teller = split(lines), Teller(scenario, {})
        if not rounds:
            return []
        last, over = rounds[-1].number, result(lines) is not None
        found = [Contents("final", "final", teller.text("final"), last, True)] if over else []
        found.append(Contents("chronicle", "chronicle", teller.text("chronicle"), last, over))
        return found + [
            Contents(f"round-{one.number}", "round", teller.text("round", n=one.number), one.number, one.over)
            for one in reversed(rounds)
        ]

    def report(
        self, scenario: Scenario, start: Any, lines: Sequence[Line], key: str, name: str, people: Mapping[str, str]
    ) -> Report | None:
        asked, rounds = KEY.fullmatch(key), split(lines)
        if asked is None or not rounds:
            return None
        teller, reader = Teller(scenario, people), Chronicler()
        for line in lines:
            reader.tell(line)
        reader.flush()
        if key == "chronicle":
            teller.told += [Told(entry, effect) for entry, effect in reader.used]
            blocks = chronicle.blocks_of(chronicle.rounds_of(reader.told))
            return _finish(teller, _titled(name, teller.text("chronicle")), blocks, lines)
        if key == "final":
            return _final(teller, reader.told, rounds, lines, name)
        found = next((one for one in rounds if one.number == int(asked[1])), None)
        return found and _round(teller, reader.told, found, name)


def _titled(name: str, what: str) -> str:
    return f"{name}: {what[:1].lower()}{what[1:]}" if name else what


def _finish(teller: Teller, title: str, blocks: Sequence[Block], lines: Sequence[Line]) -> Report:
    """The report, with what it told and what it left."""
    told = {(one.number, id(one.what)) for one in teller.told}
    everything: list[Told] = []
    for line in lines:
        everything += [Told(line.number, effect) for effect in line.effects]
        everything += [Told(line.number, roll) for roll in line.rolls]
    left = tuple(one for one in everything if (one.number, id(one.what)) not in told)
    head = Heading((Span(title),), 1)
    return Report(title, (head, *blocks), tuple(teller.told), left, lines[0].number, lines[-1].number)


def _dice(teller: Teller, lines: Sequence[Line]) -> list[Block]:
    thrown = tuple(teller.dice(line) for line in lines if line.rolls)
    return [teller.heading("dice"), Bullets(thrown)] if thrown else []


def _round(teller: Teller, told: Sequence[Sentence], one: Round, name: str) -> Report:
    """A round: its paragraph of the chronicle, every step by Emperor, the board, every die."""
    mine = chronicle.rounds_of(sentence for sentence in told if sentence.round == one.number)
    blocks: list[Block] = [Paragraph((Span(paragraph.text),)) for paragraph in mine]
    blocks += teller.turns(one.lines, "" if one.number == 1 else next(iter(EMPERORS)))
    blocks += [teller.heading("board"), teller.board(one.after), *_dice(teller, one.lines)]
    return _finish(teller, _titled(name, teller.text("round", n=one.number)), blocks, one.lines)


def _final(teller: Teller, told: Sequence[Sentence], rounds: Sequence[Round], lines: Sequence[Line], name: str) -> Report | None:
    """The end: how the game ended, its score, and what it came to round by round. None while it lasts."""
    over = result(lines)
    if over is None:
        return None
    last = lines[-1]
    options = last.after.options
    said = teller.text(
        over.kind, rounds=chronicle.count("rounds", rounds[-1].number), level=options.digits, players=teller.names(),
        borders=chronicle.count("borders", int(over.facts["secured"])),
    )  # fmt: skip
    blocks: list[Block] = [
        Paragraph((Span(said.strip()),)),
        *(Paragraph((Span(sentence.text),)) for sentence in told if sentence.entry == last.number),
        teller.heading("score"),
        teller.score(last.after),
        teller.heading("numbers"),
        teller.numbers(rounds),
        teller.heading("steps"),
        Bullets((teller.step(last),)),
        *_dice(teller, [last]),
    ]
    return _finish(teller, _titled(name, teller.text("final")), blocks, [last])
