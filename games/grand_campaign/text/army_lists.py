"""Army lists: the lists of the sides of a battle, and their names in Field of Glory II."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from games.contract.plain import Known
from games.grand_campaign.rules.attacks import army_lists
from games.grand_campaign.rules.scenario import SHIPPED, Scenario


def army_list(scenario: Scenario, known: Known, side: str) -> str:
    """Return the army list of a side of a battle, by its name in the campaign."""
    attacking, defending = army_lists(
        scenario,
        known["kind"],
        known["attacker"],
        known["defender"],
        known["source"],
        known["target"],
    )
    return attacking if side == "attacker" else defending


def list_in_game(name: str) -> str:
    """Return an army list by its name in the game, which is the first alias that differs."""
    aliases = spellings().get(name, ())
    return next((alias for alias in aliases if alias != name), name)


@lru_cache(maxsize=1)
def spellings() -> Mapping[str, tuple[str, ...]]:
    """Return the names in the game of the army lists of the shipped drawings.

    The keys are the names in the campaign.
    """
    names: dict[str, tuple[str, ...]] = {}
    for file in sorted(SHIPPED.glob("*/drawing.json")):
        rows: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))["aliases"]
        names |= {army: tuple(written) for army, written in rows.items()}
    return MappingProxyType(names)
