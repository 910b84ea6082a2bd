"""RULES 4: drawing, holding, trading and most cards (4.5, 4.8, 4.9 in `test_4_provinces`)."""

import pytest

from tests.grand_campaign.table import (
    adjust,
    discard,
    end,
    for_,
    give,
    land,
    move,
    offer,
    play,
    played,
    refused,
    report,
    respond,
    take,
    until,
    whole,
)


@pytest.mark.parametrize(
    ("low", "high", "card"),
    [
        (1, 10, "local-insurrection"),
        (11, 20, "spy"),
        (21, 30, "chancellor"),
        (31, 40, "diplomat"),
        (41, 45, "traitor"),
        (46, 50, "assassin"),
        (51, 55, "bodyguard"),
        (56, 60, "naval-technology"),
        (61, 65, "ambush"),
        (66, 75, "reinforcements"),
        (76, 90, "mercenaries"),
        (91, 100, "scouts"),
    ],
)
def test_4_0_cards_are_drawn_by_d100(low, high, card):
    dice = {"turn-1/card/amber": low, "turn-1/card/birch": high}
    state = played(dice=dice)
    assert (state["amber.hand"], state["birch.hand"]) == ([card], [card])
    assert state["cedar.hand"] == ["scouts"]


def test_4_0_several_of_a_kind_may_be_held_and_a_played_card_is_gone():
    moves = give("amber", "chancellor", "chancellor")
    assert played(moves)["amber.hand"] == ["chancellor", "chancellor", "scouts"]
    assert played(moves, play("amber", "chancellor"))["amber.hand"] == ["chancellor", "scouts"]


def test_4_1_cards_are_played_in_one_s_own_slot():
    moves = give("birch", "chancellor")
    assert refused(moves, play("birch", "chancellor")) == "not-your-slot"
    assert played(moves, end("amber"), play("birch", "chancellor"))["birch.actions"] == 3.5


def test_4_1_a_card_that_is_not_in_the_hand():
    assert refused(play("amber", "chancellor")) == "no-such-card"
    moves = give("amber", "chancellor")
    assert refused(moves, *[play("amber", "chancellor")] * 2) == "no-such-card"


@pytest.mark.parametrize(
    "card", ["ambush", "bodyguard", "naval-technology", "reinforcements", "scouts"]
)
def test_4_1_cards_that_are_not_played_by_themselves(card):
    assert refused(give("amber", card), play("amber", card)) == "card-not-playable"


def test_4_2_open_hands_name_the_stolen_card_hidden_ones_do_not():
    moves = give("amber", "spy")
    unnamed = play("amber", "spy", target="birch")
    named = play("amber", "spy", target="birch", steal="scouts")
    assert refused(moves, unnamed) == "bad-argument"
    assert refused(moves, named, hands="hidden") == "bad-argument"
    dice = {"turn-1/spy/amber": 1}
    assert played(moves, unnamed, hands="hidden", dice=dice)["birch.hand"] == []
    assert played(moves, named)["birch.hand"] == []


def test_4_3_a_card_is_put_on_the_table():
    moves = [give("amber", "spy"), offer("amber", "spy")]
    state = played(moves)
    assert (state["amber.hand"], state["amber.table"]) == (["scouts"], ["spy"])
    assert state["amber.actions"] == 2.5


def test_4_3_offers_are_made_in_one_s_own_slot_of_cards_in_hand():
    assert refused(offer("birch", "scouts")) == "not-your-slot"
    assert refused(offer("amber", "spy")) == "no-such-card"
    assert refused(offer("amber", "scouts"), offer("amber", "scouts")) == "no-such-card"


def test_4_3_a_card_on_the_table_is_neither_stolen_nor_destroyed_nor_played():
    moves = [give("amber", "spy"), offer("amber", "spy")]
    dear = play("amber", "spy", target="birch", steal="scouts")
    assert refused(moves, dear) == "no-such-card"
    thief = [moves, end("amber"), give("birch", "spy", "assassin")]
    theft = play("birch", "spy", target="amber", steal="spy")
    assert refused(thief, theft) == "no-such-card"
    murder = play("birch", "assassin", target="amber", destroy="spy")
    assert refused(thief, murder) == "no-such-card"


