"""What a battle, a withdrawal or a forfeit leads to, posted in the order of 9.11 (9.2 to 9.11, 10)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.grand_campaign.position import Attack, Position
from games.grand_campaign.tables import table

VICTORY: dict[str, int] = table("effects")["battle"]["victory"]
DEFEAT: dict[str, int] = table("effects")["battle"]["defeat"]


def purpose(attack: Attack, what: str) -> str:
    """The purpose of one of the attack's rolls."""
    return f"turn-{attack.turn}/attack/{attack.attacker}/{attack.target}/{what}"


def conclude(position: Position, attack: Attack, outcome: str, cause: Say) -> None:
    """The attack is resolved."""
    attack.status, attack.outcome = "resolved", outcome
    position.running.remove(attack)
    facts = {"outcome": outcome, "target": attack.target} | ({"siege": attack.siege} if attack.siege else {})
    position.note("attack", attack.attacker, str(attack.id), cause, **facts)


def army_change(position: Position, who: str, victory: bool) -> int:
    """What a victory or defeat does to an army: never past the bounds, never the wrong way (2.8)."""
    army, rules = position.nations[who].army, position.rules.army
    if victory:
        return max(0, min(army + rules["victory"], rules["maximum"]) - army)
    return min(0, max(army + rules["defeat"], rules["minimum"]) - army)


def triumph(position: Position, who: str, cause: Say, armies: bool) -> None:
    """The winner's effects of 9.2."""
    for account, change in VICTORY.items():
        position.change(who, account, change, cause)
    position.change(who, "victory_points", position.rules.points["battle"], cause)
    if armies:
        position.change(who, "army", army_change(position, who, True), cause)


def rout(position: Position, who: str, cause: Say, armies: bool) -> None:
    """The loser's effects of 9.2."""
    for account, change in DEFEAT.items():
        position.change(who, account, change, cause)
    if armies:
        position.change(who, "army", army_change(position, who, False), cause)


def battle_over(position: Position, attack: Attack, result: str, dice: Dice) -> None:
    """Apply the result `attacker`, `defender` or `draw`: effects, siege, conquest, then thresholds (9.11)."""
    where = {"target": attack.target}
    with position.posting():
        if result == "draw":
            _drawn(position, attack, Say("battle-drawn", "9.6", where))
        elif result == "attacker":
            _attacker_won(position, attack, where)
        else:
            _defender_won(position, attack, where)
        taken = result == "attacker" and _siege(position, attack, dice)
        if taken:
            _conquest(position, attack)
        conclude(position, attack, result, Say(f"outcome-{result}", "9.1", where))


def withdrawn(position: Position, attack: Attack, dice: Dice) -> None:
    """The defender gives way: a siege first if fortified, then conquest (9.10)."""
    with position.posting():
        if _siege(position, attack, dice):
            _conquest(position, attack)
        conclude(position, attack, "withdrawn", Say("outcome-withdrawn", "9.10", {"target": attack.target}))


def _drawn(position: Position, attack: Attack, cause: Say) -> None:
    ravage = position.rules.talents["ravage"]
    if attack.own_army:
        position.change(attack.attacker, "income", ravage, cause)
    if attack.defender is not None:
        position.change(attack.defender, "income", -ravage, cause)


def _attacker_won(position: Position, attack: Attack, where: dict[str, str]) -> None:
    if attack.own_army:
        triumph(position, attack.attacker, Say("battle-won", "9.2" if attack.defender else "9.3", where), not attack.naval)
    elif attack.kind == "independent":
        cause = Say("covert-won", "9.4", where)
        position.change(attack.attacker, "prestige", VICTORY["prestige"], cause)
        position.change(attack.attacker, "victory_points", position.rules.points["battle"], cause)
    if attack.defender is not None:
        rout(position, attack.defender, Say("battle-lost", _rule(attack), where), not attack.naval)
    position.wreck_fleet(attack.target, Say("fleet-lost-with-battle", "3.10", where))


def _defender_won(position: Position, attack: Attack, where: dict[str, str]) -> None:
    if attack.own_army:
        rout(position, attack.attacker, Say("battle-lost", "9.2" if attack.defender else "9.3", where), not attack.naval)
    elif attack.kind == "independent":
        position.change(attack.attacker, "prestige", DEFEAT["prestige"], Say("covert-lost", "9.4", where))
    if attack.defender is not None:
        triumph(position, attack.defender, Say("battle-won", _rule(attack), where), not attack.naval)
    elif attack.leader is not None:
        points = position.rules.points["independent_defence"]
        position.change(attack.leader, "victory_points", points, Say("independents-held", "9.3", where))
    if attack.kind == "amphibious":
        position.wreck_carrier(attack, Say("fleet-lost-with-battle", "3.10", where))
    _lose_train(position, attack, Say("train-lost-with-battle", "9.9", where))


def _rule(attack: Attack) -> str:
    """The paragraph by which the defending nation wins or loses."""
    return {"independent": "9.4", "insurrection": "9.5"}.get(attack.kind, "9.2")


def siege_holds(position: Position, attack: Attack) -> int:
    """The highest roll at which a siege of the target fails: 0 where nothing stands there (9.7)."""
    level = position.fortification.get(attack.target, 0)
    if not level:
        return 0
    holds = position.rules.fortifications[level - 1].holds
    return max(0, holds - (position.rules.siege_train if attack.siege_train else 0))


def _siege(position: Position, attack: Attack, dice: Dice) -> bool:
    """Is the target taken? A fortified one is besieged first (9.7)."""
    if not position.fortification.get(attack.target):
        return True
    holds = siege_holds(position, attack)
    roll = dice.roll(purpose(attack, "siege"), position.rules.die, attack.turn)
    attack.siege = "held" if roll <= holds else "taken"
    cause = Say(f"siege-{attack.siege}", "9.7", {"target": attack.target, "holds": holds})
    position.note("attack", attack.attacker, str(attack.id), cause, siege=attack.siege, roll=roll)
    if attack.siege == "held":
        _lose_train(position, attack, Say("train-lost-in-siege", "9.9", {"target": attack.target}))
    return attack.siege == "taken"


def _lose_train(position: Position, attack: Attack, cause: Say) -> None:
    nation = position.nations[attack.attacker]
    if attack.siege_train and nation.siege_trains:
        nation.siege_trains -= 1
        position.note("structure", attack.attacker, "siege-train", cause, built=False)


def _conquest(position: Position, attack: Attack) -> None:
    """The province changes hands, or turns independent after covert and insurgent victories (9.8)."""
    talents, where = position.rules.talents, {"target": attack.target}
    loser = position.owner[attack.target]
    cause = Say("conquest" if attack.own_army else "turns-independent", "9.8", where)
    position.set_owner(attack.target, attack.attacker if attack.own_army else None, cause)
    if attack.own_army:
        position.change(attack.attacker, "victory_points", position.rules.points["conquest"], cause)
        position.change(attack.attacker, "income", talents["conquest"], cause)
    if loser is not None:
        position.change(loser, "income", -talents["loss"], Say("province-lost", "9.8", where))
