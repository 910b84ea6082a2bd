"""RULES 2.3 and 2.9 in unusual situations."""

from tests.grand_campaign.table import (
    MINI,
    OPEN,
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
    slots,
    to_turn,
    until,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")
LOST = report(1, winner="defender")
FALLEN = adjust("amber", "stability", -9)


def test_2_3_a_battle_lost_in_one_s_own_slot_may_end_it():
    state = played(land("amber", "a2", "i1"), LOST, start={"stability": 3})
    assert state["amber.stability"] == 2
    low = [land("amber", "a2", "i1"), adjust("amber", "stability", -4), LOST]
    state = played(low)
    assert (state["amber.fallen"], state["slot"]) == (True, "birch")
    assert state["1.outcome"] == "defender"
    assert state["birch.victory_points"] == 1


def test_2_3_the_last_attack_lapsing_closes_the_turn():
    moves = [CHALLENGE, slots(1)]
    assert played(moves)["phase"] == "battles"
    assert played(moves, FALLEN)["phase"] == "closed"
    late = [to_turn(6), end("cedar"), land("amber", "a2", "i1"), end("amber", "birch")]
    assert played(late)["phase"] == "battles"
    assert played(late, FALLEN)["phase"] == "finished"


def test_2_3_crumbling_between_the_turns():
    moves = [slots(1), FALLEN]
    assert played(moves)["phase"] == "closed"
    state = played(moves, OPEN)
    assert (state["order"], state["slot"]) == (["birch", "cedar"], "birch")


def test_2_3_with_no_nation_left_the_turns_pass():
    falls = [adjust(nation, "stability", -9) for nation in MINI]
    state = played(falls)
    assert (state["phase"], state["slot"]) == ("closed", None)
    state = played(falls, OPEN)
    assert (state["turn"], state["order"], state["slot"]) == (2, [], None)


def test_2_3_no_card_and_no_event_for_the_fallen():
    dice = {"turn-2/event/amber": 51}
    state = played(FALLEN, end("birch", "cedar"), OPEN, dice=dice)
    assert (state["amber.hand"], state["amber.stability"]) == ([], 0)


def test_2_3_a_fallen_nation_is_no_target_of_cards():
    cards = give("birch", "spy", "assassin", "diplomat")
    moves = [cards, FALLEN]
    for played_card in (
        play("birch", "spy", target="amber", steal="scouts"),
        play("birch", "assassin", target="amber", destroy="spy"),
        play("birch", "diplomat", truce="amber"),
    ):
        assert refused(moves, played_card) == "nation-fallen"


def test_2_3_its_provinces_are_independent_from_then_on():
    """Attacks need no challenge, the capital is free, and a diplomat wins them."""
    moves = [FALLEN]
    state = played(moves, land("birch", "b2", "a2"))
    assert (state["1.defender"], state["1.leader"], state["1.status"]) == (
        None,
        "cedar",
        "fighting",
    )
    assert played(moves, owner("a2", "birch"), land("birch", "a2", "a1"))["1.target"] == "a1"
    won = [give("birch", "diplomat"), play("birch", "diplomat", province="a2")]
    assert played(moves, won)["a2.owner"] == "birch"
    covertly = [moves, end("birch"), covert("cedar", "a2", "b2")]
    assert played(covertly)["1.from"] == "a2"


def test_2_3_its_truces_and_offers_bind_no_one():
    offered = [move("amber", "offer", card="scouts"), FALLEN]
    taken = move("birch", "take", from_="amber", card="scouts", give="scouts")
    assert refused(offered, taken) in ("nation-fallen", "no-such-card")


def test_2_3_an_amphibious_attacker_s_fleet_is_destroyed():
    moves = [fleet("amber", "a3"), whole(1), until(2, "amber"), sea("amber", "a3", "c2"), FALLEN]
    state = played(moves)
    assert (state["1.outcome"], state["a3.fleet"], state["a3.owner"]) == ("lapsed", False, None)


def test_2_3_a_lapsed_attack_is_not_answered():
    assert refused(CHALLENGE, FALLEN, respond("birch", 1, "accept")) == "already-resolved"


def test_2_3_a_province_whose_attack_lapsed_has_been_attacked_this_turn():
    """7.5 counts the attack, whatever its outcome."""
    moves = [CHALLENGE, FALLEN, end("birch"), owner("i1", "cedar"), land("cedar", "i1", "b2")]
    assert refused(moves) == "already-attacked"


def test_2_9_a_leader_without_provinces_leads_no_more():
    moves = [land("amber", "a2", "i1"), owner("b2", None), owner("b1", None)]
    state = played(moves)
    assert (state["birch.fallen"], state["1.leader"]) == (True, "cedar")
    assert state.levels("birch") == (6, 6, 450, 1600, 0)


def test_2_9_a_covert_victory_may_take_the_last_province():
    """Cedar holds only c2; its capital has another owner."""
    moves = [owner("c1", "birch"), covert("amber", "i2", "c2"), report(1, winner="attacker")]
    state = played(moves)
    assert (state["cedar.fallen"], state["c2.owner"]) == (True, None)
    assert state.levels("cedar") == (5, 5, 400, 1570, 0)


def test_2_9_a_traitor_may_take_the_last_province():
    moves = [owner("b1", None), give("amber", "traitor"), play("amber", "traitor", province="b2")]
    state = played(moves)
    assert state["birch.fallen"] is True
    assert state.levels("birch") == (6, 6, 400, 1600, 0)


def test_2_9_a_withdrawal_may_give_up_the_last_province():
    moves = [owner("b1", None), CHALLENGE, respond("birch", 1, "withdraw")]
    state = played(moves)
    assert (state["birch.fallen"], state["b2.owner"]) == (True, "amber")
    assert state["slot"] == "amber"


def test_2_9_a_nation_with_an_insurrection_running_falls():
    moves = [give("amber", "local-insurrection")]
    moves += [play("amber", "local-insurrection", province="b2"), end("amber")]
    state = played(moves, owner("a1", None), owner("a2", None), owner("a3", None))
    assert (state["amber.fallen"], state["1.outcome"]) == (True, "lapsed")
