"""The page of a nation: its state, challenges and claims to answer, its moves, its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.seats.selectors import knows_orders
from engine.language import sentence
from web.frame.awaited_people import program_word
from web.frame.table import TableContext
from web.moves.offers import (
    ANSWER,
    SLOT,
    OfferCard,
    OfferGroup,
    OpenForm,
    SeatOffers,
    common_refusal,
)
from web.nation.accounts import AccountLine, account_lines
from web.nation.answers import Challenges, ClaimToAnswer, challenges, claims_to_answer
from web.nation.contract import MapCrop, TitlePart
from web.nation.forms import LedgerFilter
from web.nation.ledger import LedgerSheet, ledger_sheet
from web.nation.slot import OwnUndo, Purse, SlotDeadline, own_undo, purse, slot_deadline
from web.plan.page import PlanOnNation, plan_on_nation
from web.seats import hidden_hands
from web.seats.hidden_hands import ClosedHands
from web.titles.contract import pages_of

FEW_ACCOUNTS = 5
"""Fewer accounts than this are shown in a single row."""


class Link(NamedTuple):
    """A link below the nation's name."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Moves:
    """The sheet of moves."""

    heading: str
    for_nation: bool
    groups: list[OfferGroup]
    closed: OfferCard | None
    """A card with the reason why no move is possible now."""
    text_url: str
    """The page where moves can be typed as text."""

    @property
    def has_several_groups(self) -> bool:
        """Return whether the sheet is long enough for links to its groups."""
        return sum(bool(group.name) for group in self.groups) > 2


@dataclass(frozen=True, slots=True)
class NationPage:
    """The page of a nation."""

    seat: str
    name: str
    page_url: str
    seen: int
    facts: list[str]
    fallen: str
    links: list[Link]
    accounts: list[AccountLine]
    for_nation: bool
    """Whether the reader does not hold the seat."""
    claims: list[ClaimToAnswer]
    challenges: Challenges | None
    moves: Moves | None
    end: OfferCard | None
    """The end of the slot, if it is possible now."""
    purse: Purse | None
    slot: SlotDeadline | None
    undo: OwnUndo | None
    plan: PlanOnNation | None
    closed_hand: ClosedHands | None
    ledger: LedgerSheet
    title_part: TitlePart
    map: MapCrop | None
    is_practice: bool

    @property
    def is_short(self) -> bool:
        """Return whether a narrow screen leaves out everything above the reader's decision."""
        return self.is_practice and (self.has_own_slot or self.challenges is not None)

    @property
    def has_few_accounts(self) -> bool:
        return len(self.accounts) < FEW_ACCOUNTS

    @property
    def has_slot_sheet(self) -> bool:
        return self.purse is not None or self.plan is not None or self.undo is not None

    @property
    def has_own_slot(self) -> bool:
        """Return whether the open slot is the reader's."""
        return self.purse is not None and not self.for_nation

    @property
    def title_part_first(self) -> bool:
        """Return whether the title's part is beside the ledger, not in the side column."""
        return bool(self.title_part.template) and self.purse is not None

    @property
    def title_part_at_side(self) -> bool:
        return bool(self.title_part.template) and self.purse is None

    @property
    def has_side(self) -> bool:
        return self.has_slot_sheet or self.title_part_at_side

    @property
    def keeps_hand_open(self) -> bool:
        """Return whether a narrow screen shows the hand unfolded, as there are no moves to show."""
        return self.moves is None or self.moves.closed is not None

    @property
    def plan_url(self) -> str:
        return self.plan.url if self.plan is not None else ""


