"""Situations in which two rules meet; each expectation follows from the rules named."""

import json

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    OPEN,
    START,
    actions,
    adjust,
    covert,
    discard,
    end,
    fleet,
    for_,
    fortify,
    give,
    gm,
    land,
    malformed,
    move,
    offer,
    owner,
    play,
    played,
    record,
    refused,
    report,
    respond,
    sea,
    slots,
    until,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")
WON = report(1, winner="attacker")
FLEETS = [fleet("amber", "a3"), end("amber", "birch"), fleet("cedar", "c2")]
TURN_2 = [end("cedar"), OPEN, until(2, "amber")]
TRAIN = move("amber", "siege-train")


def test_3_10_a_covert_or_insurgent_victory_destroys_the_fleet_too():
    built = [fortify("cedar", "c2"), fleet("cedar", "c2"), end("cedar")]
    dice = {"turn-1/attack/amber/c2/siege": 1}
    state = played(built, covert("amber", "i2", "c2"), WON, opens="cedar", dice=dice)
    assert (state["c2.owner"], state["c2.fleet"]) == ("cedar", False)
    rising = [give("amber", "local-insurrection")]
    rising += [play("amber", "local-insurrection", province="c2")]
    state = played(built, rising, WON, opens="cedar", dice=dice)
    assert (state["c2.fleet"], state["c2.fortification"]) == (False, "ramparts")


@pytest.mark.parametrize(("result", "trains"), [("attacker", 1), ("draw", 1), ("defender", 0)])
def test_9_9_a_train_in_a_naval_battle(result, trains):
    moves = [FLEETS, TURN_2, TRAIN, sea("amber", "a3", "c2", siege_train=True)]
    assert played(moves, report(1, naval=result))["amber.siege_trains"] == trains


def test_9_9_a_train_comes_home_from_a_repulse():
    purpose = "turn-2/attack/amber/c2/naval/"
    dice = {purpose + "attacker": 1, purpose + "defender": 100}
    moves = [FLEETS, TURN_2, TRAIN, sea("amber", "a3", "c2", siege_train=True)]
    state = played(moves, respond("cedar", 1, "accept"), dice=dice)
    assert (state["amber.siege_trains"], state["a3.fleet"]) == (1, False)


def test_9_9_a_train_lost_against_independents():
    moves = [TRAIN, land("amber", "a2", "i1", siege_train=True), report(1, winner="defender")]
    assert played(moves)["amber.siege_trains"] == 0


def test_4_6_hidden_spies_are_counted_by_thief_and_turn():
    fixed = {"turn-1/spy/amber": 1, "turn-1/spy/amber/2": 2, "turn-2/spy/amber": 1}
    moves = [give("amber", "spy", "spy"), give("cedar", "traitor")]
    moves += [play("amber", "spy", target="birch"), play("amber", "spy", target="cedar")]
    state = played(moves, hands="hidden", dice=fixed)
    assert (state["birch.hand"], state["cedar.hand"]) == ([], ["scouts"])
    moves += [whole(1), until(2, "amber"), give("amber", "spy")]
    state = played(moves, play("amber", "spy", target="birch"), hands="hidden", dice=fixed)
    assert state["birch.hand"] == []


def test_4_10_a_bodyguard_on_the_table_guards_no_one():
    moves = [give("amber", "bodyguard", "spy"), offer("amber", "bodyguard"), end("amber")]
    murder = play("birch", "assassin", target="amber", destroy="spy")
    state = played(moves, give("birch", "assassin"), murder)
    assert (state["amber.hand"], state["amber.table"]) == (["scouts"], ["bodyguard"])


def test_4_10_keep_may_be_said_at_any_time():
    keep = move("birch", "keep", card="bodyguard", value=True)
    bodyguard = give("birch", "bodyguard")
    for moves in ([], [CHALLENGE, slots(1)], [slots(1)], [end("amber")]):
        assert played(moves, bodyguard, keep)["birch.hand"] == ["bodyguard", "scouts"]


@pytest.mark.parametrize(
    "wrong",
    [
        play("amber", "chancellor", target="birch"),
        play("amber", "mercenaries", province="a2"),
        play("amber", "spy", target="birch", steal="scouts", province="b2"),
        play("amber", "spy", target="birch", destroy="scouts"),
        play("amber", "traitor", province="b2", target="birch"),
        play("amber", "traitor"),
        play("amber", "assassin", target="birch", steal="spy"),
        play("amber", "assassin", destroy="spy"),
        play("amber", "diplomat", province="i1", target="birch"),
        play("amber", "local-insurrection"),
        play("amber", "local-insurrection", province="b2", siege_train=True),
        play("amber", "spy", steal="scouts"),
    ],
)
def test_arguments_that_a_card_does_not_know_or_lacks(wrong):
    assert refused(give("amber", wrong["card"]), wrong) == "bad-argument"


@pytest.mark.parametrize(
    "wrong",
    [
        {**CHALLENGE, "kind": "insurrection"},
        {**CHALLENGE, "kind": "covert"},
        {**CHALLENGE, "province": "b2"},
        {**CHALLENGE, "leader": "cedar"},
        move("amber", "tax-increase", amount=2),
        move("amber", "barracks", province="a2"),
        move("amber", "fleet", province="a3", title="Argo"),
        move("amber", "end-slot", turn=1),
        {**START, "opens": "amber"},
        {**OPEN, "turn": 2},
        {**for_("amber", "end-slot"), "reason": "deadline"},
    ],
)
def test_arguments_that_a_move_does_not_know(wrong):
    assert refused(wrong) == "bad-argument"


