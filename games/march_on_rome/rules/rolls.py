"""The purposes of rolls and their dice (RULES, Rolls)."""

from __future__ import annotations

import re

from games.kit.records import check_die, fixed_place
from games.march_on_rome.rules.position import CORE, PROVINCES, TABLES, Fault

NUMBER = r"[1-9][0-9]{0,8}"
AGAIN = rf"(?:/reroll-{NUMBER})?"
"""The end of the purpose of a repeated roll, with a number of at most nine digits."""
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
"""The pattern of each purpose, and the sides of its die.

Dice with a variable range have the most sides that are possible (1.5).
"""
DICE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
STRIKES = re.compile(rf"{BATTLE}/segment-{NUMBER}/(?:attacker|defender)", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """Check the purpose and the values of a fixed roll.

    Raises:
        MalformedRecord: The purpose is unknown, or the values do not fit its dice.
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
    """Return the dice with which the legions of a rival may be rolled: sides and number (2.3)."""
    return tuple((row["sides"], row["dice"]) for row in TABLES["npc_count"] if row["npcs"] >= npc)


def _several(where: str, value: object, kinds: tuple[tuple[int, int], ...]) -> None:
    """Check a list of values for one of these kinds of dice: sides and number."""
    if type(value) is list and all(type(die) is int for die in value):
        for sides, count in kinds:
            if len(value) == count and all(1 <= die <= sides for die in value):
                return
    raise Fault(where, "wholes", asked=[f"{count} × 1–{sides}" for sides, count in kinds])
