"""A People's phase: opening, taking up, placing (5), sub-turns (9.2)."""

from __future__ import annotations

from typing import Any

import pytest

from games.roman_empire.bots.choosing import sensible
from games.roman_empire.page.deciding import decision
from games.roman_empire.page.placing import legal
from tests.roman_empire.table import (
    END,
    OPEN,
    TWO,
    after,
    at,
    at_land,
    event,
    fort,
    held,
    lands,
    peoples,
    place,
    refused,
    take_up,
    throw,
)

COUNTERS = {"A": {"people": 4, "emperor": 1}, "B": {"people": 5, "emperor": 2}}


def opening(period: int, counters: dict[str, Any] = COUNTERS, **more: Any) -> dict[str, Any]:
    shown = {
        "phase": "turns",
        "period": period,
        "factions": TWO,
        "counters": counters,
        "queue": [["A", "people"]],
    }
    return shown | more


def test_5_1_a_people_in_play_brings_its_armies_from_any_earlier_seat() -> None:
    on_map = {"dacia": held("daci", 3), "moesia": held("daci", 2)}
    counters = {"A": {"people": 5, "emperor": 1}}
    state = after(opening(2, counters, control={"daci": "B"}, lands=on_map), OPEN)
    assert (state["current"], state["control"], state["in_hand"], state["start_land"]) == (
        "daci",
        {"daci": "A"},
        3,
        "dacia",
    )


def test_5_1_reinforcements_are_never_negative() -> None:
    on_map = {"dacia": held("daci", 3), "moesia": held("daci", 3), "tracia": held("daci", 2)}
    assert after(opening(1, lands=on_map), OPEN)["in_hand"] == 0


def test_5_1_an_earlier_open_counter_is_gone() -> None:
    left = {
        "phase": "faction",
        "step": "done",
        "effects": {"ties": True},
        "combat_no": 4,
        "emperor": 1,
        "free_forts": 2,
        "built": ["italia"],
        "in_hand": 0,
    }
    state = after(opening(1, **left), OPEN)
    assert (state["effects"], state["combat_no"], state["emperor"], state["free_forts"]) == (
        {},
        0,
        None,
        0,
    )
    assert (state["built"], state["step"], state["phase"]) == ([], "start", "people")


def test_5_2_armies_are_taken_up_and_lands_left_vacant() -> None:
    position = peoples(
        "galli",
        {"lugdunensis": held("galli", 2), "belgica": held("galli")},
        step="start",
        in_hand=4,
    )
    state = after(position, take_up("lugdunensis", 2), take_up("belgica", 1))
    assert (
        state["in_hand"],
        state["lands"]["lugdunensis"]["who"],
        state["lands"]["belgica"]["n"],
    ) == (7, None, 0)


def test_5_2_armies_that_cannot_be_taken_up() -> None:
    position = peoples(
        "galli",
        {"lugdunensis": held("galli", 2), "syria": held("blue", 2), "asia": fort("red")},
        step="start",
    )
    assert refused(position, take_up("gallia", 1)) == "unknown-land"
    assert refused(position, take_up("syria", 1)) == "not-controlled"
    assert refused(position, take_up("asia", 1)) == "not-controlled"
    assert refused(position, take_up("lugdunensis", 3)) == "bad-number"
    assert refused(position, take_up("lugdunensis", 0)) == "bad-number"
    assert refused(position, {"move": "take_up", "land": "lugdunensis"}) == "bad-arguments"
    assert refused(position | {"step": "expand"}, take_up("lugdunensis", 1)) == "too-late"
    assert refused(position | {"step": "done"}, take_up("lugdunensis", 1)) == "wrong-phase"


def test_5_3_the_first_army_into_a_vacant_start_land() -> None:
    position = peoples("galli", {}, step="start", start_land="lugdunensis", in_hand=7)
    state = after(
        position,
        place("lugdunensis", "start"),
        place("belgica", "lugdunensis"),
        place("belgica", "belgica"),
    )
    assert lands(state, "lugdunensis", "belgica") == [("galli", 1, None), ("galli", 2, None)]
    assert (state["in_hand"], state["step"]) == (4, "expand")


