"""How March on Rome is offered and founded: the general's name, the one option, what stands in the hall of fame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.pages import Question
from games.march_on_rome.board import data
from games.march_on_rome.scenario import GENERAL, LONGEST, STANDARD, Options, Scenario, read_scenario

WORDS: Mapping[str, str] = data("founding_en")


class MarchFounding:
    """`engine.pages.Founding` of March on Rome."""

    picture = "pictures/march_on_rome.jpg"
    words: Mapping[str, str] = {key: WORDS[key] for key in ("turn", "turns", "campaign")}
    questions: Sequence[Question] = (
        Question("general", WORDS["general"], "text", WORDS["general_help"], GENERAL, LONGEST),
        Question("barbarian_initiative", WORDS["initiative"], "flag", WORDS["initiative_help"]),
    )

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        raw = {"key": STANDARD, "general": answers.get("general", "").strip()}
        try:
            scenario = read_scenario(raw)
        except MalformedRecord:
            raise MalformedRecord("general", WORDS["must_be"]) from None
        return scenario.raw, {"barbarian_initiative": bool(answers.get("barbarian_initiative"))}

    def called(self, answers: Mapping[str, str]) -> str:
        return WORDS["called"].format(general=answers.get("general", "").strip() or GENERAL)

    def told(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return WORDS[str(facts["result"])].format(general=scenario.general, **facts)

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        initiative = WORDS["rule_on" if options.barbarian_initiative else "rule_off"]
        return ((WORDS["general"], scenario.general), (WORDS["rule"], initiative))
