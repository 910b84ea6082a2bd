"""Reigns played at random over the title's offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.dice import Dice
from engine.play import MoveResult, play
from tests.march_on_rome.table import SCENARIO, TITLE

MOST = 2000


def steps(
    seed: str, choice: random.Random, options: dict[str, Any] | None = None
) -> Iterator[tuple[Any, dict[str, Any], MoveResult[Any]]]:
    """Yield position, move and receipt of each step of a reign to its end."""
    position = TITLE.setup(SCENARIO, TITLE.options(options or {}))
    dice, bold = Dice(1000, seed=seed), choice.random()
    for _ in range(MOST):
        if position.phase == "over":
            return
        legal = [move for offer in TITLE.offers(position, "pc") for move in offer.moves()]
        move = legal[-1] if choice.random() < bold and len(legal) > 1 else choice.choice(legal)
        played = play(position, TITLE.decode(move, position), dice)
        yield position, move, played
        position = played.after
    raise AssertionError("a reign without end")


def reign(seed: str, choice: random.Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the moves of a whole reign, and the states before, between and after them."""
    moves = []
    states = [TITLE.state(TITLE.setup(SCENARIO, TITLE.options({})))]
    for _, move, played in steps(seed, choice):
        moves.append(move)
        states.append(TITLE.state(played.after))
    return moves, states
