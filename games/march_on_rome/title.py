"""March on Rome as a title."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.log import BATTLES
from games.kit.title import BoardTitle
from games.march_on_rome.bots.players import MarchPlayers
from games.march_on_rome.page.founding import MarchFounding
from games.march_on_rome.page.pages import MarchPages
from games.march_on_rome.rules import moves as rules_moves
from games.march_on_rome.rules import position as rules_position
from games.march_on_rome.rules import view
from games.march_on_rome.rules.position import HERE, Options, Position, Scenario
from games.march_on_rome.rules.rolls import check_roll
from games.march_on_rome.text import words
from games.march_on_rome.text.lesson import LESSON
from games.march_on_rome.text.report import MarchReports


class MarchOnRome(BoardTitle):
    """The title; implements `games.contract.title.Title`."""

    key = "march_on_rome"
    name = "March on Rome"
    format = "march_on_rome/1"
    views, texts, rules, moves = view, words, rules_position, rules_moves
    folder = HERE
    reporter, players, lesson = MarchReports(), MarchPlayers(), LESSON
    pages, founding = MarchPages(), MarchFounding()
    move_kinds: Mapping[str, frozenset[str]] = {BATTLES: frozenset({"attack", "answer", "devote"})}
    proposed: Mapping[str, Any] = {"barbarian_initiative": True}

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.general_name(scenario, holder)
