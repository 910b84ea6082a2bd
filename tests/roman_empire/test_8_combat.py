"""Combat: dice, walls, retreat, conquest, looting (8), bribed barbarians (12)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.roman_empire.table import (
    TWO,
    after,
    event,
    faction,
    fort,
    held,
    lands,
    peoples,
    place,
    refused,
    take_up,
    throw,
)

RED = "turn-1/A/faction"
GALLI = {"lugdunensis": held("galli")}
HOLD = {"move": "retreat", "to": None, "hold": True}
STAND = {"move": "retreat", "to": None}


def retreat(to: str) -> dict[str, Any]:
    return {"move": "retreat", "to": to}


def test_8_1_the_highest_die_wins_and_a_tie_is_thrown_again() -> None:
    position = peoples("galli", GALLI | {"belgica": held("blue", 2)})
    dice = throw(1, ([4, 1], [4]), ([6, 1], [5])) | {
        "turn-1/A/people/combat-1/round-1/attacker/reroll-1": [3, 3],
        "turn-1/A/people/combat-1/round-1/defender/reroll-1": [3],
        "turn-1/A/people/combat-1/round-1/attacker/reroll-2": [2, 6],
        "turn-1/A/people/combat-1/round-1/defender/reroll-2": [5],
    }
    state = after(position, place("belgica", "lugdunensis"), dice=dice)
    assert lands(state, "belgica") == [("galli", 1, None)]
    assert (state["in_hand"], state["losses"]["blue"], state["combat"]) == (2, 2, None)


def test_8_2_a_strait_is_hard_both_ways() -> None:
    position = peoples(
        "britanni", {"britannia": held("britanni"), "belgica": held("blue")}, period=2
    )
    dice = throw(1, ([5, 2], [1, 4]), base="turn-2/A/people")
    assert lands(after(position, place("belgica", "britannia"), dice=dice), "belgica") == [
        ("britanni", 1, None)
    ]


def test_8_2_a_forest_inside_the_land_entered_only() -> None:
    there = {"suebia": held("suebi"), "germania_superior": held("blue")}
    assert after(
        peoples("suebi", there), place("germania_superior", "suebia"), dice=throw(1, ([5, 2], [4]))
    )
    there = {"suebia": held("suebi"), "germania_superior": held("red")}
    position = faction(there, control={"suebi": "B"})
    dice = throw(1, ([5, 2], [4, 1]), base=RED)
    assert lands(after(position, place("suebia", "germania_superior"), dice=dice), "suebia") == [
        ("red", 1, None)
    ]


def test_8_3_a_fortress_wins_ties_unless_the_attacker_does() -> None:
    there = GALLI | {"belgica": held("blue", 1, **fort("blue", 2))}
    lost = after(
        peoples("galli", there), place("belgica", "lugdunensis"), dice=throw(1, ([4, 1], [3]))
    )
    assert lands(lost, "belgica") == [("blue", 1, None)]
    dice = throw(1, ([4, 1], [3]), ([6, 6], [1])) | {
        "turn-1/A/people/combat-1/round-1/attacker/reroll-1": [6, 1],
        "turn-1/A/people/combat-1/round-1/defender/reroll-1": [1],
    }
    position = peoples("galli", there, effects={"ties": True})
    won = after(position, place("belgica", "lugdunensis"), dice=dice)
    assert (won["lands"]["belgica"]["who"], won["lands"]["belgica"]["fort"]) == ("galli", None)


def test_8_3_a_side_that_wins_ties_also_wins_them_against_a_fort() -> None:
    position = peoples(
        "galli", GALLI | {"belgica": held("blue", 1, **fort("blue"))}, effects={"ties": True}
    )
    dice = throw(1, ([4, 1], [3]), ([2, 2], [1]))
    assert lands(after(position, place("belgica", "lugdunensis"), dice=dice), "belgica") == [
        ("galli", 1, None)
    ]


def test_9_3_siegecraft_ignores_walls() -> None:
    there = GALLI | {"belgica": held("blue", 1, **fort("blue", 2))}
    position = peoples("galli", there, effects={"no_fort_bonus": True, "ties": True})
    dice = throw(1, ([4, 1], [4]), ([1, 1], [1]))
    assert lands(after(position, place("belgica", "lugdunensis"), dice=dice), "belgica") == [
        ("galli", 1, None)
    ]


def test_8_4_rounds_go_on_in_the_same_land_and_begin_anew_elsewhere() -> None:
    there = GALLI | {"belgica": held("parthi", 2), "aquitania": held("parthi")}
    position = peoples("galli", there, control={"galli": "A", "parthi": "B"}, in_hand=5)
    to = place("belgica", "lugdunensis")
    dice = (
        throw(1, ([1, 1], [2]), ([1, 2], [3]))
        | throw(2, ([6, 6], [3]))
        | throw(3, ([5, 5], [3]), ([5, 5], [3]))
    )
    state = after(position, to, to, place("aquitania", "lugdunensis"), to, dice=dice)
    assert lands(state, "belgica", "aquitania") == [("galli", 1, None), ("galli", 1, None)]
    assert (state["in_hand"], state["combat_no"]) == (1, 3)


def test_8_4_strengthening_gives_a_combat_up_too() -> None:
    there = GALLI | {"belgica": held("parthi", 1)}
    position = peoples("galli", there, control={"galli": "A", "parthi": "B"})
    dice = throw(1, ([1, 1], [2])) | throw(2, ([6, 1], [3]))
    state = after(
        position,
        place("belgica", "lugdunensis"),
        place("lugdunensis", "lugdunensis"),
        place("belgica", "lugdunensis"),
        dice=dice,
    )
    assert lands(state, "lugdunensis", "belgica") == [("galli", 2, None), ("galli", 1, None)]


RETREAT = GALLI | {
    "belgica": held("blue", 3),
    "frisia": held("blue", 2),
    "britannia": fort("blue"),
    "aquitania": held("blue"),
}


def test_8_5_asked_before_the_second_round() -> None:
    position = peoples("galli", RETREAT)
    first = throw(1, ([5, 1], [2]))
    state = after(position, place("belgica", "lugdunensis"), dice=first)
    assert state["pending"] == {
        "kind": "retreat",
        "seat": "B",
        "land": "belgica",
        "to": ["britannia", "frisia"],
        "amount": 0,
    }
    assert (state["in_hand"], lands(state, "belgica")) == (2, [("blue", 2, None)])
    to = place("belgica", "lugdunensis")
    assert refused(position, to, to, dice=first) == "pending-decision"
    assert refused(position, to, {"by": "A", **STAND}, dice=first) == "not-your-turn"
    assert refused(position, to, {"move": "offer", "amount": 1}, dice=first) == "nothing-pending"
    assert refused(position, to, retreat("aquitania"), dice=first) == "bad-target"
    assert refused(position, to, retreat("raetia"), dice=first) == "bad-target"
    assert refused(position, to, retreat("gallia"), dice=first) == "unknown-land"
    assert refused(position, to, {**HOLD, "to": "frisia"}, dice=first) == "bad-arguments"


def test_8_5_all_go_to_one_land_and_those_over_three_are_lost() -> None:
    first = throw(1, ([5, 1], [2]))
    state = after(
        peoples("galli", RETREAT), place("belgica", "lugdunensis"), retreat("frisia"), dice=first
    )
    assert lands(state, "belgica", "frisia") == [("galli", 1, None), ("blue", 3, None)]
    assert (state["losses"]["blue"], state["pending"], state["combat"]) == (2, None, None)
    state = after(
        peoples("galli", RETREAT), place("belgica", "lugdunensis"), retreat("britannia"), dice=first
    )
    assert lands(state, "britannia") == [("blue", 2, None)]


def test_8_5_a_defender_who_stays_is_asked_again_unless_holding() -> None:
    position = peoples("galli", RETREAT)
    dice = throw(1, ([5, 1], [2]), ([5, 1], [2]))
    state = after(position, place("belgica", "lugdunensis"), STAND, dice=dice)
    assert (state["pending"]["kind"], lands(state, "belgica")) == ("retreat", [("blue", 1, None)])
    dice |= throw(1, ([5, 1], [2]), first=3)
    state = after(position, place("belgica", "lugdunensis"), HOLD, dice=dice)
    assert (state["pending"], lands(state, "belgica")) == (None, [("galli", 1, None)])


def test_8_5_holding_lasts_through_the_next_attacker() -> None:
    position = peoples("galli", RETREAT)
    to = place("belgica", "lugdunensis")
    dice = throw(1, ([5, 1], [2]), ([1, 1], [2]), ([5, 1], [2]), ([5, 1], [2]))
    assert lands(after(position, to, HOLD, to, dice=dice), "belgica") == [("galli", 1, None)]


def test_8_5_the_second_round_may_be_the_next_attacker_s() -> None:
    position = peoples("galli", RETREAT)
    to = place("belgica", "lugdunensis")
    state = after(position, to, to, dice=throw(1, ([1, 1], [2])))
    assert (state["pending"]["kind"], state["in_hand"], state["combat"]["round"]) == (
        "retreat",
        1,
        1,
    )
    state = after(position, to, to, retreat("frisia"), dice=throw(1, ([1, 1], [2])))
    assert (lands(state, "belgica"), state["in_hand"]) == ([("galli", 1, None)], 1)


def test_8_5_walls_stay_and_are_fought() -> None:
    there = RETREAT | {"belgica": held("blue", 2, city="whole", **fort("blue"))}
    dice = throw(1, ([5, 1], [2]), ([3, 2], [1])) | {"turn-1/A/people/loot/belgica": [6]}
    state = after(
        peoples("galli", there), place("belgica", "lugdunensis", True), retreat("frisia"), dice=dice
    )
    assert lands(state, "belgica", "frisia") == [("galli", 1, "looted"), ("blue", 3, None)]
    assert state["lands"]["belgica"]["fort"] is None
    assert state["vp"]["A"]["p"] == 6


def test_8_5_peoples_and_rebels_do_not_retreat() -> None:
    there = {
        "italia": held("red"),
        "cisalpina": held("galli", 2),
        "raetia": held("galli"),
        "sicilia": held("rebel", 2, of="blue"),
    }
    there |= {"africa": held("rebel", 1, of="blue")}
    position = faction(there, control={"galli": "B"})
    dice = throw(1, ([5, 1], [2]), ([5, 1], [2]), base=RED) | throw(
        2, ([5, 1], [2, 2]), ([5, 1], [2, 2]), base=RED
    )
    state = after(position, place("cisalpina", "italia"), place("sicilia", "italia"), dice=dice)
    assert lands(state, "cisalpina", "sicilia") == [("red", 1, None), ("red", 1, None)]


@pytest.mark.parametrize(
    ("choice", "walls"),
    [("take", {"who": "red", "level": 2}), ("destroy", None), (None, {"who": "red", "level": 2})],
)
def test_8_7_a_faction_takes_or_destroys_a_vacant_fort(choice: str | None, walls: Any) -> None:
    position = faction({"italia": held("red"), "cisalpina": {"city": "whole", **fort("blue", 2)}})
    more = {} if choice is None else {"fort": choice}
    state = after(position, place("cisalpina", "italia", True, **more))
    assert (state["lands"]["cisalpina"]["fort"], lands(state, "cisalpina")) == (
        walls,
        [("red", 1, "whole")],
    )
    assert refused(position, place("cisalpina", "italia", fort="burn")) == "bad-arguments"


def test_8_7_walls_that_held_are_fought_again_or_taken() -> None:
    position = faction({"italia": held("red"), "cisalpina": held("blue", 1, **fort("blue"))})
    to = place("cisalpina", "italia")
    dice = throw(1, ([6, 1], [2]), ([1, 1], [2]), base=RED)
    taken = after(position, to, {**to, "fort": "take"}, dice=dice)
    assert (lands(taken, "cisalpina"), taken["lands"]["cisalpina"]["fort"]) == (
        [("red", 1, None)],
        {"who": "red", "level": 1},
    )
    fought = after(position, to, to, dice=dice | throw(1, ([6, 1], [2]), base=RED, first=3))
    assert (lands(fought, "cisalpina"), fought["lands"]["cisalpina"]["fort"]) == (
        [("red", 1, None)],
        None,
    )


def test_8_7_not_to_a_seventh_fort() -> None:
    there = {
        land: fort("red") for land in ("raetia", "noricum", "dacia", "asia", "syria", "arabia")
    }
    position = faction({"italia": held("red"), "cisalpina": fort("blue"), **there})
    assert (
        after(position, place("cisalpina", "italia", fort="take"))["lands"]["cisalpina"]["fort"]
        is None
    )


def test_8_7_an_own_fort_is_entered() -> None:
    position = faction({"italia": held("red"), "cisalpina": fort("red")})
    assert after(position, place("cisalpina", "italia"))["lands"]["cisalpina"]["fort"] == {
        "who": "red",
        "level": 1,
    }


def test_8_8_groups_of_the_same_seat_do_not_fight() -> None:
    there = GALLI | {
        "belgica": held("red", 2, city="whole", **fort("red")),
        "aquitania": fort("red"),
    }
    position = peoples("galli", there)
    state = after(
        position, place("belgica", "lugdunensis", True), place("aquitania", "lugdunensis")
    )
    assert lands(state, "belgica", "aquitania") == [("galli", 1, "whole"), ("galli", 1, None)]
    assert (state["lands"]["belgica"]["fort"], state["lands"]["aquitania"]["fort"]) == (None, None)
    assert state["losses"]["red"] == 2
    position = faction(
        {"italia": held("red"), "cisalpina": held("galli", 3, **fort("blue"))},
        control={"galli": "A"},
    )
    state = after(position, place("cisalpina", "italia"))
    assert (lands(state, "cisalpina"), state["lands"]["cisalpina"]["fort"]) == (
        [("red", 1, None)],
        {"who": "red", "level": 1},
    )


def test_8_8_a_seat_not_a_player() -> None:
    """With two players, A and C belong to one player, but their groups fight like any others."""
    seats = {"A": "red", "B": "blue", "C": "white", "D": "purple"}
    position = peoples(
        "galli", GALLI | {"belgica": held("white")}, factions=seats, players={"A": "A", "C": "A"}
    )
    assert lands(
        after(position, place("belgica", "lugdunensis"), dice=throw(1, ([2, 1], [1]))), "belgica"
    ) == [("galli", 1, None)]


def test_8_9_two_more_may_follow() -> None:
    position = peoples("galli", GALLI | {"belgica": held("blue")}, in_hand=4)
    to = place("belgica", "lugdunensis")
    state = after(position, to, to, place("belgica", "belgica"), dice=throw(1, ([2, 1], [1])))
    assert lands(state, "belgica") == [("galli", 3, None)]
    assert refused(position, to, to, to, to, dice=throw(1, ([2, 1], [1]))) == "stack-full"


@pytest.mark.parametrize(
    ("land", "source", "period", "dice", "points"),
    [
        ("italia", "cisalpina", 1, [6, 5], 11),
        ("tracia", "macedonia", 3, [4], 4),
        ("tracia", "macedonia", 4, [4, 6], 10),
        ("syria", "mesopotamia", 4, [2], 2),
    ],
)
def test_8_10_looting(land: str, source: str, period: int, dice: list[int], points: int) -> None:
    base = f"turn-{period}/A/people"
    position = peoples(
        "gothi", {source: held("gothi"), land: held("blue", city="whole")}, period=period
    )
    thrown = throw(1, ([2, 1], [1]), base=base) | {f"{base}/loot/{land}": dice}
    state = after(position, place(land, source, True), dice=thrown)
    assert (state["vp"]["A"]["p"], state["lands"][land]["city"]) == (points, "looted")


@pytest.mark.parametrize(
    ("land", "source", "period"), [("italia", "cisalpina", 1), ("tracia", "macedonia", 5)]
)
def test_8_10_a_faction_never_rolls_two_dice_for_a_city(
    land: str, source: str, period: int
) -> None:
    base = f"turn-{period}/A/faction"
    board = {source: held("red"), land: held("galli", city="whole")}
    position = faction(board, control={"galli": "B"}, period=period)
    thrown = throw(1, ([6, 6], [1]), base=base) | {f"{base}/loot/{land}": [5]}
    state = after(position, place(land, source, True), dice=thrown)
    assert (state["vp"]["A"], state["lands"][land]["city"]) == ({"p": 0, "f": 5}, "looted")


def test_8_10_kingdoms_and_minor_peoples_roll_two_dice_for_a_capital() -> None:
    board = {"cisalpina": held("palmyra"), "italia": held("blue", city="whole")}
    position = peoples("palmyra", board, control={"palmyra": "A"})
    thrown = throw(1, ([6, 6], [1])) | {"turn-1/A/people/loot/italia": [5, 4]}
    assert after(position, place("italia", "cisalpina", True), dice=thrown)["vp"]["A"]["p"] == 9


@pytest.mark.parametrize(
    ("kingdom", "land", "source", "points"),
    [
        ("palmyra", "syria", "mesopotamia", 5),
        ("palmyra", "iudaea", "arabia", 2),
        ("osroene", "syria", "mesopotamia", 2),
    ],
)
def test_8_10_a_kingdom_in_its_own_capital_is_rich(
    kingdom: str, land: str, source: str, points: int
) -> None:
    there = {source: held("parthi"), land: held(kingdom, city="whole")}
    position = peoples("parthi", there, control={"parthi": "A", kingdom: "B"})
    dice = throw(1, ([2, 1], [1])) | {f"turn-1/A/people/loot/{land}": [2]}
    assert after(position, place(land, source, True), dice=dice)["vp"]["A"]["p"] == points


def test_8_10_a_faction_does_not_loot_factions_and_rebels() -> None:
    there = {
        "italia": held("red"),
        "cisalpina": held("blue", city="whole"),
        "sicilia": held("rebel", 1, of="blue", city="whole"),
    }
    assert refused(faction(there), place("cisalpina", "italia", True)) == "cannot-loot"
    assert refused(faction(there), place("sicilia", "italia", True)) == "cannot-loot"
    state = after(
        faction(there), place("cisalpina", "italia", False), dice=throw(1, ([2, 1], [1]), base=RED)
    )
    assert lands(state, "cisalpina") == [("red", 1, "whole")]


@pytest.mark.parametrize("city", ["looted", None])
def test_8_10_there_must_be_a_whole_city(city: str | None) -> None:
    position = peoples("parthi", {"mesopotamia": held("parthi"), "syria": held("blue", city=city)})
    assert refused(position, place("syria", "mesopotamia", True)) == "cannot-loot"


def test_8_10_a_people_may_loot_rebels() -> None:
    position = peoples(
        "parthi",
        {"mesopotamia": held("parthi"), "syria": held("rebel", 1, of="blue", city="whole")},
    )
    dice = throw(1, ([2, 1], [1])) | {"turn-1/A/people/loot/syria": [1]}
    assert after(position, place("syria", "mesopotamia", True), dice=dice)["vp"]["A"]["p"] == 1


def test_7_three_dice_until_a_triple_even_if_it_ties() -> None:
    position = faction(
        {"italia": held("red"), "cisalpina": held("galli")},
        control={"galli": "B"},
        effects={"three_dice": True},
    )
    dice = {f"{RED}/combat-1/round-1/attacker": [4, 4, 4], f"{RED}/combat-1/round-1/defender": [4]}
    dice |= {
        f"{RED}/combat-1/round-1/attacker/reroll-1": [5, 1],
        f"{RED}/combat-1/round-1/defender/reroll-1": [4],
    }
    state = after(position, place("cisalpina", "italia"), dice=dice)
    assert (lands(state, "cisalpina"), state["effects"]) == ([("red", 1, None)], {})


def test_7_an_attack_bonus_and_weaponry_add_up() -> None:
    position = faction(
        {"italia": held("red"), "cisalpina": held("galli")},
        control={"galli": "B"},
        effects={"attack_plus": 1},
        hand={"A": ["weaponry_1"]},
    )
    state = after(
        position,
        event("weaponry_1"),
        place("cisalpina", "italia"),
        dice=throw(1, ([3, 1], [4]), base=RED),
    )
    assert (lands(state, "cisalpina"), state["effects"]["attack_plus"]) == ([("red", 1, None)], 2)


def test_9_3_elite_troops_come_back_twice() -> None:
    position = peoples(
        "galli",
        GALLI | {"belgica": held("parthi")},
        control={"galli": "A", "parthi": "B"},
        effects={"save_losses": 2},
    )
    to = place("belgica", "lugdunensis")
    state = after(position, to, to, to, dice=throw(1, ([1, 1], [2]), ([1, 1], [2]), ([1, 1], [2])))
    assert (state["in_hand"], state["effects"]["save_losses"]) == (2, 0)


BRIBES = {"options": {"bribe_barbarians": True}, "vp": {"B": {"f": 3}}}


def offer(amount: int) -> dict[str, Any]:
    return {"move": "offer", "amount": amount}


def test_12_gold_for_peace() -> None:
    position = peoples(
        "galli", GALLI | {"belgica": held("blue"), "aquitania": held("blue")}, **BRIBES
    )
    to = place("belgica", "lugdunensis")
    state = after(position, to)
    assert (state["pending"]["kind"], state["pending"]["seat"]) == ("offer", "B")
    state = after(position, to, offer(2), {"move": "answer", "accept": True})
    assert (state["vp"]["A"]["p"], state["vp"]["B"]["f"], state["in_hand"], state["combat"]) == (
        2,
        1,
        3,
        None,
    )
    peace = place("aquitania", "lugdunensis")
    assert (
        refused(position, to, offer(2), {"move": "answer", "accept": True}, peace) == "bad-target"
    )
    walls = {"lands": position["lands"] | {"aquitania": fort("blue")}}
    assert (
        refused(position | walls, to, offer(2), {"move": "answer", "accept": True}, peace)
        == "bad-target"
    )
    assert refused(position, to, offer(4)) == "not-enough-vp"
    assert refused(position, to, offer(-1)) == "bad-number"
    assert refused(position, to, {"by": "A", **offer(1)}) == "not-your-turn"
    assert (
        refused(position, to, offer(1), {"by": "B", "move": "answer", "accept": True})
        == "not-your-turn"
    )
    assert refused(position, to, {"move": "answer", "accept": True}) == "nothing-pending"


def test_12_if_refused_nothing_is_paid() -> None:
    position = peoples("galli", GALLI | {"belgica": held("blue")}, **BRIBES)
    dice = throw(1, ([2, 1], [1]))
    state = after(
        position,
        place("belgica", "lugdunensis"),
        offer(2),
        {"move": "answer", "accept": False},
        dice=dice,
    )
    assert (lands(state, "belgica"), state["vp"]["B"]["f"]) == ([("galli", 1, None)], 3)
    state = after(position, place("belgica", "lugdunensis"), offer(0), dice=dice)
    assert (lands(state, "belgica"), state["vp"]["B"]["f"]) == ([("galli", 1, None)], 3)


MINOR = {"lugdunensis": held("helvetii"), "belgica": held("blue")}


@pytest.mark.parametrize(
    "change",
    [
        {"options": {}},
        {"vp": {}},
        {"current": "helvetii", "control": {"helvetii": "A"}, "lands": MINOR},
    ],
)
def test_12_no_seat_is_asked_without_the_option_or_gold_or_for_a_minor_people(
    change: dict[str, Any],
) -> None:
    position = peoples("galli", GALLI | {"belgica": held("blue")}, **BRIBES) | change
    assert (
        after(position, place("belgica", "lugdunensis"), dice=throw(1, ([2, 1], [1])))["pending"]
        is None
    )


def test_an_army_taken_up_fights_again() -> None:
    position = peoples(
        "galli",
        GALLI | {"belgica": held("galli", 3), "frisia": held("blue")},
        in_hand=0,
        step="start",
    )
    state = after(
        position, take_up("belgica", 2), place("frisia", "belgica"), dice=throw(1, ([2, 1], [1]))
    )
    assert (lands(state, "belgica", "frisia"), state["in_hand"]) == (
        [("galli", 1, None), ("galli", 1, None)],
        1,
    )
    assert state["factions"] == TWO
