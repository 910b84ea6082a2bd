"""RULES 9.7 to 9.11: sieges, conquest, withdrawal, the order of consequences."""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    actions,
    adjust,
    covert,
    end,
    fortify,
    give,
    land,
    move,
    play,
    played,
    report,
    respond,
    until,
)

TRAIN = move("amber", "siege-train")
SIEGE = "turn-2/attack/amber/b2/siege"
WON = report(1, winner="attacker")
LEVELS = {"ramparts": 1, "walls": 2, "great-walls": 3}


def walled(name):
    """Birch fortifies b2 in turn 1; it is amber's slot in turn 2."""
    built = [actions("birch", 3), fortify("birch", *["b2"] * LEVELS[name])]
    return [end("amber"), built, end("birch", "cedar"), OPEN, until(2, "amber")]


def besieged(name, roll, *ending, train=False, **setting):
    moves = [walled(name), [TRAIN] if train else []]
    moves += [land("amber", "a2", "b2", siege_train=train), *(ending or [WON])]
    return played(moves, dice={SIEGE: roll}, **setting)


EDGES = [
    ("ramparts", False, 30),
    ("walls", False, 50),
    ("great-walls", False, 70),
    ("ramparts", True, 10),
    ("walls", True, 30),
    ("great-walls", True, 50),
]


@pytest.mark.parametrize(("name", "train", "edge"), EDGES)
def test_9_7_a_siege_fails_up_to_the_strength_of_the_walls(name, train, edge):
    for roll in (1, edge):
        state = besieged(name, roll, train=train)
        assert (state["1.siege"], state["1.outcome"]) == ("held", "attacker")
        assert (state["b2.owner"], state["b2.fortification"]) == ("birch", name)


@pytest.mark.parametrize(("name", "train", "edge"), EDGES)
def test_9_7_and_succeeds_above_it(name, train, edge):
    for roll in (edge + 1, 100):
        state = besieged(name, roll, train=train)
        assert (state["1.siege"], state["1.outcome"]) == ("taken", "attacker")
        assert (state["b2.owner"], state["b2.fortification"]) == ("amber", None)


def test_9_7_siege_train_lowers_walls():
    assert besieged("walls", 31)["1.siege"] == "held"
    assert besieged("walls", 31, train=True)["1.siege"] == "taken"


def test_9_7_battle_effects_remain_if_the_siege_fails():
    state = besieged("ramparts", 30)
    assert state.levels("amber") == (7, 7, 450, 1630, 1)
    assert state.levels("birch") == (5, 5, 450, 1570, 0)


def test_9_7_no_siege_without_fortifications_nor_without_victory():
    state = played(land("amber", "a2", "b2"), WON)
    assert "siege" not in state["1"]
    for winner in ("defender", "draw"):
        state = besieged("ramparts", 100, report(1, winner=winner))
        assert "siege" not in state["1"]
        assert state["b2.fortification"] == "ramparts"


def test_9_7_covert_attacks_and_insurrections_besiege_too():
    built = [fortify("cedar", "c2"), end("cedar"), covert("amber", "i2", "c2"), WON]
    purpose = "turn-1/attack/amber/c2/siege"
    state = played(built, opens="cedar", dice={purpose: 30})
    assert (state["1.siege"], state["c2.owner"], state["cedar.income"]) == ("held", "cedar", 450)
    assert state.levels("amber") == (6, 7, 450, 1600, 1)
    state = played(built, opens="cedar", dice={purpose: 31})
    assert (state["1.siege"], state["c2.owner"], state["cedar.income"]) == ("taken", None, 400)
    rising = [walled("walls"), give("amber", "local-insurrection")]
    rising += [play("amber", "local-insurrection", province="b2"), WON]
    assert played(rising, dice={SIEGE: 50})["b2.owner"] == "birch"
    state = played(rising, dice={SIEGE: 51})
    assert (state["b2.owner"], state["b2.fortification"]) == (None, None)


def test_9_7_a_train_stronger_than_the_walls_leaves_nothing_to_fail():
    assert besieged("ramparts", 1, train=True, rules={"siege_train": 30})["1.siege"] == "taken"


def test_9_8_conquest_by_one_s_own_army():
    state = besieged("ramparts", 31)
    assert state.levels("amber") == (7, 7, 500, 1630, 3)
    assert state.levels("birch") == (5, 5, 400, 1570, 0)


