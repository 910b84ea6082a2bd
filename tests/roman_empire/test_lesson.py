"""The lesson of the Roman Empire."""

from __future__ import annotations

from games.contract.players import progress
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.text.lesson import LESSON


def test_passing_a_counter_on_completes_the_step() -> None:
    assert progress(LESSON, [{"move": "pass_counter"}], None).at == 1


def test_the_learner_chooses_moves_of_the_game() -> None:
    assert set(MOVES) >= LESSON.chosen
