"""RULES 7.1 to 7.7: launching attacks (7.8 to 7.11 in `test_7_answers`)."""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    actions,
    adjust,
    covert,
    end,
    fleet,
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
    until,
    whole,
)

A3_SAILS = [fleet("amber", "a3"), whole(1), until(2, "amber")]
DONE = report(1, winner="draw")


LAUNCHED = {
    "id": 1,
    "kind": "land",
    "attacker": "amber",
    "from": "a2",
    "target": "b2",
    "defender": "birch",
    "leader": None,
    "battle": "open",
    "module_attacker": None,
    "points": {"attacker": 1600, "defender": 1600},
    "status": "challenged",
    "outcome": None,
}


def test_7_1_a_land_attack():
    state = played(land("amber", "a2", "b2"))
    assert state["amber.actions"] == 1.5
    assert state["1"] == {**state["1"], **LAUNCHED}


@pytest.mark.parametrize(("income", "enough"), [(149, False), (150, True)])
def test_7_1_a_land_attack_costs_1(income, enough):
    attack = land("amber", "a2", "i1")
    if enough:
        assert played(attack, start={"income": income})["amber.actions"] == 0
    else:
        assert refused(attack, start={"income": income}) == "not-enough-actions"


def test_7_1_from_an_own_province_to_a_land_neighbour_of_another():
    assert refused(land("amber", "b2", "i2")) == "not-owner"
    assert refused(land("amber", "i1", "b2")) == "not-owner"
    assert refused(land("amber", "a2", "a1")) == "own-province"
    assert refused(land("amber", "a2", "i2")) == "not-adjacent"
    assert refused(land("amber", "a3", "c2")) == "not-adjacent"
    assert refused(land("amber", "a2", "nowhere")) == "unknown-province"
    assert refused(land("amber", "nowhere", "b2")) == "unknown-province"


def test_7_1_an_amphibious_attack():
    state = played(A3_SAILS, sea("amber", "a3", "c2"))
    assert state["amber.actions"] == 1
    assert (state["1.kind"], state["1.defender"], state["1.status"]) == (
        "amphibious",
        "cedar",
        "challenged",
    )
    state = played(A3_SAILS, sea("amber", "a3", "i3"))
    assert (state["1.defender"], state["1.status"]) == (None, "fighting")


@pytest.mark.parametrize(("left", "enough"), [(-1.5, False), (-1, True)])
def test_7_1_an_amphibious_attack_costs_1_and_a_half(left, enough):
    moves = [A3_SAILS, actions("amber", left), sea("amber", "a3", "c2")]
    if enough:
        assert played(moves)["amber.actions"] == 0
    else:
        assert refused(moves) == "not-enough-actions"


def test_7_1_an_amphibious_attack_needs_a_fleet_and_a_sea_route():
    assert refused(sea("amber", "a3", "c2")) == "no-fleet"
    assert refused(A3_SAILS, sea("amber", "a3", "i1")) == "no-sea-route"
    by_land = [fleet("amber", "a2"), whole(1), until(2, "amber"), sea("amber", "a2", "b2")]
    assert refused(by_land) == "not-allowed"
    assert refused(A3_SAILS, owner("c2", "amber"), sea("amber", "a3", "c2")) == "own-province"
    assert refused(sea("amber", "c2", "i3")) == "not-owner"


def test_7_1_an_independent_attack():
    state = played(covert("amber", "i2", "c2"))
    assert state["amber.actions"] == 2
    assert (state["1.kind"], state["1.from"], state["1.defender"]) == ("independent", "i2", "cedar")
    assert (state["1.attacker"], state["1.leader"]) == ("amber", None)
    assert state["1.status"] == "challenged"


@pytest.mark.parametrize(("income", "enough"), [(49, False), (50, True)])
def test_7_1_an_independent_attack_costs_a_half(income, enough):
    attack = covert("amber", "i2", "c2")
    if enough:
        assert played(attack, start={"income": income})["amber.actions"] == 0
    else:
        assert refused(attack, start={"income": income}) == "not-enough-actions"


def test_7_1_an_independent_attack_wants_an_opponent_without_a_common_border():
    assert refused(covert("amber", "i2", "b2")) == "borders-opponent"
    assert refused(covert("amber", "i1", "b2")) == "borders-opponent"
    touching = [owner("i3", "amber"), covert("amber", "i2", "c2")]
    assert refused(touching) == "borders-opponent"


