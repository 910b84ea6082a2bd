"""The board on which a turn is composed, and its film, by literal expectation from the rules."""

from __future__ import annotations

from typing import Any

from games.contract.pages import LoggedMove, Reader
from games.tetrarchia.page.composing import document
from games.tetrarchia.page.film import film
from tests.tetrarchia.played import game
from tests.tetrarchia.table import SCENARIO
from tests.tetrarchia.test_page import ALPS, at

ALONE = Reader(("tetrarchy",), {}, True)


def acts(**more: Any) -> dict[str, Any]:
    return document(at({**ALPS, **more}), ALONE)


def test_4_2a_a_march_has_its_way_its_price_and_its_text() -> None:
    march = acts()["go"]["cisalpina"]
    assert march == {
        "title": "March to CISALPINA, 2 IP",
        "sub": "Route: CISALPINA; 4 IP will be left. There: a printed token.",
        "do": "March to CISALPINA",
        "cost": 2,
        "moves": [{"by": "tetrarchy", "move": "move", "path": ["cisalpina"]}],
        "legs": [["rhaetia", "cisalpina", 2, False]],
    }
    assert acts()["title"] == "Maximian in RHAETIA, 6 IP, 3 tokens"
    assert (
        acts()["off"]["aquitania"]
        == "Constantius is in AQVITANIA: you can pass through, but not stop."
    )
    assert (
        acts(ip=1)["off"]["cisalpina"]
        == "The way to CISALPINA costs 2 IP, but Maximian has only 1 IP."
    )


def test_5_2_an_attack_is_composed_with_the_march_before_it() -> None:
    fight = acts()["attack"]["narbonensis"]
    assert (fight["title"], fight["do"]) == (
        "Attack the army in NARBONENSIS, 3 IP",
        "Attack NARBONENSIS",
    )
    assert fight["sub"] == (
        "March to GERMANIA SVPERIOR first. 67% to win, 8% to draw, 25% to lose. The dice are "
        "rolled at once."
    )
    assert fight["exact"] == "Of 36 pairs of dice, 24 win, 3 draw and 9 lose."
    assert [move["move"] for move in fight["moves"]] == ["move", "attack"]
    assert fight["blow"] == ["germania_superior", "narbonensis", 2]
    assert fight["rows"] == [
        ["The Emperor’s tokens in one group: CISALPINA, ETRVRIA, ROMA", "+3", ""],
        ["Constantius linked to the army", "×2", ""],
        ["Rome", "8–18", "sum"],
        [
            (
                "Revolts in one group: TINGITANA, BAETICA, LVSITANIA, CARTHAGINENSIS, GALLAECIA, "
                "TARRACONENSIS, NARBONENSIS"
            ),
            "+7",
            "",
        ],
        ["Barbarians", "8–13", "sum"],
    ]
    assert acts(ip=2)["attack"] == {}
    assert (
        acts(ip=2)["off"]["narbonensis"]
        == "An attack on NARBONENSIS costs more than the 2 IP that Maximian has left."
    )


def test_4_2_an_emperors_possible_acts_in_his_space() -> None:
    tokens = {**ALPS["tokens"], "rhaetia": "revolt"}
    assert [act["do"] for act in acts(tokens=tokens)["stand"]] == [
        "Remove the Revolt, 2 IP",
        "Calm the Revolt to Unrest, 1 IP",
    ]
    assert [act["do"] for act in acts(tokens=tokens, ip=1)["stand"]] == [
        "Calm the Revolt to Unrest, 1 IP"
    ]
    assert [act["do"] for act in acts()["stand"]] == ["Secure RHAETIA, 1 IP"]
    assert [act["do"] for act in acts()["sail"]["internum"]] == ["Sail to MARE ATLANTICVM, 1 IP"]
    assert acts()["end"]["main"] is False
    assert acts(ip=0)["end"]["main"] is True


