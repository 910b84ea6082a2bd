"""Battles (5): support, multipliers, outcome."""

from __future__ import annotations

from typing import Any

import pytest

from games.tetrarchia.rules import battle
from tests.tetrarchia.table import END, after, at, attack, thrown

D = "diocletian"


def fought(
    roman: int, barbarian: int, target: str = "narbonensis", **position: Any
) -> dict[str, Any]:
    head = "round-1/diocletian/attack-1"
    dice = {f"{head}/roman": roman, f"{head}/barbarian": barbarian}
    return after({"barbarians": [target]} | position, attack(target), dice=dice)


def support(space: str, emperor: str = D, **position: Any) -> int:
    return battle.roman_value(at(**position), emperor, space, "nubia").support


# 5.2 Support


def test_5_2_the_group_includes_his_space_or_one_linked_to_it() -> None:
    tokens = {"lugdunensis": D, "rhaetia": D, "pannonia_superior": D}
    spaces = ("lugdunensis", "germania_superior", "rhaetia", "aquitania", "baetica")
    assert [support(space, tokens=tokens) for space in spaces] == [1, 2, 2, 1, 0]


def test_5_2_printed_tokens_count_until_covered() -> None:
    assert support("bithynia") == 1
    assert support("galatia") == 1
    assert support("bithynia", tokens={"bithynia": "unrest"}) == 0
    assert support("bithynia", "galerius") == 0
    assert support("bithynia", tokens={"asia": D, "galatia": D}) == 3


@pytest.mark.parametrize("emperor", ["diocletian", "galerius", "constantius"])
def test_5_2_the_joker_supports_every_emperor(emperor: str) -> None:
    assert support("etruria", emperor) == 1
    assert support("etruria", emperor, tokens={"roma": "revolt"}) == 0
    assert support("roma", "maximian", tokens={"etruria": "maximian"}) == 3


def test_5_2_only_one_group_counts() -> None:
    tokens = {"etruria": "maximian", "dalmatia": "maximian"}
    assert support("pannonia_superior", "maximian", tokens=tokens) == 3


def test_5_2_broken_links_join_the_sea_does_not() -> None:
    assert support("achaia", tokens={"creta": D}) == 1
    assert support("thracia", tokens={"aegyptus": D}, fleets=["aegaeum"]) == 1
    assert support("thracia") == 1
    assert support("aegyptus", tokens={"nubia": D, "syria": D}) == 1


def test_5_2_a_border_token_supports_too() -> None:
    assert support("aegyptus", tokens={"nubia": D, "aegyptus": D, "syria": D, "persia": D}) == 4


def test_5_2_the_armies_support() -> None:
    def revolts(army: str, **tokens: str) -> int:
        return battle.barbarian_value(at(tokens=tokens), "roma", army).support

    assert (
        revolts(
            "nubia", aegyptus="revolt", cyrenaica="revolt", tripolitania="revolt", syria="unrest"
        )
        == 3
    )
    assert revolts("aegyptus", aegyptus="revolt", syria="revolt", tripolitania="revolt") == 2
    assert revolts("nubia", cyrenaica="revolt") == 0


# 5.3 Multipliers


def test_5_3_other_emperors_linked_to_the_army() -> None:
    figures = {
        D: "lugdunensis",
        "galerius": "cisalpina",
        "constantius": "aquitania",
        "maximian": "belgica",
    }
    value = battle.roman_value(at(figures=figures), D, "lugdunensis", "narbonensis")
    assert (value.helpers, value.times, value.value_with(3)) == (("galerius", "constantius"), 4, 12)


def test_5_3_other_armies_linked_to_the_emperor() -> None:
    armies = ["lugdunensis", "narbonensis", "germania_inferior"]
    value = battle.barbarian_value(at(barbarians=armies), "germania_superior", "narbonensis")
    assert (value.helpers, value.times) == (("germania_inferior", "lugdunensis"), 4)


def test_5_3_both_sides_are_multiplied() -> None:
    """It is (III + 0) x 2 = 6 against (4 + 0) x 2 = 8."""
    state = fought(
        3,
        4,
        figures={D: "aquitania", "galerius": "cisalpina"},
        barbarians=["narbonensis", "lugdunensis"],
    )
    assert state["figures"][D] is None


