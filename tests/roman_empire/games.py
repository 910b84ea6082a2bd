"""Games played by program, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.dice import Dice
from engine.play import MoveResult, play
from games.roman_empire.bots.players import EmpirePlayers
from tests.roman_empire.table import SCENARIO, TITLE

MOST = 5000


def options(n: int) -> dict[str, Any]:
    """Return the options of a game, different for each number."""
    return {
        "players": 2 + n % 3,
        "gods_favor": n % 2 == 0,
        "bribe_barbarians": n % 4 > 1,
        "strict_domination": n % 5 == 0,
    }


def steps(
    seed: str, shown: dict[str, Any], player: str = "random"
) -> Iterator[tuple[Any, dict[str, Any], MoveResult[Any]]]:
    """Yield position, move and receipt of each step of a game to its end."""
    position, dice = TITLE.setup(SCENARIO, TITLE.options(shown)), Dice(7, seed=seed)
    choose, choice = EmpirePlayers.by_name[player], random.Random(seed)
    for _ in range(MOST):
        move = choose(position, choice)
        if move is None:
            return
        played = play(position, TITLE.decode(dict(move), position), dice)
        yield position, dict(move), played
        position = played.after
    raise AssertionError("a game without end")
