"""RULES 3.7 to 3.13: fortifications and military assets."""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    actions,
    adjust,
    end,
    fleet,
    fortify,
    give,
    land,
    move,
    owner,
    play,
    played,
    refused,
    report,
    respond,
    sea,
    slots,
    until,
    whole,
)

BARRACKS = move("amber", "barracks")
LEVY = move("amber", "provincial-levy")
TRAIN = move("amber", "siege-train")
A3_SAILS = [fleet("amber", "a3"), whole(1), until(2, "amber")]


@pytest.mark.parametrize(
    ("count", "cost", "name"), [(1, 0.5, "ramparts"), (2, 1.5, "walls"), (3, 3, "great-walls")]
)
def test_3_7_fortifications(count, cost, name):
    state = played(actions("amber", 2), fortify("amber", *["a2"] * count))
    assert state["amber.actions"] == 4.5 - cost
    assert state["a2.fortification"] == name
    assert state["a1.fortification"] is None
    assert state.levels("amber") == (6, 6, 450, 1600, 0)


def test_3_7_nothing_above_great_walls():
    moves = [actions("amber", 5), fortify("amber", "a2", "a2", "a2", "a2")]
    assert refused(moves) == "already-built"


def test_3_7_in_owned_provinces_only():
    assert refused(fortify("amber", "b2")) == "not-owner"
    assert refused(fortify("amber", "i1")) == "not-owner"
    assert refused(fortify("amber", "nowhere")) == "unknown-province"


def test_3_7_not_while_under_attack():
    moves = [land("amber", "a2", "b2"), end("amber")]
    assert refused(moves, fortify("birch", "b2")) == "province-under-attack"
    assert played(moves, fortify("birch", "b1"))["b1.fortification"] == "ramparts"
    done = report(1, winner="defender")
    assert played(moves, done, fortify("birch", "b2"))["b2.fortification"] == "ramparts"


@pytest.mark.parametrize(("count", "points"), [(0, 12), (1, 13), (2, 14), (3, 15)])
def test_3_7_each_level_is_a_victory_point_at_the_end(count, points):
    moves = [actions("amber", 5), fortify("amber", *["a2"] * count), slots(1)]
    state = played(moves, turns=1)
    assert state["amber.victory_points"] == points


def test_3_7_a_province_that_changes_hands_loses_them():
    built = [actions("birch", 2), fortify("birch", "b2", "b2")]
    for new in ("amber", None):
        state = played(built, owner("b2", new), opens="birch")
        assert state["b2.fortification"] is None


def test_3_8_barracks():
    state = played(BARRACKS)
    assert (state["amber.barracks"], state["amber.actions"]) == (True, 0.5)
    assert refused(actions("amber", 2), BARRACKS, BARRACKS) == "already-built"
    assert refused(actions("amber", -1), BARRACKS) == "not-enough-actions"


def test_3_8_barracks_are_a_victory_point_at_the_end():
    assert played(BARRACKS)["amber.victory_points"] == 0
    assert played(BARRACKS, slots(1), turns=1)["amber.victory_points"] == 13


def test_3_9_siege_trains():
    state = played(TRAIN, TRAIN, TRAIN)
    assert (state["amber.siege_trains"], state["amber.actions"]) == (3, 1)


def test_3_9_one_is_used_per_attack():
    moves = [TRAIN, TRAIN, land("amber", "a2", "i1", siege_train=True)]
    assert played(moves, report(1, winner="defender"))["amber.siege_trains"] == 1


def test_3_9_siege_trains_are_no_victory_points():
    assert played(TRAIN, slots(1), turns=1)["amber.victory_points"] == 12


def test_3_10_fleets():
    state = played(fleet("amber", "a3"), fleet("amber", "a2"))
    assert (state["a3.fleet"], state["a2.fleet"], state["a1.fleet"]) == (True, True, False)
    assert state["amber.actions"] == 1.5


def test_3_10_in_maritime_provinces_of_one_s_own():
    """A province with a sea route is maritime, as is one marked so (c1)."""
    assert refused(fleet("amber", "a1")) == "not-maritime"
    assert refused(fleet("amber", "b2")) == "not-owner"
    assert refused(fleet("amber", "i3")) == "not-owner"
    assert refused(fleet("amber", "nowhere")) == "unknown-province"
    assert played(fleet("cedar", "c1"), opens="cedar")["c1.fleet"] is True


def test_3_10_one_a_province():
    assert refused(fleet("amber", "a3"), fleet("amber", "a3")) == "already-built"


def test_3_10_not_while_under_attack():
    moves = [land("amber", "a2", "b2"), end("amber")]
    assert refused(moves, fleet("birch", "b2")) == "province-under-attack"
    done = report(1, winner="defender")
    assert played(moves, done, fleet("birch", "b2"))["b2.fleet"] is True


def test_3_10_a_fleet_is_a_victory_point_at_the_end():
    moves = [fleet("amber", "a3"), fleet("amber", "a2")]
    assert played(moves, slots(1), turns=1)["amber.victory_points"] == 14


def test_3_10_a_fleet_is_lost_with_its_province():
    for new in ("birch", None):
        assert played(fleet("amber", "a3"), owner("a3", new))["a3.fleet"] is False


@pytest.mark.parametrize(
    ("winner", "kept"), [("attacker", True), ("defender", False), ("draw", True)]
)
def test_3_10_the_fleet_of_a_lost_amphibious_attack_is_destroyed(winner, kept):
    state = played(A3_SAILS, sea("amber", "a3", "c2"), report(1, winner=winner))
    assert state["a3.fleet"] is kept


def test_3_10_so_too_against_an_independent_province():
    state = played(A3_SAILS, sea("amber", "a3", "i3"), report(1, winner="defender"))
    assert state["a3.fleet"] is False


