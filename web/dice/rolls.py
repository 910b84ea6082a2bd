"""The rolls with their proofs, and the distribution of their values."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import review
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Chain, KnownRoll, Proof
from campaign.log import selectors
from campaign.log.selectors import Rolls
from campaign.models import DiceRoll
from campaign.review import Mark
from engine.language import capitalize
from web.dice.statistics import Kind, SeatRoll, Tally, kinds
from web.frame.table import TableContext
from web.ledger.lines import account_holders

OPEN = 2
"""The number of kinds of dice that are unfolded; the reader can unfold the others."""
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Countersigned:
    """The countersignatures of a roll that the game master entered, and the objections to it."""

    lacks: bool
    signed: str
    objectors: str
    url: str


@dataclass(frozen=True, slots=True)
class RollRow:
    """A roll as shown on the page."""

    purpose: str
    sides: int
    value: int
    turn: int
    chain: int
    text: str
    number: int | None
    url: str
    at: datetime
    struck: bool
    hidden: bool
    """Whether only some readers may see the roll."""
    hand: bool
    """Whether the die was thrown elsewhere."""
    mark: Countersigned | None
    seen_at: str
    """The address where a die that was thrown elsewhere can be seen."""
    proof: Proof | None

    @property
    def short_mac(self) -> str:
        return self.proof.mac[:DIGITS] if self.proof is not None else ""

    @property
    def link_text(self) -> str:
        if not self.chain:
            return pgettext("dice", "key %(n)s") % {"n": self.turn}
        return _("key %(n)s of renewal %(chain)s") % {"n": self.turn, "chain": self.chain}


def roll_rows(
    table: TableContext, shown: Sequence[KnownRoll], chains: Sequence[Chain]
) -> list[RollRow]:
    """Return these rolls as rows."""
    campaign = table.campaign
    by_hand, seen_at = campaign.entered_dice, dice_selectors.links(campaign)
    marks = review.marks_of_dice(campaign, shown, by_hand)
    rolls = selectors.rolls_of([known.pk for known in shown])
    return [
        roll_row(
            table,
            roll,
            chains,
            hand=roll.purpose in by_hand,
            mark=countersigned(table, marks.get(roll.pk)),
            seen_at=seen_at.get(roll.purpose, ""),
        )
        for roll in rolls
    ]


def roll_row(
    table: TableContext,
    roll: DiceRoll,
    chains: Sequence[Chain],
    *,
    hand: bool,
    mark: Countersigned | None,
    seen_at: str,
) -> RollRow:
    entry = roll.entry
    is_proved = not hand and is_published(chains, roll.chain, roll.turn)
    return RollRow(
        purpose=roll.purpose,
        sides=roll.sides,
        value=roll.value,
        turn=roll.turn,
        chain=roll.chain,
        text=table.title.roll_line(table.scenario, roll.roll),
        number=entry.number,
        url=table.url("entry", entry.number) if entry.number is not None else "",
        at=entry.at,
        struck=entry.struck_by_id is not None,
        hidden=roll.audience_id is not None,
        hand=hand,
        mark=mark,
        seen_at=seen_at,
        proof=dice_selectors.dice_proof(roll, chains) if is_proved else None,
    )


def is_published(chains: Sequence[Chain], chain: int, link: int) -> bool:
    return link < len(chains[chain].links)


def countersigned(table: TableContext, pair: tuple[Mark, int] | None) -> Countersigned | None:
    if pair is None:
        return None
    mark, number = pair
    return Countersigned(
        lacks=mark.lacks,
        signed=", ".join(mark.signed),
        objectors=", ".join(name for name, _reason in mark.objections),
        url=table.url("entry", number),
    )


def checkable_rolls(table: TableContext, rolled: Rolls, chains: Sequence[Chain]) -> int:
    """Return the number of rolls that anyone can compute.

    Their link is published, and the program threw them.
    """
    published = sum(
        n for (chain, link), n in rolled.links.items() if is_published(chains, chain, link)
    )
    by_hand = table.campaign.entered_dice
    if not by_hand:
        return published
    return published - entered_rolls(table, chains, by_hand)


def entered_rolls(table: TableContext, chains: Sequence[Chain], by_hand: Container[str]) -> int:
    """Return the number of rolls of published links that were entered by hand."""
    rolls = selectors.rolls(table.campaign, table.user).order_by()
    return sum(
        purpose in by_hand and is_published(chains, chain, link)
        for purpose, link, chain in rolls.values_list("purpose", "turn", "chain")
    )


# Distribution of values


@dataclass(frozen=True, slots=True)
class SeatTally:
    """The rolls of a seat, or of the whole table."""

    tally: Tally
    name: str
    people: str


@dataclass(frozen=True, slots=True)
class KindTable:
    """All rolls of a kind of die, with the tallies of the seats."""

    kind: Kind
    is_open: bool
    rows: list[SeatTally]

    @property
    def heading(self) -> str:
        return f"d{self.kind.sides}"

    @property
    def line(self) -> str:
        """Return the height of the line that marks the expected count, for the style sheet."""
        return f"{self.kind.line:.3f}"

    @property
    def expected_text(self) -> str:
        text = (
            _("The line shows the expected count, %(n)s of each face.")
            if self.kind.faces
            else _("The line shows the expected count, %(n)s of each range.")
        )
        return text % {"n": self.kind.whole.expected}

    @property
    def verdict(self) -> str:
        """Return a sentence on whether the counts are usual for fair dice."""
        kind, count = self.kind, len(self.kind.ranges)
        if kind.few:
            return _("So few rolls prove nothing; the keys do.")
        if kind.within == count:
            text = _(
                "With fair dice, each count lies between %(low)s and %(high)s in 95 of 100 cases; "
                "here all %(within)s do."
            )
        else:
            text = _(
                "With fair dice, each count lies between %(low)s and %(high)s in 95 of 100 cases; "
                "here %(within)s of %(all)s do. One in twenty lies outside by chance alone."
            )
        return text % {
            "low": kind.whole.low,
            "high": kind.whole.high,
            "within": kind.within,
            "all": count,
        }


def kind_tables(table: TableContext, rolled: Rolls) -> list[KindTable]:
    """Return each kind of die with its tallies."""
    return [
        KindTable(
            kind=kind,
            is_open=place == 0 or (place < OPEN and not kind.few),
            rows=[
                SeatTally(kind.whole, _("Whole table"), ""),
                *(seat_tally(table, tally) for tally in kind.seats),
            ],
        )
        for place, kind in enumerate(counted(rolled.purposes, account_holders(table)))
    ]


def counted(purposes: Mapping[str, selectors.PurposeValue], order: Sequence[str]) -> list[Kind]:
    holders = set(order)
    rolls = (
        SeatRoll(purpose, roll.sides, roll.value, for_whom(purpose, roll.seat, holders))
        for purpose, roll in purposes.items()
    )
    return kinds(rolls, order)


def seat_tally(table: TableContext, tally: Tally) -> SeatTally:
    name = capitalize(table.name_of(tally.seat))
    return SeatTally(tally, name, ", ".join(table.holders(tally.seat)))


def for_whom(purpose: str, seat: str, holders: Set[str]) -> str:
    """Return the seat that a purpose names (`turn-2/card/huns`), by default its entry's seat."""
    return next((part for part in purpose.split("/") if part in holders), seat)
