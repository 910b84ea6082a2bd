"""RULES 9.1 to 9.6: results and their consequences (9.7 to 9.11 in `test_9_sieges`)."""

import pytest

from tests.grand_campaign.table import (
    adjust,
    covert,
    end,
    give,
    land,
    play,
    played,
    refused,
    report,
    respond,
    routed,
)

ESCORT = "escort-baggage-train"
AGAINST_NATION = [land("amber", "a2", "b2")]
AGAINST_INDEPENDENT = [land("amber", "a2", "i1")]
COVERT = [covert("amber", "i2", "c2")]
RISING = [
    *give("amber", "local-insurrection"),
    play("amber", "local-insurrection", province="b2"),
]
UNTOUCHED = (6, 6, 450, 1600, 0)


@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"),
    [
        (45, 45, "draw"),
        (100, 100, "draw"),
        (45, 100, "draw"),
        (45.5, 45, "draw"),
        (44.9, 45, "attacker"),
        (16, 45, "attacker"),
        (16, 44.9, "draw"),
        (0, 45, "attacker"),
        (0, 100, "attacker"),
        (15, 40, "attacker"),
        (15, 44.9, "attacker"),
        (15.1, 40, "draw"),
        (15.1, 44.9, "draw"),
        (15, 39.9, "draw"),
        (0, 40, "attacker"),
        (0, 39.9, "draw"),
        (0, 0, "draw"),
        (30, 30, "draw"),
        (40, 40, "draw"),
        (45, 44.9, "defender"),
        (45, 16, "defender"),
        (44.9, 16, "draw"),
        (40, 15, "defender"),
        (40, 15.1, "draw"),
        (39.9, 15, "draw"),
        (100, 0, "defender"),
        (40.0, 0, "defender"),
    ],
)
@pytest.mark.parametrize("launch", [AGAINST_NATION, AGAINST_INDEPENDENT, COVERT, RISING])
def test_9_1_the_result_follows_from_the_shares(launch, attacker, defender, outcome):
    assert played(launch, routed(1, attacker, defender))["1.outcome"] == outcome


def test_9_1_called_off_is_a_draw():
    state = played(AGAINST_NATION, report(1, called_off=True))
    assert (state["1.outcome"], state["amber.income"]) == ("draw", 475)
    assert refused(AGAINST_NATION, report(1, called_off=False)) == "bad-argument"


@pytest.mark.parametrize("winner", ["attacker", "defender", "draw"])
def test_9_1_the_winner_may_be_set(winner):
    assert played(AGAINST_NATION, report(1, winner=winner))["1.outcome"] == winner


def test_9_1_remove_the_head_is_reported_as_it_was_in_the_game():
    moves = [land("amber", "a2", "b2", battle="remove-the-head")]
    assert refused(moves, routed(1, 0, 50)) == "not-allowed"
    assert refused(moves, report(1, called_off=True)) == "not-allowed"
    assert played(moves, report(1, winner="attacker"))["1.outcome"] == "attacker"
    assert played(moves, report(1, winner="draw"))["1.outcome"] == "draw"


def test_9_1_an_escort_of_ambush_is_judged_by_shares_and_may_be_called_off():
    cards = ["ambush"]
    moves = [give("amber", "ambush"), land("amber", "a2", "b2", battle=ESCORT, cards=cards)]
    assert played(moves, routed(1, 15, 40))["1.outcome"] == "attacker"
    assert played(moves, routed(1, 16, 40))["1.outcome"] == "draw"
    assert played(moves, routed(1, 45, 45))["1.outcome"] == "draw"
    assert played(moves, routed(1, 45, 20))["1.outcome"] == "defender"
    assert played(moves, report(1, called_off=True))["1.outcome"] == "draw"
    assert played(moves, report(1, winner="defender"))["1.outcome"] == "defender"


def test_9_1_a_forced_escort_keeps_the_sides_of_the_attack():
    """The defender is the module's attacker; shares and winner name the sides of the attack."""
    dice = {"turn-1/attack/amber/b2/escort": 6}
    moves = [*AGAINST_NATION, respond("birch", 1, "escort")]
    lost = played(moves, routed(1, 50, 20), dice=dice)
    assert (lost["1.module_attacker"], lost["1.outcome"]) == ("defender", "defender")
    assert lost["b2.owner"] == "birch"
    assert played(moves, report(1, winner="attacker"), dice=dice)["b2.owner"] == "amber"
    assert played(moves, report(1, called_off=True), dice=dice)["birch.income"] == 425


def test_9_1_a_failed_escort_leaves_remove_the_head_without_shares():
    moves = [land("amber", "a2", "b2", battle="remove-the-head"), respond("birch", 1, "escort")]
    failed, forced = ({"turn-1/attack/amber/b2/escort": roll} for roll in (4, 5))
    assert refused(moves, routed(1, 0, 50), dice=failed) == "not-allowed"
    assert refused(moves, report(1, called_off=True), dice=failed) == "not-allowed"
    assert played(moves, routed(1, 0, 50), dice=forced)["1.outcome"] == "attacker"


def test_9_1_a_flank_march_has_the_house_rule():
    moves = [land("amber", "a2", "b2", battle="flank-march"), routed(1, 16, 45)]
    assert played(moves)["1.outcome"] == "attacker"


