"""RULES 10, 11: forfeits and absence.

Pauses, substitutes and deadlines are acts of the table. In the record they are forfeits, and moves
that the game master makes for a nation.
"""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    covert,
    end,
    fleet,
    for_,
    forfeit,
    fortify,
    give,
    land,
    move,
    play,
    played,
    refused,
    report,
    respond,
    sea,
    until,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")


@pytest.mark.parametrize("answer", [[], [respond("birch", 1, "accept")]])
def test_10_a_forfeit_has_all_effects_of_the_defeat(answer):
    state = played(CHALLENGE, answer, forfeit(1, "defender"))
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "attacker")
    assert state.levels("amber") == (7, 7, 500, 1630, 3)
    assert state.levels("birch") == (5, 5, 400, 1570, 0)
    assert state["b2.owner"] == "amber"
    state = played(CHALLENGE, answer, forfeit(1, "attacker"))
    assert (state["1.status"], state["1.outcome"]) == ("resolved", "defender")
    assert state.levels("amber") == (5, 5, 450, 1570, 0)
    assert state.levels("birch") == (7, 7, 450, 1630, 1)


def test_10_no_encounter_is_rolled():
    moves = [fleet("amber", "a3"), end("amber", "birch"), fleet("cedar", "c2"), end("cedar"), OPEN]
    moves += [until(2, "amber"), sea("amber", "a3", "c2")]
    purpose = "turn-2/attack/amber/c2/naval/"
    dice = {purpose + "attacker": 1, purpose + "defender": 100}
    state = played(moves, forfeit(1, "defender"), dice=dice)
    assert (state["1.outcome"], state["c2.owner"]) == ("attacker", "amber")
    assert (state["a3.fleet"], state["c2.fleet"]) == (True, False)
    state = played(moves, forfeit(1, "attacker"), dice=dice)
    assert (state["1.outcome"], state["a3.fleet"], state["c2.fleet"]) == ("defender", False, True)


def test_10_a_forfeit_is_besieged_as_a_defeat_is():
    moves = [end("amber"), fortify("birch", "b2"), fleet("birch", "b2"), end("birch", "cedar")]
    moves += [OPEN, until(2, "amber"), CHALLENGE, forfeit(1, "defender")]
    state = played(moves, dice={"turn-2/attack/amber/b2/siege": 30})
    assert (state["1.siege"], state["b2.owner"], state["b2.fleet"]) == ("held", "birch", False)
    state = played(moves, dice={"turn-2/attack/amber/b2/siege": 31})
    assert (state["1.siege"], state["b2.owner"]) == ("taken", "amber")


def test_10_a_forfeiting_attacker_loses_the_train():
    moves = [move("amber", "siege-train"), {**CHALLENGE, "siege_train": True}]
    assert played(moves, forfeit(1, "attacker"))["amber.siege_trains"] == 0
    assert played(moves, forfeit(1, "defender"))["amber.siege_trains"] == 1


def test_10_against_independents_covert_and_insurrection():
    state = played(land("amber", "a2", "i1"), forfeit(1, "attacker"))
    assert state.levels("amber") == (5, 5, 450, 1570, 0)
    assert state["birch.victory_points"] == 1
    state = played(land("amber", "a2", "i1"), forfeit(1, "defender"))
    assert (state["i1.owner"], state["amber.victory_points"]) == ("amber", 3)
    state = played(covert("amber", "i2", "c2"), forfeit(1, "defender"))
    assert state.levels("amber") == (6, 7, 450, 1600, 1)
    assert state.levels("cedar") == (5, 5, 400, 1570, 0)
    rising = [*give("amber", "local-insurrection")]
    rising += [play("amber", "local-insurrection", province="b2")]
    state = played(rising, forfeit(1, "attacker"))
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state.levels("birch") == (7, 7, 450, 1630, 1)


def test_10_a_module_is_forfeited_like_any_battle():
    moves = [land("amber", "a2", "b2", battle="remove-the-head"), forfeit(1, "defender")]
    assert played(moves)["1.outcome"] == "attacker"


def test_10_what_cannot_be_forfeited():
    assert refused(forfeit(1, "defender")) == "unknown-attack"
    assert refused(CHALLENGE, forfeit(1, "birch")) == "bad-argument"
    done = [CHALLENGE, report(1, winner="draw")]
    assert refused(done, forfeit(1, "defender")) == "already-resolved"
    alone = {"by": "birch", "move": "forfeit", "attack": 1, "side": "attacker"}
    assert refused(CHALLENGE, alone) == "not-allowed"


def test_11_a_slot_may_be_ended_by_the_game_master():
    assert played(for_("amber", "end-slot"))["slot"] == "birch"
    assert refused(for_("birch", "end-slot")) == "not-your-slot"


def test_11_a_challenge_may_be_accepted_by_the_game_master():
    answer = for_("birch", "respond", attack=1, choice="accept")
    assert played(CHALLENGE, answer)["1.status"] == "fighting"


def test_11_every_move_of_a_nation_may_be_made_for_it():
    moves = [
        for_("amber", "build", structure="shrines"),
        for_("amber", "fortify", province="a2"),
        for_("amber", "attack", kind="land", from_="a2", target="b2"),
        for_("birch", "respond", attack=1, choice="withdraw"),
        for_("amber", "offer", card="scouts"),
        for_("amber", "end-slot"),
        for_("birch", "take", from_="amber", card="scouts", give="scouts"),
    ]
    state = played(moves)
    assert state["b2.owner"] == "amber"
    assert state["amber.hand"] == ["scouts"]


def test_11_unfinished_battles_of_a_player_who_left():
    moves = [CHALLENGE, end("amber"), land("birch", "b1", "b2")]
    assert refused(moves) == "own-province"
    moves = [CHALLENGE, covert("amber", "i2", "c2"), whole(1)[:-1]]
    moves += [forfeit(1, "attacker"), forfeit(2, "attacker")]
    state = played(moves)
    assert state["phase"] == "closed"
    assert state.levels("amber") == (5, 4, 450, 1570, 0)
