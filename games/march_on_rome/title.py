"""March on Rome as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import text_of_file
from games.contract.title import Account, SeatInfo
from games.kit.parts import InParts
from games.march_on_rome.rules import moves, view
from games.march_on_rome.rules.board import CORE, HERE, PROVINCES, TABLES
from games.march_on_rome.rules.position import STANDARD, Fault, Options, Position, Scenario, read_options, read_scenario
from games.march_on_rome.rules.view import read_position
from games.march_on_rome.text import words
from games.march_on_rome.ui.page import texts

RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class MarchOnRome(InParts):
    """See `games.contract.title.Title` for what each of these promises."""

    key = "march_on_rome"
    name = "March on Rome"
    format = "march_on_rome/1"
    shown = view
    said = words
    default_scenario = STANDARD

    @property
    def about(self) -> str:
        return texts()["about"]

    @property
    def lasts(self) -> str:
        return texts()["lasts"]

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
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def situation(self, raw: object, options: Options) -> Position:
        return read_position(raw, Scenario(), options)

    def decode(self, raw: object, position: Position) -> moves.MarchMove:
        return moves.decode(raw)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {STANDARD: Scenario().raw}

    def seats(self, scenario: Scenario, options: Options) -> Sequence[SeatInfo]:
        return view.seats(scenario)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.general_name(scenario, holder)

    def rules_text(self) -> str:
        return text_of_file(HERE, "RULES").split(RECORDS)[0]


# The purposes of rolls and their dice (RULES, Rolls).

NUMBER = r"[1-9][0-9]{0,8}"
AGAIN = rf"(?:/reroll-{NUMBER})?"
"""Without leading zeros, at most nine digits: nobody reigns longer."""
NPC = rf"npc-{NUMBER}"
TURN = rf"turn-{NUMBER}"
BATTLE = rf"{TURN}/battle-{NUMBER}"
EVENT = rf"{TURN}/event-[1-6]"
PROVINCE = "|".join(PROVINCES)
LEGIONS = re.compile(r"setup/npc-([1-4])/legions(?:/([12]))?", re.ASCII)
SINGLE: tuple[tuple[str, int], ...] = (
    ("setup/pc/province", 8),
    ("setup/pc/legions", 6),
    ("setup/npc-count", 12),
    (rf"setup/npc-[1-4]/province{AGAIN}", 8),
    (rf"setup/garrison/(?:{'|'.join(CORE)})", 6),
    (rf"{TURN}/npc-order/{NPC}{AGAIN}", 20),
    (rf"{TURN}/{NPC}/(?:action|neighbour)", 6),
    (rf"{TURN}/{NPC}/home", len(PROVINCES)),
    (rf"{TURN}/(?:pc|{NPC})/answer", 6),
    (rf"{TURN}/barbarians/(?:{PROVINCE})", 6),
    (rf"{BATTLE}/initiative/(?:attacker|defender){AGAIN}", 6),
    (rf"{BATTLE}/devote/(?:attacker|defender)", 6),
    (rf"{BATTLE}/segments", 6),
    (rf"{BATTLE}/segment-{NUMBER}/(?:attacker|defender)/[123]", 6),
    (rf"{TURN}/events", 6),
    (EVENT, 20),
    (rf"{EVENT}/victim", len(PROVINCES)),
    (rf"{EVENT}/legions", 6),
    (rf"{EVENT}/core{AGAIN}", 8),
    (rf"{EVENT}/province{AGAIN}", 20),
    (rf"{EVENT}/invader", 8),
    (rf"{EVENT}/strength", 6),
)
"""What each purpose looks like, and the sides of its die. Span dice: as many as there can be at most (1.5)."""
DICE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
STRIKES = re.compile(rf"{BATTLE}/segment-{NUMBER}/(?:attacker|defender)", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its values on the die, as many as it has; else `MalformedRecord`."""
    where = f"dice.fixed.{purpose[:80]}"
    if STRIKES.fullmatch(purpose):
        _several(where, value, ((6, 3),))
        return
    if found := LEGIONS.fullmatch(purpose):
        tables = _tables(int(found[1]))
        if found[2] is None:
            _several(where, value, tables)
        else:
            _check_value(where, value, max((sides for sides, count in tables if int(found[2]) <= count), default=0))
        return
    sides = next((sides for pattern, sides in DICE if pattern.fullmatch(purpose)), 0)
    _check_value(where, value, sides)


def _tables(npc: int) -> tuple[tuple[int, int], ...]:
    """Sides and number of the dice that the legions of a rival may be rolled with at the start (2.3)."""
    return tuple((row["sides"], row["dice"]) for row in TABLES["npc_count"] if row["npcs"] >= npc)


def _check_value(where: str, value: object, sides: int) -> None:
    if not sides:
        raise MalformedRecord(where, "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise MalformedRecord(where, "whole", least=1, most=sides)


def _several(where: str, value: object, kinds: tuple[tuple[int, int], ...]) -> None:
    """A list for one of these kinds of dice: sides and how many."""
    if type(value) is list and all(type(one) is int for one in value):
        for sides, count in kinds:
            if len(value) == count and all(1 <= one <= sides for one in value):
                return
    raise Fault(where, "wholes", asked=[f"{count} × 1–{sides}" for sides, count in kinds])
