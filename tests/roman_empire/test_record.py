"""Records: purposes of rolls, options, the form of moves, and who may make them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import MalformedRecord
from games.replay import replay
from tests.roman_empire.table import SCENARIO, TITLE, after, peoples, refused

GOOD: dict[str, Any] = {
    "setup/hand/D/set-9": 6,
    "turn-1/order/A": [6, 1],
    "turn-1/order/A/reroll-2": [1, 1],
    "turn-1/order/A/1": 3,
    "turn-7/draw-people-5": 1,
    "turn-7/draw-emperor-6": 6,
    "turn-2/B/people/combat-3/round-1/attacker": [1, 2, 3],
    "turn-2/B/people/combat-3/round-1/attacker/3": 2,
    "turn-2/B/faction/combat-3/round-12/defender/reroll-1": [1],
    "turn-2/B/faction/combat-3/round-12/defender/reroll-1/2": 6,
    "turn-2/B/faction/loot/italia": [1, 6],
    "turn-2/B/faction/event-epidemy/italia": 3,
    "turn-2/B/faction/event-rebellion_2/round-1/attacker": [1, 6],
    "turn-2/B/faction/event-rebellion_2/round-1/defender": [6],
    "end/kingdom/palmyra": 6,
}
BAD: list[tuple[str, Any]] = [
    ("setup/hand/E/set-1", 1),
    ("setup/hand/A/set-10", 1),
    ("setup/hand/A/set-1", 7),
    ("setup/hand/A/set-1", [1]),
    ("turn-2/order/A", [1, 1]),
    ("turn-1/order/A", [1]),
    ("turn-1/order/A", 1),
    ("turn-1/order/A/3", 1),
    ("turn-8/draw-people-1", 1),
    ("turn-1/draw-people-1", 6),
    ("turn-1/draw-people-0", 1),
    ("turn-1/draw-king-1", 1),
    ("turn-1/A/people/combat-1/round-1/attacker", [1]),
    ("turn-1/A/people/combat-1/round-1/attacker", [1, 2, 3, 4]),
    ("turn-1/A/people/combat-1/round-1/defender", [7]),
    ("turn-1/A/people/combat-1/round-1/defender", []),
    ("turn-1/A/people/combat-01/round-1/defender", [1]),
    ("turn-1/A/kingdom/combat-1/round-1/defender", [1]),
    ("turn-1/A/people/loot/roma", [1]),
    ("turn-1/A/people/loot/italia", 1),
    ("turn-1/A/people/event-plague/italia", 1),
    ("turn-1/A/people/event-epidemy/roma", 1),
    ("turn-1/A/people/event-fury/round-1/attacker", [1, 1]),
    ("end/kingdom/galli", 1),
    ("end/kingdom/palmyra", 0),
    ("end/kingdom/palmyra", True),
    ("dice", 1),
]


@pytest.mark.parametrize("purpose", GOOD)
def test_a_purpose_has_its_die(purpose: str) -> None:
    TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, GOOD[purpose])


@pytest.mark.parametrize(("purpose", "value"), BAD)
def test_unknown_purposes_are_refused(purpose: str, value: Any) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)


@pytest.mark.parametrize(
    "raw",
    [
        {"players": 1},
        {"players": 5},
        {"players": "4"},
        {"players": True},
        {"gods_favor": 1},
        {"colour": "red"},
        [],
        {"players": {"A": "x", "B": "x", "C": "y"}},
        {"players": {"A": "x", "B": "x", "C": "x", "D": "y"}},
        {"players": {"A": "x", "B": "y"}},
        {"players": {"A": "x", "B": "y", "D": "z"}},
        {"players": {"A": 1, "B": 2, "C": 3}},
        {"players": {"A": "x", "B": "y", "C": " "}},
        {"factions": {"A": "red"}},
        {"factions": {"A": "red", "B": "red", "C": "blue", "D": "white"}},
        {"factions": {"A": "red", "B": "green", "C": "blue", "D": "white"}},
    ],
)
def test_invalid_options_are_refused(raw: Any) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.options(raw)


def test_valid_options_are_accepted() -> None:
    options = TITLE.options(
        {"players": 3, "factions": {"A": "purple", "B": "blue", "C": "red"}, "gods_favor": True}
    )
    assert options.factions == {"A": "purple", "B": "blue", "C": "red"}
    assert [seat.name for seat in TITLE.seats(SCENARIO, options)] == [
        "Purple Faction",
        "Blue Faction",
        "Red Faction",
    ]
    two = TITLE.seats(SCENARIO, TITLE.options({"players": 2}))
    assert [(seat.key, seat.about) for seat in two] == [
        (s, f"of player {p}") for s, p in zip("ABCD", "ABAB", strict=True)
    ]


def test_a_record_may_name_the_seats_of_players() -> None:
    shown = TITLE.options({"players": {"A": "Ada", "B": "Ada", "C": "Bo", "D": "Bo"}})
    assert (shown.players, shown.owners) == (2, {"A": "Ada", "B": "Ada", "C": "Bo", "D": "Bo"})
    assert TITLE.seats(SCENARIO, shown)[3].about == "of player Bo"
    three = TITLE.options({"players": {"A": "Ada", "B": "Bo", "C": "Cy"}})
    assert (three.players, three.seats) == (3, ("A", "B", "C"))


def record(*moves: Any, **parts: Any) -> dict[str, Any]:
    return replay(
        {"format": "roman_empire/1", "dice": {"seed": "any text"}, "moves": list(moves), **parts}
    )


BEGIN, ORDER = {"move": "begin"}, {"move": "order"}


def test_a_record_begins() -> None:
    state = record({"by": "gm", **BEGIN}, {"by": "gm", **ORDER}, options={"players": 3})
    assert (state["phase"], len(state["hand"]["C"]), sorted(state["draw"]["order"])) == (
        "draw",
        9,
        ["A", "B", "C"],
    )
    assert record()["phase"] == "setup"
    assert record(BEGIN, {"by": "B", **ORDER})["draw"]["n"] == 0


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([BEGIN, BEGIN], "wrong-phase"),
        ([ORDER], "wrong-phase"),
        ([{"move": "draw"}], "wrong-phase"),
        ([BEGIN, ORDER, {"by": "gm", "move": "draw"}], "bad-arguments"),
        ([BEGIN, ORDER, {"by": "E", "move": "draw"}], "bad-arguments"),
        ([BEGIN, ORDER, {"by": "A", "for": "A", "move": "draw"}], "bad-arguments"),
        ([BEGIN, {"move": "order", "dice": 1}], "bad-arguments"),
        (["begin"], "bad-arguments"),
        ([{"by": "gm"}], "bad-arguments"),
        ([{"move": "begins"}], "unknown-move"),
    ],
)
def test_a_record_that_stops(moves: list[Any], code: str) -> None:
    error = record(*moves)["error"]
    assert (error["move"], error["code"]) == (len(moves) - 1, code)


def test_an_invalid_record_is_refused() -> None:
    assert record(scenario="small")["error"]["code"] == "malformed-record"
    assert record(options={"players": 9})["error"]["code"] == "malformed-record"
    assert record(dice={"fixed": {"turn-1/order/A": [1]}})["error"]["code"] == "malformed-record"
    assert record(dice={"fixed": {}}, moves=[BEGIN])["error"]["code"] == "no-dice"


@pytest.mark.parametrize(
    "raw",
    [
        {"by": "A", "move": "place", "land": "syria", "from": "sea", "loot": True},
        {"by": "A", "move": "end_phase", "cities": ["syria", "asia"]},
        {"by": "A", "move": "end_phase"},
        {"by": "gm", "for": "A", "move": "play_event", "card": "plague", "area": "gallia"},
        {"by": "gm", "move": "open"},
        {"by": "B", "move": "open"},
        {"by": "A", "move": "retreat", "hold": True},
    ],
)
def test_a_move_is_encoded_as_it_was_read(raw: dict[str, Any]) -> None:
    assert TITLE.decode(raw, TITLE.situation({}, TITLE.options({}))).to_json() == raw


@pytest.mark.parametrize(
    "raw",
    [
        {"move": "end_phase", "cities": "syria"},
        {"move": "end_phase", "cities": [1]},
        {"move": "place", "land": 1, "from": "sea"},
        {"move": "place", "land": None, "from": "sea"},
        {"move": "take_up", "land": "syria", "n": True},
        {"move": "take_up", "land": "syria", "n": 1.0},
        {"move": "answer", "accept": 1},
        {"move": "play_event", "card": ["plague"]},
    ],
)
def test_a_move_with_a_wrong_form_is_refused(raw: dict[str, Any]) -> None:
    assert refused(peoples("galli", {}), raw) == "bad-arguments"


def test_engine_is_a_reserved_name() -> None:
    assert record({"by": "engine", **BEGIN})["phase"] == "draw"


def test_the_game_master_moves_for_a_seat() -> None:
    position = peoples("galli", {}, step="start")
    assert after(position, {"by": "gm", "for": "A", "move": "end_phase"})["step"] == "done"
    assert refused(position, {"by": "gm", "for": "B", "move": "end_phase"}) == "not-your-turn"


@pytest.mark.parametrize(
    "raw",
    [
        {"phase": "war"},
        {"period": 8},
        {"period": 0},
        {"active": "E"},
        {"factions": {}},
        {"factions": {"A": "green"}},
        {"lands": {"roma": {}}},
        {"lands": {"italia": {"n": 1}}},
        {"lands": {"italia": {"city": "burnt"}}},
        {"effects": {"magic": True}},
        {"effects": {"ties": 1}},
        {"emperor": 43},
        {"in_hand": -1},
        {"hand": {"A": ["ace"]}},
        {"pending": {"kind": "retreat", "seat": "A", "land": "italia"}},
        {"draw": {"order": ["A"]}},
        {"gold": 1},
        {"queue": [["A"]]},
        {"built": ["italia", "italia"]},
    ],
)
def test_invalid_situations_are_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.situation(raw, TITLE.options({}))
