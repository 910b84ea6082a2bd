"""The barbarian phase (4.3): status, threat, uprising and echo, advance."""

from __future__ import annotations

from typing import Any

import pytest

from engine.effects import Effect
from tests.tetrarchia.table import END, after, rendered, thrown

D = "diocletian"
SAFE = (5, 6)
"""A threat to BITHYNIA, which its printed token averts."""


def ended(
    threat: tuple[int, int] = SAFE, /, dice: dict[str, int] | None = None, **position: Any
) -> dict[str, Any]:
    """Return the state after Diocletian has ended the turn.

    He is in ASIA unless the threat says otherwise.
    """
    return after({"figures": {D: "asia"}} | position, END, dice=thrown(threat, **(dice or {})))


def kinds(effects: tuple[Effect, ...]) -> list[tuple[str, str]]:
    return [
        (effect.kind, effect.subject)
        for effect in effects
        if effect.kind not in ("account", "holding")
    ]


# 4.3.1 Status


def test_4_3_1_unrest_beside_revolt_rises_without_dice() -> None:
    state = ended(tokens={"asia": "unrest", "galatia": "revolt"})
    assert state["tokens"] == {"asia": "revolt", "galatia": "revolt"}
    assert state["reserve"] == {"unrest": 21, "revolt": 19, "barbarians": 3}


def test_8_8_status_does_not_cascade() -> None:
    state = ended(
        tokens={"cilicia": "unrest", "asia": "unrest", "galatia": "revolt"}, figures={D: "persia"}
    )
    assert state["tokens"] == {"asia": "revolt", "cilicia": "unrest", "galatia": "revolt"}


def test_4_3_1_broken_links_are_tried_in_board_order_until_one_holds() -> None:
    tokens = {
        "cisalpina": "unrest",
        "germania_superior": "revolt",
        "narbonensis": "revolt",
        "rhaetia": "revolt",
    }
    first = ended(tokens=tokens, dice={"status__cisalpina__germania_superior": 4})
    assert first["tokens"]["cisalpina"] == "revolt"
    dice = {
        "status__cisalpina__germania_superior": 1,
        "status__cisalpina__narbonensis": 3,
        "status__cisalpina__rhaetia": 3,
    }
    assert ended(tokens=tokens, dice=dice)["tokens"]["cisalpina"] == "unrest"
    assert (
        ended(tokens=tokens, dice={**dice, "status__cisalpina__rhaetia": 6})["tokens"]["cisalpina"]
        == "revolt"
    )


def test_4_3_1_one_normal_link_needs_no_die() -> None:
    tokens = {"cisalpina": "unrest", "germania_superior": "revolt", "pannonia_superior": "revolt"}
    assert ended(tokens=tokens)["tokens"]["cisalpina"] == "revolt"


def test_6_2_status_may_find_no_revolt_left() -> None:
    state = after(
        {
            "figures": {D: "persia"},
            "tokens": {"asia": "unrest", "galatia": "revolt"},
            "reserve": {"revolt": 0},
        },
        END,
    )
    assert (state["result"], state["reason"], state["tokens"]["asia"]) == (
        "lost",
        "no_revolt",
        "unrest",
    )
    assert (state["emperor"], state["round"]) == (D, 1)


# 4.3.2 Emperors leave


def test_4_3_2_an_emperor_on_a_revolt_leaves() -> None:
    figures = {D: "asia", "galerius": "galatia", "constantius": "cappadocia", "maximian": "persia"}
    state = ended(
        figures=figures, tokens={"asia": "unrest", "galatia": "revolt", "cappadocia": "unrest"}
    )
    assert state["figures"] == {
        D: None,
        "galerius": None,
        "constantius": None,
        "maximian": "persia",
    }
    assert state["can_enter"] is True


def test_4_3_4_a_revolt_of_this_phase_removes_no_emperor_yet() -> None:
    state = ended((5, 4), tokens={"galatia": "revolt"}, reserve={"barbarians": 0})
    assert state["tokens"]["asia"] == "revolt"
    assert state["figures"][D] == "asia"


# 4.3.3 Threat


@pytest.mark.parametrize(
    ("before", "now"), [(None, "unrest"), ("unrest", "revolt"), (D, D), ("galerius", "galerius")]
)
def test_4_3_3_a_threat_acts_by_the_token_it_finds(before: str | None, now: str) -> None:
    state = ended((4, 5), tokens={} if before is None else {"creta": before})
    assert state["tokens"] == {"creta": now}


def test_4_3_3_a_printed_token_protects_until_it_is_covered() -> None:
    for space, threat in (("bithynia", (5, 6)), ("belgica", (2, 1)), ("pannonia_inferior", (3, 3))):
        assert ended(threat)["tokens"] == {}
        assert ended(threat, tokens={space: "unrest"})["tokens"] == {space: "revolt"}


def test_6_2_a_threat_may_find_no_unrest_left() -> None:
    state = ended((4, 5), reserve={"unrest": 0})
    assert (state["phase"], state["result"], state["reason"]) == ("over", "lost", "no_unrest")


# 4.3.4 Uprising and echo


