"""Tetrarchia as a title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.effects import Effect, Roll, Say
from engine.errors import IllegalMove
from engine.language import text
from engine.moves import Move
from engine.title import Account, Branch, Offer, Rows, SeatInfo, Standing, Stretch, Waiting
from games.tetrarchia import purposes, view, words
from games.tetrarchia.board import HERE
from games.tetrarchia.form import TetrarchyMove, decode
from games.tetrarchia.founding import texts
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import STANDARD, Options, Scenario, read_options, read_scenario
from games.tetrarchia.state import read_position

RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class Tetrarchia:
    """See `engine.title.Title` for what each of these promises."""

    key = "tetrarchia"
    name = "Tetrarchia"
    format = "tetrarchia/1"
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

    def state(self, position: Position) -> dict[str, Any]:
        return position.encode()

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {STANDARD: Scenario().raw}

    def seats(self, scenario: Scenario, options: Options) -> Sequence[SeatInfo]:
        return view.seats(options)

    def rows(self, position: Position) -> Rows:
        return view.rows(position)

    def view(self, position: Position, seat: str | None) -> dict[str, Any]:
        return view.view(position, seat)

    def waiting(self, position: Position) -> Sequence[Waiting]:
        return view.waiting(position)

    def course(self, position: Position) -> Sequence[Stretch]:
        return view.course(position)

    def offers(self, position: Position, seat: str, by: str | None = None) -> Sequence[Offer]:
        return view.offers(position, seat, by or seat)

    def expand(self, position: Position, move: Move) -> Sequence[dict[str, Any]]:
        return [move.to_json()]

    def branches(self, position: Position, move: Move) -> Sequence[Branch]:
        assert isinstance(move, TetrarchyMove)
        return view.branches(position, move)

    def audience(self, position: Position, move: Move) -> tuple[str, ...] | None:
        return None

    def links_due(self, position: Position) -> int:
        return view.links_due(position)

    def score(self, position: Position) -> Sequence[Standing] | None:
        return view.score(position)

    def speak(self, scenario: Scenario, say: Say) -> str:
        return words.speak(scenario, say)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.holder_name(holder)

    def tells(self, effect: Effect) -> bool:
        return words.tells(effect)

    def move_line(self, scenario: Scenario, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str:
        return words.move_line(scenario, move, effects)

    def refusal(self, scenario: Scenario, refusal: IllegalMove) -> str:
        return words.refusal(scenario, refusal)

    def roll_line(self, scenario: Scenario, roll: Roll) -> str:
        return words.roll_line(scenario, roll)

    @property
    def about(self) -> str:
        return texts()["about"]

    @property
    def lasts(self) -> str:
        return texts()["lasts"]

    def rules_text(self) -> str:
        return text(HERE, "RULES").split(RECORDS)[0]
