"""Reports of a game: a period with every effect and die, the chronicle, the end. Told from the log's effects alone, and of
these what everybody may see: no hand, and no counter before it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.effects import Effect, Roll
from games.contract.report import Block, Bullets, Contents, Heading, Line, Paragraph, Report, Span, Spans, Table, Told
from games.roman_empire.rules.position import F, P, Scenario
from games.roman_empire.text import chronicle, words
from games.roman_empire.text.chronicle import Chronicler, Sentence

KEY = re.compile(r"period-([1-7])|chronicle|final", re.ASCII)
ARROW = " → "
Points = dict[str, dict[str, int]]


class Period(NamedTuple):
    """The lines of a period and everybody's points before and after them; `over`: nothing more will come to it."""

    number: int
    lines: list[Line]
    before: Points
    after: Points
    over: bool


def split(lines: Iterable[Line]) -> list[Period]:
    """The periods of the log. The entry that opens another period still belongs to the one it closes."""
    found: list[Period] = []
    now: Points = {}
    before, mine, number = now, list[Line](), 1
    for line in lines:
        mine.append(line)
        now = entered(now, line.effects)
        following = next((int(e.facts["period"]) for e in line.effects if e.kind == "turn"), number)
        if following > number or result([line]) is not None:
            found.append(Period(number, mine, before, now, True))
            number, before, mine = following, now, []
    if mine:
        found.append(Period(number, mine, before, now, False))
    return found


def entered(points: Points, effects: Sequence[Effect]) -> Points:
    """Everybody's points after these effects."""
    made = {seat: dict(of) for seat, of in points.items()}
    for effect in effects:
        if effect.kind == "account":
            made.setdefault(str(effect.holder), {P: 0, F: 0})[effect.subject] = effect.balance
    return made


def result(lines: Sequence[Line]) -> Effect | None:
    """The effect that ended the game; None while it lasts."""
    last = lines[-1].effects if lines else ()
    return next((effect for effect in last if effect.kind == "game_end"), None)