def test_4_3_another_nation_takes_it_for_a_card_of_its_hand():
    moves = [give("amber", "spy"), offer("amber", "spy"), end("amber")]
    state = played(moves, take("birch", "amber", "spy", "scouts"))
    assert (state["amber.hand"], state["amber.table"]) == (["scouts", "scouts"], [])
    assert state["birch.hand"] == ["spy"]
    later = [*moves, *end("birch"), take("cedar", "amber", "spy", "scouts")]
    assert played(later)["cedar.hand"] == ["spy"]


def test_4_3_taking_is_for_one_s_own_slot():
    moves = [offer("amber", "scouts")]
    assert refused(moves, take("birch", "amber", "scouts", "scouts")) == "not-your-slot"


def test_4_3_what_cannot_be_taken_or_given():
    moves = [give("amber", "spy"), offer("amber", "spy"), end("amber")]
    assert refused(moves, take("birch", "amber", "traitor", "scouts")) == "no-such-card"
    assert refused(moves, take("birch", "amber", "spy", "traitor")) == "no-such-card"
    assert refused(moves, take("birch", "amber", "scouts", "scouts")) == "no-such-card"
    assert (
        refused(offer("amber", "scouts"), take("amber", "amber", "scouts", "scouts"))
        == "bad-argument"
    )
    once = take("birch", "amber", "spy", "scouts")
    again = [give("cedar", "ambush"), end("birch"), take("cedar", "amber", "spy", "ambush")]
    assert refused(moves, once, again) == "no-such-card"


def test_4_3_a_card_on_one_s_own_table_is_not_given():
    moves = [offer("amber", "scouts"), end("amber"), offer("birch", "scouts")]
    assert refused(moves, take("birch", "amber", "scouts", "scouts")) == "no-such-card"


def test_4_3_untaken_cards_go_back_when_the_owner_s_next_slot_opens():
    moves = [give("amber", "spy"), offer("amber", "spy"), whole(1), until(2, "cedar")]
    assert played(moves)["amber.table"] == ["spy"]
    taken = played(moves, take("cedar", "amber", "spy", "scouts"))
    assert taken["cedar.hand"] == ["scouts", "spy"]
    state = played(moves, end("cedar"))
    assert (state["slot"], state["amber.table"]) == ("amber", [])
    assert state["amber.hand"] == ["scouts", "scouts", "spy"]


def test_4_4_reactions_when_challenged():
    moves = [give("birch", "reinforcements"), land("amber", "a2", "b2")]
    both = respond("birch", 1, "accept", cards=["reinforcements", "scouts"])
    state = played(moves, both)
    assert state["birch.hand"] == []
    assert state["1.points"] == {"attacker": 1600, "defender": 1650}
    assert state["birch.army"] == 1600


def test_4_4_reactions_with_an_escort():
    moves = [land("amber", "a2", "b2"), respond("birch", 1, "escort", cards=["scouts"])]
    state = played(moves, dice={"turn-1/attack/amber/b2/escort": 1})
    assert (state["birch.hand"], state["1.battle"]) == ([], "open")


@pytest.mark.parametrize(
    "card",
    [
        "ambush",
        "assassin",
        "bodyguard",
        "chancellor",
        "diplomat",
        "local-insurrection",
        "mercenaries",
        "naval-technology",
        "spy",
        "traitor",
    ],
)
def test_4_4_other_cards_are_no_reactions(card):
    """Naval Technology is none either: there is no encounter by land."""
    moves = [give("birch", card), land("amber", "a2", "b2")]
    answer = respond("birch", 1, "accept", cards=[card])
    assert refused(moves, answer) == "card-not-playable"


def test_4_4_at_most_one_of_each_kind():
    moves = [give("birch", "scouts"), land("amber", "a2", "b2")]
    twice = respond("birch", 1, "accept", cards=["scouts", "scouts"])
    assert refused(moves, twice) == "bad-argument"
    attack = land("amber", "a2", "b2", cards=["scouts", "scouts"])
    assert refused(give("amber", "scouts"), attack) == "bad-argument"


def test_4_4_reactions_are_cards_in_hand():
    missing = respond("birch", 1, "accept", cards=["reinforcements"])
    assert refused(land("amber", "a2", "b2"), missing) == "no-such-card"


def test_4_4_the_attacker_plays_them_at_launch():
    cards = ["reinforcements", "scouts"]
    state = played(give("amber", "reinforcements"), land("amber", "a2", "b2", cards=cards))
    assert state["1.points"] == {"attacker": 1650, "defender": 1600}
    assert (state["amber.hand"], state["amber.army"]) == ([], 1600)
    technology = land("amber", "a2", "b2", cards=["naval-technology"])
    assert refused(give("amber", "naval-technology"), technology) == "card-not-playable"


