"""Set-up, drawing order, dealing of counters (3, 4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dice import Dice
from engine.play import play
from games.roman_empire.rules.position import CARDS
from tests.roman_empire.table import OPEN, TITLE, after, at, refused, rendered

ABC = {"A": "red", "B": "blue", "C": "white"}
DRAW, KEEP = {"move": "draw"}, {"move": "keep"}


def give(to: str) -> dict[str, Any]:
    return {"move": "pass_counter", "to": to}


def hands(seats: str, first: int = 1) -> dict[str, int]:
    return {f"setup/hand/{seat}/set-{number}": first for seat in seats for number in range(1, 10)}


def begun(options: dict[str, Any], seats: str, **fixed: int) -> Any:
    position = TITLE.setup(TITLE.scenario("standard"), TITLE.options(options))
    return after(position, {"move": "begin"}, dice=hands(seats) | fixed)


def test_3_1_four_cities_and_no_armies() -> None:
    state = begun({}, "ABCD")
    assert [land for land, of in state["lands"].items() if of["city"]] == [
        "aquitania",
        "italia",
        "macedonia",
        "syria",
    ]
    assert all(of["n"] == 0 for of in state["lands"].values())
    assert state["phase"] == "draw"
    assert state["vp"]["D"] == {"p": 0, "f": 0}


def test_3_the_game_begins_once() -> None:
    assert after({}, {"move": "begin"}, dice=hands("ABCD"))["phase"] == "draw"
    assert refused({"hand": {"A": ["fury"]}}, {"move": "begin"}) == "wrong-phase"
    assert refused({"lands": {"italia": {"city": "whole"}}}, {"move": "begin"}) == "wrong-phase"


def test_3_3_a_card_of_every_set_is_dealt_and_leaves_the_set() -> None:
    hand = begun({}, "ABCD")["hand"]
    assert hand["A"][:3] == ["minor_helvetii", "leader_1", "elite_1"]
    assert hand["B"][:3] == ["minor_frisii", "leader_2", "elite_2"]
    assert hand["D"][5] == "wrath_1"
    assert all([CARDS[card].set for card in cards] == list(range(1, 10)) for cards in hand.values())


def test_3_3_the_index_counts_what_is_left_in_file_order() -> None:
    fixed = {
        "setup/hand/A/set-6": 6,
        "setup/hand/B/set-6": 5,
        "setup/hand/C/set-6": 4,
        "setup/hand/D/set-6": 3,
    }
    hand = begun({}, "ABCD", **fixed)["hand"]
    assert [hand[seat][5] for seat in "ABCD"] == ["disaster", "wrath_2", "wrath_1", "pestilence"]


def test_12_gods_favor_replaces_the_second_wrath() -> None:
    assert (
        begun({"gods_favor": True}, "ABCD", **{"setup/hand/B/set-6": 4})["hand"]["B"][5]
        == "gods_favor"
    )


def test_12_players() -> None:
    three = begun({"players": 3}, "ABC")
    assert (three["factions"], three["legion_limit"]) == (ABC, 9)
    assert sum(of["city"] == "whole" for of in three["lands"].values()) == 4
    two = begun({"players": 2}, "ABCD")
    assert two["players"] == {"A": "A", "B": "B", "C": "A", "D": "B"}
    assert (two["legion_limit"], len(two["factions"])) == (7, 4)


def test_4_1_the_lowest_roll_is_first_and_ties_roll_again() -> None:
    dice: dict[str, Any] = {
        "turn-1/order/A": [4, 4],
        "turn-1/order/B": [1, 2],
        "turn-1/order/C": [2, 6],
        "turn-1/order/D": [5, 3],
        "turn-1/order/A/reroll-1": [6, 6],
        "turn-1/order/C/reroll-1": [6, 1],
        "turn-1/order/D/reroll-1": [3, 4],
    }
    dice |= {"turn-1/order/C/reroll-2": [2, 2], "turn-1/order/D/reroll-2": [1, 2]}
    state = after({"phase": "draw"}, {"move": "order"}, dice=dice)
    assert state["draw"] == {
        "order": ["B", "D", "C", "A"],
        "what": "people",
        "i": 0,
        "n": 0,
        "open": None,
    }
    assert state["active"] == "B"


def test_4_1_later_orders_follow_points_then_the_earlier_people() -> None:
    position = {
        "phase": "draw",
        "period": 4,
        "prev_people": {"A": 5, "B": 3, "C": 1, "D": 2},
        "vp": {
            "A": {"p": 1, "f": 9},
            "B": {"p": 5, "f": 5},
            "C": {"p": 20, "f": 0},
            "D": {"p": 0, "f": 9},
        },
    }
    assert after(position, {"move": "order"})["draw"]["order"] == ["D", "B", "A", "C"]


def drawing(*moves: Any, **dice: int) -> tuple[Any, tuple[Any, ...], dict[str, int]]:
    position = {
        "phase": "draw",
        "period": 2,
        "factions": ABC,
        "prev_people": {"A": 1, "B": 2, "C": 3},
    }
    thrown = {"turn-2/" + key.replace("_", "-"): value for key, value in dice.items()}
    return position, ({"move": "order"}, *moves), thrown


def test_4_2_a_seat_with_a_counter_is_skipped_and_a_seat_that_passed_draws_again() -> None:
    position, moves, dice = drawing(DRAW, give("B"), DRAW, draw_people_1=3, draw_people_2=3)
    state = after(position, *moves, dice=dice)
    assert state["counters"] == {
        "A": {"people": None, "emperor": None},
        "B": {"people": 3, "emperor": None},
        "C": {"people": None, "emperor": None},
    }
    assert (state["active"], state["draw"]["open"], state["draw"]["n"]) == ("C", 4, 2)
    state = after(position, *moves, KEEP, DRAW, KEEP, dice=dice | {"turn-2/draw-people-3": 3})
    assert [of["people"] for of in state["counters"].values()] == [5, 3, 4]
    assert (state["draw"]["what"], state["draw"]["n"], state["active"]) == ("emperor", 0, "A")


def test_4_2_invalid_moves_with_a_counter_are_refused() -> None:
    assert refused({"phase": "draw", "factions": ABC}, DRAW) == "wrong-phase"
    position, moves, _ = drawing(KEEP)
    assert refused(position, *moves) == "nothing-pending"
    assert refused(position, {"move": "order"}, give("B")) == "nothing-pending"
    assert refused(position, {"move": "order"}, {"move": "order"}) == "wrong-phase"
    position, moves, dice = drawing(DRAW, draw_people_1=1)
    assert refused(position, *moves, DRAW, dice=dice) == "pending-decision"
    assert refused(position, *moves, give("A"), dice=dice) == "bad-target"
    assert refused(position, *moves, give("D"), dice=dice) == "bad-target"
    assert refused(position, *moves, {"by": "B", "move": "keep"}, dice=dice) == "not-your-turn"
    assert refused(position, *moves, {"move": "end_phase"}, dice=dice) == "wrong-phase"
    dice |= {"turn-2/draw-people-2": 1}
    assert refused(position, *moves, KEEP, DRAW, give("A"), dice=dice) == "has-counter"


def test_4_2_only_the_seat_that_drew_it_sees_the_counter() -> None:
    position, moves, dice = drawing(DRAW, draw_people_1=4)
    effects = rendered(position, *moves, dice=dice)
    assert [(e.kind, e.audience) for e in effects] == [("drawn", None), ("looked", ("A",))]
    assert effects[0].facts == {"seat": "A", "what": "people"}


def test_4_2_no_seat_sees_a_counter_passed_to_it_before_the_end() -> None:
    dealing = {
        "phase": "draw",
        "period": 2,
        "factions": ABC,
        "draw": {"order": ["A", "B", "C"], "i": 1, "n": 1},
        "counters": {"C": {"people": 3}},
        "passed": {"C": {"people": "A"}},
    }
    here = at(**dealing)
    seen = {
        seat: TITLE.view(here, seat)["counters"]["C"]["people"]
        for seat in ("A", "B", "C", "gm", None)
    }
    assert seen == {"A": 3, "B": None, "C": None, "gm": 3, None: None}
    dealt = at(**(dealing | {"phase": "turns", "draw": None}))
    seen = {
        seat: TITLE.view(dealt, seat)["counters"]["C"]["people"] for seat in ("A", "B", "C", None)
    }
    assert seen == {"A": 3, "B": None, "C": 3, None: None}


def test_4_4_a_counter_is_revealed_when_it_is_called() -> None:
    counters = {
        "A": {"people": 2, "emperor": 5},
        "B": {"people": 1, "emperor": 6},
        "C": {"people": 4, "emperor": 1},
    }
    queue = [
        ["B", "people"],
        ["C", "faction"],
        ["A", "people"],
        ["A", "faction"],
        ["C", "people"],
        ["B", "faction"],
    ]
    position = {
        "phase": "turns",
        "factions": ABC,
        "counters": counters,
        "queue": queue,
        "start": {"C": "italia"},
    }
    state = after(position, OPEN)
    assert (state["active"], state["phase"], state["current"], state["step"], state["in_hand"]) == (
        "B",
        "people",
        "galli",
        "start",
        7,
    )
    assert state["queue"] == queue[1:]
    here = TITLE.situation(state, TITLE.options({}))
    seen = TITLE.view(here, "A")
    assert seen["counters"] == {
        "A": {"people": 2, "emperor": 5},
        "B": {"people": 1, "emperor": None},
        "C": {"people": None, "emperor": None},
    }
    assert seen["queue"] == []
    assert TITLE.view(here, "gm")["queue"] == queue[1:]


def course(here: Any) -> list[tuple[str, str, int, bool]]:
    """Return the rest of the turn: its seats, the number of slots, and whether the table waits."""
    return [
        (stop.what.id, "".join(stop.seats), stop.slots, stop.open) for stop in TITLE.course(here)
    ]


def test_the_course_of_a_turn_reveals_no_counter() -> None:
    assert course(TITLE.setup(TITLE.scenario("standard"), TITLE.options({"players": 3}))) == []
    dealing = {
        "phase": "draw",
        "period": 2,
        "factions": ABC,
        "draw": {"order": ["C", "A", "B"]},
        "active": "C",
    }
    after_it = [
        ("course-emperor", "ABC", 6, False),
        ("course-phases", "ABC", 6, False),
        ("course-asked", "", 1, False),
    ]
    assert course(at(**dealing)) == [
        ("course-draw", "C", 1, True),
        ("course-people", "ABC", 5, False),
        *after_it,
    ]
    called = [
        {
            "phase": "people",
            "factions": ABC,
            "active": "B",
            "current": "galli",
            "control": {"galli": "B"},
            "period": 1,
            "queue": [["C", "faction"], [first, "people"], [second, "people"]],
        }
        for first, second in ("CA", "AC")
    ]
    one, other = (course(at(**shown)) for shown in called)
    assert (
        one
        == other
        == [
            ("course-phase", "B", 1, True),
            ("course-phases", "AC", 3, False),
            ("course-asked", "", 1, False),
        ]
    )
    asked = {
        "combat": {"land": "dalmatia", "no": 1, "holder": "red", "source": "noricum", "round": 1},
        "lands": {"dalmatia": {"who": "red", "n": 2}, "noricum": {"who": "galli", "n": 1}},
        "pending": {"kind": "retreat", "seat": "A", "land": "dalmatia", "to": []},
    }
    assert course(at(**called[0], **asked))[:2] == [
        ("course-choice", "A", 1, True),
        ("course-phase", "B", 1, False),
    ]


@pytest.mark.parametrize("seat", ["A", None])
def test_3_3_only_its_seat_sees_a_hand(seat: str | None) -> None:
    here = at(hand={"A": ["fury"], "B": ["plague", "epidemy"]})
    seen = TITLE.view(here, seat)
    assert seen["hand"] == ({"A": ["fury"]} if seat else {})
    assert seen["cards"] == {"A": 1, "B": 2}
    assert TITLE.rows(here).private[("B", "hand")] == ("B",)
    assert TITLE.hides(TITLE.options({}))


def test_3_3_nothing_reveals_a_hand_before_the_end() -> None:
    """Each link of the dice gives all earlier links, and the first link dealt the hands."""
    assert TITLE.links_due(at(period=5)) == 0
    assert (
        TITLE.links_due(at(period=7, phase="over", result={"totals": {"A": 1}, "winner": "A"})) == 8
    )


def test_the_drawer_does_not_see_the_die() -> None:
    here = at(phase="draw", period=2, factions=ABC, draw={"order": ["A", "B", "C"]})
    (roll,) = play(here, TITLE.decode(DRAW, here), Dice(7, seed="x")).rolls
    assert roll.audience == ()
    assert not roll.seen_by("A")
    assert roll.seen_by("gm")
