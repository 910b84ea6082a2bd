"""The dice as anybody may check them: the chain of links, how each roll comes about, the list of rolls as a file (RECORD)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from campaign import hand
from campaign.models import Campaign, DiceRoll
from engine.dice import worked

FORMAT = "tabula-rolls/1"
AHEAD, BEHIND = 7, 6
"""So many sealed and so many published links stand in the picture of the chain; a title without a last turn has a thousand."""


class Proof(NamedTuple):
    """How a published roll comes about: which attempt served, the HMAC as hex, the number of its first eight bytes."""

    message: str
    mac: str
    number: int


class Box(NamedTuple):
    """A link in the picture of the chain: its number, its text (empty: sealed)."""

    number: int
    link: str


def proof(row: DiceRoll, links: Sequence[str]) -> Proof | None:
    """None until the link of its turn is published."""
    if row.turn >= len(links):
        return None
    attempt, mac, number = worked(links[row.turn], row.purpose, row.sides)
    return Proof(f"{row.purpose}#{attempt}", mac.hex(), number)


def boxes(links: Sequence[str], last: int) -> tuple[list[Box], int, int]:
    """The links to show, and how many published ones before them and sealed ones behind are left out; `last` is the
    title's last link."""
    first = max(0, len(links) - BEHIND)
    end = min(last + 1, len(links) + AHEAD)
    shown = [Box(n, links[n] if n < len(links) else "") for n in range(first, end)]
    return shown, first, last + 1 - end


def listed(campaign: Campaign, address: str, links: Sequence[str], rows: Iterable[DiceRoll]) -> dict[str, Any]:
    """What verify_dice.py and the page's own script read: commitment, links, every roll that its reader may see."""
    given = hand.given(campaign)
    return {
        "format": FORMAT,
        "campaign": address,
        "title": campaign.title,
        "commitment": campaign.commitment,
        "links": list(links),
        "rolls": [
            {
                "entry": row.entry.number, "purpose": row.purpose, "sides": row.sides, "value": row.value, "link": row.turn,
                "struck": row.entry.struck_by_id is not None, **({"hand": True} if row.purpose in given else {}),
            }
            for row in rows
        ],
    }  # fmt: skip
