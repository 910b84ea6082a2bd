"""Tetrarchia as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from engine.language import text_of_file
from games.contract.title import Account, SeatInfo, Stretch
from games.kit.parts import InParts
from games.tetrarchia.rules import view
from games.tetrarchia.rules.board import EMPERORS, HERE, LINKS, OUTER, PROVINCES, SPACES
from games.tetrarchia.rules.moves import TetrarchyMove, decode
from games.tetrarchia.rules.position import STANDARD, Options, Position, Scenario, read_options, read_scenario
from games.tetrarchia.rules.view import read_position
from games.tetrarchia.text import words
from games.tetrarchia.ui.page import texts

RECORDS = "\n# "
"""What follows the second title of RULES.md is for who writes records and programs."""


class Tetrarchia(InParts):
    """See `games.contract.title.Title` for what each of these promises."""

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
        check_roll(purpose, value)

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
        return text_of_file(HERE, "RULES").split(RECORDS)[0]


# The purposes of rolls (RULES, Rolls). Every die has six sides; the Roman one is written 1 to 6.

SIDES = 6
NUMBER = r"[1-9][0-9]{0,8}"
"""Without leading zeros, at most nine digits."""
AGAIN = rf"(?:/reroll-{NUMBER})?"
PROVINCE = rf"(?:{'|'.join(PROVINCES)})"
SPACE = rf"(?:{'|'.join(SPACES)})"
TURN = rf"round-{NUMBER}/(?:{'|'.join(EMPERORS)})"
KINDS: tuple[str, ...] = (
    rf"setup/revolt/(?:{'|'.join(OUTER)}){AGAIN}",
    rf"setup/extra-[12]/(?:region|number){AGAIN}",
    rf"setup/barbarian-[12]{AGAIN}",
    rf"{TURN}/attack-{NUMBER}/(?:roman|barbarian)",
    rf"{TURN}/status/{PROVINCE}/{PROVINCE}",
    rf"{TURN}/threat-1/region",
    rf"{TURN}/threat-{NUMBER}/number",
    rf"{TURN}/uprising-{NUMBER}/{PROVINCE}",
    rf"{TURN}/echo-{NUMBER}",
    rf"{TURN}/advance/{SPACE}",
    rf"{TURN}/battle/{SPACE}/(?:roman|barbarian)",
)
KNOWN = re.compile("|".join(KINDS), re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its value on the die; else `MalformedRecord`."""
    where = f"dice.fixed.{purpose[:80]}"
    if not KNOWN.fullmatch(purpose) or not _linked(purpose):
        raise MalformedRecord(where, "unknown-purpose")
    if type(value) is not int or not 1 <= value <= SIDES:
        raise MalformedRecord(where, "whole", least=1, most=SIDES)


def _linked(purpose: str) -> bool:
    """Of a status roll: are its two provinces linked?"""
    parts = purpose.split("/")
    return parts[2:3] != ["status"] or parts[4] in LINKS[parts[3]]
