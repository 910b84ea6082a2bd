"""RULES 9.7 and 13: sieges that would have ended differently with other numbers."""

from __future__ import annotations

import pytest

from engine.dice import Dice
from engine.play import play
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.numbers import amended_rules
from games.grand_campaign.rules.position import Options, Position
from games.grand_campaign.rules.scenario import read_scenario
from games.grand_campaign.text.rulebook import Step, would_have_changed
from tests.grand_campaign.table import land, record
from tests.grand_campaign.test_9_sieges import SIEGE, WON, walled


def steps_of(*moves: object, **setting: object) -> list[Step]:
    """Play the moves; return each with the position before it and its effects."""
    written = record(*moves, **setting)
    scenario = read_scenario(written["scenario"])
    position, steps = Position(scenario, Options()), []
    dice = Dice(scenario.turns, seed=written["dice"]["seed"], fixed=written["dice"]["fixed"])
    for raw in written["moves"]:
        played = play(position, decode(raw, position), dice)
        steps.append((position, raw, played.effects))
        position = played.after
    return steps


@pytest.mark.parametrize(("roll", "siege_holds", "ends"), [(40, 20, 1), (40, 50, 0), (60, 70, 1)])
def test_9_7_a_siege_is_judged_by_its_own_attack(roll: int, siege_holds: int, ends: int) -> None:
    steps = steps_of(walled("walls"), land("amber", "a2", "b2"), WON, dice={SIEGE: roll})
    forts = [["ramparts", 1, 10], ["walls", 1, siege_holds], ["great-walls", 1, 90]]
    rules = amended_rules(steps[-1][0].rules, {"fortifications": forts})
    sieges = [row for row in would_have_changed(steps, rules) if row.heading.startswith("Sieges")]
    assert sum(len(row.lines) for row in sieges) == ends