def test_5_3_the_chart_knows_the_start_land() -> None:
    assert lands(
        after(peoples("galli", {}, step="start"), place("lugdunensis", "start")), "lugdunensis"
    ) == [("galli", 1, None)]
    minor = peoples("helvetii", {}, step="start")
    assert lands(after(minor, place("germania_superior", "start")), "germania_superior") == [
        ("helvetii", 1, None)
    ]


def test_5_3_lands_from_which_no_army_can_come() -> None:
    empty = peoples("galli", {}, start_land="lugdunensis")
    assert refused(empty, place("belgica", "start")) == "bad-from"
    assert refused(empty, place("belgica", "lugdunensis")) == "bad-from"
    assert refused(empty, place("lugdunensis", "reentry")) == "bad-from"
    there = peoples(
        "galli", {"lugdunensis": held("galli", 3), "syria": held("red")}, start_land="lugdunensis"
    )
    assert refused(there, place("lugdunensis", "start")) == "bad-from"
    assert refused(there, place("aquitania", "sea")) == "bad-from"
    assert refused(there, place("iudaea", "syria")) == "bad-from"
    assert refused(there, place("belgica", "gallia")) == "bad-from"
    assert refused(there, place("belgica", "revolt")) == "bad-from"
    assert refused(there, place("britannia", "lugdunensis")) == "not-adjacent"
    assert refused(there, place("lugdunensis", "lugdunensis")) == "stack-full"
    assert refused(there, place("gallia", "lugdunensis")) == "unknown-land"
    assert refused(there | {"in_hand": 0}, place("belgica", "lugdunensis")) == "no-units"
    assert refused(there, {"move": "place", "land": "belgica"}) == "bad-arguments"
    assert refused(there, place("belgica", "lugdunensis", gold=1)) == "bad-arguments"
    assert refused(there, place("belgica", "lugdunensis", loot=1)) == "bad-arguments"


def test_5_3_a_neighbour_with_three_of_its_own_is_full() -> None:
    position = peoples("galli", {"lugdunensis": held("galli", 1), "belgica": held("galli", 3)})
    assert refused(position, place("belgica", "lugdunensis")) == "stack-full"


def test_5_3_a_vacant_land_is_no_conquest_and_nothing_is_looted() -> None:
    position = peoples("galli", {"lugdunensis": held("galli"), "aquitania": {"city": "whole"}})
    state = after(position, place("aquitania", "lugdunensis", True))
    assert lands(state, "aquitania") == [("galli", 1, "whole")]
    assert state["vp"]["A"]["p"] == 0


def test_5_3_a_vacant_land_with_a_fort_is_fought_for() -> None:
    position = peoples(
        "galli", {"lugdunensis": held("galli"), "aquitania": {"city": "whole", **fort("blue")}}
    )
    base = "turn-1/A/people"
    dice = {
        f"{base}/combat-1/round-1/attacker": [5, 5],
        f"{base}/combat-1/round-1/defender": [3],
        f"{base}/loot/aquitania": [2],
    }
    state = after(position, place("aquitania", "lugdunensis", True), dice=dice)
    assert lands(state, "aquitania") == [("galli", 1, "looted")]
    assert state["lands"]["aquitania"]["fort"] is None
    assert state["vp"]["A"]["p"] == 2


def test_5_3_own_armies_in_a_start_land_make_way_and_nothing_is_looted() -> None:
    there = {
        "moesia": held("red", 2, city=None),
        "macedonia": held("red", 3),
        "tracia": held("red", 2),
    }
    position = peoples("visigothi", there, step="start", start_land="moesia", period=6)
    state = after(position, place("moesia", "start", True))
    assert lands(state, "moesia", "macedonia", "tracia") == [
        ("visigothi", 1, None),
        ("red", 3, None),
        ("red", 3, None),
    ]
    assert state["losses"]["red"] == 1
    assert state["vp"]["A"]["p"] == 0


def test_5_3_a_fort_alone_in_the_start_land_falls_and_its_city_may_be_looted() -> None:
    position = peoples(
        "galli",
        {"belgica": {"city": "whole", **fort("blue", 2)}},
        step="start",
        start_land="belgica",
        period=5,
    )
    state = after(
        position, place("belgica", "start", True), dice={"turn-5/A/people/loot/belgica": [5]}
    )
    assert lands(state, "belgica") == [("galli", 1, "looted")]
    assert state["vp"]["A"]["p"] == 5


