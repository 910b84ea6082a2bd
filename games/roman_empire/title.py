"""History of the Roman Empire as a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.contract.log import BATTLES, BUILDING, CARDS
from games.contract.title import Account, TurnPart
from games.kit.records import Scenario
from games.kit.title import BoardTitle, OrderedTitle
from games.roman_empire.bots.players import EmpirePlayers
from games.roman_empire.page.founding import EmpireFounding
from games.roman_empire.page.pages import EmpirePages
from games.roman_empire.rules import choices as rules_orders
from games.roman_empire.rules import factions, view
from games.roman_empire.rules import moves as rules_moves
from games.roman_empire.rules import position as rules_position
from games.roman_empire.rules.position import EDITION, HERE, PROPOSED, Options, Position
from games.roman_empire.rules.rolls import check_roll
from games.roman_empire.text import words
from games.roman_empire.text.english import CHRONICLE
from games.roman_empire.text.lesson import LESSON
from games.roman_empire.text.report import EmpireReports

MOVE_MODULES = (rules_moves, factions)
"""The modules that register moves when they are imported."""


class RomanEmpire(BoardTitle, OrderedTitle):
    """The title; implements `games.contract.title.Title`."""

    key = "roman_empire"
    name = "History of the Roman Empire"
    format = "roman_empire/1"
    views, texts, rules, moves, orders = view, words, rules_position, rules_moves, rules_orders
    folder = HERE
    reporter, players, lesson = EmpireReports(), EmpirePlayers(), LESSON
    pages, founding = EmpirePages(), EmpireFounding()
    move_kinds: Mapping[str, frozenset[str]] = {
        BATTLES: frozenset({"place", "retreat"}),
        CARDS: frozenset({"draw", "keep", "pass_counter", "play_event"}),
        BUILDING: frozenset({"fort", "fortress", "rebuild", "recruit"}),
    }
    proposed: Mapping[str, Any] = PROPOSED
    edition = EDITION

    @property
    def accounts(self) -> Sequence[Account]:
        return tuple(
            Account(key, label) for key, label in CHRONICLE.read()["report"]["accounts"].items()
        )

    def hides(self, options: Options) -> bool:
        """Return True: hands are hidden, and counters until they are called (3.3, 4.2)."""
        return True

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def course(self, position: Position) -> Sequence[TurnPart]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.group_name(holder)

    def rules_text(self) -> str:
        return super().rules_text() + "\n\n" + words.chapter()
