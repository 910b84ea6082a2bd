"""The founding of a reign, and its line in the hall of fame."""

from __future__ import annotations

import pytest

from engine.errors import MalformedRecord
from games.march_on_rome.page.founding import MarchFounding
from games.march_on_rome.rules.position import Options, Scenario

FOUNDING = MarchFounding()


def test_the_defaults_of_the_form_can_be_founded() -> None:
    answers = {question.key: question.default for question in FOUNDING.questions}
    assert FOUNDING.terms(answers) == (
        {"key": "standard", "general": "Albinus"},
        {"barbarian_initiative": True},
    )
    assert FOUNDING.proposed_name(answers) == "The march of Albinus"


def test_7_2_a_reign_may_have_the_option_and_a_chosen_name() -> None:
    answers = {"general": " Clodius {general} ", "barbarian_initiative": "1"}
    scenario, options = FOUNDING.terms(answers)
    assert (scenario["general"], options) == ("Clodius {general}", {"barbarian_initiative": True})
    assert FOUNDING.proposed_name(answers) == "The march of Clodius {general}"
    assert FOUNDING.facts(Scenario("Clodius"), Options(True)) == (
        ("Your general", "Clodius"),
        ("Barbarians with the initiative", "two more armies (7.2)"),
    )


@pytest.mark.parametrize("general", ["", "  ", "x" * 41, "\x07", "a\nb"])
def test_invalid_names_are_refused(general: str) -> None:
    with pytest.raises(MalformedRecord) as wrong:
        FOUNDING.terms({"general": general})
    assert wrong.value.where == "general"


def test_a_reign_has_a_line_in_the_hall_of_fame() -> None:
    facts = {"result": "won", "year": 4, "provinces": 6, "legions": 21}
    assert (
        FOUNDING.outcome_line(Scenario("Avitus"), facts)
        == "Avitus entered Rome in year 4, with 6 provinces and 21 legions"
    )
    assert (
        FOUNDING.outcome_line(Scenario("{0}"), {**facts, "result": "lost"})
        == "{0}’s reign ended in year 4"
    )
