"""Tetrarchia as a title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.contract.title import Stretch
from games.kit.records import Scenario, check_die, fixed_place
from games.kit.title import BoardTitle
from games.tetrarchia.english import FOUNDING
from games.tetrarchia.rules import moves as rules_moves
from games.tetrarchia.rules import position as rules_position
from games.tetrarchia.rules import view
from games.tetrarchia.rules.board import EMPERORS, HERE, LINKS, OUTER, PROVINCES, SPACES
from games.tetrarchia.rules.position import Options, Position
from games.tetrarchia.text import words


class Tetrarchia(BoardTitle):
    """See `games.contract.title.Title` for what each of these promises."""

    key = "tetrarchia"
    name = "Tetrarchia"
    format = "tetrarchia/1"
    views, texts, rules, moves = view, words, rules_position, rules_moves
    founding, folder = FOUNDING, HERE

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def course(self, position: Position) -> Sequence[Stretch]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.holder_name(holder)


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
    known = KNOWN.fullmatch(purpose) and _linked(purpose)
    check_die(fixed_place(purpose), value, SIDES if known else 0)


def _linked(purpose: str) -> bool:
    """Of a status roll: are its two provinces linked?"""
    parts = purpose.split("/")
    return parts[2:3] != ["status"] or parts[4] in LINKS[parts[3]]
