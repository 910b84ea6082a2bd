"""The page of the game master's desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import npgettext

from campaign import access as campaign_access
from campaign import review
from campaign.log import selectors
from campaign.log.acts.rulings import RULING
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.seats import selectors as seats_selectors
from campaign.seats.selectors import InactiveMaster
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
    TurnStep,
    opening,
    outbox_of,
    steps_of_turn,
)
from web.desk.waiting_list import WaitingList, waiting_list, waiting_rows
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, move_words_of
from web.seats import hidden_hands
from web.seats.hidden_hands import ClosedHands
from web.titles.contract import pages_of

LATEST = 5
"""The number of rulings and of opened hands that the page lists."""


@dataclass(frozen=True, slots=True)
class OwnMove:
    """A move of the game master in a title that has no page for battles."""

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

    `lacks` is true if the act still needs a countersignature. `objections` are the names of users
    who object, and their reasons.
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
    """The game master's desk.

    `done` names the form that was posted, and `outcome` belongs to it. `announcement` is the task
    to post the announcement before the start; `tasks` contains it as well, unless the button for
    the start shows it.
    """

    seen: int
    done: str
    outcome: ActionOutcome | None
    inactive_master: InactiveMaster | None
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
    steps: list[TurnStep]
    rulings: list[MastersAct]
    not_countersigned: list[MastersAct]
    looks: list[Look]

    @property
    def can_open(self) -> bool:
        return self.opening is not None and not self.opening.blocked

    @property
    def asks_something(self) -> bool:
        """Return whether the game master has anything to do."""
        return self.ruling is not None or bool(self.tasks) or self.can_open

    @property
    def task_count(self) -> str:
        return npgettext("desk", "%(n)s task", "%(n)s tasks", len(self.tasks)) % {
            "n": len(self.tasks)
        }

    @property
    def opening_question(self) -> str:
        """Return the question before a start without the announcement; empty if there is none."""
        refused = self.refused("turn")
        return refused.asks if refused is not None else ""

    @property
    def refused_results(self) -> ActionOutcome | None:
        """Return the refusal of the results, unless a row shows it."""
        outcome = self.refused("results")
        return (
            outcome
            if outcome is not None and (outcome.overtaken or outcome.field == "results")
            else None
        )

    def refused(self, form: str) -> ActionOutcome | None:
        """Return the outcome of this form, if it is the form that was posted."""
        return self.outcome if self.done == form else None

    @property
    def refusal_without_form(self) -> ActionOutcome | None:
        """Return the refusal of a form that the page no longer shows."""
        gone = {
            "turn": self.opening is not None and bool(self.opening.blocked),
            "judge": self.ruling is None,
            "say": True,
        }
        return self.outcome if gone.get(self.done) else None


def desk_page(table: TableContext, form_data: QueryDict, outcome: ActionOutcome | None) -> DeskPage:
    """Return the desk with the typed data and the outcome of the form that was sent."""
    campaign, form = table.campaign, DeskForm(form_data)
    done = form.text_of("do")
    is_running = campaign.started and not campaign.ended
    battles = table.running_battles
    offers = table.master_offers
    recent = list(selectors.entries(campaign, table.access)[:LISTED])
    acts = masters_acts(table, recent)
    path = turn_timeline.turn_path(table)
    waits = waiting_rows(table, battles)
    outbox = outbox_of(table)
    judged = ruling(table, battles, form_data, outcome if done == "judge" else None)
    results = results_table(table, battles, ResultsForm(form_data), complete=done == "results")
    next_turn = opening(table, offers)
    announcement = announcement_task(outbox)
    shown_apart = next_turn is not None and not next_turn.blocked
    asks_all = form.text_of("remind") == ReminderForm.ALL
    return DeskPage(
        seen=table.seen,
        done=done,
        outcome=outcome,
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
        corrections=corrections(table, offers, recent, form_data, outcome),
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
    form_data: QueryDict,
    outcome: ActionOutcome | None,
) -> CorrectionSheet | None:
    """Return the corrections, with the outcome of the typed one."""
    tools = tools_of(table, offers, form_data)
    form = CorrectionForm(tools, form_data)
    concerns = DeskForm(form_data).text_of("do") in ("", "correct")
    return correction_sheet(table, form, tools, recent, outcome if concerns else None)


def inactive_master(table: TableContext) -> InactiveMaster | None:
    """Return the game master who has not visited the site lately.

    It is None if there is none, and if the reader is that game master.
    """
    if table.access.chief:
        return None
    return seats_selectors.inactive_master(table.campaign, table.places, timezone.now())


def own_offers(table: TableContext, offers: Sequence[Offer]) -> list[Offer]:
    """Return the game master's moves for which the desk has no other form.

    Only a title without battle forms has such moves.
    """
    if pages_of(table.title.key).battle_forms is not None:
        return []
    return [
        offer
        for offer in offers
        if offer.group != CORRECTION and offer.move not in OPENING_MOVES and offer.refusal is None
    ]


def own_move(table: TableContext, offer: Offer) -> OwnMove:
    words = move_words_of(table)
    return OwnMove(offer.key, words.offer_name(offer), DeskOfferForm(words, offer, {}, {}))


# The log: rulings, corrections, acts without a countersignature, opened hands ------------


def masters_acts(table: TableContext, recent: Sequence[LogEntry]) -> list[MastersAct]:
    """Return the acts of game masters in force among the latest entries, the latest first.

    They are rulings, corrections and undos, and acts for which a countersignature was requested.
    """
    in_force = [entry for entry in recent if entry.struck_by_id is None]
    rulings = list(islice(filter(is_ruling, in_force), LATEST))
    shown = [entry for entry in in_force if entry.marked or entry in rulings]
    lines = selectors.lines(table.campaign, table.access, shown, rolls=False)
    return [masters_act(table, line) for line in lines]


def is_ruling(entry: LogEntry) -> bool:
    """Return whether an entry is a ruling, a correction or an undo."""
    return entry.act == RULING.name or review.is_public_correction(entry)


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
    """Return the hidden hands that the reader opened, the latest first."""
    if not table.notes.looked or not campaign_access.hides(table.campaign) or table.solo:
        return []
    looks = review.looks_of(table.campaign, table.signed_in_user.pk)[:LATEST]
    return [
        Look(table.name_of(look.seat), look.last_at, table.url("looks", look.seat))
        for look in looks
    ]
