"""RULES 7.8 to 7.11: answers, leaders, strengths.

7.11 (large armies, wide map, side A) belongs to the set-up sheet; the state keeps only what
differs.
"""

import pytest

from games.grand_campaign.rules.scenario import load
from tests.grand_campaign.table import (
    adjust,
    covert,
    end,
    for_,
    give,
    land,
    owner,
    play,
    played,
    refused,
    report,
    respond,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")
ESCORT = "turn-1/attack/amber/b2/escort"


def test_7_8_an_attack_on_a_nation_is_a_challenge():
    assert played(CHALLENGE)["1.status"] == "challenged"
    state = played(CHALLENGE, respond("birch", 1, "accept"))
    assert (state["1.status"], state["1.battle"], state["1.outcome"]) == ("fighting", "open", None)


def test_7_8_only_the_challenged_nation_answers():
    assert refused(CHALLENGE, respond("cedar", 1, "accept")) == "not-allowed"
    assert refused(CHALLENGE, respond("amber", 1, "accept")) == "not-allowed"
    assert (
        played(CHALLENGE, for_("birch", "respond", attack=1, choice="accept"))["1.status"]
        == "fighting"
    )


def test_7_8_once_an_attack():
    moves = [CHALLENGE, respond("birch", 1, "accept")]
    assert refused(moves, respond("birch", 1, "accept")) == "not-challenged"
    assert refused(moves, respond("birch", 1, "withdraw")) == "not-challenged"
    assert refused(CHALLENGE, respond("birch", 1, "surrender")) == "bad-argument"


def test_7_8_answers_are_not_bound_to_slots():
    moves = [CHALLENGE, end("amber", "birch", "cedar"), respond("birch", 1, "accept")]
    assert played(moves)["1.status"] == "fighting"
    assert played(CHALLENGE, end("amber"), respond("birch", 1, "withdraw"))["b2.owner"] == "amber"


def test_7_8_a_missing_answer_counts_as_accept():
    assert played(CHALLENGE, report(1, winner="attacker"))["1.outcome"] == "attacker"


def test_7_8_no_cards_go_with_a_withdrawal():
    answer = respond("birch", 1, "withdraw", cards=["scouts"])
    assert refused(CHALLENGE, answer) == "card-not-playable"
    assert played(CHALLENGE, respond("birch", 1, "withdraw", cards=[]))["1.outcome"] == "withdrawn"


@pytest.mark.parametrize("roll", [1, 4])
def test_7_8_an_escort_fails_on_1_to_4(roll):
    moves = [land("amber", "a2", "b2", battle="flank-march"), respond("birch", 1, "escort")]
    state = played(moves, dice={ESCORT: roll})
    assert (state["1.battle"], state["1.module_attacker"]) == ("flank-march", None)
    assert state["1.status"] == "fighting"


@pytest.mark.parametrize("roll", [5, 6])
def test_7_8_an_escort_succeeds_on_5_and_6(roll):
    state = played(CHALLENGE, respond("birch", 1, "escort"), dice={ESCORT: roll})
    assert (state["1.battle"], state["1.module_attacker"]) == ("escort-baggage-train", "defender")
    assert state["1.status"] == "fighting"


def test_7_8_escort_is_the_right_of_some_nations():
    moves = [land("birch", "b2", "a2"), respond("amber", 1, "escort")]
    assert refused(moves, opens="birch") == "no-escort-right"


@pytest.mark.parametrize(
    ("attacker", "start", "target", "defender", "right"),
    [
        ("romans", "pannonia", "dacia", "huns", True),
        ("kushans", "gandhara", "media", "sassanids", True),
        ("hephtalites", "bactria", "media", "sassanids", False),
        ("huns", "hunnia", "pannonia", "romans", False),
    ],
)
def test_7_8_escort_is_for_huns_hephtalites_sassanids_against_others(
    attacker, start, target, defender, right
):
    """The Huns get Dacia and the Kushans Bactria, which borders Media."""
    moves = [owner("dacia", "huns")]
    if attacker == "kushans":
        moves = [owner("numidia", "hephtalites"), owner("bactria", "kushans")]
        start = "bactria"
    moves += [land(attacker, start, target), respond(defender, 1, "escort")]
    dice = {f"turn-1/attack/{attacker}/{target}/escort": 5} if right else {}
    setting = {"on": "_six", "opens": attacker, "dice": dice}
    if right:
        assert played(moves, **setting)["1.module_attacker"] == "defender"
    else:
        assert refused(moves, **setting) == "no-escort-right"


@pytest.mark.parametrize(
    ("source", "army", "right"),
    [
        ("i1", "Birch host 300-400 AD, the defender's own", False),
        ("i2", "Hill tribes", True),
        ("i3", "Cedar host, another nation's with escort", False),
        ("i4", "birch host 300-400 ad, written otherwise", True),
        ("i6", "Cedar host with a space behind it", True),
        ("x1", "Cedar host, from an external province", False),
        ("x2", "Steppe riders", True),
    ],
)
def test_7_8_the_escort_goes_by_the_attacking_army_s_list(source, army, right):
    moves = [covert("amber", source, "b2"), respond("birch", 1, "escort")]
    setting = {"on": "_hosts", "external": True, "dice": {"turn-1/attack/amber/b2/escort": 5}}
    if right:
        assert played(moves, **setting)["1.module_attacker"] == "defender"
    else:
        assert refused(moves, **setting) == "no-escort-right"


def test_7_8_a_nation_without_escort_may_lead_a_barred_list():
    """Dale has no escort, and leads the list of Birch, which has one."""
    moves = [land("dale", "d2", "b2"), respond("birch", 1, "escort")]
    assert refused(moves, on="_hosts", opens="dale") == "no-escort-right"
    assert (
        refused(land("dale", "d2", "c2"), respond("cedar", 1, "escort"), on="_hosts", opens="dale")
        == "no-escort-right"
    )


def test_7_8_an_own_army_has_its_nation_s_list_and_not_its_province_s():
    """D3 has the list of Cedar, but the army that marches from it is Amber's."""
    moves = [owner("d3", "amber"), land("amber", "d3", "b2"), respond("birch", 1, "escort")]
    dice = {"turn-1/attack/amber/b2/escort": 5}
    assert played(moves, on="_hosts", dice=dice)["1.module_attacker"] == "defender"


def test_7_8_the_lists_of_the_fallen_count():
    fallen = adjust("cedar", "stability", -9)
    moves = [fallen, covert("amber", "i3", "b2"), respond("birch", 1, "escort")]
    assert refused(moves, on="_hosts") == "no-escort-right"


def test_7_8_the_list_is_the_starting_province_s_whoever_owns_it_by_then():
    moves = [covert("amber", "i3", "b2"), owner("i3", "amber"), respond("birch", 1, "escort")]
    assert refused(moves, on="_hosts") == "no-escort-right"
    moves = [covert("amber", "i2", "b2"), owner("i2", "cedar"), respond("birch", 1, "escort")]
    dice = {"turn-1/attack/amber/b2/escort": 5}
    assert played(moves, on="_hosts", dice=dice)["1.module_attacker"] == "defender"


@pytest.mark.parametrize(
    ("source", "right"), [("arachosia", False), ("margiana", False), ("armenia", True)]
)
def test_7_8_in_420_ad_the_hosts_of_the_three_meet_no_escort(source, right):
    scenario = load("420ad")
    hosts = {nation.army for nation in scenario.nations.values() if nation.escort}
    assert hosts == {
        "Hunnic Western 376-454 AD",
        "Hephtalites 350-570 AD",
        "Sassanid Persian 224-476 AD",
    }
    assert (scenario.provinces[source].army not in hosts) is right


def test_7_8_an_independent_army_of_another_list_meets_the_escort():
    """Sassanids send the army of Dacia against the Huns, who may force the escort."""
    moves = [owner("pannonia", "huns"), covert("sassanids", "dacia", "pannonia")]
    dice = {"turn-1/attack/sassanids/pannonia/escort": 5}
    state = played(moves, respond("huns", 1, "escort"), on="_six", opens="sassanids", dice=dice)
    assert state["1.module_attacker"] == "defender"


def test_7_8_an_escort_forced_upon_an_ambush():
    moves = [give("amber", "ambush")]
    moves += [land("amber", "a2", "b2", battle="escort-baggage-train", cards=["ambush"])]
    state = played(moves, respond("birch", 1, "escort"), dice={ESCORT: 1})
    assert (state["1.battle"], state["1.module_attacker"]) == ("escort-baggage-train", "attacker")
    state = played(moves, respond("birch", 1, "escort"), dice={ESCORT: 5})
    assert (state["1.battle"], state["1.module_attacker"]) == ("escort-baggage-train", "defender")


def test_7_9_an_attack_on_an_independent_needs_no_answer():
    state = played(land("amber", "a2", "i1"))
    assert (state["1.status"], state["1.defender"], state["1.leader"]) == (
        "fighting",
        None,
        "birch",
    )
    assert refused(land("amber", "a2", "i1"), respond("birch", 1, "accept")) == "not-challenged"


def test_7_9_at_first_the_first_in_alphabetical_order():
    assert played(land("birch", "b2", "i1"), opens="birch")["1.leader"] == "amber"
    assert played(land("cedar", "c2", "i3"), opens="cedar")["1.leader"] == "amber"
    assert played(land("n1", "q1", "m1"), on="_nine")["1.leader"] == "n2"


def test_7_9_then_the_next_after_the_one_appointed_last():
    moves = [land("amber", "a2", "i1"), end("amber"), land("birch", "b2", "i2"), end("birch")]
    state = played(moves, land("cedar", "c2", "i3"))
    assert [attack["leader"] for attack in state["attacks"]] == ["birch", "cedar", "amber"]


def test_7_9_the_rotation_goes_on_over_turns():
    moves = [land("amber", "a2", "i1"), report(1, winner="draw"), whole(1)]
    state = played(moves, land("birch", "b2", "i2"))
    assert state["2.leader"] == "cedar"


def test_7_9_passing_over_the_attacker():
    """After n2: n3, who attacks; so n4."""
    moves = [land("n1", "q1", "m1"), end("n1", "n2"), land("n3", "q3", "m2")]
    state = played(moves, on="_nine")
    assert (state["1.leader"], state["2.leader"]) == ("n2", "n4")


def test_7_9_passing_over_the_fallen():
    moves = [adjust("n2", "stability", -9), land("n1", "q1", "m1")]
    assert played(moves, on="_nine")["1.leader"] == "n3"


def test_7_9_a_fallen_nation_still_marks_the_place():
    """n4 leads and falls after the battle; the next after n4 is n5."""
    moves = [adjust("n2", "stability", -9), adjust("n3", "stability", -9)]
    moves += [land("n1", "q1", "m1"), report(1, winner="draw"), adjust("n4", "stability", -9)]
    state = played(moves, end("n1", "n5"), land("n6", "q6", "m2"), on="_nine")
    assert (state["1.leader"], state["2.leader"]) == ("n4", "n5")


def test_7_9_passing_over_those_who_lead_now():
    """Four nations remain. n1, n2, n3 and n4 are led by n2, n3, n4 and n1.

    n4 crumbles, so that its attack lapses and n3's battle needs a new leader. After n1 comes n2,
    which leads n1's battle, then n3, which attacks; so n1 is appointed.
    """
    falls = [adjust(nation, "stability", -9) for nation in ("n5", "n6", "n7", "n8", "n9")]
    moves = [
        *falls,
        land("n1", "q1", "m1"),
        end("n1"),
        land("n2", "q2", "m2"),
        end("n2"),
        land("n3", "q3", "m3"),
        end("n3"),
        land("n4", "q4", "q5"),
    ]
    state = played(moves, on="_nine")
    assert [attack["leader"] for attack in state["attacks"]] == ["n2", "n3", "n4", "n1"]
    state = played(moves, adjust("n4", "stability", -9), on="_nine")
    assert state["3.leader"] == "n1"
    assert state["4.outcome"] == "lapsed"


def test_7_9_no_leader_if_no_other_nation_is_left():
    moves = [adjust("west", "stability", -9), land("east", "e2", "mid")]
    state = played(moves, on="_two")
    assert (state["1.leader"], state["1.status"]) == (None, "fighting")
    assert played(moves, report(1, winner="defender"), on="_two")["1.outcome"] == "defender"


def test_7_9_the_last_leader_may_crumble():
    moves = [land("east", "e2", "mid"), adjust("west", "stability", -9)]
    assert played(moves, on="_two")["1.leader"] is None


def test_7_10_independent_and_insurgent_armies_have_1600_points_always():
    poor = {"army": 1500}
    state = played(land("amber", "a2", "i1"), start=poor)
    assert state["1.points"] == {"attacker": 1500, "defender": 1600}
    state = played(covert("amber", "i2", "c2"), start=poor)
    assert state["1.points"] == {"attacker": 1600, "defender": 1500}
    rising = [give("amber", "local-insurrection")]
    rising += [play("amber", "local-insurrection", province="b2")]
    assert played(rising, start=poor)["1.points"] == {"attacker": 1600, "defender": 1500}


def test_7_10_nations_have_their_army_points_at_launch():
    moves = [adjust("amber", "army", 120), adjust("birch", "army", -120), CHALLENGE]
    state = played(moves)
    assert state["1.points"] == {"attacker": 1720, "defender": 1480}
    state = played(moves, adjust("amber", "army", -50))
    assert state["1.points"]["attacker"] == 1720
