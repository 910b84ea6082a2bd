"""The dice as anybody may check them: the chain of links, how each roll comes about, the list of
rolls as a file (RECORD).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from campaign.log.acts.dice import DIE
from campaign.log.acts.undo import GENESIS
from campaign.models import Campaign, DiceRoll, LogEntry
from engine.dice import Dice, mixed_key, worked
from engine.errors import IllegalMove, MalformedRecord
from engine.play import play
from engine.strict_json import canonical, read

FORMAT = "tabula-rolls/3"
AHEAD, BEHIND = 7, 6
"""So many sealed and so many published links stand in the picture of the chain; a title without a
last turn has a thousand.
"""


class Proof(NamedTuple):
    """How a published roll comes about: which attempt served, the HMAC as hex, the number of its
    first eight bytes.
    """

    message: str
    mac: str
    number: int


class Box(NamedTuple):
    """A link in the picture of the chain: its number, its text (empty: sealed)."""

    number: int
    link: str


class Chain(NamedTuple):
    """One chain of links: 0 is the first, n that of renewal n, promised in the entry of that
    number.
    """

    number: int
    commitment: str
    links: list[str]
    """Those that are published."""
    entry: int | None = 0
    mixed: Mapping[int, Mapping[str, Any]] = {}
    """What was mixed into which of its links; shown before the first roll from it."""


class KnownRoll(NamedTuple):
    """A roll as the summary of the log keeps it. An undo that strikes its entry has the log read
    anew.
    """

    pk: int
    purpose: str
    turn: int
    chain: int
    entry: int
    seat: str
    struck: bool


def dice_proof(row: DiceRoll, chains: Sequence[Chain]) -> Proof | None:
    """None until the link of its turn is published, of the chain that it came from."""
    links = chains[row.chain].links
    if row.turn >= len(links):
        return None
    link, mixture = links[row.turn], chains[row.chain].mixed.get(row.turn)
    key = mixed_key(link, canonical(mixture)) if mixture else link
    attempt, mac, number = worked(key, row.purpose, row.sides)
    return Proof(f"{row.purpose}#{attempt}", mac.hex(), number)


def boxes(links: Sequence[str], last: int) -> tuple[list[Box], int, int]:
    """The links to show, and how many published ones before them and sealed ones behind are left
    out; `last` is the title's last link.
    """
    first = max(0, len(links) - BEHIND)
    end = min(last + 1, len(links) + AHEAD)
    shown = [Box(n, links[n] if n < len(links) else "") for n in range(first, end)]
    return shown, first, last + 1 - end


def listed(
    campaign: Campaign, address: str, chains: Sequence[Chain], rows: Iterable[DiceRoll]
) -> dict[str, Any]:
    """Return the published links, and the list of rolls that verify.py and the page's script
    compare with the log.

    The first chain comes first. The list has every roll that its reader may see, with the number of
    its chain.
    """
    given = campaign.entered_dice
    # If the terms change before the first move, the first chain begins again in a later entry than
    # 0.
    begins = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=GENESIS.name).order_by(
        "-sequence"
    )
    first = begins.values_list("number", flat=True)[0]
    return {
        "format": FORMAT,
        "campaign": address,
        "title": campaign.title,
        "imported": campaign.imported,
        "chains": [
            {
                "commitment": one.commitment,
                "entry": one.entry if one.number else first,
                "links": one.links,
                **(
                    {
                        "mixed": {
                            str(link): mixture for link, mixture in one.mixed.items() if mixture
                        }
                    }
                    if campaign.chance
                    else {}
                ),
            }
            for one in chains
        ],
        "rolls": [
            {
                "entry": row.entry.number,
                "purpose": row.purpose,
                "sides": row.sides,
                "value": row.value,
                "link": row.turn,
                "chain": row.chain,
                "struck": row.entry.struck_by_id is not None,
                **({"hand": True} if row.purpose in given else {}),
            }
            for row in rows
        ],
    }


# Dice thrown elsewhere: what of them stands in the log, folded into the campaign's row
# (docs/decisions/0023).
#
# `entered_dice` are the values by purpose; `by_hand` says that every new die is thrown
# elsewhere; `parked` is the act of the announcement that waits for one.


class Awaited(NamedTuple):
    """An announcement that waits: the move in record form, the purpose of the die it waits for, and
    its sides.
    """

    move: dict[str, Any]
    purpose: str
    sides: int


def awaited(campaign: Campaign) -> Awaited | None:
    """What the table waits for a die for; None where nothing is parked."""
    return Awaited(**campaign.parked) if campaign.parked else None


def links(campaign: Campaign) -> dict[str, str]:
    """Where somebody saw them thrown, by purpose; only those that have a link. One query, none
    where no die was given.
    """
    if not campaign.entered_dice:
        return {}
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=DIE.name, how="given").order_by(
        "sequence"
    )
    acts_said = [entry.content for entry in acts.only("content_json")]
    return {one["purpose"]: one["url"] for one in acts_said if one["url"]}


def ahead(campaign: Campaign, position: Any) -> list[tuple[str, int]]:
    """The dice that the parked announcement will want, each with its sides, as far as can be told:
    the first for certain, those after it if the ones before fall low. Nothing is thrown.
    """
    waits = awaited(campaign)
    if waits is None:
        return []
    probe = Probe(dict(campaign.entered_dice))
    with suppress(IllegalMove, MalformedRecord):
        play(position, campaign.game.decode(waits.move, position), probe)
    return probe.wanted or [(waits.purpose, waits.sides)]


class Probe(Dice):
    """Dice that show a one wherever none is known, and remember where."""

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__(0, fixed=known)
        self.wanted: list[tuple[str, int]] = []

    def roll(
        self, purpose: str, sides: int, turn: int, audience: tuple[str, ...] | None = None
    ) -> int:
        if purpose in self.fixed:
            return super().roll(purpose, sides, turn, audience)
        self.wanted.append((purpose, sides))
        return 1


# Mixed dice (RECORD, Mixed dice): what the seats and a public draw add to the dice of a turn before
# its first roll.
#
# Each chain of links is mixed anew, so that nobody can choose new links to fit what was said for
# the old ones. `mixing` has for each chain and link what was said so far, under "CHAIN/LINK",
# folded from the acts `mix`.

WORDS, DRAW, BOTH = "words", "draw", "both"
MIXES = (WORDS, DRAW, BOTH)
"""How chance may come about beside the generator alone (the campaign's `chance`)."""
OUT_OF_TURN = ("setup", "closed", "finished", "over")
"""Phases in which no turn runs."""


class Stage(NamedTuple):
    """What is said for one link of one chain. `words` are those of the seats; `named` is the public
    draw as it was named before it fell: source, name, falls (an instant as text), round, wheels,
    numbers (how many, of another source).
    """

    chain: int
    link: int
    needs_words: bool
    needs_draw: bool
    words: Mapping[str, str]
    closed: bool
    late: Sequence[str]
    """The seats that had said nothing when the words closed."""
    named: Mapping[str, Any] | None
    drawn: str
    url: str
    without: str
    """Why the turn goes on without the draw; "" while it does not."""
    corrected: Sequence[str] = ()
    """Values that were entered and then corrected before the first roll, the oldest first."""
    typed: bool = False
    """Whether the game master has typed `drawn` as a drand value, which the worker has to
    confirm.
    """
    signature: str = ""
    """The valid signature of the drand round, as hex; "" while the worker has not verified it."""
    true_draw: str = ""
    """The true draw, if the worker has found after the first roll that a typed value is false."""

    @property
    def unconfirmed(self) -> bool:
        """Return whether the worker has yet to compare the typed value with the round."""
        return self.typed and not self.signature

    @property
    def falls_at(self) -> datetime | None:
        """When the draw is made, by what was said before."""
        return datetime.fromisoformat(self.named["falls"]) if self.named else None

    @property
    def done(self) -> bool:
        """Is everything there, so that dice may be thrown?"""
        return (self.closed or not self.needs_words) and (
            bool(self.drawn) or bool(self.without) or not self.needs_draw
        )

    def takes_words(self, at: datetime) -> bool:
        """Words are taken until they close, at the latest when the draw that was named falls."""
        return (
            self.needs_words
            and not self.closed
            and not self.drawn
            and (self.falls_at is None or at < self.falls_at)
        )

    @property
    def mixture(self) -> dict[str, Any]:
        """As a record has it; empty where nobody said anything and nothing was drawn: then the link
        serves alone.
        """
        phrases = {"phrases": dict(self.words)} if self.words else {}
        return {**phrases, **({"draw": self.drawn} if self.drawn else {})}


def stage(campaign: Campaign, chain: int, link: int) -> Stage:
    """What has been said for one link of one chain so far."""
    one = campaign.mixing.get(f"{chain}/{link}", {})
    return Stage(
        chain,
        link,
        campaign.chance in (WORDS, BOTH),
        campaign.chance in (DRAW, BOTH),
        one.get("words", {}),
        "late" in one,
        one.get("late", ()),
        one.get("named"),
        one.get("drawn", ""),
        one.get("url", ""),
        one.get("without", ""),
        one.get("corrected", ()),
        one.get("typed", False),
        one.get("signature", ""),
        one.get("true_draw", ""),
    )


def stages(campaign: Campaign) -> list[Stage]:
    """Every stage of which anything was said, in the order of chains and links."""
    places = sorted(tuple(map(int, key.split("/"))) for key in campaign.mixing)
    return [stage(campaign, chain, link) for chain, link in places]


def next_stage(
    campaign: Campaign, turn: int | None = None, phase: str | None = None
) -> Stage | None:
    """What the next dice still wait for, or will: the running turn where its dice were renewed in
    its midst, else the turn that opens next. None where dice are not mixed, and after the end. What
    is said before the start serves link 0 and 1.

    `turn` and `phase` are those of a position, where it is not the campaign's present one.
    """
    turn, phase = (
        campaign.turn if turn is None else turn,
        campaign.phase if phase is None else phase,
    )
    if not campaign.chance or campaign.ended:
        return None
    if not turn:
        return stage(campaign, campaign.renewals, 0)
    if phase not in OUT_OF_TURN and turn not in mixtures(campaign)[campaign.renewals]:
        return stage(campaign, campaign.renewals, turn)
    if turn + 1 > campaign.game.last_link(campaign.game.scenario(read(campaign.scenario))):
        return None
    return stage(campaign, campaign.renewals, turn + 1)


def thrown_from(campaign: Campaign, one: Stage) -> bool:
    """Return whether a die was thrown from this stage. The stage of the start serves turn 1 too,
    unless turn 1 has its own.
    """
    links = {one.link} | (
        {1} if not one.link and f"{one.chain}/1" not in campaign.mixing else set()
    )
    return DiceRoll.objects.filter(
        entry__campaign=campaign, chain=one.chain, turn__in=links
    ).exists()


def mixtures(campaign: Campaign) -> list[dict[int, dict[str, Any]]]:
    """Of each chain the mixtures of its links that are ready to be thrown from; an empty mixture
    leaves the link as it is.
    """
    ready: list[dict[int, dict[str, Any]]] = [{} for _chain in range(campaign.renewals + 1)]
    for one in stages(campaign):
        if one.done:
            ready[one.chain][one.link] = one.mixture
            if one.link == 0:
                ready[one.chain].setdefault(1, one.mixture)
    return ready


def keys_of(campaign: Campaign) -> list[dict[int, str]]:
    """Of each chain the text that is hashed with its links (`engine.dice.mixed_key`), without links
    that stand alone.
    """
    return [
        {link: canonical(one) for link, one in ready.items() if one} for ready in mixtures(campaign)
    ]