CHOSEN = {"options": {"choose_retreat": True}}


def retreating(*moves: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a position in which Blue holds the start land of the Visigothi.

    Blue has two Legions there, and two neighbours have room for two and one.
    """
    there = {
        "moesia": held("blue", 2, city="whole", **fort("blue")),
        "macedonia": held("blue", 1),
        "tracia": held("blue", 2),
    }
    position = peoples(
        "visigothi", there, step="start", start_land="moesia", period=6, **CHOSEN, **more
    )
    return after(position, place("moesia", "start", False), *moves)


def test_12_5_the_holder_of_the_start_land_is_asked_first() -> None:
    state = retreating()
    assert lands(state, "moesia", "macedonia", "tracia") == [
        ("blue", 2, "whole"),
        ("blue", 1, None),
        ("blue", 2, None),
    ]
    asked = {
        "kind": "retreat",
        "seat": "B",
        "land": "moesia",
        "to": ["macedonia", "tracia"],
        "amount": 0,
    }
    assert (state["pending"], state["combat"], state["in_hand"]) == (asked, None, 2)


@pytest.mark.parametrize(
    ("answer", "macedonia", "tracia"),
    [
        ({"lands": ["macedonia", "macedonia"]}, 3, 2),
        ({"lands": ["tracia", "macedonia"]}, 2, 3),
        ({"to": "tracia"}, 2, 3),
        ({"to": None}, 3, 2),
        ({"to": None, "hold": True}, 3, 2),
    ],
)
def test_12_5_each_army_goes_where_it_is_sent(
    answer: dict[str, Any], macedonia: int, tracia: int
) -> None:
    state = retreating({"move": "retreat", **answer})
    assert lands(state, "macedonia", "tracia", "moesia") == [
        ("blue", macedonia, None),
        ("blue", tracia, None),
        ("visigothi", 1, "whole"),
    ]
    assert (state["pending"], state["lands"]["moesia"]["fort"], state["losses"]["blue"]) == (
        None,
        None,
        0,
    )


def test_12_5_the_choice_for_the_city_is_kept_until_the_answer() -> None:
    there = {
        "moesia": held("blue", 1, city="whole"),
        "macedonia": held("blue", 1),
        "tracia": held("blue", 1),
    }
    position = peoples("visigothi", there, step="start", start_land="moesia", period=6, **CHOSEN)
    asked = after(position, place("moesia", "start", True))
    assert asked["pending"]["loot"] is True
    dice = {"turn-6/A/people/loot/moesia": [4]}
    state = after(
        position, place("moesia", "start", True), {"move": "retreat", "to": "tracia"}, dice=dice
    )
    assert lands(state, "moesia", "macedonia", "tracia") == [
        ("visigothi", 1, "looted"),
        ("blue", 1, None),
        ("blue", 2, None),
    ]
    assert state["vp"]["A"]["p"] == 4


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"lands": ["tracia", "tracia"]}, "bad-target"),
        ({"lands": ["dacia", "tracia"]}, "bad-target"),
        ({"lands": ["macedonia"]}, "bad-number"),
        ({"lands": ["macedonia", "tracia"], "to": "tracia"}, "bad-arguments"),
        ({"lands": ["roma", "tracia"]}, "unknown-land"),
    ],
)
def test_12_5_invalid_answers_are_refused(answer: dict[str, Any], code: str) -> None:
    there = {"moesia": held("blue", 2), "macedonia": held("blue", 1), "tracia": held("blue", 2)}
    position = peoples("visigothi", there, step="start", start_land="moesia", period=6, **CHOSEN)
    assert refused(position, place("moesia", "start"), {"move": "retreat", **answer}) == code


def test_12_5_no_seat_is_asked_without_a_choice() -> None:
    one = {"moesia": held("blue", 2), "macedonia": held("blue", 1)}
    full = {"moesia": held("blue", 2), "macedonia": held("blue", 2), "tracia": held("blue", 2)}
    for there in (one, full):
        state = after(
            peoples("visigothi", there, step="start", start_land="moesia", period=6, **CHOSEN),
            place("moesia", "start"),
        )
        assert (state["pending"], state["lands"]["moesia"]["who"]) == (None, "visigothi")


def test_12_5_a_record_without_the_option_is_played_as_before() -> None:
    there = {"moesia": held("blue", 2), "macedonia": held("blue", 1), "tracia": held("blue", 2)}
    state = after(
        peoples("visigothi", there, step="start", start_land="moesia", period=6),
        place("moesia", "start"),
    )
    assert state["pending"] is None
    assert "choose_retreat" not in state["options"]


def test_12_5_every_way_to_share_is_offered_and_a_program_answers() -> None:
    there = {"moesia": held("blue", 2), "macedonia": held("blue", 1), "tracia": held("blue", 2)}
    position = at(
        factions=TWO,
        control={"visigothi": "A"},
        current="visigothi",
        in_hand=3,
        lands=there,
        start_land="moesia",
        period=6,
        pending={"kind": "retreat", "seat": "B", "land": "moesia", "to": ["macedonia", "tracia"]},
        **CHOSEN,
    )
    shared = [move["lands"] for move in legal(position, "retreat", "B") if move.get("lands")]
    assert shared == [["macedonia", "macedonia"], ["macedonia", "tracia"]]
    assert after(position, sensible(position))["lands"]["macedonia"]["n"] == 3
    asked = decision(position)
    assert asked is not None
    assert [move.text for move in asked.moves] == [
        "Send 2 to Macedonia",
        "Send 1 to Macedonia, 1 to Tracia",
        "Let the usual rule decide",
    ]


def test_8_6_rebels_in_a_start_land_die() -> None:
    there = {"moesia": held("rebel", 2, of="blue"), "macedonia": held("rebel", 1, of="blue")}
    position = peoples("visigothi", there, step="start", start_land="moesia", period=6)
    assert lands(after(position, place("moesia", "start")), "moesia", "macedonia") == [
        ("visigothi", 1, None),
        ("rebel", 1, None),
    ]


def test_2_no_more_armies_than_counters() -> None:
    """The Cantabri have five counters, so a revolt cannot place a sixth army."""
    there = {"gallaecia": held("cantabri", 3), "lusitania": held("cantabri", 2)}
    position = peoples(
        "cantabri",
        there | {"baetica": held("blue")},
        effects={"revolt": {"land": "baetica", "n": 2}},
    )
    assert refused(position, place("baetica", "revolt")) == "no-units"
    assert refused(position, place("tarraconensis", "gallaecia")) == "no-units"


def test_5_4_unused_armies_are_lost() -> None:
    state = after(peoples("galli", {"lugdunensis": held("galli")}), END)
    assert (state["in_hand"], state["step"], state["vp"]["A"]["p"]) == (0, "done", 4)
    assert (
        refused(peoples("galli", {}), {"move": "end_phase", "cities": ["syria"]}) == "bad-arguments"
    )


KINGDOM = peoples(
    "galli",
    {"lugdunensis": held("galli", 2)},
    step="start",
    in_hand=5,
    start_land="lugdunensis",
    hand={"A": ["kingdom_aegyptus_ptolemaica", "elite_1", "weaponry_1", "minor_helvetii"]},
)


def test_9_2_a_kingdom_acts_at_once_and_has_a_city() -> None:
    state = after(KINGDOM, event("kingdom_aegyptus_ptolemaica"))
    assert (state["current"], state["in_hand"], state["start_land"]) == (
        "aegyptus_ptolemaica",
        4,
        "aegyptus",
    )
    assert state["resume"] == {"current": "galli", "in_hand": 5, "start_land": "lugdunensis"}
    assert state["lands"]["aegyptus"]["city"] == "whole"
    assert state["control"]["aegyptus_ptolemaica"] == "A"
    assert state["played"]["A"] == {"people": 1, "faction": 0}
    assert "kingdom_aegyptus_ptolemaica" not in state["hand"]["A"]


def test_9_2_and_then_the_main_people_goes_on_before_its_placing() -> None:
    acts = (
        event("kingdom_aegyptus_ptolemaica"),
        place("aegyptus", "start"),
        place("iudaea", "aegyptus"),
    )
    assert refused(KINGDOM, *acts, END) == "sub-turn"
    assert refused(KINGDOM, *acts, event("weaponry_1")) == "sub-turn"
    assert refused(KINGDOM, *acts, place("belgica", "lugdunensis")) == "bad-from"
    state = after(KINGDOM, *acts, {"move": "end_sub"})
    assert (state["current"], state["in_hand"], state["step"], state["resume"]) == (
        "galli",
        5,
        "start",
        None,
    )
    state = after(
        KINGDOM, *acts, {"move": "end_sub"}, event("elite_1"), take_up("lugdunensis", 1), END
    )
    # Gallia: presence 2; Oriens: presence 3, doubled because it has two lands more than any other
    # group: 6; Aegyptus' City 1.
    assert state["vp"]["A"]["p"] == 4 + 6 + 1


def test_9_1_no_card_helps_the_group_of_another_card() -> None:
    """Three dice, won ties, Elite Troops and a Revolt's armies all wait for the main People."""
    bonus = {
        "three_dice": True,
        "attack_plus": 1,
        "ties": True,
        "save_losses": 2,
        "revolt": {"land": "belgica", "n": 2},
    }
    there = {"iudaea": held("blue"), "belgica": held("blue")}
    position = KINGDOM | {"effects": bonus, "lands": KINGDOM["lands"] | there}
    acts = (
        event("kingdom_aegyptus_ptolemaica"),
        place("aegyptus", "start"),
        place("iudaea", "aegyptus"),
    )
    dice = throw(1, ([3, 1], [4]))
    state = after(position, *acts, dice=dice)
    assert (lands(state, "iudaea"), state["in_hand"], state["effects"]) == (
        [("blue", 1, None)],
        2,
        bonus,
    )
    assert refused(position, *acts, place("belgica", "revolt"), dice=dice) == "bad-from"
    again = (*acts, {"move": "end_sub"}, place("belgica", "revolt"))
    state = after(position, *again, dice=dice | throw(2, ([3, 2, 1], [4])))
    assert lands(state, "belgica") == [("galli", 1, None)]


def test_9_2_a_subturn_that_has_not_begun_cannot_end() -> None:
    assert refused(KINGDOM, {"move": "end_sub"}) == "wrong-phase"


def test_9_2_an_old_people_rises_with_half_its_strength() -> None:
    position = peoples(
        "gothi",
        {},
        period=4,
        step="start",
        control={"gothi": "A", "sarmatae": "A", "parthi": "B"},
        start_land="sarmatia",
        hand={"A": ["revive_1"]},
        in_hand=9,
    )
    state = after(position, event("revive_1", people="sarmatae"))
    assert (state["current"], state["in_hand"], state["start_land"]) == ("sarmatae", 4, "sarmatia")
    assert refused(position, event("revive_1", people="parthi")) == "bad-target"
    assert refused(position, event("revive_1", people="gothi")) == "bad-target"
    assert refused(position, event("revive_1", people="franci")) == "bad-target"
    assert refused(position, event("revive_1", people="helvetii")) == "bad-target"
    assert refused(position, event("revive_1")) == "bad-arguments"


def test_9_2_within_the_counters_and_by_its_last_entry() -> None:
    there = {"sarmatia": held("sarmatae", 3), "dacia": held("sarmatae", 3)}
    position = peoples(
        "gothi",
        there,
        period=4,
        step="start",
        control={"gothi": "A", "sarmatae": "A", "daci": "A"},
        hand={"A": ["revive_1"]},
    )
    assert after(position, event("revive_1", people="sarmatae"))["in_hand"] == 1
    # The Daci were 6 in period I and 8 in period II.
    assert after(position | {"lands": {}}, event("revive_1", people="daci"))["in_hand"] == 4


def test_a_faction_s_moves_are_not_a_people_s() -> None:
    position = peoples("galli", {"lugdunensis": held("galli")}, step="start")
    for move in (
        at_land("fort", "lugdunensis"),
        {"move": "recruit", "n": 1},
        at_land("bribe", "syria"),
        at_land("rebuild", "syria"),
    ):
        assert refused(position, move) == "wrong-phase"
    assert refused(position, at_land("choose_start", "italia")) == "wrong-phase"
    assert refused(position, OPEN) == "wrong-phase"
    assert refused(position, {"move": "order"}) == "wrong-phase"
    assert refused(position, {"move": "march"}) == "unknown-move"
    assert refused(position, {"by": "B", **END}) == "not-your-turn"
    assert refused(position, {"by": "E", **END}) == "bad-arguments"
    assert refused(position, {"move": "retreat", "to": "syria"}) == "nothing-pending"
