"""RULES 1: the frame.

1.4 requires nothing from the engine: a record contains no dates, and deadlines are acts of the
table (11).
"""

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    MINI,
    OPEN,
    SIX,
    START,
    adjust,
    build,
    end,
    land,
    move,
    play,
    played,
    record,
    refused,
    report,
    respond,
    scenario,
    sea,
    slots,
    to_turn,
    until,
    whole,
)


def test_1_1_six_nations_of_the_shipped_scenario():
    state = replay(
        {
            "format": "grand-campaign/1",
            "scenario": "420ad",
            "dice": {"seed": "any text"},
            "moves": [START],
        }
    )
    assert sorted(state["nations"]) == list(SIX)
    assert len(state["provinces"]) == 90
    assert {place["owner"] for place in state["provinces"].values()} == {*SIX, None}


@pytest.mark.parametrize("nation", ["kushans", "romans", "sassanids"])
def test_1_1_civilized_nations_build_architectures(nation):
    assert played(build(nation, "gymnasia"), on="_six", opens=nation)[f"{nation}.prestige"] == 7
    assert refused(build(nation, "hamlets"), on="_six", opens=nation) == "bad-argument"


@pytest.mark.parametrize("nation", ["hephtalites", "huns", "vandals"])
def test_1_1_barbarian_nations_build_urban_infrastructures(nation):
    assert played(build(nation, "hamlets"), on="_six", opens=nation)[f"{nation}.prestige"] == 7
    assert refused(build(nation, "gymnasia"), on="_six", opens=nation) == "bad-argument"


@pytest.mark.parametrize(
    ("roll", "order"),
    [
        (1, ["amber", "birch", "cedar"]),
        (2, ["birch", "cedar", "amber"]),
        (3, ["cedar", "amber", "birch"]),
    ],
)
def test_1_2_one_roll_picks_the_opener_and_the_others_follow(roll, order):
    state = played(dice={"start": roll})
    assert state["order"] == order
    assert state["slot"] == order[0]


def test_1_2_the_order_of_six():
    state = played(dice={"start": 4}, on="_six")
    assert state["order"] == ["romans", "sassanids", "vandals", "hephtalites", "huns", "kushans"]


def test_1_2_each_turn_is_opened_by_the_next():
    openers = [played(to_turn(turn))["order"][0] for turn in range(1, 7)]
    assert openers == ["amber", "birch", "cedar", "amber", "birch", "cedar"]
    assert played(to_turn(2))["order"] == ["birch", "cedar", "amber"]


def test_1_2_alphabetical_is_by_key_not_by_name_nor_by_place():
    nations = scenario()["nations"][::-1]
    for nation, name in zip(nations, ["Alpha", "Beta", "Gamma"], strict=True):
        nation["name"] = name
    assert played(nations=nations)["order"] == ["amber", "birch", "cedar"]


def test_1_2_a_fallen_nation_is_passed_over():
    moves = [adjust("birch", "stability", -9), end("amber", "cedar"), OPEN]
    state = played(moves)
    assert state["order"] == ["cedar", "amber"]


def test_1_2_a_fallen_nation_still_counts_in_the_rotation():
    """Turn 3 is opened by place 1 + 3 - 1 = 3 of the full circle."""
    moves = [adjust("birch", "stability", -9), end("amber", "cedar"), OPEN]
    state = played(moves, end("cedar", "amber"), OPEN)
    assert state["order"] == ["cedar", "amber"]
    state = played(moves, end("cedar", "amber"), OPEN, end("cedar", "amber"), OPEN)
    assert state["order"] == ["amber", "cedar"]


def test_1_2_the_order_of_a_turn_is_kept_when_a_nation_falls_in_it():
    state = played(adjust("birch", "stability", -9))
    assert state["order"] == ["amber", "birch", "cedar"]
    assert played(adjust("birch", "stability", -9), end("amber"))["slot"] == "cedar"


def test_1_3_a_card_for_each_nation_each_turn():
    state = played(dice={"turn-1/card/amber": 11, "turn-1/card/cedar": 21})
    assert [state[f"{nation}.hand"] for nation in MINI] == [["spy"], ["scouts"], ["chancellor"]]
    assert played(to_turn(3))["birch.hand"] == ["scouts", "scouts", "scouts"]


def test_1_3_random_events_on_turns_2_4_and_6_only():
    riots = {f"turn-{turn}/event/amber": 1 for turn in (2, 4, 6)}
    result = [played(to_turn(turn), dice=riots)["amber.stability"] for turn in range(1, 7)]
    assert result == [6, 5, 5, 4, 4, 3]


