"""Reports of a reign: a year with every effect and die, the chronicle, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.effects import Effect, Roll
from games.contract.report import Block, Line, Span, Spans, Table
from games.kit.report import ARROW, BoardReports, Part, ReportWriter, change_text, split_turns
from games.march_on_rome.english import CHRONICLE
from games.march_on_rome.rules.board import LOST, PC, SENATE, World, is_general, number
from games.march_on_rome.rules.position import Scenario
from games.march_on_rome.text import chronicle, words
from games.march_on_rome.text.chronicle import ReignChronicler

GOING_ON = "continue"
CLOSING = ("year", "won", "lost")
"""The effects that end a year."""


class YearWriter(ReportWriter):
    words = words
    scenario: Scenario

    def text(self, key: str, **named: object) -> str:
        return super().text(key, **{"hero": self.scenario.general, **named})

    def part_name(self, number: int) -> str:
        return self.text("year", n=number)

    def turn_heading(self, number: int) -> str:
        return chronicle.heading(number)

    def holder(self, holder: str) -> Span:
        if holder in (SENATE, LOST):
            return Span(self.text(f"of_{holder}"))
        return Span(words.general_name(self.scenario, holder), seat=PC if holder == PC else "")

    def opening(self, line: Line) -> Spans:
        """Going on needs no words of its own."""
        return () if line.move["move"] == GOING_ON else (self.holder(PC), Span(f" {super().opening(line)[0].text}"))

    def changed(self, effect: Effect) -> Spans:
        """A balance or a province's holder."""
        if effect.kind == "account":
            holder = self.holder(str(effect.holder)) if effect.holder != LOST else Span(self.text("peoples"))
            before = effect.balance - effect.change
            return holder, Span(f": {self.texts['accounts'][effect.subject]} {before}{ARROW}{effect.balance}")
        if effect.kind == "holding":
            name = words.province_name(effect.subject)
            was, now = self.holder(str(effect.facts["from"])), self.holder(str(effect.holder))
            return Span(f"{name}: "), was, Span(ARROW), now
        return ()

    def roll_text(self, roll: Roll, values: Sequence[Roll]) -> str:
        return f"{words.roll_line(self.scenario, roll)}, d{roll.sides}: {', '.join(str(one.value) for one in values)}"

    def part_blocks(self, part: Part[World]) -> list[Block]:
        """Every step, and who holds what."""
        steps = self.steps([line for line in part.lines if line.effects])
        return [self.heading("steps"), steps, self.heading("holders"), self.holdings(part.before, part.after)]

    def holdings(self, before: World, after: World) -> Table:
        """Who held what before and after."""
        # The player’s lands stay his when he is murdered: whoever has a province is listed, alive or not.
        generals = sorted({one for world in (before, after) for one in world.owner.values() if is_general(one)}, key=number)
        rows = []
        for holder in [*generals, SENATE, LOST]:
            legions = "·" if holder == LOST else change_text(before.strength(holder), after.strength(holder))
            label = self.text("none") if holder == LOST else self.holder(holder).text
            rows.append((label, legions, change_text(len(before.lands(holder)), len(after.lands(holder)))))
        return Table(tuple(self.texts["head_holders"]), tuple(rows))

    def outcome(self, over: Effect, parts: Sequence[Part[World]]) -> str:
        player = self.people.get(PC)
        who = self.text("played", player=player) if player else self.text("alone")
        count = ReignChronicler(self.scenario).count("years", parts[-1].number)
        return self.text(over.kind, years=count, hero=who)

    def end_blocks(self, parts: Sequence[Part[World]]) -> list[Block]:
        """Provinces, legions and rivals at the end of each year."""
        rows = []
        for year in parts:
            now = year.after
            rivals = sum(one != PC for one in now.generals())
            rows.append(tuple(map(str, (year.number, len(now.lands(PC)), now.strength(PC), rivals))))
        return [self.heading("numbers"), Table(tuple(self.texts["head_numbers"]), tuple(rows))]


class MarchReports(BoardReports):
    kind = "year"

    def writer(self, scenario: Scenario, people: Mapping[str, str]) -> YearWriter:
        return YearWriter(scenario, people, CHRONICLE.read()["report"])

    def chronicler(self, scenario: Scenario) -> ReignChronicler:
        return ReignChronicler(scenario)

    def split(self, lines: Sequence[Line]) -> list[Part[Any]]:
        return split_turns(lines, World(), World.after, next_year)


def next_year(line: Line, year: int) -> int | None:
    """The year that an entry opens; None where it goes on."""
    closing = next((effect for effect in line.effects if effect.kind in CLOSING), None)
    return None if closing is None else int(closing.facts["turn"])