def nation_page(
    table: TableContext, seat: str, opened: OpenForm, ledger: LedgerFilter
) -> NationPage:
    """Return the page of a seat, with the form of an offer open."""
    actor, page_url = SeatOffers(table, seat), table.url("nation", seat)
    title, for_nation = pages_of(table.title.key).nation, actor.by != seat
    part = title.title_part(table, seat) if title is not None else TitlePart()
    cards = actor.cards(page_url, opened)
    end = next((card for card in cards if is_end_of_slot(card)), None)
    answers = [card for card in cards if card.offer.group == ANSWER]
    others = [card for card in cards if card is not end and card.offer.group != ANSWER]
    open_card = next((card for card in others if card.open), None)
    possible_end = end if end is not None and not end.off else None
    is_running = table.campaign.started and not table.campaign.ended
    return NationPage(
        seat=seat,
        name=table.name_of(seat),
        page_url=page_url,
        seen=table.seen,
        facts=[holder_text(table, seat), *part.facts],
        fallen=part.fallen,
        links=links(table, seat, part),
        accounts=account_lines(table, seat, actor.words, part.account_notes),
        for_nation=for_nation,
        claims=claims_to_answer(actor, for_nation=for_nation),
        challenges=challenges(actor, answers, for_nation=for_nation),
        moves=moves(actor, others, end),
        end=possible_end,
        purse=purse(actor, part.purse_rule),
        slot=slot_deadline(actor, for_nation=for_nation),
        undo=own_undo(actor),
        plan=plan_on_nation(table, seat),
        closed_hand=hidden_hands.closed_hands(table, seat) if is_running else None,
        ledger=ledger_sheet(table, seat, actor.words, ledger, page_url),
        title_part=part,
        map=title.crop(table, open_card, page_url) if title and open_card else None,
        is_practice=bool(table.campaign.programs),
    )


def is_end_of_slot(card: OfferCard) -> bool:
    return card.offer.group == SLOT and card.offer.move == "end-slot"


def moves(actor: SeatOffers, cards: Sequence[OfferCard], end: OfferCard | None) -> Moves | None:
    """Return the sheet of moves; None if nothing is offered.

    If the end of the slot, `end`, is refused, no move is possible.
    """
    groups = actor.groups(cards)
    if not groups:
        return None
    table, for_nation = actor.table, actor.by != actor.seat
    name = table.name_of(actor.seat)
    return Moves(
        heading=sentence(_("Moves for {name:the}"), name=name)
        if for_nation
        else pgettext("heading", "Your moves"),
        for_nation=for_nation,
        groups=groups,
        closed=end if end is not None and end.off else common_refusal(cards),
        text_url=f"{table.url('orders')}?seat={actor.seat}",
    )


def holder_text(table: TableContext, seat: str) -> str:
    """Return the holder of the seat: users, a program, or no one."""
    holders = ", ".join(table.holders(seat))
    if holders:
        return holders
    program = program_word(table, seat)
    return (
        pgettext("nation", "program: %(level)s") % {"level": program}
        if program
        else pgettext("nation", "no one yet")
    )


def links(table: TableContext, seat: str, part: TitlePart) -> list[Link]:
    """Return the links to parts of the page and to other pages of the seat."""
    has_part = bool(part.template)
    all_links = [
        Link(pgettext("link", "Structures"), "#structures" if has_part else ""),
        Link(pgettext("link", "Ledger"), "#ledger"),
        Link(pgettext("link", "Standing orders"), standing_url(table, seat)),
        Link(pgettext("link", "Notes"), notes_url(table, seat)),
        Link(pgettext("link", "Access log"), hidden_hands.looks_url(table, seat)),
        Link(pgettext("link", "Map") if has_part else pgettext("link", "Table"), table.home),
    ]
    return [link for link in all_links if link.url]


def notes_url(table: TableContext, seat: str) -> str:
    """Return the page of the seat's notes for its holder; empty for other readers."""
    return table.url("seat_notes", seat) if seat in table.own_seats and not table.solo else ""


def standing_url(table: TableContext, seat: str) -> str:
    """Return the page of a seat's standing orders, for its holder and for a game master.

    It is empty for other readers.
    """
    campaign = table.campaign
    is_running = campaign.started and not campaign.ended
    if not is_running or table.solo or not knows_orders(campaign):
        return ""
    may_read = seat in table.own_seats or (table.game_master and table.holders(seat))
    return table.url("standing", seat) if may_read else ""
