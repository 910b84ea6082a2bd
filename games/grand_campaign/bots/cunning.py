"""A program that plans its actions to the end of the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.grand_campaign.bots.battle_model import Raw, chances
from games.grand_campaign.bots.cards import cards_first
from games.grand_campaign.bots.moves import legal, master, next_structures, seat_to_move, ways
from games.grand_campaign.bots.planning import (
    SAFE,
    Choice,
    Outlook,
    Race,
    outcomes,
    small_purchases,
    trades,
    turns_left,
    worth_of_outcomes,
)
from games.grand_campaign.bots.ranking import covert_victim, leaders, leading, score
from games.grand_campaign.bots.stakes import floor_of_attack, visible_odds
from games.grand_campaign.bots.styles import attack_move, sensible_reply
from games.grand_campaign.bots.weighing import (
    CAUTIOUS,
    FLOORS,
    arrayed_attack,
    worth_of_change,
)
from games.grand_campaign.rules.attacks import HEAD, attack_cost
from games.grand_campaign.rules.numbers import TRACK_ACCOUNT
from games.grand_campaign.rules.position import COVERT, OWN_ARMY, Attack, Nation, Position


def _worth_attacking(position: Position, nation: Nation, outlook: Outlook) -> Iterator[Choice]:
    """Yield attacks with the worth of their outcomes, less what their actions would buy.

    In the last turn the worth is the number of places that they win.
    """
    race = Race(position, nation.key, outlook.bundle().worth) if not turns_left(position) else None
    owner, known = position.owner, dict[tuple[Any, ...], tuple[float, Attack]]()
    victim = covert_victim(position, nation.key)
    for kind, source, target in ways(position, nation.key):
        cost = attack_cost(position, kind, target)
        if cost > nation.actions or target in position.scenario.external:
            continue
        if kind == COVERT and owner[target] != victim:
            continue
        army = "" if kind in OWN_ARMY else position.scenario.provinces[source].army
        alike = (
            kind,
            owner[target],
            position.fortification.get(target),
            target in position.fleets,
            army,
        )
        if alike not in known:
            price = outlook.bundle().worth - outlook.bundle(cost).worth
            known[alike] = max(
                _battle_kinds(position, nation, (kind, source, target), price, outlook, race),
                key=lambda candidate: candidate[0],
            )
        worth, attack = known[alike]
        if worth > 0:
            yield Choice(worth, attack_move(nation.key, kind, source, target, attack))


def _battle_kinds(
    position: Position,
    nation: Nation,
    way: tuple[str, str, str],
    price: float,
    outlook: Outlook,
    race: Race | None,
) -> Iterator[tuple[float, Attack]]:
    """Yield the worth of the attack as an open battle, and as one for the enemy's head.

    Below the floor of this program the worth is 0.
    """
    owner = position.owner[way[2]]
    for battle in ("open", HEAD):
        attack = arrayed_attack(position, nation, *way)
        if battle == HEAD and attack.module_attacker:
            return
        attack.battle = battle
        odds = visible_odds(position, attack)
        ends = outcomes(position, attack, *odds, outlook)
        sound = odds[0] >= floor_of_attack(position, attack, FLOORS["cunning"])
        yield worth_of_outcomes(ends, price, owner, race) if sound else 0.0, attack


FAMED_FROM = 3
"""The turn from which prestige keeps covert attacks away (2.7).

In earlier turns trade and stability are worth more.
"""
STOLEN = (
    "chancellor",
    "diplomat",
    "ambush",
    "reinforcements",
    "traitor",
    "assassin",
    "scouts",
    "local-insurrection",
)
"""The cards that a spy takes from any nation.

