"""How Tetrarchia is offered and founded: how many play, the four digits of the level, the variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import catalogue
from engine.pages import Question
from games.tetrarchia.board import DIGITS, HERE, OPTIONS, VARIANTS
from games.tetrarchia.scenario import NORMAL, STANDARD, Options, Scenario

WORDS = ("turn", "turns", "campaign", "active", "idle", "start")
PLAYERS: Mapping[str, Mapping[str, Any]] = {
    "1": {"players": 1}, "2": {"players": 2}, "3g": {"players": 3, "caesar": "galerius"},
    "3c": {"players": 3, "caesar": "constantius"}, "4": {"players": 4},
}  # fmt: skip
DIGIT_KEYS = ("tokens", "fleets", "revolts", "armies")


def texts() -> Mapping[str, str]:
    """The words of this page in the reader's language."""
    found: Mapping[str, str] = catalogue(HERE, "founding")
    return found


class TetrarchyFounding:
    """`engine.pages.Founding` of Tetrarchia."""

    picture = ""
    together = True

    @property
    def words(self) -> Mapping[str, str]:
        return {key: texts()[key] for key in WORDS}

    @property
    def questions(self) -> Sequence[Question]:
        said = texts()
        players = tuple((key, said[f"players_{key}"]) for key in PLAYERS)
        made = [Question("players", said["players"], "choice", said["players_help"], "1", choices=players)]
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), NORMAL, strict=True):
            choices = tuple((str(digit), str(digit)) for digit in digits)
            made.append(Question(key, said[key], "choice", said.get(f"{key}_help", ""), str(usual), choices=choices))
        return (*made, *(Question(key, said[key], "flag") for key in (*VARIANTS, *OPTIONS)))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = PLAYERS.get(answers.get("players", "") or "1")
        if players is None:
            raise MalformedRecord("players", texts()["must_be"])
        level = []
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), NORMAL, strict=True):
            typed = answers.get(key, "") or str(usual)
            if typed not in map(str, digits):
                raise MalformedRecord(key, texts()["must_be"])
            level.append(int(typed))
        options: dict[str, Any] = {**players, "level": level}
        for name, known in (("variants", VARIANTS), ("options", OPTIONS)):
            if on := [key for key in known if answers.get(key)]:
                options[name] = on
        return {"key": STANDARD}, options

    def called(self, answers: Mapping[str, str]) -> str:
        level = "".join(
            answers.get(key, "") if answers.get(key, "").isdigit() else str(usual)
            for key, usual in zip(DIGIT_KEYS, NORMAL, strict=True)
        )
        return texts()["called"].format(level=level)

    def told(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return texts()[str(facts["result"])].format(**facts)

    def division(self, facts: Mapping[str, Any]) -> str:
        on = [texts()[key].partition(":")[0] for key in (*VARIANTS, *OPTIONS) if key in facts["variants"]]
        return ", ".join([texts()["division"].format(level=facts["level"]), *on])

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        said = texts()
        level = said["level_text"].format(level=options.digits, **dict(zip(DIGIT_KEYS, options.level, strict=True)))
        on = [said[key].partition(":")[0] for key in (*VARIANTS, *OPTIONS) if key in options.variants | options.extras]
        return ((said["level"], level), (said["variants"], ", ".join(on) or said["none"]))
