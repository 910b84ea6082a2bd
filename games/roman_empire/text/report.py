"""Reports of a game: a period with every effect and die, the chronicle, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.effects import Effect
from games.contract.report import Block, Bullets, Heading, Line, Span, Spans, Table
from games.kit.report import ARROW, BoardReports, Part, ReportWriter, change_text, last_effect, split_turns
from games.roman_empire.english import CHRONICLE
from games.roman_empire.rules.position import F, P, Scenario
from games.roman_empire.text import chronicle, words
from games.roman_empire.text.chronicle import PeriodChronicler

Points = dict[str, dict[str, int]]
NONE = {P: 0, F: 0}


def entered(points: Points, effects: Sequence[Effect]) -> Points:
    """Everybody's points after these effects."""
    now = {seat: dict(of) for seat, of in points.items()}
    for effect in effects:
        if effect.kind == "account":
            now.setdefault(str(effect.holder), {P: 0, F: 0})[effect.subject] = effect.balance
    return now


class PeriodWriter(ReportWriter):
    words = words
    ends = ("game_end",)

    def part_name(self, number: int) -> str:
        return chronicle.heading(number)

    def changed(self, effect: Effect) -> Spans:
        """Points or a land."""
        if effect.kind == "account":
            label = self.texts["accounts"][effect.subject]
            holder = words.seat_name(effect.holder)
            return (Span(f"{holder}: {label} {effect.balance - effect.change}{ARROW}{effect.balance}"),)
        if effect.kind == "holding":
            was, now = self.land(effect.facts["was"]), self.land(effect.facts["now"])
            return (Span(f"{words.land_name(effect.subject)}: {was}{ARROW}{now}"),)
        return ()

    def part_blocks(self, part: Part[Points]) -> list[Block]:
        """Every step by phase, and everybody's points."""
        return [*self.phases(part.lines), self.heading("points"), self.points(part.before, part.after)]

    def outcome(self, over: Effect, parts: Sequence[Part[Points]]) -> str:
        winner = str(over.facts["winner"])
        points = chronicle.count("point", int(over.facts["totals"][winner]))
        players = self.names(words.seat_name, words.listed)
        text = self.text("won", winner=words.seat_name(winner), points=points, players=players)
        return text[:1].upper() + text[1:].strip()

    def end_blocks(self, parts: Sequence[Part[Points]]) -> list[Block]:
        """What all had, in the end and period by period."""
        standings = self.points({}, parts[-1].after)
        return [self.heading("standings"), standings, self.heading("numbers"), self.numbers(parts)]

    def land(self, place: Mapping[str, Any]) -> str:
        """What stands in a land."""
        parts = [f"{words.group_name(place['who'])} {place['n']}"] if place["n"] else []
        if place["city"]:
            parts.append(str(self.texts["city"][place["city"]]))
        if place["fort"]:
            kind = "fort" if place["fort"]["level"] == 1 else "fortress"
            parts.append(self.text(kind, colour=words.group_name(place["fort"]["who"])))
        return ", ".join(parts) or self.text("none")

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
            was, now = before.get(seat, NONE), after.get(seat, NONE)
            sums = change_text(was[P] + was[F], now[P] + now[F])
            rows.append((words.seat_name(seat), change_text(was[P], now[P]), change_text(was[F], now[F]), sums))
        return Table(tuple(self.texts["head_points"]), tuple(rows))

    def numbers(self, periods: Sequence[Part[Points]]) -> Table:
        """Everybody's points in all at the end of each period."""
        seats = sorted(periods[-1].after)
        rows = [(words.numeral(one.number), *(str(sum(one.after.get(seat, {}).values())) for seat in seats)) for one in periods]
        return Table((*self.texts["head_numbers"], *map(words.seat_name, seats)), tuple(rows))


class EmpireReports(BoardReports):
    kind = "period"

    def writer(self, scenario: Scenario, people: Mapping[str, str]) -> PeriodWriter:
        return PeriodWriter(scenario, people, CHRONICLE.read()["report"])

    def chronicler(self, scenario: Scenario) -> PeriodChronicler:
        return PeriodChronicler()

    def split(self, lines: Sequence[Line]) -> list[Part[Any]]:
        start: Points = {}
        return split_turns(lines, start, entered, next_period)


def next_period(line: Line, number: int) -> int | None:
    """The period that an entry opens, or the same where it ends the game; None where it goes on."""
    following = next((int(e.facts["period"]) for e in line.effects if e.kind == "turn"), number)
    return following if following > number or last_effect([line], PeriodWriter.ends) is not None else None
