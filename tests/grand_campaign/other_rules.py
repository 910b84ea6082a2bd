"""A valid scenario that differs from 240 BC in every number of rules, start and length."""

from __future__ import annotations

import json
from typing import Any

from engine.strict_json import read
from games.grand_campaign.rules.numbers import table
from games.grand_campaign.rules.scenario import Scenario, check_scenario
from tests.web import nine

DIE = 240


def other(value: Any) -> Any:
    """Return the value with every number in it changed: integers by 3, halves by 1/2."""
    if isinstance(value, dict):
        return {key: other(part) for key, part in value.items()}
    return float(value) + 0.5 if not isinstance(value, int) else value + 3


def bands(rows: list[Any]) -> list[list[Any]]:
    """Return the same keys spread over the larger die in equal parts."""
    width = DIE // len(rows)
    return [[n * width + 1, (n + 1) * width, row[2]] for n, row in enumerate(rows)]


def built(rows: list[Any]) -> list[list[Any]]:
    return [[name, float(cost) + 0.5, gain + 3, points + 3] for name, cost, gain, points in rows]


def rules() -> dict[str, Any]:
    """Return `rules` with every number changed."""
    usual = table("rules")
    tables = {
        "die": DIE,
        "income_actions": [
            [least + 7, float(given) + 0.5] for least, given in usual["income_actions"]
        ],
        "cards": bands(usual["cards"]),
        "events": bands(usual["events"]),
        "event_turns": [1, 3],
        "architecture": {culture: built(rows) for culture, rows in usual["architecture"].items()},
        "religious": built(usual["religious"]),
        "commercial": built(usual["commercial"]),
        "fortifications": [
            [name, float(cost) + 0.5, holds + 3] for name, cost, holds in usual["fortifications"]
        ],
        "costs": {key: float(cost) + 0.5 for key, cost in usual["costs"].items()},
        "escort_from": 3,
        "cards_per_turn": 2,
        "attacks_per_turn": {"overt": 3, "covert": 2},
    }
    halves = dict.fromkeys(("tax_increase_actions", "chancellor_actions"), 1.5)
    return {key: tables.get(key, halves.get(key)) or other(usual[key]) for key in usual}


def raw() -> dict[str, Any]:
    """Return the scenario as a record contains it."""
    created = nine.make_scenario() | {"rules": rules(), "turns": 7}
    created["start"] = {"stability": 7, "prestige": 8, "income": 333, "army": 1555}
    created["nations"][0]["start"] = {"income": 777, "barracks": True}
    return created


def scenario() -> Scenario:
    return check_scenario(read(json.dumps(raw())))
