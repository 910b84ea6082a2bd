"""Reports of a reign: a year with every effect and die, the chronicle, the end. Told from the log's effects alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.effects import Effect, Roll
from games.contract.report import Block, Bullets, Contents, Heading, Line, Paragraph, Report, Span, Spans, Table, Told
from games.march_on_rome.rules.board import LOST, PC, SENATE, World, is_general, number
from games.march_on_rome.rules.position import Scenario
from games.march_on_rome.text import words
from games.march_on_rome.text.chronicle import Chronicler, Sentence, blocks_of, texts, years_of

KEY = re.compile(r"year-([1-9][0-9]{0,5})|chronicle|final", re.ASCII)
ARROW = " → "
GOING_ON = "continue"


class Year(NamedTuple):
    """The lines of a year and who held what before and after them; `over`: nothing more will come to it."""

    number: int
    lines: list[Line]
    before: World
    after: World
    over: bool


def split(lines: Iterable[Line]) -> list[Year]:
    """The years of the log. The entry that opens another year still belongs to the one it closes."""
    found: list[Year] = []
    now, mine, turn = World(), list[Line](), 1
    before = now
    for line in lines:
        mine.append(line)
        now = now.after(line.effects)
        closing = next((e for e in line.effects if e.kind in ("year", "won", "lost")), None)
        if closing is not None:
            found.append(Year(turn, mine, before, now, True))
            turn, before, mine = int(closing.facts["turn"]), now, []
    if mine:
        found.append(Year(turn, mine, before, now, False))
    return found


def result(years: Sequence[Year]) -> Effect | None:
    """The effect that ended the reign; None while it lasts."""
    last = years[-1].lines[-1].effects if years else ()
    return next((effect for effect in last if effect.kind in ("won", "lost")), None)


class Teller:
    """Puts effects and rolls into lines, and remembers what it told."""

    def __init__(self, scenario: Scenario, people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.people = people
        self.texts: Mapping[str, Any] = texts()["report"]
        self.labels: Mapping[str, str] = self.texts["accounts"]
        self.told: list[Told] = []

    def text(self, key: str, **named: object) -> str:
        return str(self.texts[key]).format_map({"hero": self.scenario.general, **named})

    def heading(self, key: str, level: int = 2) -> Heading:
        return Heading((Span(self.text(key)),), level)

    def holder(self, holder: str) -> Span:
        if holder in (SENATE, LOST):
            return Span(self.text(f"of_{holder}"))
        return Span(words.general_name(self.scenario, holder), seat=PC if holder == PC else "")

    def clause(self, line: Line, effect: Effect) -> tuple[Spans, str]:
        """What changed, a balance or a province's holder, and why; nothing before the why where it is a phrase of its own."""
        self.told.append(Told(line.number, effect))
        said = words.effect_line(self.scenario, effect)
        why = f"{said}, §{effect.cause.rule}" if effect.cause.rule else said
        if effect.kind == "account":
            holder = self.holder(str(effect.holder)) if effect.holder != LOST else Span(self.text("peoples"))
            before = effect.balance - effect.change
            return (holder, Span(f": {self.labels[effect.subject]} {before}{ARROW}{effect.balance}")), why
        if effect.kind == "holding":
            name = words.province_name(effect.subject)
            was, now = self.holder(str(effect.facts["from"])), self.holder(str(effect.holder))
            return (Span(f"{name}: "), was, Span(ARROW), now), why
        return (), why

    def step(self, line: Line) -> Spans:
        """An entry with all that came of it; going on needs no words of its own. A reason that many things have is said
        once, behind the last of them."""
        spans: list[Span] = []
        if line.move["move"] != GOING_ON:
            spans += [self.holder(PC), Span(" " + words.move_line(self.scenario, line.move, line.effects))]
        clauses = [self.clause(line, effect) for effect in line.effects]
        for at, (changed, why) in enumerate(clauses):
            same = at + 1 < len(clauses) and clauses[at + 1][1] == why
            if changed:
                spans += [Span("; " if spans else ""), *changed, *([] if same else [Span(f" ({why})")])]
            elif not same:
                said, _, rule = why.rpartition(", §")
                spans += [Span("; " if spans else ""), Span(f"{said} (§{rule})" if said else why)]
        return (*spans, Span("."))

    def dice(self, line: Line) -> Spans:
        """The dice of an entry; several of one purpose after it."""
        thrown: dict[str, tuple[Roll, list[int]]] = {}
        for roll in line.rolls:
            self.told.append(Told(line.number, roll))
            head, _, last = roll.purpose.rpartition("/")
            thrown.setdefault(head if last.isdecimal() else roll.purpose, (roll, []))[1].append(roll.value)
        said = [
            f"{words.roll_line(self.scenario, roll._replace(purpose=purpose))}, d{roll.sides}: {', '.join(map(str, values))}"
            for purpose, (roll, values) in thrown.items()
        ]
        return (Span(self.text("entry", n=line.number), bold=True), Span(": " + "; ".join(said) + "."))

    def holdings(self, before: World, after: World) -> Table:
        """Who held what before and after."""
        # The player’s lands stay his when he is murdered: whoever has a province is told of, alive or not.
        generals = sorted({one for world in (before, after) for one in world.owner.values() if is_general(one)}, key=number)
        rows = []
        for holder in [*generals, SENATE, LOST]:
            legions = "·" if holder == LOST else change(before.strength(holder), after.strength(holder))
            label = self.text("none") if holder == LOST else self.holder(holder).text
            rows.append((label, legions, change(len(before.lands(holder)), len(after.lands(holder)))))
        return Table(tuple(self.texts["head_holders"]), tuple(rows))

    def numbers(self, years: Sequence[Year]) -> Table:
        """Provinces, legions and rivals at the end of each year."""
        rows = [
            (year.number, len(now.lands(PC)), now.strength(PC), sum(one != PC for one in now.generals()))
            for year in years
            for now in (year.after,)
        ]
        return Table(tuple(self.texts["head_numbers"]), tuple(tuple(map(str, row)) for row in rows))