def test_3_10_a_held_siege_destroys_no_attacking_fleet():
    moves = [fleet("amber", "a3"), end("amber", "birch"), fortify("cedar", "c2"), end("cedar")]
    moves += [OPEN, until(2, "amber"), sea("amber", "a3", "c2")]
    dice = {"turn-2/attack/amber/c2/siege": 30}
    state = played(moves, report(1, winner="attacker"), dice=dice)
    assert (state["1.siege"], state["a3.fleet"]) == ("held", True)


def test_3_10_another_fleet_of_the_attacker_is_untouched():
    moves = [fleet("amber", "a3"), fleet("amber", "a2"), whole(1), until(2, "amber")]
    state = played(moves, sea("amber", "a3", "c2"), report(1, winner="defender"))
    assert (state["a3.fleet"], state["a2.fleet"]) == (False, True)


@pytest.mark.parametrize(
    ("winner", "kept"), [("attacker", False), ("defender", True), ("draw", True)]
)
def test_3_10_a_defender_who_loses_the_battle_loses_the_fleet(winner, kept):
    moves = [end("amber"), fleet("birch", "b2"), fortify("birch", "b2"), end("birch"), end("cedar")]
    moves += [OPEN, until(2, "amber"), land("amber", "a2", "b2")]
    dice = {"turn-2/attack/amber/b2/siege": 1}
    assert played(moves, report(1, winner=winner), dice=dice)["b2.fleet"] is kept


def test_3_10_a_withdrawal_saved_by_the_siege_keeps_the_fleet():
    moves = [end("amber"), fleet("birch", "b2"), fortify("birch", "b2"), end("birch"), end("cedar")]
    moves += [OPEN, until(2, "amber"), land("amber", "a2", "b2")]
    dice = {"turn-2/attack/amber/b2/siege": 1}
    state = played(moves, respond("birch", 1, "withdraw"), dice=dice)
    assert (state["b2.owner"], state["b2.fleet"]) == ("birch", True)


def test_3_11_a_levy_needs_barracks():
    assert refused(LEVY, start={"army": 1500}) == "no-barracks"


@pytest.mark.parametrize(
    ("army", "after"), [(1400, 1440), (1500, 1540), (1560, 1600), (1561, 1600), (1599, 1600)]
)
def test_3_11_a_levy_gives_40_not_past_1600(army, after):
    state = played(actions("amber", 2), BARRACKS, LEVY, start={"army": army})
    assert (state["amber.army"], state["amber.actions"]) == (after, 1.5)


@pytest.mark.parametrize("army", [1600, 1630, 1720])
def test_3_11_no_levy_for_a_full_army(army):
    moves = [actions("amber", 2), BARRACKS, LEVY]
    assert refused(moves, start={"army": army}) == "army-not-depleted"


def test_3_11_levies_are_not_limited_but_by_actions():
    state = played(actions("amber", 2), BARRACKS, LEVY, LEVY, start={"army": 1500})
    assert (state["amber.army"], state["amber.actions"]) == (1580, 0.5)
    assert refused(BARRACKS, LEVY, start={"army": 1500}) == "not-enough-actions"


def test_3_12_a_fleet_carries_attacks_from_the_next_turn_on():
    attack = sea("amber", "a3", "c2")
    assert refused(fleet("amber", "a3"), attack) == "fleet-too-new"
    assert played(A3_SAILS, attack)["1.kind"] == "amphibious"


def test_3_12_a_siege_train_is_usable_at_once():
    state = played(TRAIN, land("amber", "a2", "b2", siege_train=True))
    assert state["1.status"] == "challenged"


def test_3_12_a_province_gained_by_a_card_is_a_starting_point_at_once():
    won = [give("amber", "diplomat"), play("amber", "diplomat", province="i1")]
    assert played(won, land("amber", "i1", "b2"))["1.from"] == "i1"
    taken = [give("amber", "traitor"), play("amber", "traitor", province="b2")]
    assert played(taken, land("amber", "b2", "i2"))["1.from"] == "b2"


def test_3_13_a_launch_freezes_the_defender_s_points():
    moves = [
        adjust("birch", "army", -100),
        give("birch", "mercenaries", "reinforcements"),
        land("amber", "a2", "b2"),
    ]
    assert played(moves)["1.points"] == {"attacker": 1600, "defender": 1500}
    moves += [end("amber"), play("birch", "mercenaries")]
    state = played(moves)
    assert state["birch.army"] == 1520
    assert state["1.points.defender"] == 1500
    reinforced = respond("birch", 1, "accept", cards=["reinforcements"])
    assert played(moves, reinforced)["1.points.defender"] == 1550


def test_3_13_a_levy_in_a_later_slot_does_not_alter_the_battle():
    moves = [adjust("birch", "army", -100), land("amber", "a2", "b2"), end("amber")]
    moves += [actions("birch", 2), move("birch", "barracks"), move("birch", "provincial-levy")]
    state = played(moves)
    assert (state["birch.army"], state["1.points.defender"]) == (1540, 1500)


def test_3_13_a_correction_after_the_launch_does_not_alter_it():
    moves = [land("amber", "a2", "b2"), end("amber"), adjust("birch", "army", 30)]
    assert played(moves)["1.points"] == {"attacker": 1600, "defender": 1600}


def test_3_13_later_attacks_see_the_change():
    moves = [adjust("amber", "army", -100), land("amber", "a2", "i1")]
    assert played(moves)["1.points"] == {"attacker": 1500, "defender": 1600}


def test_3_10_a_fleet_never_moves():
    """No move exists for it; it stays in its province turn after turn."""
    moves = [fleet("amber", "a3"), whole(1), *(whole(turn) for turn in (2, 3))]
    assert played(moves)["a3.fleet"] is True
