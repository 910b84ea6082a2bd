"""Tokens in reserve, obstacles to securing, and games without prospects (4.2c, 6), literally."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.contract.pages import Reader
from games.tetrarchia.page.composing import document
from games.tetrarchia.page.pages import TetrarchyPages
from games.tetrarchia.rules.prospects import certain_loss, is_stalled
from tests.tetrarchia.games import options, steps
from tests.tetrarchia.table import at

ALONE = Reader(("tetrarchy",), {}, True)
NONE = dict.fromkeys(("diocletian", "galerius", "constantius", "maximian"), 0)


def board(**position: Any) -> dict[str, Any]:
    return document(at(**position), ALONE)


def test_4_2c_tokens_in_reserve_are_shown_beside_the_points() -> None:
    shown = board(figures={"diocletian": "asia"}, tokens={"galatia": "diocletian"})
    assert shown["title"] == "Diocletian in ASIA, 6 IP, 3 tokens"
    assert shown["purses"]["diocletian"] == "3 tokens in reserve"
    assert shown["few"] == []
    ribbon = TetrarchyPages().page(at(figures={"diocletian": "asia"}), (), ALONE, ()).own.ribbon
    assert [(slot.state, slot.left, slot.is_low) for slot in ribbon] == [
        ("6 IP", 4, False),
        ("off the board", 4, False),
        ("off the board", 4, False),
        ("off the board", 4, False),
    ]


@pytest.mark.parametrize(
    ("left", "hint"),
    [
        (3, "Tap a ringed space to march, an army to attack, a fleet to sail."),
        (
            2,
            (
                "Diocletian has 2 tokens left. All four Emperors together have 14 tokens for 6 "
                "open borders."
            ),
        ),
        (
            1,
            (
                "This is Diocletian’s last token. All four Emperors together have 13 tokens for 6 "
                "open borders."
            ),
        ),
        (0, "Diocletian has no token in reserve and cannot secure anything."),
    ],
)
def test_4_2c_the_last_two_tokens_are_announced(left: int, hint: str) -> None:
    shown = board(figures={"diocletian": "asia"}, supply={"diocletian": left})
    assert shown["hint"] == hint
    assert shown["few"] == (["diocletian"] if left < 3 else [])


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, ""),
        ({"tokens": {"nubia": "galerius"}}, "Galerius’s token already holds NVBIA."),
        (
            {"tokens": {"africa": "revolt", "numidia": "revolt", "sicilia": "revolt"}},
            "The border at NVBIA cannot be secured while there is Revolt in AFRICA and NVMIDIA.",
        ),
        ({"ip": 1}, "Securing this space costs 2 IP, but Diocletian has only 1 IP."),
        (
            {"supply": {"diocletian": 0}},
            "Diocletian has no token in reserve and cannot secure anything.",
        ),
    ],
)
def test_4_2c_the_reason_why_a_border_cannot_be_secured(more: Any, reason: str) -> None:
    shown = board(figures={"diocletian": "nubia"}, **more)
    assert shown["secure"] == reason
    assert ("Secure the border at NVBIA, 2 IP" in [act["do"] for act in shown["stand"]]) is (
        not reason
    )


@pytest.mark.parametrize(
    ("space", "token", "reason"),
    [
        ("creta", None, ""),
        ("creta", "unrest", "Remove the Unrest in CRETA before you place a token there."),
        ("creta", "revolt", "Remove the Revolt in CRETA before you place a token there."),
        ("creta", "diocletian", "Diocletian’s token already holds CRETA."),
        ("roma", None, "The token printed on ROMA already holds it."),
    ],
)
def test_4_2c_the_reason_why_a_province_cannot_be_secured(
    space: str, token: str | None, reason: str
) -> None:
    shown = board(figures={"diocletian": space}, tokens={space: token})
    assert shown["secure"] == reason


@pytest.mark.parametrize(
    ("more", "there"),
    [
        ({}, "There: no token, 1 IP to secure."),
        ({"ip": 1}, "There: no token. Securing it costs 1 IP, more than will be left."),
        (
            {"supply": {"diocletian": 0}},
            "There: no token. Diocletian has none in reserve to secure it.",
        ),
        ({"tokens": {"cilicia": "unrest"}}, "There: Unrest, 1 IP to remove."),
        (
            {"tokens": {"cilicia": "unrest"}, "ip": 1},
            "There: Unrest. Removing it costs 1 IP, more than will be left.",
        ),
    ],
)
def test_4_2c_a_march_promises_only_what_can_follow(more: Any, there: str) -> None:
    march = board(figures={"diocletian": "asia"}, **more)["go"]["cilicia"]
    assert march["sub"].endswith(there)


def test_4_2c_a_march_to_a_border_names_the_revolts_behind_it() -> None:
    here = {"figures": {"diocletian": "aegyptus"}}
    assert board(**here)["go"]["nubia"]["sub"].endswith("There: the border, 2 IP to secure.")
    assert board(**here, tokens={"africa": "revolt"})["go"]["nubia"]["sub"].endswith(
        "There: the border. It cannot be secured while there is Revolt in AFRICA."
    )


def test_5_2_the_odds_promise_no_token_that_is_not_there() -> None:
    here = {"figures": {"diocletian": "asia"}, "barbarians": ["galatia"]}
    with_token, without = (
        TetrarchyPages().page(at(**here, supply={"diocletian": n}), (), ALONE, ()).own.attack
        for n in (1, 0)
    )
    assert [case.text for case in with_token.explained.what_if] == ["one more token in the chain"]
    assert without.explained.what_if == []


# Games without prospects (6.2) ------------------------------------------------------------------

SIX = ("etruria", "cisalpina", "narbonensis", "lugdunensis", "aquitania", "rhaetia")
AT_THE_GATE = {"emperor": "maximian", "barbarians": ["etruria"]}


@pytest.mark.parametrize(
    ("position", "lost"),
    [
        # A beaten Emperor can only end the turn, and ROMA is empty.
        ({"ip": 3}, "rome"),
        # An Emperor in ROMA may beat the army: VI + 1 against 1 + 7 is lost, against 1 + 6 drawn.
        ({"ip": 3, "figures": {"galerius": "roma"}}, None),
        (
            {
                "ip": 0,
                "figures": {"maximian": "roma"},
                "tokens": dict.fromkeys(
                    (
                        "etruria",
                        "cisalpina",
                        "narbonensis",
                        "lugdunensis",
                        "aquitania",
                        "rhaetia",
                        "tarraconensis",
                    ),
                    "revolt",
                ),
            },
            "rome",
        ),
        (
            {
                "ip": 0,
                "figures": {"maximian": "roma"},
                "tokens": dict.fromkeys(SIX, "revolt"),
            },
            None,
        ),
        # An Emperor off the board may enter in ROMA.
        ({"can_enter": True}, None),
        # An Emperor who is near enough can go to ROMA or attack the army: SICILIA, APVLIA, ROMA.
        ({"ip": 3, "figures": {"maximian": "sicilia"}}, None),
        ({"ip": 2, "figures": {"maximian": "sicilia"}}, "rome"),
        # By sea it is nearer, and a fleet may sail there first.
        ({"ip": 1, "figures": {"maximian": "sicilia"}, "fleets": ["internum"]}, None),
        ({"ip": 2, "figures": {"maximian": "sicilia"}, "fleets": ["aegaeum"]}, None),
        ({"ip": 1, "figures": {"maximian": "sicilia"}, "fleets": ["aegaeum"]}, "rome"),
        # A Revolt in ROMA drives out the Emperor who is there.
        ({"ip": 0, "figures": {"galerius": "roma"}, "tokens": {"roma": "revolt"}}, "rome"),
        # The last border may be secured before the army moves.
        (
            {
                "ip": 2,
                "figures": {"maximian": "nubia"},
                "tokens": dict.fromkeys(
                    ("gaetulia", "britannia", "sarmatia", "scythia", "persia"), "galerius"
                ),
            },
            None,
        ),
        (
            {
                "ip": 1,
                "figures": {"maximian": "nubia"},
                "tokens": dict.fromkeys(
                    ("gaetulia", "britannia", "sarmatia", "scythia", "persia"), "galerius"
                ),
            },
            "rome",
        ),
        # Two steps from ROMA nothing is certain.
        ({"ip": 0, "barbarians": ["cisalpina"]}, None),
    ],
)
def test_6_2_a_game_is_lost_if_nobody_can_stop_the_army(position: Any, lost: str | None) -> None:
    assert certain_loss(at(**{**AT_THE_GATE, **position})) == lost


@pytest.mark.parametrize(
    ("position", "lost"),
    [
        # GALATIA's Unrest is linked to the Revolt in CAPPADOCIA, and no Revolt token is left.
        ({"tokens": {"galatia": "unrest", "cappadocia": "revolt"}}, "no_revolt"),
        ({"tokens": {"galatia": "unrest", "cappadocia": "revolt"}, "reserve": {"revolt": 1}}, None),
        # A broken link may hold.
        ({"tokens": {"cilicia": "unrest", "cappadocia": "revolt"}}, None),
        # The army lays SYRIA waste; an Emperor there may beat it, and a Revolt is there already.
        ({"barbarians": ["persia"]}, "no_revolt"),
        ({"barbarians": ["persia"], "figures": {"galerius": "syria"}}, None),
        ({"barbarians": ["persia"], "tokens": {"syria": "revolt"}}, None),
        ({"barbarians": ["persia"], "reserve": {"revolt": 1}}, None),
        # An Emperor who can still act may remove a Revolt.
        ({"barbarians": ["persia"], "ip": 1, "figures": {"diocletian": "roma"}}, None),
    ],
)
def test_6_2_a_game_is_lost_if_revolt_tokens_run_out(position: Any, lost: str | None) -> None:
    assert certain_loss(at(**{"ip": 0, "reserve": {"revolt": 0}, **position})) == lost


def test_6_2_a_lost_game_is_ended_by_ending_the_turn() -> None:
    shown = board(**AT_THE_GATE, ip=3)
    assert shown["end"]["do"] == "End the turn and the game"
    assert shown["end"]["main"] is True
    assert shown["hint"] == (
        "The army beside ROMA will enter it in the coming barbarian phase, and no Emperor can stop "
        "it."
    )
    saved = board(**AT_THE_GATE, ip=3, figures={"galerius": "roma"})
    assert saved["outlook"] is None
    assert saved["end"]["do"] == "End the turn: the barbarians come"


def test_8_16_without_tokens_the_game_says_so_and_offers_to_end() -> None:
    shown = board(figures={"diocletian": "nubia"}, supply=NONE)
    assert shown["hint"] == "No Emperor has a token left, so no border can be secured now."
    assert shown["outlook"]["do"] == "Ways to end the game"
    assert shown["outlook"]["text"] == (
        "A token comes back only when a Revolt, an army or a defeat takes it from the board. You "
        "can play on and hope for this, or end the game here with 6 open borders."
    )
    assert board(supply={**NONE, "galerius": 1})["outlook"] is None


@pytest.mark.parametrize("seed", [28, 31, 32, 38, 40, 66, 68])
def test_6_2_a_game_that_is_called_lost_is_lost_in_that_turn(seed: int) -> None:
    """No random game survives a turn in which its loss was announced."""
    announced: tuple[int, str] | None = None
    for position, _move, played in steps(f"{seed:064x}", random.Random(seed), options(seed)):
        if certain_loss(position):
            announced = (position.round, position.emperor)
        after = played.after
        if after.phase == "roman" and announced:
            assert (after.round, after.emperor) == announced
        if after.phase == "over" and announced:
            assert after.result == "lost"
        assert is_stalled(after) == (after.phase == "roman" and not any(after.supply.values()))
    assert announced is not None
