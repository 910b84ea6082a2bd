"""Offers: possible moves with their values, impossible moves with the rule that forbids them."""

from __future__ import annotations

import pytest

from engine.dice import Dice
from engine.play import play
from games.registry import TITLES
from tests.grand_campaign.table import fleet, gm, land, move
from tests.grand_campaign.test_preview import position_after

TITLE = TITLES["grand_campaign"]


def offers(position, seat, by=None):
    return {offer.key: offer for offer in TITLE.offers(position, seat, by)}


def refusal_of(offer):
    return (offer.refusal.code, offer.refusal.rule) if offer.refusal else None


def test_an_open_slot_offers_what_its_actions_pay():
    result = offers(position_after(), "amber")
    assert {
        key: refusal_of(offer)
        for key, offer in result.items()
        if offer.group in ("fiscal", "construction")
    } == {
        "tax-exemption": None,
        "tax-increase": None,
        "build-architecture": None,
        "build-religious": None,
        "build-commercial": None,
    }
    assert result["build-architecture"].given == {"structure": "gymnasia"}
    assert result["build-architecture"].cost == 1, "half an action"
    assert refusal_of(result["provincial-levy"]) == ("no-barracks", "3.11")
    assert refusal_of(result["end-slot"]) is None


def test_land_attack_lists_each_way():
    attack = offers(position_after(), "amber")["attack-land"]
    assert attack.values("from") == ["a2"]
    assert sorted(attack.values("target", {"from": "a2"})) == ["b2", "i1"]
    assert attack.values("target", {"from": "a1"}) == []
    assert attack.values("siege_train", {"from": "a2", "target": "b2"}) == (False,)
    assert attack.values("cards", {"from": "a2", "target": "b2"}) == [[], ["scouts"]]
    assert attack.cost == 2


def test_amphibious_without_a_fleet_names_7_1_and_a_new_one_3_12():
    assert refusal_of(offers(position_after(), "amber")["attack-amphibious"]) == (
        "no-fleet",
        "7.1",
    )
    assert refusal_of(
        offers(position_after(fleet("amber", "a3")), "amber")["attack-amphibious"]
    ) == (
        "fleet-too-new",
        "3.12",
    )


def test_covert_attacks_are_grouped_by_nation():
    result = offers(position_after(), "amber")
    assert refusal_of(result["attack-independent-birch"]) == ("borders-opponent", "7.1")
    cedar = result["attack-independent-cedar"]
    assert cedar.refusal is None
    assert cedar.values("from") == ["i2", "i3"]
    assert cedar.values("target", {"from": "i2"}) == ["c2"]
    assert cedar.cost == 1


def test_a_prestigious_nation_costs_a_whole_action():
    result = offers(
        position_after(gm("adjust", nation="cedar", account="prestige", change=5, reason="test")),
        "amber",
    )
    assert result["attack-independent-cedar"].cost == 2


def test_outside_its_slot_a_nation_sees_why_it_cannot_move():
    result = offers(position_after(), "birch")
    refusals = {refusal_of(offer) for key, offer in result.items() if key != "keep"}
    assert refusals == {("not-your-slot", "1.3")}


def test_a_challenge_offers_three_answers():
    position = position_after(land("amber", "a2", "b2"))
    result = offers(position, "birch")
    assert refusal_of(result["respond-1-accept"]) is None
    assert result["respond-1-accept"].values("cards", {}) == [[], ["scouts"]]
    assert refusal_of(result["respond-1-withdraw"]) is None
    assert refusal_of(result["respond-1-escort"]) is None
    position = position_after(move("amber", "end-slot"), land("birch", "b2", "a2"))
    assert refusal_of(offers(position, "amber")["respond-1-escort"]) == (
        "no-escort-right",
        "7.8",
    )


