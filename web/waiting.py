"""What the table waits for, by the rules and by what was claimed in the battles that run, and until
when; and who is away.

Each is read once a request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import models
from campaign.clocks import selectors
from campaign.clocks import selectors as clock_selectors
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT
from campaign.models import Clock
from campaign.seats import selectors as seats_selectors
from campaign.seats.selectors import Away
from campaign.sentences import written
from people.models import Absence

if TYPE_CHECKING:
    from web.frame.table import TableContext


def program_word(table: TableContext, seat: str) -> str:
    """How well the program plays that holds this seat among people, in a word; empty where none
    does.
    """
    return next((one.program for one in table.seats if one.key == seat), "")


# Deadlines as pages tell them: until when, how much is left, what the clock does when it is over.


DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEAR = DAY
"""Less than this is said with emphasis."""
REMINDERS = (
    (selectors.BOTH, gettext_lazy("with a fifth of the time left, and on the last day")),
    (selectors.LAST_DAY, gettext_lazy("on the last day")),
    (selectors.SILENT, gettext_lazy("none")),
)
OF_CONTEST = (CLAIM, ANSWER, BATTLE)
"""The clocks of a battle, the one that is asked for first: with a claim made its confirmation is
what is waited for.
"""


class Due(NamedTuple):
    """A deadline as read now. `left` is how much of it is left, or what else there is to say, with
    its `tone`.
    """

    clock: Clock
    at: datetime
    over: bool
    held: bool
    left: str
    tone: str

    @property
    def kind(self) -> str:
        return self.clock.kind

    @property
    def acts(self) -> datetime | None:
        """When the clock does it by itself; None where it only reminds, stands still, or has done
        it once already.
        """
        return None if self.held or self.clock.acted_id is not None else self.clock.acts_at


def span(time: timedelta) -> str:
    """A length of time in its two greatest units: 4 d 22 h, 16 h, 12 min."""
    minutes = max(0, int(time.total_seconds() // 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _("%(days)d d %(hours)d h") % {"days": days, "hours": hours}
    if minutes >= 60:
        return _("%(hours)d h") % {"hours": minutes // 60}
    return _("%(minutes)d min") % {"minutes": minutes}


def left(clock: Clock, now: datetime) -> tuple[str, str]:
    """How much time a clock has left, and the tone in which that is said."""
    if clock.held_at is not None:
        return _("stands still"), ""
    rest = clock.due_at - now
    if rest <= timedelta(0):
        return (
            _("overdue %(time)s") % {"time": span(-rest)} if rest <= -HOUR else _("overdue")
        ), "bad"
    if rest < NEAR:
        return _("%(time)s left") % {"time": span(rest)}, "warn"
    return (
        _("%(days)d d") % {"days": round(rest / DAY)} if rest >= 2 * DAY - HOUR / 2 else span(rest)
    ), ""


def read_deadline(clock: Clock, now: datetime | None = None) -> Due:
    """A clock as it stands now."""
    now = now or timezone.now()
    return Due(clock, clock.due_at, clock.overdue(now), clock.held, *left(clock, now))


def deadline_of(
    table: TableContext, kind: str, seat: str = "", contest: int | None = None
) -> Due | None:
    """The deadline of one thing."""
    clock = selectors.clock_of(table.clocks, kind, seat, contest)
    return None if clock is None else read_deadline(clock)


def of_slot(table: TableContext, seat: str) -> Due | None:
    return deadline_of(table, SLOT, seat)


def of_contest(table: TableContext, number: int) -> Due | None:
    """The deadline of what a battle waits for now; none once the game master is to judge."""
    mine = {clock.kind: clock for clock in table.clocks if clock.contest == number}
    if number in table.live_claims:
        mine = {kind: clock for kind, clock in mine.items() if kind == CLAIM}
    return next((read_deadline(mine[kind]) for kind in OF_CONTEST if kind in mine), None)


def facts(table: TableContext) -> list[list[object]]:
    """All that a page may tell of its deadlines, so that one that tells it otherwise is another
    page.
    """
    now = timezone.now()
    return [
        [
            clock.pk,
            clock.kind,
            clock.seat,
            clock.contest,
            clock.due_at,
            clock.acts_at,
            clock.acted_id,
            *left(clock, now),
        ]
        for clock in table.clocks
    ]


# Who is away, in words, beside their name.


def day(one: date) -> str:
    """3 Aug; with its year where that is another than now's."""
    return written(one, "j M" if one.year == timezone.localdate().year else "j M Y")


