"""Programs that weigh a single move at a time: `cautious`, `bold`, `steady` and `random`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.grand_campaign.bots.battle_model import Raw
from games.grand_campaign.bots.cards import cards_first
from games.grand_campaign.bots.moves import (
    legal,
    master,
    moves,
    next_structures,
    seat_to_move,
    ways,
)
from games.grand_campaign.bots.planning import SAFE, Choice, trades
from games.grand_campaign.bots.ranking import covert_victim
from games.grand_campaign.bots.stakes import odds_of_answer, worth_of_answers
from games.grand_campaign.bots.weighing import (
    BOLD,
    CAUTIOUS,
    RISES_FROM,
    Style,
    promise_of_attack,
    worth_of_track,
)
from games.grand_campaign.rules.attacks import ESCORT, HEAD, attack_cost
from games.grand_campaign.rules.position import COVERT, OWN_ARMY, Attack, Nation, Position


def best(position: Position, seat: str, style: Style) -> Choice:
    """Return the most promising move of the slot, or its end if no move is promising."""
    nation = position.nations[seat]
    for raw in trades(position, nation, risings=style.hurt > RISES_FROM) if style.trades else ():
        if legal(position, raw):
            return Choice(1.0, raw)
    for card in cards_first(position, nation, style):
        return card
    choices = sorted(_choices(position, nation, style), key=lambda choice: -choice.worth)
    for choice in choices:
        if choice.worth > 0 and legal(position, choice.raw):
            return choice
    return Choice(0.0, {"by": seat, "move": "end-slot"})


def _choices(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    rules, seat = position.rules, nation.key
    have = nation.actions
    known = rules.structures[position.scenario.nations[seat].culture]
    for structure in next_structures(position, nation):
        if structure.cost <= have:
            raw: Raw = {"by": seat, "move": "build", "structure": structure.name}
            yield Choice(worth_of_track(position, nation, structure, list(known.values())), raw)
    costs = rules.costs
    if costs["tax-exemption"] <= have:
        worth = rules.points["stability"] * 2 / max(costs["tax-exemption"], 0.5)
        yield Choice(
            worth + (2 if nation.stability < SAFE else 0), {"by": seat, "move": "tax-exemption"}
        )
    if costs["barracks"] <= have and not nation.barracks:
        yield Choice(
            rules.points["barracks"] * 2 / max(costs["barracks"], 0.5),
            {"by": seat, "move": "barracks"},
        )
    if nation.barracks and nation.army < rules.army["full"] and costs["provincial-levy"] <= have:
        yield Choice(1.0, {"by": seat, "move": "provincial-levy"})
    for province in position.provinces_of(seat):
        level = position.fortification.get(province, 0)
        if level < len(rules.fortifications) and (row := rules.fortifications[level]).cost <= have:
            threat = any(
                position.owner[other] not in (None, seat)
                for other in position.scenario.land[province]
            )
            worth = (
                (rules.points["fortification_level"] + style.walls * threat - 0.2 * (not threat))
                * 2
                / max(row.cost, 0.5)
            )
            yield Choice(worth - 0.4, {"by": seat, "move": "fortify", "province": province})
        if (
            position.scenario.provinces[province].maritime
            and province not in position.fleets
            and costs["fleet"] <= have
        ):
            worth = rules.points["fleet"] * 2 / max(costs["fleet"], 0.5) - 0.3
            yield Choice(worth, {"by": seat, "move": "fleet", "province": province})
    yield from _attacks(position, nation, style)


def _attacks(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    if nation.stability <= SAFE - 1 or nation.opening_stability <= SAFE - 1:
        return
    external, owner, walls = position.scenario.external, position.owner, position.fortification
    victim = covert_victim(position, nation.key)
    promises: dict[tuple[Any, ...], tuple[float, Attack]] = {}
    for kind, source, target in ways(position, nation.key):
        if target in external or (style.floor and kind == COVERT and owner[target] != victim):
            continue
        cost = attack_cost(position, kind, target)
        if cost > nation.actions:
            continue
        # The promise depends only on these facts, and many targets share them.
        army = "" if kind in OWN_ARMY else position.scenario.provinces[source].army
        alike = kind, owner[target], walls.get(target), target in position.fleets, army
        if alike not in promises:
            way = kind, source, target
            promises[alike] = promise_of_attack(position, nation, way, style)
        worth, attack = promises[alike]
        if worth > 0:
            raw = attack_move(nation.key, kind, source, target, attack)
            yield Choice(style.attack * worth * 2 / max(cost, 0.5), raw)


def attack_move(seat: str, kind: str, source: str, target: str, alike: Attack) -> Raw:
    """Return the move of an attack with the battle, cards and siege train of another attack."""
    raw: Raw = {"by": seat, "move": "attack", "kind": kind, "from": source, "target": target}
    raw |= {"cards": list(alike.cards_attacker)} if alike.cards_attacker else {}
    raw |= {"siege_train": True} if alike.siege_train else {}
    if "ambush" in alike.cards_attacker:
        return raw | {"battle": ESCORT}
    return raw | ({"battle": HEAD} if alike.battle == HEAD else {})


def sensible_reply(position: Position, attack: Attack, courage: float) -> Raw:
    """Return the answer to a challenge: battle, or withdrawal if a battle is worth less.

    `courage` is how many points less a battle may be worth.
    """
    battle = reply(position, attack)
    withdraw: Raw = {**battle, "choice": "withdraw"}
    withdraw.pop("cards", None)
    answers = worth_of_answers(position, attack, *odds_of_answer(position, attack, battle))
    if answers.accept + courage < answers.withdraw and legal(position, withdraw):
        return withdraw
    return battle


def reply(position: Position, attack: Attack) -> Raw:
    """Return the answer to a challenge: an escort if the nation may try one, otherwise battle.

    Cards that help are played.
    """
    seat = str(attack.defender)
    hand = position.nations[seat].hand
    head: Raw = {"by": seat, "move": "respond", "attack": attack.id}
    cards: list[str] = [card for card in ("reinforcements", "scouts") if card in hand]
    if (
        attack.kind == "amphibious"
        and attack.target in position.fleets
        and "naval-technology" in hand
    ):
        cards.append("naval-technology")
    escort = {**head, "choice": "escort", **({"cards": cards} if cards else {})}
    if legal(position, escort):
        return escort
    return {**head, "choice": "accept", **({"cards": cards} if cards else {})}


def cautious(position: Position, rng: Random) -> Raw | None:
    """Return the move of a program that builds and defends, and attacks if it is likely to win."""
    return move_by_style(position, rng, CAUTIOUS)


def bold(position: Position, rng: Random) -> Raw | None:
    """Return the move of a program that attacks first, often in even battles, and then builds."""
    return move_by_style(position, rng, BOLD)


def move_by_style(position: Position, rng: Random, style: Style) -> Raw | None:
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else styled_move(position, seat, style)


def styled_move(position: Position, seat: str, style: Style) -> Raw:
    """Return the answer to the challenge that waits for this seat, or the best move of its slot."""
    for attack in position.running:
        if attack.status == "challenged" and attack.defender == seat:
            if style.floor is None:
                return reply(position, attack)
            return sensible_reply(position, attack, style.courage)
    return best(position, seat, style).raw


def random_moves(position: Position, rng: Random) -> Raw | None:
    """Return a random legal move: first a random kind, then any move of that kind."""
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else random_move(position, seat, rng)


def random_move(position: Position, seat: str, rng: Random) -> Raw:
    for attack in position.running:
        if attack.status == "challenged" and attack.defender == seat:
            head: Raw = {"by": seat, "move": "respond", "attack": attack.id}
            answers = [
                raw
                for choice in ("accept", "withdraw", "escort")
                if legal(position, raw := {**head, "choice": choice})
            ]
            return rng.choice(answers)
    sorts: dict[str, list[Raw]] = {}
    for raw in moves(position, seat):
        sorts.setdefault(raw["move"], []).append(raw)
    return rng.choice(sorts[rng.choice(sorted(sorts))])
