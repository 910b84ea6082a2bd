"""Points at the end of a phase, the turn's end, the end of the game (10, 11)."""

from __future__ import annotations

from typing import Any

import pytest

from games.roman_empire.rules.phases import difference, score
from games.roman_empire.rules.position import LANDS, Place
from tests.roman_empire.table import (
    END,
    OPEN,
    TITLE,
    TWO,
    after,
    at,
    faction,
    fort,
    held,
    peoples,
    refused,
)

ABC = TWO | {"C": "white"}
GALLIA = ("aquitania", "narbonensis", "lugdunensis", "belgica", "germania_superior")


def gallia(mine: int, *others: str, who: str = "galli") -> dict[str, Any]:
    """Return a Gallia whose first lands belong to one group and the next to the others."""
    groups = [who] * mine + list(others)
    return {land: held(group) for land, group in zip(GALLIA, groups, strict=False)}


@pytest.mark.parametrize(
    ("there", "points"),
    [
        (gallia(1), 4),  # one land is more than none (R11)
        (gallia(1, "blue"), 2),
        (gallia(2, "blue"), 4),
        (gallia(2, "blue", "blue"), 2),
        (gallia(3, "blue", "blue"), 4),
        (gallia(5), 6),
        (gallia(4), 4),
        (gallia(2, "blue", "parthi"), 4),  # another seat's Faction and its Peoples each count alone
        (gallia(1, "red"), 4),  # the seat's own Faction counts for no other group
        (gallia(1, "rebel"), 4),
        (gallia(2, "parthi", "suebi"), 2),  # the Peoples of another seat count together
    ],
)
def test_10_1_areas(there: dict[str, Any], points: int) -> None:
    position = peoples("galli", there, control={"galli": "A", "parthi": "B", "suebi": "B"})
    assert after(position, END)["vp"]["A"] == {"p": points, "f": 0}


def test_10_1_all_peoples_of_a_seat_together_the_faction_alone() -> None:
    there = gallia(2, "helvetii", "red", "red")
    position = peoples("galli", there, control={"galli": "A", "helvetii": "A"})
    assert after(position, END)["vp"]["A"]["p"] == 4
    assert after(faction(there, control={"galli": "A", "helvetii": "A"}), END)["vp"]["A"] == {
        "p": 0,
        "f": 4,
    }


@pytest.mark.parametrize(("period", "points"), [(1, 2), (4, 3), (7, 3)])
def test_10_1_by_period(period: int, points: int) -> None:
    position = peoples("galli", gallia(1, "blue"), period=period)
    assert after(position, END)["vp"]["A"]["p"] == points


def test_12_strict_domination_takes_two_lands() -> None:
    strict = {"options": {"strict_domination": True}}
    assert after(peoples("galli", gallia(1), **strict), END)["vp"]["A"]["p"] == 2
    assert after(peoples("galli", gallia(2), **strict), END)["vp"]["A"]["p"] == 4
    assert after(peoples("galli", gallia(3, "blue", "blue"), **strict), END)["vp"]["A"]["p"] == 4


def test_10_1_forts_do_not_control_an_area_for_a_people_nor_beside_an_army() -> None:
    walls = {land: fort("red") for land in GALLIA[1:]}
    assert after(faction({"aquitania": held("red"), **walls}), END)["vp"]["A"]["f"] == 6
    assert (
        after(faction({"aquitania": held("galli"), **walls}, control={"galli": "A"}), END)["vp"][
            "A"
        ]["f"]
        == 0
    )
    blocked = {"aquitania": held("red"), **walls, "belgica": held("galli", 1, **fort("red"))}
    assert after(faction(blocked, control={"galli": "A"}), END)["vp"]["A"]["f"] == 4
    foreign = {"aquitania": held("red"), **walls, "belgica": fort("blue")}
    assert after(faction(foreign), END)["vp"]["A"]["f"] == 4


@pytest.mark.parametrize(
    ("land", "period", "people", "faction_"),
    [("italia", 1, 2, 3), ("tracia", 3, 1, 2), ("tracia", 4, 2, 3), ("syria", 7, 1, 2)],
)
def test_10_2_cities(land: str, period: int, people: int, faction_: int) -> None:
    here = at(**peoples("gothi", {land: held("gothi", city="whole")}, period=period))
    assert score(here, "A", "people").cities == {land: people}
    here = at(**faction({land: held("red", city="whole")}, period=period))
    assert score(here, "A", "faction").cities == {land: faction_}
    here = at(**faction({land: held("red", city="looted")}, period=period))
    assert score(here, "A", "faction").cities == {}


def test_10_3_the_emperor_s_points_are_the_faction_s() -> None:
    lands = {"syria": held("red"), "dacia": held("red"), "italia": held("galli")}
    here = at(**faction(lands, emperor=6, control={"galli": "A"}))
    assert score(here, "A", "faction").emperor == 2
    assert score(here, "A", "people").emperor == 0


