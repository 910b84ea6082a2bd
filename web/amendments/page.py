"""The page of the changes of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from campaign import rulebook
from campaign.rulebook import NEEDS, Amendment, Answer
from games.contract.title import RuleNumber
from web.amendments.forms import Proposal
from web.amendments.numbers import (
    ChangedNumber,
    Paragraph,
    changed_numbers,
    changed_paragraphs,
)
from web.frame.table import TableContext
from web.moves import own_seats
from web.moves.own_seats import OwnSeats

OPEN_PHASES = ("setup", "closed")
"""The phases of a campaign in which the record allows the move that changes rules."""


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """The answer of a seat to an amendment. `mine`: whether the reader may answer for it now."""

    seat: str
    name: str
    answer: Answer | None
    mine: bool

    @property
    def agrees(self) -> bool:
        return self.answer is not None and self.answer.agrees


@dataclass(frozen=True, slots=True)
class AmendmentSheet:
    """An amendment: its numbers, its answers, and the reader's possible acts.

    `entry_url` is the address of its proposal, `move_url` that of the move that put it in force;
    empty if it is not in force.
    """

    number: int
    reason: str
    by: str
    at: datetime
    proposed: int
    entry_url: str
    entry: int | None
    move_url: str
    turn: int
    is_open: bool
    is_withdrawn: bool
    is_agreed: bool
    need: str
    answers: list[SeatAnswer]
    changes: list[ChangedNumber]
    paragraphs: list[Paragraph]
    may_force: bool
    waits_for_close: bool
    own: OwnSeats | None

    @property
    def is_in_force(self) -> bool:
        return not self.is_open and not self.is_withdrawn

    @property
    def agreeing(self) -> int:
        return sum(row.agrees for row in self.answers)


@dataclass(frozen=True, slots=True)
class AmendmentsPage:
    """The page of all amendments. `needs` are the conditions that the game master may choose."""

    amendments: list[AmendmentSheet]
    proposal: Proposal | None
    numbers: list[RuleNumber]
    needs: list[tuple[str, str]]
    needed: str
    next_turn: int


def amendments_page(
    table: TableContext,
    book: Sequence[Amendment],
    numbers: Mapping[str, RuleNumber],
    proposal: Proposal | None,
) -> AmendmentsPage:
    """Return every amendment, the latest first, and the form for a proposal."""
    least = strictness(table.campaign.amending)
    return AmendmentsPage(
        amendments=[amendment_sheet(table, amendment, numbers) for amendment in reversed(book)],
        proposal=proposal,
        numbers=list(numbers.values()),
        needs=[(key, str(words)) for key, words in NEEDS.items() if strictness(key) >= least],
        needed=str(NEEDS[table.campaign.amending]),
        next_turn=table.campaign.turn + 1,
    )


def strictness(need: str) -> int:
    """Return the place of a condition among all conditions, of which the last is the strictest."""
    return list(NEEDS).index(need)


def amendment_sheet(
    table: TableContext, amendment: Amendment, numbers: Mapping[str, RuleNumber]
) -> AmendmentSheet:
    """Return an amendment as the reader sees it."""
    is_open = amendment.open
    asked = rulebook.voters(table.campaign) if is_open else sorted(amendment.answers)
    agreed, is_closed = amendment.agreed(asked), table.campaign.phase in OPEN_PHASES
    entry = amendment.entry
    return AmendmentSheet(
        number=amendment.number,
        reason=amendment.reason,
        by=amendment.by,
        at=amendment.at,
        proposed=amendment.proposed,
        entry_url=table.url("entry", amendment.proposed),
        entry=entry,
        move_url=table.url("entry", entry) if entry is not None else "",
        turn=amendment.turn,
        is_open=is_open,
        is_withdrawn=amendment.withdrawn,
        is_agreed=agreed,
        need=str(NEEDS[amendment.need]),
        answers=[seat_answer(table, amendment, seat) for seat in asked],
        changes=changed_numbers(amendment, numbers) if is_open else [],
        paragraphs=changed_paragraphs(table, amendment.rules) if is_open else [],
        may_force=is_open and agreed and table.access.game_master and is_closed,
        waits_for_close=is_open and agreed and not is_closed,
        own=own_seats.always(table) if is_open else None,
    )


def seat_answer(table: TableContext, amendment: Amendment, seat: str) -> SeatAnswer:
    return SeatAnswer(
        seat=seat,
        name=table.name_of(seat),
        answer=amendment.answers.get(seat),
        mine=amendment.open and seat in table.access.seats,
    )
