"""The purposes of rolls (RULES, Rolls).

Every die has six sides. The Roman die is written as 1 to 6.
"""

from __future__ import annotations

import re

from games.kit.records import check_die, fixed_place
from games.tetrarchia.rules.position import EMPERORS, LINKS, OUTER, PROVINCES, SPACES

SIDES = 6
NUMBER = r"[1-9][0-9]{0,8}"
"""A number without leading zeros, of at most nine digits."""
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
    """Check the purpose and the value of a fixed roll.

    Raises:
        MalformedRecord: The purpose is unknown, or the value is not on the die.
    """
    known = KNOWN.fullmatch(purpose) and _linked(purpose)
    check_die(fixed_place(purpose), value, SIDES if known else 0)


def _linked(purpose: str) -> bool:
    """Return whether the two provinces of a status roll are linked; True for other rolls."""
    parts = purpose.split("/")
    return parts[2:3] != ["status"] or parts[4] in LINKS[parts[3]]