def test_4_3_4_no_army_left_no_echo() -> None:
    state = ended(
        (1, 2),
        tokens={"baetica": "revolt", "lusitania": "maximian", "carthaginensis": "unrest"},
        barbarians=["persia", "nubia", "scythia"],
        figures={D: "aegyptus", "galerius": "syria"},
        dice={
            "uprising_no_1__tingitana": 4,
            "advance__scythia": 1,
            "battle__nubia__roman": 1,
            "battle__nubia__barbarian": 1,
            "battle__persia__roman": 2,
            "battle__persia__barbarian": 2,
        },
    )
    risen = {"baetica", "lusitania", "carthaginensis", "tingitana"}
    assert {key for key, token in state["tokens"].items() if token == "revolt"} == risen
    assert state["supply"]["maximian"] == 4
    assert state["barbarians"] == ["scythia", "persia", "nubia"]


def test_4_3_4_no_die_for_a_broken_link_to_a_revolt() -> None:
    tokens = {"baetica": "revolt", "tingitana": "revolt"}
    state = ended((1, 2), tokens=tokens, reserve={"barbarians": 0})
    assert set(state["tokens"]) == {"tingitana", "baetica", "lusitania", "carthaginensis"}


def test_4_3_4_an_uprising_does_not_leave_the_empire() -> None:
    state = ended(
        (6, 1),
        tokens={"aegyptus": "revolt"},
        reserve={"barbarians": 0},
        dice={"uprising_no_1__syria": 2},
    )
    assert state["tokens"] == {"aegyptus": "revolt", "cyrenaica": "revolt"}


def test_8_13_a_new_army_advances_at_once() -> None:
    state = ended(
        (4, 4), tokens={"achaia": "revolt"}, dice={"uprising_no_1__creta": 1, "echo_no_1": 5}
    )
    assert state["barbarians"] == ["syria"]
    assert state["tokens"]["syria"] == "revolt"


def test_8_20_an_occupied_border_brings_another_threat() -> None:
    for occupied in ({"tokens": {"achaia": "revolt", "persia": D}}, {"figures": {D: "persia"}}):
        told_of = {"tokens": {"achaia": "revolt"}} | occupied
        state = ended(
            (4, 4),
            dice={"uprising_no_1__creta": 1, "echo_no_1": 5, "threat-2/number": 1},
            **told_of,
        )
        assert state["tokens"]["syria"] == "unrest"
        assert state["barbarians"] == []


def test_8_20_an_army_outside_occupies_it_too() -> None:
    figures = {D: "asia", "galerius": "syria"}
    battle = {"battle__persia__roman": 2, "battle__persia__barbarian": 2}
    state = ended(
        (4, 4),
        tokens={"achaia": "revolt", "syria": D},
        barbarians=["persia"],
        figures=figures,
        dice={"uprising_no_1__creta": 1, "echo_no_1": 5, "threat-2/number": 1, **battle},
    )
    assert state["barbarians"] == ["persia"]


def test_4_3_4_a_chain_of_uprisings() -> None:
    tokens = {"achaia": "revolt", "persia": D, "galatia": "revolt"}
    dice = {"uprising_no_1__creta": 6, "echo_no_1": 5, "threat-2/number": 4, "echo_no_2": 1}
    state = ended((4, 4), tokens=tokens, dice=dice, figures={D: "persia"})
    assert {key for key, token in state["tokens"].items() if token == "revolt"} == {
        "achaia",
        "macedonia",
        "epirus",
        "creta",
        "galatia",
        "cappadocia",
        "asia",
        "bithynia",
        "tingitana",
    }
    assert state["barbarians"] == ["tingitana"]


def test_6_2_an_uprising_may_find_no_revolt_left() -> None:
    state = ended(
        (1, 2),
        tokens={"baetica": "revolt"},
        reserve={"revolt": 1},
        dice={"uprising_no_1__tingitana": 3},
    )
    assert (state["result"], state["reason"]) == ("lost", "no_revolt")
    assert state["tokens"] == {"baetica": "revolt", "lusitania": "revolt"}


# 4.3.5 Advance


def test_4_3_5_each_army_lays_waste_where_it_comes() -> None:
    tokens = {"tingitana": "revolt", "baetica": D}
    state = ended(barbarians=["tingitana"], tokens=tokens, dice={"advance__tingitana": 4})
    assert state["barbarians"] == ["baetica"]
    assert (state["tokens"], state["supply"][D]) == (
        {"tingitana": "revolt", "baetica": "revolt"},
        4,
    )


def test_4_3_5_devastation_of_a_revolt_needs_no_other_token() -> None:
    tokens = {"baetica": "revolt", "lusitania": "revolt"}
    state = ended(barbarians=["baetica"], tokens=tokens, reserve={"revolt": 0})
    assert (state["barbarians"], state["result"], state["reserve"]["revolt"]) == (
        ["lusitania"],
        None,
        0,
    )


