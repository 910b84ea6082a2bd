"""The purposes of rolls (RULES, Rolls). Every die has six sides; the Roman one is written 1 to 6."""

from __future__ import annotations

import re

from engine.errors import MalformedRecord
from games.tetrarchia.board import EMPERORS, LINKS, OUTER, PROVINCES, SPACES

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