First are those that bring points to a nation whose income is full.
"""
LEAST_RISING, AHEAD = 0.2, 0.1
"""The least that an insurrection must cost its victim, and its additional worth for each point of
the victim.
"""


def _spies_and_insurrections(position: Position, nation: Nation) -> Iterator[Raw]:
    """Yield plays of spies and insurrections, the best first.

    Insurrections aim at the leading nations.
    """
    hand, hidden = nation.hand, position.options.hidden
    if "spy" in hand and not hidden:
        head: Raw = {"by": nation.key, "move": "play", "card": "spy"}
        for card in STOLEN:
            yield from (
                {**head, "target": key, "steal": card} for key in leaders(position, nation.key)
            )
    if "local-insurrection" in hand:
        head = {"by": nation.key, "move": "play", "card": "local-insurrection", "battle": HEAD}
        costs = {
            key: _rising(position, position.nations[key]) for key in leading(position, nation.key)
        }
        for victim in sorted(
            costs, key=lambda key: -costs[key] - AHEAD * score(position.nations[key])
        ):
            if costs[victim] > LEAST_RISING:
                yield from (
                    {**head, "province": province} for province in position.provinces_of(victim)
                )


def _rising(position: Position, victim: Nation) -> float:
    """Return the average cost of an insurrection for its victim; a strong army even gains by it."""
    rules, points = position.rules, position.rules.points
    attack = Attack(0, "insurrection", position.turn, victim.key, None, "")
    attack.battle, attack.points_attacker, attack.points_defender = (
        HEAD,
        rules.army["independent"],
        victim.army,
    )
    if not position.options.hidden and "reinforcements" in victim.hand:
        attack.points_defender += rules.army["reinforcements"]
    win, lose = chances(attack)
    level = points["stability"] + points["prestige"]
    harm = level + worth_of_change(position, "income", rules.talents["loss"])
    return win * harm - lose * (level + points["battle"])


def planned_move(position: Position, seat: str, rng: Random) -> Raw:
    """Return a card, an attack that is better than the plan, or a move of the plan.

    What the plan leaves goes into walls, fleets and levels. A nation of low stability does not
    fight for a province, because a defeat would cost more.
    """
    nation = position.nations[seat]
    for attack in position.running:
        if attack.status == "challenged" and attack.defender == seat:
            return _careful_reply(position, nation, attack)
    for raw in (
        *trades(position, nation, risings=True),
        *_spies_and_insurrections(position, nation),
    ):
        if legal(position, raw):
            return raw
    for card in cards_first(position, nation, CAUTIOUS):
        return card.raw
    outlook = Outlook(position, nation, legal(position, {"by": seat, "move": "tax-increase"}))
    first = _attack_or_fame(position, nation, outlook)
    if first is not None:
        return first
    bundle = outlook.bundle()
    if bundle.taxed:
        return {"by": seat, "move": "tax-increase"}
    for rows, built, more in zip(outlook.plan.rows, outlook.built, bundle.build, strict=True):
        raw = {"by": seat, "move": "build", "structure": rows[built].name} if more else {}
        if raw and legal(position, raw):
            return raw
    rest = sorted(small_purchases(position, nation), key=lambda choice: -choice.worth)
    return next(
        (choice.raw for choice in rest if legal(position, choice.raw)),
        {"by": seat, "move": "end-slot"},
    )


def _careful_reply(position: Position, nation: Nation, attack: Attack) -> Raw:
    """Return the answer to a challenge; a nation of low stability withdraws if it can."""
    withdraw: Raw = {
        "by": nation.key,
        "move": "respond",
        "attack": attack.id,
        "choice": "withdraw",
    }
    if nation.stability < SAFE and legal(position, withdraw):
        return withdraw
    return sensible_reply(position, attack, 0.0)


def _attack_or_fame(position: Position, nation: Nation, outlook: Outlook) -> Raw | None:
    """Return an attack that is better than the plan, or a structure that brings prestige."""
    if nation.stability >= SAFE and nation.opening_stability >= SAFE:
        choices = _worth_attacking(position, nation, outlook)
        for choice in sorted(choices, key=lambda choice: -choice.worth):
            if legal(position, choice.raw):
                return choice.raw
    if position.turn < FAMED_FROM or nation.prestige >= position.rules.prestigious:
        return None
    for structure in next_structures(position, nation):
        raw: Raw = {"by": nation.key, "move": "build", "structure": structure.name}
        if TRACK_ACCOUNT[structure.track] == "prestige" and legal(position, raw):
            return raw
    return None


def cunning(position: Position, rng: Random) -> Raw | None:
    """Return the next move of a program that plans its actions to the end of the campaign.

    It attacks if the weighed outcomes are better than the plan.
    """
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else planned_move(position, seat, rng)
