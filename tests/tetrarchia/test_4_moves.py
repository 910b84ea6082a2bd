"""The Roman phase (4.1, 4.2): the cost, effect and refusals of each move."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tetrarchia.table import (
    CALM,
    END,
    REMOVE,
    SECURE,
    after,
    at,
    attack,
    enter,
    go,
    refused,
    sail,
    thrown,
)

D = "diocletian"
REVOLTS = {"bithynia": "revolt", "asia": "revolt"}


def here(space: str, **more: Any) -> dict[str, Any]:
    return {"figures": {D: space}} | more


# 4.1 Entering


@pytest.mark.parametrize("space", ["roma", "bithynia"])
def test_4_1_an_emperor_enters_rome_or_his_capital_for_nothing(space: str) -> None:
    state = after({"can_enter": True}, enter(space))
    assert (state["figures"][D], state["ip"], state["can_enter"]) == (space, 6, False)


def test_4_1_rome_is_open_with_a_token_and_another() -> None:
    shown = {"can_enter": True, "figures": {"galerius": "roma"}, "tokens": {"roma": "revolt"}}
    assert after(shown, enter("roma"))["figures"] == {
        D: "roma",
        "galerius": "roma",
        "constantius": None,
        "maximian": None,
    }


@pytest.mark.parametrize(
    "blocked",
    [
        {"tokens": {"bithynia": "unrest"}},
        {"tokens": {"bithynia": "revolt"}},
        {"tokens": {"bithynia": D}},
        {"barbarians": ["bithynia"]},
        {"figures": {"galerius": "bithynia"}},
    ],
)
def test_4_1_a_capital_that_is_not_free(blocked: dict[str, Any]) -> None:
    assert refused({"can_enter": True, **blocked}, enter("bithynia")) == "entry-blocked"


@pytest.mark.parametrize(
    "space", ["cisalpina", "belgica", "pannonia_inferior", "asia", "persia", "atlantis", ""]
)
def test_4_1_no_other_space_is_entered(space: str) -> None:
    assert refused({"can_enter": True}, enter(space)) == "bad-entry"


@pytest.mark.parametrize(
    "move", [go("asia"), sail("internum", "aegaeum"), SECURE, REMOVE, CALM, attack("asia"), END]
)
def test_4_1_an_emperor_off_the_board_enters_first(move: dict[str, Any]) -> None:
    assert refused({"can_enter": True, "fleets": ["internum"]}, move) == "must-enter"


def test_4_1_no_emperor_enters_twice() -> None:
    assert refused({"can_enter": True}, enter("roma"), enter("bithynia")) == "cannot-enter"
    assert refused(here("asia"), enter("roma")) == "cannot-enter"


def test_8_14_a_beaten_emperor_can_only_end_the_turn() -> None:
    beaten = {"ip": 4}
    for move in (go("asia"), sail("internum", "aegaeum"), SECURE, REMOVE, CALM, attack("asia")):
        assert refused(beaten | {"fleets": ["internum"]}, move) == "off-board"
    assert refused(beaten, enter("roma")) == "cannot-enter"
    assert after(beaten, END, dice=thrown((6, 6)))["emperor"] == "galerius"


# 8.11 Two in ROMA

SHARED = {"figures": {D: "roma", "galerius": "roma"}, "fleets": ["internum"]}


@pytest.mark.parametrize("move", [SECURE, REMOVE, CALM, attack("etruria")])
def test_8_11_an_emperor_who_shares_rome_may_not_act(move: dict[str, Any]) -> None:
    assert refused(SHARED | {"barbarians": ["etruria"]}, move) == "sharing"


def test_8_11_an_emperor_who_shares_rome_may_move_on_or_send_a_fleet() -> None:
    assert after(SHARED, sail("internum", "aegaeum"), go("apulia"))["figures"][D] == "apulia"
    assert refused(SHARED, go("apulia"), go("roma")) == "occupied"


def test_8_11_an_emperor_who_stays_leaves_the_board() -> None:
    state = after(SHARED, END, dice=thrown((6, 6)))
    assert (state["figures"][D], state["figures"]["galerius"]) == (None, "roma")


# 4.2a Moving


@pytest.mark.parametrize(
    ("start", "path", "cost"),
    [
        ("achaia", ["macedonia"], 1),
        ("thracia", ["bithynia"], 2),
        ("achaia", ["creta"], 2),
        ("thracia", ["bithynia", "asia", "cilicia"], 4),
        ("belgica", ["britannia"], 2),
        ("nubia", ["aegyptus"], 1),
        ("syria", ["persia", "syria"], 2),
    ],
)
def test_4_2a_links_have_their_cost(start: str, path: list[str], cost: int) -> None:
    state = after(here(start), go(*path))
    assert (state["figures"][D], state["ip"]) == (path[-1], 6 - cost)


def test_4_2a_a_point_more_into_each_revolt() -> None:
    assert after(here("thracia", tokens=REVOLTS), go("bithynia", "asia"))["ip"] == 6 - 3 - 2
    assert after(here("galatia", tokens={"bithynia": "unrest"}), go("bithynia"))["ip"] == 5


def test_4_2a_a_fleet_links_the_coasts_of_its_zone() -> None:
    assert after(here("thracia", fleets=["aegaeum"]), go("aegyptus"))["ip"] == 5
    assert (
        after(here("thracia", fleets=["aegaeum"], tokens={"aegyptus": "revolt"}), go("aegyptus"))[
            "ip"
        ]
        == 4
    )
    assert refused(here("thracia", fleets=["internum"]), go("aegyptus")) == "not-linked"
    assert refused(here("thracia", fleets=["aegaeum", "internum"]), go("sicilia")) == "not-linked"
    assert refused(here("nubia", fleets=["aegaeum"]), go("syria")) == "not-linked"


def test_4_2a_the_cheaper_of_land_and_sea() -> None:
    assert after(here("thracia", fleets=["aegaeum"]), go("bithynia"))["ip"] == 5
    assert after(here("thracia", fleets=["aegaeum"], tokens=REVOLTS), go("bithynia"))["ip"] == 4
    assert after(here("asia", fleets=["aegaeum"]), go("bithynia"))["ip"] == 5


def test_4_2a_past_others_but_not_to_them() -> None:
    shown = {"figures": {D: "asia", "galerius": "galatia"}}
    assert after(shown, go("galatia", "cappadocia"))["ip"] == 4
    assert refused(shown, go("galatia")) == "occupied"
    assert after(shown, go("galatia", "asia"))["figures"][D] == "asia"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (["syria"], "not-linked"),
        (["asia"], "not-linked"),
        (["bithynia", "syria"], "not-linked"),
        (["atlantis"], "unknown-province"),
        (["bithynia", "atlantis"], "unknown-province"),
        (["galatia"], "barbarian-there"),
        (["galatia", "cappadocia"], "barbarian-there"),
        (["cilicia"], "occupied"),
        (["bithynia", "thracia", "macedonia", "epirus"], "not-enough-ip"),
    ],
)
def test_4_2a_illegal_marches_are_refused(path: list[str], code: str) -> None:
    shown = {"figures": {D: "asia", "galerius": "cilicia"}, "barbarians": ["galatia"], "ip": 5}
    assert refused(shown, go(*path)) == code


def test_the_place_is_judged_before_the_points() -> None:
    shown = {"figures": {D: "asia", "galerius": "cilicia"}, "barbarians": ["galatia"], "ip": 0}
    assert refused(shown, go("cilicia")) == "occupied"
    assert refused(shown, go("galatia")) == "barbarian-there"
    assert refused(shown, go("syria")) == "not-linked"
    assert refused(shown, go("bithynia")) == "not-enough-ip"
    assert refused(shown, attack("bithynia")) == "no-barbarian"
    assert refused(shown, attack("galatia")) == "not-enough-ip"
    assert refused(here("bithynia", ip=0), SECURE) == "token-there"
    assert refused(here("asia", ip=0), SECURE) == "not-enough-ip"
    assert refused(here("asia", ip=0), REMOVE) == "nothing-to-subdue"
    assert refused(here("asia", ip=0, tokens={"asia": "unrest"}), REMOVE) == "not-enough-ip"
    assert (
        refused(here("asia", ip=0, fleets=["internum"]), sail("internum", "internum"))
        == "not-adjacent"
    )
    assert (
        refused(here("asia", ip=0, fleets=["internum"]), sail("internum", "aegaeum"))
        == "not-enough-ip"
    )


# 4.2b Sailing


def test_4_2b_a_fleet_sails_from_anywhere() -> None:
    state = after(here("galatia", fleets=["internum"]), sail("internum", "atlanticum"))
    assert (state["fleets"], state["ip"]) == (["atlanticum"], 5)
    assert after(here("asia", fleets=["atlanticum", "internum"]), sail("internum", "aegaeum"))[
        "fleets"
    ] == [
        "atlanticum",
        "aegaeum",
    ]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (sail("aegaeum", "internum"), "no-fleet"),
        (sail("nowhere", "internum"), "no-fleet"),
        (sail("atlanticum", "aegaeum"), "not-adjacent"),
        (sail("atlanticum", "nowhere"), "not-adjacent"),
        (sail("atlanticum", "internum"), "zone-taken"),
    ],
)
def test_4_2b_illegal_sailings_are_refused(move: dict[str, Any], code: str) -> None:
    assert refused(here("asia", fleets=["atlanticum", "internum"]), move) == code


# 4.2c Securing


def test_4_2c_a_token_costs_one_point() -> None:
    state = after(here("asia"), SECURE)
    assert (state["tokens"], state["supply"][D], state["ip"]) == ({"asia": D}, 3, 5)


@pytest.mark.parametrize(
    ("space", "tokens"),
    [
        ("asia", {"asia": "unrest"}),
        ("asia", {"asia": "revolt"}),
        ("asia", {"asia": D}),
        ("asia", {"asia": "galerius"}),
        ("bithynia", {}),
        ("belgica", {}),
        ("roma", {}),
        ("nubia", {"nubia": "maximian"}),
    ],
)
def test_8_12_no_second_token_and_none_on_a_printed_one(space: str, tokens: dict[str, str]) -> None:
    assert refused(here(space, tokens=tokens), SECURE) == "token-there"


def test_4_2c_the_supply_is_a_limit() -> None:
    shown = here("asia", tokens=dict.fromkeys(("galatia", "cilicia", "syria", "cappadocia"), D))
    assert refused(shown, SECURE) == "no-tokens"
    assert after(shown | {"level": [5, 2, 1, 1]}, SECURE)["supply"][D] == 0


def test_4_2c_a_border_costs_two_in_a_quiet_region() -> None:
    state = after(here("persia", tokens={"syria": "unrest"}), SECURE)
    assert (state["tokens"]["persia"], state["ip"], state["phase"]) == (D, 4, "roman")
    assert refused(here("persia", ip=1), SECURE) == "not-enough-ip"
    assert refused(here("persia", tokens={"bithynia": "revolt"}), SECURE) == "region-in-revolt"
    assert after(here("persia", tokens={"aegyptus": "revolt"}), SECURE)["ip"] == 4


BORDERS = {
    "gaetulia": "maximian",
    "britannia": "constantius",
    "sarmatia": "galerius",
    "scythia": "galerius",
    "persia": D,
}


def test_6_1_the_sixth_border_wins_at_once() -> None:
    state = after(here("nubia", tokens=BORDERS), SECURE)
    assert (state["phase"], state["result"], state["reason"], state["ip"]) == (
        "over",
        "won",
        None,
        4,
    )
    assert refused(here("nubia", tokens=BORDERS), SECURE, END) == "game-over"
    assert after(here("nubia", tokens={**BORDERS, "persia": None}), SECURE)["result"] is None


# 4.2d Subduing


@pytest.mark.parametrize(
    ("token", "move", "left", "cost"),
    [("unrest", REMOVE, None, 1), ("revolt", REMOVE, None, 2), ("revolt", CALM, "unrest", 1)],
)
def test_4_2d_subduing(token: str, move: dict[str, Any], left: str | None, cost: int) -> None:
    state = after(here("asia", tokens={"asia": token}), move)
    assert (state["tokens"].get("asia"), state["ip"]) == (left, 6 - cost)
    assert state["reserve"] == {"unrest": 20 if left else 21, "revolt": 21, "barbarians": 3}


@pytest.mark.parametrize("tokens", [{}, {"asia": D}, {"asia": "galerius"}, {"galatia": "revolt"}])
def test_4_2d_nothing_to_subdue(tokens: dict[str, str]) -> None:
    assert refused(here("asia", tokens=tokens), REMOVE) == "nothing-to-subdue"
    assert refused(here("asia", tokens=tokens), CALM) == "nothing-to-subdue"


def test_4_2d_unrest_is_not_calmed() -> None:
    assert refused(here("asia", tokens={"asia": "unrest"}), CALM) == "nothing-to-subdue"


def test_8_17_calming_needs_an_unrest_token() -> None:
    shown = here("asia", tokens={"asia": "revolt"}, reserve={"unrest": 0})
    assert refused(shown, CALM) == "no-unrest-tokens"
    assert after(shown, REMOVE)["tokens"] == {}


# 4.2e Attacking


def test_4_2e_what_an_attack_costs() -> None:
    def left(space: str, **more: Any) -> int:
        return int(
            after(
                here(space, **more),
                attack("narbonensis"),
                dice={f"round-1/diocletian/attack-1/{side}": 1 for side in ("roman", "barbarian")},
            )["ip"]
        )

    army = {"barbarians": ["narbonensis"]}
    assert left("germania_superior", **army) == 5
    assert left("cisalpina", **army) == 4
    assert left("cisalpina", **army, fleets=["internum"]) == 4
    assert left("cisalpina", **army, tokens={"narbonensis": "revolt"}) == 3


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("atlantis", "unknown-province"),
        ("syria", "not-linked"),
        ("persia", "not-linked"),
        ("asia", "not-linked"),
        ("galatia", "no-barbarian"),
        ("aegyptus", "not-linked"),
    ],
)
def test_4_2e_illegal_attacks_are_refused(target: str, code: str) -> None:
    assert (
        refused(here("asia", barbarians=["persia", "aegyptus"], fleets=["aegaeum"]), attack(target))
        == code
    )


# The form of a move, and its phase


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"move": "march"}, "unknown-move"),
        ({"move": "Move", "path": ["galatia"]}, "unknown-move"),
        ({}, "bad-arguments"),
        ([], "bad-arguments"),
        (None, "bad-arguments"),
        ("end_turn", "bad-arguments"),
        ({"move": 5}, "bad-arguments"),
        ({"move": "move"}, "bad-arguments"),
        (go(), "bad-arguments"),
        ({"move": "move", "path": "galatia"}, "bad-arguments"),
        ({"move": "move", "path": [5]}, "bad-arguments"),
        ({"move": "move", "to": "galatia"}, "bad-arguments"),
        ({"move": "move", "path": ["galatia"], "cost": 1}, "bad-arguments"),
        ({"move": "enter"}, "bad-arguments"),
        ({"move": "enter", "at": None}, "bad-arguments"),
        ({"move": "sail", "from": "internum"}, "bad-arguments"),
        ({"move": "sail", "source": "internum", "to": "aegaeum"}, "bad-arguments"),
        ({"move": "subdue"}, "bad-arguments"),
        ({"move": "subdue", "how": "burn"}, "bad-arguments"),
        ({"move": "secure", "at": "asia"}, "bad-arguments"),
        ({"move": "attack"}, "bad-arguments"),
        ({"move": "attack", "target": ["galatia"]}, "bad-arguments"),
        ({"move": "place_fleets", "zones": [5]}, "bad-arguments"),
        *(
            ({"move": "imperium", "tokens": n}, "bad-arguments")
            for n in (0, -1, 1.5, "1", True, None)
        ),
        ({"by": "nero", "move": "end_turn"}, "bad-arguments"),
        ({"by": 5, "move": "end_turn"}, "bad-arguments"),
        ({"by": "gm", "move": "end_turn"}, "bad-arguments"),
        ({"by": "tetrarchy", "for": "tetrarchy", "move": "end_turn"}, "bad-arguments"),
    ],
)
def test_a_move_with_a_wrong_form_is_refused(move: Any, code: str) -> None:
    assert refused(here("asia"), move) == code


@pytest.mark.parametrize(
    ("phase", "move", "code"),
    [
        ("setup", END, "wrong-phase"),
        ("setup", enter("roma"), "wrong-phase"),
        ("setup", {"move": "place_fleets", "zones": ["internum"]}, "wrong-phase"),
        ("fleets", {"move": "begin"}, "wrong-phase"),
        ("fleets", enter("roma"), "wrong-phase"),
        ("roman", {"move": "begin"}, "wrong-phase"),
        ("roman", {"move": "place_fleets", "zones": ["internum"]}, "wrong-phase"),
        ("over", {"move": "begin"}, "game-over"),
        ("over", END, "game-over"),
        ("over", go("atlantis"), "game-over"),
        ("fleets", go("atlantis"), "wrong-phase"),
    ],
)
def test_each_move_has_its_phase(phase: str, move: dict[str, Any], code: str) -> None:
    assert refused({"phase": phase}, move) == code


# 3.5 The fleets


@pytest.mark.parametrize(
    "zones",
    [
        [],
        ["internum"],
        ["internum", "internum"],
        ["internum", "nowhere"],
        ["internum", "aegaeum", "atlanticum"],
    ],
)
def test_3_5_as_many_zones_as_fleets_all_different(zones: list[str]) -> None:
    assert refused({"phase": "fleets"}, {"move": "place_fleets", "zones": zones}) == "bad-zones"


def test_3_5_3_6_the_first_turn() -> None:
    state = after({"phase": "fleets"}, {"move": "place_fleets", "zones": ["aegaeum", "atlanticum"]})
    assert state["fleets"] == ["atlanticum", "aegaeum"]
    assert (state["phase"], state["round"], state["emperor"], state["ip"], state["can_enter"]) == (
        "roman",
        1,
        D,
        6,
        True,
    )


# 2 Seats and their moves


def test_2_an_emperor_moves_in_his_own_turn() -> None:
    for by in ("diocletian", "tetrarchy"):
        assert after(here("asia"), {"by": by, **SECURE})["ip"] == 5
    assert refused(here("asia"), {"by": "galerius", **SECURE}) == "not-your-turn"
    assert after(here("asia"), {"by": "gm", "for": "tetrarchy", **SECURE})["ip"] == 5


@pytest.mark.parametrize(
    ("options", "emperor", "yes", "no"),
    [
        ({"players": 2}, "galerius", ["east", "galerius"], ["west", "diocletian", "maximian"]),
        ({"players": 2}, "maximian", ["west", "maximian"], ["east", "constantius"]),
        ({"players": 4}, "galerius", ["galerius"], ["diocletian", "maximian"]),
        (
            {"players": 3, "caesar": "constantius"},
            "galerius",
            ["diocletian", "galerius"],
            ["constantius", "maximian"],
        ),
        (
            {"players": 3, "caesar": "constantius"},
            "constantius",
            ["constantius"],
            ["maximian", "galerius"],
        ),
        (
            {"players": 3, "caesar": "galerius"},
            "constantius",
            ["maximian", "constantius"],
            ["diocletian"],
        ),
    ],
)
def test_2_seats_play_their_emperors(
    options: dict[str, Any], emperor: str, yes: list[str], no: list[str]
) -> None:
    position = at(options, emperor=emperor, figures={emperor: "asia"})
    for by in yes:
        assert after(position, {"by": by, **SECURE})["ip"] == 5
    for by in no:
        assert refused(position, {"by": by, **SECURE}) == "not-your-turn"
    assert after(position, SECURE)["ip"] == 5


def test_3_2_the_owner_of_the_table_begins() -> None:
    four = at({"players": 4, "level": "4100"}, phase="setup")
    assert refused(four, {"by": "diocletian", "move": "begin"}) == "not-allowed"
    dice = {
        f"setup/revolt/{r}": 2
        for r in ("hispania", "gallia", "illyricum", "graecia", "asia_minor", "africa_region")
    }
    for by in ({}, {"by": "gm"}):
        assert after(four, {**by, "move": "begin"}, dice=dice)["phase"] == "fleets"
    alone = at({"level": "4100"}, phase="setup")
    for by in ({}, {"by": "tetrarchy"}, {"by": "gm"}, {"by": "gm", "for": "tetrarchy"}):
        assert after(alone, {**by, "move": "begin"}, dice=dice)["phase"] == "fleets"
    assert refused(four, {"by": "east", "move": "begin"}) == "bad-arguments"
