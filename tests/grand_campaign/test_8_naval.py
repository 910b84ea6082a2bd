"""RULES 8: naval encounters and naval battles."""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    adjust,
    end,
    fleet,
    fortify,
    give,
    land,
    owner,
    played,
    refused,
    report,
    respond,
    routed,
    sea,
    until,
)

FLEETS = [fleet("amber", "a3"), end("amber", "birch"), fleet("cedar", "c2")]
TURN_2 = [end("cedar"), OPEN, until(2, "amber")]
SAIL = sea("amber", "a3", "c2")
ACCEPT = respond("cedar", 1, "accept")
TECHNOLOGY = [*give("amber", "naval-technology"), *give("cedar", "naval-technology")]
WALLED = fortify("cedar", "c2")


def rolls(attacker, defender, **more):
    encounter = "turn-2/attack/amber/c2/naval/"
    dice = {encounter + "attacker": attacker, encounter + "defender": defender}
    if "siege" in more:
        dice["turn-2/attack/amber/c2/siege"] = more["siege"]
    return dice


@pytest.mark.parametrize(("attacker", "defender"), [(51, 50), (2, 1), (100, 99)])
def test_8_1_the_higher_attacker_wrecks_the_fleet_and_the_battle_follows(attacker, defender):
    state = played(FLEETS, TURN_2, SAIL, ACCEPT, dice=rolls(attacker, defender))
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, False)
    assert (state["1.status"], state["1.outcome"]) == ("fighting", None)


@pytest.mark.parametrize(("attacker", "defender"), [(50, 51), (1, 2), (99, 100)])
def test_8_1_the_higher_defender_wrecks_the_fleet_and_the_attack_ends(attacker, defender):
    state = played(FLEETS, TURN_2, SAIL, ACCEPT, dice=rolls(attacker, defender))
    assert (state["a3.fleet"], state["c2.fleet"]) == (False, True)
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "naval-repulse")


@pytest.mark.parametrize("roll", [1, 50, 100])
def test_8_1_equals_survive_both_and_the_attack_ends(roll):
    state = played(FLEETS, TURN_2, SAIL, ACCEPT, dice=rolls(roll, roll))
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, True)
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "naval-repulse")


def test_8_1_a_repulse_has_no_effects_of_a_battle():
    state = played(FLEETS, TURN_2, SAIL, ACCEPT, dice=rolls(1, 100))
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state.levels("cedar") == (6, 6, 450, 1600, 0)
    assert state["c2.owner"] == "cedar"
    assert (
        refused(FLEETS, TURN_2, SAIL, ACCEPT, report(1, winner="draw"), dice=rolls(1, 100))
        == "already-resolved"
    )


def test_8_1_the_encounter_comes_after_the_response():
    state = played(FLEETS, TURN_2, SAIL, dice=rolls(1, 100))
    assert (state["1.status"], state["a3.fleet"]) == ("challenged", True)


@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"), [(30, 49, None), (30, 50, "naval-repulse")]
)
def test_8_1_technology_of_the_attacker(attacker, defender, outcome):
    sail = {**SAIL, "cards": ["naval-technology"]}
    moves = [FLEETS, TURN_2, TECHNOLOGY, sail, ACCEPT]
    state = played(moves, dice=rolls(attacker, defender))
    assert state["1.outcome"] == outcome
    assert "naval-technology" not in state["amber.hand"]


@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"),
    [(51, 30, None), (50, 30, "naval-repulse"), (49, 30, "naval-repulse")],
)
def test_4_11_naval_technology_gives_20_to_the_defender_too(attacker, defender, outcome):
    answer = respond("cedar", 1, "accept", cards=["naval-technology"])
    state = played(FLEETS, TURN_2, TECHNOLOGY, SAIL, answer, dice=rolls(attacker, defender))
    assert state["1.outcome"] == outcome
    assert state["a3.fleet"] is (attacker != 49)


def test_4_11_naval_technology_of_both_cancels():
    sail = {**SAIL, "cards": ["naval-technology"]}
    answer = respond("cedar", 1, "accept", cards=["naval-technology"])
    moves = [FLEETS, TURN_2, TECHNOLOGY, sail, answer]
    assert played(moves, dice=rolls(51, 50))["1.status"] == "fighting"
    assert played(moves, dice=rolls(50, 50))["1.outcome"] == "naval-repulse"


def test_8_1_no_fleet_no_encounter_and_no_technology():
    alone = [fleet("amber", "a3"), end("amber", "birch"), TURN_2, TECHNOLOGY]
    state = played(alone, SAIL, ACCEPT, dice=rolls(1, 100))
    assert (state["1.status"], state["a3.fleet"]) == ("fighting", True)
    technology = {**SAIL, "cards": ["naval-technology"]}
    assert refused(alone, technology) == "card-not-playable"
    answer = respond("cedar", 1, "accept", cards=["naval-technology"])
    assert refused(alone, SAIL, answer) == "card-not-playable"


def test_8_1_none_against_an_independent_province():
    moves = [FLEETS, TURN_2, TECHNOLOGY]
    state = played(moves, sea("amber", "a3", "i3"))
    assert (state["1.status"], state["a3.fleet"]) == ("fighting", True)
    technology = sea("amber", "a3", "i3", cards=["naval-technology"])
    assert refused(moves, technology) == "card-not-playable"


