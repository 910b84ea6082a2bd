"""The description and setup form of Tetrarchia."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from games.contract.pages import Question
from games.kit.title import BoardFounding
from games.tetrarchia.rules.position import DIGITS, OPTIONS, STANDARD, VARIANTS, Options, Scenario
from games.tetrarchia.text.english import FOUNDING

PLAYERS: Mapping[str, Mapping[str, Any]] = {
    "1": {"players": 1},
    "2": {"players": 2},
    "3g": {"players": 3, "caesar": "galerius"},
    "3c": {"players": 3, "caesar": "constantius"},
    "4": {"players": 4},
}
FIRST_LEVEL = (4, 2, 0, 0)
"""The level that the form proposes, for beginners. The default in a record is 4211."""
DIGIT_KEYS = ("tokens", "fleets", "revolts", "armies")


class TetrarchyFounding(BoardFounding):
    """The description and setup form; implements `games.contract.pages.Founding`."""

    catalogue = FOUNDING

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        players = tuple((key, texts[f"players_{key}"]) for key in PLAYERS)
        asked = [
            Question(
                "players", texts["players"], "choice", texts["players_help"], "1", choices=players
            )
        ]
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), FIRST_LEVEL, strict=True):
            choices = tuple((str(digit), str(digit)) for digit in digits)
            asked.append(
                Question(
                    key,
                    texts[key],
                    "choice",
                    texts.get(f"{key}_help", ""),
                    str(usual),
                    choices=choices,
                )
            )
        return (*asked, *(Question(key, texts[key], "flag") for key in (*VARIANTS, *OPTIONS)))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = PLAYERS.get(answers.get("players", "") or "1")
        if players is None:
            raise MalformedRecord("players", FOUNDING.text("must_be"))
        level = []
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), FIRST_LEVEL, strict=True):
            typed = answers.get(key, "") or str(usual)
            if typed not in map(str, digits):
                raise MalformedRecord(key, FOUNDING.text("must_be"))
            level.append(int(typed))
        options: dict[str, Any] = {**players, "level": level}
        for name, known in (("variants", VARIANTS), ("options", OPTIONS)):
            if on := [key for key in known if answers.get(key)]:
                options[name] = on
        return {"key": STANDARD}, options

    def proposed_name(self, answers: Mapping[str, str]) -> str:
        level = "".join(
            answers.get(key, "") if answers.get(key, "").isdigit() else str(usual)
            for key, usual in zip(DIGIT_KEYS, FIRST_LEVEL, strict=True)
        )
        return FOUNDING.text("called", level=level)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text(str(facts["result"]), **facts)

    def division(self, facts: Mapping[str, Any]) -> str:
        on = [
            FOUNDING.read()[key].partition(":")[0]
            for key in (*VARIANTS, *OPTIONS)
            if key in facts["variants"]
        ]
        return ", ".join([FOUNDING.text("division", level=facts["level"]), *on])

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        level = texts["level_text"].format(
            level=options.digits, **dict(zip(DIGIT_KEYS, options.level, strict=True))
        )
        on = [
            texts[key].partition(":")[0]
            for key in (*VARIANTS, *OPTIONS)
            if key in options.variants | options.extras
        ]
        return ((texts["level"], level), (texts["variants"], ", ".join(on) or texts["none"]))