def test_4_6_a_spy_steals_a_card():
    moves = [give("amber", "spy"), give("birch", "traitor")]
    state = played(moves, play("amber", "spy", target="birch", steal="traitor"))
    assert state["amber.hand"] == ["scouts", "traitor"]
    assert state["birch.hand"] == ["scouts"]
    assert state["amber.actions"] == 2.5


def test_4_6_refused_against_an_empty_hand_or_for_a_card_not_there():
    moves = give("amber", "spy")
    theft = play("amber", "spy", target="birch", steal="traitor")
    assert refused(moves, theft) == "no-such-card"
    empty = [give("amber", "spy"), discard("cedar", "scouts")]
    assert refused(empty, play("amber", "spy", target="cedar", steal="scouts")) == "no-such-card"
    hidden = [empty, play("amber", "spy", target="cedar")]
    assert refused(hidden, hands="hidden") == "no-such-card"


def test_4_6_not_on_oneself():
    assert (
        refused(give("amber", "spy"), play("amber", "spy", target="amber", steal="scouts"))
        == "bad-argument"
    )


@pytest.mark.parametrize(
    ("roll", "stolen", "left"),
    [
        (1, "assassin", ["scouts", "traitor"]),
        (2, "scouts", ["assassin", "traitor"]),
        (3, "traitor", ["assassin", "scouts"]),
    ],
)
def test_4_6_hidden_hands_a_roll_counts_through_the_hand(roll, stolen, left):
    moves = [give("amber", "spy"), give("birch", "traitor", "assassin")]
    dice = {"turn-1/spy/amber": roll}
    state = played(moves, play("amber", "spy", target="birch"), hands="hidden", dice=dice)
    assert state["birch.hand"] == left
    assert state["amber.hand"] == sorted(["scouts", stolen])


def test_4_6_hidden_hands_a_second_spy_has_a_purpose_of_its_own():
    moves = [give("amber", "spy", "spy"), give("birch", "traitor", "assassin")]
    dice = {"turn-1/spy/amber": 3, "turn-1/spy/amber/2": 1}
    spies = [play("amber", "spy", target="birch")] * 2
    assert played(moves, spies, hands="hidden", dice=dice)["birch.hand"] == ["scouts"]


def test_4_6_hidden_hands_an_index_beyond_the_hand():
    moves = [give("amber", "spy"), play("amber", "spy", target="birch")]
    assert refused(moves, hands="hidden", dice={"turn-1/spy/amber": 2}) == "bad-argument"


def test_4_7_a_chancellor_gives_an_action():
    state = played(give("amber", "chancellor"), play("amber", "chancellor"))
    assert (state["amber.actions"], state["amber.hand"]) == (3.5, ["scouts"])


@pytest.mark.parametrize("kind", ["spy", "chancellor", "diplomat", "traitor"])
def test_4_10_an_assassin_destroys_one_of_four_kinds(kind):
    moves = [give("amber", "assassin"), give("birch", kind, kind)]
    state = played(moves, play("amber", "assassin", target="birch", destroy=kind))
    assert state["birch.hand"] == sorted([kind, "scouts"])
    assert state["amber.hand"] == ["scouts"]


@pytest.mark.parametrize(
    "kind", ["scouts", "bodyguard", "assassin", "mercenaries", "local-insurrection", "ambush"]
)
def test_4_10_and_no_other(kind):
    moves = [give("amber", "assassin"), give("birch", kind)]
    murder = play("amber", "assassin", target="birch", destroy=kind)
    assert refused(moves, murder) == "bad-argument"


def test_4_10_open_hands_the_card_must_be_there():
    murder = play("amber", "assassin", target="birch", destroy="spy")
    assert refused(give("amber", "assassin"), murder) == "no-such-card"
    oneself = play("amber", "assassin", target="amber", destroy="spy")
    assert refused(give("amber", "assassin", "spy"), oneself) == "bad-argument"


def test_4_10_a_bodyguard_prevents_it_and_is_discarded():
    moves = [give("amber", "assassin"), give("birch", "spy", "bodyguard")]
    murder = play("amber", "assassin", target="birch", destroy="spy")
    state = played(moves, murder)
    assert state["birch.hand"] == ["scouts", "spy"]
    assert state["amber.hand"] == ["scouts"]