def test_9_8_a_conquered_independent_province_costs_no_one():
    state = played(land("amber", "a2", "i1"), WON)
    assert (state["amber.income"], state["birch.income"], state["cedar.income"]) == (500, 450, 450)


def test_9_8_a_covert_victory_has_no_conquest_reward():
    state = played(covert("amber", "i2", "c2"), WON)
    assert (state["amber.income"], state["amber.victory_points"]) == (450, 1)
    assert (state["c2.owner"], state["cedar.income"]) == (None, 400)


def test_9_8_the_loss_may_bring_a_deficit():
    """450 - 400 - 50 = 0: stability 6 - 1 - 2, prestige 6 - 1 - 1."""
    state = played(adjust("birch", "income", -400), land("amber", "a2", "b2"), WON)
    assert state.levels("birch") == (3, 4, 0, 1570, 0)


@pytest.mark.parametrize(
    ("roll", "winner", "trains"),
    [(11, "attacker", 1), (10, "attacker", 0), (50, "defender", 0), (50, "draw", 1)],
)
def test_9_9_a_train_is_destroyed_by_a_lost_battle_or_a_failed_siege(roll, winner, trains):
    state = besieged("ramparts", roll, report(1, winner=winner), train=True)
    assert state["amber.siege_trains"] == trains


def test_9_9_a_train_survives_where_there_was_no_siege():
    moves = [TRAIN, land("amber", "a2", "b2", siege_train=True), WON]
    assert played(moves)["amber.siege_trains"] == 1


def test_9_9_a_train_left_at_home_survives():
    state = played(TRAIN, land("amber", "a2", "b2"), report(1, winner="defender"))
    assert state["amber.siege_trains"] == 1


def test_9_10_withdrawal_is_as_conquest_without_a_battle():
    state = played(land("amber", "a2", "b2"), respond("birch", 1, "withdraw"))
    assert state.levels("amber") == (6, 6, 500, 1600, 2)
    assert state.levels("birch") == (6, 6, 400, 1600, 0)
    assert (state["b2.owner"], state["1.status"]) == ("amber", "resolved")
    assert state["1.outcome"] == "withdrawn"
    assert "siege" not in state["1"]


def test_9_10_withdrawal_behind_walls():
    answer = respond("birch", 1, "withdraw")
    state = besieged("ramparts", 30, answer)
    assert (state["1.outcome"], state["1.siege"], state["b2.owner"]) == (
        "withdrawn",
        "held",
        "birch",
    )
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state.levels("birch") == (6, 6, 450, 1600, 0)
    state = besieged("ramparts", 31, answer)
    assert (state["1.siege"], state["b2.owner"]) == ("taken", "amber")
    assert state.levels("amber") == (6, 6, 500, 1600, 2)


def test_9_10_a_train_counts_and_is_lost_in_the_failed_siege():
    answer = respond("birch", 1, "withdraw")
    state = besieged("ramparts", 10, answer, train=True)
    assert (state["1.siege"], state["amber.siege_trains"]) == ("held", 0)
    state = besieged("ramparts", 11, answer, train=True)
    assert (state["1.siege"], state["amber.siege_trains"]) == ("taken", 1)


def test_9_10_withdrawal_from_a_covert_attack():
    state = played(covert("amber", "i2", "c2"), respond("cedar", 1, "withdraw"))
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state.levels("cedar") == (6, 6, 400, 1600, 0)
    assert state["c2.owner"] is None


def test_9_11_thresholds_come_once_all_is_posted():
    """Income and stability both fall; each threshold counts once, in whatever order they fall."""
    fall = [adjust("birch", "stability", -2), adjust("birch", "income", -400)]
    state = played(fall, land("amber", "a2", "b2"), WON)
    assert state.levels("birch") == (1, 3, 0, 1570, 0)
    assert state["birch.fallen"] is True
    assert (state["b2.owner"], state["b1.owner"]) == ("amber", None)


def test_9_11_the_siege_comes_before_the_conquest():
    fall = adjust("birch", "income", -400)
    moves = [walled("ramparts"), fall, land("amber", "a2", "b2"), WON]
    assert played(moves, dice={SIEGE: 30}).levels("birch")[:3] == (5, 5, 50)
    assert played(moves, dice={SIEGE: 31}).levels("birch")[:3] == (3, 4, 0)
