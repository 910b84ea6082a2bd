"""Build the page of the game master's desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import ngettext

from campaign import access as campaign_access
from campaign import review
from campaign.log import selectors
from campaign.log.acts.rulings import RULING
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.seats import selectors as seats_selectors
from campaign.seats.selectors import Unseen
from games.contract.title import Offer
from web.absence_impact import SeatAbsence, absence_impact
from web.clocks import turn_timeline
from web.desk.battles import (
    ResultsTable,
    Ruling,
    results_table,
    ruling,
)
from web.desk.corrections import (
    CORRECTION,
    LISTED,
    CorrectionSheet,
    correction_sheet,
    tools_of,
)
from web.desk.forms import (
    OPENING_MOVES,
    CorrectionForm,
    DeskForm,
    DeskOfferForm,
    ReminderForm,
    ResultsForm,
)
from web.desk.status import StatusLine, status_line
from web.desk.tasks import Task, announcement_task, tasks_of
from web.desk.turn import (
    Opening,
    Outbox,
    Step,
    opening,
    outbox_of,
    steps_of_turn,
)
from web.desk.waiting_list import WaitingList, waiting_list, waiting_rows
from web.frame.table import TableContext
from web.moves.deeds import Deed, speaker
from web.seats import hidden_hands
from web.seats.hidden_hands import ClosedHands
from web.titles.contract import pages_of

LATEST = 5
"""The number of rulings and of looks at hidden hands that the page lists."""


@dataclass(frozen=True, slots=True)
class OwnMove:
    """A move of the game master's own in a title that has no page for battles."""

    key: str
    name: str
    form: DeskOfferForm


class Look(NamedTuple):
    """A hidden hand that the reader has opened."""

    name: str
    at: datetime
    url: str


