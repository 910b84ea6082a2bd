"""The worth of structures and attacks to a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.grand_campaign.bots.battle_model import advantage, chance_to_win
from games.grand_campaign.bots.planning import turns_left
from games.grand_campaign.rules.attacks import siege_holds
from games.grand_campaign.rules.numbers import TRACK_ACCOUNT, Structure
from games.grand_campaign.rules.position import OWN_ARMY, Attack, Nation, Position


class Style(NamedTuple):
    """The weights of a program.

    `attack` multiplies the promise of an attack. `hurt` is the worth of a point that another nation
    loses. `least` is the chance of victory below which the program does not attack. `walls` is the
    worth of a level of fortification besides its point at the end. `trades` says whether the
    program takes cards from others' tables.
    """

    attack: float
    hurt: float
    least: float
    walls: float
    trades: bool = True


CAUTIOUS = Style(0.7, 0.0, 0.5, 0.5)
BOLD = Style(3.0, 0.0, 0.33, 0.2)
STEADY = Style(1.35, 0.35, 0.33, 0.2, trades=False)
"""The style of forecasts and play-tests of scenarios (docs/play/opponents.md).

It attacks if a victory promises more than a building.
"""
RISES_FROM = 0.2
"""The weight of others' losses above which a style plays insurrections."""
ACTION = 2.0
"""The worth of an action in victory points: a tax exemption gives a point for half an action."""


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


def promise_of_attack(
    position: Position, nation: Nation, way: tuple[str, str, str], style: Style
) -> tuple[float, list[str], bool]:
    """Return the worth of an attack, its cards, and whether a siege train goes with it."""
    kind, _source, target = way
    rules, owner, own_army = position.rules, position.owner[target], kind in OWN_ARMY
    attack = arrayed_attack(position, nation, *way)
    win = chance_to_win(advantage(attack))
    if win < style.least:
        return 0.0, [], False
    lose = max(0.0, 1 - win - 0.15)
    holds = siege_holds(position, attack) / rules.die
    points = rules.points
    level = points["stability"] + points["prestige"]
    if own_army:
        prize = (
            level
            + points["battle"]
            + (points["conquest"] + worth_of_change(position, "income", rules.talents["conquest"]))
            * (1 - holds)
        )
        harm = level
    else:
        prize, harm = points["prestige"] + points["battle"], points["prestige"]
    if owner is not None:
        prize += style.hurt * (
            level + worth_of_change(position, "income", rules.talents["loss"]) * (1 - holds)
        )
    return win * prize - lose * harm, list(attack.cards_attacker), attack.siege_train