def test_4_10_keep_holds_the_bodyguard_back():
    moves = [give("amber", "assassin"), give("birch", "spy", "bodyguard")]
    keep = move("birch", "keep", card="bodyguard", value=True)
    murder = play("amber", "assassin", target="birch", destroy="spy")
    assert played(moves, keep, murder)["birch.hand"] == ["bodyguard", "scouts"]
    loose = move("birch", "keep", card="bodyguard", value=False)
    assert played(moves, keep, loose, murder)["birch.hand"] == ["scouts", "spy"]
    desk = for_("birch", "keep", card="bodyguard", value=True)
    assert played(moves, desk, murder)["birch.hand"] == ["bodyguard", "scouts"]


def test_4_10_one_bodyguard_is_spent_on_one_assassin():
    moves = [give("amber", "assassin", "assassin"), give("birch", "spy", "bodyguard")]
    murder = play("amber", "assassin", target="birch", destroy="spy")
    assert played(moves, murder, murder)["birch.hand"] == ["scouts"]


def test_4_10_hidden_hands_an_absent_kind_changes_nothing():
    moves = [give("amber", "assassin"), give("birch", "bodyguard")]
    murder = play("amber", "assassin", target="birch", destroy="spy")
    state = played(moves, murder, hands="hidden")
    assert state["birch.hand"] == ["bodyguard", "scouts"]
    assert state["amber.hand"] == ["scouts"]


def test_4_10_hidden_hands_a_present_kind():
    moves = [give("amber", "assassin", "assassin"), give("birch", "bodyguard", "spy")]
    murder = play("amber", "assassin", target="birch", destroy="spy")
    assert played(moves, murder, hands="hidden")["birch.hand"] == ["scouts", "spy"]
    assert played(moves, murder, murder, hands="hidden")["birch.hand"] == ["scouts"]


def test_4_12_an_ambush_makes_the_attack_an_escort_baggage_train():
    attack = land("amber", "a2", "b2", battle="escort-baggage-train", cards=["ambush"])
    state = played(give("amber", "ambush"), attack)
    assert state["1.battle"] == "escort-baggage-train"
    assert state["1.module_attacker"] == "attacker"
    assert state["amber.hand"] == ["scouts"]


def test_4_12_no_escort_baggage_train_without_ambush():
    attack = land("amber", "a2", "b2", battle="escort-baggage-train")
    assert refused(attack) == "bad-argument"
    assert refused(give("amber", "ambush"), attack) == "bad-argument"
    unheld = {**attack, "cards": ["ambush"]}
    assert refused(unheld) == "no-such-card"


def test_4_13_reinforcements_for_one_battle_only():
    moves = [give("amber", "reinforcements")]
    attack = land("amber", "a2", "i1", cards=["reinforcements"])
    state = played(moves, attack, report(1, winner="draw"))
    assert state["1.points"] == {"attacker": 1650, "defender": 1600}
    assert state["amber.army"] == 1600


@pytest.mark.parametrize(
    ("army", "after"), [(1480, 1500), (1580, 1600), (1581, 1600), (1599, 1600)]
)
def test_4_14_mercenaries_replenish_a_depleted_army(army, after):
    moves = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    state = played(moves, start={"army": army})
    assert state.levels("amber") == (6, 6, 425, after, 0)
    assert (state["amber.hand"], state["amber.actions"]) == (["scouts"], 2.5)


@pytest.mark.parametrize("army", [1600, 1601, 1720])
def test_4_14_no_mercenaries_for_a_full_army(army):
    moves = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    assert refused(moves, start={"army": army}) == "army-not-depleted"


def test_4_14_mercenaries_need_25t():
    moves = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    poor = {"army": 1500, "income": 24}
    assert refused(moves, start=poor) == "income-too-low"
    assert played(moves, start={**poor, "income": 25})["amber.income"] == 0


def test_4_15_scouts_are_played_by_both_sides():
    moves = land("amber", "a2", "b2", cards=["scouts"])
    state = played(moves, respond("birch", 1, "accept", cards=["scouts"]))
    assert (state["amber.hand"], state["birch.hand"]) == ([], [])
    assert state["1.status"] == "fighting"


def test_4_6_no_spy_against_the_fallen():
    moves = [give("amber", "spy"), adjust("birch", "stability", -9)]
    theft = play("amber", "spy", target="birch", steal="scouts")
    assert refused(moves, theft) == "nation-fallen"