def test_7_1_a_common_external_neighbour_or_sea_route_is_no_border():
    """x1 touches a3 and c2, and a3 and c2 share a route."""
    assert played(covert("amber", "i3", "c2"))["1.kind"] == "independent"


def test_7_1_from_an_independent_province_to_its_neighbour():
    assert refused(covert("amber", "b2", "c2")) == "not-independent"
    assert refused(covert("amber", "a2", "c2")) == "not-independent"
    assert refused(covert("amber", "i1", "c2")) == "not-adjacent"
    assert refused(covert("amber", "i1", "i2")) == "not-allowed"
    assert refused(covert("amber", "i1", "a2")) == "own-province"


def test_7_2_one_land_or_amphibious_attack_a_turn():
    moves = [actions("amber", 5), land("amber", "a2", "b2"), owner("i2", "amber")]
    assert refused(moves, land("amber", "i2", "c2")) == "attack-limit"
    both = [A3_SAILS, actions("amber", 5), land("amber", "a2", "b2"), sea("amber", "a3", "c2")]
    assert refused(both) == "attack-limit"


def test_7_2_one_independent_attack_a_turn():
    moves = [covert("cedar", "i2", "b2"), covert("cedar", "i1", "a2")]
    assert refused(moves, opens="cedar") == "attack-limit"


def test_7_2_one_of_each():
    moves = [land("amber", "a2", "b2"), covert("amber", "i2", "c2")]
    state = played(moves)
    assert [attack["id"] for attack in state["attacks"]] == [1, 2]
    assert state["amber.actions"] == 1


@pytest.mark.parametrize("winner", ["attacker", "defender", "draw"])
def test_7_2_whatever_their_outcome(winner):
    moves = [actions("amber", 5), land("amber", "a2", "b2"), report(1, winner=winner)]
    assert refused(moves, owner("i2", "amber"), land("amber", "i2", "c2")) == "attack-limit"


def test_7_2_a_lapsed_attack_counts_too():
    moves = [actions("amber", 5), land("amber", "a2", "b2"), adjust("birch", "stability", -9)]
    assert refused(moves, owner("i2", "amber"), land("amber", "i2", "c2")) == "attack-limit"


RUNNING = {"attack_limit": "running"}
SECOND = [owner("i2", "amber"), land("amber", "i2", "c2")]


@pytest.mark.parametrize("winner", ["attacker", "defender", "draw"])
def test_7_2_by_option_only_attacks_that_are_not_over_count(winner):
    moves = [actions("amber", 5), land("amber", "a2", "b2"), report(1, winner=winner)]
    assert refused(moves, SECOND, options={"attack_limit": "turn"}) == "attack-limit"
    assert played(moves, SECOND, options=RUNNING)["2.status"] == "challenged"


def test_7_2_running_counts_challenges_and_battles():
    launched = [actions("amber", 5), land("amber", "a2", "b2")]
    assert refused(launched, SECOND, options=RUNNING) == "attack-limit"
    assert (
        refused(launched, respond("birch", 1, "accept"), SECOND, options=RUNNING) == "attack-limit"
    )
    withdrawn = respond("birch", 1, "withdraw")
    assert played(launched, withdrawn, SECOND, options=RUNNING)["2.status"] == "challenged"
    fell = adjust("birch", "stability", -9)
    assert played(launched, fell, SECOND, options=RUNNING)["1.outcome"] == "lapsed"


def test_7_2_running_counts_both_sorts_apart_and_no_insurrection():
    rising = [
        give("amber", "local-insurrection"),
        play("amber", "local-insurrection", province="c2"),
    ]
    state = played(actions("amber", 5), rising, land("amber", "a2", "b2"), options=RUNNING)
    assert [attack["kind"] for attack in state["attacks"]] == ["insurrection", "land"]
    covered = [actions("amber", 5), land("amber", "a2", "b2"), covert("amber", "i2", "c2")]
    assert played(covered, options=RUNNING)["2.kind"] == "independent"


