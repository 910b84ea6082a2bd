"""The purposes of rolls and their dice (RULES, Rolls)."""

from __future__ import annotations

import re

from engine.errors import MalformedRecord
from games.kit.records import check_die, fixed_place
from games.roman_empire.rules.position import CARDS, KINGDOMS, LANDS, SEATS, Fault

NUMBER = r"[1-9][0-9]{0,8}"
"""A number without leading zeros, of at most nine digits."""
AGAIN = rf"(?:/reroll-{NUMBER})?"
SEAT = rf"(?:{'|'.join(SEATS)})"
LAND = rf"(?:{'|'.join(LANDS)})"
TURN = r"turn-[1-7]"
BASE = rf"{TURN}/{SEAT}/(?:people|faction)"
ROLLED = "|".join(key for key, card in CARDS.items() if card.kind == "area_roll")
REBELS = "|".join(key for key, card in CARDS.items() if card.kind == "rebellion")
SINGLE: tuple[tuple[str, int], ...] = (
    (rf"setup/hand/{SEAT}/set-[1-9]", 6),
    (rf"{TURN}/draw-people-{NUMBER}", 5),
    (rf"{TURN}/draw-emperor-{NUMBER}", 6),
    (rf"{BASE}/event-(?:{ROLLED})/{LAND}", 6),
    (rf"end/kingdom/(?:{'|'.join(KINGDOMS)})", 6),
)
"""Rolls of one die: the pattern of the purpose, and the most sides the die can have."""
LISTS: tuple[tuple[str, int, int], ...] = (
    (rf"turn-1/order/{SEAT}{AGAIN}", 2, 2),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/attacker{AGAIN}", 2, 3),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/defender{AGAIN}", 1, 2),
    (rf"{BASE}/loot/{LAND}", 1, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/attacker{AGAIN}", 2, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/defender{AGAIN}", 1, 1),
)
"""Rolls of several six-sided dice: the pattern of the purpose, the fewest and the most dice."""
ONE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
SEVERAL = tuple((re.compile(pattern, re.ASCII), least, most) for pattern, least, most in LISTS)
MEMBER = re.compile(r"(.+)/([123])", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """Check the purpose and the values of a fixed roll.

    Raises:
        MalformedRecord: The purpose is unknown, or the values do not fit its dice.
    """
    where = fixed_place(purpose)
    for pattern, sides in ONE:
        if pattern.fullmatch(purpose):
            check_die(where, value, sides)
            return
    for pattern, least, most in SEVERAL:
        if pattern.fullmatch(purpose):
            _list(where, value, least, most)
            return
        member = MEMBER.fullmatch(purpose)
        if member and pattern.fullmatch(member[1]) and int(member[2]) <= most:
            check_die(where, value, 6)
            return
    raise MalformedRecord(where, "unknown-purpose")


def _list(where: str, value: object, least: int, most: int) -> None:
    if (
        type(value) is not list
        or not least <= len(value) <= most
        or any(type(die) is not int or not 1 <= die <= 6 for die in value)
    ):
        raise Fault(where, "wholes" if least == most else "wholes-or", least=least, most=most)