def test_8_1_a_land_attack_on_a_province_with_a_fleet_brings_none():
    moves = [FLEETS, TURN_2, owner("i3", "amber"), land("amber", "i3", "c2"), ACCEPT]
    state = played(moves, dice=rolls(1, 100))
    assert (state["1.status"], state["c2.fleet"]) == ("fighting", True)


def test_8_1_a_withdrawal_is_answered_without_an_encounter():
    state = played(FLEETS, TURN_2, SAIL, respond("cedar", 1, "withdraw"), dice=rolls(1, 100))
    assert (state["1.outcome"], state["c2.owner"]) == ("withdrawn", "amber")
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, False)


def test_8_1_a_report_before_the_answer_rolls_the_encounter():
    moves = [FLEETS, TURN_2, SAIL]
    state = played(moves, routed(1, 0, 45), dice=rolls(51, 50))
    assert (state["1.outcome"], state["c2.owner"]) == ("attacker", "amber")
    state = played(moves, report(1, winner="defender"), dice=rolls(51, 50))
    assert (state["1.outcome"], state["a3.fleet"], state["c2.fleet"]) == ("defender", False, False)


def test_8_1_a_report_that_the_encounter_forestalls_is_refused():
    """Nothing of it remains: the challenge can still be answered."""
    moves = [FLEETS, TURN_2, SAIL]
    dice = rolls(1, 100)
    assert refused(moves, report(1, winner="attacker"), dice=dice) == "already-resolved"
    assert played(moves, respond("cedar", 1, "withdraw"), dice=dice)["1.outcome"] == "withdrawn"


def six(*moves, encounter, escort):
    purpose = "turn-2/attack/romans/media/"
    dice = {
        purpose + "escort": escort,
        purpose + "naval/attacker": encounter[0],
        purpose + "naval/defender": encounter[1],
    }
    fleets = [
        end("hephtalites", "huns", "kushans"),
        fleet("romans", "italia"),
        end("romans"),
        fleet("sassanids", "media"),
        end("sassanids", "vandals"),
        OPEN,
        end("huns", "kushans"),
        sea("romans", "italia", "media"),
    ]
    return played(fleets, *moves, on="_six", dice=dice)


def test_8_1_the_escort_roll_comes_before_the_encounter():
    answer = respond("sassanids", 1, "escort")
    state = six(answer, encounter=(51, 50), escort=5)
    assert (state["1.battle"], state["1.status"]) == ("escort-baggage-train", "fighting")
    assert (state["1.module_attacker"], state["media.fleet"]) == ("defender", False)
    state = six(answer, encounter=(51, 50), escort=4)
    assert (state["1.battle"], state["1.status"]) == ("open", "fighting")
    state = six(answer, encounter=(50, 50), escort=5)
    assert state["1.outcome"] == "naval-repulse"


def test_8_2_a_naval_victory_of_the_attacker():
    state = played(FLEETS, TURN_2, SAIL, report(1, naval="attacker"), dice=rolls(1, 100))
    assert (state["1.outcome"], state["c2.owner"]) == ("attacker", "amber")
    assert state.levels("amber") == (7, 7, 500, 1600, 3)
    assert state.levels("cedar") == (5, 5, 400, 1600, 0)
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, False)


def test_8_2_a_naval_victory_of_the_defender():
    state = played(FLEETS, TURN_2, SAIL, report(1, naval="defender"), dice=rolls(100, 1))
    assert (state["1.outcome"], state["c2.owner"]) == ("defender", "cedar")
    assert state.levels("amber") == (5, 5, 450, 1600, 0)
    assert state.levels("cedar") == (7, 7, 450, 1600, 1)
    assert (state["a3.fleet"], state["c2.fleet"]) == (False, True)


def test_8_2_a_draw_sends_the_attacker_home():
    state = played(FLEETS, TURN_2, SAIL, report(1, naval="draw"), dice=rolls(100, 1))
    assert (state["1.outcome"], state["c2.owner"]) == ("draw", "cedar")
    assert state.levels("amber") == (6, 6, 475, 1600, 0)
    assert state.levels("cedar") == (6, 6, 425, 1600, 0)
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, True)


def test_8_2_fortifications_bring_a_siege():
    moves = [FLEETS, WALLED, TURN_2, SAIL, report(1, naval="attacker")]
    state = played(moves, dice=rolls(1, 100, siege=30))
    assert (state["1.siege"], state["c2.owner"], state["c2.fleet"]) == ("held", "cedar", False)
    assert state.levels("amber") == (7, 7, 450, 1600, 1)
    assert state.levels("cedar") == (5, 5, 450, 1600, 0)
    assert played(moves, dice=rolls(1, 100, siege=31))["c2.owner"] == "amber"


def test_8_2_not_once_an_encounter_is_rolled():
    moves = [FLEETS, TURN_2, SAIL, ACCEPT, report(1, naval="attacker")]
    assert refused(moves, dice=rolls(100, 1)) == "not-allowed"


def test_8_2_amphibious_attacks_on_nations_only():
    assert refused(land("amber", "a2", "b2"), report(1, naval="draw")) == "not-allowed"
    moves = [FLEETS, TURN_2, sea("amber", "a3", "i3"), report(1, naval="draw")]
    assert refused(moves) == "not-allowed"


def test_8_2_the_levels_still_set_off_thresholds():
    moves = [FLEETS, TURN_2, SAIL, adjust("cedar", "stability", -2), report(1, naval="attacker")]
    assert played(moves, dice=rolls(1, 1)).levels("cedar")[:2] == (3, 4)
