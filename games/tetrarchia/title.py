"""Tetrarchia as a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.language import text
from engine.title import Account, SeatInfo, Stretch
from games.parts import InParts
from games.tetrarchia import purposes, view, words
from games.tetrarchia.board import HERE
from games.tetrarchia.form import TetrarchyMove, decode
from games.tetrarchia.founding import texts
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import STANDARD, Options, Scenario, read_options, read_scenario
from games.tetrarchia.state import read_position

RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class Tetrarchia(InParts):
    """See `engine.title.Title` for what each of these promises."""

    key = "tetrarchia"
    name = "Tetrarchia"
    format = "tetrarchia/1"
    shown = view
    said = words
    default_scenario = STANDARD

    @property
    def accounts(self) -> tuple[Account, ...]:
        return tuple(Account(key, label) for key, label in words.book()["accounts"].items())

    def scenario(self, raw: object) -> Scenario:
        return read_scenario(raw)

    def options(self, raw: object) -> Options:
        return read_options(raw)

    def hides(self, options: Options) -> bool:
        return False

    def last_link(self, scenario: Scenario) -> int:
        return view.LAST_LINK

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        purposes.check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def situation(self, raw: object, options: Options) -> Position:
        return read_position(raw, Scenario(), options)

    def decode(self, raw: object, position: Position) -> TetrarchyMove:
        return decode(raw, position)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {STANDARD: Scenario().raw}

    def seats(self, scenario: Scenario, options: Options) -> Sequence[SeatInfo]:
        return view.seats(options)

    def course(self, position: Position) -> Sequence[Stretch]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.holder_name(holder)

    @property
    def about(self) -> str:
        return texts()["about"]

    @property
    def lasts(self) -> str:
        return texts()["lasts"]

    def rules_text(self) -> str:
        return text(HERE, "RULES").split(RECORDS)[0]