@pytest.mark.parametrize("phase", ["people", "faction"])
def test_the_change_for_one_land_equals_the_difference_of_the_whole_score(phase: str) -> None:
    there = gallia(2, "red", "blue") | {
        "syria": held("red", city="whole"),
        "italia": held("blue", city="whole"),
        "asia": fort("red"),
    }
    here = at(**faction(there, emperor=6, control={"galli": "A"}))
    before = score(here, "A", phase).points
    encoded = here.encode()
    for land in LANDS:
        for place in (Place(), Place("red", 1, "whole"), Place("galli", 1), Place("blue", 1)):
            other = here.copy()
            other.lands[land] = place
            assert (
                difference(here, "A", phase, land, place)
                == score(other, "A", phase).points - before
            )
    assert here.encode() == encoded


def done(period: int, there: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "period": period,
        "phase": "faction",
        "step": "done",
        "factions": ABC,
        "current": "white",
        "active": "C",
        "lands": there,
    } | more


def test_4_a_new_turn() -> None:
    counters = {
        "A": {"people": 5, "emperor": 1},
        "B": {"people": 2, "emperor": 6},
        "C": {"people": 1, "emperor": 3},
    }
    state = after(
        done(3, {}, counters=counters, played={"A": {"people": 2}}, bribed=[["gothi", "red"]]), OPEN
    )
    assert (state["period"], state["phase"], state["active"], state["draw"]) == (
        4,
        "draw",
        None,
        None,
    )
    assert state["prev_people"] == {"A": 5, "B": 2, "C": 1}
    assert state["counters"]["A"] == {"people": None, "emperor": None}
    assert (state["played"]["A"], state["bribed"]) == ({"people": 0, "faction": 0}, [])
    assert refused(done(3, {}), {"move": "order"}) == "wrong-phase"
    assert refused(done(3, {}), END) == "wrong-phase"


def test_each_line_of_the_charts_has_its_points() -> None:
    counters = {"A": {"people": 2, "emperor": 6}}
    position = peoples(
        "suebi",
        gallia(2, who="suebi"),
        counters=counters,
        control={"suebi": "A"},
        earned={"people-1": 3},
    )
    assert after(position, END)["earned"] == {"people-1": 3, "people-2": 4}
    position = faction({"sicilia": held("red")}, emperor=6, step="start", vp={"A": {"f": 9}})
    assert after(position, {"move": "recruit", "n": 2}, END)["earned"] == {"emperor-6": -4 + 6 + 1}
    assert after(done(7, {"sicilia": held("white")}, emperor=42), OPEN)["earned"] == {}


def test_11_lands_kingdoms_and_the_winner() -> None:
    there = {
        "italia": held("red", 3),
        "asia": held("red"),
        "raetia": fort("red"),
        "syria": held("palmyra", city="whole"),
        "belgica": held("imperium_galliarum", city="looted"),
        "britannia": held("saxones", city="whole"),
        "arabia": held("nabataei", 2, city="whole"),
    }
    control = {
        "palmyra": "B",
        "imperium_galliarum": "A",
        "britanniae_carausii": "C",
        "nabataei": "C",
        "saxones": "A",
    }
    vp = {"A": {"p": 10, "f": 6}, "B": {"p": 9, "f": 2}, "C": {"p": 10, "f": 0}}
    dice = {"end/kingdom/palmyra": 6, "end/kingdom/nabataei": 3}
    state = after(done(7, there, control=control, vp=vp), OPEN, dice=dice)
    assert state["vp"] == {"A": {"p": 10, "f": 10}, "B": {"p": 18, "f": 2}, "C": {"p": 15, "f": 0}}
    assert state["result"]["totals"] == {"A": 20, "B": 20, "C": 15}
    assert state["phase"] == "over"


@pytest.mark.parametrize(("emperors", "winner"), [((1, 2, 3), "B"), ((4, 2, 3), "A")])
def test_11_a_tie_goes_to_the_higher_emperor(emperors: tuple[int, ...], winner: str) -> None:
    counters = {seat: {"people": 1, "emperor": n} for seat, n in zip("ABC", emperors, strict=True)}
    vp = {"A": {"p": 5}, "B": {"f": 5}, "C": {"p": 4}}
    position = done(7, {}, counters=counters, vp=vp)
    state = after(position, OPEN)
    assert state["result"] == {"totals": {"A": 5, "B": 5, "C": 4}, "winner": winner}
    over = TITLE.situation(state, TITLE.options({}))
    standings = TITLE.score(over)
    assert standings is not None
    assert [(standing.seat, standing.rank) for standing in standings] == [
        (winner, 1),
        ("AB".replace(winner, ""), 2),
        ("C", 3),
    ]
    for move in (OPEN, END, {"move": "draw"}):
        assert refused(over, move) == "game-over"


def test_11_two_players_add_their_seats() -> None:
    seats = ABC | {"D": "purple"}
    vp = {"A": {"p": 1}, "B": {"p": 7}, "C": {"f": 8}, "D": {"p": 1, "f": 0}}
    players = {"A": "A", "B": "B", "C": "A", "D": "B"}
    state = after(done(7, {}, factions=seats, players=players, vp=vp), OPEN)
    assert state["result"] == {"totals": {"A": 9, "B": 8}, "winner": "A"}
