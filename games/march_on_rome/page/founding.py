"""The description and setup form of March on Rome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from games.contract.pages import Question
from games.kit.title import BoardFounding
from games.march_on_rome.rules.position import (
    GENERAL,
    LONGEST,
    STANDARD,
    Options,
    Scenario,
    read_scenario,
)
from games.march_on_rome.text.english import FOUNDING


class MarchFounding(BoardFounding):
    """`games.contract.pages.Founding` of March on Rome."""

    catalogue = FOUNDING
    picture = "pictures/march_on_rome.jpg"
    together = False

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        return (
            Question("general", texts["general"], "text", texts["general_help"], GENERAL, LONGEST),
            Question(
                "barbarian_initiative", texts["initiative"], "flag", texts["initiative_help"], "1"
            ),
        )

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        raw = {"key": STANDARD, "general": answers.get("general", "").strip()}
        try:
            scenario = read_scenario(raw)
        except MalformedRecord:
            raise MalformedRecord("general", FOUNDING.text("must_be")) from None
        return scenario.raw, {"barbarian_initiative": bool(answers.get("barbarian_initiative"))}

    def proposed_name(self, answers: Mapping[str, str]) -> str:
        return FOUNDING.text("called", general=answers.get("general", "").strip() or GENERAL)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text(str(facts["result"]), general=scenario.general, **facts)

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        initiative = texts["rule_on" if options.barbarian_initiative else "rule_off"]
        return ((texts["general"], scenario.general), (texts["rule"], initiative))
