"""The model of battles that are not fought by players (docs/contribute/battle-model.md)."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from random import Random
from typing import Any

from games.contract.players import RatedBattle
from games.grand_campaign.bots.planning import NORMAL
from games.grand_campaign.rules.attacks import HEAD
from games.grand_campaign.rules.numbers import table
from games.grand_campaign.rules.position import Attack

Raw = dict[str, Any]


def advantage(attack: Attack, skill: float = 0.0) -> float:
    """Return the attacker's advantage before the battle, in standard deviations of the luck.

    It depends on points, modules, scouts and skill.
    """
    model = table("battles")
    edge = float(model["strength"]) * log(
        max(attack.points_attacker, 1) / max(attack.points_defender, 1)
    )
    if attack.module_attacker is not None:
        edge += float(model["module"]) * (1 if attack.module_attacker == "attacker" else -1)
    edge += float(model["scouts"]) * (
        ("scouts" in attack.cards_attacker) - ("scouts" in attack.cards_defender)
    )
    return edge + skill


def is_module(attack: Attack) -> bool:
    """Return whether the game itself names the winner, without shares (9.1)."""
    return attack.battle == HEAD


def simulate_battle(attack: Attack, rng: Random, skill: float = 0.0) -> Raw:
    """Return the result of the battle as the game master's report.

    A normally distributed luck is added to the advantage. A small sum is a draw; a large one is a
    victory with shares that depend on the sum.
    """
    model = {key: float(value) for key, value in table("battles").items()}
    luck = advantage(attack, skill) + rng.gauss(0.0, 1.0)
    head: Raw = {"by": "gm", "move": "report", "attack": attack.id}
    if is_module(attack):
        drawn = abs(luck) < model["module_draw"]
        return {**head, "winner": "draw" if drawn else "attacker" if luck > 0 else "defender"}
    if abs(luck) < model["draw"]:
        shares = [round(rng.uniform(model["drawn_least"], model["drawn_most"])) for _ in range(2)]
    else:
        loser = min(
            model["loser_most"],
            model["loser_least"] + rng.expovariate(1 / model["loser_mean_more"]),
        )
        winner = (
            model["winner_even"]
            - model["winner_less"] * abs(luck)
            + rng.gauss(0.0, model["winner_spread"])
        )
        shares = [
            round(min(model["winner_most"], max(model["winner_least"], winner))),
            round(loser),
        ]
        if luck < 0:
            shares.reverse()
    return {**head, "routed": {"attacker": shares[0], "defender": shares[1]}}


def chance_to_win(edge: float) -> float:
    """Return the attacker's chance of victory with this advantage.

    A logistic curve approximates the normal distribution.
    """
    return float(1 / (1 + exp(-1.702 * (edge - float(table("battles")["draw"])))))


MOST_LEAD = 1.0
"""The largest lead that counts for skill, because a broken army is ridden down by any opponent."""
RATED_FACTS = ("battle", "module_attacker", "points_attacker", "points_defender", "cards_attacker")


def contest_fought(known: Mapping[str, Any], result: Mapping[str, Any]) -> RatedBattle | None:
    """Return the battle for the ratings; see `games.contract.players.WithRatedBattles`.

    A forfeit, a withdrawal, a battle called off or a battle at sea does not count (8.2, 9.1, 10).
    The lead is the luck that the model needs for the same difference of routed shares, between its
    draw and `MOST_LEAD`.
    """
    if known["outcome"] not in ("attacker", "defender", "draw") or known["naval"]:
        return None
    if result.get("move") != "report" or result.get("called_off"):
        return None
    attack = Attack(
        known["id"],
        known["kind"],
        known["turn"],
        known["attacker"],
        known["source"],
        known["target"],
    )
    for name in RATED_FACTS:
        setattr(attack, name, known[name])
    edge, model = advantage(attack), table("battles")
    if (routed := result.get("routed")) is None:
        return RatedBattle(
            known["outcome"], edge, float(model["module_draw" if is_module(attack) else "draw"])
        )
    lost = (float(routed["attacker"]), float(routed["defender"]))
    lead = float(model["draw"])
    if known["outcome"] != "draw":
        usual = (
            float(model["loser_least"])
            + float(model["loser_mean_more"])
            - float(model["winner_even"])
        )
        lead = min(
            MOST_LEAD, max(lead, (abs(lost[0] - lost[1]) - usual) / float(model["winner_less"]))
        )
    return RatedBattle(known["outcome"], edge, lead, lost)


def chances(attack: Attack) -> tuple[float, float]:
    """Return the attacker's chances of victory and defeat."""
    edge, draw = (
        advantage(attack),
        float(table("battles")["module_draw" if is_module(attack) else "draw"]),
    )
    return NORMAL.cdf(edge - draw), NORMAL.cdf(-edge - draw)
