"""History of the Roman Empire as a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.language import text
from engine.title import Account, Ordered, OrderKind, SeatInfo, Stretch
from games.parts import InParts
from games.roman_empire import charts, faction_moves, moves, orders, purposes, view, words
from games.roman_empire.board import HERE, PERIODS
from games.roman_empire.form import EmpireMove, decode
from games.roman_empire.founding import texts
from games.roman_empire.position import Position
from games.roman_empire.scenario import STANDARD, Options, Scenario, read_options, read_scenario
from games.roman_empire.state import read_position

SAYS = (moves, faction_moves)
"""The modules whose moves can be said: they are entered when they are read."""
RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class RomanEmpire(InParts):
    """See `engine.title.Title` for what each of these promises."""

    key = "roman_empire"
    name = "History of the Roman Empire"
    format = "roman_empire/1"
    shown = view
    said = words
    accounts = (Account("p", "points of Peoples"), Account("f", "points of the Faction"))
    default_scenario = STANDARD

    def scenario(self, raw: object) -> Scenario:
        return read_scenario(raw)

    def options(self, raw: object) -> Options:
        return read_options(raw)

    def hides(self, options: Options) -> bool:
        """Hands, and counters until they are called (3.3, 4.2)."""
        return True

    def last_link(self, scenario: Scenario) -> int:
        return PERIODS

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        purposes.check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def situation(self, raw: object, options: Options) -> Position:
        return read_position(raw, Scenario(), options)

    def decode(self, raw: object, position: Position) -> EmpireMove:
        return decode(raw, position)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {STANDARD: Scenario().raw}

    def seats(self, scenario: Scenario, options: Options) -> Sequence[SeatInfo]:
        return view.seats(options)

    def course(self, position: Position) -> Sequence[Stretch]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.group_name(holder)

    @property
    def about(self) -> str:
        return texts()["about"]

    @property
    def lasts(self) -> str:
        return texts()["lasts"]

    def rules_text(self) -> str:
        return text(HERE, "RULES").split(RECORDS)[0] + "\n\n" + charts.chapter()

    # Standing orders
    def order_kinds(self, position: Position, seat: str) -> Sequence[OrderKind]:
        return orders.order_kinds(position, seat)

    def read_order(self, position: Position, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        return orders.read_order(position, seat, raw)

    def order_line(self, scenario: Scenario, order: Mapping[str, Any]) -> str:
        return orders.order_line(scenario, order)

    def said_by_orders(self, position: Position, seat: str, given: Sequence[Mapping[str, Any]]) -> Sequence[Ordered]:
        return orders.said_by_orders(position, seat, given)