# 5.4, 5.5 The outcome of an attack


def test_5_4_a_tie_changes_nothing() -> None:
    state = fought(4, 4, figures={D: "aquitania"}, tokens={"aquitania": "galerius"})
    assert (state["figures"][D], state["barbarians"], state["ip"], state["attack_no"]) == (
        "aquitania",
        ["narbonensis"],
        5,
        1,
    )
    assert state["tokens"] == {"aquitania": "galerius"}


def test_5_5_victory_takes_the_space_for_nothing() -> None:
    state = fought(5, 4, figures={D: "aquitania"}, tokens={"narbonensis": "unrest"})
    assert (state["figures"][D], state["barbarians"], state["tokens"], state["ip"]) == (
        "narbonensis",
        [],
        {},
        5,
    )
    assert state["reserve"] == {"unrest": 21, "revolt": 21, "barbarians": 3}


def test_5_5_defeat_costs_the_token_of_the_space_of_any_owner() -> None:
    state = fought(
        3, 4, figures={D: "aquitania"}, tokens={"aquitania": "galerius", "lugdunensis": "galerius"}
    )
    assert (state["figures"][D], state["tokens"], state["supply"]["galerius"]) == (
        None,
        {"lugdunensis": "galerius"},
        3,
    )
    assert state["can_enter"] is False
    lost = fought(3, 4, figures={D: "aquitania"}, tokens={"aquitania": "unrest"})
    assert lost["tokens"] == {"aquitania": "unrest"}


def test_5_5_attacks_of_a_turn_are_numbered() -> None:
    dice = {
        f"round-1/diocletian/attack-{n}/{side}": 2
        for n in (1, 2, 3)
        for side in ("roman", "barbarian")
    }
    dice["round-1/diocletian/attack-3/roman"] = 3
    shown = {"figures": {D: "aquitania"}, "barbarians": ["narbonensis"]}
    state = after(shown, *[attack("narbonensis")] * 3, dice=dice)
    assert (state["attack_no"], state["ip"], state["figures"][D]) == (3, 3, "narbonensis")


def test_5_5_an_army_beyond_the_border() -> None:
    state = fought(3, 2, "nubia", figures={D: "aegyptus"})
    assert (state["figures"][D], state["barbarians"]) == ("nubia", [])


# 5.6 The outcome of an advance


def defended(roman: int, barbarian: int, **position: Any) -> dict[str, Any]:
    shown = {
        "figures": {D: "aquitania", "galerius": "narbonensis"},
        "barbarians": ["lugdunensis"],
    } | position
    space = shown["barbarians"][0]
    dice = thrown(
        (5, 6), **{f"battle__{space}__roman": roman, f"battle__{space}__barbarian": barbarian}
    )
    return after(shown, END, dice=dice)


def test_5_6_the_army_wins_and_enters() -> None:
    state = defended(1, 4, tokens={"aquitania": D, "lugdunensis": "revolt"})
    assert (state["figures"][D], state["barbarians"]) == (None, ["aquitania"])
    assert (state["tokens"]["aquitania"], state["supply"][D]) == ("revolt", 4)


def test_5_6_the_army_loses_with_its_token() -> None:
    state = defended(6, 1, tokens={"lugdunensis": "revolt", "belgica": "revolt"})
    assert (state["barbarians"], state["tokens"], state["reserve"]["barbarians"]) == (
        [],
        {"belgica": "revolt"},
        3,
    )
    assert state["figures"][D] == "aquitania"


def test_5_6_after_a_tie_the_army_stays() -> None:
    """It is (I + 0) x 1 against 1 + 0.

    The other Emperor is linked to the army: I x 2 against 2.
    """
    state = defended(1, 2)
    assert (state["figures"][D], state["barbarians"]) == ("aquitania", ["lugdunensis"])


def test_5_6_an_attacked_emperor_fights_in_any_turn() -> None:
    shown = {"figures": {"maximian": "aquitania"}, "barbarians": ["lugdunensis"]}
    dice = thrown((5, 6), battle__lugdunensis__roman=4, battle__lugdunensis__barbarian=3)
    assert after(shown, END, dice=dice)["figures"]["maximian"] == "aquitania"
    assert after(shown, END, dice=dice)["barbarians"] == []