def test_spectators_are_offered_nothing() -> None:
    watched = document(at(ALPS), Reader((), {}, False))
    assert watched["mine"] is False
    assert not watched.keys() & {"go", "attack", "stand", "sail", "end"}
    assert watched["hint"] == "It is another player’s turn."


def frames(number: int) -> list[tuple[Any, ...]]:
    line = game("sensible", "b")[number - 1]
    shown = LoggedMove(line.number, line.move, "tetrarchy", line.effects, line.rolls, 1)
    return [
        (
            frame.intro,
            [die.shown or die.value for die in frame.dice],
            frame.say,
            [change["kind"] for change in frame.changes],
        )
        for frame in film(SCENARIO, [shown])
    ]


def test_4_3_a_barbarian_phase_is_shown_as_a_film() -> None:
    """Each frame shows the attempt, then the dice, and only then the result."""
    assert frames(35) == [
        (
            "Two dice decide which province is threatened: its region and its number.",
            ["III", 3],
            "III 3 is PANNONIA INFERIOR. It is already in Revolt: an uprising begins.",
            [],
        ),
        (
            "The uprising crosses a broken link on 4 to 6.",
            [5],
            "The provinces linked to PANNONIA INFERIOR revolt, too.",
            ["token"] * 3,
        ),
        (
            "The army in MACEDONIA crosses the broken link to EPIRVS on 4 to 6.",
            [2],
            "The army in MACEDONIA cannot cross the broken link to EPIRVS this time.",
            [],
        ),
        (
            "",
            [],
            "The army marches from LVGDVNENSIS to AQVITANIA, 4 steps from ROMA.",
            ["army", "token"],
        ),
        (
            "The army of TINGITANA attacks Diocletian in BAETICA.",
            [4, "II", 2],
            (
                "Diocletian loses with 2 against 3 and leaves the board. The army marches from "
                "TINGITANA to BAETICA, 7 steps from ROMA."
            ),
            ["lunge", "off", "army", "token"],
        ),
        ("", [], "It is Maximian’s turn, with 6 IP.", ["turn", "ip"]),
    ]
    assert frames(33) == [
        (
            "Constantius attacks the army in MACEDONIA.",
            ["V", 6],
            "10 against 10 is a draw. Nothing changes.",
            ["ip"],
        )
    ]
    assert frames(5) == [("", [], "Diocletian calms Revolt in EPIRVS to Unrest.", ["ip", "token"])]


def test_every_die_of_whole_games_is_in_their_film_once() -> None:
    for seed in ("a", "c", "f"):
        for line in game("sensible", seed):
            shown = LoggedMove(line.number, line.move, "tetrarchy", line.effects, line.rolls, 1)
            dice = [die for frame in film(SCENARIO, [shown]) for die in frame.dice]
            again = sum("/reroll-" in roll.purpose for roll in line.rolls)
            assert len(dice) == len(line.rolls) - again, (seed, line.number)


def test_the_film_ends_in_the_present_position() -> None:
    """The changes in sequence lead to the position that the rules produced."""
    board: dict[str, Any] = {"tokens": {}, "armies": set(), "figures": {}}
    for line in game("sensible", "c"):
        shown = LoggedMove(line.number, line.move, "tetrarchy", line.effects, line.rolls, 1)
        for change in (change for frame in film(SCENARIO, [shown]) for change in frame.changes):
            match change["kind"]:
                case "token":
                    board["tokens"][change["at"]] = change["to"]
                case "army":
                    board["armies"] = (board["armies"] - {change["from"]}) | (
                        {change["to"]} if change["to"] else set()
                    )
                case "march":
                    board["figures"][change["piece"]] = change["path"][-1]
                case "enter":
                    board["figures"][change["piece"]] = change["at"]
                case "off":
                    board["figures"][change["piece"]] = None
        after = line.after
        assert {key: token for key, token in board["tokens"].items() if token} == after.tokens
        assert board["armies"] == set(after.barbarians)
        assert {key: board["figures"].get(key) for key in after.figures} == after.figures
