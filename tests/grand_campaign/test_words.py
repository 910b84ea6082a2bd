"""Texts of the rules: every id has a sentence, and no sentence lacks its names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from engine.language import use_language
from games.grand_campaign.rules.numbers import table
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.text import words

ROOM = Path(words.__file__).parent
SCENARIO = load("420ad")


def spoken(name: str, argument: int) -> set[str]:
    """Return the literal ids passed to calls of this name in the title's code.

    An f-string is returned as its parts with {}.
    """
    result = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == name
                and len(node.args) > argument
            ):
                for part in ast.walk(node.args[argument]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        result.add(part.value)
    return result


def test_every_refusal_has_a_sentence():
    content = spoken("bad", 0) | spoken("IllegalMove", 2)
    phases = {
        f"wrong-phase-{phase}" for phase in ("setup", "slots", "battles", "closed", "finished")
    }
    whole = {message for message in content if not message.endswith("-")} | phases
    assert {m for m in whole if m not in words.book()["errors"]} == set()


def test_every_code_has_a_sentence():
    codes = spoken("IllegalMove", 0) - {
        "bad-argument",
        "not-allowed",
        "wrong-phase",
        "capital-protected",
    }
    assert codes - set(words.book()["errors"]) == set()


def test_every_cause_has_a_phrase():
    causes = {cause for cause in spoken("Say", 0) if cause and not cause.endswith("-")}
    assert causes - set(words.book()["causes"]) == set()


@pytest.mark.parametrize("card", table("effects")["cards"])
def test_every_card_has_a_name_a_text_and_a_rule(card):
    book = words.book()
    assert card in book["cards"]
    assert card in book["card_texts"]
    assert card in book["card_rules"]


def test_a_refusal_names_the_province_and_what_to_do():
    refusal = IllegalMove("starting-point-under-attack", "7.3", province="dalmatia")
    assert (
        words.refusal(SCENARIO, refusal)
        == "Dalmatia is under attack, so no attack can start there. Choose another province."
    )


def test_costs_are_written_in_halves():
    refusal = IllegalMove("not-enough-actions", "3.8", cost=4, have=3)
    assert words.refusal(SCENARIO, refusal) == "This costs 2 actions, but you have only 1½."


def test_braces_typed_by_users_are_text():
    refusal = IllegalMove("unknown-nation", "1.1", name="{province}{0}")
    assert words.refusal(SCENARIO, refusal) == "There is no nation “{province}{0}” here."


@pytest.mark.parametrize(
    ("move", "line"),
    [
        ({"move": "build", "structure": "roads"}, "build Roads"),
        ({"move": "build", "structure": "merchants-quarters"}, "build Merchants’ Quarters"),
        ({"move": "fleet", "province": "sicilia"}, "build a fleet in Sicilia"),
        (
            {
                "move": "attack",
                "kind": "land",
                "from": "pannonia",
                "target": "dalmatia",
                "siege_train": True,
                "cards": ["scouts"],
            },
            "attack Dalmatia from Pannonia (land attack, open battle, with a siege train, Scouts)",
        ),
        (
            {"move": "play", "card": "diplomat", "truce": "huns"},
            "play Diplomat: a truce with the Huns",
        ),
        (
            {
                "move": "respond",
                "attack": 3,
                "choice": "accept",
                "cards": ["scouts", "reinforcements"],
            },
            "accept #3 with Scouts and Reinforcements",
        ),
        (
            {"move": "report", "attack": 3, "routed": {"attacker": 31, "defender": 46}},
            "enters the result of #3: routed 31–46",
        ),
        (
            {
                "move": "adjust",
                "nation": "huns",
                "account": "actions",
                "change": -0.5,
                "reason": "post 12",
            },
            "changes the actions of the Huns by −½: “post 12”",
        ),
        (
            {"move": "set-owner", "province": "sicilia", "owner": None, "reason": "x"},
            "gives Sicilia to no one: “x”",
        ),
    ],
)
def test_a_move_is_described_in_the_words_of_the_rules(move, line):
    assert words.move_line(SCENARIO, {"by": "romans", **move}) == line


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "build Roads"),
        ("de", "Straßen bauen"),
        ("es", "construir Calzadas"),
        ("it", "costruire Strade"),
    ],
)
def test_a_planned_move_has_no_subject(language, line):
    with use_language(language):
        assert words.planned_line(SCENARIO, {"move": "build", "structure": "roads"}) == line


def test_every_move_that_a_nation_can_plan_has_words():
    lines = words.book()["moves"].keys() - words.book()["plans"].keys()
    of_the_game_master = {line for line in lines if not line.endswith(("-unseen", "-claimed"))}
    assert of_the_game_master == {
        "adjust",
        "amend",
        "discard-card",
        "forfeit",
        "give-card",
        "open-turn",
        "report",
        "resume",
        "set-assets",
        "set-fleet-false",
        "set-fleet-true",
        "set-fortification",
        "set-owner",
        "set-structures",
        "start",
    }


def test_a_card_given_in_secret_is_not_named():
    move = {"by": "romans", "move": "take", "from": "huns", "card": "scouts", "give": "spy"}
    taken = Effect(
        "card", "romans", "scouts", Phrase("trades", "4.3", {"from": "huns", "to": "romans"}), 1
    )
    given = Effect(
        "card", "huns", "spy", Phrase("trades", "4.3", {"from": "huns", "to": "romans"}), 1
    )
    assert words.move_line(SCENARIO, move, [taken]) == "take Scouts from the Huns for a card"
    assert words.move_line(SCENARIO, move, [taken, given]) == "take Scouts from the Huns for Spy"
    same = {**move, "give": "scouts"}
    assert words.move_line(SCENARIO, same, [taken]) == "take Scouts from the Huns for a card"


def test_a_card_corrected_in_secret_is_not_named():
    move = {"by": "gm", "move": "give-card", "nation": "huns", "card": "spy", "reason": "post 12"}
    given = Effect("card", "huns", "spy", Phrase("correction", "13", {"reason": "post 12"}), 1)
    assert words.move_line(SCENARIO, move, []) == "gives the Huns a card: “post 12”"
    assert words.move_line(SCENARIO, move, [given]) == "gives the Huns the card Spy: “post 12”"
