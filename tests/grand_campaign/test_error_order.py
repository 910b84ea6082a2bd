"""RECORD: if a move breaks several rules, the first in the order of the contract is named.

The order is: form; the attack's state; phase, nation-fallen, slot; who; whose province; 6.1, 6.2,
7.1, 7.3, 7.4, 7.5, 7.6, truces; cards and siege train; 7.2; stability; cost.
"""

from pathlib import Path

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    OPEN,
    actions,
    adjust,
    build,
    covert,
    end,
    fleet,
    for_,
    forfeit,
    fortify,
    give,
    land,
    move,
    offer,
    owner,
    play,
    record,
    refused,
    report,
    respond,
    sea,
    slots,
    until,
    whole,
)

LIST = """malformed-record no-dice wrong-phase not-your-slot not-allowed unknown-move
unknown-nation unknown-province unknown-attack bad-argument not-enough-actions
prerequisite-missing already-built not-owner own-province not-maritime province-under-attack
no-barracks army-not-depleted no-siege-train income-too-low would-crumble not-adjacent
no-sea-route no-fleet fleet-too-new stability-too-low attack-limit starting-point-under-attack
starting-point-used starting-point-protected already-attacked repeat-attack truce
capital-protected external-province not-independent borders-opponent not-border-province
no-such-card card-not-playable not-challenged no-escort-right already-resolved
nation-fallen"""
CODES = LIST.split()

CHALLENGE = land("amber", "a2", "b2")
DONE = report(1, winner="draw")
FALLEN = adjust("birch", "stability", -9)
TRUCE = [*give("amber", "diplomat"), play("amber", "diplomat", truce="birch")]
NO_ACTIONS = actions("amber", -9)
UNKNOWN_CARDS = {"cards": ["reinforcements"]}


def first(*moves):
    """Return the code of a move that is the only one of its record."""
    answer = replay({**record(), "moves": [*moves]})
    assert answer["error"]["move"] == len(moves) - 1
    return answer["error"]["code"]


def test_form_before_phase():
    assert first(*build("amber", "circus")) == "bad-argument"
    assert first({**build("amber", "shrines")[0], "note": ""}) == "bad-argument"
    assert first(move("amber", "surrender")) == "unknown-move"
    assert first(move("egypt", "end-slot")) == "unknown-nation"
    assert first(land("amber", "nowhere", "b2")) == "unknown-province"
    assert first(*build("amber", "shrines")) == "wrong-phase"
    assert refused(slots(1), build("amber", "circus")) == "bad-argument"


def test_form_before_the_attack_s_state():
    assert refused(report(9, winner="nobody")) == "bad-argument"
    assert refused(CHALLENGE, DONE, respond("birch", 1, "surrender")) == "bad-argument"
    assert refused(forfeit(9, "birch")) == "bad-argument"


def test_form_before_slot_and_fall():
    assert refused(build("birch", "circus")) == "bad-argument"
    assert refused(FALLEN, build("birch", "circus")) == "bad-argument"
    assert refused(fortify("birch", "nowhere")) == "unknown-province"


def test_the_attack_s_state_before_the_phase():
    assert first(report(1, winner="draw")) == "unknown-attack"
    assert first(respond("birch", 1, "accept")) == "unknown-attack"
    assert refused(CHALLENGE, DONE, slots(1), report(1, winner="draw")) == "already-resolved"
    assert refused(CHALLENGE, DONE, slots(1), forfeit(1, "attacker")) == "already-resolved"


def test_the_attack_s_state_before_who():
    assert refused(CHALLENGE, DONE, respond("cedar", 1, "accept")) in (
        "already-resolved",
        "not-challenged",
    )
    answered = [CHALLENGE, respond("birch", 1, "accept")]
    assert refused(answered, respond("amber", 1, "accept")) == "not-challenged"
    assert refused(respond("cedar", 1, "accept")) == "unknown-attack"


def test_the_attack_s_state_before_the_fall():
    assert refused(CHALLENGE, DONE, FALLEN, respond("birch", 1, "accept")) in (
        "already-resolved",
        "not-challenged",
    )
    assert refused(FALLEN, respond("birch", 1, "accept")) == "unknown-attack"


def test_phase_before_the_fall():
    moves = [FALLEN, end("amber", "cedar")]
    assert refused(moves, build("birch", "hamlets")) == "wrong-phase"