def days(first: date, last: date) -> str:
    """From one day to another, or the one day."""
    if first == last:
        return day(first)
    return _("%(first)s to %(last)s") % {"first": day(first), "last": day(last)}


def chip(away: Away) -> str:
    """Beside the name of somebody who is away, or says that they will be."""
    if away.begun:
        return _("away until %(last)s") % {"last": day(away.last)}
    if away.first == away.last:
        return _("away on %(day)s") % {"day": day(away.first)}
    return _("away from %(first)s to %(last)s") % {"first": day(away.first), "last": day(away.last)}


def sentence(name: str, away: Away) -> str:
    """The same as a sentence without full stop."""
    if away.begun:
        return _("%(name)s is away until %(last)s") % {"name": name, "last": day(away.last)}
    if away.first == away.last:
        return _("%(name)s is away on %(day)s") % {"name": name, "day": day(away.first)}
    return _("%(name)s is away from %(first)s to %(last)s") % {
        "name": name,
        "first": day(away.first),
        "last": day(away.last),
    }


def substitute(table: TableContext, seat: str, contest: int | None) -> str:
    """Return the substitute for whom a battle waits at this seat; empty if it waits for the holder.

    The holder answers a challenge. After that the substitute acts.
    """
    challenged = table.rows.contests.get(contest or 0, {}).get("status") == "challenged"
    return "" if challenged else table.substitutes.get((contest, seat), "")


def people(table: TableContext, seat: str, contest: int | None) -> list[str]:
    """Return the names of the people for whom the table waits at a seat."""
    instead = substitute(table, seat, contest)
    return [instead] if instead else table.holders(seat)


def for_reader(table: TableContext, seat: str, contest: int | None) -> bool:
    """Return whether the table waits for the reader at this seat."""
    if substitute(table, seat, contest):
        return any((place.contest, place.seat) == (contest, seat) for place in table.access.stands)
    return table.is_mine(seat)


def asked(table: TableContext) -> list[Clock]:
    """Return the overdue clocks on which the game master has to decide.

    Their terms say so, nothing more happens automatically, and the seat is not the reader's own.
    """
    now, terms = timezone.now(), selectors.terms_of(table.campaign)
    return [
        clock
        for clock in table.clocks
        if _asks(clock, terms.get(clock.kind), now) and clock.seat not in table.own_seats
    ]


def _asks(clock: Clock, terms: selectors.Terms | None, now: datetime) -> bool:
    waits = clock.acts_at is not None and clock.acted_id is None
    return terms is not None and terms.asks and clock.overdue(now) and not clock.held and not waits


def absence_chips(table: TableContext, *seats: str) -> list[str]:
    """What stands beside seats, or the game master, that the table waits for: who of them is away
    now, or from soon on.
    """
    by_name = {
        name: away for seat in seats for name, away in table.absent.get(seat, ()) if away.shown
    }
    return [sentence(name, away) for name, away in by_name.items()]


@dataclass(frozen=True, slots=True)
class ListedAbsence:
    """An absence as pages list it."""

    number: int
    user: int
    name: str
    chip: str
    now: bool
    """Has it begun?"""
    seats: list[tuple[str, str]]
    """The seats of this user: key and name."""
    note: str
    masters_only: bool


def listed(table: TableContext) -> list[ListedAbsence]:
    """Return everyone who is away or will be, the earliest first. The note is empty if the reader
    may not know it. One query.
    """
    now = timezone.now()
    absences = seats_selectors.of_campaign(table.campaign, now)
    return [_listed(table, absence, absence.begins_at <= now) for absence in absences]


def _listed(table: TableContext, absence: Absence, begun: bool) -> ListedAbsence:
    readable = seats_selectors.may_read_note(absence, table.access, table.user)
    return ListedAbsence(
        number=absence.pk,
        user=absence.user_id,
        name=absence.user.username,
        chip=chip(Away(absence.first, absence.last, begun, begun)),
        now=begun,
        seats=[
            (seat.key, seat.name)
            for seat in table.seats
            if seat.holder is not None and seat.holder.pk == absence.user_id
        ],
        note=absence.note if readable else "",
        masters_only=absence.masters_only,
    )


# What falls into the absence of somebody: open slots, slots to come, challenges to answer, battles,
# by seat.

OPEN, NEXT, TO_ANSWER, TO_FIGHT = "open", "next", "answer", "battle"


class Fall(NamedTuple):
    """One thing that falls into it: `kind`, the battle it is of, when it is due or would be at the
    latest; `held` where a substitute or the opponent alone sees to it.
    """

    kind: str
    contest: int | None
    at: datetime
    held: bool = False

    @property
    def text(self) -> str:
        return {
            OPEN: _("the open slot"),
            NEXT: _("a slot to come"),
            TO_ANSWER: _("a challenge to answer"),
            TO_FIGHT: _("a battle to play"),
        }[self.kind]