def test_7_2_running_a_covert_attack_after_another():
    setting = {"opens": "cedar", "options": RUNNING}
    moves = [covert("cedar", "i2", "b2"), covert("cedar", "i1", "a2")]
    assert refused(moves, **setting) == "attack-limit"
    over = [moves[0], report(1, winner="draw"), moves[1]]
    assert played(over, **setting)["2.status"] == "challenged"


def test_7_2_running_0_still_means_none():
    none = {"attacks_per_turn": {"overt": 0, "covert": 0}}
    assert refused(land("amber", "a2", "b2"), rules=none, options=RUNNING) == "attack-limit"
    assert refused(covert("amber", "i2", "c2"), rules=none, options=RUNNING) == "attack-limit"


def test_7_2_running_leaves_7_3_to_7_6_as_they_are():
    first = [
        actions("amber", 5),
        owner("i2", "amber"),
        land("amber", "a2", "b2"),
        report(1, winner="draw"),
    ]
    assert refused(first, land("amber", "a2", "i1"), options=RUNNING) == "starting-point-used"
    assert refused(first, land("amber", "i2", "b2"), options=RUNNING) == "already-attacked"
    again = [*first, whole(1), until(2, "amber"), land("amber", "a2", "b2")]
    assert refused(again, options=RUNNING) == "repeat-attack"
    shielded = [*first, end("amber"), land("birch", "b2", "a2")]
    assert refused(shielded, options=RUNNING) == "starting-point-protected"


def test_7_3_an_independent_or_external_starting_point_under_attack_is_barred():
    moves = [land("amber", "a2", "i1"), end("amber"), end("birch"), covert("cedar", "i1", "a2")]
    assert refused(moves) == "starting-point-under-attack"


def test_7_2_next_turn_again():
    moves = [land("amber", "a2", "b2"), DONE, whole(1), until(2, "amber")]
    assert played(moves, land("amber", "a2", "i1"))["2.id"] == 2


def test_7_3_a_starting_point_must_not_be_under_attack():
    moves = [land("amber", "a2", "b2"), end("amber"), land("birch", "b2", "i2")]
    assert refused(moves) == "starting-point-under-attack"
    held = [land("amber", "a2", "b2"), DONE, end("amber"), land("birch", "b2", "i2")]
    assert played(held)["2.from"] == "b2"


def test_7_3_nor_an_independent_one():
    moves = [land("amber", "a2", "i1"), end("amber", "birch"), covert("cedar", "i1", "b2")]
    assert refused(moves) == "starting-point-under-attack"


def test_7_3_a_starting_point_of_one_attack_a_turn():
    moves = [covert("amber", "i2", "c2"), end("amber", "birch"), covert("cedar", "i2", "b2")]
    assert refused(moves) == "starting-point-used"
    ended = [covert("amber", "i2", "c2"), DONE, end("amber", "birch"), covert("cedar", "i2", "b2")]
    assert refused(ended) == "starting-point-used"


def test_7_3_also_after_it_has_changed_hands():
    moves = [land("amber", "a2", "i1"), DONE, owner("a2", "birch"), end("amber")]
    assert refused(moves, land("birch", "a2", "i1")) == "starting-point-used"


def test_7_4_a_starting_point_is_protected():
    moves = [land("amber", "a2", "i1"), end("amber"), land("birch", "b2", "a2")]
    assert refused(moves) == "starting-point-protected"


def test_7_4_for_that_whole_turn():
    moves = [land("amber", "a2", "i1"), DONE, end("amber"), land("birch", "b2", "a2")]
    assert refused(moves) == "starting-point-protected"
    later = [land("amber", "a2", "i1"), DONE, whole(1), land("birch", "b2", "a2")]
    assert played(later)["2.target"] == "a2"


def test_7_4_an_independent_one_too_but_a_diplomat_may_win_it():
    moves = [covert("amber", "i2", "c2"), end("amber")]
    assert refused(moves, land("birch", "b2", "i2")) == "starting-point-protected"
    won = [give("birch", "diplomat"), play("birch", "diplomat", province="i2")]
    assert played(moves, won)["i2.owner"] == "birch"


