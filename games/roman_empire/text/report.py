"""Reports of a game: a period with every effect and die, the chronicle, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.effects import Effect
from games.contract.report import Block, Bullets, Heading, ReportEntry, Span, Spans, Table
from games.kit.report import (
    ARROW,
    BoardReports,
    Chronicler,
    ReportWriter,
    TurnLog,
    change_text,
    count_in_words,
    last_effect,
    split_turns,
)
from games.kit.words import Facts
from games.roman_empire.rules.position import F, P, Scenario
from games.roman_empire.text import words
from games.roman_empire.text.english import CHRONICLE
from games.roman_empire.text.words import group_in_sentence as group
from games.roman_empire.text.words import land_name, listed, numeral, years

Points = dict[str, dict[str, int]]
NONE = {P: 0, F: 0}


def entered(points: Points, effects: Sequence[Effect]) -> Points:
    """Return the points of all seats after these effects."""
    now = {seat: dict(tracks) for seat, tracks in points.items()}
    for effect in effects:
        if effect.kind == "account":
            now.setdefault(str(effect.holder), {P: 0, F: 0})[effect.subject] = effect.balance
    return now


class PeriodWriter(ReportWriter):
    """The writer of the reports of a period and of the end."""

    words = words
    ends = ("game_end",)

    def turn_name(self, number: int) -> str:
        return heading(number)

    def changed(self, effect: Effect) -> Spans:
        """Return the change of points or of a land."""
        if effect.kind == "account":
            label = self.texts["accounts"][effect.subject]
            holder = words.seat_name(effect.holder)
            return (
                Span(f"{holder}: {label} {effect.balance - effect.change}{ARROW}{effect.balance}"),
            )
        if effect.kind == "holding":
            was, now = self.land(effect.facts["was"]), self.land(effect.facts["now"])
            return (Span(f"{words.land_name(effect.subject)}: {was}{ARROW}{now}"),)
        return ()

    def board_blocks(self, part: TurnLog[Points]) -> list[Block]:
        """Return the points of all seats."""
        return [self.heading("points"), self.points(part.before, part.after)]

    def step_blocks(self, part: TurnLog[Points]) -> list[Block]:
        """Return every step by phase."""
        return self.phases(part.lines)

    def outcome(self, over: Effect, parts: Sequence[TurnLog[Points]]) -> str:
        winner = str(over.facts["winner"])
        points = count("point", int(over.facts["totals"][winner]))
        players = self.names(words.seat_name, words.listed)
        text = self.text("won", winner=words.seat_name(winner), points=points, players=players)
        return text[:1].upper() + text[1:].strip()

    def end_blocks(self, parts: Sequence[TurnLog[Points]]) -> list[Block]:
        """Return the final points of all seats, and their points period by period."""
        standings = self.points({}, parts[-1].after)
        return [self.heading("standings"), standings, self.heading("numbers"), self.numbers(parts)]

    def land(self, place: Mapping[str, Any]) -> str:
        """Return the contents of a land."""
        parts = [f"{words.group_name(place['who'])} {place['n']}"] if place["n"] else []
        if place["city"]:
            parts.append(str(self.texts["city"][place["city"]]))
        if place["fort"]:
            kind = "fort" if place["fort"]["level"] == 1 else "fortress"
            parts.append(self.text(kind, colour=words.group_name(place["fort"]["who"])))
        return ", ".join(parts) or self.text("none")

    def phases(self, lines: Sequence[ReportEntry]) -> list[Block]:
        """Return the steps of these lines, a part for each phase.

        The dealing of counters is the first part.
        """
        parts: list[tuple[str, list[Spans]]] = [(self.text("opening"), [])]
        for line in lines:
            opened = next((e.facts for e in line.effects if e.kind == "opened"), None)
            if opened is not None:
                named = {
                    "group": words.group_name(opened["group"]),
                    "seat": words.seat_name(opened["seat"]),
                }
                emperor = words.PHRASES["emperor"](opened.get("emperor"))
                parts.append((self.text(f"phase.{opened['phase']}", emperor=emperor, **named), []))
            parts[-1][1].append(self.step(line))
        return [
            block
            for name, items in parts
            if items
            for block in (Heading((Span(name),), 2), Bullets(tuple(items)))
        ]

    def points(self, before: Points, after: Points) -> Table:
        """Return a table of the points of all seats before and after."""
        rows = []
        for seat in sorted({*before, *after}):
            was, now = before.get(seat, NONE), after.get(seat, NONE)
            sums = change_text(was[P] + was[F], now[P] + now[F])
            rows.append(
                (
                    words.seat_name(seat),
                    change_text(was[P], now[P]),
                    change_text(was[F], now[F]),
                    sums,
                )
            )
        return Table(tuple(self.texts["head_points"]), tuple(rows))

    def numbers(self, periods: Sequence[TurnLog[Points]]) -> Table:
        """Return a table of the total points of all seats at the end of each period."""
        seats = sorted(periods[-1].after)
        rows = [
            (
                words.numeral(period.number),
                *(str(sum(period.after.get(seat, {}).values())) for seat in seats),
            )
            for period in periods
        ]
        return Table((*self.texts["head_numbers"], *map(words.seat_name, seats)), tuple(rows))


class EmpireReports(BoardReports):
    """The reports of History of the Roman Empire."""

    kind = "period"

    def writer(self, scenario: Scenario, people: Mapping[str, str]) -> PeriodWriter:
        return PeriodWriter(scenario, people, CHRONICLE.read()["report"])

    def chronicler(self, scenario: Scenario) -> PeriodChronicler:
        return PeriodChronicler()

    def split(self, lines: Sequence[ReportEntry]) -> list[TurnLog[Any]]:
        start: Points = {}
        return split_turns(lines, start, entered, next_period)


def next_period(line: ReportEntry, number: int) -> int | None:
    """Return the period that an entry opens; None if the period goes on.

    For the entry that ends the game it is the same period.
    """
    following = next((int(e.facts["period"]) for e in line.effects if e.kind == "turn"), number)
    return (
        following
        if following > number or last_effect([line], PeriodWriter.ends) is not None
        else None
    )


# The game in prose, a paragraph for each period.


def heading(period: int) -> str:
    """Return the name of a period, the heading of its paragraph."""
    return CHRONICLE.text("period", numeral=numeral(period), years=years(period))


def count(unit: str, n: int) -> str:
    return count_in_words(CHRONICLE.read(), unit, n)


class PeriodChronicler(Chronicler):
    """The writer of the chronicle.

    It collects the lands that a group entered, conquered, looted, took over, fortified and struck,
    and its losses, and writes them when the group has finished.
    """

    catalogue = CHRONICLE

    def __init__(self) -> None:
        super().__init__()
        self.acting: object = None
        self._forget()

    def _forget(self) -> None:
        self.lands: dict[str, list[str]] = {
            key: [] for key in ("entered", "conquered", "overrun", "cities", "forts", "looted")
        }
        self.loot = 0
        self.lost: dict[str, int] = {}

    def finish(self) -> None:
        """Write the collected acts of the group, which has finished."""
        who = group(self.acting)
        for key in ("entered", "conquered", "overrun"):
            if self.lands[key]:
                self.add_line(key, group=who, lands=listed(self.lands[key]))
        if self.lands["looted"]:
            self.add_line(
                "looted",
                group=who,
                lands=listed(self.lands["looted"]),
                points=count("point", self.loot),
            )
        for land, n in self.lost.items():
            self.add_line("repulsed", group=who, land=land_name(land), armies=count("army", n))
        for key in ("cities", "forts"):
            if self.lands[key]:
                self.add_line(key, group=who, lands=listed(self.lands[key]))
        self._forget()

    def act(self, who: object) -> None:
        """Begin the acts of another group."""
        self.finish()
        self.acting = who

    # Reading --------------------------------------------------------------------------------------

    def on_begun(self, facts: Facts) -> None:
        self.add_line("begun")

    def on_turn(self, facts: Facts) -> None:
        self.act(None)
        self.turn = int(facts["period"])

    def on_opened(self, facts: Facts) -> None:
        self.act(facts["group"])
        named = {"group": group(facts["group"]), "seat": words.seat_name(facts["seat"])}
        if facts["phase"] == "faction":
            self.add_line("faction", emperor=words.PHRASES["emperor"](facts["emperor"]), **named)
        else:
            armies = count("army", int(facts["in_hand"]))
            again = facts["in_hand"] < facts["strength"]
            self.add_line(
                "people.again" if again else "people",
                armies=armies,
                land=land_name(facts["land"]),
                **named,
            )

    def on_sub_begun(self, facts: Facts) -> None:
        self.act(facts["group"])
        self.add_line("sub", group=group(facts["group"]), land=land_name(facts["land"]))

    def on_sub_ended(self, facts: Facts) -> None:
        self.act(facts["by"])

    def on_placed(self, facts: Facts) -> None:
        if facts["way"] in ("vacant", "take"):
            self.lands["entered"].append(land_name(facts["land"]))

    def on_conquered(self, facts: Facts) -> None:
        self.lands["conquered"].append(land_name(facts["land"]))
        self.lost.pop(str(facts["land"]), None)

    def on_overrun(self, facts: Facts) -> None:
        self.lands["overrun"].append(land_name(facts["land"]))

    def on_looted(self, facts: Facts) -> None:
        self.lands["looted"].append(land_name(facts["land"]))
        self.loot += int(facts["points"])

    def on_army_lost(self, facts: Facts) -> None:
        if facts["group"] == self.acting:
            land = str(facts["land"])
            self.lost[land] = self.lost.get(land, 0) + 1

    def on_city_built(self, facts: Facts) -> None:
        self.lands["cities"].append(land_name(facts["land"]))

    def on_fort_built(self, facts: Facts) -> None:
        self.lands["forts"].append(land_name(facts["land"]))

    def on_retreated(self, facts: Facts) -> None:
        self.add_line(
            "retreated",
            group=group(facts["group"]),
            land=land_name(facts["land"]),
            to=land_name(facts["to"]),
        )

    def on_leader_killed(self, facts: Facts) -> None:
        self.add_line("leader", group=group(facts["group"]))

    def on_rebelled(self, facts: Facts) -> None:
        self.add_line("rebelled", land=land_name(facts["land"]), colour=group(facts["colour"]))

    def on_rebellion_over(self, facts: Facts) -> None:
        self.add_line("rebels" if facts["n"] else "quelled", land=land_name(facts["land"]))

    def on_struck(self, facts: Facts) -> None:
        self.add_line("struck", card=words.card_name(facts["card"]), lands=land_name(facts["land"]))

    def on_ruined(self, facts: Facts) -> None:
        self.add_line("ruined", card=words.card_name(facts["card"]), land=land_name(facts["land"]))

    on_destroyed = on_ruined

    def on_accepted(self, facts: Facts) -> None:
        seat = words.seat_name(facts["seat"])
        self.add_line(
            "peace",
            seat=seat,
            group=group(facts["group"]),
            colour=group(facts["colour"]),
        )

    def on_scored(self, facts: Facts) -> None:
        self.finish()
        points = int(facts["points"])
        self.add_line("scored" if points else "nothing", points=count("point", points))

    def on_kingdom_stands(self, facts: Facts) -> None:
        self.add_line(
            "kingdom", group=group(facts["group"]), points=count("point", int(facts["points"]))
        )

    def on_game_end(self, facts: Facts) -> None:
        self.add_line("end", winner=words.seat_name(facts["winner"]))