def test_6_2_an_army_that_finds_no_revolt_left() -> None:
    state = ended(barbarians=["baetica"], tokens={"baetica": "revolt"}, reserve={"revolt": 0})
    assert (state["result"], state["reason"], state["barbarians"]) == (
        "lost",
        "no_revolt",
        ["lusitania"],
    )


def test_4_3_5_the_nearest_army_moves_first_so_that_none_blocks() -> None:
    state = ended(barbarians=["baetica", "lusitania", "carthaginensis"])
    assert state["barbarians"] == ["lusitania", "carthaginensis", "tarraconensis"]


def test_4_3_5_an_army_in_the_way_no_die() -> None:
    tokens = dict.fromkeys(("gallaecia", "tarraconensis", "narbonensis"), "revolt")
    dice = {"advance__narbonensis": 3}
    state = ended(
        barbarians=["tarraconensis", "narbonensis", "tingitana"],
        tokens=tokens,
        dice=dice | {"advance__tingitana": 1},
    )
    assert state["barbarians"] == ["tingitana", "tarraconensis", "narbonensis"]


def test_8_15_ties_by_region_italia_first() -> None:
    """APVLIA and ETRVRIA are one step from ROMA.

    CISALPINA, SICILIA (of ITALIA) and EPIRVS are two steps away.
    """
    position = {"figures": {D: "asia", "galerius": "roma"}, "barbarians": ["apulia", "etruria"]}
    battles = {
        f"battle__{space}__{side}": n
        for space in ("etruria", "apulia")
        for side, n in (("roman", 6), ("barbarian", 1))
    }
    effects = rendered(position, END, dice=thrown(SAFE, **battles))
    assert [subject for kind, subject in kinds(effects) if kind == "victory"] == [
        "etruria",
        "apulia",
    ]
    order = {"barbarians": ["sicilia", "epirus", "cisalpina"], "figures": {D: "asia"}}
    effects = rendered(order, END, dice=thrown(SAFE, advance__epirus=1, advance__sicilia=1))
    assert [subject for kind, subject in kinds(effects) if kind in ("advance", "not_linked")] == [
        "etruria",
        "sicilia",
        "epirus",
    ]
    order = {"barbarians": ["aegyptus", "lugdunensis", "dacia"], "figures": {D: "asia"}}
    effects = rendered(order, END, dice=thrown(SAFE))
    assert [subject for kind, subject in kinds(effects) if kind == "advance"] == [
        "aquitania",
        "cyrenaica",
        "moesia_superior",
    ]


def test_4_3_5_rome_falls() -> None:
    state = ended(barbarians=["apulia"], figures={D: "asia", "galerius": "sicilia"})
    assert (state["phase"], state["result"], state["reason"], state["barbarians"]) == (
        "over",
        "lost",
        "rome",
        ["roma"],
    )
    assert (state["emperor"], state["round"]) == (D, 1)


def test_5_6_an_emperor_in_rome_holds_it_or_all_is_lost() -> None:
    position = {"figures": {D: "roma"}, "barbarians": ["apulia"], "tokens": {"apulia": "revolt"}}
    battle = {"battle__apulia__roman": 2, "battle__apulia__barbarian": 2}
    assert ended(**position, dice=battle)["barbarians"] == ["apulia"]
    won = ended(**position, dice=battle | {"battle__apulia__roman": 3})
    assert (won["barbarians"], won["tokens"], won["reserve"]["barbarians"]) == ([], {}, 3)
    lost = ended(**position, dice=battle | {"battle__apulia__barbarian": 3})
    assert (lost["result"], lost["reason"], lost["figures"][D]) == ("lost", "rome", None)


# 4.3.6 The next turn


def test_4_3_6_turn_and_round() -> None:
    first = ended(figures={D: "asia", "galerius": "creta"}, attack_no=2)
    assert (
        first["emperor"],
        first["round"],
        first["ip"],
        first["can_enter"],
        first["attack_no"],
    ) == ("galerius", 1, 6, False, 0)
    last = after(
        {"emperor": "maximian", "round": 3}, END, dice=thrown(SAFE, turn="round-3/maximian")
    )
    assert (last["emperor"], last["round"], last["can_enter"]) == (D, 4, True)


def test_the_phase_has_an_effect_for_each_step() -> None:
    tokens = {
        "numidia": "revolt",
        "mauretania": "unrest",
        "dalmatia": "revolt",
        "epirus": "galerius",
    }
    position = {"figures": {D: "asia"}, "tokens": tokens}
    dice = thrown(
        (3, 5),
        status__mauretania__numidia=3,
        uprising_no_1__moesia_superior=2,
        uprising_no_1__pannonia_inferior=4,
        echo_no_1=4,
        advance__scythia=1,
    )
    assert kinds(rendered(position, END, dice=dice)) == [
        ("ended", D),
        ("not_linked", "mauretania"),
        ("threat", "dalmatia"),
        ("uprising", "dalmatia"),
        ("not_linked", "moesia_superior"),
        ("revolt", "pannonia_inferior"),
        ("revolt", "pannonia_superior"),
        ("revolt", "epirus"),
        ("invaders", "scythia"),
        ("not_linked", "scythia"),
        ("turn", "galerius"),
    ]
