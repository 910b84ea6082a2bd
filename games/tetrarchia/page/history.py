"""The course of the turn, read from the log: its moves, and the last barbarian phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.effects import Effect, Roll
from games.contract.pages import LoggedMove
from games.tetrarchia.drawing.map import Leg
from games.tetrarchia.rules.position import Position
from games.tetrarchia.text.words import (
    counted_phrase,
    effect_line,
    emperor,
    phrase_text,
    roll_line,
    space,
)

STEPS = ("status", "leave", "threat", "uprising", "advance", "next")
"""The steps of the barbarian phase (4.3)."""
STEP_OF = {
    "status_revolt": "status",
    "threat": "threat",
    "unrest": "threat",
    "revolt": "threat",
    "uprising": "uprising",
    "invaders": "uprising",
    "echo": "uprising",
    "advance": "advance",
    "blocked": "advance",
    "devastation": "advance",
    "attack": "advance",
    "victory": "advance",
    "defeat": "advance",
    "draw": "advance",
    "army_removed": "advance",
    "turn": "next",
    "won": "next",
    "lost": "next",
}
SILENT = frozenset({"ended", "account", "holding", "attack", "moved_in"})
"""Kinds of effects that are not shown, because another effect describes them or none needs to."""
GONE = "emperor_removed"
OPENING = frozenset({"end_turn", "place_fleets"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentMove:
    """A move of the current turn, with the Imperium Points before and after it."""

    name: str
    what: str
    note: str
    was: int
    now: int
    cost: int
    pips: range


def spent_moves(position: Position, log: Sequence[LoggedMove]) -> list[SpentMove]:
    """Return the moves of the current turn, oldest first."""
    rows: list[SpentMove] = []
    now = position.ip
    for move in reversed(log):
        name = str(move.move["move"])
        if name in OPENING or name == "begin":
            break
        change = sum(
            effect.change
            for effect in move.effects
            if effect.kind == "account" and effect.subject == "ip"
        )
        cost = max(0, -change)
        rows.append(
            SpentMove(
                name=phrase_text(f"spent-{name}"),
                what=goal(move),
                note=outcome(move),
                was=now - change,
                now=now,
                cost=cost,
                pips=range(cost),
            )
        )
        now -= change
    return rows[::-1]


def goal(entry: LoggedMove) -> str:
    """Return the goal of a move in words."""
    move = entry.move
    match move["move"]:
        case "enter":
            return space(str(move["at"]))
        case "move":
            return space(str(move["path"][-1]))
        case "attack":
            return space(str(move["target"]))
        case "imperium":
            return counted_phrase("tokens", int(move["tokens"]))
        case "sail":
            return phrase_text("fleet")
    subject = next(
        (effect.subject for effect in entry.effects if effect.kind in ("secured", "subdued")), ""
    )
    return space(subject) if subject else ""


def outcome(entry: LoggedMove) -> str:
    """Return the result of an attack in words; empty for other moves."""
    return next(
        (
            phrase_text(f"was-{effect.kind}")
            for effect in entry.effects
            if effect.kind in ("victory", "defeat", "draw")
        ),
        "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRoll:
    """A die of a barbarian phase."""

    label: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseStep:
    """A step of a barbarian phase, with its events and its dice."""

    n: int
    key: str
    name: str
    notes: Sequence[str]
    rolls: Sequence[PhaseRoll]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarbarianPhase:
    """A barbarian phase."""

    after: str
    """The Emperor after whose turn it came."""
    number: int
    """The number of its entry in the log."""
    steps: Sequence[PhaseStep]
    dice: int


def last_phase(position: Position, log: Sequence[LoggedMove]) -> BarbarianPhase | None:
    """Return the last barbarian phase; None before the first."""
    end = next((move for move in reversed(log) if move.move["move"] == "end_turn"), None)
    return None if end is None else phase(position, end)


def phase(position: Position, entry: LoggedMove) -> BarbarianPhase:
    """Return a barbarian phase step by step."""
    notes: dict[str, list[str]] = {key: [] for key in STEPS}
    rolls: dict[str, list[PhaseRoll]] = {key: [] for key in STEPS}
    after_threat = False
    for effect in entry.effects:
        step = step_of_effect(effect, after_threat)
        if step is None:
            continue
        after_threat = after_threat or effect.kind == "uprising"
        notes[step].append(effect_line(position.scenario, effect))
    for roll in entry.rolls:
        thrown = PhaseRoll(label=roll_line(position.scenario, roll), value=roll.value)
        rolls[step_of_roll(roll)].append(thrown)
    who = next((str(effect.holder) for effect in entry.effects if effect.kind == "ended"), "")
    steps = [
        PhaseStep(n=n, key=key, name=phrase_text(f"step-{key}"), notes=notes[key], rolls=rolls[key])
        for n, key in enumerate(STEPS, start=1)
    ]
    return BarbarianPhase(
        after=emperor(who) if who else "", number=entry.number, steps=steps, dice=len(entry.rolls)
    )


def step_of_effect(effect: Effect, uprisen: bool) -> str | None:
    """Return the step of the phase for an effect; None if the effect is not shown."""
    if effect.kind in SILENT and effect.kind != "attack":
        return None
    if effect.kind == GONE:
        return {"revolt": "leave", "sharing": "leave"}.get(str(effect.facts.get("why")), "advance")
    if effect.kind == "not_linked":
        return str(effect.facts["step"])
    if uprisen and effect.kind == "revolt":
        return "uprising"
    return STEP_OF.get(effect.kind)


def step_of_roll(roll: Roll) -> str:
    """Return the step of the phase in which a die was thrown."""
    what = roll.purpose.split("/")[2].partition("-")[0]
    return {"status": "status", "threat": "threat", "uprising": "uprising", "echo": "uprising"}.get(
        what, "advance"
    )


def legs_travelled(position: Position, log: Sequence[LoggedMove]) -> list[Leg]:
    """Return the steps of the current turn so far, without their prices."""
    travelled: list[Leg] = []
    for entry in reversed(log):
        if str(entry.move["move"]) in OPENING or entry.move["move"] == "begin":
            break
        for effect in reversed(entry.effects):
            if effect.kind == "moved":
                stops = [str(effect.facts["space"]), *map(str, effect.facts["path"])]
                travelled += reversed([Leg(a, b, 0) for a, b in pairwise(stops)])
            elif effect.kind == "moved_in":
                travelled.append(
                    Leg(str(effect.facts["space"]), str(effect.facts["to"]), 0, attack=True)
                )
    return travelled[::-1]
