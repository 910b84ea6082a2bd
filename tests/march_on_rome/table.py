"""Situations in short notation, and the results of moves in them.

`after(position, *moves, dice=…)` gives the state, `refused(…)` the code of the last move; both
require that exactly the given dice are used. `rendered(…)` gives the effects of the last move.
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
from games.march_on_rome.title import MarchOnRome

TITLE = MarchOnRome()
SCENARIO = TITLE.scenario("standard")
GO_ON = {"move": "continue"}
PASS = {"move": "pass"}


def attack(target: str) -> dict[str, Any]:
    return {"move": "attack", "target": target}


def ally(target: str) -> dict[str, Any]:
    return {"move": "ally", "target": target}


def devote(legions: int) -> dict[str, Any]:
    return {"move": "devote", "legions": legions}


def answer(accept: bool) -> dict[str, Any]:
    return {"move": "answer", "accept": accept}


def at(**position: Any) -> Any:
    return TITLE.situation(position, TITLE.options({}))


def _played(
    position: Mapping[str, Any], moves: tuple[Any, ...], thrown: Mapping[str, Any]
) -> list[MoveResult[Any]]:
    for purpose, value in thrown.items():
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)
    here, dice, receipts = at(**position), Dice(1000, fixed=thrown), []
    for move in moves:
        before = canonical(here.encode())
        receipts.append(play(here, TITLE.decode(move, here), dice))
        assert canonical(here.encode()) == before
        here = receipts[-1].after
    used = {roll.purpose for receipt in receipts for roll in receipt.rolls}
    assert used == set(dice.fixed)
    return receipts


def after(
    position: Mapping[str, Any], *moves: Any, dice: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return TITLE.state(_played(position, moves, dice or {})[-1].after)


def rendered(
    position: Mapping[str, Any], *moves: Any, dice: Mapping[str, Any] | None = None
) -> tuple[Effect, ...]:
    return _played(position, moves, dice or {})[-1].effects


def refused(position: Mapping[str, Any], *moves: Any, dice: Mapping[str, Any] | None = None) -> str:
    with pytest.raises(IllegalMove) as refusal:
        _played(position, moves, dice or {})
    assert "{" not in TITLE.refusal(SCENARIO, refusal.value)
    return refusal.value.code


def battle(turn: int = 1, no: int = 1, **rolls: Any) -> dict[str, Any]:
    """Return the dice of a battle.

    Keys are `initiative` as (attacker, defender), `devote_attacker`, `segments`, `a1`, `d2` ….
    """
    head, created = f"turn-{turn}/battle-{no}", {}
    for key, value in rolls.items():
        if key == "initiative":
            created |= {
                f"{head}/initiative/{side}": n
                for side, n in zip(("attacker", "defender"), value, strict=True)
            }
        elif key.startswith("devote_"):
            created[f"{head}/devote/{key.removeprefix('devote_')}"] = value
        elif key == "segments":
            created[f"{head}/segments"] = value
        else:
            created[f"{head}/segment-{key[1:]}/{'attacker' if key[0] == 'a' else 'defender'}"] = (
                value
            )
    return created
