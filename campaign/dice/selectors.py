"""The dice as anybody may check them: the chain of links, how each roll comes about, the list of rolls as a file (RECORD)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from campaign.models import Campaign, DiceRoll, LogEntry
from engine.dice import Dice, worked
from engine.errors import IllegalMove, MalformedRecord
from engine.log import canonical
from engine.play import play
from engine.strict_json import read

FORMAT = "tabula-rolls/2"
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


class Chain(NamedTuple):
    """One chain of links: 0 is the first, n that of renewal n, promised in the entry of that number."""

    number: int
    commitment: str
    links: list[str]
    """Those that are published."""
    entry: int | None = 0


def dice_proof(row: DiceRoll, chains: Sequence[Chain]) -> Proof | None:
    """None until the link of its turn is published, of the chain that it came from."""
    links = chains[row.chain].links
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


def listed(campaign: Campaign, address: str, chains: Sequence[Chain], rows: Iterable[DiceRoll]) -> dict[str, Any]:
    """What verify_dice.py and the page's own script read: the chains with their commitments and published links, the first
    one first, and every roll that its reader may see with the number of its chain."""
    given = entered_dice(campaign)
    return {
        "format": FORMAT,
        "campaign": address,
        "title": campaign.title,
        "imported": campaign.imported,
        "chains": [{"commitment": one.commitment, "entry": one.entry, "links": one.links} for one in chains],
        "rolls": [
            {
                "entry": row.entry.number, "purpose": row.purpose, "sides": row.sides, "value": row.value, "link": row.turn,
                "chain": row.chain,
                "struck": row.entry.struck_by_id is not None, **({"hand": True} if row.purpose in given else {}),
            }
            for row in rows
        ],
    }  # fmt: skip


# Dice thrown elsewhere: what of them stands in the log, folded into the campaign's row (docs/decisions/0023).
#
# `given` are the values by purpose, as canonical JSON; `by_hand` says that every new die is thrown elsewhere; `parked` is
# the announcement that waits for one, as canonical JSON of its act.

ACT, RENEW = "die", "renew"
START: Mapping[str, Any] = {"by_hand": False, "given": "{}", "parked": ""}
"""Of a campaign whose log says nothing of hands."""


class Awaited(NamedTuple):
    """An announcement that waits: the move in record form, the purpose of the die it waits for, and its sides."""

    move: dict[str, Any]
    purpose: str
    sides: int


def turn(flags: Any, kind: str, what: Mapping[str, Any]) -> None:
    """What an entry makes of the flags."""
    if kind == LogEntry.Kind.MOVE or what.get("act") not in (ACT, "genesis"):
        return
    if what["act"] == "genesis":
        flags.given, flags.parked = canonical(what.get("given", {})), ""
        return
    match what["how"]:
        case "by-hand" | "by-program":
            flags.by_hand = what["how"] == "by-hand"
        case "parked":
            flags.parked = canonical({key: what[key] for key in ("move", "purpose", "sides")})
        case "dropped":
            flags.parked = ""
        case "given":
            flags.given = canonical({**read(flags.given), what["purpose"]: what["value"]})
            if flags.parked and read(flags.parked)["purpose"] == what["purpose"]:
                flags.parked = ""


def awaited(campaign: Campaign) -> Awaited | None:
    """What the table waits for a die for; None where nothing is parked."""
    return Awaited(**read(campaign.parked)) if campaign.parked else None


def entered_dice(campaign: Campaign) -> dict[str, int]:
    """The values of dice that were thrown elsewhere, by purpose."""
    return dict(read(campaign.given))


def links(campaign: Campaign) -> dict[str, str]:
    """Where somebody saw them thrown, by purpose; only those that have a link. One query, none where no die was given."""
    if campaign.given == "{}":
        return {}
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=ACT, how="given").order_by("sequence")
    said = [entry.said for entry in acts.only("what")]
    return {one["purpose"]: one["url"] for one in said if one["url"]}


def ahead(campaign: Campaign, position: Any) -> list[tuple[str, int]]:
    """The dice that the parked announcement will want, each with its sides, as far as can be told: the first for certain,
    those after it if the ones before fall low. Nothing is thrown."""
    waits = awaited(campaign)
    if waits is None:
        return []
    probe = Probe(entered_dice(campaign))
    with suppress(IllegalMove, MalformedRecord):
        play(position, campaign.game.decode(waits.move, position), probe)
    return probe.wanted or [(waits.purpose, waits.sides)]


class Probe(Dice):
    """Dice that show a one wherever none is known, and remember where."""

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__(0, fixed=known)
        self.wanted: list[tuple[str, int]] = []

    def roll(self, purpose: str, sides: int, turn: int, audience: tuple[str, ...] | None = None) -> int:
        if purpose in self.fixed:
            return super().roll(purpose, sides, turn, audience)
        self.wanted.append((purpose, sides))
        return 1