def test_the_fall_before_the_slot():
    assert refused(FALLEN, build("birch", "hamlets")) == "nation-fallen"
    assert refused(FALLEN, for_("birch", "end-slot")) == "nation-fallen"


def test_the_fall_before_who():
    """The mover is a fallen nation that has no part in the attack."""
    assert (
        refused(CHALLENGE, adjust("cedar", "stability", -9), respond("cedar", 1, "accept"))
        == "nation-fallen"
    )


def test_the_slot_before_everything_of_the_map():
    assert refused(fortify("birch", "a2")) == "not-your-slot"
    assert refused(land("birch", "a2", "x1")) == "not-your-slot"
    assert refused(play("birch", "chancellor")) == "not-your-slot"
    assert refused(build("birch", "villages")) == "not-your-slot"
    assert refused(move("birch", "provincial-levy")) == "not-your-slot"


def test_whose_province_before_the_map():
    assert refused(land("amber", "b2", "x1")) == "not-owner"
    assert refused(land("amber", "b2", "c1")) == "not-owner"
    assert refused(land("amber", "b2", "c2")) == "not-owner"
    assert refused(land("amber", "a3", "a2")) == "own-province"
    assert refused(CHALLENGE, end("amber"), fortify("birch", "a2")) == "not-owner"
    assert refused(fleet("amber", "b1")) == "not-owner"
    assert refused(covert("amber", "b1", "c2")) == "not-independent"


def test_6_1_before_7_1():
    assert refused(land("amber", "a2", "x1")) == "external-province"
    assert refused(sea("amber", "a2", "x1")) == "external-province"


def test_6_2_before_7_1():
    assert refused(land("amber", "a2", "b1")) == "capital-protected"
    assert refused(land("amber", "a2", "c1")) == "capital-protected"
    assert refused(sea("amber", "a3", "c1")) == "capital-protected"
    assert refused(covert("amber", "i1", "b1")) == "capital-protected"


def test_7_1_before_7_3():
    moves = [CHALLENGE, end("amber")]
    assert refused(moves, land("birch", "b2", "c2")) == "not-adjacent"


def test_7_1_before_7_4_and_7_5_and_truces():
    used = [land("amber", "a2", "i1"), end("amber", "birch")]
    assert refused(used, land("cedar", "c2", "a2")) == "not-adjacent"
    assert refused(used, land("cedar", "c2", "i1")) == "not-adjacent"
    assert refused(TRUCE, land("amber", "a3", "b2")) == "not-adjacent"


def test_7_3_before_7_4():
    """b2 is under attack from a2, which is protected."""
    assert (
        refused(CHALLENGE, end("amber"), land("birch", "b2", "a2")) == "starting-point-under-attack"
    )


def test_7_3_before_7_5():
    moves = [land("amber", "a2", "i1"), end("amber", "birch"), covert("cedar", "i1", "b2")]
    assert refused(moves) == "starting-point-under-attack"
    both = [actions("amber", 3), CHALLENGE, DONE, land("amber", "a2", "b2")]
    assert refused(both) == "starting-point-used"


def test_7_4_before_truces():
    moves = [land("amber", "a2", "i1"), TRUCE, end("amber"), land("birch", "b2", "a2")]
    assert refused(moves) == "starting-point-protected"


def test_7_4_before_7_5():
    """a2 was attacked and then used as a starting point; both rules forbid it."""
    moves = [owner("i1", "cedar"), land("cedar", "i1", "a2"), DONE, end("cedar")]
    moves += [land("amber", "a2", "b2"), report(2, winner="draw"), end("amber")]
    assert refused(moves, land("birch", "b2", "a2"), opens="cedar") == "starting-point-protected"


def test_7_5_before_7_6():
    attack = land("amber", "a2", "i1")
    moves = [attack, DONE, whole(1), land("birch", "b2", "i1"), report(2, winner="draw")]
    assert refused(moves, end("birch", "cedar"), attack) == "already-attacked"


def test_7_5_before_truces():
    rising = [*give("cedar", "local-insurrection")]
    rising += [play("cedar", "local-insurrection", province="b2"), end("cedar"), TRUCE]
    assert refused(rising, CHALLENGE, opens="cedar") == "already-attacked"


