"""RULES 6: provinces."""

import json

import pytest

from tests.grand_campaign.table import (
    CASES,
    TWO,
    adjust,
    covert,
    end,
    fleet,
    land,
    owner,
    played,
    refused,
    report,
    sea,
    until,
    whole,
)

LATE = [whole(turn, who=TWO) for turn in range(1, 6)]


def test_6_1_provinces_are_those_of_the_scenario():
    keys = [
        place["key"] for place in json.loads((CASES / "_scenario.json").read_text())["provinces"]
    ]
    state = played()
    assert sorted(state["provinces"]) == sorted(keys)
    assert (state["a1.owner"], state["i1.owner"], state["x1.owner"]) == ("amber", None, None)
    assert state["a1.fortification"] is None
    assert state["a1.fleet"] is False


@pytest.mark.parametrize("external", [None, False, True])
def test_6_1_external_provinces_are_never_targets(external):
    assert refused(land("amber", "a3", "x1"), external=external) == "external-province"
    moves = [owner("i2", "cedar"), end("amber"), land("birch", "b2", "x1")]
    assert refused(moves, external=external) == "external-province"


def test_6_1_external_attacks_are_an_option():
    attack = covert("amber", "x1", "c2")
    assert refused(attack) == "external-province"
    assert refused(attack, external=False) == "external-province"
    state = played(attack, external=True)
    assert (state["1.kind"], state["1.from"]) == ("independent", "x1")
    assert state["1.points"]["attacker"] == 1600
    assert state["amber.actions"] == 2


def test_6_1_external_attacks_obey_the_rules_of_independent_ones():
    assert refused(covert("amber", "x1", "b2"), external=True) == "borders-opponent"
    assert refused(covert("amber", "x1", "c1"), external=True) == "capital-protected"
    assert played(covert("birch", "x1", "c2"), opens="birch", external=True)["1.target"] == "c2"


def test_6_1_a_province_turned_independent_is_a_starting_point_of_covert_attacks():
    moves = [owner("b2", None), covert("cedar", "b2", "a2")]
    state = played(moves, opens="cedar")
    assert state["1.points"] == {"attacker": 1600, "defender": 1600}
    assert state["1.status"] == "challenged"


def test_6_2_a_capital_is_not_attacked_before_turn_6():
    """This holds even if its nation has no other province."""
    moves = [owner("w2", "east"), land("east", "w2", "w1")]
    assert refused(moves, on="_two") == "capital-protected"
    early = [whole(turn, who=TWO) for turn in range(1, 5)]
    assert refused(early, moves, on="_two") == "capital-protected"
    assert played(LATE, until(6, "east", TWO), moves, on="_two")["1.target"] == "w1"


def test_6_2_nor_while_its_nation_has_another_province():
    moves = [owner("far", "west"), land("west", "far", "e1")]
    assert refused(LATE, moves, on="_two") == "capital-protected"
    alone = [owner("e2", None), owner("far", "west"), land("west", "far", "e1")]
    assert played(LATE, alone, on="_two")["1.status"] == "challenged"


def test_6_2_every_kind_of_attack_is_meant():
    assert refused(covert("amber", "i3", "c1")) == "capital-protected"
    moves = [fleet("amber", "a3"), whole(1), until(2, "amber"), sea("amber", "a3", "c1")]
    assert refused(moves) == "capital-protected"


def test_6_2_a_capital_in_other_hands_is_a_province_like_any():
    for new in ("cedar", None):
        moves = [owner("b1", new), owner("b2", "amber"), land("amber", "b2", "b1")]
        assert played(moves)["1.target"] == "b1"


def test_6_2_the_turn_is_data():
    moves = [owner("w2", "east"), land("east", "w2", "w1")]
    rules = {"capital_protected_before_turn": 1}
    assert played(moves, on="_two", rules=rules)["1.target"] == "w1"


def test_6_2_a_conquered_capital():
    moves = [until(6, "east", TWO), owner("w2", "east"), land("east", "w2", "w1")]
    state = played(LATE, moves, report(1, winner="attacker"), on="_two")
    assert state["w1.owner"] == "east"
    assert state["west.fallen"] is True
    assert state.levels("east") == (7, 7, 500, 1630, 3)


def test_6_2_a_fallen_nation_s_capital_is_free():
    moves = [adjust("birch", "stability", -9), owner("b2", "amber"), land("amber", "b2", "b1")]
    state = played(moves)
    assert (state["1.defender"], state["1.leader"]) == (None, "cedar")
