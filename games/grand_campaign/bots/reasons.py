"""The reasons for a program's moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.effects import Phrase
from engine.shares import whole_percents
from games.grand_campaign.bots.battle_model import advantage, chance_to_win, chances
from games.grand_campaign.bots.planning import SAFE
from games.grand_campaign.bots.weighing import arrayed_attack
from games.grand_campaign.rules.attacks import HEAD
from games.grand_campaign.rules.position import Position


def reason(position: Position, raw: Mapping[str, Any]) -> Phrase | None:
    """Return why a program makes this move, from public facts; None if the move explains itself."""
    name, seat = raw["move"], str(raw["by"])
    if name == "attack":
        attack = arrayed_attack(
            position, position.nations[seat], raw["kind"], raw["from"], raw["target"]
        )
        attack.battle = raw.get("battle", "open")
        win = chances(attack)[0] if attack.battle == HEAD else chance_to_win(advantage(attack))
        return _because("attack", win=round(100 * win), target=raw["target"])
    if name == "respond":
        return _because_of_answer(position, raw)
    if name == "fortify":
        return _because_of_walls(position, seat, raw["province"])
    if name == "tax-exemption":
        return _because(
            "low" if position.nations[seat].stability <= SAFE else "counts", account="stability"
        )
    if name == "play":
        return _because(f"card-{raw['card']}")
    if name == "take":
        return _because("card-spy")  # The card is worth having.
    return _because(name) if name in REASONS else None


def chances_before(position: Position, raw: Mapping[str, Any]) -> Phrase:
    """Return the chances that the model gave to both sides of a battle that it has decided."""
    attack = position.attacks[raw["attack"] - 1]
    win, lose = chances(attack)
    percents = whole_percents([win, 1 - win - lose, lose])
    facts = dict(zip(("win", "draw", "lose"), percents, strict=True))
    side = attack.defender or attack.leader or ""
    return _because("battle", attacker=attack.attacker, defender=side, **facts)


REASONS = (
    "build",
    "tax-increase",
    "barracks",
    "fleet",
    "provincial-levy",
    "siege-train",
    "end-slot",
)


def _because(key: str, **facts: Any) -> Phrase:
    return Phrase(f"why-{key}", "", facts)


def _because_of_answer(position: Position, raw: Mapping[str, Any]) -> Phrase:
    attack = position.attacks[raw["attack"] - 1]
    if raw["choice"] != "accept":
        return _because(raw["choice"], target=attack.target)
    shown = attack.copy()
    if "reinforcements" in raw.get("cards", ()):
        shown.points_defender += position.rules.army["reinforcements"]
    holds = 1 - chance_to_win(advantage(shown))
    return _because("accept", win=round(100 * holds), target=attack.target)


def _because_of_walls(position: Position, seat: str, province: str) -> Phrase:
    """Return the reason to fortify: the strongest neighbour, with or without a siege train."""
    near = {position.owner[other] for other in position.scenario.land[province]} - {None, seat}
    if not near:
        return _because("level")
    worst = max(
        (position.nations[str(key)] for key in near),
        key=lambda nation: (nation.siege_trains > 0, nation.army, nation.key),
    )
    return _because("walls-train" if worst.siege_trains else "walls", nation=worst.key)
