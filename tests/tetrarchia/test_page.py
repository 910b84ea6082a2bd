"""The page of a game as plain data, by literal expectation from the rules.

It covers prices, chances and texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.language import use_language
from games.contract.pages import Reader
from games.tetrarchia.page import choosing
from games.tetrarchia.page.choosing import Side
from games.tetrarchia.page.pages import TetrarchyPages
from games.tetrarchia.page.threats import threats
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.position import Position, Scenario, read_options
from games.tetrarchia.rules.view import read_position

ALPS: dict[str, Any] = {
    "round": 5,
    "emperor": "maximian",
    "figures": {
        "diocletian": "asia",
        "galerius": "pannonia_inferior",
        "constantius": "aquitania",
        "maximian": "rhaetia",
    },
    "tokens": {
        "tingitana": "revolt",
        "baetica": "revolt",
        "lusitania": "revolt",
        "carthaginensis": "revolt",
        "gallaecia": "revolt",
        "tarraconensis": "revolt",
        "narbonensis": "revolt",
        "etruria": "maximian",
        "lugdunensis": "constantius",
        "cilicia": "diocletian",
        "scythia": "galerius",
        "moesia_inferior": "galerius",
        "creta": "unrest",
        "mauretania": "unrest",
        "cyrenaica": "revolt",
    },
    "barbarians": ["narbonensis", "sarmatia"],
    "fleets": ["internum", "aegaeum"],
}
"""The battle across the Alps from the long example of the rules, one move before it."""


def at(raw: Mapping[str, Any], **options: Any) -> Position:
    return read_position(dict(raw), Scenario(), read_options(options))


def reader(*seats: str, **query: str) -> Reader:
    return Reader(seats, query, bool(seats))


def test_5_2_an_attack_is_explained_term_by_term() -> None:
    position = at({**ALPS, "figures": {**ALPS["figures"], "maximian": "germania_superior"}})
    result = choosing.attack(position, "narbonensis")
    explained = result.explained
    assert explained is not None
    assert explained.rome == Side(
        support=3,
        group="support: CISALPINA – ETRVRIA – ROMA",
        helpers=["Constantius"],
        least=8,
        most=18,
    )
    assert (explained.foe.support, explained.foe.helpers) == (7, [])
    assert (explained.foe.least, explained.foe.most) == (8, 13)
    assert (explained.odds.won, explained.odds.level, explained.odds.lost) == (24, 3, 9)
    assert explained.odds.won_text == "67%"
    assert [(case.text, case.was, case.now) for case in explained.what_if] == [
        ("one more token in the chain", "67%", "83%"),
        ("Constantius elsewhere", "67%", "3%"),
        ("one Revolt fewer linked to it", "67%", "75%"),
    ]


def test_4_2_an_army_has_starting_spaces_and_prices_of_attacks() -> None:
    result = choosing.attack(at(ALPS), "narbonensis")
    assert [(way.name, way.cost, way.won, way.is_far) for way in result.origins] == [
        ("GERMANIA SVPERIOR", 3, "67%", False),
        ("CISALPINA", 5, "67%", False),
        ("LVGDVNENSIS", 4, "17%", False),
        ("TARRACONENSIS", 6, "17%", False),
    ]


def test_4_2a_destinations_have_their_cheapest_price() -> None:
    reach = choosing.goals(at(ALPS))
    assert reach["germania_superior"] == (1, ("germania_superior",))
    assert reach["cisalpina"].cost == 2
    assert "narbonensis" not in reach  # an army is there
    assert "aquitania" not in reach  # Constantius is there


def test_4_2_an_unreachable_space_gives_the_reason() -> None:
    position = at({**ALPS, "ip": 2})

    def why(key: str) -> tuple[str, str]:
        result = choosing.spot(position, key, choosing.goals(position)).forbidden
        assert result is not None
        return result.refused, result.rule

    assert why("roma") == ("This costs 3 points, but only 2 points are left.", "4.2")
    assert why("aquitania") == ("There is another Emperor in AQVITANIA.", "4.2")


def test_an_uncertain_chance_is_never_shown_as_certain() -> None:
    assert [battle.percent(n) for n in (0, 1, 18, 35, 36)] == ["0%", "3%", "50%", "97%", "100%"]


def test_the_chances_of_all_ends_of_a_throw_add_up_to_100() -> None:
    assert battle.percents((15, 6, 15)) == ["42%", "17%", "41%"]
    assert battle.percents((36, 0, 0)) == ["100%", "0%", "0%"]


def test_4_3_threats_and_the_threat_die() -> None:
    result = threats(at(ALPS))
    assert [(army.name, army.steps, army.text, army.chance) for army in result.armies] == [
        (
            "NARBONENSIS",
            "3 steps from ROMA",
            "moves to CISALPINA next, over a broken link: on 4 to 6",
            "50%",
        ),
        (
            "SARMATIA",
            "8 steps from ROMA",
            "moves to DACIA next, over a broken link: on 4 to 6",
            "50%",
        ),
    ]
    assert [(risk.name, risk.beside, risk.chance) for risk in result.unrest] == [
        ("MAVRETANIA", "TINGITANA", "50%")
    ]
    assert result.reserve == ["13 Revolt tokens", "19 Unrest tokens", "1 army"]
    assert [(face.n, face.of) for face in result.die] == [(6, 36), (20, 36), (2, 36), (8, 36)]
    assert [face.text for face in result.die] == [
        "17%",
        "56%",
        "5%",
        "22%",
    ], "6% would make 101%"
    assert (result.secured, result.borders) == (1, 6)


def test_the_page_has_a_board_for_all_and_forms_for_the_mover() -> None:
    pages, position = TetrarchyPages(), at(ALPS)
    mine = pages.page(position, [], reader("tetrarchy"), []).own
    assert (mine.mine, mine.turn.left, mine.acts_for) == (True, 6, "")
    assert mine.map.svg.count('class="b-army"') == 2
    assert mine.map.svg.count('class="b-figure"') == 4
    assert pages.page(position, [], reader(), []).own.mine is False


def test_2_1_the_seat_of_the_emperor_or_the_game_master_moves() -> None:
    pages, position = TetrarchyPages(), at(ALPS, players=2)
    assert pages.page(position, [], reader("west"), []).own.mine is True
    assert pages.page(position, [], reader("east"), []).own.mine is False
    master = pages.page(position, [], reader("gm"), []).own
    assert (master.mine, master.acts_for) == (True, "The West")
    assert pages.read_move(position, {"do": "secure"}) == {"by": "west", "move": "secure"}


def test_a_chosen_space_shows_its_price() -> None:
    page = TetrarchyPages().page(at(ALPS), [], reader("tetrarchy", at="cisalpina"), [])
    assert page.own.spot.way.cost == 2
    assert page.own.spot.way.move.fields == [("path", "cisalpina")]
    assert page.own.attack is None
    away = {**ALPS, "figures": {**ALPS["figures"], ALPS["emperor"]: None}}
    shown = TetrarchyPages().page(at(away), [], reader("tetrarchy", at="cisalpina"), []).own.spot
    assert (shown.way, shown.forbidden.cost) == (None, None)
    assert shown.forbidden.refused == "Maximian has left the board and can only end the turn."
    odd = TetrarchyPages().page(at(ALPS), [], reader("tetrarchy", at='"><script>'), [])
    assert odd.own.spot is None


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        (
            {"do": "move", "path": "etruria-cisalpina"},
            {"move": "move", "path": ["etruria", "cisalpina"]},
        ),
        (
            {"do": "place_fleets", "zones": "internum-aegaeum"},
            {"move": "place_fleets", "zones": ["internum", "aegaeum"]},
        ),
        (
            {"do": "sail", "from": "internum", "to": "atlanticum"},
            {"move": "sail", "from": "internum", "to": "atlanticum"},
        ),
        ({"do": "subdue", "how": "calm"}, {"move": "subdue", "how": "calm"}),
        ({"do": "imperium", "tokens": " 2 "}, {"move": "imperium", "tokens": 2}),
        ({"do": "end_turn", "path": "x"}, {"move": "end_turn"}),
    ],
)
def test_forms_become_moves(form: dict[str, str], raw: dict[str, Any]) -> None:
    assert TetrarchyPages().read_move(at(ALPS), form) == {"by": "tetrarchy", **raw}


@pytest.mark.parametrize(
    "form",
    [{}, {"do": "fly"}, {"do": "imperium", "tokens": "two"}, {"do": "imperium", "tokens": "9" * 9}],
)
def test_invalid_forms_are_refused(form: dict[str, str]) -> None:
    with pytest.raises(IllegalMove):
        TetrarchyPages().read_move(at(ALPS), form)


def test_the_page_is_in_italian() -> None:
    with use_language("it"):
        result = threats(at(ALPS))
    assert result.armies[0].text == "poi arriva in CISALPINA, per un collegamento spezzato: con 4–6"
    assert result.reserve == ["13 segnalini Rivolta", "19 segnalini Malcontento", "1 armata"]


def test_6_the_end_is_shown_with_its_score() -> None:
    tokens = {**ALPS["tokens"], "etruria": "revolt"}
    lost = {
        **ALPS,
        "phase": "over",
        "result": "lost",
        "reason": "rome",
        "tokens": tokens,
        "barbarians": ["narbonensis", "roma"],
    }
    page = TetrarchyPages().page(at(lost), [], reader("tetrarchy"), [])
    assert page.template == "end.html"
    assert page.own.ending.points == 1 - 5 - 2 - 1
    assert page.own.ending.why_text == "An army has entered ROMA."


def test_7_5_the_end_says_which_emperors_reached_their_goals() -> None:
    borders = dict(zip(("gaetulia", "britannia", "sarmatia"), ["diocletian"] * 3, strict=True))
    borders |= {"scythia": "maximian", "persia": "maximian", "nubia": "galerius"}
    ended = {"phase": "over", "result": "won", "variants": ["the_great"], "tokens": borders}
    options = {"players": 4, "variants": ["the_great"]}
    page = TetrarchyPages().page(
        read_position(ended, Scenario(), read_options(options)), [], reader("diocletian"), []
    )
    assert page.own.ending.aims == [
        "Diocletian: objective reached (its Emperor gets a title).",
        "Galerius: objective missed (its Emperor gets a title).",
        "Constantius: objective missed (its Emperor gets a title).",
        "Maximian: objective reached (its Emperor gets a title).",
    ]
    ended["result"] = "lost"
    page = TetrarchyPages().page(
        read_position(ended, Scenario(), read_options(options)), [], reader("diocletian"), []
    )
    assert page.own.ending.aims == []


def test_every_changing_part_of_the_board_is_redrawn_on_a_live_page() -> None:
    """`static/js/live.js` redraws the group of pieces and the texts of the spaces."""

    def rest(svg: str) -> str:
        result, n = re.subn(r'<g data-now="pieces">.*</g>(<g class="m-hits">)', r"\1", svg)
        assert n == 1
        return re.sub(r' aria-label="[^"]*"|<title>[^<]*</title>', "", result)

    pages = TetrarchyPages()
    shown = [
        pages.page(at(ALPS), [], reader("tetrarchy", at="cisalpina"), []).own,
        pages.page(
            at({"figures": {"diocletian": "roma"}, "fleets": ["internum"]}), [], reader(), []
        ).own,
    ]
    boards = [own.map.svg for own in shown]
    assert boards[0] != boards[1]
    assert rest(boards[0]) == rest(boards[1])
