"""The description and setup form of History of the Roman Empire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from games.contract.pages import Question
from games.kit.title import BoardFounding
from games.roman_empire.rules.position import EDITION, FLAGS, PROPOSED, STANDARD, Options, Scenario
from games.roman_empire.text.english import FOUNDING

PLAYERS = ("2", "3", "4")
USUAL = "4"


def _flag(key: str) -> Question:
    """Return the question for an optional rule, with the words of the source if it is unclear."""
    texts = FOUNDING.read()
    proposed = "1" if key in PROPOSED else ""
    return Question(key, texts[key], "flag", texts.get(f"{key}_help", ""), proposed)


class EmpireFounding(BoardFounding):
    """`games.contract.pages.Founding` of History of the Roman Empire."""

    catalogue = FOUNDING

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        players = tuple((key, texts[f"players_{key}"]) for key in PLAYERS)
        asked = Question(
            "players", texts["players"], "choice", texts["players_help"], USUAL, choices=players
        )
        return (asked, *map(_flag, FLAGS))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = answers.get("players", "") or USUAL
        if players not in PLAYERS:
            raise MalformedRecord("players", FOUNDING.text("must_be"))
        return {"key": STANDARD}, {
            "players": int(players),
            **{key: True for key in FLAGS if answers.get(key)},
        }

    def proposed_name(self, answers: Mapping[str, str]) -> str:
        return FOUNDING.text("called", n=answers.get("players", "") or USUAL)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text("told", **facts)

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        on = [texts[key].partition(":")[0] for key in FLAGS if key in options.flags]
        chosen = (
            (texts["players"], texts[f"players_{options.players}"]),
            (texts["rules"], ", ".join(on) or texts["none"]),
        )
        return (
            chosen
            if options.edition == EDITION
            else (*chosen, (texts["edition"], texts["edition_1"]))
        )
