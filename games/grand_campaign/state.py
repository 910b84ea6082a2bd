"""The state as RECORD writes it."""

from __future__ import annotations

from typing import Any

from games.grand_campaign.position import Attack, Nation, Position


def whole_or_half(half_actions: int) -> int | float:
    """Half-actions as a number of actions: 2 or 2.5."""
    return half_actions // 2 if half_actions % 2 == 0 else half_actions / 2


def state(position: Position) -> dict[str, Any]:
    """The whole state, all hands open."""
    forts = position.rules.fortifications
    return {
        "turn": position.turn,
        "phase": position.phase,
        "slot": position.slot,
        "order": list(position.order),
        "nations": {key: nation_state(nation) for key, nation in position.nations.items()},
        "provinces": {
            key: {
                "owner": owner,
                "fortification": forts[position.fortification[key] - 1].name if key in position.fortification else None,
                "fleet": key in position.fleets,
            }
            for key, owner in position.owner.items()
        },
        "attacks": [attack_state(attack) for attack in position.attacks],
        "truces": [{"nations": list(truce.nations), "until": truce.until} for truce in position.truces],
        "standings": position.standings,
    }


def nation_state(nation: Nation) -> dict[str, Any]:
    return {
        "stability": nation.stability,
        "prestige": nation.prestige,
        "income": nation.income,
        "army": nation.army,
        "victory_points": nation.victory_points,
        "actions": whole_or_half(nation.actions),
        "hand": list(nation.hand),
        "table": list(nation.table),
        "structures": list(nation.structures),
        "barracks": nation.barracks,
        "siege_trains": nation.siege_trains,
        "fallen": nation.fallen,
    }


def attack_state(attack: Attack) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": attack.id,
        "kind": attack.kind,
        "attacker": attack.attacker,
        "from": attack.source,
        "target": attack.target,
        "defender": attack.defender,
        "leader": attack.leader,
        "battle": attack.battle,
        "module_attacker": attack.module_attacker,
        "points": {"attacker": attack.points_attacker, "defender": attack.points_defender},
        "status": attack.status,
        "outcome": attack.outcome,
    }
    if attack.siege:
        made["siege"] = attack.siege
    return made
