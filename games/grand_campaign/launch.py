"""An attack or insurrection begins: number, frozen points, challenge or leader (3.13, 7.8 to 7.10)."""

from __future__ import annotations

from engine.effects import Say
from games.grand_campaign.levels import next_leader
from games.grand_campaign.position import Attack, Position


def launch(position: Position, attack: Attack, cause: Say) -> None:
    """Enter the attack, whose attacker's side is ready: a nation is challenged, an independent province led."""
    attack.defender = position.owner[attack.target]
    position.attacked.add(attack.target)
    if attack.defender is None:
        attack.points_defender = position.rules.army["independent"]
        attack.leader = next_leader(position, attack)
        attack.status = "fighting"
    else:
        attack.points_defender = position.nations[attack.defender].army
    position.attacks.append(attack)
    position.running.append(attack)
    position.note(
        "attack", attack.attacker, str(attack.id), cause, launched=True, attack_kind=attack.kind, source=attack.source,
        target=attack.target, defender=attack.defender, leader=attack.leader, battle=attack.battle,
        siege_train=attack.siege_train,
    )  # fmt: skip
