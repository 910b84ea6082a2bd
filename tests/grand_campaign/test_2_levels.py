"""RULES 2: levels and ledgers."""

import pytest

from tests.grand_campaign.table import (
    MINI,
    OPEN,
    TWO,
    adjust,
    build,
    covert,
    end,
    fleet,
    fortify,
    give,
    land,
    move,
    offer,
    owner,
    play,
    played,
    refused,
    report,
    respond,
    routed,
    sea,
    until,
    whole,
)

BIRCH_DEFEATED = [land("amber", "a2", "b2"), routed(1, 0, 45)]


def test_2_0_starting_levels():
    state = played()
    for nation in MINI:
        assert state.levels(nation) == (6, 6, 450, 1600, 0)
    assert state["amber.actions"] == 2.5


def test_2_1_stability_falling_to_3_costs_prestige():
    assert played(adjust("amber", "stability", -2)).levels("amber")[:2] == (4, 6)
    assert played(adjust("amber", "stability", -3)).levels("amber")[:2] == (3, 5)


def test_2_1_a_fall_from_3_is_no_fall_from_above_3():
    state = played(start={"stability": 3})
    assert state.levels("amber")[:2] == (3, 6)
    state = played(adjust("amber", "stability", -1), start={"stability": 3})
    assert state.levels("amber")[:2] == (2, 5)


def test_2_1_at_3_no_covert_attack_at_4_one():
    assert played(covert("amber", "i2", "c2"), start={"stability": 4})["1.kind"] == "independent"
    low = {"stability": 3}
    assert refused(covert("amber", "i2", "c2"), start=low) == "stability-too-low"
    assert played(land("amber", "a2", "b2"), start=low)["1.status"] == "challenged"


def test_2_2_stability_falling_to_2_costs_prestige_again():
    assert played(adjust("amber", "stability", -4)).levels("amber")[:2] == (2, 4)
    steps = [adjust("amber", "stability", -3), adjust("amber", "stability", -1)]
    assert played(steps).levels("amber")[:2] == (2, 4)


def test_2_2_at_2_no_attack_at_all():
    low = {"stability": 2}
    assert refused(land("amber", "a2", "b2"), start=low) == "stability-too-low"
    assert refused(land("amber", "a2", "i1"), start=low) == "stability-too-low"
    assert refused(covert("amber", "i2", "c2"), start=low) == "stability-too-low"
    moves = [fleet("amber", "a3"), whole(1), until(2, "amber"), sea("amber", "a3", "c2")]
    assert refused(moves, start=low) == "stability-too-low"
    assert played(moves, start={"stability": 3})["1.kind"] == "amphibious"


def test_2_2_at_2_the_nation_still_defends():
    state = played(
        land("amber", "a2", "b2"),
        adjust("birch", "stability", -4),
        respond("birch", 1, "accept"),
        report(1, winner="defender"),
    )
    assert state["birch.stability"] == 3


def test_2_3_at_1_the_nation_crumbles_at_2_it_does_not():
    assert played(adjust("cedar", "stability", -4))["cedar.fallen"] is False
    state = played(adjust("cedar", "stability", -5))
    assert state["cedar.fallen"] is True
    assert (state["c1.owner"], state["c2.owner"]) == (None, None)


def test_2_3_what_a_crumbling_nation_loses_and_keeps():
    state = played(
        fortify("cedar", "c2"),
        fleet("cedar", "c1"),
        fleet("cedar", "c2"),
        move("cedar", "siege-train"),
        build("cedar", "shrines"),
        offer("cedar", "scouts"),
        give("cedar", "spy", "traitor"),
        adjust("cedar", "victory_points", 4),
        end("cedar"),
        adjust("cedar", "stability", -9),
        opens="cedar",
    )
    for place in ("c1", "c2"):
        assert state[f"{place}.owner"] is None
        assert state[f"{place}.fortification"] is None
        assert state[f"{place}.fleet"] is False
    assert (state["cedar.hand"], state["cedar.table"]) == ([], [])
    assert state["cedar.structures"] == ["shrines"]
    assert state["cedar.siege_trains"] == 1
    assert state["cedar.victory_points"] == 4
    assert (state["cedar.stability"], state["cedar.prestige"]) == (0, 4)


def test_2_3_barracks_stay_on_the_sheet():
    state = played(move("amber", "barracks"), end("amber"), adjust("amber", "stability", -9))
    assert state["amber.barracks"] is True


def test_2_3_attacks_against_it_lapse_without_effect():
    state = played(
        move("amber", "siege-train"),
        land("amber", "a2", "b2", siege_train=True),
        adjust("birch", "stability", -9),
    )
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "lapsed")
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state["amber.siege_trains"] == 1
    assert state["amber.actions"] == 1
    assert state["b2.owner"] is None


def test_2_3_its_own_attacks_lapse_and_its_slot_ends():
    state = played(land("amber", "a2", "i1"), adjust("amber", "stability", -9))
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "lapsed")
    assert (state["slot"], state["amber.actions"]) == ("birch", 0)
    assert (state["birch.victory_points"], state["i1.owner"]) == (0, None)


