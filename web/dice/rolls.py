"""The rolls that were thrown, each with its proof, and how they fell."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from campaign import review
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Chain, KnownRoll, Proof
from campaign.log import selectors
from campaign.log.selectors import Rolls
from campaign.models import DiceRoll
from campaign.review import Mark
from engine.language import capital
from web.dice.statistics import Kind, Tally, Thrown, kinds
from web.frame.table import TableContext
from web.ledger.lines import account_holders

OPEN = 2
"""So many kinds of dice are open; the others open at a touch."""
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
    """A roll as the page shows it."""

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
    """Whether only some may see it."""
    hand: bool
    """Whether it was thrown elsewhere."""
    mark: Countersigned | None
    seen_at: str
    """Where a die that was thrown elsewhere can be seen."""
    proof: Proof | None

    @property
    def short_mac(self) -> str:
        return self.proof.mac[:DIGITS] if self.proof is not None else ""

    @property
    def link_text(self) -> str:
        if not self.chain:
            return _("link %(n)s") % {"n": self.turn}
        return _("link %(n)s of renewal %(chain)s") % {"n": self.turn, "chain": self.chain}


def roll_rows(
    table: TableContext, shown: Sequence[KnownRoll], chains: Sequence[Chain]
) -> list[RollRow]:
    """Return these rolls."""
    campaign = table.campaign
    by_hand, seen_at = campaign.entered_dice, dice_selectors.links(campaign)
    marks = review.of_dice(campaign, shown, by_hand)
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
        hidden=roll.audience is not None,
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
    """Return how many rolls anyone can compute: their link is published, and the program threw
    them.
    """
    published = sum(
        n for (chain, link), n in rolled.links.items() if is_published(chains, chain, link)
    )
    by_hand = table.campaign.entered_dice
    if not by_hand:
        return published
    return published - entered_rolls(table, chains, by_hand)


def entered_rolls(table: TableContext, chains: Sequence[Chain], by_hand: Container[str]) -> int:
    """Return how many rolls of published links were entered by hand."""
    rolls = selectors.rolls(table.campaign, table.user).order_by()
    return sum(
        purpose in by_hand and is_published(chains, chain, link)
        for purpose, link, chain in rolls.values_list("purpose", "turn", "chain")
    )


# How they fell


@dataclass(frozen=True, slots=True)
class SeatTally:
    """The rolls of a seat, or of the whole table."""

    tally: Tally
    name: str
    people: str


@dataclass(frozen=True, slots=True)
class KindTable:
    """All rolls of one kind of die, with the tallies of the seats."""

    kind: Kind
    is_open: bool
    rows: list[SeatTally]

    @property
    def heading(self) -> str:
        return f"d{self.kind.sides}"

    @property
    def line(self) -> str:
        """Return the height of the line of what is expected, for the style sheet."""
        return f"{self.kind.line:.3f}"

    @property
    def expected_text(self) -> str:
        text = (
            _("The line shows what is expected, %(n)s of each face.")
            if self.kind.faces
            else _("The line shows what is expected, %(n)s of each range.")
        )
        return text % {"n": self.kind.whole.expected}

    @property
    def verdict(self) -> str:
        """Return whether the counts are usual for fair dice."""
        kind, count = self.kind, len(self.kind.ranges)
        if kind.few:
            return _("So few rolls prove nothing; the links do.")
        if kind.within == count:
            text = _(
                "With fair dice each lies between %(low)s and %(high)s in 95 of 100 cases; here all"
                " %(within)s do."
            )
        else:
            text = _(
                "With fair dice each lies between %(low)s and %(high)s in 95 of 100 cases; here"
                " %(within)s of %(all)s do. One in twenty is outside by chance alone."
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


def counted(purposes: Mapping[str, selectors.Thrown], order: Sequence[str]) -> list[Kind]:
    holders = set(order)
    rolls = (
        Thrown(purpose, roll.sides, roll.value, for_whom(purpose, roll.seat, holders))
        for purpose, roll in purposes.items()
    )
    return kinds(rolls, order)


def seat_tally(table: TableContext, tally: Tally) -> SeatTally:
    name = capital(table.name_of(tally.seat))
    return SeatTally(tally, name, ", ".join(table.holders(tally.seat)))


def for_whom(purpose: str, seat: str, holders: Set[str]) -> str:
    """Return the seat that a purpose names (`turn-2/card/huns`), by default that of its entry."""
    return next((part for part in purpose.split("/") if part in holders), seat)
