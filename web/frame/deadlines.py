"""Deadlines as pages show them: how much time is left, and what happens afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_noop as noop

from campaign.clocks import selectors
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT, TURN, WORDS
from campaign.models import Clock
from web.frame.table import TableContext
from web.templatetags.tabula import when

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEAR = DAY
"""A deadline that is nearer than this is emphasised."""
REMINDERS = (
    (selectors.BOTH, gettext_lazy("with a fifth of the time left, and on the last day")),
    (selectors.LAST_DAY, gettext_lazy("on the last day")),
    (selectors.SILENT, pgettext_lazy("deadlines", "none")),
)
CLOCKS_OF_BATTLE = (CLAIM, ANSWER, BATTLE)
"""The clocks of a battle, by precedence: a claim waits to be confirmed before anything else."""
UNTIL = {
    SLOT: noop("Play by %(at)s."),
    ANSWER: noop("Answer by %(at)s."),
    BATTLE: noop("Fight by %(at)s."),
    CLAIM: noop("Confirm by %(at)s."),
    WORDS: noop("Add words by %(at)s."),
    TURN: noop("Close by %(at)s."),
}
THEN = {
    SLOT: noop("Otherwise the turn ends automatically (%(at)s)."),
    ANSWER: noop("Otherwise the challenge is accepted automatically (%(at)s)."),
    CLAIM: noop("Otherwise the claim is confirmed automatically (%(at)s)."),
    WORDS: noop("Otherwise no more words are accepted after %(at)s."),
}


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline as it is now. `left` says how much time is left, `tone` colours its chip."""

    clock: Clock
    at: datetime
    over: bool
    held: bool
    left: str
    tone: str

    @property
    def kind(self) -> str:
        """The kind of the clock."""
        return self.clock.kind

    @property
    def acts(self) -> datetime | None:
        """The moment when the clock acts automatically.

        None if it only reminds, if it is paused, or if it has acted already.
        """
        return None if self.held or self.clock.acted_entry_id is not None else self.clock.acts_at


def span(time: timedelta) -> str:
    """Return a length of time in its two greatest units: 4 d 22 h, 16 h, 12 min."""
    minutes = max(0, int(time.total_seconds() // 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _("%(days)d d %(hours)d h") % {"days": days, "hours": hours}
    if minutes >= 60:
        return _("%(hours)d h") % {"hours": minutes // 60}
    return _("%(minutes)d min") % {"minutes": minutes}


def left(clock: Clock, now: datetime) -> tuple[str, str]:
    """Return how much time a clock has left as text, and the tone of the text."""
    if clock.held_at is not None:
        return pgettext("deadlines", "stopped"), ""
    time = clock.due_at - now
    if time <= -HOUR:
        return _("%(time)s overdue") % {"time": span(-time)}, "bad"
    if time <= timedelta(0):
        return _("overdue"), "bad"
    if time < NEAR:
        return _("%(time)s left") % {"time": span(time)}, "warn"
    if time >= 2 * DAY - HOUR / 2:
        return _("%(days)d d") % {"days": round(time / DAY)}, ""
    return span(time), ""


def read_deadline(clock: Clock, now: datetime | None = None) -> Due:
    """Return the deadline of a clock as it is now."""
    now = now or timezone.now()
    text, tone = left(clock, now)
    return Due(
        clock=clock,
        at=clock.due_at,
        over=clock.overdue(now),
        held=clock.held,
        left=text,
        tone=tone,
    )


def deadline_of(
    table: TableContext, kind: str, seat: str = "", contest: int | None = None
) -> Due | None:
    """Return the deadline of a kind for a seat or a battle; None if no clock runs."""
    clock = selectors.clock_of(table.clocks, kind, seat, contest)
    return None if clock is None else read_deadline(clock)


def deadline_of_slot(table: TableContext, seat: str) -> Due | None:
    """Return the deadline of a seat's slot; None if no clock runs."""
    return deadline_of(table, SLOT, seat)


def deadline_of_battle(table: TableContext, number: int) -> Due | None:
    """Return the deadline of the next step of a battle.

    There is none after a dispute, when the game master is to judge.
    """
    by_kind = {clock.kind: clock for clock in table.clocks if clock.contest == number}
    kinds = (CLAIM,) if number in table.live_claims else CLOCKS_OF_BATTLE
    return next((read_deadline(by_kind[kind]) for kind in kinds if kind in by_kind), None)


def deadline_facts(clocks: Sequence[Clock]) -> list[list[object]]:
    """Return everything that a page shows of its deadlines, for the state key of the page."""
    now = timezone.now()
    return [
        [
            clock.pk,
            clock.kind,
            clock.seat,
            clock.contest,
            clock.due_at,
            clock.acts_at,
            clock.acted_entry_id,
            *left(clock, now),
        ]
        for clock in clocks
    ]


def with_moments(text: str, **moments: datetime | None) -> SafeString:
    """Return a translated sentence with moments filled in, in the reader's time zone."""
    shown = {name: conditional_escape(when(moment)) for name, moment in moments.items()}
    return SafeString(text % shown)


def until_text(due: Due) -> SafeString:
    """Return a sentence with the deadline."""
    return with_moments(_(UNTIL[due.kind]), at=due.at)


def then_text(due: Due) -> SafeString:
    """Return a sentence about what happens after the deadline."""
    if due.held:
        return SafeString(_("The campaign is paused, and so is the deadline."))
    if due.acts is not None:
        usual = noop("Otherwise the campaign continues automatically (%(at)s).")
        return with_moments(_(THEN.get(due.kind, usual)), at=due.acts)
    if due.over:
        return SafeString(_("Nothing happens automatically: the game master decides what to do."))
    return SafeString(_("Nothing happens automatically then: the game master decides what to do."))
