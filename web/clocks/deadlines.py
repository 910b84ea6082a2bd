"""Deadlines as pages tell them: until when, how much is left, what the clock does when it is over.

Which clocks run follows from the log, whose every entry brings them up to it; so they are asked for once a state of the log.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.clocks import selectors
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT
from campaign.models import Clock
from web.shell import page_cache
from web.waiting import live_claims

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEAR = DAY
"""Less than this is said with emphasis."""
REMINDERS = (
    (selectors.BOTH, gettext_lazy("with a fifth of the time left, and on the last day")),
    (selectors.LAST_DAY, gettext_lazy("on the last day")),
    (selectors.SILENT, gettext_lazy("none")),
)
OF_CONTEST = (CLAIM, ANSWER, BATTLE)
"""The clocks of a battle, the one that is asked for first: with a claim made its confirmation is what is waited for."""


class Due(NamedTuple):
    """A deadline as read now. `left` is how much of it is left, or what else there is to say, with its `tone`."""

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
        """When the clock does it by itself; None where it only reminds, stands still, or has done it once already."""
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
        return (_("overdue %(time)s") % {"time": span(-rest)} if rest <= -HOUR else _("overdue")), "bad"
    if rest < NEAR:
        return _("%(time)s left") % {"time": span(rest)}, "warn"
    return (_("%(days)d d") % {"days": round(rest / DAY)} if rest >= 2 * DAY - HOUR / 2 else span(rest)), ""


def read_deadline(clock: Clock, now: datetime | None = None) -> Due:
    """A clock as it stands now."""
    now = now or timezone.now()
    return Due(clock, clock.due_at, clock.overdue(now), clock.held, *left(clock, now))


def clocks(table: TableContext) -> Sequence[Clock]:
    """The clocks of a campaign that run or stand still. Asked for once a state of the log, and not where none can run."""
    return table.once("clocks", lambda: _clocks(table))


def _clocks(table: TableContext) -> Sequence[Clock]:
    campaign = table.campaign
    if table.past or not campaign.started or campaign.ended or table.solo or not any(selectors.terms_of(campaign).values()):
        return ()
    key: Hashable = ("clocks", campaign.pk, campaign.last_hash)
    running_clocks = page_cache.kept.get(key, lambda: selectors.running(campaign))
    if not running_clocks:
        page_cache.kept.forget(key)  # a log older than clocks: the next tick may begin some
    return list(running_clocks)


def deadline_of(table: TableContext, kind: str, seat: str = "", contest: int | None = None) -> Due | None:
    """The deadline of one thing."""
    clock = selectors.clock_of(clocks(table), kind, seat, contest)
    return None if clock is None else read_deadline(clock)


def of_slot(table: TableContext, seat: str) -> Due | None:
    return deadline_of(table, SLOT, seat)


def of_contest(table: TableContext, number: int) -> Due | None:
    """The deadline of what a battle waits for now; none once the game master is to judge."""
    mine = {clock.kind: clock for clock in clocks(table) if clock.contest == number}
    if number in live_claims(table):
        mine = {kind: clock for kind, clock in mine.items() if kind == CLAIM}
    return next((read_deadline(mine[kind]) for kind in OF_CONTEST if kind in mine), None)


def facts(table: TableContext) -> list[list[object]]:
    """All that a page may tell of its deadlines, so that one that tells it otherwise is another page."""
    now = timezone.now()
    return [
        [clock.pk, clock.kind, clock.seat, clock.contest, clock.due_at, clock.acts_at, clock.acted_id, *left(clock, now)]
        for clock in clocks(table)
    ]
