"""RULES 4.5, 4.8, 4.9: the cards that change the owners of provinces and make truces."""

import pytest

from tests.grand_campaign.table import (
    adjust,
    covert,
    end,
    fleet,
    fortify,
    give,
    land,
    owner,
    play,
    played,
    refused,
    report,
    respond,
    routed,
    sea,
    to_turn,
    until,
    whole,
)

RISING = give("amber", "local-insurrection")
DIPLOMAT = give("amber", "diplomat")
ANYWHERE = {"diplomat": "anywhere"}
TRAITOR = give("amber", "traitor")


def rise(province, who="amber", **more):
    return play(who, "local-insurrection", province=province, **more)


def treat(nation, who="amber"):
    return play(who, "diplomat", truce=nation)


def betray(province, who="amber"):
    return play(who, "traitor", province=province)


def win(province, who="amber"):
    return play(who, "diplomat", province=province)


def test_4_5_an_insurrection_is_a_challenge():
    state = played(RISING, adjust("amber", "army", -60), rise("b2"))
    assert state["1.kind"] == "insurrection"
    assert state["1.from"] is None
    assert (state["1.attacker"], state["1.defender"]) == ("amber", "birch")
    assert (state["1.target"], state["1.leader"]) == ("b2", None)
    assert (state["1.status"], state["1.battle"]) == ("challenged", "open")
    assert state["1.points"] == {"attacker": 1600, "defender": 1600}
    assert (state["amber.actions"], state["amber.hand"]) == (2.5, ["scouts"])


@pytest.mark.parametrize("battle", ["open", "flank-march", "remove-the-head"])
def test_4_5_its_battle_is_named(battle):
    assert played(RISING, rise("b2", battle=battle))["1.battle"] == battle
    assert refused(RISING, rise("b2", battle="escort-baggage-train")) == "bad-argument"


def test_4_5_the_insurgents_need_a_border_province():
    """a3 touches only its own nation's provinces and an external one; c2 an independent one."""
    moves = [end("amber"), give("birch", "local-insurrection")]
    assert refused(moves, rise("a3", "birch")) == "not-border-province"
    assert played(moves, rise("a2", "birch"))["1.target"] == "a2"
    assert played(moves, rise("c2", "birch"))["1.target"] == "c2"


def test_4_5_a_border_may_arise_in_play():
    moves = [end("amber"), give("birch", "local-insurrection"), owner("a1", "cedar")]
    assert played(moves, rise("a3", "birch"))["1.target"] == "a3"


def test_4_5_where_no_insurrection_is_possible():
    assert refused(RISING, rise("i1")) == "not-allowed"
    assert refused(RISING, rise("a2")) == "own-province"
    assert refused(RISING, rise("x1")) == "external-province"
    assert refused(RISING, rise("nowhere")) == "unknown-province"


def test_4_5_not_a_capital_not_even_on_turn_6():
    moves = [give("east", "local-insurrection"), rise("w1", "east")]
    assert refused(moves, on="_two") == "capital-protected"
    who = ("east", "west")
    late = [to_turn(6, who), until(6, "east", who), owner("w2", None), moves]
    assert refused(late, on="_two") == "capital-protected"


def test_4_5_starting_points_attacked_provinces_and_truces():
    started = [land("amber", "a2", "i1"), end("amber"), give("birch", "local-insurrection")]
    assert refused(started, rise("a2", "birch")) == "starting-point-protected"
    attacked = [RISING, land("amber", "a2", "b2")]
    assert refused(attacked, rise("b2")) == "already-attacked"
    assert refused(attacked, report(1, winner="defender"), rise("b2")) == "already-attacked"
    assert refused(RISING, DIPLOMAT, treat("birch"), rise("b2")) == "truce"


def test_4_5_it_is_not_one_of_the_attacks_of_7_2():
    both = [land("amber", "a2", "i1"), covert("amber", "i2", "c2"), RISING, RISING]
    assert played(both, rise("b2"))["3.kind"] == "insurrection"
    first = [RISING, rise("b2"), land("amber", "a2", "i1"), covert("amber", "i2", "c2")]
    assert played(first)["3.kind"] == "independent"


def test_4_5_it_does_not_count_for_7_6():
    moves = [RISING, rise("b2"), report(1, winner="defender"), whole(1), until(2, "amber")]
    assert played(moves, land("amber", "a2", "b2"))["2.status"] == "challenged"
    attacked = [land("amber", "a2", "b2"), report(1, winner="defender")]
    later = [attacked, whole(1), until(2, "amber"), RISING, rise("b2")]
    assert played(later)["2.kind"] == "insurrection"


