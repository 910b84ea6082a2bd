"""How March on Rome is offered and founded: the general's name, the one option, what stands in the hall of fame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import catalogue
from engine.pages import Question
from games.march_on_rome.board import HERE
from games.march_on_rome.scenario import GENERAL, LONGEST, STANDARD, Options, Scenario, read_scenario


def texts() -> Mapping[str, str]:
    """The words of this page in the reader's language."""
    found: Mapping[str, str] = catalogue(HERE, "founding")
    return found


class MarchFounding:
    """`engine.pages.Founding` of March on Rome."""

    picture = "pictures/march_on_rome.jpg"
    together = False

    @property
    def words(self) -> Mapping[str, str]:
        return {key: texts()[key] for key in ("turn", "turns", "campaign")}

    @property
    def questions(self) -> Sequence[Question]:
        said = texts()
        return (
            Question("general", said["general"], "text", said["general_help"], GENERAL, LONGEST),
            Question("barbarian_initiative", said["initiative"], "flag", said["initiative_help"]),
        )

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        raw = {"key": STANDARD, "general": answers.get("general", "").strip()}
        try:
            scenario = read_scenario(raw)
        except MalformedRecord:
            raise MalformedRecord("general", texts()["must_be"]) from None
        return scenario.raw, {"barbarian_initiative": bool(answers.get("barbarian_initiative"))}

    def called(self, answers: Mapping[str, str]) -> str:
        return texts()["called"].format(general=answers.get("general", "").strip() or GENERAL)

    def told(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return texts()[str(facts["result"])].format(general=scenario.general, **facts)

    def division(self, facts: Mapping[str, Any]) -> str:
        return ""

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        said = texts()
        initiative = said["rule_on" if options.barbarian_initiative else "rule_off"]
        return ((said["general"], scenario.general), (said["rule"], initiative))
