"""Tetrarchia as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.contract.players import Lesson, Step
from games.contract.title import Stretch
from games.kit.records import Scenario, check_die, fixed_place
from games.kit.title import BoardTitle
from games.tetrarchia.rules import moves as rules_moves
from games.tetrarchia.rules import position as rules_position
from games.tetrarchia.rules import view
from games.tetrarchia.rules.position import (
    EMPERORS,
    HERE,
    LINKS,
    OUTER,
    PROVINCES,
    SPACES,
    Options,
    Position,
)
from games.tetrarchia.text import words
from games.tetrarchia.text.english import FOUNDING
from games.tetrarchia.text.english import LESSON as TEXTS


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


# The lesson of Tetrarchia: Diocletian's first turn, the barbarians, and a battle of Galerius.

PLACE, ARMY = "asia", "dacia"
BAR = ".play-bar"


def at_least(points: int) -> Any:
    """Has Diocletian so many points left, and is it still his first turn?"""
    return lambda p: (
        p.phase != "roman" or (p.emperor == "diocletian" and p.round == 1 and p.ip >= points)
    )


def army_there(position: Position) -> bool:
    return bool(ARMY in position.barbarians and position.emperor == "galerius")


def goes(move: Mapping[str, Any]) -> bool:
    return bool(move["move"] == "move" and move["path"][-1:] == [PLACE])


def is_move(name: str, **given: Any) -> Any:
    return lambda move: (
        move["move"] == name and all(move.get(key) == value for key, value in given.items())
    )


LESSON = Lesson(
    TEXTS,
    (
        Step("fleets", BAR, is_move("place_fleets")),
        Step("enter", BAR, is_move("enter")),
        Step("march", f'[data-key="{PLACE}"]', goes, possible=at_least(2)),
        Step("quiet", BAR, is_move("subdue"), possible=at_least(1)),
        Step("secure", BAR, is_move("secure"), possible=at_least(1)),
        Step("end", BAR, is_move("end_turn")),
        Step("galerius", BAR, is_move("enter")),
        Step("attack", f'[data-key="{ARMY}"]', is_move("attack"), possible=army_there),
        Step("on", BAR),
    ),
    seed=f"{0x47F:064x}",
    scenario="standard",
    options={"players": 1, "level": [4, 2, 0, 0]},
    chosen=frozenset(
        {
            "place_fleets",
            "enter",
            "move",
            "sail",
            "secure",
            "subdue",
            "attack",
            "end_turn",
            "imperium",
            "patres",
        }
    ),
)
