"""Duties of a seat while its holder is away: slots, challenges to answer, battles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import models
from campaign.clocks.selectors import ANSWER, BATTLE, DEFAULTS, SLOT, terms_of
from campaign.seats import selectors
from campaign.seats.selectors import ShownAbsence
from people.models import Absence
from web.frame.absences import absence_sentence
from web.frame.table import TableContext

OPEN_SLOT, NEXT_SLOT, TO_ANSWER, TO_FIGHT = "open", "next", "answer", "battle"


@dataclass(frozen=True, slots=True)
class AbsenceDuty:
    """A duty that a seat has while its holder is away.

    `at` is its deadline, or the latest possible deadline. `held` is true if a substitute fulfils
    the duty, or if the opponent plays the battle alone. `contest` is the number of the battle.
    """

    kind: str
    contest: int | None
    at: datetime
    held: bool = False

    @property
    def text(self) -> str:
        """The kind of the duty in words."""
        return {
            OPEN_SLOT: _("the current turn"),
            NEXT_SLOT: _("the next turn"),
            TO_ANSWER: _("a challenge to answer"),
            TO_FIGHT: _("a battle to play"),
        }[self.kind]


@dataclass(frozen=True, slots=True)
class SeatAbsence:
    """The absence of a seat's holder, with the duties during it."""

    seat: str
    name: str
    sentence: str
    note: str
    duties: list[AbsenceDuty]
    url: str

    @property
    def open(self) -> bool:
        """Whether there is a duty that no one else fulfils."""
        return not all(duty.held for duty in self.duties)


def absence_impact(table: TableContext) -> list[SeatAbsence]:
    """Return the absences during which a seat has duties, the earliest first.

    Reads the clocks and battles of the table, and makes one more query if a member is away.
    """
    if not can_be_missed(table) or not table.absent:
        return []
    now = timezone.now()
    absences = [
        seat_absence(table, seat.key, absence, now)
        for absence in selectors.absences_of_campaign(table.campaign, now)
        for seat in table.seats
        if seat.holder is not None and seat.holder.pk == absence.user_id
    ]
    return [absence for absence in absences if absence.duties]


def can_be_missed(table: TableContext) -> bool:
    """Return whether the absence of a player matters in this campaign."""
    campaign = table.campaign
    return campaign.started and not campaign.ended and not table.solo and table.pages is None


def impact_on_seat(table: TableContext, seat: str) -> list[SeatAbsence]:
    """Return the absences of a seat's holders, each with its duties, if there are any."""
    now = timezone.now()
    holders = {
        place.holder.pk for place in table.seats if place.key == seat and place.holder is not None
    }
    return [
        seat_absence(table, seat, absence, now)
        for absence in selectors.absences_of_campaign(table.campaign, now)
        if absence.user_id in holders
    ]


def seat_absence(table: TableContext, seat: str, absence: Absence, now: datetime) -> SeatAbsence:
    """Return an absence with the duties of a seat during it."""
    has_begun = absence.begins_at <= now
    away = ShownAbsence(absence.first, absence.last, has_begun, has_begun)
    return SeatAbsence(
        seat=seat,
        name=table.name_of(seat),
        sentence=absence_sentence(absence.user.username, away),
        note=absence.note,
        duties=[
            *slot_duties(table, seat, absence, now),
            *battle_duties(table, seat, absence, now),
        ],
        url=table.url("remedies", seat),
    )


def slot_duties(
    table: TableContext, seat: str, absence: Absence, now: datetime
) -> list[AbsenceDuty]:
    """Return the seat's open slot, or its next slot in this turn, if the absence covers it.

    The latest beginning of the next slot assumes that every slot before it takes all its time.
    """
    seats = [key for key in table.view.get("order") or () if key in table.names]
    active = table.campaign.active_seat
    if active not in seats or seat not in seats or seats.index(seat) < seats.index(active):
        return []
    begins, ends = now, latest_due(table, SLOT, active, None, now)
    for key in seats[seats.index(active) : seats.index(seat)]:
        # The slot after the open slot may begin at any moment, a later slot not before its
        # predecessor can have begun.
        begins = now if key == active else ends
        ends = models.add(ends, length_of(table, SLOT), table.campaign.time_zone)
    if absence.begins_at >= ends or begins >= absence.ends_at:
        return []
    return [AbsenceDuty(OPEN_SLOT if seat == active else NEXT_SLOT, None, ends)]


def battle_duties(
    table: TableContext, seat: str, absence: Absence, now: datetime
) -> list[AbsenceDuty]:
    """Return the running battles of a seat, and the challenges that it has to answer."""
    duties = []
    for number, battle in table.rows.contests.items():
        is_challenge = battle["status"] == "challenged"
        parties = (battle.get("attacker"), battle.get("defender") or battle.get("leader"))
        if battle["status"] == "resolved" or seat not in parties:
            continue
        if is_challenge and battle.get("defender") != seat:
            continue
        kind, clock_seat = (ANSWER, seat) if is_challenge else (BATTLE, "")
        ends = latest_due(table, kind, clock_seat, number, now)
        if absence.begins_at < ends:
            duty = TO_ANSWER if is_challenge else TO_FIGHT
            duties.append(AbsenceDuty(duty, number, ends, is_covered(table, seat, number)))
    return duties


def is_covered(table: TableContext, seat: str, number: int) -> bool:
    """Return whether a substitute fights this seat's battle, or its opponent plays it alone."""
    return table.solo_battles.get(number) == seat or (number, seat) in table.substitutes


def latest_due(
    table: TableContext, kind: str, seat: str, contest: int | None, now: datetime
) -> datetime:
    """Return the deadline of a duty; without a clock, the end of its default length from now."""
    for clock in table.clocks:
        is_of_seat = contest is not None or clock.seat == seat
        if clock.kind == kind and clock.contest == contest and is_of_seat:
            return max(clock.due_at, now)
    return models.add(now, length_of(table, kind), table.campaign.time_zone)


def length_of(table: TableContext, kind: str) -> str:
    """Return the length of a clock by the campaign's terms, by default its usual length."""
    terms = terms_of(table.campaign)[kind] or DEFAULTS[kind]
    return terms.length
