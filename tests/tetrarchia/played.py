"""A game played by program, as the lines of a log."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from engine.dice import Dice
from engine.play import perform
from games.contract.report import ReportEntry
from games.tetrarchia.bots.players import TetrarchiaPlayers
from tests.tetrarchia.table import SCENARIO, TITLE


def lines(moves: list[Any], dice: Dice, **terms: Any) -> list[ReportEntry]:
    """Return the lines of these moves, from the set-up on."""
    position, created = TITLE.setup(SCENARIO, TITLE.options(terms)), list[ReportEntry]()
    for number, move in enumerate(moves, 1):
        perform(position, TITLE.decode(move, position), dice)
        created.append(
            ReportEntry(number, move, tuple(position.effects), dice.take_rolls(), position.copy())
        )
    return created


@cache
def game(player: str, seed: str, level: str = "4211", *variants: str) -> list[ReportEntry]:
    """Return a whole game."""
    position, dice, rng = (
        TITLE.setup(SCENARIO, TITLE.options({"level": level, "variants": list(variants)})),
        Dice(1000, seed=seed),
        Random(seed),
    )
    created: list[ReportEntry] = []
    while (raw := TetrarchiaPlayers.by_name[player](position, rng)) is not None:
        perform(position, TITLE.decode(dict(raw), position), dice)
        created.append(
            ReportEntry(
                len(created) + 1, raw, tuple(position.effects), dice.take_rolls(), position.copy()
            )
        )
    return created
