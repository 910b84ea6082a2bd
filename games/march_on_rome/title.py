"""March on Rome as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from games.contract.players import Lesson, Step
from games.kit.records import check_die, fixed_place
from games.kit.title import BoardTitle
from games.march_on_rome.rules import moves as rules_moves
from games.march_on_rome.rules import position as rules_position
from games.march_on_rome.rules import view
from games.march_on_rome.rules.position import (
    CORE,
    HERE,
    PROVINCES,
    TABLES,
    Fault,
    Options,
    Position,
    Scenario,
)
from games.march_on_rome.text import words
from games.march_on_rome.text.english import FOUNDING
from games.march_on_rome.text.english import LESSON as TEXTS


class MarchOnRome(BoardTitle):
    """See `games.contract.title.Title` for what each of these promises."""

    key = "march_on_rome"
    name = "March on Rome"
    format = "march_on_rome/1"
    views, texts, rules, moves = view, words, rules_position, rules_moves
    founding, folder = FOUNDING, HERE
    proposed: Mapping[str, Any] = {"barbarian_initiative": True}

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.general_name(scenario, holder)


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
"""What each purpose looks like, and the sides of its die. Span dice: as many as there can be at
most (1.5).
"""
DICE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
STRIKES = re.compile(rf"{BATTLE}/segment-{NUMBER}/(?:attacker|defender)", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its values on the die, as many as it has; else
    `MalformedRecord`.
    """
    where = fixed_place(purpose)
    if STRIKES.fullmatch(purpose):
        _several(where, value, ((6, 3),))
        return
    if legions := LEGIONS.fullmatch(purpose):
        tables = _tables(int(legions[1]))
        if legions[2] is None:
            _several(where, value, tables)
        else:
            check_die(
                where,
                value,
                max((sides for sides, count in tables if int(legions[2]) <= count), default=0),
            )
        return
    sides = next((sides for pattern, sides in DICE if pattern.fullmatch(purpose)), 0)
    check_die(where, value, sides)


def _tables(npc: int) -> tuple[tuple[int, int], ...]:
    """Sides and number of the dice that the legions of a rival may be rolled with at the start
    (2.3).
    """
    return tuple((row["sides"], row["dice"]) for row in TABLES["npc_count"] if row["npcs"] >= npc)


def _several(where: str, value: object, kinds: tuple[tuple[int, int], ...]) -> None:
    """A list for one of these kinds of dice: sides and how many."""
    if type(value) is list and all(type(one) is int for one in value):
        for sides, count in kinds:
            if len(value) == count and all(1 <= one <= sides for one in value):
                return
    raise Fault(where, "wholes", asked=[f"{count} × 1–{sides}" for sides, count in kinds])


# The lesson of March on Rome: a battle for Syria, an alliance, and the second year.

TARGET, ALLY = "syria", "achaia"
BAR = ".play-bar"


def is_move(*names: str, target: str = "") -> Any:
    return lambda move: move["move"] in names and target in ("", move.get("target", ""))


def chooses(position: Any) -> bool:
    """Is it the learner's choice of the year now, and no question in the middle of things?"""
    return bool(position.phase == "pc" and position.pending is None)


def neighbour(land: str) -> Any:
    return lambda position: not chooses(position) or land in position.targets()


def not_chosen(position: Any) -> bool:
    return not chooses(position)


LESSON = Lesson(
    TEXTS,
    (
        Step("attack", f'[data-key="{TARGET}"]', is_move("attack"), possible=neighbour(TARGET)),
        Step("devote", BAR, is_move("devote"), possible=not_chosen),
        Step("ally", f'[data-key="{ALLY}"]', is_move("ally", "attack"), possible=neighbour(ALLY)),
        Step("again", BAR, is_move("devote"), possible=not_chosen),
        Step("pass", BAR, is_move("pass", "attack", "ally")),
        Step("on", BAR),
    ),
    seed=f"{22:064x}",
    scenario="standard",
    chosen=frozenset({"attack", "ally", "pass", "devote"}),
)