def test_1_3_slots_follow_the_order_of_play():
    result = [played(end(*MINI[:count]))["slot"] for count in range(4)]
    assert result == ["amber", "birch", "cedar", None]
    assert refused(build("birch", "shrines")) == "not-your-slot"
    assert refused(end("amber", "amber")) == "not-your-slot"
    assert refused(end("birch")) == "not-your-slot"


def test_1_3_a_turn_without_attacks_closes_with_its_last_slot():
    assert played(end("amber", "birch"))["phase"] == "slots"
    assert played(slots(1))["phase"] == "closed"
    state = played(whole(1))
    assert (state["turn"], state["phase"], state["slot"]) == (2, "slots", "birch")


def test_1_3_an_unresolved_attack_keeps_the_turn_open():
    moves = [land("amber", "a2", "b2"), slots(1)]
    state = played(moves)
    assert (state["phase"], state["slot"]) == ("battles", None)
    assert refused(moves, OPEN) == "wrong-phase"
    accepted = [*moves, respond("birch", 1, "accept")]
    assert played(accepted)["phase"] == "battles"
    assert played(accepted, report(1, winner="draw"))["phase"] == "closed"
    assert played(accepted, report(1, winner="draw"), OPEN)["turn"] == 2


def test_1_3_battles_are_reported_while_later_slots_are_open():
    moves = [land("amber", "a2", "i1"), end("amber"), report(1, winner="attacker")]
    state = played(moves)
    assert (state["slot"], state["1.status"], state["i1.owner"]) == ("birch", "resolved", "amber")
    assert played(land("amber", "a2", "i1"), report(1, winner="draw"))["slot"] == "amber"


def test_1_3_two_unresolved_attacks_hold_the_turn_until_the_last():
    moves = [
        land("amber", "a2", "i1"),
        end("amber"),
        land("birch", "b2", "i2"),
        end("birch", "cedar"),
    ]
    assert played(moves, report(1, winner="draw"))["phase"] == "battles"
    assert played(moves, report(2, winner="draw"), report(1, winner="draw"))["phase"] == "closed"


def test_1_3_a_turn_opens_only_after_one_has_closed():
    assert refused(OPEN) == "wrong-phase"
    assert refused(end("amber"), OPEN) == "wrong-phase"
    assert refused(START) == "wrong-phase"


def test_1_3_the_close_of_turn_6_ends_the_campaign():
    assert played(to_turn(6), slots(6))["phase"] == "finished"
    running = [to_turn(6), land("cedar", "c2", "i2"), slots(6)]
    assert played(running)["phase"] == "battles"
    state = played(running, report(1, winner="draw"))
    assert state["phase"] == "finished"
    assert state["standings"]


def test_1_3_the_end_is_the_scenario_s_last_turn():
    assert played(end(*MINI), turns=1)["phase"] == "finished"
    assert refused(end(*MINI), OPEN, turns=1) == "wrong-phase"


def test_1_3_nothing_is_played_before_the_start():
    written = record()
    written["moves"] = [move("amber", "build", structure="shrines")]
    error = replay(written)["error"]
    assert (error["move"], error["code"]) == (0, "wrong-phase")
    written["moves"] = []
    state = replay(written)
    assert (state["turn"], state["phase"], state["slot"], state["order"]) == (0, "setup", None, [])


def test_1_5_effects_take_place_at_once_in_the_order_of_the_log():
    """Prestige built first makes the covert attack more expensive; built later it does not."""
    first = [adjust("cedar", "prestige", 5), covert_attack()]
    later = [covert_attack(), adjust("cedar", "prestige", 5)]
    assert played(first)["amber.actions"] == 1.5
    assert played(later)["amber.actions"] == 2


def covert_attack():
    return move("amber", "attack", kind="independent", from_="i2", target="c2")


def test_1_5_a_chancellor_counts_for_the_very_next_move():
    built = [move("amber", "barracks"), build("amber", "shrines")]
    chancellor = {"turn-1/card/amber": 21}
    assert refused(built, build("amber", "temples")) == "not-enough-actions"
    state = played(built, play("amber", "chancellor"), build("amber", "temples"), dice=chancellor)
    assert state["amber.actions"] == 0


def test_1_5_a_fleet_defends_from_the_moment_it_is_built():
    """The source's example: a fleet built after the attacker's fleet, in the same turn."""
    moves = [move("amber", "fleet", province="a3"), whole(1), until(2, "cedar")]
    moves += [move("cedar", "fleet", province="c2"), end("cedar"), sea("amber", "a3", "c2")]
    dice = {
        "turn-2/attack/amber/c2/naval/attacker": 1,
        "turn-2/attack/amber/c2/naval/defender": 100,
    }
    state = played(moves, respond("cedar", 1, "accept"), dice=dice)
    assert state["1.outcome"] == "naval-repulse"
