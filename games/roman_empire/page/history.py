"""The course of a game, read from the log: phases step by step, the end, points by period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.effects import Effect, Roll
from games.contract.pages import LoggedMove
from games.roman_empire.page.reader import SeatOfFaction, named
from games.roman_empire.rules import view
from games.roman_empire.rules.position import Position
from games.roman_empire.text import words
from games.roman_empire.text.words import (
    effect_line,
    is_noted,
    move_line,
    numeral,
    phrase_text,
    roll_line,
    seat_name,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalRow:
    """A seat in the final standings."""

    rank: int
    key: str
    name: str
    seat_name: str
    p: int
    f: int
    points: int
    total: int
    """The points of both seats of the player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodPoints:
    """The points that each seat made or paid in a period."""

    period: str
    seats: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodText:
    """The chronicle of a period."""

    period: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """The end of a game."""

    winner: SeatOfFaction
    rows: Sequence[FinalRow]
    two: bool
    """Whether players have two seats each."""
    points: int
    chronicle: Sequence[PeriodText]
    periods: Sequence[PeriodPoints]
    seats: Sequence[SeatOfFaction]
    dice: int


def end(position: Position, log: Sequence[LoggedMove]) -> GameEnd:
    """Return the end of a game."""
    result = position.result or {"winner": "", "totals": {}}
    standings = view.score(position) or []
    rows = [
        FinalRow(
            rank=standing.rank,
            key=standing.seat,
            name=named(position, standing.seat).name,
            seat_name=seat_name(standing.seat),
            p=standing.facts["p"],
            f=standing.facts["f"],
            points=standing.points,
            total=standing.facts["total"],
        )
        for standing in standings
    ]
    return GameEnd(
        winner=named(position, str(result["winner"])),
        rows=rows,
        two=len(result["totals"]) < len(position.seats),
        points=max(result["totals"].values(), default=0),
        chronicle=chronicle(position, log),
        periods=by_period(position, log),
        seats=[named(position, seat) for seat in position.seats],
        dice=sum(len(move.rolls) for move in log),
    )


OPENERS = ("opened", "turn", "order", "begun")
"""The kinds of effects that begin a new section of the log."""
MOST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A throw of dice."""

    label: str
    dice: Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogStep:
    """A move of the log with its consequences and its dice."""

    number: int
    text: str
    notes: Sequence[str]
    rolls: Sequence[Throw]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPhase:
    """A phase of the log, move by move."""

    title: str
    steps: Sequence[LogStep]
    dice: int


def last_phases(position: Position, log: Sequence[LoggedMove]) -> list[LogPhase]:
    """Return the last phases of the log, the latest first."""
    rows: list[LogPhase] = []
    steps: list[LogStep] = []
    for entry in reversed(log):
        steps.append(step(position, entry))
        opening = next((effect for effect in entry.effects if effect.kind in OPENERS), None)
        if opening is not None:
            rows.append(
                LogPhase(
                    title=heading(opening, entry),
                    steps=steps[::-1],
                    dice=sum(len(move.rolls) for move in steps),
                )
            )
            steps = []
            if len(rows) == MOST:
                break
    return rows


def heading(effect: Effect, entry: LoggedMove) -> str:
    """Return the heading of a section of the log."""
    facts = effect.facts
    if effect.kind == "opened":
        key = "told-people" if facts["phase"] == "people" else "told-faction"
        named = _named(facts)
        return phrase_text(key, **named)
    return phrase_text(
        "told-begin" if effect.kind == "begun" else "told-counters", period=numeral(entry.turn)
    )


def _named(facts: Any) -> dict[str, str]:
    named = words.resolve(facts)
    return {
        "group": named["group"],
        "period": str(named["period"]),
        "emperor": str(named.get("emperor_text", "")),
    }


def step(position: Position, move: LoggedMove) -> LogStep:
    """Return a move of the log."""
    scenario = position.scenario
    return LogStep(
        number=move.number,
        text=move_line(scenario, move.move, move.effects),
        notes=[effect_line(scenario, effect) for effect in move.effects if is_noted(effect)],
        rolls=[Throw(label=roll_line(scenario, roll), dice=thrown(roll)) for roll in move.rolls],
    )


def thrown(roll: Roll) -> list[object]:
    """Return the dice of a throw."""
    return list(roll.value) if isinstance(roll.value, (list, tuple)) else [roll.value]


def by_period(position: Position, log: Sequence[LoggedMove]) -> list[PeriodPoints]:
    """Return the points that each seat made or paid, period by period."""
    periods: dict[int, dict[str, int]] = {}
    for entry in log:
        for effect in entry.effects:
            if effect.kind == "account" and effect.holder in position.factions:
                points = periods.setdefault(entry.turn, dict.fromkeys(position.factions, 0))
                points[str(effect.holder)] += effect.change
    return [
        PeriodPoints(period=numeral(turn), seats=[points[seat] for seat in position.seats])
        for turn, points in sorted(periods.items())
    ]


def chronicle(position: Position, log: Sequence[LoggedMove]) -> list[PeriodText]:
    """Return a text about each period: Cities looted, cards played, leaders killed."""
    by_turn: dict[int, list[str]] = {}
    for entry in log:
        for effect in entry.effects:
            if effect.kind in ("looted", "event_played", "kingdom_stands", "leader_killed"):
                line = effect_line(position.scenario, effect)
                by_turn.setdefault(entry.turn, []).append(line[:1].upper() + line[1:] + ".")
    return [
        PeriodText(period=numeral(turn), text=" ".join(lines[:8]))
        for turn, lines in sorted(by_turn.items())
    ]