def test_4_5_it_may_be_accepted_or_answered_by_withdrawal_not_by_escort():
    moves = [RISING, rise("b2")]
    assert played(moves, respond("birch", 1, "accept"))["1.status"] == "fighting"
    assert refused(moves, respond("birch", 1, "escort")) == "no-escort-right"
    state = played(moves, respond("birch", 1, "withdraw"))
    assert (state["1.outcome"], state["b2.owner"]) == ("withdrawn", None)
    assert state.levels("birch") == (6, 6, 400, 1600, 0)
    assert state.levels("amber") == (6, 6, 450, 1600, 0)


def test_4_5_the_defender_may_play_cards():
    moves = [RISING, give("birch", "reinforcements"), rise("b2")]
    answer = respond("birch", 1, "accept", cards=["reinforcements", "scouts"])
    assert played(moves, answer)["1.points"] == {"attacker": 1600, "defender": 1650}


def test_4_5_the_card_s_player_adds_none():
    added = rise("b2", cards=["scouts"])
    assert refused(RISING, added) == "bad-argument"


def test_4_5_stability_forbids_neither_insurrection_nor_traitor():
    low = {"stability": 2}
    assert played(RISING, rise("b2"), start=low)["1.status"] == "challenged"
    assert played(TRAITOR, betray("b2"), start=low)["b2.owner"] == "amber"


def test_4_8_a_diplomat_wins_an_independent_province():
    state = played(DIPLOMAT, win("i1"))
    assert state["i1.owner"] == "amber"
    assert state.levels("amber") == (6, 6, 500, 1600, 0)
    assert (state["amber.actions"], state["amber.hand"]) == (2.5, ["scouts"])


def test_4_8_by_land_or_by_sea_route():
    assert played(DIPLOMAT, win("i3"))["i3.owner"] == "amber"
    assert refused(DIPLOMAT, win("i2")) == "not-adjacent"


def test_4_8_bordering_is_what_a_record_means_that_says_nothing():
    assert refused(DIPLOMAT, win("i2"), options={"diplomat": "bordering"}) == "not-adjacent"
    assert refused(DIPLOMAT, win("i2")) == "not-adjacent"


def test_4_8_by_option_anywhere():
    state = played(DIPLOMAT, win("i2"), options=ANYWHERE)
    assert state["i2.owner"] == "amber"
    assert state.levels("amber") == (6, 6, 500, 1600, 0)


def test_4_8_anywhere_keeps_every_other_bound():
    assert refused(DIPLOMAT, win("a2"), options=ANYWHERE) == "own-province"
    assert refused(DIPLOMAT, win("b2"), options=ANYWHERE) == "not-independent"
    assert refused(DIPLOMAT, win("x1"), options=ANYWHERE) == "external-province"
    raid = [give("cedar", "diplomat"), land("amber", "a2", "i1"), end("amber"), end("birch")]
    assert refused(raid, win("i1", "cedar"), options=ANYWHERE) == "province-under-attack"
    assert refused(DIPLOMAT, treat("birch"), land("amber", "a2", "b2"), options=ANYWHERE) == "truce"


def test_4_8_independent_provinces_only():
    assert refused(DIPLOMAT, win("a2")) == "own-province"
    assert refused(DIPLOMAT, win("b2")) == "not-independent"
    assert refused(DIPLOMAT, win("x1")) == "external-province"
    assert refused(DIPLOMAT, win("nowhere")) == "unknown-province"


def test_4_8_not_under_attack():
    assert refused(DIPLOMAT, land("amber", "a2", "i1"), win("i1")) == "province-under-attack"
    fought = [DIPLOMAT, land("amber", "a2", "i1"), report(1, winner="draw")]
    assert played(fought, win("i1"))["i1.owner"] == "amber"


def test_4_8_a_truce_to_the_end_of_the_next_turn():
    moves = [DIPLOMAT, treat("birch")]
    assert played(moves)["truces"] == [{"nations": ["amber", "birch"], "until": 2}]
    assert played(moves, whole(1), whole(2)[:-1])["truces"][0]["until"] == 2
    assert played(moves, whole(1), whole(2))["truces"] == []
    turn_2 = [moves, whole(1), land("birch", "b2", "a2")]
    assert refused(turn_2) == "truce"
    turn_3 = [moves, whole(1), whole(2), until(3, "birch"), land("birch", "b2", "a2")]
    assert played(turn_3)["1.status"] == "challenged"


def test_4_8_neither_attacks_the_other():
    moves = [DIPLOMAT, treat("birch")]
    assert refused(moves, land("amber", "a2", "b2")) == "truce"
    assert refused(moves, RISING, rise("b2")) == "truce"
    assert refused(moves, TRAITOR, betray("b2")) == "truce"
    other = [moves, end("amber")]
    assert refused(other, land("birch", "b2", "a2")) == "truce"
    assert refused(other, give("birch", "local-insurrection"), rise("a2", "birch")) == "truce"
    assert refused(other, give("birch", "traitor"), betray("a2", "birch")) == "truce"
    assert refused(DIPLOMAT, treat("cedar"), covert("amber", "i2", "c2")) == "truce"
    sailing = [fleet("amber", "a3"), DIPLOMAT, whole(1), until(2, "amber"), treat("cedar")]
    assert refused(sailing, sea("amber", "a3", "c2")) == "truce"


