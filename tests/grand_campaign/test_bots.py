"""Programs that play the Grand Campaign, and battles that are simulated.

The programs are legal, deterministic for a seed, and stronger than chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games.grand_campaign.bots.battle_model import contest_fought, simulate_battle
from games.grand_campaign.bots.cunning import cunning
from games.grand_campaign.bots.moves import legal, moves, seat_to_move
from games.grand_campaign.bots.planning import Outlook, Plan
from games.grand_campaign.bots.players import MIX, GrandPlayers, campaign
from games.grand_campaign.bots.reasons import reason
from games.grand_campaign.bots.stakes import visible_odds
from games.grand_campaign.bots.styles import random_moves
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.numbers import read_rules
from games.grand_campaign.rules.position import Attack, Options, Position
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.rules.view import nation_offers
from games.grand_campaign.title import GrandCampaign
from games.registry import TITLES

ORDER = load("420ad").order


def played_by(name: str) -> Mapping[str, Any]:
    return dict.fromkeys(ORDER, GrandPlayers.by_name[name])


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("name", ["bold", "cautious", "cunning", "random"])
def test_a_campaign_goes_to_its_end_and_the_same_seed_is_the_same_campaign(
    name: str, hidden: bool
) -> None:
    """An illegal move would raise."""
    first, again = (campaign(played_by(name), "one", options=Options(hidden)) for _ in range(2))
    assert first.phase == "finished"
    assert first.standings == again.standings
    assert campaign(played_by(name), "two", options=Options(hidden)).standings != first.standings


def test_one_bold_nation_among_five_that_play_at_random_comes_first() -> None:
    rank = TITLES["grand_campaign"].players.tournament("bold", "random", 24, "test")  # type: ignore[attr-defined]
    assert (rank.campaigns, rank.first >= 0.9, rank.mean <= 1.2) == (24, True, True)


def test_bold_attacks_before_it_builds_and_steady_which_plays_forecasts_does_not() -> None:
    """At the start all armies are equal.

    Trade promises more than an even battle.
    """
    position, dice = Position(load("420ad"), Options()), Dice(6, seed="cards")
    perform(position, decode({"by": "gm", "move": "start"}, position), dice)
    seat = str(position.slot)
    position.nations[seat].hand = []
    moves = [
        GrandPlayers.by_name[name](position, Random("any"))
        for name in ("bold", "steady", "cautious")
    ]
    assert [raw and (raw["move"], raw.get("kind", raw.get("structure"))) for raw in moves] == [
        ("attack", "land"),
        ("build", "bridges"),
        ("build", "bridges"),
    ]
    assert MIX == ("steady", "cautious")
    assert "steady" not in GrandPlayers.levels


def test_a_program_trades_its_least_valuable_card() -> None:
    """A Traitor is worth more than a Bodyguard, Scouts less than a Chancellor.

    A program that plays no insurrections wants no card for them.
    """
    position, dice = Position(load("420ad"), Options()), Dice(6, seed="cards")
    perform(position, decode({"by": "gm", "move": "start"}, position), dice)
    seat = str(position.slot)
    other = next(key for key in position.nations if key != seat)
    ours, theirs = position.nations[seat], position.nations[other]

    def taken(hand: list[str], table: list[str], name: str = "cautious") -> tuple[str, str] | None:
        ours.hand, theirs.hand, theirs.table = hand, [], table
        raw = GrandPlayers.by_name[name](position, Random("any"))
        assert raw is not None
        return (raw["card"], raw["give"]) if raw["move"] == "take" else None

    every = ["scouts", "traitor"]
    assert [
        taken(["naval-technology", "bodyguard"], every, name)
        for name in ("cautious", "bold", "cunning")
    ] == [("traitor", "bodyguard")] * 3
    assert taken(["bodyguard"], every, "steady") is None
    assert taken(["chancellor"], ["scouts"]) is None
    assert taken([], every) is None
    assert taken(["bodyguard"], ["local-insurrection"]) is None
    assert taken(["bodyguard"], ["local-insurrection"], "cunning") == (
        "local-insurrection",
        "bodyguard",
    )
    raw = GrandPlayers.by_name["cunning"](position, Random("any"))
    assert raw is not None
    why = reason(position, raw)
    assert why is not None
    assert GrandCampaign().speak(position.scenario, why) == "the card is worth stealing"
    perform(position, decode(raw, position), dice)
    assert (ours.hand, theirs.hand, theirs.table) == (["local-insurrection"], ["bodyguard"], [])


def test_a_program_considers_exactly_the_offered_moves() -> None:
    """Both have the same sorts of moves, attacks and places in random campaigns."""
    slots = 0
    for seed in ("a", "b"):
        position, dice, rng = Position(load("420ad"), Options()), Dice(6, seed=seed), Random(seed)
        while (raw := random_moves(position, rng)) is not None:
            seat = seat_to_move(position)
            if seat is not None and seat == position.slot and rng.random() < 0.2:
                slots += 1
                assert sorts(moves(position, seat)) == offered(position, seat)
            perform(position, decode(raw, position), dice)
            dice.thrown.clear()
    assert slots > 30


def sorts(raws: Any) -> set[tuple[str, ...]]:
    return {
        (
            raw["move"],
            *(str(raw.get(key, "")) for key in ("kind", "from", "target", "structure", "province")),
        )
        for raw in raws
        if raw["move"] not in ("play", "keep")
    }


def offered(position: Position, seat: str) -> set[tuple[str, ...]]:
    moves: set[tuple[str, ...]] = set()
    for offer in nation_offers(position, seat, seat):
        if offer.refusal is not None or offer.move in ("play", "keep", "offer", "take", "respond"):
            continue
        given = {key: str(value) for key, value in offer.given.items()}
        if offer.move == "attack":
            for source in offer.values("from", {}) or ():
                for target in offer.values("target", {"from": source}) or ():
                    moves.add(("attack", given["kind"], source, target, "", ""))
        elif any(field.key == "province" for field in offer.fields):
            for province in offer.values("province", {}) or ():
                moves.add((offer.move, "", "", "", "", province))
        else:
            moves.add(
                (offer.move, "", "", "", given.get("structure", ""), given.get("province", ""))
            )
    return moves


# Simulated battles


def battle(attacker: int, defender: int, **more: Any) -> Attack:
    attack = Attack(1, "land", 1, "huns", "pannonia", "dalmatia")
    attack.points_attacker, attack.points_defender = attacker, defender
    for key, value in more.items():
        setattr(attack, key, value)
    return attack


def shares_of(attack: Attack, n: int = 2000) -> dict[str, float]:
    rng, won = Random("model"), {"attacker": 0, "defender": 0, "draw": 0}
    for _ in range(n):
        raw = simulate_battle(attack, rng)
        routed = raw.get("routed")
        if routed is None:
            won[raw["winner"]] += 1
        else:
            a, d = routed["attacker"], routed["defender"]
            won[
                "attacker" if d >= 45 and a < 45 else "defender" if a >= 45 and d < 45 else "draw"
            ] += 1
    return {key: count / n for key, count in won.items()}


def test_equal_armies_win_as_often_and_more_points_win_more_often() -> None:
    even = shares_of(battle(1600, 1600))
    assert 0.14 < even["draw"] < 0.21
    assert abs(even["attacker"] - even["defender"]) < 0.04
    assert 0.70 < shares_of(battle(1720, 1480))["attacker"] < 0.80
    assert (
        shares_of(battle(1600, 1600, battle="escort-baggage-train", module_attacker="defender"))[
            "defender"
        ]
        > 0.6
    )


def test_shares_are_percentages_that_the_rules_take() -> None:
    rng = Random("shares")
    for _ in range(2000):
        routed = simulate_battle(battle(1600, 1650), rng)["routed"]
        assert all(type(value) is int and 0 <= value <= 72 for value in routed.values())
        assert min(routed.values()) < 45


def known(attack: Attack, outcome: str, **more: Any) -> dict[str, Any]:
    return {**attack.encode(), "status": "resolved", "outcome": outcome, **more}


def report(**result: Any) -> dict[str, Any]:
    return {"by": "gm", "move": "report", "attack": 1, **result}


def test_ratings_count_the_edge_of_a_battle() -> None:
    """The edge comes from the model.

    A lead of one standard deviation is a difference of 26 points in the routed shares.
    """
    even, strong = battle(1600, 1600), battle(1720, 1600)

    def simulate_battle(
        attack: Attack, outcome: str, **result: Any
    ) -> tuple[str, float, float, Any] | None:
        one = contest_fought(known(attack, outcome), report(**result))
        return one and (one.winner, round(one.edge, 3), round(one.lead, 3), one.lost)

    shares = {"attacker": 25, "defender": 45}
    assert simulate_battle(even, "attacker", routed=shares) == ("attacker", 0, 0.538, (25, 45))
    assert simulate_battle(even, "defender", routed={"attacker": 45, "defender": 40}) == (
        "defender",
        0,
        0.22,
        (45, 40),
    )
    assert simulate_battle(strong, "attacker", routed={"attacker": 5, "defender": 70}) == (
        "attacker",
        0.434,
        1,
        (5, 70),
    )
    assert simulate_battle(even, "draw", routed={"attacker": 12, "defender": 39}) == (
        "draw",
        0,
        0.22,
        (12, 39),
    )
    assert simulate_battle(even, "attacker", winner="attacker") == ("attacker", 0, 0.22, None)
    module = battle(1600, 1600, battle="escort-baggage-train", module_attacker="defender")
    assert simulate_battle(module, "defender", winner="defender") == ("defender", -0.5, 0.22, None)
    assert (
        simulate_battle(module, "defender", routed={"attacker": 50, "defender": 10})[0]
        == "defender"
    )
    head = battle(1600, 1600, battle="remove-the-head")
    assert simulate_battle(head, "defender", winner="defender") == ("defender", 0, 0.08, None)


def test_simulated_battles_are_not_rated() -> None:
    even = battle(1600, 1600)
    forfeit = {"by": "gm", "move": "forfeit", "attack": 1, "side": "defender"}
    assert contest_fought(known(even, "attacker"), forfeit) is None
    assert contest_fought(known(even, "draw"), report(called_off=True)) is None
    assert contest_fought(known(even, "attacker", naval=True), report(naval="attacker")) is None
    answer = {"by": "romans", "move": "respond", "attack": 1, "choice": "withdraw"}
    assert contest_fought(known(even, "withdrawn"), answer) is None


# The planning program: cards, and its name


def test_an_insurrection_of_the_planner_spares_strong_armies_and_a_spy_takes_a_chancellor_first() -> (  # noqa: E501
    None
):
    position, dice = Position(load("420ad"), Options()), Dice(6, seed="cards")
    perform(position, decode({"by": "gm", "move": "start"}, position), dice)
    seat = str(position.slot)
    others = [key for key in position.scenario.order if key != seat]
    for key in others:
        position.nations[key].hand, position.nations[key].army = [], 1720
    position.nations[others[2]].army = position.nations[others[1]].army = 1480
    position.nations[others[0]].victory_points = position.nations[others[2]].victory_points = 9
    position.nations[seat].hand = ["local-insurrection"]
    raw = cunning(position, Random("any"))
    assert raw is not None
    assert (raw["card"], position.owner[raw["province"]]) == ("local-insurrection", others[2])
    position.nations[others[2]].army = 1720
    raw = cunning(position, Random("any"))
    assert raw is not None
    assert raw["move"] != "play"
    position.nations[seat].hand = ["spy"]
    position.nations[others[0]].hand, position.nations[others[3]].hand = ["traitor"], ["chancellor"]
    assert cunning(position, Random("any")) == {
        "by": seat,
        "move": "play",
        "card": "spy",
        "target": others[3],
        "steal": "chancellor",
    }


def test_the_plan_knows_how_likely_each_random_event_is() -> None:
    """Without events everything that half actions buy may wait.

    A famine or a plague would leave too few of them (5).
    """
    eventful, calm = (
        Plan(rules, "barbarian", 6) for rules in (read_rules({}), read_rules({"event_turns": []}))
    )
    builds = [plan.slot(3, 750, (3, 0, 0), 8, False).build for plan in (eventful, calm)]
    assert builds == [(0, 0, 2), (0, 0, 0)]
    # Everything is built: a tenth of the four half actions that the last building would cost again,
    # and of the one that a plague takes.
    assert calm.opening(6, 750, (3, 4, 5)) - eventful.opening(6, 750, (3, 4, 5)) == pytest.approx(
        0.5
    )


def last_slot(above: int) -> tuple[Position, str]:
    """Return the last slot of the campaign.

    A weakened neighbour ends so many points above the planner, the others far below.
    """
    position, dice = Position(load("420ad"), Options()), Dice(6, seed="cards")
    perform(position, decode({"by": "gm", "move": "start"}, position), dice)
    seat = str(position.slot)
    position.turn, position.order, position.place = (
        6,
        [key for key in position.order if key != seat] + [seat],
        5,
    )
    one = next(
        key for key in position.scenario.order if key != seat and position.borders_nation(seat, key)
    )
    for nation in position.nations.values():
        nation.hand, nation.victory_points, nation.stability, nation.opening_stability = [], 0, 9, 9
    outlook = Outlook(position, position.nations[seat], True)
    position.nations[one].army = 1480
    position.nations[seat].victory_points = 20
    position.nations[one].victory_points = 20 + round(outlook.bundle().worth) + above
    return position, one


def test_in_the_last_turn_the_planner_attacks_for_rank_not_for_points() -> None:
    position, one = last_slot(above=2)
    raw = cunning(position, Random("any"))
    assert raw is not None
    assert (raw["move"], position.owner[raw["target"]], raw["battle"]) == (
        "attack",
        one,
        "remove-the-head",
    )
    assert legal(position, raw)
    why = reason(position, raw)
    assert why is not None
    assert (why.id, why.facts) == ("why-attack-decides", {"win": 57, "target": raw["target"]})
    for above in (-20, 40):
        position, _one = last_slot(above=above)
        raw = cunning(position, Random("any"))
        assert raw is not None
        assert raw["move"] != "attack"


def test_the_value_of_an_attack_includes_cards_and_escort_of_the_defender() -> None:
    """The Huns may try an escort (7.8), the Romans may not; hidden cards are not counted."""
    for hidden in (False, True):
        position = Position(load("420ad"), Options(hidden))
        odds = {}
        for target, hand in (
            ("huns", ()),
            ("romans", ()),
            ("romans", ("reinforcements", "scouts")),
        ):
            position.nations[target].hand = list(hand)
            attack = Attack(0, "land", 1, "kushans", None, position.provinces_of(target)[0])
            attack.points_attacker = attack.points_defender = 1600
            odds[target, bool(hand)] = visible_odds(position, attack)[0]
        assert odds["huns", False] < odds["romans", False]
        assert (odds["romans", True] < odds["romans", False]) is not hidden
