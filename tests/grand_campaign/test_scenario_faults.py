"""Sixty mistakes of scenario authors, one at a time, with their messages.

`scenario_faults.txt` lists them. A mistake is a key of the example and the value that replaces it;
`(left out)` removes the key, `+ ` before a key adds to its list.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from campaign import scenarios
from engine.language import use_language
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.title import GrandCampaign

HERE = Path(__file__).parent
TITLE = GrandCampaign()
EXAMPLE = json.loads(
    (HERE.parent.parent / "static/examples/three_peoples.json").read_text(encoding="utf-8")
)
MISTAKES = [
    block.splitlines()
    for block in (HERE / "scenario_faults.txt").read_text(encoding="utf-8").strip().split("\n\n")
]


def with_mistake(line: str) -> dict[str, Any]:
    created = copy.deepcopy(EXAMPLE)
    path, _equals, text = line.partition(" = ")
    steps = path.removeprefix("+ ").split(".")
    at: Any = created
    for step in steps[:-1]:
        at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
    last: Any = int(steps[-1]) if isinstance(at, list) else steps[-1]
    if path.startswith("+ "):
        at[last].append(json.loads(text))
    elif text == "(left out)":
        del at[last]
    else:
        at[last] = json.loads(text)
    return created


def rendered(whole: dict[str, Any]) -> list[str]:
    """Return the faults, then the warnings, as the page shows them."""
    wrong = scenarios.check_scenario(TITLE, json.dumps(whole)).faults
    return [f"  {fault}" for fault in wrong] + [
        f"  warning: {warning}" for warning in scenarios.scenario_warnings(TITLE, whole["scenario"])
    ]


@pytest.mark.parametrize("block", MISTAKES, ids=[block[0] for block in MISTAKES])
def test_a_mistake_and_its_message(block: list[str]) -> None:
    assert rendered(with_mistake(block[0])) == block[1:]


def test_there_are_sixty() -> None:
    assert len({block[0] for block in MISTAKES}) == 60
    assert rendered(EXAMPLE) == []
    assert scenarios.scenario_warnings(TITLE, load("420ad").raw) == []


def test_all_at_once_and_in_italian() -> None:
    """All mistakes that do not affect each other are reported."""
    created = copy.deepcopy(EXAMPLE)
    scenario = created["scenario"]
    scenario["turns"] = 0
    scenario["nations"][0] |= {"culture": "barbaric", "escort": 1}
    scenario["provinces"][2]["owner"] = "iberia"
    scenario["borders"][0] = ["goths-home", "hill"]
    scenario["start"] = {"stability": 1, "amry": 3}
    scenario["rules"] = {
        "costs": {"fleets": 1, "land": 0.3},
        "fortifications": [["walls", 1, -3], ["walls", "x", 3]],
    }
    assert rendered(created) == [
        "  scenario.turns: must be a whole number from 1 to 100; here it is 0",
        (
            "  scenario.nations.goths.culture: must be civilized or barbarian; here it is"
            " “barbaric”; the nearest known one is barbarian"
        ),
        "  scenario.nations.goths.escort: must be true or false; here it is 1",
        (
            "  scenario.provinces.iberi-home.owner: must be a nation or null; here it is “iberia”;"
            " the nearest known one is iberi"
        ),
        (
            '  scenario.borders.0: must be two known provinces; here it is ["goths-home", "hill"];'
            " the nearest known one is hills"
        ),
        "  scenario.start.amry: unknown key; the nearest known one is army",
        "  scenario.start.stability: must be a whole number from 2 to 999999999; here it is 1",
        "  scenario.rules.costs.fleets: unknown key; the nearest known one is fleet",
        "  scenario.rules.costs.land: must be a multiple of ½; here it is 0.3",
        (
            "  scenario.rules.fortifications.0.2: must be a whole number from 0 to 999999999; here"
            " it is -3"
        ),
        "  scenario.rules.fortifications.1.0: appears twice; here it is “walls”",
    ]
    with use_language("it"):
        assert (
            rendered(created)[0]
            == "  scenario.turns: deve essere un numero intero da 1 a 100; qui è 0"
        )
