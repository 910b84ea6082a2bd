"""Tetrarchia as a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.log import BATTLES
from games.contract.title import TurnPart
from games.kit.records import Scenario
from games.kit.title import BoardTitle
from games.tetrarchia.bots.players import TetrarchiaPlayers
from games.tetrarchia.page.founding import TetrarchyFounding
from games.tetrarchia.page.pages import TetrarchyPages
from games.tetrarchia.rules import moves as rules_moves
from games.tetrarchia.rules import position as rules_position
from games.tetrarchia.rules import view
from games.tetrarchia.rules.position import HERE, Options, Position
from games.tetrarchia.rules.rolls import check_roll
from games.tetrarchia.text import words
from games.tetrarchia.text.lesson import LESSON
from games.tetrarchia.text.report import TetrarchiaReports


class Tetrarchia(BoardTitle):
    """The title; implements `games.contract.title.Title`."""

    key = "tetrarchia"
    name = "Tetrarchia"
    format = "tetrarchia/1"
    views, texts, rules, moves = view, words, rules_position, rules_moves
    folder = HERE
    reporter, players, lesson = TetrarchiaReports(), TetrarchiaPlayers(), LESSON
    pages, founding = TetrarchyPages(), TetrarchyFounding()
    move_kinds: Mapping[str, frozenset[str]] = {BATTLES: frozenset({"attack", "subdue"})}

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def course(self, position: Position) -> Sequence[TurnPart]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.holder_name(holder)