class Gone(NamedTuple):
    """A seat whose holder is away, with what falls into it."""

    seat: str
    name: str
    person: str
    sentence: str
    note: str
    falls: Sequence[Fall]
    url: str

    @property
    def open(self) -> bool:
        """Is there anything that nobody sees to?"""
        return any(not one.held for one in self.falls)


def absence_impact(table: TableContext) -> list[Gone]:
    """Every seat whose holder is away now or will be, and into whose absence something falls, who
    is away first before. One query where anybody is away, none else, beside the clocks that the
    desk has anyway.
    """
    if (
        not table.campaign.started
        or table.campaign.ended
        or table.solo
        or table.pages is not None
        or not table.absent
    ):
        return []
    now, gone_people = timezone.now(), []
    for one in seats_selectors.of_campaign(table.campaign, now):
        for seat in table.seats:
            if (
                seat.holder is not None
                and seat.holder.pk == one.user_id
                and (gone := _gone(table, seat.key, one, now)).falls
            ):
                gone_people.append(gone)
    return gone_people


def impact_on_seat(table: TableContext, seat: str) -> list[Gone]:
    """The absences of the seat's holder, each with what falls into it, be it nothing."""
    now = timezone.now()
    holders = {one.holder.pk for one in table.seats if one.key == seat and one.holder is not None}
    return [
        _gone(table, seat, one, now)
        for one in seats_selectors.of_campaign(table.campaign, now)
        if one.user_id in holders
    ]


def _gone(table: TableContext, seat: str, one: Absence, now: datetime) -> Gone:
    begun = one.begins_at <= now
    text = sentence(one.user.username, Away(one.first, one.last, begun, begun))
    falls = [*_slots(table, seat, one, now), *_contests(table, seat, one, now)]
    return Gone(
        seat,
        table.name_of(seat),
        one.user.username,
        text,
        one.note,
        falls,
        table.url("remedies", seat),
    )


def _slots(table: TableContext, seat: str, one: Absence, now: datetime) -> list[Fall]:
    """The open slot, or the one to come in this turn: every slot before it may take all its
    time.
    """
    keys = [key for key in table.view.get("order") or () if key in table.names]
    active = table.campaign.active_seat
    if active not in keys or seat not in keys or keys.index(seat) < keys.index(active):
        return []
    begins, ends = now, _when_due(table, clock_selectors.SLOT, active, None, now)
    for key in keys[keys.index(active) :]:
        if key == seat:
            kind = OPEN if key == active else NEXT
            return [Fall(kind, None, ends)] if one.begins_at < ends and begins < one.ends_at else []
        # The next may be called at any moment, whoever follows not before the slot before theirs
        # can have begun.
        begins = now if key == active else ends
        ends = models.add(ends, _length(table, clock_selectors.SLOT), table.campaign.time_zone)
    return []


def _contests(table: TableContext, seat: str, one: Absence, now: datetime) -> list[Fall]:
    """The battles that run and have this seat for a side, challenged ones if the answer is
    theirs.
    """
    falls = []
    for number, known in table.rows.contests.items():
        sides = (known.get("attacker"), known.get("defender") or known.get("leader"))
        if known["status"] == "resolved" or seat not in sides:
            continue
        challenged = known["status"] == "challenged"
        if challenged and known.get("defender") != seat:
            continue
        ends = _when_due(
            table,
            clock_selectors.ANSWER if challenged else clock_selectors.BATTLE,
            seat if challenged else "",
            number,
            now,
        )
        if one.begins_at < ends:
            held = table.solo_battles.get(number) == seat or (number, seat) in table.substitutes
            falls.append(Fall(TO_ANSWER if challenged else TO_FIGHT, number, ends, held))
    return falls


def _when_due(
    table: TableContext, kind: str, seat: str, contest: int | None, now: datetime
) -> datetime:
    """When it is due; without a clock, what the clock would give it from now on."""
    for clock in table.clocks:
        if (
            clock.kind == kind
            and clock.contest == contest
            and (contest is not None or clock.seat == seat)
        ):
            return max(clock.due_at, now)
    return models.add(now, _length(table, kind), table.campaign.time_zone)


def _length(table: TableContext, kind: str) -> str:
    return (clock_selectors.terms_of(table.campaign)[kind] or clock_selectors.DEFAULTS[kind]).length