@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"),
    [
        ("16", "44.99999999999999999999999", "draw"),
        ("16", "45.0", "attacker"),
        ("16", "45.00000000000000000000001", "attacker"),
        ("15.00000000000000000000001", "40", "draw"),
        ("1.5e1", "4e1", "attacker"),
        ("15", "39.99999999999999999999999", "draw"),
    ],
)
def test_9_1_shares_are_read_as_decimals(attacker, defender, outcome):
    text = json.dumps(record(CHALLENGE, report(1, routed={"attacker": 77, "defender": 88})))
    state = replay(text.replace("77", attacker).replace("88", defender))
    assert state["attacks"][0]["outcome"] == outcome


def test_other_encodings_are_no_records():
    text = json.dumps(record())
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        assert malformed(text.encode(encoding))


def test_names_in_other_scripts_are_fine():
    result = record(adjust("amber", "income", 5))
    result["scenario"]["name"] = "Ἀνατολή 東 🏛"
    result["moves"][-1]["reason"] = "Δόγμα, “quoted” – ß 𝄞"
    text = json.dumps(result, ensure_ascii=False)
    assert replay(text)["turn"] == replay(text.encode())["turn"] == replay(result)["turn"] == 1


def test_3_2_a_chancellor_and_reforms_add_up():
    moves = [give("amber", "chancellor", "chancellor"), whole(1), until(2, "amber")]
    moves += [play("amber", "chancellor"), play("amber", "chancellor")]
    assert played(moves, dice={"turn-2/event/amber": 71})["amber.actions"] == 5.5


def test_7_5_a_province_won_by_a_diplomat_may_be_attacked():
    won = [give("amber", "diplomat"), play("amber", "diplomat", province="i1"), end("amber")]
    state = played(won, land("birch", "b2", "i1"))
    assert (state["1.defender"], state["1.status"]) == ("amber", "challenged")


def test_7_1_a_conquest_makes_an_opponent_a_neighbour():
    """i1 touches b2; once cedar holds it, birch borders cedar and its covert attack is refused."""
    attack = covert("birch", "i2", "c2")
    assert played(attack, opens="birch")["1.status"] == "challenged"
    assert refused(owner("i1", "cedar"), attack, opens="birch") == "borders-opponent"


def test_4_8_a_diplomat_may_reach_from_a_province_won_a_moment_ago():
    moves = [give("birch", "diplomat", "diplomat")]
    moves += [play("birch", "diplomat", province=place) for place in ("i1", "i2")]
    state = played(moves, opens="birch")
    assert (state["i1.owner"], state["i2.owner"], state["birch.income"]) == ("birch", "birch", 550)


def test_2_8_each_battle_counts_by_itself():
    moves = [adjust("amber", "army", 110), land("amber", "a2", "i1"), WON, end("amber")]
    moves += [land("birch", "b2", "i2"), report(2, winner="defender")]
    state = played(moves)
    assert (state["amber.army"], state["birch.army"]) == (1720, 1570)


def test_7_8_a_challenge_may_be_answered_in_the_attacker_s_slot():
    state = played(CHALLENGE, respond("birch", 1, "accept"), move("amber", "tax-exemption"))
    assert (state["slot"], state["1.status"]) == ("amber", "fighting")


def test_3_7_fortifying_while_a_neighbour_is_attacked():
    """Only the attacked province cannot be fortified; a starting point can."""
    moves = [CHALLENGE, fortify("amber", "a2"), fleet("amber", "a2")]
    state = played(moves)
    assert (state["a2.fortification"], state["a2.fleet"]) == ("ramparts", True)


def test_13_the_discarded_card_has_no_effect():
    moves = [give("amber", "chancellor"), discard("amber", "chancellor")]
    assert refused(moves, play("amber", "chancellor")) == "no-such-card"
    assert played(moves, actions("amber", 1))["amber.actions"] == 3.5


def test_4_9_no_traitor_in_a_capital_whoever_holds_it():
    moves = [
        gm("set-owner", province="c1", owner="birch", reason="test"),
        gm("set-owner", province="c2", owner="amber", reason="test"),
    ]
    traitor = play("amber", "traitor", province="c1")
    assert refused(*moves, traitor, dice={"turn-1/card/amber": 41}) == "capital-protected"


def test_13_set_owner_to_the_present_owner_still_costs_the_works():
    state = played(
        fortify("amber", "a2"), gm("set-owner", province="a2", owner="amber", reason="test")
    )
    assert state["a2.owner"] == "amber"
    assert state["a2.fortification"] is None


def test_7_8_naval_technology_without_encounter_is_named_before_the_hand():
    attack = land("amber", "a2", "i1", cards=["naval-technology"])
    assert refused(attack) == "card-not-playable"


def test_3_10_only_the_fleet_that_carried_is_lost():
    state = played(
        fleet("amber", "a3"),
        end("amber", "birch", "cedar"),
        OPEN,
        until(2, "amber"),
        sea("amber", "a3", "c2"),
        gm("set-owner", province="a3", owner="birch", reason="test"),
        gm("set-owner", province="a3", owner="amber", reason="test"),
        fleet("amber", "a3"),
        respond("cedar", 1, "accept"),
        report(1, winner="defender"),
    )
    assert state["a3.fleet"] is True


def test_a_nation_may_not_name_for():
    for by, whose in (("birch", "amber"), ("amber", "birch"), ("amber", "amber")):
        assert refused({"by": by, "for": whose, "move": "end-slot"}) == "not-allowed"
    assert refused(slots(1), {"by": "birch", "for": "amber", "move": "end-slot"}) == "wrong-phase"