def test_after_an_attack_the_limit_is_named():
    assert refusal_of(
        offers(position_after(land("amber", "a2", "b2")), "amber")["attack-land"]
    ) == (
        "starting-point-used",
        "7.3",
    )
    position = position_after(
        gm("set-owner", province="i2", owner="amber", reason="test"), land("amber", "a2", "b2")
    )
    assert refusal_of(offers(position, "amber")["attack-land"]) == ("attack-limit", "7.2")


@pytest.mark.parametrize(
    ("roll", "key", "refusal"),
    [
        (1, "play-local-insurrection", None),
        (11, "play-spy", None),
        (21, "play-chancellor", None),
        (31, "play-diplomat-truce", None),
        (31, "play-diplomat-province", None),
        (41, "play-traitor", None),
        (46, "play-assassin", ("no-such-card", "4.10")),
        (76, "play-mercenaries", ("army-not-depleted", "4.14")),
    ],
)
def test_cards_of_the_hand_are_offered(roll, key, refusal):
    result = offers(position_after(dice={"turn-1/card/amber": roll}), "amber")
    assert refusal_of(result[key]) == refusal


def test_cards_without_a_move_of_their_own_are_not_offered_to_play():
    result = offers(position_after(dice={"turn-1/card/amber": 61}), "amber")
    assert [key for key in result if key.startswith("play-")] == []
    assert result["attack-land"].values("cards", {"from": "a2", "target": "i1"}) == [[], ["ambush"]]


def test_trade_is_offered_by_card():
    position = position_after(
        {"by": "amber", "move": "offer", "card": "spy"},
        move("amber", "end-slot"),
        dice={"turn-1/card/amber": 11},
    )
    take = offers(position, "birch")["take-amber-spy"]
    assert take.given == {"from": "amber", "card": "spy"}
    assert take.values("give") == ["scouts"]


def test_the_game_master_opens_turns_and_enters_results():
    result = offers(position_after(land("amber", "a2", "b2")), "gm")
    assert refusal_of(result["open-turn"]) == ("wrong-phase", "1.3")
    assert refusal_of(result["start"]) == ("wrong-phase", "1.3")
    assert refusal_of(result["report-1-routed"]) is None
    assert refusal_of(result["forfeit-1"]) is None
    assert result["report-1-winner"].values("winner") == ["attacker", "defender", "draw"]


def test_a_module_takes_no_shares():
    result = offers(position_after(land("amber", "a2", "i1", battle="remove-the-head")), "gm")
    assert "report-1-routed" not in result
    assert "report-1-called-off" not in result


def test_the_game_master_moves_for_a_nation():
    shrines = offers(position_after(), "amber", "gm")["build-religious"]
    assert shrines.raw({}) == {"by": "gm", "for": "amber", "move": "build", "structure": "shrines"}


def test_every_offered_move_is_legal_and_every_refused_one_is_not():
    position = position_after(land("amber", "a2", "b2"), dice={"turn-1/card/amber": 31})
    counted = 0
    for seat in ("amber", "birch", "cedar", "gm"):
        for offer in TITLE.offers(position, seat):
            for raw in offer.moves():
                legal = TITLE.decode(raw, position)
                legal.admit(position)
                legal.check(position)
                counted += 1
    assert counted > 100


def test_provinces_are_sorted_by_name():
    """Every choice among provinces lists them in the order of their names."""
    scenario = TITLE.scenario(TITLE.scenarios()["420ad"])
    position, dice = TITLE.setup(scenario, TITLE.options({})), Dice(6, seed="0" * 64)
    for raw in ({"by": "gm", "move": "start"},):
        position = play(position, TITLE.decode(raw, position), dice).after
    lists = 0
    for by in (*position.nations, "gm"):
        for offer in TITLE.offers(position, position.slot if by != "gm" else "gm", "gm"):
            chosen = {}
            for field in offer.fields:
                values = list(offer.values(field.key, chosen) or ())
                if field.kind == "province":
                    names = [scenario.provinces[key].name.casefold() for key in values]
                    assert names == sorted(names), (offer.key, field.key)
                    lists += len(names) > 1
                if values:
                    chosen[field.key] = values[0]
    assert lists > 10
