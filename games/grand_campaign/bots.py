"""Players by program for the Grand Campaign, and the model of battles that nobody fights
(docs/bots.md, docs/battle-model.md).

A program reads what its seat may read and answers one move in record form. Its own chance comes
from a `random.Random` that is given to it; the game's dice are thrown by `engine.dice` alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from math import exp, log
from random import Random
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Effect, Say
from engine.errors import IllegalMove
from engine.play import perform
from engine.strict_json import canonical
from games.contract.players import End, Fought, Player, Rank
from games.grand_campaign.planning import (
    NORMAL,
    SAFE,
    Choice,
    Outlook,
    Race,
    left,
    outcomes,
    promise,
    small,
    trades,
)
from games.grand_campaign.rules.attacks import ESCORT, HEAD, attack_cost, escort_right, siege_holds
from games.grand_campaign.rules.form import ESCORT_DIE, decode
from games.grand_campaign.rules.numbers import TRACK_ACCOUNT, Structure, table
from games.grand_campaign.rules.position import OWN_ARMY, Attack, Nation, Options, Position
from games.grand_campaign.rules.scenario import USUAL, Scenario, check_scenario, load, shipped
from games.grand_campaign.title import CHAPTERS as CHAPTERS

Raw = dict[str, Any]

# Battles that nobody fights -----------------------------------------------------------------------


def advantage(attack: Attack, skill: float = 0.0) -> float:
    """What the attacker has before the battle begins, in standard deviations of its luck: points,
    modules, scouts, skill.
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
    """Is the winner as the game gives it, without shares (9.1)?"""
    return attack.battle == HEAD


