"""A Faction's phase (6, 7).

It covers opening, recruits, bribes, Forts, start lands, the sea, coming back and Cities.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.roman_empire.table import (
    END,
    OPEN,
    TWO,
    after,
    at_land,
    event,
    faction,
    fort,
    held,
    lands,
    place,
    refused,
    take_up,
    throw,
)

RED = "turn-1/A/faction"


def opening(period: int, emperor: int, seats: dict[str, str] = TWO, **more: Any) -> dict[str, Any]:
    counters = {seat: {"people": 1, "emperor": emperor} for seat in seats}
    return {
        "phase": "turns",
        "period": period,
        "factions": seats,
        "counters": counters,
        "queue": [["A", "faction"]],
    } | more


@pytest.mark.parametrize(
    ("emperor", "effects", "in_hand"),
    [(1, {"three_dice": True}, 7), (2, {}, 7), (3, {}, 8), (4, {"attack_plus": 1}, 7), (6, {}, 7)],
)
def test_6_1_the_first_turn(emperor: int, effects: dict[str, Any], in_hand: int) -> None:
    state = after(opening(1, emperor), OPEN)
    assert (state["effects"], state["in_hand"], state["free_forts"], state["emperor"]) == (
        effects,
        in_hand,
        3,
        emperor,
    )
    assert (state["phase"], state["current"]) == ("faction", "red")


def test_6_1_nine_legions_with_three_players() -> None:
    assert after(opening(1, 5, TWO | {"C": "white"}), OPEN)["in_hand"] == 10


def test_6_1_later_turns_bring_the_emperors_legions_within_the_counters() -> None:
    there = {"italia": held("red", 3), "cisalpina": held("red", 3)}
    assert after(opening(4, 5, lands=there), OPEN)["in_hand"] == 2
    assert after(opening(4, 4, lands=there), OPEN)["effects"] == {"ties": True}
    full = {land: held("red", 3) for land in ("italia", "cisalpina", "sicilia", "africa")} | {
        "raetia": held("red", 1)
    }
    state = after(opening(4, 5, lands=full), OPEN)
    assert (state["in_hand"], state["free_forts"]) == (1, 0)


def test_6_6_a_dead_faction_gets_nothing() -> None:
    assert after(opening(4, 5), OPEN)["in_hand"] == 0
    assert after(opening(4, 5, vp={"A": {"f": 1}}), OPEN)["in_hand"] == 2


def test_6_6_it_only_ends_its_phases() -> None:
    position = faction(
        {},
        period=2,
        in_hand=0,
        hand={"A": ["plague"]},
        step="start",
        counters={"A": {"people": 1, "emperor": 2}},
    )
    assert refused(position, event("plague", area="gallia")) == "no-units"
    assert refused(position, recruit(1)) == "not-enough-vp"
    assert after(position, END)["step"] == "done"
    assert (
        after(position | {"vp": {"A": {"f": 1}}}, event("plague", area="gallia"))["hand"]["A"] == []
    )


def start(there: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return faction(there or {}, step="start", **more)


def recruit(n: int) -> dict[str, Any]:
    return {"move": "recruit", "n": n}


def test_6_2_recruits() -> None:
    position = start({"italia": held("red", 3)}, vp={"A": {"f": 9}}, in_hand=1, period=3)
    state = after(position, recruit(2))
    assert (state["in_hand"], state["vp"]["A"]["f"]) == (3, 5)
    assert refused(position, recruit(0)) == "bad-number"
    assert refused(position, recruit(-1)) == "bad-number"
    assert refused(position, recruit(4)) == "legion-limit"
    assert refused(position | {"vp": {"A": {"p": 50, "f": 3}}}, recruit(2)) == "not-enough-vp"
    assert refused(position | {"step": "expand"}, recruit(1)) == "too-late"
    assert refused(position, {"move": "recruit", "n": "1"}) == "bad-arguments"


def test_6_2_nine_may_be_recruited_with_three_players() -> None:
    position = start(
        {"italia": held("red", 3)}, factions=TWO | {"C": "white"}, vp={"A": {"f": 12}}, in_hand=0
    )
    assert after(position, recruit(6))["vp"]["A"]["f"] == 0
    assert refused(position, recruit(7)) == "legion-limit"


def test_6_2_rebels_are_bribed_all_at_once() -> None:
    there = {
        "italia": held("red"),
        "sicilia": held("rebel", 2, of="blue"),
        "syria": held("rebel", 1, of="red"),
    }
    position = start(there, vp={"A": {"f": 4}})
    state = after(position, at_land("bribe", "sicilia"))
    assert lands(state, "sicilia") == [("red", 2, None)]
    assert (state["lands"]["sicilia"]["of"], state["vp"]["A"]["f"]) == (None, 0)
    assert refused(position, at_land("bribe", "italia")) == "bad-target"
    assert refused(position, at_land("bribe", "syria")) == "not-adjacent"
    assert refused(position, at_land("bribe", "roma")) == "unknown-land"
    assert (
        refused(position | {"vp": {"A": {"f": 3}}}, at_land("bribe", "sicilia")) == "not-enough-vp"
    )
    assert refused(position | {"step": "expand"}, at_land("bribe", "sicilia")) == "too-late"


def test_2_bribed_rebels_fit_into_the_counters() -> None:
    there = {land: held("red", 3) for land in ("italia", "cisalpina", "africa", "raetia")} | {
        "sicilia": held("rebel", 3, of="blue")
    }
    assert (
        refused(start(there, vp={"A": {"f": 20}}, in_hand=0), at_land("bribe", "sicilia"))
        == "legion-limit"
    )


def test_6_2_forts_and_fortresses() -> None:
    there = {
        "italia": held("red", city="whole", **fort("red")),
        "cisalpina": held("red"),
        "raetia": fort("red"),
        "africa": {"city": "whole", **fort("red")},
        "sicilia": held("red", city="whole"),
        "syria": held("blue"),
    }
    position = start(there, vp={"A": {"f": 3}})
    state = after(
        position,
        at_land("fort", "cisalpina"),
        at_land("fortress", "italia"),
        at_land("fortress", "africa"),
    )
    assert [
        state["lands"][land]["fort"]["level"] for land in ("cisalpina", "italia", "africa")
    ] == [1, 2, 2]
    assert (state["vp"]["A"]["f"], state["built"]) == (0, ["cisalpina"])
    assert refused(position, at_land("fort", "italia")) == "fort-there"
    assert refused(position, at_land("fort", "raetia")) == "not-controlled"
    assert refused(position, at_land("fort", "syria")) == "not-controlled"
    assert refused(position, at_land("fort", "gallia")) == "unknown-land"
    assert refused(position, at_land("fortress", "raetia")) == "no-fortress"
    assert refused(position, at_land("fortress", "cisalpina")) == "no-fortress"
    assert (
        refused(position, at_land("fort", "sicilia"), at_land("fortress", "sicilia"))
        == "no-fortress"
    )
    assert (
        refused(position, at_land("fortress", "italia"), at_land("fortress", "italia"))
        == "no-fortress"
    )
    assert refused(position | {"vp": {}}, at_land("fort", "cisalpina")) == "not-enough-vp"
    assert refused(position | {"step": "expand"}, at_land("fort", "cisalpina")) == "too-late"


def test_6_1_fort_points_go_first_and_last_into_the_placing() -> None:
    position = faction(
        {"italia": held("red"), "cisalpina": held("red")}, free_forts=1, vp={"A": {"f": 5}}
    )
    state = after(position, at_land("fort", "italia"))
    assert (state["free_forts"], state["vp"]["A"]["f"]) == (0, 5)
    assert refused(position, at_land("fort", "italia"), at_land("fort", "cisalpina")) == "too-late"


def test_2_six_fort_counters() -> None:
    there = {
        land: fort("red") for land in ("raetia", "noricum", "dacia", "asia", "syria", "arabia")
    } | {"italia": held("red")}
    assert refused(start(there, vp={"A": {"f": 5}}), at_land("fort", "italia")) == "bad-number"


def test_6_2_a_looted_city_is_rebuilt() -> None:
    there = {
        "italia": held("red", city="looted"),
        "cisalpina": held("red", city="whole"),
        "syria": held("blue", city="looted"),
    }
    position = start(there, vp={"A": {"f": 1}})
    state = after(position, at_land("rebuild", "italia"))
    assert (state["lands"]["italia"]["city"], state["vp"]["A"]["f"]) == ("whole", 0)
    assert refused(position, at_land("rebuild", "cisalpina")) == "bad-target"
    assert refused(position, at_land("rebuild", "syria")) == "not-controlled"
    assert refused(position | {"vp": {}}, at_land("rebuild", "italia")) == "not-enough-vp"
    assert refused(position | {"step": "expand"}, at_land("rebuild", "italia")) == "too-late"


def test_6_2_a_legion_or_an_own_fort_stays() -> None:
    there = {
        "italia": held("red", 2),
        "cisalpina": held("red", 2, **fort("red")),
        "raetia": held("red", 1, **fort("blue")),
    }
    position = start(there)
    assert after(position, take_up("italia", 1), take_up("cisalpina", 2))["in_hand"] == 6
    assert refused(position, take_up("italia", 2)) == "would-leave-vacant"
    assert refused(position, take_up("raetia", 1)) == "would-leave-vacant"


def test_6_3_start_lands_are_chosen_in_turn_1() -> None:
    position = start(start={"B": "syria"}, free_forts=3)
    state = after(
        position,
        at_land("choose_start", "italia"),
        place("italia", "start"),
        at_land("fort", "italia"),
    )
    assert (state["start"], state["lands"]["italia"]["who"]) == (
        {"A": "italia", "B": "syria"},
        "red",
    )
    assert refused(position, at_land("choose_start", "syria")) == "bad-target"
    assert refused(position, at_land("choose_start", "africa")) == "bad-target"
    assert refused(position, at_land("choose_start", "roma")) == "unknown-land"
    assert (
        refused(position, at_land("choose_start", "italia"), at_land("choose_start", "macedonia"))
        == "too-late"
    )
    assert refused(position | {"period": 2}, at_land("choose_start", "italia")) == "wrong-phase"
    assert refused(position, place("italia", "start")) == "bad-from"
    assert (
        refused(position, at_land("choose_start", "italia"), place("cisalpina", "start"))
        == "bad-from"
    )


def test_6_3_a_first_legion_drives_a_people_out_and_may_loot() -> None:
    there = {
        "syria": held("parthi", 2, city="whole"),
        "iudaea": held("parthi", 3),
        "mesopotamia": held("parthi"),
    }
    position = start(there, start={"A": "syria"}, control={"parthi": "B"})
    state = after(position, place("syria", "start", True), dice={f"{RED}/loot/syria": [3]})
    assert lands(state, "syria", "iudaea", "mesopotamia") == [
        ("red", 1, "looted"),
        ("parthi", 3, None),
        ("parthi", 3, None),
    ]
    assert state["vp"]["A"]["f"] == 3


def test_6_4_over_the_sea_from_coast_to_coast() -> None:
    there = {"italia": held("red")}
    position = faction(there)
    assert lands(after(position, place("aegyptus", "sea")), "aegyptus") == [("red", 1, None)]
    assert refused(position, place("dacia", "sea")) == "bad-from"
    assert refused(faction({"dacia": held("red")}), place("aegyptus", "sea")) == "bad-from"


@pytest.mark.parametrize(
    ("who", "control", "defender", "won"),
    [
        ("parthi", {"parthi": "B"}, [3, 4], False),
        ("isauri", {"isauri": "B"}, [3, 4], False),
        ("nabataei", {"nabataei": "B"}, [3, 4], True),
        ("blue", {}, [3, 4], True),
        ("rebel", {}, [3, 4], True),
    ],
)
def test_6_4_overseas_two_dice_and_one_more_for_a_people(
    who: str, control: Any, defender: list[int], won: bool
) -> None:
    """5 against 4 becomes a tie with the bonus, and is thrown again."""
    position = faction({"italia": held("red"), "syria": held(who)}, control=control)
    dice = throw(1, ([5, 2], defender), base=RED)
    if not won:
        dice |= {
            f"{RED}/combat-1/round-1/attacker/reroll-1": [1, 1],
            f"{RED}/combat-1/round-1/defender/reroll-1": [1, 1],
        }
    state = after(position, place("syria", "sea"), dice=dice)
    assert state["lands"]["syria"]["who"] == ("red" if won else who)


def test_6_5_coming_back_to_a_roman_fort() -> None:
    there = {"raetia": fort("red"), "asia": fort("blue"), "syria": held("blue")}
    position = faction(there, period=2)
    assert lands(after(position, place("raetia", "reentry")), "raetia") == [("red", 1, None)]
    state = after(position, place("asia", "reentry", fort="take"))
    assert state["lands"]["asia"]["fort"] == {"who": "red", "level": 1}
    assert (
        after(position, place("asia", "reentry", fort="destroy"))["lands"]["asia"]["fort"] is None
    )
    assert refused(position, place("iudaea", "reentry")) == "bad-from"
    assert refused(position, place("italia", "start")) == "bad-from"
    assert refused(position, place("italia", "sea")) == "bad-from"


def test_6_5_else_beside_a_roman_land_else_by_force() -> None:
    position = faction({"syria": held("blue")}, period=2)
    assert lands(after(position, place("iudaea", "reentry")), "iudaea") == [("red", 1, None)]
    assert refused(position, place("italia", "reentry")) == "bad-from"
    assert refused(position, place("syria", "reentry")) == "bad-from"
    near = {
        land: held("parthi")
        for land in ("galatia", "cappadocia", "iudaea", "arabia", "mesopotamia")
    }
    shut = faction({"syria": held("blue", 1), **near}, period=2, control={"parthi": "B"})
    dice = throw(1, ([4, 2], [3]), base="turn-2/A/faction")
    assert lands(after(shut, place("syria", "reentry"), dice=dice), "syria") == [("red", 1, None)]


def test_6_5_nobody_comes_back_in_turn_1() -> None:
    position = faction({"raetia": fort("blue")}, counters={"A": {"people": 1, "emperor": 2}})
    assert refused(position, place("raetia", "reentry")) == "bad-from"


def test_6_5_not_with_a_legion_on_the_map() -> None:
    assert (
        refused(
            faction({"raetia": fort("red"), "italia": held("red")}, period=2),
            place("raetia", "reentry"),
        )
        == "bad-from"
    )


HOME = {
    "italia": held("red", city="whole"),
    "cisalpina": held("red"),
    "sicilia": held("red"),
    "africa": held("red"),
    "numidia": held("red", city="looted"),
    "raetia": held("red"),
}


def cities(*names: str) -> dict[str, Any]:
    return {"move": "end_phase", "cities": list(names)}


def test_6_7_cities() -> None:
    position = faction(HOME, start={"A": "italia"})
    assert refused(position, cities("cisalpina", "sicilia", "africa")) == "too-many-cities"
    assert refused(position, cities("numidia")) == "bad-site"
    assert refused(position, cities("raetia")) == "bad-site"
    assert refused(position, cities("asia")) == "bad-site"
    assert refused(position, cities("cisalpina", "cisalpina")) == "bad-site"
    assert refused(position, cities("roma")) == "unknown-land"
    assert refused(position, cities("cisalpina", "africa")) == "home-area-first"
    state = after(position, cities("sicilia"))
    assert [land for land, of in state["lands"].items() if of["city"] == "whole"] == [
        "italia",
        "sicilia",
    ]
    more = faction({**HOME, "syria": held("red")}, start={"A": "italia"})
    assert (
        after(more, cities("cisalpina", "sicilia", "africa"))["lands"]["africa"]["city"] == "whole"
    )


def test_7_a_point_for_each_land() -> None:
    state = after(
        faction({"sicilia": held("red"), "asia": held("red", 2), "dacia": fort("red")}, emperor=6),
        END,
    )
    # Italia domination 6, Asia domination 4, two lands 2.
    assert state["vp"]["A"]["f"] == 6 + 4 + 2


def test_9_1_cards_of_the_faction_phase() -> None:
    position = start(
        {"italia": held("red", city="whole", **fort("red"))},
        hand={"A": ["fortify_1", "engineering_1", "fury"]},
    )
    state = after(position, event("fortify_1"), at_land("fortress", "italia"))
    assert (state["free_forts"], state["lands"]["italia"]["fort"]["level"]) == (2, 2)
    assert after(position, event("engineering_1", use="forts"))["free_forts"] == 2
    assert after(position, event("engineering_1", use="bridges"))["effects"] == {
        "ignore_terrain": True
    }
    assert refused(position, event("fury")) == "wrong-phase"
    assert refused(position, event("engineering_1")) == "bad-arguments"
    assert refused(position, event("engineering_1", use="walls")) == "bad-arguments"
