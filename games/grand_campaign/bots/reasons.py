"""The reasons for a program's moves."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from engine.effects import Phrase
from engine.shares import whole_percents
from games.grand_campaign.bots.battle_model import chances
from games.grand_campaign.bots.planning import SAFE, turns_left
from games.grand_campaign.bots.ranking import leading
from games.grand_campaign.bots.stakes import (
    final_places,
    is_fragile,
    odds_of_answer,
    stakes_of_attack,
    visible_odds,
    wins_campaign,
    wins_place,
    worth_of_answers,
)
from games.grand_campaign.bots.weighing import attack_of_move
from games.grand_campaign.rules.position import Position


def reason(position: Position, raw: Mapping[str, Any]) -> Phrase | None:
    """Return why a program makes this move, from public facts; None if the move explains itself."""
    name, seat = raw["move"], str(raw["by"])
    if name == "attack":
        return _because_of_attack(position, raw)
    if name == "respond":
        return _because_of_answer(position, raw)
    if name == "fortify":
        return _because_of_walls(position, seat, raw["province"])
    if name == "tax-exemption":
        return _because(
            "low" if position.nations[seat].stability <= SAFE else "counts", account="stability"
        )
    if name == "play":
        return _because_of_card(position, seat, raw)
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


def _because_of_attack(position: Position, raw: Mapping[str, Any]) -> Phrase:
    """Return the reason of an attack: its chance, and the least chance at which it pays."""
    attack = attack_of_move(position, raw)
    win, lose = visible_odds(position, attack)
    facts: dict[str, Any] = {"win": round(100 * win), "target": attack.target}
    if not turns_left(position):
        now, after = final_places(position, attack)
        if wins_campaign(now, after):
            return _because("attack-decides", **facts)
        if wins_place(now, after):
            return _because("attack-place", **facts)
    owner = position.owner[attack.target]
    if not attack.own_army and owner in leading(position, attack.attacker):
        return _because("attack-covert", nation=owner, **facts)
    pays = stakes_of_attack(position, attack).least(1 - win - lose)
    if win < pays:
        return _because("attack-rash", **facts)
    return _because("attack", least=ceil(100 * pays), **facts)


def _because_of_card(position: Position, seat: str, raw: Mapping[str, Any]) -> Phrase:
    card = raw["card"]
    if card == "local-insurrection":
        owner = position.owner[raw["province"]]
        if owner in leading(position, seat):
            return _because("card-insurrection-leader", nation=owner)
    return _because(f"card-{card}")


def _because_of_answer(position: Position, raw: Mapping[str, Any]) -> Phrase:
    attack = position.attacks[raw["attack"] - 1]
    if raw["choice"] == "escort":
        return _because("escort", target=attack.target)
    win, lose = odds_of_answer(position, attack, raw)
    answers = worth_of_answers(position, attack, win, lose)
    facts = {"win": round(100 * (1 - win)), "target": attack.target}
    if raw["choice"] == "accept":
        return _because("accept" if answers.accept < answers.withdraw else "accept-worth", **facts)
    if answers.accept < answers.withdraw and not is_fragile(position, str(attack.defender)):
        return _because("withdraw-weak", **facts)
    return _because("withdraw", target=attack.target)


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
