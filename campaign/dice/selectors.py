"""The dice in the form in which anyone can check them: links, proofs of rolls, the list of rolls.

See RECORD.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from campaign.log.acts.dice import DIE
from campaign.log.acts.undo import GENESIS
from campaign.models import Campaign, DiceRoll, LogEntry
from engine.dice import Dice, mixed_key, work_out_roll
from engine.errors import IllegalMove, MalformedRecord
from engine.play import play
from engine.strict_json import canonical, read

FORMAT = "tabula-rolls/3"
AHEAD, BEHIND = 7, 6
"""How many sealed and how many published links the picture of the chain shows.

A title without a last turn has a thousand.
"""


class Proof(NamedTuple):
    """The computation of a published roll from its link.

    `message` has the purpose and the attempt that gave the value, `mac` is the HMAC as hex,
    `number` the number of its first eight bytes.
    """

    message: str
    mac: str
    number: int


class Box(NamedTuple):
    """A link in the picture of the chain: its number and its text (empty while it is sealed)."""

    number: int
    link: str


class Chain(NamedTuple):
    """One chain of links: 0 is the first, n that of renewal n.

    `entry` is the number of the entry that has its commitment.
    """

    number: int
    commitment: str
    links: list[str]
    """The published links."""
    entry: int | None = 0
    mixed: Mapping[int, Mapping[str, Any]] = {}
    """The mixture of each link that has one.

    It is public before the first roll from the link.
    """


class KnownRoll(NamedTuple):
    """A roll as the running summary of the log keeps it.

    An undo that strikes its entry makes the summary start again.
    """

    pk: int
    purpose: str
    turn: int
    chain: int
    entry: int
    seat: str
    struck: bool


def dice_proof(row: DiceRoll, chains: Sequence[Chain]) -> Proof | None:
    """Return the proof of a roll; None until the link of its turn in its chain is published."""
    links = chains[row.chain].links
    if row.turn >= len(links):
        return None
    link, mixture = links[row.turn], chains[row.chain].mixed.get(row.turn)
    key = mixed_key(link, canonical(mixture)) if mixture else link
    attempt, mac, number = work_out_roll(key, row.purpose, row.sides)
    return Proof(f"{row.purpose}#{attempt}", mac.hex(), number)


def boxes(links: Sequence[str], last: int) -> tuple[list[Box], int, int]:
    """Return the links to show, and how many are left out before and behind them.

    `last` is the number of the title's last link.
    """
    first = max(0, len(links) - BEHIND)
    end = min(last + 1, len(links) + AHEAD)
    shown = [Box(n, links[n] if n < len(links) else "") for n in range(first, end)]
    return shown, first, last + 1 - end


def rolls_file(
    campaign: Campaign, address: str, chains: Sequence[Chain], rows: Iterable[DiceRoll]
) -> dict[str, Any]:
    """Return the published links and the rolls in the form of a file.

    verify.py and the page's script compare them with the log. The first chain comes first. `rows`
    are the rolls that the reader may see.
    """
    given = campaign.entered_dice
    # If the terms changed before the first move, the first chain begins in a later entry than 0.
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
                "commitment": chain.commitment,
                "entry": chain.entry if chain.number else first,
                "links": chain.links,
                **(
                    {
                        "mixed": {
                            str(link): mixture for link, mixture in chain.mixed.items() if mixture
                        }
                    }
                    if campaign.chance
                    else {}
                ),
            }
            for chain in chains
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


# Dice thrown elsewhere: the acts about them in the log, folded into the campaign's row
# (docs/decisions/0023).
#
# `entered_dice` are the values by purpose. `by_hand` says that every new die is thrown elsewhere.
# `parked` is the move that waits for one.


class AwaitedDie(NamedTuple):
    """A move that waits for a die, in record form, with the purpose and sides of the die."""

    move: dict[str, Any]
    purpose: str
    sides: int


def awaited_die(campaign: Campaign) -> AwaitedDie | None:
    """Return the move that waits for a die; None if none does."""
    return AwaitedDie(**campaign.parked) if campaign.parked else None


def links(campaign: Campaign) -> dict[str, str]:
    """Return the links that show where entered dice were thrown, by purpose.

    Dice without a link are left out. One query, none if no die was entered.
    """
    if not campaign.entered_dice:
        return {}
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=DIE.name, how="given").order_by(
        "sequence"
    )
    acts_said = [entry.content for entry in acts.only("content_json")]
    return {content["purpose"]: content["url"] for content in acts_said if content["url"]}


def dice_of_parked_move(campaign: Campaign, position: Any) -> list[tuple[str, int]]:
    """Return purpose and sides of the dice that the parked move will need, as far as known.

    The first is certain; those after it may depend on its value. Nothing is thrown.
    """
    waits = awaited_die(campaign)
    if waits is None:
        return []
    probe = Probe(dict(campaign.entered_dice))
    with suppress(IllegalMove, MalformedRecord):
        play(position, campaign.game.decode(waits.move, position), probe)
    return probe.wanted or [(waits.purpose, waits.sides)]


class Probe(Dice):
    """Dice that show a one where no value is known, and remember which these were."""

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__(0, fixed=known)
        self.wanted: list[tuple[str, int]] = []

    def roll(
        self, purpose: str, sides: int, turn: int, audience: tuple[str, ...] | None = None
    ) -> int:
        """Return the known value, or 1."""
        if purpose in self.fixed:
            return super().roll(purpose, sides, turn, audience)
        self.wanted.append((purpose, sides))
        return 1


# Mixed dice (RECORD, Mixed dice): words of the seats and a public draw, which are added to the dice
# of a turn before its first roll.
#
# Each chain of links has its own mixtures, so that new links cannot be chosen to fit the words
# given for the old ones. `mixing` has the contributions to each link under "CHAIN/LINK", folded
# from the acts `mix`.

WORDS, DRAW, BOTH = "words", "draw", "both"
MIXES = (WORDS, DRAW, BOTH)
"""The values of the campaign's `chance`, besides the generator alone."""
OUT_OF_TURN = ("setup", "closed", "finished", "over")
"""Phases in which no turn runs."""


