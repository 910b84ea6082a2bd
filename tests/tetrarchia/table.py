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
from games.tetrarchia.title import Tetrarchia

TITLE = Tetrarchia()
SCENARIO = TITLE.scenario("standard")
END = {"move": "end_turn"}
SECURE = {"move": "secure"}
PATRES = {"move": "patres"}
REMOVE = {"move": "subdue", "how": "remove"}
CALM = {"move": "subdue", "how": "calm"}


def go(*path: str) -> dict[str, Any]:
    return {"move": "move", "path": list(path)}


def sail(source: str, to: str) -> dict[str, Any]:
    return {"move": "sail", "from": source, "to": to}


def enter(at: str) -> dict[str, Any]:
    return {"move": "enter", "at": at}


def attack(target: str) -> dict[str, Any]:
    return {"move": "attack", "target": target}


def imperium(tokens: int) -> dict[str, Any]:
    return {"move": "imperium", "tokens": tokens}


def at(options: Mapping[str, Any] | None = None, /, **position: Any) -> Any:
    return TITLE.situation(position, TITLE.options(dict(options or {})))


def _played(
    position: Any, moves: tuple[Any, ...], thrown: Mapping[str, Any]
) -> list[MoveResult[Any]]:
    for purpose, value in thrown.items():
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)
    here = at(**position) if isinstance(position, dict) else position
    dice, receipts = Dice(1000, fixed=thrown), []
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


def thrown(
    threat: tuple[int, int] | None = None, /, turn: str = "round-1/diocletian", **more: int
) -> dict[str, Any]:
    """Return the dice of a turn: region and number of its first threat, and others.

    Other keys are those of RULES, with `__` for slashes.
    """
    created = dict(zip(("threat-1/region", "threat-1/number"), threat or (), strict=False))
    created |= {key.replace("__", "/").replace("_no_", "-"): value for key, value in more.items()}
    return {f"{turn}/{key}": value for key, value in created.items()}
