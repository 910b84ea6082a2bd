"""The worth of structures and attacks to a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.grand_campaign.bots.battle_model import advantage, chance_to_win
from games.grand_campaign.bots.planning import turns_left
from games.grand_campaign.bots.stakes import (
    ACTION,
    Floor,
    decides_campaign,
    floor_of_attack,
    visible_odds,
)
from games.grand_campaign.rules.attacks import ESCORT, HEAD, siege_holds
from games.grand_campaign.rules.numbers import TRACK_ACCOUNT, Structure
from games.grand_campaign.rules.position import OWN_ARMY, Attack, Nation, Position


class Style(NamedTuple):
    """The weights of a program.

    `attack` multiplies the promise of an attack. `hurt` is the worth of a point that another nation
    loses. `least` is the chance of victory below which a program without a floor does not attack.
    `walls` is the worth of a level of fortification besides its point at the end. `trades` says
    whether the program takes cards from others' tables. `floor` are the chances below which a level
    does not attack; `courage` is how many points less than a withdrawal a defence may be worth.
    """

    attack: float
    hurt: float
    least: float
    walls: float
    trades: bool = True
    floor: Floor | None = None
    courage: float = 0.0


FLOORS = {
    "bold": Floor(0.45, -0.08, 0.3),
    "cunning": Floor(0.5, 0.0, 0.35),
    "cautious": Floor(0.55, 0.05, 0.4),
}
"""The floor of each level, the lowest first. The level `random` has none."""
CAUTIOUS = Style(0.7, 0.0, 0.5, 0.5, floor=FLOORS["cautious"])
BOLD = Style(3.0, 0.0, 0.33, 0.2, floor=FLOORS["bold"], courage=0.5)
STEADY = Style(1.35, 0.35, 0.33, 0.2, trades=False)
"""The style of forecasts and play-tests of scenarios (docs/play/opponents.md).

It attacks if a victory promises more than a building.
"""
RISES_FROM = 0.2
"""The weight of others' losses above which a style plays insurrections."""
DECISIVE = 20.0
"""The worth of an attack that decides the campaign, which no other move equals."""


def worth_of_change(position: Position, account: str, amount: int) -> float:
    """Return the worth of a change of an account in victory points at the end."""
    points = position.rules.points
    if account == "income":
        return amount / 100 * 0.5 * ACTION * turns_left(position)
    return amount * points.get(account, 0)


def worth_of_structure(position: Position, structure: Structure) -> float:
    return (
        worth_of_change(position, TRACK_ACCOUNT[structure.track], structure.gain) + structure.points
    )


def worth_of_track(
    position: Position, nation: Nation, first: Structure, known: Sequence[Structure]
) -> float:
    """Return the best average worth of an action along a track.

    A cheap beginning may lead to a valuable end.
    """
    rest = [
        structure
        for structure in known
        if structure.track == first.track and structure.name not in nation.structures
    ]
    worth = cost = most = 0.0
    for structure in rest:
        worth, cost = (
            worth + worth_of_structure(position, structure),
            cost + max(structure.cost, 0.5) / 2,
        )
        most = max(most, worth / cost)
    own = worth_of_structure(position, first) / (max(first.cost, 0.5) / 2)
    # Structures far ahead may never be built.
    return max(own, 0.5 * own + 0.5 * most if turns_left(position) else own)


def arrayed_attack(
    position: Position, nation: Nation, kind: str, source: str, target: str
) -> Attack:
    """Return the battle of this attack, with the cards that help and a useful siege train."""
    rules, owner = position.rules, position.owner[target]
    own_army = kind in OWN_ARMY
    attack = Attack(0, kind, position.turn, nation.key, source, target)
    attack.points_attacker = nation.army if own_army else rules.army["independent"]
    attack.points_defender = (
        rules.army["independent"] if owner is None else position.nations[owner].army
    )
    cards: list[str] = [card for card in ("ambush", "scouts") if card in nation.hand]
    if own_army and "reinforcements" in nation.hand:
        cards.append("reinforcements")
        attack.points_attacker += rules.army["reinforcements"]
    if "ambush" in cards:
        attack.module_attacker = "attacker"
    attack.cards_attacker = tuple(cards)
    attack.siege_train = own_army and nation.siege_trains > 0 and target in position.fortification
    return attack


def attack_of_move(position: Position, raw: Mapping[str, Any]) -> Attack:
    """Return the battle of an attack in record form, with its own cards and siege train."""
    army, cards = position.rules.army, tuple(raw.get("cards", ()))
    attack = Attack(0, raw["kind"], position.turn, raw["by"], raw["from"], raw["target"])
    owner = position.owner[attack.target]
    attack.points_attacker = army["independent"]
    if attack.own_army:
        attack.points_attacker = position.nations[attack.attacker].army
        attack.points_attacker += army["reinforcements"] * ("reinforcements" in cards)
    attack.points_defender = army["independent"] if owner is None else position.nations[owner].army
    attack.cards_attacker, attack.battle = cards, raw.get("battle", "open")
    if "ambush" in cards:
        attack.battle, attack.module_attacker = ESCORT, "attacker"
    attack.siege_train = bool(raw.get("siege_train"))
    return attack


def promise_of_attack(
    position: Position, nation: Nation, way: tuple[str, str, str], style: Style
) -> tuple[float, Attack]:
    """Return the worth of an attack and the attack, with its battle, cards and siege train.

    The worth is 0 if the chance of victory is below the floor of the style.
    """
    attack = arrayed_attack(position, nation, *way)
    if style.floor is None:
        win = chance_to_win(advantage(attack))
        worth = 0.0 if win < style.least else _expected(position, attack, win, 0.15, style.hurt)
        return worth, attack
    attack.battle = better_battle(position, attack)
    win, lose = visible_odds(position, attack)
    if win < floor_of_attack(position, attack, style.floor):
        return 0.0, attack
    if decides_campaign(position, attack):
        return DECISIVE, attack
    return _expected(position, attack, win, 1 - win - lose, style.hurt), attack


def better_battle(position: Position, attack: Attack) -> str:
    """Return the battle in which the attacker wins more often: open, or for the enemy's head."""
    if attack.module_attacker:
        return attack.battle
    odds = {}
    for battle in ("open", HEAD):
        other = attack.copy()
        other.battle = battle
        odds[battle] = visible_odds(position, other)[0]
    return max(odds, key=lambda battle: odds[battle])


def _expected(position: Position, attack: Attack, win: float, draw: float, hurt: float) -> float:
    """Return the worth of an attack with this chance of victory, without the actions."""
    rules, owner = position.rules, position.owner[attack.target]
    lose = max(0.0, 1 - win - draw)
    holds = siege_holds(position, attack) / rules.die
    points = rules.points
    level = points["stability"] + points["prestige"]
    if attack.own_army:
        conquest = worth_of_change(position, "income", rules.talents["conquest"])
        prize = level + points["battle"] + (points["conquest"] + conquest) * (1 - holds)
        harm = level
    else:
        prize, harm = points["prestige"] + points["battle"], points["prestige"]
    if owner is not None:
        loss = worth_of_change(position, "income", rules.talents["loss"])
        prize += hurt * (level + loss * (1 - holds))
    return win * prize - lose * harm