def test_2_3_a_lapsed_attack_is_resolved():
    moves = [land("amber", "a2", "b2"), adjust("birch", "stability", -9)]
    assert refused(moves, report(1, winner="draw")) == "already-resolved"


def test_2_3_insurrections_played_or_suffered_lapse():
    risen = [
        give("amber", "local-insurrection"),
        play("amber", "local-insurrection", province="b2"),
    ]
    assert played(risen, adjust("amber", "stability", -9))["1.outcome"] == "lapsed"
    state = played(risen, adjust("birch", "stability", -9))
    assert state["1.outcome"] == "lapsed"
    assert state["amber.hand"] == ["scouts"]


def test_2_3_other_nations_fleets_survive():
    moves = [fleet("amber", "a3"), whole(1), until(2, "amber"), sea("amber", "a3", "c2")]
    state = played(moves, adjust("cedar", "stability", -9))
    assert (state["1.outcome"], state["a3.fleet"]) == ("lapsed", True)


def test_2_3_it_takes_no_more_slots():
    fallen = adjust("birch", "stability", -9)
    assert played(fallen, end("amber"))["slot"] == "cedar"
    assert refused(fallen, end("amber"), build("birch", "hamlets")) == "nation-fallen"
    assert played(fallen, end("amber", "cedar"))["phase"] == "closed"
    state = played(fallen, end("amber", "cedar"), OPEN)
    assert "birch" not in state["order"]
    assert state["birch.hand"] == []


def test_2_3_independents_it_leads_get_new_leaders():
    moves = [land("amber", "a2", "i1")]
    assert played(moves)["1.leader"] == "birch"
    state = played(moves, adjust("birch", "stability", -9))
    assert (state["1.leader"], state["1.status"]) == ("cedar", "fighting")


def test_2_3_a_replacement_leader_moves_the_rotation_on():
    """n2 leads and crumbles, and n3 leads instead, so the next appointment starts from n3."""
    moves = [
        land("n1", "q1", "m1"),
        adjust("n2", "stability", -9),
        report(1, winner="draw"),
        end("n1", "n3", "n4"),
        land("n5", "q5", "m2"),
    ]
    state = played(moves, on="_nine")
    assert (state["1.leader"], state["2.leader"]) == ("n3", "n4")


def test_2_3_the_last_slot_ending_so_closes_the_turn():
    state = played(end("amber", "birch"), adjust("cedar", "stability", -9))
    assert (state["phase"], state["slot"]) == ("closed", None)


def test_2_3_crumbling_comes_after_all_other_consequences():
    """The province is conquered first, with its rewards; then the loser crumbles."""
    state = played(adjust("birch", "stability", -4), BIRCH_DEFEATED)
    assert state["1.outcome"] == "attacker"
    assert (state["b2.owner"], state["b1.owner"]) == ("amber", None)
    assert state["birch.fallen"] is True
    assert state.levels("amber") == (7, 7, 500, 1630, 3)


def test_2_4_prestige_falling_to_1_costs_stability():
    assert played(adjust("amber", "prestige", -4)).levels("amber")[:2] == (6, 2)
    assert played(adjust("amber", "prestige", -5)).levels("amber")[:2] == (5, 1)
    assert played(adjust("amber", "prestige", -6)).levels("amber")[:2] == (5, 0)


def test_2_4_a_fall_from_1_to_0_is_no_crossing():
    moves = [adjust("amber", "prestige", -5), adjust("amber", "prestige", -1)]
    assert played(moves).levels("amber")[:2] == (5, 0)


def test_2_5_income_falling_to_0_costs_two_stability():
    assert played(adjust("amber", "income", -449)).levels("amber")[:3] == (6, 6, 1)
    assert played(adjust("amber", "income", -450)).levels("amber")[:3] == (4, 6, 0)


def test_2_5_income_that_is_0_does_not_fall_again():
    moves = [adjust("amber", "income", -450), adjust("amber", "income", -25)]
    assert played(moves).levels("amber")[:3] == (4, 6, 0)


def test_2_6_one_fall_may_cross_several_thresholds():
    assert played(adjust("amber", "stability", -4)).levels("amber")[:2] == (2, 4)
    assert played(adjust("amber", "stability", -5)).levels("amber")[:2] == (1, 4)


def test_2_6_a_threshold_fires_on_every_downward_crossing():
    moves = [
        adjust("amber", "stability", -3),
        adjust("amber", "stability", 1),
        adjust("amber", "stability", -1),
    ]
    assert played(moves).levels("amber")[:2] == (3, 4)
    assert played(moves[:2]).levels("amber")[:2] == (4, 5)


def test_2_6_consequences_cascade():
    """Stability 3, prestige 1 (2.1), stability 2 (2.4), prestige 0 (2.2)."""
    state = played(move("amber", "tax-increase"), start={"stability": 4, "prestige": 2})
    assert state.levels("amber")[:2] == (2, 0)
    assert state["amber.fallen"] is False