def test_9_1_a_failed_escort_leaves_the_house_rule():
    moves = [*AGAINST_NATION, respond("birch", 1, "escort"), routed(1, 0, 45)]
    dice = {"turn-1/attack/amber/b2/escort": 4}
    assert played(moves, dice=dice)["1.outcome"] == "attacker"
    forced = {"turn-1/attack/amber/b2/escort": 5}
    assert played(moves, dice=forced)["1.outcome"] == "attacker"


def test_9_1_results_are_the_game_master_s_to_enter():
    result = {"by": "amber", "move": "report", "attack": 1, "winner": "attacker"}
    assert refused(AGAINST_NATION, result) == "not-allowed"


def test_9_2_nation_against_nation_won_by_the_attacker():
    state = played(AGAINST_NATION, report(1, winner="attacker"))
    assert state.levels("amber") == (7, 7, 500, 1630, 3)
    assert state.levels("birch") == (5, 5, 400, 1570, 0)
    assert state.levels("cedar") == UNTOUCHED
    assert state["b2.owner"] == "amber"


def test_9_2_nation_against_nation_won_by_the_defender():
    state = played(AGAINST_NATION, report(1, winner="defender"))
    assert state.levels("amber") == (5, 5, 450, 1570, 0)
    assert state.levels("birch") == (7, 7, 450, 1630, 1)
    assert state["b2.owner"] == "birch"


def test_9_3_against_an_independent_province_won():
    state = played(AGAINST_INDEPENDENT, report(1, winner="attacker"))
    assert state.levels("amber") == (7, 7, 500, 1630, 3)
    assert state["1.leader"] == "birch"
    assert state.levels("birch") == UNTOUCHED
    assert state["i1.owner"] == "amber"


def test_9_3_against_an_independent_province_lost():
    state = played(AGAINST_INDEPENDENT, report(1, winner="defender"))
    assert state.levels("amber") == (5, 5, 450, 1570, 0)
    assert state.levels("birch") == (6, 6, 450, 1600, 1)
    assert state["i1.owner"] is None


def test_9_3_the_leader_at_the_end_has_the_point():
    moves = [AGAINST_INDEPENDENT, adjust("birch", "stability", -9)]
    state = played(moves, report(1, winner="defender"))
    assert (state["cedar.victory_points"], state["birch.victory_points"]) == (1, 0)


def test_9_4_a_covert_attack_won():
    state = played(COVERT, report(1, winner="attacker"))
    assert state.levels("amber") == (6, 7, 450, 1600, 1)
    assert state.levels("cedar") == (5, 5, 400, 1570, 0)
    assert (state["c2.owner"], state["i2.owner"]) == (None, None)


def test_9_4_a_covert_attack_lost():
    state = played(COVERT, report(1, winner="defender"))
    assert state.levels("amber") == (6, 5, 450, 1600, 0)
    assert state.levels("cedar") == (7, 7, 450, 1630, 1)
    assert state["c2.owner"] == "cedar"


def test_9_5_an_insurrection_won_by_the_insurgents():
    state = played(RISING, report(1, winner="attacker"))
    assert state.levels("amber") == UNTOUCHED
    assert state.levels("birch") == (5, 5, 400, 1570, 0)
    assert state["b2.owner"] is None


def test_9_5_an_insurrection_put_down():
    state = played(RISING, report(1, winner="defender"))
    assert state.levels("amber") == UNTOUCHED
    assert state.levels("birch") == (7, 7, 450, 1630, 1)
    assert state["b2.owner"] == "birch"


def test_9_6_a_draw_between_nations():
    state = played(AGAINST_NATION, report(1, winner="draw"))
    assert state.levels("amber") == (6, 6, 475, 1600, 0)
    assert state.levels("birch") == (6, 6, 425, 1600, 0)
    assert (state["1.outcome"], state["b2.owner"]) == ("draw", "birch")


def test_9_6_a_tie_is_a_draw():
    state = played(AGAINST_NATION, routed(1, 45, 45))
    assert (state["amber.income"], state["birch.income"]) == (475, 425)


def test_9_6_a_draw_against_an_independent_province():
    state = played(AGAINST_INDEPENDENT, report(1, winner="draw"))
    assert state.levels("amber") == (6, 6, 475, 1600, 0)
    assert state.levels("birch") == UNTOUCHED


def test_9_6_a_drawn_covert_attack_ravages_for_no_one():
    state = played(COVERT, report(1, winner="draw"))
    assert state.levels("amber") == UNTOUCHED
    assert state.levels("cedar") == (6, 6, 425, 1600, 0)


def test_9_6_a_drawn_insurrection():
    state = played(RISING, report(1, winner="draw"))
    assert state.levels("amber") == UNTOUCHED
    assert state.levels("birch") == (6, 6, 425, 1600, 0)


def test_9_6_a_draw_may_bring_a_deficit():
    poor = [adjust("birch", "income", -425), *AGAINST_NATION]
    state = played(poor, report(1, winner="draw"))
    assert state.levels("birch")[:3] == (4, 6, 0)
    state = played([adjust("birch", "income", -424), *AGAINST_NATION], report(1, winner="draw"))
    assert state.levels("birch")[:3] == (6, 6, 1)


def test_9_2_reports_come_in_any_order():
    moves = [AGAINST_NATION, COVERT, end("amber"), report(2, winner="attacker")]
    state = played(moves, report(1, winner="defender"))
    assert (state["1.outcome"], state["2.outcome"]) == ("defender", "attacker")
    assert state.levels("amber") == (5, 6, 450, 1570, 1)
