"""How a reign is founded, and its line in the hall of fame."""

from __future__ import annotations

import pytest

from engine.errors import MalformedRecord
from games.march_on_rome.page.founding import MarchFounding
from games.march_on_rome.rules.position import Options, Scenario

FOUNDING = MarchFounding()


def test_what_stands_in_the_form_can_be_founded() -> None:
    answers = {one.key: one.default for one in FOUNDING.questions}
    assert FOUNDING.terms(answers) == (
        {"key": "standard", "general": "Albinus"},
        {"barbarian_initiative": True},
    )
    assert FOUNDING.called(answers) == "The march of Albinus"


def test_7_2_the_option_and_a_name_of_one_s_own() -> None:
    answers = {"general": " Clodius {general} ", "barbarian_initiative": "1"}
    scenario, options = FOUNDING.terms(answers)
    assert (scenario["general"], options) == ("Clodius {general}", {"barbarian_initiative": True})
    assert FOUNDING.called(answers) == "The march of Clodius {general}"
    assert FOUNDING.facts(Scenario("Clodius"), Options(True)) == (
        ("Your general", "Clodius"),
        ("Barbarians with the initiative", "two armies more (7.2)"),
    )


@pytest.mark.parametrize("general", ["", "  ", "x" * 41, "\x07", "a\nb"])
def test_a_name_that_is_none(general: str) -> None:
    with pytest.raises(MalformedRecord) as wrong:
        FOUNDING.terms({"general": general})
    assert wrong.value.where == "general"


def test_its_line_in_the_hall() -> None:
    facts = {"result": "won", "year": 4, "provinces": 6, "legions": 21}
    assert (
        FOUNDING.outcome_line(Scenario("Avitus"), facts)
        == "Avitus entered Rome in year 4, with 6 provinces and 21 legions"
    )
    assert (
        FOUNDING.outcome_line(Scenario("{0}"), {**facts, "result": "lost"}) == "{0} fell in year 4"
    )