def test_7_6_before_truces():
    moves = [CHALLENGE, DONE, whole(1), until(2, "amber"), TRUCE, CHALLENGE]
    assert refused(moves) == "repeat-attack"


def test_truces_before_cards_and_trains():
    assert refused(TRUCE, {**CHALLENGE, **UNKNOWN_CARDS}) == "truce"
    assert refused(TRUCE, {**CHALLENGE, "siege_train": True}) == "truce"


def test_the_map_before_cards():
    assert refused(land("amber", "a3", "b2", **UNKNOWN_CARDS)) == "not-adjacent"
    assert refused(play("amber", "traitor", province="c2")) in ("not-adjacent", "no-such-card")


def test_cards_and_trains_before_7_2():
    moves = [actions("amber", 5), CHALLENGE, owner("i2", "amber")]
    assert refused(moves, land("amber", "i2", "c2", **UNKNOWN_CARDS)) == "no-such-card"
    assert refused(moves, land("amber", "i2", "c2", siege_train=True)) == "no-siege-train"
    technology = land("amber", "i2", "c2", cards=["naval-technology"])
    assert refused(moves, give("amber", "naval-technology"), technology) == "card-not-playable"


def test_7_2_before_stability_and_cost():
    moves = [CHALLENGE, owner("i2", "amber"), adjust("amber", "stability", -4)]
    assert refused(moves, land("amber", "i2", "c2")) == "attack-limit"
    assert refused(moves[:2], NO_ACTIONS, land("amber", "i2", "c2")) == "attack-limit"


def test_cards_before_stability():
    weak = {"start": {"stability": 2}}
    assert refused({**CHALLENGE, **UNKNOWN_CARDS}, **weak) == "no-such-card"
    assert refused({**CHALLENGE, "siege_train": True}, **weak) == "no-siege-train"


def test_stability_before_cost():
    assert refused(NO_ACTIONS, CHALLENGE, start={"stability": 2}) == "stability-too-low"
    assert (
        refused(NO_ACTIONS, covert("amber", "i2", "c2"), start={"stability": 3})
        == "stability-too-low"
    )


def test_cost_comes_last():
    assert refused(NO_ACTIONS, CHALLENGE) == "not-enough-actions"
    assert refused(NO_ACTIONS, build("amber", "temples")) == "prerequisite-missing"
    assert (
        refused(build("amber", "shrines"), NO_ACTIONS, build("amber", "shrines")) == "already-built"
    )
    assert refused(NO_ACTIONS, fleet("amber", "a1")) == "not-maritime"
    assert refused(fleet("amber", "a3"), NO_ACTIONS, fleet("amber", "a3")) == "already-built"
    assert refused(NO_ACTIONS, fortify("amber", "b2")) == "not-owner"
    assert refused(NO_ACTIONS, move("amber", "provincial-levy")) == "no-barracks"
    assert (
        refused(move("amber", "barracks"), NO_ACTIONS, move("amber", "provincial-levy"))
        == "army-not-depleted"
    )
    assert refused(NO_ACTIONS, sea("amber", "a3", "c2")) == "no-fleet"
    moves = [fleet("amber", "a3"), NO_ACTIONS, sea("amber", "a3", "c2")]
    assert refused(moves) == "fleet-too-new"


def test_whose_province_and_phase_before_an_attack_upon_it():
    moves = [CHALLENGE, end("amber", "birch"), fortify("cedar", "b2")]
    assert refused(moves) == "not-owner"


def test_a_refused_move_leaves_nothing():
    """After a refusal the game master's moves are as if the refused move had not been made."""
    moves = [give("amber", "diplomat"), offer("amber", "scouts")]
    before = replay(record(moves))
    written = record(moves, play("amber", "diplomat", province="i2"))
    assert replay(written)["error"]["code"] == "not-adjacent"
    assert replay(written, len(written["moves"]) - 1) == before


def test_the_turn_is_opened_by_the_game_master_only():
    assert refused(whole(1)[:-1], {**OPEN, "by": "amber"}) == "not-allowed"


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_used_in_some_test(code):
    files = Path(__file__).parent.glob("test_*.py")
    assert any(f'"{code}"' in path.read_text(encoding="utf-8") for path in files)


def test_there_are_45_codes():
    assert len(CODES) == len(set(CODES)) == 45
