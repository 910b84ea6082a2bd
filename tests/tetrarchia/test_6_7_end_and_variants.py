"""Score (6.3) and variants (7)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import MalformedRecord
from games.tetrarchia.rules import barbarians
from tests.tetrarchia.table import (
    END,
    PATRES,
    SECURE,
    TITLE,
    after,
    at,
    attack,
    go,
    imperium,
    refused,
    thrown,
)

D = "diocletian"
OUTSIDE = ("gaetulia", "britannia", "sarmatia", "scythia", "persia", "nubia")


def borders(*emperors: str) -> dict[str, str]:
    return dict(zip(OUTSIDE, emperors, strict=False))


# 6.3 Score


def test_6_3_the_best_possible_score() -> None:
    assert barbarians.score(at(tokens=borders(*[D] * 6))).points == 10


def test_6_3_the_example_of_the_rules() -> None:
    tokens = borders(D, D) | {
        "etruria": "revolt",
        "baetica": "revolt",
        "tingitana": "revolt",
        "gallaecia": "revolt",
    }
    parts = barbarians.score(
        at(tokens=tokens | {"lusitania": "unrest"}, barbarians=["cilicia", "syria"])
    )
    assert (parts.secured, parts.quiet, parts.armies, parts.heavy, parts.points) == (
        2,
        False,
        2,
        ("hispania",),
        -5,
    )
    assert barbarians.score(at(tokens=tokens, barbarians=["cilicia", "syria"])).points == -4


def test_6_3_the_worst_possible_score() -> None:
    from games.tetrarchia.rules.position import OF_REGION

    tokens = {space: "revolt" for region in OF_REGION.values() for space in region[:4]}
    assert (
        barbarians.score(
            at(tokens=tokens, barbarians=["roma", "syria", "cilicia"], reserve={"revolt": 0})
        ).points
        == -16
    )


def test_the_table_learns_only_of_the_end() -> None:
    assert TITLE.score(at()) is None
    over = at(
        {"players": 2}, phase="over", result="won", tokens=borders(*[D] * 6), round=7, level="5300"
    )
    east, west = TITLE.score(over) or ()
    assert (east.seat, east.points, east.rank, west.seat, west.points, west.rank) == (
        "east",
        10,
        1,
        "west",
        10,
        1,
    )
    assert (east.facts["level"], east.facts["round"], east.facts["result"]) == ("5300", 7, "won")


# 7.1 Imperium

IMPERIUM = {"variants": ["imperium"], "figures": {D: "asia"}}


def test_7_1_tokens_for_points() -> None:
    state = after(IMPERIUM, imperium(2), imperium(1))
    assert (state["ip"], state["supply"][D], state["removed"][D], state["removed_now"]) == (
        9,
        1,
        3,
        3,
    )


def test_7_1_refusals() -> None:
    assert refused(IMPERIUM, imperium(5)) == "no-tokens"
    assert refused({"figures": {D: "asia"}}, imperium(1)) == "variant-off"
    assert refused({"variants": ["imperium"], "can_enter": True}, imperium(1)) == "must-enter"
    assert refused({"variants": ["imperium"]}, imperium(1)) == "off-board"
    assert (
        refused({"variants": ["imperium"], "figures": {D: "roma", "galerius": "roma"}}, imperium(1))
        == "sharing"
    )


def test_7_1_a_token_comes_back_in_a_later_turn_only() -> None:
    shown = IMPERIUM | {"figures": {D: "persia"}}
    now = after(shown, imperium(1), SECURE)
    assert (now["supply"][D], now["removed"][D]) == (2, 1)
    later = after(shown | {"removed": {D: 1}}, SECURE)
    assert (later["supply"][D], later["removed"][D]) == (3, 0)
    both = after(shown | {"removed": {D: 1}}, imperium(1), SECURE)
    assert (both["supply"][D], both["removed"][D], both["removed_now"]) == (2, 1, 1)


def test_7_1_each_victory_of_the_emperor_brings_a_token() -> None:
    dice = {
        f"round-1/diocletian/attack-1/{side}": n for side, n in (("roman", 3), ("barbarian", 2))
    }
    shown = IMPERIUM | {
        "figures": {D: "aquitania"},
        "barbarians": ["narbonensis"],
        "removed": {D: 2},
    }
    assert after(shown, attack("narbonensis"), dice=dice)["removed"][D] == 1
    shown = IMPERIUM | {
        "figures": {"maximian": "aquitania"},
        "barbarians": ["lugdunensis"],
        "removed": {"maximian": 1},
    }
    dice = thrown((5, 6), battle__lugdunensis__roman=3, battle__lugdunensis__barbarian=2)
    state = after(shown, END, dice=dice)
    assert (state["removed"]["maximian"], state["supply"]["maximian"]) == (0, 4)


def test_7_1_no_token_for_a_province_or_a_draw() -> None:
    assert after(IMPERIUM | {"removed": {D: 1}}, SECURE)["removed"][D] == 1
    shown = IMPERIUM | {
        "figures": {D: "aquitania"},
        "barbarians": ["narbonensis"],
        "removed": {D: 2},
    }
    dice = {f"round-1/diocletian/attack-1/{side}": 2 for side in ("roman", "barbarian")}
    assert after(shown, attack("narbonensis"), dice=dice)["removed"][D] == 2


def test_7_1_tokens_are_counted_again_in_the_next_turn() -> None:
    state = after(IMPERIUM, imperium(2), END, dice=thrown((5, 6)))
    assert (state["removed"][D], state["removed_now"], state["ip"]) == (2, 0, 6)


# 7.2 Mare nostrum


def test_7_2_adjacent_zones_with_fleets_are_one() -> None:
    shown = {"figures": {D: "thracia"}, "fleets": ["internum", "aegaeum"]}
    assert refused(shown, go("sicilia")) == "not-linked"
    assert after(shown | {"variants": ["mare_nostrum"]}, go("sicilia"))["ip"] == 5
    three = shown | {"variants": ["mare_nostrum"], "fleets": ["atlanticum", "internum", "aegaeum"]}
    assert after(three, go("tingitana"))["ip"] == 5


def test_7_2_zones_that_are_not_adjacent_are_not() -> None:
    shown = {
        "figures": {D: "thracia"},
        "fleets": ["atlanticum", "aegaeum"],
        "variants": ["mare_nostrum"],
    }
    assert refused(shown, go("tingitana")) == "not-linked"
    assert refused(shown, go("sicilia")) == "not-linked"


# 7.3 Diarchia


def test_7_3_the_colleagues_tokens_support() -> None:
    from games.tetrarchia.rules import battle

    tokens = {"asia": "galerius", "galatia": D, "cilicia": "maximian"}
    assert battle.roman_value(at(tokens=tokens), D, "bithynia", "persia").support == 2
    assert (
        battle.roman_value(
            at(tokens=tokens, variants=["diarchia"]), D, "bithynia", "persia"
        ).support
        == 3
    )
    assert (
        battle.roman_value(
            at(tokens=tokens, variants=["diarchia"]), "galerius", "bithynia", "persia"
        ).support
        == 3
    )


# 7.4 Patres patriae

PATRES_ON: dict[str, Any] = {"variants": ["patres_patriae"]}


def test_7_4_diocletian_takes_a_point_of_galerius() -> None:
    shown = PATRES_ON | {"figures": {D: "asia", "galerius": "achaia"}}
    state = after(shown, PATRES)
    assert (state["ip"], state["ip_mod"]["galerius"], state["patres_done"]) == (7, -1, [D])
    assert refused(shown, PATRES, PATRES) == "not-allowed"
    state = after(shown, PATRES, END, dice=thrown((5, 6)))
    assert (state["emperor"], state["ip"], state["ip_mod"]["galerius"]) == ("galerius", 5, 0)


def test_7_4_constantius_gives_maximian_one() -> None:
    shown = PATRES_ON | {"emperor": "constantius", "figures": {"constantius": "asia"}}
    state = after(shown, PATRES, END, dice=thrown((5, 6), turn="round-1/constantius"))
    assert (state["emperor"], state["ip"]) == ("maximian", 7)
    assert refused(shown | {"ip": 0}, PATRES) == "not-enough-ip"


@pytest.mark.parametrize("emperor", ["galerius", "maximian"])
def test_7_4_no_other_emperors_share_points(emperor: str) -> None:
    assert (
        refused(PATRES_ON | {"emperor": emperor, "figures": {emperor: "asia"}}, PATRES)
        == "not-allowed"
    )
    assert refused({"emperor": emperor, "figures": {emperor: "asia"}}, PATRES) == "variant-off"


def test_7_4_once_a_round() -> None:
    shown = PATRES_ON | {
        "emperor": "maximian",
        "patres_done": [D, "constantius"],
        "figures": {"maximian": "asia"},
    }
    state = after(shown, END, dice=thrown((5, 6), turn="round-1/maximian"))
    assert (state["round"], state["patres_done"]) == (2, [])


# 7.5 The Great

GREAT: dict[str, Any] = {
    "variants": ["the_great"],
    "figures": {D: "aquitania"},
    "barbarians": ["narbonensis"],
}


def battle_of(roman: int, barbarian: int) -> dict[str, int]:
    return {
        f"round-1/diocletian/attack-1/{side}": n
        for side, n in (("roman", roman), ("barbarian", barbarian))
    }


def test_7_5_glory_comes_and_goes() -> None:
    won = after(GREAT, attack("narbonensis"), dice=battle_of(3, 2))
    assert (won["glory"][D], won["reserve"]["unrest"]) == (1, 20)
    lost = after(GREAT | {"glory": {D: 2}}, attack("narbonensis"), dice=battle_of(2, 3))
    assert (lost["glory"][D], lost["reserve"]["unrest"]) == (1, 20)
    assert after(GREAT, attack("narbonensis"), dice=battle_of(2, 3))["glory"][D] == 0
    assert after(GREAT, attack("narbonensis"), dice=battle_of(3, 3))["glory"][D] == 0
    none = after(GREAT | {"reserve": {"unrest": 0}}, attack("narbonensis"), dice=battle_of(3, 2))
    assert (none["glory"][D], none["result"]) == (0, None)


def won(glory: dict[str, int], *emperors: str, players: int = 4) -> Any:
    return at(
        {"players": players},
        variants=["the_great"],
        phase="over",
        result="won",
        tokens=borders(*emperors),
        glory=glory,
    )


def test_7_5_the_great_and_emperors_of_a_half() -> None:
    great = won({D: 2}, D, D, "galerius", "galerius", "constantius", "maximian")
    assert barbarians.personal(great) == {D: 4, "galerius": 2, "constantius": 1, "maximian": 1}
    assert barbarians.titles(great) == {D: "great"}
    halves = won({}, D, D, D, "maximian", "maximian", "galerius")
    assert barbarians.titles(halves) == {D: "east", "maximian": "west"}
    assert barbarians.titles(won({}, D, D, "galerius", "galerius", "constantius", "maximian")) == {}


def test_7_5_each_emperor_has_a_goal() -> None:
    great = won({D: 2}, D, D, "galerius", "galerius", "constantius", "maximian")
    assert [barbarians.objective(great, seat) for seat in great.options.seats] == [
        True,
        False,
        False,
        False,
    ]
    pair = won({}, D, D, D, "maximian", "maximian", "galerius", players=2)
    assert [barbarians.objective(pair, seat) for seat in ("east", "west")] == [False, False]
    alone = won({}, D, D, "galerius", "galerius", "constantius", "maximian", players=1)
    assert barbarians.objective(alone, "tetrarchy") is True
    assert barbarians.objective(at(phase="over", result="won"), "tetrarchy") is None


# 7.6 Amphibious

SEA: dict[str, Any] = {"figures": {D: "thracia"}, "barbarians": ["aegyptus"], "fleets": ["aegaeum"]}


def test_7_6_an_attack_across_the_sea() -> None:
    assert refused(SEA, attack("aegyptus")) == "not-linked"
    for on in (["amphibious"], {"amphibious": True}):
        state = after(SEA | {"options": on}, attack("aegyptus"), dice=battle_of(6, 1))
        assert (state["figures"][D], state["ip"], state["options"]) == (
            "aegyptus",
            5,
            ["amphibious"],
        )
    assert (
        refused(SEA | {"options": ["amphibious"], "fleets": []}, attack("aegyptus")) == "not-linked"
    )
    dear = SEA | {"options": ["amphibious"], "tokens": {"aegyptus": "revolt"}}
    assert after(dear, attack("aegyptus"), dice=battle_of(6, 1))["ip"] == 4


# 3.1 Levels, 2 players: the options of a record


@pytest.mark.parametrize("level", ["5300", [5, 3, 0, 0], "3122", [4, 2, 1, 1]])
def test_3_1_levels(level: Any) -> None:
    options = TITLE.options({"level": level})
    assert list(options.level) == [int(digit) for digit in level]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {"level": "6211"},
        {"level": "2211"},
        {"level": "4011"},
        {"level": "4231"},
        {"level": "4213"},
        {"level": "421"},
        {"level": [4, 2, 1]},
        {"level": [4, 2, 1, True]},
        {"level": 4211},
        {"level": "４211"},
        {"players": 0},
        {"players": 5},
        {"players": True},
        {"players": 3},
        {"players": 3, "caesar": "maximian"},
        {"players": 2, "caesar": "galerius"},
        {"players": 3, "caesar": []},
        {"variants": "imperium"},
        {"variants": ["imperium", "imperium"]},
        {"variants": ["nero"]},
        {"variants": [[]]},
        {"variants": ["amphibious"]},
        {"options": ["imperium"]},
        {"options": {}},
        {"hands": "open"},
        {"players": 3, "caesar": "galerius", "variants": ["the_great"]},
    ],
)
def test_invalid_options_are_refused(raw: Any) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.options(raw)


def test_7_6_the_option_in_a_record() -> None:
    for raw in (
        {"options": ["amphibious"]},
        {"amphibious": True},
        {"options": ["amphibious"], "amphibious": True},
    ):
        assert TITLE.options(raw).extras == {"amphibious"}
    assert TITLE.options({"amphibious": False}).extras == frozenset()
    for raw in ({"amphibious": 1}, {"options": ["amphibious"], "amphibious": False}):
        with pytest.raises(MalformedRecord):
            TITLE.options(raw)


def test_2_the_seats() -> None:
    for raw, seats in (
        ({}, ["tetrarchy"]),
        ({"players": 2}, ["east", "west"]),
        ({"players": 3, "caesar": "constantius"}, ["diocletian", "maximian", "constantius"]),
        ({"players": 4}, ["diocletian", "galerius", "constantius", "maximian"]),
    ):
        assert [
            seat.key for seat in TITLE.seats(TITLE.scenario("standard"), TITLE.options(raw))
        ] == seats
    three = TITLE.seats(
        TITLE.scenario("standard"), TITLE.options({"players": 3, "caesar": "constantius"})
    )
    assert [(seat.name, seat.about) for seat in three] == [
        ("Diocletian", "plays Diocletian and Galerius"),
        ("Maximian", "plays Maximian"),
        ("Constantius", "plays Constantius"),
    ]
