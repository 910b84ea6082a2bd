"""What happened, read from the log: the moves of the turn, and the last barbarian phase."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engine.effects import Effect, Roll
from games.contract.pages import Told
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
"""Effects that another tells better, or none has to."""
GONE = "emperor_removed"
OPENING = frozenset({"end_turn", "place_fleets"})


def spent(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The moves of the turn that is being played, oldest first, with Imperium Points before and
    after each.
    """
    rows: list[dict[str, Any]] = []
    for one in reversed(log):
        name = str(one.move["move"])
        if name in OPENING or name == "begin":
            break
        change = sum(
            effect.change
            for effect in one.effects
            if effect.kind == "account" and effect.subject == "ip"
        )
        thrown = bool(one.rolls)
        rows.append(
            {
                "do": name,
                "what": goal(one),
                "number": one.number,
                "change": change,
                "dice": thrown,
                "note": outcome(one),
            }
        )
    balance = position.ip - sum(one["change"] for one in rows)
    for one in reversed(rows):
        one["was"], balance = balance, balance + one["change"]
        one["now"], one["cost"] = balance, max(0, -one["change"])
        one["pips"] = range(one["cost"])
    return rows[::-1]


def goal(one: Told) -> str:
    """Where a move leads."""
    move = one.move
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
        (effect.subject for effect in one.effects if effect.kind in ("secured", "subdued")), ""
    )
    return space(subject) if subject else ""


def outcome(one: Told) -> str:
    """How an attack of this turn ended; empty for all else."""
    return next(
        (
            phrase_text(f"was-{effect.kind}")
            for effect in one.effects
            if effect.kind in ("victory", "defeat", "draw")
        ),
        "",
    )


def fought(scenario: Any, one: Told) -> list[str]:
    """A battle in sentences."""
    return [
        effect_line(scenario, effect)
        for effect in one.effects
        if effect.kind in ("attack", "victory", "defeat", "draw")
    ]


def last_phase(position: Position, log: Sequence[Told]) -> dict[str, Any] | None:
    """The last barbarian phase: its steps with notes and dice; None before the first."""
    one = next((one for one in reversed(log) if one.move["move"] == "end_turn"), None)
    return None if one is None else phase(position, one)


def phase(position: Position, one: Told) -> dict[str, Any]:
    """A barbarian phase step by step."""
    steps: dict[str, dict[str, Any]] = {
        key: {"key": key, "notes": [], "rolls": []} for key in STEPS
    }
    after_threat = False
    for effect in one.effects:
        step = place(effect, after_threat)
        if step is None:
            continue
        after_threat = after_threat or effect.kind == "uprising"
        steps[step]["notes"].append(effect_line(position.scenario, effect))
    for roll in one.rolls:
        steps[of_roll(roll)]["rolls"].append(
            {"label": roll_line(position.scenario, roll), "value": roll.value}
        )
    who = next((str(effect.holder) for effect in one.effects if effect.kind == "ended"), "")
    rows = [
        {"n": n, **step, "name": phrase_text(f"step-{step['key']}"), "dice": len(step["rolls"])}
        for n, step in enumerate(steps.values(), start=1)
    ]
    return {
        "after": emperor(who) if who else "",
        "number": one.number,
        "steps": rows,
        "dice": len(one.rolls),
    }


def place(effect: Effect, uprisen: bool) -> str | None:
    """The step an effect belongs to; None where it is not told here."""
    if effect.kind in SILENT and effect.kind != "attack":
        return None
    if effect.kind == GONE:
        return {"revolt": "leave", "sharing": "leave"}.get(str(effect.facts.get("why")), "advance")
    if effect.kind == "not_linked":
        return str(effect.facts["step"])
    if uprisen and effect.kind == "revolt":
        return "uprising"
    return STEP_OF.get(effect.kind)


def of_roll(roll: Roll) -> str:
    """The step a die was thrown in."""
    what = roll.purpose.split("/")[2].partition("-")[0]
    return {"status": "status", "threat": "threat", "uprising": "uprising", "echo": "uprising"}.get(
        what, "advance"
    )


def legs_travelled(position: Position, log: Sequence[Told]) -> list[Leg]:
    """The ways gone in the turn that is being played, without their prices."""
    travelled: list[Leg] = []
    for one in reversed(log):
        if str(one.move["move"]) in OPENING or one.move["move"] == "begin":
            break
        for effect in reversed(one.effects):
            if effect.kind == "moved":
                stops = [str(effect.facts["space"]), *map(str, effect.facts["path"])]
                travelled += reversed([Leg(a, b, 0) for a, b in pairwise(stops)])
            elif effect.kind == "moved_in":
                travelled.append(
                    Leg(str(effect.facts["space"]), str(effect.facts["to"]), 0, attack=True)
                )
    return travelled[::-1]