class Stage(NamedTuple):
    """The contributions to one link of one chain.

    `words` are those of the seats. `named` is the public draw as it was named in advance: source,
    name, falls (an instant as text), round, wheels, numbers (how many, for another source).
    """

    chain: int
    link: int
    needs_words: bool
    needs_draw: bool
    words: Mapping[str, str]
    closed: bool
    late: Sequence[str]
    """The seats that had given no words when the words closed."""
    named: Mapping[str, Any] | None
    drawn: str
    url: str
    without: str
    """The reason for continuing without the draw; empty while it is still expected."""
    corrected: Sequence[str] = ()
    """Values that were entered and then corrected before the first roll, the oldest first."""
    entered_by_hand: bool = False
    """Whether the game master has typed `drawn` as a drand value, which the worker has to
    confirm.
    """
    signature: str = ""
    """The valid signature of the drand round, as hex; "" while the worker has not verified it."""
    true_draw: str = ""
    """The true draw, if the worker has found after the first roll that a typed value is false."""

    @property
    def unconfirmed(self) -> bool:
        """Whether the worker has yet to compare the typed value with the round."""
        return self.entered_by_hand and not self.signature

    @property
    def falls_at(self) -> datetime | None:
        """The instant of the named draw; None if none is named."""
        return datetime.fromisoformat(self.named["falls"]) if self.named else None

    @property
    def done(self) -> bool:
        """Whether everything needed has been given, so that dice can be thrown."""
        return (self.closed or not self.needs_words) and (
            bool(self.drawn) or bool(self.without) or not self.needs_draw
        )

    def takes_words(self, at: datetime) -> bool:
        """Return whether seats can still add words.

        Words close when the named draw takes place, at the latest.
        """
        return (
            self.needs_words
            and not self.closed
            and not self.drawn
            and (self.falls_at is None or at < self.falls_at)
        )

    @property
    def mixture(self) -> dict[str, Any]:
        """The mixture as a record has it.

        Empty if there are no words and no draw: then the link is used alone.
        """
        phrases = {"phrases": dict(self.words)} if self.words else {}
        return {**phrases, **({"draw": self.drawn} if self.drawn else {})}


def stage(campaign: Campaign, chain: int, link: int) -> Stage:
    """Return the contributions so far to one link of one chain."""
    contributions = campaign.mixing.get(f"{chain}/{link}", {})
    return Stage(
        chain,
        link,
        campaign.chance in (WORDS, BOTH),
        campaign.chance in (DRAW, BOTH),
        contributions.get("words", {}),
        "late" in contributions,
        contributions.get("late", ()),
        contributions.get("named"),
        contributions.get("drawn", ""),
        contributions.get("url", ""),
        contributions.get("without", ""),
        contributions.get("corrected", ()),
        contributions.get("typed", False),
        contributions.get("signature", ""),
        contributions.get("true_draw", ""),
    )


def stages(campaign: Campaign) -> list[Stage]:
    """Return every stage with contributions, ordered by chain and link."""
    places = sorted(tuple(map(int, key.split("/"))) for key in campaign.mixing)
    return [stage(campaign, chain, link) for chain, link in places]


def next_stage(
    campaign: Campaign, turn: int | None = None, phase: str | None = None
) -> Stage | None:
    """Return the stage of the next dice; None if dice are not mixed, and after the end.

    This is the running turn if its dice were renewed in the middle of it, otherwise the next turn.
    Contributions before the start serve links 0 and 1. `turn` and `phase` are those of a position
    other than the current one.
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


def has_rolls(campaign: Campaign, stage: Stage) -> bool:
    """Return whether a die was thrown from this stage.

    The stage of the start serves turn 1 too, unless turn 1 has its own.
    """
    links = {stage.link} | (
        {1} if not stage.link and f"{stage.chain}/1" not in campaign.mixing else set()
    )
    return DiceRoll.objects.filter(
        entry__campaign=campaign, chain=stage.chain, turn__in=links
    ).exists()


def mixtures(campaign: Campaign) -> list[dict[int, dict[str, Any]]]:
    """Return for each chain the mixtures of the links from which dice can be thrown now.

    An empty mixture leaves the link unchanged.
    """
    ready: list[dict[int, dict[str, Any]]] = [{} for _chain in range(campaign.renewals + 1)]
    for mixed_stage in stages(campaign):
        if mixed_stage.done:
            ready[mixed_stage.chain][mixed_stage.link] = mixed_stage.mixture
            if mixed_stage.link == 0:
                ready[mixed_stage.chain].setdefault(1, mixed_stage.mixture)
    return ready


def keys_of(campaign: Campaign) -> list[dict[int, str]]:
    """Return for each chain the texts that are hashed with its links (`engine.dice.mixed_key`).

    Links without a mixture are left out.
    """
    return [
        {link: canonical(mixture) for link, mixture in ready.items() if mixture}
        for ready in mixtures(campaign)
    ]
