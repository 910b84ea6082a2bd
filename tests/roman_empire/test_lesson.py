"""The lesson of the Roman Empire."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import gettext, override

from engine.language import use_language
from games.contract.players import progress
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.text.lesson import LESSON


def test_passing_a_counter_on_completes_the_step() -> None:
    assert progress(LESSON, [{"move": "pass_counter"}], None).at == 1


def test_the_learner_chooses_moves_of_the_game() -> None:
    assert set(MOVES) >= LESSON.chosen


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_the_first_steps_name_the_buttons_of_the_bar(language: str) -> None:
    with use_language(language), override(language):
        steps = LESSON.texts.read()["steps"]
        texts = [steps[key]["text"] for key in ("people", "emperor")]
        quoted = [re.findall("[“„«](.+?)[”“»]", text) for text in texts]
        draw = gettext("Draw a counter")
        assert quoted == [[gettext("Determine the drawing order"), draw], [draw]]