class Teller:
    """Puts effects and rolls into lines, and remembers what it told."""

    def __init__(self, scenario: Scenario, people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.people = people
        self.texts: Mapping[str, Any] = chronicle.book()["report"]
        self.told: list[Told] = []

    def text(self, key: str, **named: object) -> str:
        return str(self.texts[key]).format(**named)

    def heading(self, key: str, **named: object) -> Heading:
        return Heading((Span(self.text(key, **named)),), 2)

    def clause(self, line: Line, effect: Effect) -> tuple[str, str]:
        """What changed, points or a land, and why; nothing before the why where it is a phrase of its own."""
        self.told.append(Told(line.number, effect))
        said = words.effect_line(self.scenario, effect)
        why = f"{said}, §{effect.cause.rule}" if effect.cause.rule else said
        if effect.kind == "account":
            label = self.texts["accounts"][effect.subject]
            holder = words.seat_name(effect.holder)
            return f"{holder}: {label} {effect.balance - effect.change}{ARROW}{effect.balance}", why
        if effect.kind == "holding":
            was, now = self.land(effect.facts["was"]), self.land(effect.facts["now"])
            return f"{words.land_name(effect.subject)}: {was}{ARROW}{now}", why
        return "", why

    def land(self, place: Mapping[str, Any]) -> str:
        """What stands in a land."""
        found = [f"{words.group_name(place['who'])} {place['n']}"] if place["n"] else []
        if place["city"]:
            found.append(str(self.texts["city"][place["city"]]))
        if place["fort"]:
            kind = "fort" if place["fort"]["level"] == 1 else "fortress"
            found.append(self.text(kind, colour=words.group_name(place["fort"]["who"])))
        return ", ".join(found) or self.text("none")

    def step(self, line: Line) -> Spans:
        """An entry with all that came of it and everybody may see. A reason that many things have is said once."""
        spans = [Span(words.move_line(self.scenario, line.move, line.effects))]
        clauses = [self.clause(line, effect) for effect in line.effects if effect.audience is None]
        for at, (changed, why) in enumerate(clauses):
            same = at + 1 < len(clauses) and clauses[at + 1][1] == why
            if changed:
                spans.append(Span(f"; {changed}" if same else f"; {changed} ({why})"))
            elif not same:
                said, _, rule = why.rpartition(", §")
                spans.append(Span(f"; {said} (§{rule})" if said else f"; {why}"))
        return (*spans, Span("."))

    def dice(self, lines: Sequence[Line]) -> list[Block]:
        """The dice of these entries; several of one purpose after it."""
        items = []
        for line in lines:
            thrown: dict[str, tuple[Roll, list[int]]] = {}
            for roll in line.rolls:
                if roll.audience is None:
                    self.told.append(Told(line.number, roll))
                    head, _, last = roll.purpose.rpartition("/")
                    thrown.setdefault(head if last.isdecimal() else roll.purpose, (roll, []))[1].append(roll.value)
            said = [
                f"{words.roll_line(self.scenario, roll._replace(purpose=purpose))}: {', '.join(map(str, values))}"
                for purpose, (roll, values) in thrown.items()
            ]
            if said:
                items.append((Span(self.text("entry", n=line.number), bold=True), Span(": " + "; ".join(said) + ".")))
        return [self.heading("dice"), Bullets(tuple(items))] if items else []

    def phases(self, lines: Sequence[Line]) -> list[Block]:
        """The steps of these lines, a part for each phase; before the first the dealing of counters."""
        parts: list[tuple[str, list[Spans]]] = [(self.text("opening"), [])]
        for line in lines:
            opened = next((e.facts for e in line.effects if e.kind == "opened"), None)
            if opened is not None:
                named = {"group": words.group_name(opened["group"]), "seat": words.seat_name(opened["seat"])}
                emperor = words.PHRASES["emperor"](opened.get("emperor"))
                parts.append((self.text(f"phase.{opened['phase']}", emperor=emperor, **named), []))
            parts[-1][1].append(self.step(line))
        return [block for name, items in parts if items for block in (Heading((Span(name),), 2), Bullets(tuple(items)))]

    def points(self, before: Points, after: Points) -> Table:
        """Everybody's points before and after."""
        rows = []
        for seat in sorted({*before, *after}):
            was, now = before.get(seat, {P: 0, F: 0}), after.get(seat, {P: 0, F: 0})
            sums = change(was[P] + was[F], now[P] + now[F])
            rows.append((words.seat_name(seat), change(was[P], now[P]), change(was[F], now[F]), sums))
        return Table(tuple(self.texts["head_points"]), tuple(rows))

    def numbers(self, periods: Sequence[Period]) -> Table:
        """Everybody's points in all at the end of each period."""
        seats = sorted(periods[-1].after)
        rows = [(words.numeral(one.number), *(str(sum(one.after.get(seat, {}).values())) for seat in seats)) for one in periods]
        return Table((*self.texts["head_numbers"], *map(words.seat_name, seats)), tuple(rows))

    def names(self) -> str:
        """Who played what."""
        told = [self.text("player", seat=words.seat_name(seat), name=name) for seat, name in self.people.items()]
        return self.text("players", names=words.listed(told)) if told else ""


def change(was: int, now: int) -> str:
    return str(now) if was == now else f"{was}{ARROW}{now}"


class EmpireReports:
    """See `games.contract.report.Reporter`."""

    kinds = ("period", "final")

    def contents(self, scenario: Scenario, lines: Sequence[Line]) -> list[Contents]:
        periods, teller = split(lines), Teller(scenario, {})
        if not periods:
            return []
        last, over = periods[-1].number, result(lines) is not None
        found = [Contents("final", "final", teller.text("final"), last, True)] if over else []
        found.append(Contents("chronicle", "chronicle", teller.text("chronicle"), last, over))
        return found + [
            Contents(f"period-{one.number}", "period", chronicle.heading(one.number), one.number, one.over)
            for one in reversed(periods)
        ]

    def report(
        self, scenario: Scenario, start: Any, lines: Sequence[Line], key: str, name: str, people: Mapping[str, str]
    ) -> Report | None:
        asked, periods = KEY.fullmatch(key), split(lines)
        if asked is None or not periods:
            return None
        teller, reader = Teller(scenario, people), Chronicler()
        for line in lines:
            reader.tell(line)
        reader.flush()
        if key == "chronicle":
            teller.told += [Told(entry, effect) for entry, effect in reader.used]
            return _finish(teller, _titled(name, teller.text("chronicle")), chronicle.blocks_of(reader.told), lines)
        if key == "final":
            return _final(teller, reader.told, periods, lines, name)
        found = next((one for one in periods if one.number == int(asked[1])), None)
        return found and _period(teller, reader.told, found, name)


def _titled(name: str, what: str) -> str:
    return f"{name}: {what[:1].lower()}{what[1:]}" if name else what


def _finish(teller: Teller, title: str, blocks: Sequence[Block], lines: Sequence[Line]) -> Report:
    """The report, with what it told and what it left of what everybody may see."""
    told = {(one.number, id(one.what)) for one in teller.told}
    everything: list[Told] = []
    for line in lines:
        everything += [Told(line.number, effect) for effect in line.effects if effect.audience is None]
        everything += [Told(line.number, roll) for roll in line.rolls if roll.audience is None]
    left = tuple(one for one in everything if (one.number, id(one.what)) not in told)
    head = Heading((Span(title),), 1)
    return Report(title, (head, *blocks), tuple(teller.told), left, lines[0].number, lines[-1].number)


def _period(teller: Teller, told: Sequence[Sentence], one: Period, name: str) -> Report:
    """A period: its paragraph of the chronicle, every step by phase, everybody's points, every die."""
    mine = chronicle.paragraphs(sentence for sentence in told if sentence.period == one.number)
    blocks: list[Block] = [Paragraph((Span(text),)) for text in mine.values()]
    blocks += teller.phases(one.lines)
    blocks += [teller.heading("points"), teller.points(one.before, one.after), *teller.dice(one.lines)]
    return _finish(teller, _titled(name, chronicle.heading(one.number)), blocks, one.lines)


def _final(
    teller: Teller, told: Sequence[Sentence], periods: Sequence[Period], lines: Sequence[Line], name: str
) -> Report | None:
    """The end: who has won, and what all had period by period. None while it lasts."""
    over = result(lines)
    if over is None:
        return None
    last, winner = lines[-1], str(over.facts["winner"])
    points = chronicle.count("point", int(over.facts["totals"][winner]))
    said = teller.text("won", winner=words.seat_name(winner), points=points, players=teller.names())
    blocks: list[Block] = [
        Paragraph((Span(said[:1].upper() + said[1:].strip()),)),
        *(Paragraph((Span(sentence.text),)) for sentence in told if sentence.entry == last.number),
        teller.heading("standings"),
        teller.points({}, periods[-1].after),
        teller.heading("numbers"),
        teller.numbers(periods),
        teller.heading("steps"),
        Bullets((teller.step(last),)),
        *teller.dice([last]),
    ]
    return _finish(teller, _titled(name, teller.text("final")), blocks, [last])
