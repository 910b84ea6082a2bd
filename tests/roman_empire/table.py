"""Situations in short notation, and the results of moves in them.

`after(position, *moves, dice=…)` gives the state, `refused(…)` the code of the last move; both
require that exactly the given dice are used. `rendered(…)` gives the effects of the last move.
`throw(…)` writes a round's dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.dice import Dice
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.play import MoveResult, play
from engine.strict_json import canonical
from games.roman_empire.title import RomanEmpire

TITLE = RomanEmpire()
SCENARIO = TITLE.scenario("standard")
END = {"move": "end_phase"}
OPEN = {"move": "open"}
TWO = {"A": "red", "B": "blue"}


def place(land: str, source: str, loot: bool | None = None, **more: Any) -> dict[str, Any]:
    created = {"move": "place", "land": land, "from": source, **more}
    return created if loot is None else created | {"loot": loot}


def event(card: str, **named: Any) -> dict[str, Any]:
    return {"move": "play_event", "card": card, **named}


def take_up(land: str, n: int) -> dict[str, Any]:
    return {"move": "take_up", "land": land, "n": n}


def at_land(what: str, land: str) -> dict[str, Any]:
    return {"move": what, "land": land}


def held(who: str, n: int = 1, **more: Any) -> dict[str, Any]:
    return {"who": who, "n": n, **more}


def fort(who: str, level: int = 1) -> dict[str, Any]:
    return {"fort": {"who": who, "level": level}}


def peoples(current: str, lands: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return A's People phase at the placing."""
    shown = {
        "factions": TWO,
        "control": {current: "A"},
        "current": current,
        "in_hand": 3,
        "step": "expand",
        "lands": lands,
    }
    return shown | more


def faction(lands: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return Red's Faction phase at the placing."""
    return {
        "phase": "faction",
        "factions": TWO,
        "current": "red",
        "in_hand": 3,
        "step": "expand",
        "lands": lands,
    } | more


def throw(
    number: int, *rounds: tuple[list[int], list[int]], base: str = "turn-1/A/people", first: int = 1
) -> dict[str, Any]:
    """Return the dice of a combat's rounds, attacker and defender."""
    created = {}
    for at, (attacker, defender) in enumerate(rounds, first):
        created[f"{base}/combat-{number}/round-{at}/attacker"] = attacker
        created[f"{base}/combat-{number}/round-{at}/defender"] = defender
    return created


def at(options: Mapping[str, Any] | None = None, /, **position: Any) -> Any:
    return TITLE.situation(position, TITLE.options(dict(options or {})))


def _played(
    position: Any, moves: tuple[Any, ...], thrown: Mapping[str, Any]
) -> list[MoveResult[Any]]:
    for purpose, value in thrown.items():
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)
    here = at(**position) if isinstance(position, dict) else position
    dice, receipts = Dice(7, fixed=thrown), []
    for move in moves:
        before = canonical(here.encode())
        try:
            receipts.append(play(here, TITLE.decode(move, here), dice))
        finally:
            assert canonical(here.encode()) == before
        here = receipts[-1].after
    used = {roll.purpose for receipt in receipts for roll in receipt.rolls}
    assert used == set(dice.fixed)
    return receipts


def after(position: Any, *moves: Any, dice: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return TITLE.state(_played(position, moves, dice or {})[-1].after)


def rendered(
    position: Any, *moves: Any, dice: Mapping[str, Any] | None = None
) -> tuple[Effect, ...]:
    return _played(position, moves, dice or {})[-1].effects


def refused(position: Any, *moves: Any, dice: Mapping[str, Any] | None = None) -> str:
    with pytest.raises(IllegalMove) as refusal:
        _played(position, moves, dice or {})
    assert "{" not in TITLE.refusal(SCENARIO, refusal.value)
    return refusal.value.code


def lands(state: Mapping[str, Any], *keys: str) -> list[tuple[Any, ...]]:
    """Return the holder of each land, the number of armies, and the City."""
    return [
        (state["lands"][key]["who"], state["lands"][key]["n"], state["lands"][key]["city"])
        for key in keys
    ]