def test_4_8_others_may_be_attacked():
    moves = [DIPLOMAT, treat("cedar")]
    assert played(moves, land("amber", "a2", "b2"))["1.status"] == "challenged"
    assert played(moves, end("amber"), land("birch", "b2", "a2"))["1.status"] == "challenged"


def test_4_8_battles_already_launched_go_on():
    moves = [DIPLOMAT, land("amber", "a2", "b2"), treat("birch")]
    state = played(moves, report(1, winner="attacker"))
    assert state["b2.owner"] == "amber"


def test_4_8_a_second_truce_keeps_the_later_end():
    twice = give("amber", "diplomat", "diplomat")
    moves = [twice, treat("birch"), whole(1), until(2, "amber"), treat("birch")]
    assert played(moves)["truces"] == [{"nations": ["amber", "birch"], "until": 3}]
    back = [DIPLOMAT, give("birch", "diplomat"), treat("birch"), end("amber")]
    state = played(back, treat("amber", "birch"))
    assert state["truces"] == [{"nations": ["amber", "birch"], "until": 2}]


def test_4_8_truces_are_listed_in_the_order_of_their_making():
    moves = [give("amber", "diplomat", "diplomat"), treat("cedar"), treat("birch")]
    pairs = [truce["nations"] for truce in played(moves)["truces"]]
    assert pairs == [["amber", "cedar"], ["amber", "birch"]]


def test_4_8_one_of_the_two_and_not_with_oneself():
    assert refused(DIPLOMAT, play("amber", "diplomat")) == "bad-argument"
    both = play("amber", "diplomat", province="i1", truce="birch")
    assert refused(DIPLOMAT, both) == "bad-argument"
    assert refused(DIPLOMAT, treat("amber")) == "bad-argument"
    assert refused(DIPLOMAT, treat("egypt")) == "unknown-nation"
    assert refused(DIPLOMAT, adjust("birch", "stability", -9), treat("birch")) == "nation-fallen"


def test_4_9_a_traitor_hands_a_province_over():
    state = played(TRAITOR, betray("b2"))
    assert state["b2.owner"] == "amber"
    assert state.levels("amber") == (6, 6, 500, 1600, 0)
    assert state.levels("birch") == (6, 6, 400, 1600, 0)
    assert (state["amber.actions"], state["amber.hand"]) == (2.5, ["scouts"])


def test_4_9_its_fleet_and_fortifications_are_lost():
    built = [fleet("birch", "b2"), fortify("birch", "b2"), end("birch", "cedar")]
    state = played(built, TRAITOR, betray("b2"), opens="birch")
    assert state["b2.owner"] == "amber"
    assert (state["b2.fleet"], state["b2.fortification"]) == (False, None)


def test_4_9_a_land_border_is_needed():
    """A sea route (a3, c2) is no border."""
    assert refused(TRAITOR, betray("c2")) == "not-adjacent"
    assert played(TRAITOR, owner("i2", "amber"), betray("c2"))["c2.owner"] == "amber"


def test_4_9_where_no_traitor_is_possible():
    assert refused(TRAITOR, betray("i1")) == "not-allowed"
    assert refused(TRAITOR, betray("a2")) == "own-province"
    assert refused(TRAITOR, betray("x1")) == "external-province"
    assert refused(TRAITOR, betray("nowhere")) == "unknown-province"


def test_4_9_not_a_capital():
    moves = [TRAITOR, owner("b2", "amber")]
    assert refused(moves, betray("b1")) == "capital-protected"
    late = [to_turn(6), until(6, "amber")]
    assert refused(late, moves, betray("b1")) == "capital-protected"


def test_4_9_not_under_attack_nor_a_starting_point():
    assert refused(TRAITOR, land("amber", "a2", "b2"), betray("b2")) == "province-under-attack"
    started = [whole(1), land("birch", "b2", "i2"), end("birch", "cedar"), TRAITOR]
    assert refused(started, betray("b2")) == "starting-point-protected"
    ended = [whole(1), land("birch", "b2", "i2"), report(1, winner="draw")]
    ended += [end("birch", "cedar"), TRAITOR]
    assert refused(ended, betray("b2")) == "starting-point-protected"


def test_4_9_an_attack_that_has_ended_does_not_forbid_it():
    moves = [TRAITOR, land("amber", "a2", "b2"), routed(1, 0, 0), betray("b2")]
    assert played(moves)["b2.owner"] == "amber"


def test_4_9_the_loser_may_fall_into_a_deficit():
    state = played(TRAITOR, betray("b2"), start={"income": 50})
    assert state.levels("birch")[:3] == (4, 6, 0)
