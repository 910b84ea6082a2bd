"""How History of the Roman Empire is offered and founded: how many play, the optional rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import catalogue
from engine.pages import Question
from games.roman_empire.board import HERE
from games.roman_empire.scenario import FLAGS, STANDARD, Options, Scenario

WORDS = ("turn", "turns", "campaign", "active", "idle", "start")
PLAYERS = ("2", "3", "4")
USUAL = "4"


def texts() -> Mapping[str, str]:
    """The words of this page in the reader's language."""
    found: Mapping[str, str] = catalogue(HERE, "founding")
    return found


class EmpireFounding:
    """`engine.pages.Founding` of History of the Roman Empire."""

    picture = ""
    together = True

    @property
    def words(self) -> Mapping[str, str]:
        return {key: texts()[key] for key in WORDS}

    @property
    def questions(self) -> Sequence[Question]:
        said = texts()
        players = tuple((key, said[f"players_{key}"]) for key in PLAYERS)
        asked = Question("players", said["players"], "choice", said["players_help"], USUAL, choices=players)
        return (asked, *(Question(key, said[key], "flag") for key in FLAGS))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = answers.get("players", "") or USUAL
        if players not in PLAYERS:
            raise MalformedRecord("players", texts()["must_be"])
        return {"key": STANDARD}, {"players": int(players), **{key: True for key in FLAGS if answers.get(key)}}

    def called(self, answers: Mapping[str, str]) -> str:
        return texts()["called"].format(n=answers.get("players", "") or USUAL)

    def told(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return texts()["told"].format(**facts)

    def division(self, facts: Mapping[str, Any]) -> str:
        return ""

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        said = texts()
        on = [said[key].partition(":")[0] for key in FLAGS if key in options.flags]
        return ((said["players"], said[f"players_{options.players}"]), (said["rules"], ", ".join(on) or said["none"]))
