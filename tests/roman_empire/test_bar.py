"""The actions and proposals of the bar below the board."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.roman_empire.bots.manners import explained
from games.roman_empire.bots.players import EmpirePlayers
from games.roman_empire.page.composing import document
from games.roman_empire.page.suggesting import PROPOSED, suggested
from games.roman_empire.rules import view
from tests.roman_empire.games import steps
from tests.roman_empire.table import at, faction, held

RICH = {"vp": {"A": {"p": 0, "f": 22}, "B": {"p": 0, "f": 0}}, "period": 2, "step": "start"}


def test_6_2_with_points_and_no_legion_the_bar_proposes_to_recruit() -> None:
    """22 points and no Legion in hand: recruiting is proposed, not the end of the phase."""
    position = at(**faction({"italia": held("red", 1)}, in_hand=0, **RICH))
    rows = suggested(position)
    assert (rows[0]["do"], rows[0]["why"]) == (
        "recruit",
        "There are enough points for another Legion.",
    )
    assert document(position, True)["play"]["recruits"] == 6


def test_proposals_are_never_the_end_and_stop_at_the_first_attack() -> None:
    for number, (position, _, _) in enumerate(steps("bar", {"players": 3}, "sensible")):
        if number % 25 or position.phase not in ("people", "faction"):
            continue
        names = [row["do"] for row in suggested(position)]
        assert set(names) <= {*PROPOSED, "war"}
        assert "war" not in names[:-1]


def test_4_cards_are_in_the_document_of_those_who_may_see_the_hand() -> None:
    """A game master who acts for a seat gets the same document whatever its hand is."""
    hands: list[dict[str, Any]] = [{"A": ["engineering_1"]}, {"A": []}]
    first, second = (
        at(**faction({"italia": held("red", 1)}, in_hand=2, hand=hand, **RICH)) for hand in hands
    )
    assert document(first, True) == document(second, True)
    offered = document(first, True, sees_hand=True)["play"]["cards"]
    assert [card["key"] for card in offered] == ["engineering_1"]
    assert [key for key, _, _ in offered[0]["asks"]] == ["use"]


def test_the_proposals_are_the_moves_of_the_player_that_is_measured() -> None:
    position = at(**faction({"italia": held("red", 1)}, in_hand=2, **RICH))
    choice = explained("bar", position, Random(1))
    assert choice is not None
    assert choice.raw == {"by": view.mover(position), "move": "recruit", "n": 1}


@pytest.mark.long
def test_in_a_whole_game_the_measured_player_makes_the_proposed_moves() -> None:
    """It presses what the bar proposes, and ends a phase only if the bar proposes nothing."""
    proposed = ended = 0
    for number, (position, raw, _) in enumerate(steps("follows", {"players": 3}, "bar")):
        if number % 3 or position.phase not in ("people", "faction") or position.pending:
            continue
        rows = suggested(position) if raw["move"] in (*PROPOSED, "end_phase") else []
        if raw["move"] in PROPOSED:
            assert rows[0]["do"] in (raw["move"], "war")
            assert rows[0]["land"] == raw.get("land")
            proposed += 1
        elif raw["move"] == "end_phase":
            assert rows == []
            ended += 1
    assert proposed > 60
    assert ended > 5


@pytest.mark.nightly
def test_following_the_bar_wins_a_fourth_of_many_games_against_beginners() -> None:
    """Chance alone gives 25%; these 100 games gave 32%."""
    rank = EmpirePlayers().tournament("bar", "beginner", 100, "bar")
    assert 0.2 <= rank.first <= 0.35


@pytest.mark.long
def test_following_the_bar_wins_about_every_fourth_game_against_beginners() -> None:
    """Chance alone gives 25%; 120 games gave 27%."""
    rank = EmpirePlayers().tournament("bar", "beginner", 40, "bar")
    assert 0.1 <= rank.first <= 0.5
    assert EmpirePlayers().tournament("beginner", "cautious", 20, "bar").first <= 0.4