def test_2_6_a_deficit_cascades_into_crumbling():
    """Income 0: stability 3 to 1; prestige -1 for 2.2; the nation crumbles."""
    state = played(adjust("cedar", "income", -450), start={"stability": 3})
    assert state.levels("cedar")[:3] == (1, 5, 0)
    assert state["cedar.fallen"] is True


def test_2_6_levels_stop_at_0_and_have_no_upper_limit():
    fall = [adjust("amber", "prestige", -90), adjust("amber", "income", -9999)]
    assert played(fall).levels("amber")[1:3] == (0, 0)
    rise = [adjust("amber", name, 500) for name in ("stability", "prestige", "income")]
    assert played(rise).levels("amber")[:3] == (506, 506, 950)


def test_2_6_changes_posted_together_cross_once():
    """Defeat -1 and deficit: stability 4 to 3, income 50 to 0, stability 1: each level once."""
    low = {"stability": 4, "income": 50}
    attack = [adjust("amber", "income", 400), adjust("amber", "actions", 1)]
    state = played(attack, land("amber", "a2", "b2"), routed(1, 0, 45), start=low)
    assert state.levels("birch")[:4] == (1, 3, 0, 1570)
    assert state["birch.fallen"] is True


def test_2_6_the_prestige_of_a_defeat_and_of_2_1_add_up():
    """Stability 4 and prestige 3 fall to 3 and 2; 2.1: 1; 2.4: stability 2; 2.2: 0."""
    fall = [adjust("birch", "stability", -2), adjust("birch", "prestige", -3)]
    assert played(fall, BIRCH_DEFEATED).levels("birch")[:2] == (2, 0)


@pytest.mark.parametrize(("prestige", "left"), [(10, 2), (11, 1.5), (15, 1.5)])
def test_2_7_covert_attacks_on_the_prestigious_cost_1(prestige, left):
    moves = [adjust("cedar", "prestige", prestige - 6), covert("amber", "i2", "c2")]
    assert played(moves)["amber.actions"] == left


def test_2_7_half_an_action_is_not_enough_against_11():
    moves = [adjust("cedar", "prestige", 5), covert("amber", "i2", "c2")]
    assert refused(moves, start={"income": 149}) == "not-enough-actions"
    assert played(moves[1:], start={"income": 149})["amber.actions"] == 0


def test_2_7_other_attacks_on_the_prestigious_cost_the_same():
    moves = [adjust("birch", "prestige", 5), land("amber", "a2", "b2")]
    assert played(moves)["amber.actions"] == 1.5


@pytest.mark.parametrize(
    ("before", "after"),
    [(1600, 1630), (1690, 1720), (1691, 1720), (1719, 1720), (1720, 1720), (1800, 1800)],
)
def test_2_8_a_victory_gives_30_up_to_1720(before, after):
    moves = [adjust("amber", "army", before - 1600)] if before != 1600 else []
    state = played(moves, land("amber", "a2", "i1"), routed(1, 0, 45))
    assert state["amber.army"] == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1600, 1570),
        (1510, 1480),
        (1509, 1480),
        (1481, 1480),
        (1480, 1480),
        (1400, 1400),
        (1770, 1740),
    ],
)
def test_2_8_a_defeat_takes_30_down_to_1480(before, after):
    moves = [adjust("amber", "army", before - 1600)] if before != 1600 else []
    state = played(moves, land("amber", "a2", "i1"), routed(1, 45, 0))
    assert state["amber.army"] == after


def test_2_8_a_victory_below_1480_still_gives_30():
    moves = [adjust("amber", "army", -200), land("amber", "a2", "i1"), routed(1, 0, 45)]
    assert played(moves)["amber.army"] == 1430


def test_2_9_a_nation_without_provinces_has_fallen_and_keeps_its_levels():
    moves = [end("amber", "birch"), offer("cedar", "scouts"), give("cedar", "spy"), end("cedar")]
    state = played(moves, OPEN, owner("c2", "amber"), owner("c1", None))
    assert state["cedar.fallen"] is True
    assert state.levels("cedar") == (6, 6, 450, 1600, 0)
    assert (state["cedar.hand"], state["cedar.table"]) == ([], [])
    assert state["c2.owner"] == "amber"


def test_2_9_its_attacks_lapse_and_its_slot_ends():
    moves = [end("amber", "birch"), land("cedar", "c2", "i2")]
    state = played(moves, owner("c2", None), owner("c1", None))
    assert (state["1.outcome"], state["phase"]) == ("lapsed", "closed")


def test_2_9_one_province_is_enough():
    assert played(owner("c2", None))["cedar.fallen"] is False


def test_2_9_the_conquest_of_the_last_province_fells_a_nation():
    """Turn 6 with two nations: west holds its capital only and loses it."""
    moves = [whole(turn, who=TWO) for turn in range(1, 6)]
    moves += [end("west"), owner("w2", "east"), land("east", "w2", "w1"), routed(1, 0, 45)]
    state = played(moves, on="_two")
    assert state["west.fallen"] is True
    assert state["w1.owner"] == "east"
    assert state.levels("west") == (5, 5, 400, 1570, 0)
