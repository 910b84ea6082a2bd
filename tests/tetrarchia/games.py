"""Games played at random over the title's offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.dice import Dice
from engine.play import MoveResult, play
from games.tetrarchia.rules.position import VARIANTS
from tests.tetrarchia.table import SCENARIO, TITLE

MOST = 3000
Step = tuple[Any, dict[str, Any], MoveResult[Any]]


def options(n: int) -> dict[str, Any]:
    """Return the options of a game, different for each number."""
    variants = [name for bit, name in enumerate(VARIANTS) if n >> bit & 1]
    players = n % 4 + 1 if "the_great" not in variants or n % 4 != 2 else 4
    level = f"{3 + n % 3}{1 + n // 3 % 3}{n // 9 % 3}{n // 27 % 3}"
    created: dict[str, Any] = {"level": level, "variants": variants, "players": players}
    if players == 3:
        created["caesar"] = ("galerius", "constantius")[n // 4 % 2]
    return created | {"options": ["amphibious"] if n % 5 == 0 else []}


def legal(position: Any) -> list[dict[str, Any]]:
    """Return every move that is offered now to the seats that the game waits for."""
    (wait,) = TITLE.waiting(position)
    return [move for offer in TITLE.offers(position, wait.seat) for move in offer.moves()]


def steps(seed: str, choice: random.Random, shown: dict[str, Any] | None = None) -> Iterator[Step]:
    """Yield position, move and receipt of each step of a game to its end.

    The player rarely ends a turn while there are points.
    """
    position, dice = TITLE.setup(SCENARIO, TITLE.options(shown or {})), Dice(1000, seed=seed)
    for _ in range(MOST):
        if position.phase == "over":
            return
        moves = legal(position)
        kinds = sorted({move["move"] for move in moves} - {"end_turn"})
        kind = choice.choice(kinds) if kinds and choice.random() < 0.85 else "end_turn"
        move = choice.choice([move for move in moves if move["move"] == kind] or moves)
        played = play(position, TITLE.decode(move, position), dice)
        yield position, move, played
        position = played.after
    raise AssertionError("a game without end")
