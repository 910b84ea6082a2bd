"""Programs attack from a chance that fits the stakes, defend where it pays, and harm the leaders.

The Romans have the slot. They border the Huns, who may try an escort (7.8), and independent
provinces, whose armies have 1600 points.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games.grand_campaign.bots.moves import legal, master, seat_to_move
from games.grand_campaign.bots.planning import Outlook
from games.grand_campaign.bots.players import GrandPlayers
from games.grand_campaign.bots.reasons import reason
from games.grand_campaign.bots.stakes import floor_of_attack, stakes_of_attack, visible_odds
from games.grand_campaign.bots.weighing import FLOORS, attack_of_move
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.position import COVERT, Attack, Options, Position
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.title import GrandCampaign

LEVELS = ("bold", "cunning", "cautious")


def slot(turn: int) -> Position:
    """Return the slot of the Romans in this turn: no cards, high levels, armies of 1600 points."""
    position, dice = Position(load("420ad"), Options()), Dice(6, seed="cards")
    perform(position, decode({"by": "gm", "move": "start"}, position), dice)
    assert position.slot == "romans"
    position.turn = turn
    position.order = [key for key in position.order if key != "romans"] + ["romans"]
    position.place = 5
    for nation in position.nations.values():
        nation.hand, nation.victory_points, nation.stability, nation.opening_stability = [], 0, 9, 9
    return position


def chosen(position: Position, name: str) -> dict[str, Any]:
    raw = GrandPlayers.by_name[name](position, Random("any"))
    assert raw is not None
    assert legal(position, dict(raw))
    return dict(raw)


def why(position: Position, raw: dict[str, Any]) -> tuple[str, str]:
    """Return the key and the sentence of the reason."""
    phrase = reason(position, raw)
    assert phrase is not None
    return phrase.id, GrandCampaign().speak(position.scenario, phrase)


def is_independent(position: Position, raw: dict[str, Any]) -> bool:
    return raw["move"] == "attack" and position.owner[raw["target"]] is None


@pytest.mark.parametrize("name", LEVELS)
def test_an_attack_at_41_per_cent_for_a_small_gain_is_not_made(name: str) -> None:
    """With 1561 points against 1600 the Romans win 41 of 100 battles for an enemy's head."""
    position = slot(turn=4)
    position.nations["romans"].army = 1561
    way = {"kind": "land", "from": "dalmatia", "target": "noricum", "battle": "remove-the-head"}
    attack = attack_of_move(position, {"by": "romans", "move": "attack", **way})
    assert round(visible_odds(position, attack)[0], 2) == 0.41
    assert chosen(position, name)["move"] != "attack"


def test_bold_fights_even_battles_that_the_others_avoid() -> None:
    """47 of 100 even battles are won, and in turn 2 a province is worth the risk from 44 on."""
    position = slot(turn=2)
    raw = chosen(position, "bold")
    assert raw["move"] == "attack"
    assert why(position, raw) == (
        "why-attack",
        "the chance of winning Burgundia is 47%, and 44% is enough for what is at stake",
    )
    moves = [chosen(position, name)["move"] for name in ("cunning", "cautious")]
    assert moves == ["tax-increase", "build"]


def close_race(above: int) -> Position:
    """Return the last slot: the Huns, with 1560 points, are so many points above the Romans."""
    position = slot(turn=6)
    outlook = Outlook(position, position.nations["romans"], True)
    position.nations["huns"].army = 1560
    position.nations["romans"].victory_points = 20
    position.nations["huns"].victory_points = 20 + round(outlook.bundle().worth) + above
    return position


@pytest.mark.parametrize("name", LEVELS)
def test_an_attack_at_45_per_cent_that_wins_the_campaign_is_made_in_the_last_turn(
    name: str,
) -> None:
    position = close_race(above=2)
    raw = chosen(position, name)
    assert (raw["move"], position.owner[raw["target"]]) == ("attack", "huns")
    key, sentence = why(position, raw)
    assert key == "why-attack-decides"
    assert sentence.endswith("can win the campaign in the last turn; the chance of winning is 45%")


@pytest.mark.parametrize("name", ["cunning", "cautious"])
def test_the_same_attack_is_not_made_if_the_campaign_is_lost_or_won_already(name: str) -> None:
    for above in (-20, 40):
        assert chosen(close_race(above), name)["move"] != "attack"


# Covert attacks and hostile cards


def covert_slot(first: str, weak: str) -> Position:
    """Return a slot without an attack by the Romans' own army; these two nations are weak.

    The first of them leads the campaign, the other is the last.
    """
    position = slot(turn=3)
    position.nations["romans"].own_attack = 1
    for key in (first, weak):
        position.nations[key].army = 1480
    for key, nation in position.nations.items():
        nation.victory_points = {first: 12, weak: 0}.get(key, 6)
    return position


