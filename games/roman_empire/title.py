"""History of the Roman Empire as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import text_of_file
from games.contract.title import Account, Ordered, OrderKind, SeatInfo, Stretch
from games.kit.parts import InParts
from games.roman_empire.rules import factions, moves, orders, view
from games.roman_empire.rules.board import AREAS, CARDS, HERE, KINGDOMS, LANDS, PERIODS
from games.roman_empire.rules.moves import EmpireMove, decode
from games.roman_empire.rules.position import SEATS, STANDARD, Fault, Options, Position, Scenario, read_options, read_scenario
from games.roman_empire.rules.view import read_position
from games.roman_empire.text import words
from games.roman_empire.ui import phrases
from games.roman_empire.ui.page import texts

# The purposes of rolls and their dice (RULES, Rolls).

NUMBER = r"[1-9][0-9]{0,8}"
"""Without leading zeros, at most nine digits."""
AGAIN = rf"(?:/reroll-{NUMBER})?"
SEAT = rf"(?:{'|'.join(SEATS)})"
LAND = rf"(?:{'|'.join(LANDS)})"
TURN = r"turn-[1-7]"
BASE = rf"{TURN}/{SEAT}/(?:people|faction)"
ROLLED = "|".join(key for key, card in CARDS.items() if card.kind == "area_roll")
REBELS = "|".join(key for key, card in CARDS.items() if card.kind == "rebellion")
assert AREAS
SINGLE: tuple[tuple[str, int], ...] = (
    (rf"setup/hand/{SEAT}/set-[1-9]", 6),
    (rf"{TURN}/draw-people-{NUMBER}", 5),
    (rf"{TURN}/draw-emperor-{NUMBER}", 6),
    (rf"{BASE}/event-(?:{ROLLED})/{LAND}", 6),
    (rf"end/kingdom/(?:{'|'.join(KINGDOMS)})", 6),
)
"""One die each: what the purpose looks like, and the most sides it can have."""
LISTS: tuple[tuple[str, int, int], ...] = (
    (rf"turn-1/order/{SEAT}{AGAIN}", 2, 2),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/attacker{AGAIN}", 2, 3),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/defender{AGAIN}", 1, 2),
    (rf"{BASE}/loot/{LAND}", 1, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/attacker{AGAIN}", 2, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/defender{AGAIN}", 1, 1),
)
"""Several six-sided dice each: the fewest and the most there can be."""
ONE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
SEVERAL = tuple((re.compile(pattern, re.ASCII), least, most) for pattern, least, most in LISTS)
MEMBER = re.compile(r"(.+)/([123])", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its values on the die, as many as it can have; else `MalformedRecord`."""
    where = f"dice.fixed.{purpose[:80]}"
    for pattern, sides in ONE:
        if pattern.fullmatch(purpose):
            _check_value(where, value, sides)
            return
    for pattern, least, most in SEVERAL:
        if pattern.fullmatch(purpose):
            _list(where, value, least, most)
            return
        member = MEMBER.fullmatch(purpose)
        if member and pattern.fullmatch(member[1]) and int(member[2]) <= most:
            _check_value(where, value, 6)
            return
    raise MalformedRecord(where, "unknown-purpose")


def _check_value(where: str, value: object, sides: int) -> None:
    if type(value) is not int or not 1 <= value <= sides:
        raise MalformedRecord(where, "whole", least=1, most=sides)


def _list(where: str, value: object, least: int, most: int) -> None:
    if (
        type(value) is not list
        or not least <= len(value) <= most
        or any(type(one) is not int or not 1 <= one <= 6 for one in value)
    ):
        raise Fault(where, "wholes" if least == most else "wholes-or", least=least, most=most)


SAYS = (moves, factions)
"""The modules whose moves can be said: they are entered when they are read."""
RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class RomanEmpire(InParts):
    """See `games.contract.title.Title` for what each of these promises."""

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
        check_roll(purpose, value)

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
        return text_of_file(HERE, "RULES").split(RECORDS)[0] + "\n\n" + phrases.chapter()

    # Standing orders
    def order_kinds(self, position: Position, seat: str) -> Sequence[OrderKind]:
        return orders.order_kinds(position, seat)

    def read_order(self, position: Position, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        return orders.read_order(position, seat, raw)

    def order_line(self, scenario: Scenario, order: Mapping[str, Any]) -> str:
        return orders.order_line(scenario, order)

    def said_by_orders(self, position: Position, seat: str, given: Sequence[Mapping[str, Any]]) -> Sequence[Ordered]:
        return orders.said_by_orders(position, seat, given)