def change(was: int, now: int) -> str:
    return str(now) if was == now else f"{was}{ARROW}{now}"


class MarchReports:
    """See `games.contract.report.Reporter`."""

    kinds = ("year", "final")

    def contents(self, scenario: Scenario, lines: Sequence[Line]) -> list[Contents]:
        years, teller = split(lines), Teller(scenario, {})
        if not years:
            return []
        last, over = years[-1].number, result(years) is not None
        found = [Contents("final", "final", teller.text("final"), last, True)] if over else []
        found.append(Contents("chronicle", "chronicle", teller.text("chronicle"), last, over))
        found += [
            Contents(f"year-{y.number}", "year", teller.text("year", n=y.number), y.number, y.over) for y in reversed(years)
        ]
        return found

    def report(
        self, scenario: Scenario, start: Any, lines: Sequence[Line], key: str, name: str, people: Mapping[str, str]
    ) -> Report | None:
        asked, years = KEY.fullmatch(key), split(lines)
        if asked is None or not years:
            return None
        teller, reader = Teller(scenario, people), Chronicler(scenario)
        for line in lines:
            reader.tell(line)
        if key == "chronicle":
            return _chronicle(teller, reader, lines, name)
        if key == "final":
            return _final(teller, reader.told, years, name)
        year = next((year for year in years if year.number == int(asked[1])), None)
        return year and _year(teller, reader.told, year, name)


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


def _year(teller: Teller, told: Sequence[Sentence], year: Year, name: str) -> Report:
    """A year: its paragraph of the chronicle, every step, who holds what, every die."""
    mine = years_of(sentence for sentence in told if sentence.year == year.number)
    blocks: list[Block] = [Paragraph((Span(one.text),)) for one in mine]
    blocks += [teller.heading("steps"), Bullets(tuple(teller.step(line) for line in year.lines if line.effects))]
    blocks += [teller.heading("holders"), teller.holdings(year.before, year.after)]
    thrown = tuple(teller.dice(line) for line in year.lines if line.rolls)
    if thrown:
        blocks += [teller.heading("dice"), Bullets(thrown)]
    return _finish(teller, _titled(name, teller.text("year", n=year.number)), blocks, year.lines)


def _chronicle(teller: Teller, reader: Chronicler, lines: Sequence[Line], name: str) -> Report:
    """The reign in prose. It leaves out what had no effect, and the dice."""
    teller.told += [Told(entry, effect) for entry, effect in reader.used]
    blocks = blocks_of(years_of(reader.told))
    return _finish(teller, _titled(name, teller.text("chronicle")), blocks, lines)


def _final(teller: Teller, told: Sequence[Sentence], years: Sequence[Year], name: str) -> Report | None:
    """The end: how the reign ended, and what it came to year by year. None while it lasts."""
    over = result(years)
    if over is None:
        return None
    last = years[-1].lines[-1]
    player = teller.people.get(PC)
    who = teller.text("played", player=player) if player else teller.text("alone")
    count = Chronicler(teller.scenario).count("years", years[-1].number)
    blocks: list[Block] = [
        Paragraph((Span(teller.text(over.kind, years=count, hero=who)),)),
        *(Paragraph((Span(sentence.text),)) for sentence in told if sentence.entry == last.number),
        teller.heading("numbers"),
        teller.numbers(years),
        teller.heading("steps"),
        Bullets((teller.step(last),)),
    ]
    if last.rolls:
        blocks += [teller.heading("dice"), Bullets((teller.dice(last),))]
    return _finish(teller, _titled(name, teller.text("final")), blocks, [last])