def fought(attack: Attack, rng: Random, skill: float = 0.0) -> Raw:
    """How the battle ends, as the game master reports it: a luck of the normal distribution is
    added to the advantage; a small sum is a draw, a large one a victory whose shares follow from
    it.
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
    """The attacker's chance of victory with this advantage, by the normal distribution (a logistic
    curve close to it).
    """
    return float(1 / (1 + exp(-1.702 * (edge - float(table("battles")["draw"])))))


MOST_LEAD = 1.0
"""A victory by more than this tells no more of skill: who is broken is ridden down."""
RATED_FACTS = ("battle", "module_attacker", "points_attacker", "points_defender", "cards_attacker")


def contest_fought(known: Mapping[str, Any], result: Mapping[str, Any]) -> Fought | None:
    """See `games.contract.players.Rated`. A forfeit, a withdrawal, a battle called off or fought at
    sea is none (8.2, 9.1, 10).

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
        return Fought(
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
    return Fought(known["outcome"], edge, lead, lost)


# What may be said in a slot: what the rules allow, without the words and fields that offers have
# for people


def legal(position: Position, raw: Raw) -> bool:
    """Do the rules allow this move now? Nothing is played."""
    try:
        move = decode(raw, position)
        move.admit(position)
        move.check(position)
    except IllegalMove:
        return False
    return True


def moves(position: Position, seat: str) -> Iterator[Raw]:
    """Every sort of move that a seat may make in its slot now: attacks without cards and modules,
    no trades.
    """
    head = {"by": seat}
    for raw in _candidates(position, seat):
        if legal(position, raw := {**head, **raw}):
            yield raw


def _candidates(position: Position, seat: str) -> Iterator[Raw]:
    nation, rules, scenario = position.nations[seat], position.rules, position.scenario
    own = position.provinces_of(seat)
    for structure in next_structures(position, nation):
        yield {"move": "build", "structure": structure.name}
    for name in ("tax-exemption", "tax-increase", "barracks", "siege-train", "provincial-levy"):
        if nation.actions >= rules.costs.get(name, 0):
            yield {"move": name}
    for province in own:
        level = position.fortification.get(province, 0)
        if level < len(rules.fortifications) and nation.actions >= rules.fortifications[level].cost:
            yield {"move": "fortify", "province": province}
        if (
            scenario.provinces[province].maritime
            and province not in position.fleets
            and nation.actions >= rules.costs["fleet"]
        ):
            yield {"move": "fleet", "province": province}
    for kind, source, target in ways(position, seat):
        if nation.actions >= attack_cost(position, kind, target):
            yield {"move": "attack", "kind": kind, "from": source, "target": target}
    for card in dict.fromkeys(nation.hand):
        for given in _card_choices(position, nation, card):
            yield {"move": "play", "card": card, **given}
    yield {"move": "end-slot"}


def ways(position: Position, seat: str) -> Iterator[tuple[str, str, str]]:
    """Kind, starting point and target of every attack that map and owners allow."""
    scenario, owner = position.scenario, position.owner
    most = position.rules.attacks_per_turn
    if position.attacks_counted(seat, covert=False) < most["overt"]:
        for source in position.provinces_of(seat):
            yield from (
                ("land", source, target)
                for target in scenario.land[source]
                if owner[target] != seat
            )
            if source in position.fleets:
                yield from (
                    ("amphibious", source, target)
                    for target in scenario.sea[source]
                    if owner[target] != seat
                )
    if position.attacks_counted(seat, covert=True) < most["covert"]:
        for target, holder in owner.items():
            if holder is not None and holder != seat:
                yield from (
                    ("independent", source, target)
                    for source in scenario.land[target]
                    if owner[source] is None
                )


def _card_choices(position: Position, nation: Nation, card: str) -> Iterator[Raw]:
    """Yield what else a card may be played with."""
    others = [
        other for key, other in position.nations.items() if key != nation.key and not other.fallen
    ]
    match card:
        case "chancellor" | "mercenaries":
            yield {}
        case "spy":
            yield from _spies(position, others)
        case "assassin":
            yield from _assassins(position, others)
        case "diplomat":
            yield from ({"province": province} for province in _provinces_of_nobody(position))
            yield from ({"truce": other.key} for other in others)
        case "traitor" | "local-insurrection":
            more = {"battle": "open"} if card == "local-insurrection" else {}
            for province, holder in position.owner.items():
                if holder is not None and holder != nation.key:
                    yield {"province": province, **more}


def _spies(position: Position, others: Sequence[Nation]) -> Iterator[Raw]:
    for other in others:
        if not position.options.hidden:
            yield from (
                {"target": other.key, "steal": theirs} for theirs in dict.fromkeys(other.hand)
            )
        elif other.hand:
            yield {"target": other.key}


def _assassins(position: Position, others: Sequence[Nation]) -> Iterator[Raw]:
    for other in others:
        for kind in ("diplomat", "traitor", "spy", "chancellor"):
            if position.options.hidden or kind in other.hand:
                yield {"target": other.key, "destroy": kind}


def _provinces_of_nobody(position: Position) -> Iterator[str]:
    return (province for province, holder in position.owner.items() if holder is None)


def next_structures(position: Position, nation: Nation) -> list[Structure]:
    """The next structure of each track."""
    tracks: dict[str, Structure] = {}
    for one in position.rules.structures[position.scenario.nations[nation.key].culture].values():
        if one.name not in nation.structures:
            tracks.setdefault(one.track, one)
    return list(tracks.values())


# How programs choose ------------------------------------------------------------------------------


class Style(NamedTuple):
    """How a program weighs. `attack` multiplies what an attack promises; `hurt` is what a point is
    worth that another nation loses; `least` the chance of victory below which it does not attack;
    `walls` what a level of fortification is worth beside its point at the end. `trades`: does it
    take cards from others' tables?
    """

    attack: float
    hurt: float
    least: float
    walls: float
    trades: bool = True


CAUTIOUS = Style(0.7, 0.0, 0.5, 0.5)
BOLD = Style(3.0, 0.0, 0.33, 0.2)
STEADY = Style(1.35, 0.35, 0.33, 0.2, trades=False)
"""Attacks where a victory promises more than a building: plays forecasts and play-tests of
scenarios (docs/bots.md).
"""
RISES_FROM = 0.2
"""A style that counts others' losses for more than this plays insurrections."""
ACTION = 2.0
"""What an action is worth in victory points: a tax exemption gives one for a half."""


def best(position: Position, seat: str, style: Style) -> Choice:
    """The move of the slot that promises most; the end of the slot where nothing does."""
    nation = position.nations[seat]
    for raw in trades(position, nation, risings=style.hurt > RISES_FROM) if style.trades else ():
        if legal(position, raw):
            return Choice(1.0, raw)
    for card in _cards_first(position, nation, style):
        return card
    choices = sorted(_choices(position, nation, style), key=lambda one: -one.worth)
    for choice in choices:
        if choice.worth > 0 and legal(position, choice.raw):
            return choice
    return Choice(0.0, {"by": seat, "move": "end-slot"})


def _points(position: Position, account: str, amount: int) -> float:
    """What a change of an account is worth in victory points at the end."""
    points = position.rules.points
    if account == "income":
        return amount / 100 * 0.5 * ACTION * left(position)
    return amount * points.get(account, 0)


def _value(position: Position, one: Structure) -> float:
    return _points(position, TRACK_ACCOUNT[one.track], one.gain) + one.points


def _choices(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    rules, seat = position.rules, nation.key
    have = nation.actions
    known = rules.structures[position.scenario.nations[seat].culture]
    for one in next_structures(position, nation):
        if one.cost <= have:
            raw: Raw = {"by": seat, "move": "build", "structure": one.name}
            yield Choice(_track(position, nation, one, list(known.values())), raw)
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


def _track(
    position: Position, nation: Nation, first: Structure, known: Sequence[Structure]
) -> float:
    """The best average worth of an action along a track: a cheap beginning may lead to a
    rich end.
    """
    rest = [one for one in known if one.track == first.track and one.name not in nation.structures]
    worth = cost = most = 0.0
    for one in rest:
        worth, cost = worth + _value(position, one), cost + max(one.cost, 0.5) / 2
        most = max(most, worth / cost)
    own = _value(position, first) / (max(first.cost, 0.5) / 2)
    # What lies far ahead may never be built.
    return max(own, 0.5 * own + 0.5 * most if left(position) else own)


def _attacks(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    if nation.stability <= SAFE - 1 or nation.opening_stability <= SAFE - 1:
        return
    external, owner, walls = position.scenario.external, position.owner, position.fortification
    promises: dict[tuple[str, str | None, int | None], tuple[float, list[str], bool]] = {}
    for kind, source, target in ways(position, nation.key):
        if target in external:
            continue
        # All that a promise depends on: many targets are alike.
        alike = kind, owner[target], walls.get(target)
        if alike not in promises:
            cost = attack_cost(position, kind, target)
            way = kind, source, target
            worth, cards, train = (
                (0.0, [], False)
                if cost > nation.actions
                else _promise(position, nation, way, style)
            )
            promises[alike] = style.attack * worth * 2 / max(cost, 0.5), cards, train
        worth, cards, train = promises[alike]
        if worth > 0:
            yield Choice(worth, _attack_move(nation.key, kind, source, target, cards, train))


def _attack_move(
    seat: str, kind: str, source: str, target: str, cards: Sequence[str], train: bool
) -> Raw:
    raw: Raw = {"by": seat, "move": "attack", "kind": kind, "from": source, "target": target}
    raw |= {"cards": list(cards)} if cards else {}
    raw |= {"siege_train": True} if train else {}
    return raw | ({"battle": ESCORT} if "ambush" in cards else {})


def _arrayed(position: Position, nation: Nation, kind: str, source: str, target: str) -> Attack:
    """The battle that this attack would be, with the cards that help and a siege train where one is
    of use.
    """
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


def _promise(
    position: Position, nation: Nation, way: tuple[str, str, str], style: Style
) -> tuple[float, list[str], bool]:
    """What an attack promises, the cards that go along, and whether a siege train does."""
    kind, _source, target = way
    rules, owner, own_army = position.rules, position.owner[target], kind in OWN_ARMY
    attack = _arrayed(position, nation, *way)
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
            + (points["conquest"] + _points(position, "income", rules.talents["conquest"]))
            * (1 - holds)
        )
        harm = level
    else:
        prize, harm = points["prestige"] + points["battle"], points["prestige"]
    if owner is not None:
        prize += style.hurt * (
            level + _points(position, "income", rules.talents["loss"]) * (1 - holds)
        )
    return win * prize - lose * harm, list(attack.cards_attacker), attack.siege_train


def _cards_first(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    """Yield cards that are better played than kept, before actions are spent."""
    for given in _cards_to_play(position, nation, style):
        raw: Raw = {"by": nation.key, "move": "play", **given}
        if legal(position, raw):
            yield Choice(1.0, raw)


def _cards_to_play(position: Position, nation: Nation, style: Style) -> Iterator[Raw]:
    hand, army = nation.hand, position.rules.army
    if "chancellor" in hand:
        yield {"card": "chancellor"}
    if "mercenaries" in hand and nation.army + army["mercenaries"] <= army["full"]:
        yield {"card": "mercenaries"}
    if "diplomat" in hand:
        for province in _provinces_of_nobody(position):
            yield {"card": "diplomat", "province": province}
    if "traitor" in hand:
        for province in _provinces_of_others(position, nation.key):
            yield {"card": "traitor", "province": province}
    if "spy" in hand:
        yield from _best_spies(position, nation.key)
    if "assassin" in hand and not position.options.hidden:
        yield from _best_assassins(position, nation.key)
    if "local-insurrection" in hand and style.hurt > RISES_FROM:
        for province in _provinces_of_others(position, nation.key):
            yield {"card": "local-insurrection", "province": province, "battle": "open"}


def _provinces_of_others(position: Position, seat: str) -> Iterator[str]:
    """Yield the provinces of the other nations, those of the leader first."""
    for victim in _leaders(position, seat):
        yield from position.provinces_of(victim)


def _best_spies(position: Position, seat: str) -> Iterator[Raw]:
    for victim in _leaders(position, seat):
        theirs = position.nations[victim].hand
        if not position.options.hidden:
            for card in WANTED:
                if card in theirs:
                    yield {"card": "spy", "target": victim, "steal": card}
        elif theirs:
            yield {"card": "spy", "target": victim}


def _best_assassins(position: Position, seat: str) -> Iterator[Raw]:
    for victim in _leaders(position, seat):
        for card in ("traitor", "diplomat", "chancellor", "spy"):
            if card in position.nations[victim].hand:
                yield {"card": "assassin", "target": victim, "destroy": card}


WANTED = (
    "traitor",
    "diplomat",
    "chancellor",
    "reinforcements",
    "ambush",
    "assassin",
    "mercenaries",
    "scouts",
    "local-insurrection",
)
"""What a spy takes, the best first."""


def _leaders(position: Position, seat: str) -> list[str]:
    """The other nations that stand, the one with most to show first."""
    standing = [one for one in position.nations.values() if one.key != seat and not one.fallen]
    return [one.key for one in sorted(standing, key=lambda one: (-score(one), one.key))]


def score(nation: Nation) -> float:
    """What a nation has come to so far, as all can read it."""
    return nation.victory_points + nation.stability + nation.prestige + nation.income / 100


def reply(position: Position, attack: Attack) -> Raw:
    """The answer to a challenge: an escort where one may be tried, else battle, with the cards that
    help.
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


# Whole campaigns ----------------------------------------------------------------------------------


def seat_to_move(position: Position) -> str | None:
    """Whose word is waited for: a challenged defender's before the slot's; None where it is the
    game master's.
    """
    for attack in position.running:
        if attack.status == "challenged":
            return attack.defender
    return None if position.running else position.slot


Luck = Callable[[Attack], Random]


def master(position: Position, rng: Random, luck: Luck | None = None) -> Raw | None:
    """The game master's next word: opens turns, reports battles by the model, with a chance of each
    its own where `luck` gives one; None where the campaign is over.
    """
    for attack in position.running:
        if attack.status == "fighting":
            return fought(attack, rng if luck is None else luck(attack))
    if position.phase == "setup":
        return {"by": "gm", "move": "start"}
    if position.phase == "closed":
        return {"by": "gm", "move": "open-turn"}
    return None


def cautious(position: Position, rng: Random) -> Raw | None:
    """Builds and defends; attacks where it is likely to win."""
    return _by_style(position, rng, CAUTIOUS)


def bold(position: Position, rng: Random) -> Raw | None:
    """Attacks first, even at poor odds, and builds with what is left."""
    return _by_style(position, rng, BOLD)


def _by_style(position: Position, rng: Random, style: Style) -> Raw | None:
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else _styled(position, seat, style)


def _styled(position: Position, seat: str, style: Style) -> Raw:
    """The answer to the challenge that waits for this seat, else the best move of its slot."""
    for attack in position.running:
        if attack.status == "challenged" and attack.defender == seat:
            return reply(position, attack)
    return best(position, seat, style).raw


def random_moves(position: Position, rng: Random) -> Raw | None:
    """Any sort of move that the rules allow, each as likely, then any of that sort."""
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else _any(position, seat, rng)


def _any(position: Position, seat: str, rng: Random) -> Raw:
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


# A program that plans -----------------------------------------------------------------------------


def chances(attack: Attack) -> tuple[float, float]:
    """The attacker's chances of victory and defeat."""
    edge, draw = (
        advantage(attack),
        float(table("battles")["module_draw" if is_module(attack) else "draw"]),
    )
    return NORMAL.cdf(edge - draw), NORMAL.cdf(-edge - draw)


def _odds(position: Position, attack: Attack) -> tuple[float, float]:
    """The chances with what the defender is seen to have: its cards, and the escort that it may try
    (7.8).
    """
    attack.defender = position.owner[attack.target]
    if attack.defender is None:
        return chances(attack)
    hand = position.nations[attack.defender].hand if not position.options.hidden else ()
    attack.points_defender += position.rules.army["reinforcements"] * ("reinforcements" in hand)
    attack.cards_defender = ("scouts",) * ("scouts" in hand)
    odds = chances(attack)
    if not escort_right(position, attack):
        return odds
    forced = max(0, ESCORT_DIE + 1 - position.rules.escort_from) / ESCORT_DIE
    escorted = attack.copy()
    escorted.battle, escorted.module_attacker = ESCORT, "defender"
    win, lose = (
        forced * theirs + (1 - forced) * usual
        for theirs, usual in zip(chances(escorted), odds, strict=True)
    )
    return win, lose


def _worth_attacking(position: Position, nation: Nation, outlook: Outlook) -> Iterator[Choice]:
    """Attacks by what every outcome brings, less what their actions would buy; in the last turn by
    the places that they win.
    """
    race = Race(position, nation.key, outlook.bundle().worth) if not left(position) else None
    owner, known = position.owner, dict[tuple[Any, ...], tuple[float, Attack]]()
    for kind, source, target in ways(position, nation.key):
        cost = attack_cost(position, kind, target)
        if cost > nation.actions or target in position.scenario.external:
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
                _manners(position, nation, (kind, source, target), price, outlook, race),
                key=lambda one: one[0],
            )
        worth, attack = known[alike]
        if worth > 0:
            raw = _attack_move(
                nation.key, kind, source, target, attack.cards_attacker, attack.siege_train
            )
            yield Choice(worth, raw | ({"battle": HEAD} if attack.battle == HEAD else {}))


def _manners(
    position: Position,
    nation: Nation,
    way: tuple[str, str, str],
    price: float,
    outlook: Outlook,
    race: Race | None,
) -> Iterator[tuple[float, Attack]]:
    """What the attack is worth as an open battle, and as one for the enemy's head."""
    for battle in ("open", HEAD):
        attack = _arrayed(position, nation, *way)
        if battle == HEAD and attack.module_attacker:
            return
        attack.battle = battle
        ends = outcomes(position, attack, *_odds(position, attack), outlook)
        yield promise(ends, price, attack.defender, race), attack


FAMED_FROM = 3
"""The turn from which covert attacks are kept away by prestige (2.7): earlier, trade and stability
are worth more.
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
"""What a spy takes, whoever holds it: first what brings points to a nation whose income is full."""
LEAST_RISING, AHEAD = 0.2, 0.1
"""What an insurrection must cost its victim; how much more it is worth for each point that the
victim has.
"""


def _deeds(position: Position, nation: Nation) -> Iterator[Raw]:
    """Spies and insurrections, the best first."""
    hand, hidden = nation.hand, position.options.hidden
    if "spy" in hand and not hidden:
        head: Raw = {"by": nation.key, "move": "play", "card": "spy"}
        for card in STOLEN:
            yield from (
                {**head, "target": key, "steal": card} for key in _leaders(position, nation.key)
            )
    if "local-insurrection" in hand:
        head = {"by": nation.key, "move": "play", "card": "local-insurrection", "battle": HEAD}
        costs = {
            key: _rising(position, position.nations[key]) for key in _leaders(position, nation.key)
        }
        for victim in sorted(
            costs, key=lambda key: -costs[key] - AHEAD * score(position.nations[key])
        ):
            if costs[victim] > LEAST_RISING:
                yield from (
                    {**head, "province": province} for province in position.provinces_of(victim)
                )


def _rising(position: Position, victim: Nation) -> float:
    """What an insurrection costs its victim, on the average: whoever has a strong army
    gains by it.
    """
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
    harm = level + _points(position, "income", rules.talents["loss"])
    return win * harm - lose * (level + points["battle"])


def _by_plan(position: Position, seat: str, rng: Random) -> Raw:
    """Return a card, or an attack that is better than the plan, or a move of the plan.

    What the plan leaves goes into walls, fleets and levels. A nation of low stability does not
    fight for a province: a defeat would cost more.
    """
    nation = position.nations[seat]
    for attack in position.running:
        if attack.status == "challenged" and attack.defender == seat:
            return _careful_reply(position, nation, attack)
    for raw in (*trades(position, nation, risings=True), *_deeds(position, nation)):
        if legal(position, raw):
            return raw
    for card in _cards_first(position, nation, CAUTIOUS):
        return card.raw
    outlook = Outlook(position, nation, legal(position, {"by": seat, "move": "tax-increase"}))
    first = _attack_or_fame(position, nation, outlook)
    if first is not None:
        return first
    bundle = outlook.bundle()
    if bundle.taxed:
        return {"by": seat, "move": "tax-increase"}
    for rows, stands, more in zip(outlook.plan.rows, outlook.stands, bundle.build, strict=True):
        raw = {"by": seat, "move": "build", "structure": rows[stands].name} if more else {}
        if raw and legal(position, raw):
            return raw
    rest = sorted(small(position, nation), key=lambda choice: -choice.worth)
    return next(
        (choice.raw for choice in rest if legal(position, choice.raw)),
        {"by": seat, "move": "end-slot"},
    )


def _careful_reply(position: Position, nation: Nation, attack: Attack) -> Raw:
    """Answer a challenge: a nation of low stability withdraws if it can."""
    withdraw: Raw = {
        "by": nation.key,
        "move": "respond",
        "attack": attack.id,
        "choice": "withdraw",
    }
    if nation.stability < SAFE and legal(position, withdraw):
        return withdraw
    return reply(position, attack)


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
    """Plans its actions to the end of the campaign, and attacks where every outcome weighed is
    better than the plan.
    """
    seat = seat_to_move(position)
    return master(position, rng) if seat is None else _by_plan(position, seat, rng)


# Why a program moves so ---------------------------------------------------------------------------


def reason(position: Position, raw: Mapping[str, Any]) -> Say | None:
    """Why a program makes this move, in words of what everybody sees; None where the move
    says it.
    """
    name, seat = raw["move"], str(raw["by"])
    if name == "attack":
        attack = _arrayed(position, position.nations[seat], raw["kind"], raw["from"], raw["target"])
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
        return _because("card-spy")  # it is worth having
    return _because(name) if name in REASONS else None


REASONS = (
    "build",
    "tax-increase",
    "barracks",
    "fleet",
    "provincial-levy",
    "siege-train",
    "end-slot",
)


def _because(key: str, **facts: Any) -> Say:
    return Say(f"why-{key}", "", facts)


def _because_of_answer(position: Position, raw: Mapping[str, Any]) -> Say:
    attack = position.attacks[raw["attack"] - 1]
    if raw["choice"] != "accept":
        return _because(raw["choice"], target=attack.target)
    shown = attack.copy()
    if "reinforcements" in raw.get("cards", ()):
        shown.points_defender += position.rules.army["reinforcements"]
    holds = 1 - chance_to_win(advantage(shown))
    return _because("accept", win=round(100 * holds), target=attack.target)


def _because_of_walls(position: Position, seat: str, province: str) -> Say:
    """The strongest neighbour, and whether it has a siege train."""
    near = {position.owner[other] for other in position.scenario.land[province]} - {None, seat}
    if not near:
        return _because("level")
    worst = max(
        (position.nations[str(key)] for key in near),
        key=lambda one: (one.siege_trains > 0, one.army, one.key),
    )
    return _because("walls-train" if worst.siege_trains else "walls", nation=worst.key)


MOST_MOVES = 50_000
"""A record may not be longer either."""


def campaign(
    seats: Mapping[str, Player],
    seed: str,
    scenario: Scenario | None = None,
    options: Options | None = None,
) -> Position:
    """A whole campaign from its seed, each seat played by its program, battles by the model."""
    scenario = scenario or load(USUAL)
    position, dice, rng = (
        Position(scenario, options or Options()),
        Dice(scenario.turns, seed=seed),
        Random(seed),  # noqa: S311
    )
    for _ in moves_of(position, seats, dice, rng):
        pass
    return position


def moves_of(
    position: Position,
    seats: Mapping[str, Player],
    dice: Dice,
    rng: Random,
    luck: Luck | None = None,
) -> Iterator[None]:
    """Play on from this position, which changes, to the end of the campaign: yields after each
    move.
    """
    for _ in range(MOST_MOVES):
        seat = seat_to_move(position)
        raw = master(position, rng, luck) if seat is None else seats[seat](position, rng)
        if raw is None:
            break
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()
        yield


UNKNOWN = ""
"""A card of a hand that the public does not see."""
MIX = ("steady", "cautious")
"""Each nation of a forecast is played by one of these, each as likely."""


def dealt(position: Position, rng: Random) -> None:
    """Deals a card for each that is unknown, as the table of cards gives them (4)."""
    rules = position.rules
    for nation in position.nations.values():
        if UNKNOWN in nation.hand:
            nation.hand = sorted(
                card or rules.card(rng.randint(1, rules.die)) for card in nation.hand
            )


@lru_cache(maxsize=4)
def _checked(text: str) -> Scenario:
    return check_scenario(json.loads(text, parse_float=Decimal))


class GrandPlayers:
    """The Grand Campaign's programs, and how one of their campaigns is told in numbers."""

    by_name: Mapping[str, Player] = {
        "cunning": cunning,
        "bold": bold,
        "cautious": cautious,
        "random": random_moves,
        "steady": lambda position, rng: _by_style(position, rng, STEADY),
    }
    labels: Mapping[str, str] = {
        "won": "one winner",
        "ex aequo": "shared victory",
        "points": "winner's points",
        "spread": "first to last",
        "battles": "battles",
        "fallen": "nations fallen",
        "shares": "shares of all victories, by nation and opening place",
        **{
            f"nation-{key}": key.capitalize()
            for scenario in shipped()
            for key in load(scenario).order
        },
        **{f"place-{place}": f"opening place {place}" for place in range(1, 13)},
    }

    by_seat: Mapping[str, Callable[[Position, str, Random], Raw]] = {
        "random": _any,
        "bold": lambda position, seat, rng: _styled(position, seat, BOLD),
        "cautious": lambda position, seat, rng: _styled(position, seat, CAUTIOUS),
        "cunning": _by_plan,
    }
    """The same among people, where battles are fought beside the slots: the move of this seat. Each
    of `levels` is here.
    """
    levels: Mapping[str, str] = {
        "random": "careless",
        "bold": "bold",
        "cautious": "cautious",
        "cunning": "cunning",
    }

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], Raw] | None:
        """Programs make the moves of their seats; the game master's turns open, and battles are
        fought by the model, unless they are the person's and fought by hand.
        """
        if position.standings is not None:
            return None
        seat = seat_to_move(position)
        if seat is not None:
            return (
                partial(self._speak, position, self.by_name[seats[seat]]) if seat in seats else None
            )
        for attack in position.running:
            if attack.status == "fighting":
                own = {attack.attacker, attack.defender, attack.leader} - {None, *seats}
                return None if by_hand and own else partial(fought, attack)
        return partial(self._speak, position, bold) if position.phase == "closed" else None

    def plays(self, position: Position, seats: Mapping[str, str]) -> Callable[[Random], Raw] | None:
        """The answer to a challenge of one of these seats, else its slot, whatever battles run."""
        asked = [str(one.defender) for one in position.running if one.status == "challenged"] + [
            position.slot or ""
        ]
        seat = (
            next((one for one in asked if one in seats), None)
            if position.standings is None
            else None
        )
        return None if seat is None else partial(self.by_seat[seats[seat]], position, seat)

    def reason(self, position: Position, raw: Mapping[str, Any]) -> Say | None:
        return reason(position, raw) if raw["by"] in position.nations else None

    def suggests(self, position: Position, seat: str, level: str, rng: Random) -> Raw:
        """The answer to the challenge that waits, for its province; where none waits, to any land
        attack.
        """
        waits = [
            one for one in position.running if one.status == "challenged" and one.defender == seat
        ]
        order: Raw = {
            "kind": "answer",
            "provinces": [waits[0].target] if waits else [],
            "choice": "accept",
            "cards": [],
        }
        if not waits:
            hand = position.nations[seat].hand
            return {
                **order,
                "cards": [card for card in ("reinforcements", "scouts") if card in hand],
            }
        raw = self.by_seat[level](position, seat, rng)
        return {**order, "choice": raw["choice"], "cards": list(raw.get("cards", ()))}

    def _speak(self, position: Position, player: Player, rng: Random) -> Raw:
        raw = player(position, rng)
        assert raw is not None
        return dict(raw)

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """One program among five of another, in each nation as often; the dice say who opens."""
        order = load(USUAL).order
        first, ranks = 0, 0
        for n in range(campaigns):
            seat = order[n % len(order)]
            by_seat = {key: self.by_name[hero if key == seat else others] for key in order}
            position = campaign(by_seat, f"{seed}/{n}")
            rank = next(line["rank"] for line in position.standings or [] if line["nation"] == seat)
            first, ranks = first + (rank == 1), ranks + rank
        return Rank(campaigns, first / campaigns, ranks / campaigns)

    def fights(self, points: int, against: int, times: int, seed: str) -> list[tuple[int, int]]:
        """How so many open battles end by the model: what the attacker and the defender have
        routed, in percent.
        """
        attack, rng = Attack(0, "land", 1, "", None, ""), Random(seed)  # noqa: S311
        attack.battle, attack.points_attacker, attack.points_defender = "open", points, against
        return [
            (one["attacker"], one["defender"])
            for one in (fought(attack, rng)["routed"] for _ in range(times))
        ]

    def contest_fought(self, known: Mapping[str, Any], result: Mapping[str, Any]) -> Fought | None:
        return contest_fought(known, result)

    def balance(self, scenario: Mapping[str, Any], player: str, seed: str) -> list[Any] | None:
        """One campaign of a scenario, all seats by one program: the number of its battles, then for
        each nation in the order of their keys points, rank, provinces at the end, whether it fell,
        its opening place. None where it did not end.
        """
        known = _checked(canonical(scenario))
        position = campaign(dict.fromkeys(known.order, self.by_name[player]), seed, known)
        if position.standings is None:
            return None
        lines = {line["nation"]: line for line in position.standings}
        owners = list(position.owner.values())
        rows = []
        for n, key in enumerate(known.order):
            place = (n - position.opener + 1) % len(known.order) + 1
            line, fell = lines[key], int(position.nations[key].fallen)
            rows.append([line["victory_points"], line["rank"], owners.count(key), fell, place])
        return [len(position.attacks), rows]

    def forecasts(self, options: Options) -> bool:
        return not options.hidden

    def closes(self, effects: Sequence[Effect]) -> bool:
        return any(
            effect.kind == "turn" and effect.subject in ("closed", "finished") for effect in effects
        )

    def decides(self, effects: Sequence[Effect]) -> bool:
        return any(
            effect.kind == "attack" and effect.facts.get("outcome", "lapsed") != "lapsed"
            for effect in effects
        )

    def public(self, position: Position) -> Position:
        """Hidden hands are as many unknown cards (4.2); what a Bodyguard is ordered is not known
        either (4.10).
        """
        shown = position.copy()
        if position.options.hidden:
            for nation in shown.nations.values():
                nation.hand, nation.keep = [UNKNOWN] * len(nation.hand), False
        return shown

    def play_on(self, public: Position, seed: str) -> list[list[int]] | None:
        position, rng = public.copy(), Random(seed)  # noqa: S311
        seats = self._mixed(position, rng)
        dealt(position, rng)

        def luck(attack: Attack) -> Random:
            """Dice are thrown by purpose, and so is this: two positions that differ little are
            played on alike, so that fewer campaigns show what the difference is worth.
            """
            return Random(f"{seed}/{attack.turn}/{attack.attacker}/{attack.target}")  # noqa: S311

        for _ in moves_of(position, seats, Dice(position.scenario.turns, seed=seed), rng, luck):
            pass
        if position.standings is None:
            return None
        lines = {line["nation"]: line for line in position.standings}
        return [[lines[key]["victory_points"], lines[key]["rank"]] for key in sorted(lines)]

    def course(self, seed: str) -> list[Position]:
        scenario = load(USUAL)
        position, rng, after = Position(scenario, Options()), Random(seed), []  # noqa: S311
        for _ in moves_of(
            position, self._mixed(position, rng), Dice(scenario.turns, seed=seed), rng
        ):
            if self.closes(position.effects):
                after.append(position.copy())
        return after

    def _mixed(self, position: Position, rng: Random) -> dict[str, Player]:
        return {key: self.by_name[rng.choice(MIX)] for key in position.scenario.order}

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        lines = position.standings or []
        winners = [line["nation"] for line in lines if line["rank"] == 1]
        points = [line["victory_points"] for line in lines]
        order = position.scenario.order
        shares: dict[str, int] = {}
        for key in order:
            place = (order.index(key) - position.opener + 1) % len(order) + 1
            shares[f"nation-{key}"] = shares[f"place-{place}"] = int(key in winners)
        numbers = {
            "points": max(points, default=0),
            "spread": max(points, default=0) - min(points, default=0),
            "battles": len(position.attacks),
            "fallen": sum(nation.fallen for nation in position.nations.values()),
        }
        return End("won" if len(winners) == 1 else "ex aequo", "", numbers, shares)
