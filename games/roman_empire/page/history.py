"""What happened, read from the log: phases step by step, the end, points by period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.effects import Effect, Roll
from games.contract.pages import Fame, Told
from games.roman_empire.page.tables import named
from games.roman_empire.rules import view
from games.roman_empire.rules.position import Position
from games.roman_empire.text import words
from games.roman_empire.text.words import (
    effect_line,
    move_line,
    numeral,
    phrase_text,
    roll_line,
    seat_name,
    tells,
)


def end(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """How the game ended: standings, points by period, what is remembered."""
    result = position.result or {"winner": "", "totals": {}}
    standings = view.score(position) or []
    rows = [
        {
            "rank": one.rank,
            **named(position, one.seat),
            "p": one.facts["p"],
            "f": one.facts["f"],
            "points": one.points,
            "total": one.facts["total"],
            "player": seat_name(one.facts["player"]),
        }
        for one in standings
    ]
    return {
        "winner": named(position, str(result["winner"])),
        "rows": rows,
        "two": len(result["totals"]) < len(position.seats),
        "points": max(result["totals"].values(), default=0),
        "chronicle": chronicle(position, log),
        "periods": by_period(position, log),
        "seats": [named(position, seat) for seat in position.seats],
        "dice": sum(len(one.rolls) for one in log),
    }


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {
        "player": one.player,
        "url": one.url,
        "ended": one.ended,
        "points": one.points,
        **one.facts,
    }


OPENERS = ("opened", "turn", "order", "begun")
"""The effects with which another stretch of the log begins."""
MOST = 2


def stretches(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The last phases, the latest first: a title, and each move with its notes and dice."""
    rows: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for one in reversed(log):
        steps.append(step(position, one))
        opening = next((effect for effect in one.effects if effect.kind in OPENERS), None)
        if opening is not None:
            rows.append(
                {
                    "title": heading(opening, one),
                    "steps": steps[::-1],
                    "dice": sum(len(of["rolls"]) for of in steps),
                }
            )
            steps = []
            if len(rows) == MOST:
                break
    return rows


def heading(effect: Effect, one: Told) -> str:
    """What a stretch of the log is called."""
    facts = effect.facts
    if effect.kind == "opened":
        key = "told-people" if facts["phase"] == "people" else "told-faction"
        named = _named(facts)
        return phrase_text(key, **named)
    return phrase_text(
        "told-begin" if effect.kind == "begun" else "told-counters", period=numeral(one.turn)
    )


def _named(facts: Any) -> dict[str, str]:
    named = words.resolve(facts)
    return {
        "group": str(named["group"]),
        "period": str(named["period"]),
        "emperor": str(named.get("emperor_text", "")),
    }


def step(position: Position, one: Told) -> dict[str, Any]:
    """A move of the log: who, what, what came of it, its dice."""
    scenario = position.scenario
    return {
        "number": one.number,
        "seat": one.seat if one.seat in position.factions else "",
        "text": move_line(scenario, one.move, one.effects),
        "notes": [effect_line(scenario, effect) for effect in one.effects if tells(effect)],
        "rolls": [
            {"label": roll_line(scenario, roll), "values": thrown(roll)} for roll in one.rolls
        ],
    }


def thrown(roll: Roll) -> list[Any]:
    """The dice of a throw."""
    return list(roll.value) if isinstance(roll.value, (list, tuple)) else [roll.value]


def by_period(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The points each seat made or paid, period by period."""
    periods: dict[int, dict[str, int]] = {}
    for one in log:
        for effect in one.effects:
            if effect.kind == "account" and effect.holder in position.factions:
                of = periods.setdefault(one.turn, dict.fromkeys(position.factions, 0))
                of[str(effect.holder)] += effect.change
    return [
        {"period": numeral(turn), "seats": [of[seat] for seat in position.seats]}
        for turn, of in sorted(periods.items())
    ]


def chronicle(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """What will be remembered, period by period: Cities looted, cards played, areas held whole."""
    by_turn: dict[int, list[str]] = {}
    for one in log:
        for effect in one.effects:
            if effect.kind in ("looted", "event_played", "kingdom_stands", "leader_killed"):
                line = effect_line(position.scenario, effect)
                by_turn.setdefault(one.turn, []).append(line[:1].upper() + line[1:] + ".")
    return [
        {"period": numeral(turn), "text": " ".join(lines[:8])}
        for turn, lines in sorted(by_turn.items())
    ]