@pytest.mark.parametrize(("first", "weak"), [("vandals", "kushans"), ("kushans", "vandals")])
def test_a_covert_attack_is_aimed_at_the_leader(first: str, weak: str) -> None:
    position = covert_slot(first, weak)
    raw = chosen(position, "bold")
    assert (raw["move"], raw["kind"]) == ("attack", COVERT)
    assert position.owner[raw["target"]] == first
    assert why(position, raw) == (
        "why-attack-covert",
        (
            f"the {first.capitalize()} are among the leaders and would lose ground; the chance of"
            " winning is 65%"
        ),
    )


def test_no_covert_attack_is_aimed_at_the_last() -> None:
    """The leaders are strong, so that the weak last nation would be the easiest victim."""
    position = covert_slot("vandals", "kushans")
    position.nations["vandals"].army = 1720
    for name in LEVELS:
        raw = chosen(position, name)
        assert raw["move"] != "attack", name


def test_an_insurrection_is_stirred_up_against_a_leader() -> None:
    position = covert_slot("vandals", "kushans")
    position.nations["romans"].hand = ["local-insurrection"]
    raw = chosen(position, "cunning")
    assert (raw["card"], position.owner[raw["province"]]) == ("local-insurrection", "vandals")
    assert why(position, raw) == (
        "why-card-insurrection-leader",
        "the Vandals are among the leaders and have to fight at home",
    )


# Answers to challenges


def challenged(turn: int, own: int, theirs: int) -> Position:
    """Return a position in which the Huns attack Macedonia, which has no walls."""
    position = slot(turn)
    position.nations["romans"].army = own
    attack = Attack(1, "land", turn, "huns", "hunnia", "macedonia")
    attack.points_attacker, attack.points_defender = theirs, own
    attack.battle, attack.defender, attack.status = "open", "romans", "challenged"
    position.attacks.append(attack)
    position.running.append(attack)
    return position


@pytest.mark.parametrize("name", LEVELS)
def test_a_hopeless_defence_is_not_made(name: str) -> None:
    """With 1480 points against 1720 the Romans lose 75 of 100 battles."""
    position = challenged(turn=5, own=1480, theirs=1720)
    raw = chosen(position, name)
    assert raw["choice"] == "withdraw"
    assert why(position, raw) == (
        "why-withdraw-weak",
        (
            "the chance of holding Macedonia is only 25%, and a defeat would cost more than the"
            " province"
        ),
    )


@pytest.mark.parametrize("name", LEVELS)
def test_an_even_defence_is_made(name: str) -> None:
    position = challenged(turn=3, own=1600, theirs=1600)
    raw = chosen(position, name)
    assert raw["choice"] == "accept"
    assert why(position, raw) == (
        "why-accept-worth",
        "the chance of holding Macedonia is 59%, and giving it up would cost more",
    )


def test_the_last_province_is_defended_at_any_odds() -> None:
    position = challenged(turn=3, own=1480, theirs=1720)
    for province in position.provinces_of("romans"):
        if province != "macedonia":
            position.owner[province] = None
    assert chosen(position, "cautious")["choice"] == "accept"


def test_stakes_by_hand() -> None:
    """A province without walls in turn 4 of 6: two turns of income are left.

    A victory brings a level of stability and of prestige, a point, two for the conquest, a point of
    income (50 talents), and 0.6 for the stronger army. A defeat costs two levels and 0.6. The
    attack costs an action, which is worth two points.
    """
    position = slot(turn=4)
    attack = Attack(0, "land", 4, "romans", "dalmatia", "noricum")
    stakes = stakes_of_attack(position, attack)
    assert (stakes.won, stakes.lost, stakes.price) == pytest.approx((6.6, 2.6, 2.0))
    assert stakes.least(draw=0.0) == pytest.approx(4.6 / 9.2)
    position.nations["romans"].stability = 4
    assert stakes_of_attack(position, attack).lost == pytest.approx(3.6)  # prestige falls more: 2.1


# Many campaigns


def announced(seed: str, seats: dict[str, str]) -> Counter[str]:
    """Play a campaign and check the chance of each attack; return the attacks of each level."""
    position, rng = Position(load("420ad"), Options()), Random(seed)
    dice, count = Dice(6, seed=seed), Counter[str]()
    while True:
        seat = seat_to_move(position)
        level = seats.get(seat or "")
        raw = GrandPlayers.by_name[level](position, rng) if level else master(position, rng)
        if raw is None:
            return count
        if raw["move"] == "attack" and level in FLOORS:
            attack = attack_of_move(position, raw)
            win = visible_odds(position, attack)[0]
            assert win >= floor_of_attack(position, attack, FLOORS[level]), (seed, raw)
            assert win >= FLOORS[level].desperate, (seed, raw)
            count[level] += 1
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()


@pytest.mark.parametrize(
    "campaigns", [3, pytest.param(150, marks=pytest.mark.nightly)], ids=["few", "many"]
)
def test_no_program_announces_an_attack_below_its_floor(campaigns: int) -> None:
    order, count = load("420ad").order, Counter[str]()
    for n in range(campaigns):
        rng = Random(n)
        count += announced(f"floor/{n}", {key: rng.choice(LEVELS) for key in order})
    assert count["bold"] > campaigns