@dataclass(frozen=True, slots=True)
class MastersAct:
    """An act of a game master: a ruling, a correction, an undo, or an act for their own nation.

    `lacks` says that it should be countersigned and is not. `objections` are names and reasons.
    """

    is_ruling: bool
    number: int | None
    url: str
    seat: str
    name: str
    text: str
    lacks: bool
    objections: tuple[tuple[str, str], ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class DeskPage:
    """All that the desk shows.

    `done` names the form that was posted, and `deed` is what became of it. `announcement` is the
    task to post the announcement before the start; `tasks` has it, too, unless the button for the
    start shows it.
    """

    seen: int
    done: str
    deed: Deed | None
    inactive_master: Unseen | None
    status: StatusLine
    ruling: Ruling | None
    opening: Opening | None
    announcement: Task | None
    tasks: list[Task]
    waiting: WaitingList | None
    absences: list[SeatAbsence]
    results: ResultsTable | None
    own_moves: list[OwnMove]
    turn_path: turn_timeline.Path | None
    closed_hands: ClosedHands | None
    corrections: CorrectionSheet | None
    has_second_factor: bool
    outbox: Outbox | None
    steps: list[Step]
    rulings: list[MastersAct]
    not_countersigned: list[MastersAct]
    looks: list[Look]

    @property
    def can_open(self) -> bool:
        return self.opening is not None and not self.opening.blocked

    @property
    def asks_something(self) -> bool:
        """Return whether anything waits for the game master."""
        return self.ruling is not None or bool(self.tasks) or self.can_open

    @property
    def task_count(self) -> str:
        return ngettext("%(n)s thing", "%(n)s things", len(self.tasks)) % {"n": len(self.tasks)}

    @property
    def opening_question(self) -> str:
        """Return what is asked before a start without the announcement; empty if nothing is."""
        refused = self.refused("turn")
        return refused.asks if refused is not None else ""

    @property
    def refused_results(self) -> Deed | None:
        """Return why the results were refused, as far as no row shows it."""
        deed = self.refused("results")
        return deed if deed is not None and (deed.overtaken or deed.field == "results") else None

    def refused(self, form: str) -> Deed | None:
        """Return what became of this form, if it is the one that was posted."""
        return self.deed if self.done == form else None

    @property
    def refusal_without_form(self) -> Deed | None:
        """Return why a form was refused that the page does not show any more."""
        gone = {
            "turn": self.opening is not None and bool(self.opening.blocked),
            "judge": self.ruling is None,
            "say": True,
        }
        return self.deed if gone.get(self.done) else None


def desk_page(table: TableContext, typed: QueryDict, deed: Deed | None) -> DeskPage:
    """Return the desk with what was typed and what became of it."""
    campaign, form = table.campaign, DeskForm(typed)
    done = form.typed("do")
    is_running = campaign.started and not campaign.ended
    battles = table.running_battles
    offers = table.master_offers
    recent = list(selectors.entries(campaign, table.access)[:LISTED])
    acts = masters_acts(table, recent)
    path = turn_timeline.turn_path(table)
    waits = waiting_rows(table, battles)
    outbox = outbox_of(table)
    judged = ruling(table, battles, typed, deed if done == "judge" else None)
    results = results_table(table, battles, ResultsForm(typed), complete=done == "results")
    next_turn = opening(table, offers)
    announcement = announcement_task(outbox)
    shown_apart = next_turn is not None and not next_turn.blocked
    asks_all = form.typed("remind") == ReminderForm.ALL
    return DeskPage(
        seen=table.seen,
        done=done,
        deed=deed,
        inactive_master=inactive_master(table),
        status=status_line(table, path),
        ruling=judged,
        opening=next_turn,
        announcement=announcement,
        tasks=[
            *([announcement] if announcement is not None and not shown_apart else []),
            *tasks_of(table, waits, judged, outbox),
        ],
        waiting=waiting_list(table, waits, asks_all=asks_all) if campaign.started else None,
        absences=absence_impact(table),
        results=results if is_running else None,
        own_moves=[own_move(table, offer) for offer in own_offers(table, offers)],
        turn_path=path,
        closed_hands=hidden_hands.closed_hands(table) if is_running else None,
        corrections=corrections(table, offers, recent, typed, deed),
        has_second_factor=table.notes.guarded,
        outbox=outbox,
        steps=steps_of_turn(table, outbox, len(battles)),
        rulings=[act for act in acts if act.is_ruling][:LATEST],
        not_countersigned=[act for act in acts if act.lacks],
        looks=own_looks(table),
    )


def corrections(
    table: TableContext,
    offers: Sequence[Offer],
    recent: Sequence[LogEntry],
    typed: QueryDict,
    deed: Deed | None,
) -> CorrectionSheet | None:
    """Return the corrections, with what became of the one that was typed."""
    tools = tools_of(table, offers, typed)
    form = CorrectionForm(tools, typed)
    concerns = DeskForm(typed).typed("do") in ("", "correct")
    return correction_sheet(table, form, tools, recent, deed if concerns else None)


def inactive_master(table: TableContext) -> Unseen | None:
    """Return the game master who has not visited the site lately; None for the game master."""
    if table.access.chief:
        return None
    return seats_selectors.inactive_master(table.campaign, table.places, timezone.now())


def own_offers(table: TableContext, offers: Sequence[Offer]) -> list[Offer]:
    """Return the game master's moves for which the desk has no other form.

    Only a title without pages of its own has such moves.
    """
    if pages_of(table.title.key).battle_forms is not None:
        return []
    return [
        offer
        for offer in offers
        if offer.group != CORRECTION and offer.move not in OPENING_MOVES and offer.refusal is None
    ]


def own_move(table: TableContext, offer: Offer) -> OwnMove:
    words = speaker(table)
    return OwnMove(offer.key, words.offer_name(offer), DeskOfferForm(words, offer, {}, {}))


# The log: rulings, corrections, acts without a countersignature, opened hands ------------


def masters_acts(table: TableContext, recent: Sequence[LogEntry]) -> list[MastersAct]:
    """Return the rulings, corrections and undos in force among the latest entries, and what
    countersigners have been asked about; the latest first.
    """
    in_force = [entry for entry in recent if entry.struck_by_id is None]
    rulings = list(islice(filter(is_ruling, in_force), LATEST))
    shown = [entry for entry in in_force if entry.marked or entry in rulings]
    lines = selectors.lines(table.campaign, table.access, shown, rolls=False)
    return [masters_act(table, line) for line in lines]


def is_ruling(entry: LogEntry) -> bool:
    """Return whether an entry is a ruling, a correction or an undo."""
    return entry.act == RULING.name or review.concerns(entry)


def masters_act(table: TableContext, line: Line) -> MastersAct:
    entry = line.entry
    seat = entry.seat if entry.is_move and not line.origin else ""
    return MastersAct(
        is_ruling=is_ruling(entry),
        number=line.number,
        url=table.url("entry", line.number) if line.number is not None else "",
        seat=seat,
        name=table.name_of(seat) if seat else "",
        text=line.text,
        lacks=line.mark.lacks,
        objections=line.mark.objections,
        at=entry.at,
    )


def own_looks(table: TableContext) -> list[Look]:
    """Return which hidden hands the reader opened, the latest first."""
    if not table.notes.looked or not campaign_access.hides(table.campaign) or table.solo:
        return []
    looks = review.looks_of(table.campaign, table.signed_in_user.pk)[:LATEST]
    return [
        Look(table.name_of(look.seat), look.last_at, table.url("looks", look.seat))
        for look in looks
    ]
