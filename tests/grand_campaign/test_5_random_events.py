"""RULES 5: random events."""

import pytest

from tests.grand_campaign.table import (
    MINI,
    OPEN,
    actions,
    build,
    end,
    move,
    played,
    until,
    whole,
)

TO_AMBER = [whole(1), until(2, "amber")]


def after(event, *before, **setting):
    """Return the state of Amber's slot of turn 2, in which it had this event."""
    moves = [*before, *TO_AMBER]
    return played(moves, dice={"turn-2/event/amber": event}, **setting)


@pytest.mark.parametrize(
    ("rolls", "levels", "left"),
    [
        ((1, 10), (5, 6, 450), 2.5),
        ((11, 20), (6, 5, 450), 2.5),
        ((21, 30), (6, 6, 450), 1.5),
        ((31, 40), (6, 6, 400), 2),
        ((41, 50), (6, 6, 450), 2.5),
        ((51, 60), (7, 6, 450), 2.5),
        ((61, 70), (6, 7, 450), 2.5),
        ((71, 80), (6, 6, 450), 3.5),
        ((81, 90), (6, 6, 500), 2.5),
        ((91, 100), (6, 6, 550), 3),
    ],
)
def test_5_0_both_edges_of_every_event(rolls, levels, left):
    for roll in rolls:
        state = after(roll)
        assert state.levels("amber") == (*levels, 1600, 0)
        assert state["amber.actions"] == left
        assert state.levels("birch") == (6, 6, 450, 1600, 0)


def test_5_0_each_nation_has_its_own():
    dice = {"turn-2/event/amber": 1, "turn-2/event/birch": 61, "turn-2/event/cedar": 81}
    state = played(whole(1), dice=dice)
    assert state["amber.stability"] == 5
    assert state["birch.prestige"] == 7
    assert state["cedar.income"] == 500


def test_5_0_an_event_comes_before_the_slots():
    state = played(whole(1), dice={"turn-2/event/amber": 1})
    assert (state["slot"], state["amber.stability"]) == ("birch", 5)


def test_5_1_riots_set_off_the_thresholds():
    assert after(1, start={"stability": 4}).levels("amber")[:2] == (3, 5)
    state = after(1, start={"stability": 3, "prestige": 3})
    assert state.levels("amber")[:2] == (2, 2)


def test_5_1_riots_may_crumble_a_nation_which_has_no_slot_then():
    moves = [whole(1)]
    state = played(moves, dice={"turn-2/event/birch": 1}, start={"stability": 2})
    assert state["birch.fallen"] is True
    assert state["order"] == ["birch", "cedar", "amber"]
    assert state["slot"] == "cedar"
    assert (state["b1.owner"], state["birch.hand"]) == (None, [])


def test_5_1_riots_everywhere_leave_no_nation():
    dice = {f"turn-2/event/{nation}": 1 for nation in MINI}
    state = played(whole(1), dice=dice, start={"stability": 2})
    assert all(state[f"{nation}.fallen"] for nation in MINI)
    assert state["slot"] is None


def test_5_2_a_scandal_may_cost_stability():
    assert after(11, start={"prestige": 2}).levels("amber")[:2] == (5, 1)
    assert after(11, start={"prestige": 1}).levels("amber")[:2] == (6, 0)


def test_5_4_a_plague_stops_at_0_and_may_bring_a_deficit():
    assert after(31, start={"income": 51}).levels("amber")[:3] == (6, 6, 1)
    assert after(31, start={"income": 50}).levels("amber")[:3] == (4, 6, 0)
    assert after(31, start={"income": 30}).levels("amber")[:3] == (4, 6, 0)
    assert after(31, start={"income": 0}).levels("amber")[:3] == (6, 6, 0)


@pytest.mark.parametrize(
    ("built", "left", "stability", "points"),
    [
        ([], [], 6, 0),
        (["shrines"], [], 6, 0),
        (["shrines", "temples"], ["shrines"], 7, 0),
        (["shrines", "temples", "sanctuaries"], ["shrines", "temples"], 9, 0),
        (
            ["shrines", "temples", "sanctuaries", "templar-complexes"],
            ["shrines", "temples", "sanctuaries"],
            12,
            1,
        ),
    ],
)
def test_5_5_an_earthquake_takes_the_highest_religious_building(built, left, stability, points):
    state = after(45, actions("amber", 5), build("amber", *built))
    assert state["amber.structures"] == left
    assert state.levels("amber") == (stability, 6, 450, 1600, points)


def test_5_5_other_structures_remain():
    state = after(45, build("amber", "shrines", "gymnasia", "bridges"))
    assert state["amber.structures"] == ["gymnasia", "bridges"]
    assert state.levels("amber")[:3] == (6, 7, 550)


def test_5_5_an_earthquake_sets_off_the_thresholds():
    state = after(45, build("amber", "shrines"), start={"stability": 3})
    assert state.levels("amber")[:2] == (3, 5)


def test_5_5_what_is_lost_may_be_built_again():
    moves = [build("amber", "shrines"), TO_AMBER, build("amber", "shrines")]
    state = played(moves)
    assert (state["amber.stability"], state["amber.structures"]) == (7, ["shrines"])


@pytest.mark.parametrize(
    ("built", "following"),
    [
        ([], "bridges"),
        (["bridges"], "roads"),
        (["bridges", "roads"], "markets"),
        (["bridges", "roads", "markets"], "merchants-quarters"),
    ],
)
def test_5_10_commercial_efforts_build_the_next_structure(built, following):
    state = after(91, actions("amber", 5), build("amber", *built))
    assert state["amber.structures"] == [*built, following]
    assert state["amber.income"] == 450 + 100 * len(built) + 100


def test_5_10_nothing_if_all_are_built():
    every = ["bridges", "roads", "markets", "merchants-quarters"]
    state = after(91, actions("amber", 5), build("amber", *every))
    assert state["amber.structures"] == every
    assert state["amber.income"] == 850


def test_5_3_famine_and_5_8_reforms_count_in_the_slot_of_their_turn():
    dice = {"turn-2/event/birch": 21, "turn-2/event/cedar": 71}
    state = played(whole(1), dice=dice)
    assert state["birch.actions"] == 1.5
    assert state["cedar.actions"] == 0
    assert played(whole(1), end("birch"), dice=dice)["cedar.actions"] == 3.5


def test_5_0_the_turns_of_events_are_data():
    moves = [whole(1), whole(2)]
    dice = {"turn-3/event/amber": 1}
    assert played(moves, dice=dice, rules={"event_turns": [3]})["amber.stability"] == 5
    state = played(move("amber", "tax-exemption"), end(*MINI), OPEN, rules={"event_turns": []})
    assert state["amber.stability"] == 7