def test_7_5_a_province_is_attacked_once_a_turn():
    moves = [land("amber", "a2", "i1"), end("amber"), land("birch", "b2", "i1")]
    assert refused(moves) == "already-attacked"
    ended = [land("amber", "a2", "i1"), DONE, end("amber"), land("birch", "b2", "i1")]
    assert refused(ended) == "already-attacked"
    won = [land("amber", "a2", "i1"), report(1, winner="attacker"), end("amber")]
    assert refused(won, land("birch", "b2", "i1")) == "already-attacked"


def test_7_5_insurrections_included():
    rising = [give("cedar", "local-insurrection")]
    rising += [play("cedar", "local-insurrection", province="b2"), end("cedar")]
    assert refused(rising, land("amber", "a2", "b2"), opens="cedar") == "already-attacked"


def test_7_5_next_turn_by_another():
    moves = [land("amber", "a2", "i1"), DONE, whole(1), land("birch", "b2", "i1")]
    assert played(moves)["2.target"] == "i1"


def test_7_6_not_again_in_the_next_turn_but_in_the_one_after():
    attack = land("amber", "a2", "i1")
    next_turn = [attack, DONE, whole(1), until(2, "amber")]
    assert refused(next_turn, attack) == "repeat-attack"
    after = [attack, DONE, whole(1), whole(2), until(3, "amber")]
    assert played(after, attack)["2.target"] == "i1"


@pytest.mark.parametrize("winner", ["attacker", "defender", "draw"])
def test_7_6_whatever_the_outcome_and_the_present_owner(winner):
    moves = [land("amber", "a2", "i1"), report(1, winner=winner), owner("i1", "birch")]
    moves += [whole(1), until(2, "amber"), land("amber", "a2", "i1")]
    assert refused(moves) == "repeat-attack"


def test_7_6_by_any_kind_of_attack():
    moves = [fleet("amber", "a3"), covert("amber", "i2", "c2"), DONE, whole(1), until(2, "amber")]
    assert refused(moves, sea("amber", "a3", "c2")) == "repeat-attack"
    assert refused(moves, covert("amber", "i3", "c2")) == "repeat-attack"


def test_7_6_a_withdrawal_or_a_lapse_was_an_attack():
    moves = [land("amber", "a2", "b2"), respond("birch", 1, "withdraw"), owner("b2", "birch")]
    moves += [whole(1), until(2, "amber"), land("amber", "a2", "b2")]
    assert refused(moves) == "repeat-attack"
    lapsed = [land("amber", "a2", "b2"), adjust("birch", "stability", -9), end("amber", "cedar")]
    lapsed += [OPEN, end("cedar"), land("amber", "a2", "b2")]
    assert refused(lapsed) == "repeat-attack"


@pytest.mark.parametrize("battle", ["open", "flank-march", "remove-the-head"])
def test_7_7_the_attacker_names_the_battle(battle):
    assert played(land("amber", "a2", "b2", battle=battle))["1.battle"] == battle
    assert played(covert("amber", "i2", "c2", battle=battle))["1.battle"] == battle


def test_7_7_other_battles_are_unknown():
    assert refused(land("amber", "a2", "b2", battle="siege")) == "bad-argument"
    assert refused({**land("amber", "a2", "b2"), "kind": "naval"}) == "bad-argument"


def test_7_7_a_siege_train_goes_with_own_army_attacks_only():
    train = move("amber", "siege-train")
    attack = covert("amber", "i2", "c2", siege_train=True)
    assert refused(train, attack) == "bad-argument"
    assert refused(land("amber", "a2", "b2", siege_train=True)) == "no-siege-train"
    assert played(land("amber", "a2", "b2", siege_train=False))["1.id"] == 1


def test_7_7_cards_on_a_covert_attack():
    reinforced = covert("amber", "i2", "c2", cards=["reinforcements"])
    assert refused(give("amber", "reinforcements"), reinforced) == "bad-argument"
    assert played(covert("amber", "i2", "c2", cards=["scouts"]))["amber.hand"] == []
    ambush = covert("amber", "i2", "c2", cards=["ambush"], battle="escort-baggage-train")
    assert played(give("amber", "ambush"), ambush)["1.module_attacker"] == "attacker"


def test_7_7_cards_that_cannot_go_along():
    for card in ("spy", "bodyguard", "mercenaries", "diplomat", "local-insurrection"):
        attack = land("amber", "a2", "b2", cards=[card])
        assert refused(give("amber", card), attack) == "card-not-playable"
