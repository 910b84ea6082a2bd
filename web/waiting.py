"""What the table waits for, by the rules and by what was claimed in the battles that run, and until when.

Each is read once a request.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from battles import projection as battles_projection
from battles.models import Battle, Claim
from battles.projection import RESOLVED
from campaign.clocks import selectors
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT
from campaign.models import Clock
from campaign.seats import selectors as seats_selectors
from games.contract.title import Waiting
from web.shell import page_cache

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def final_standings(table: TableContext) -> Sequence[Any] | None:
    """The final standings; None while the campaign runs."""
    return table.once("final standings", lambda: table.title.score(table.position))


def waited_for(table: TableContext) -> Sequence[Waiting]:
    """Whom the table waits for: by the rules, and by what was claimed in the battles that run."""
    return table.once("waited for", lambda: _waited_for(table))


def _waited_for(table: TableContext) -> Sequence[Waiting]:
    waits = [] if final_standings(table) is not None else table.title.waiting(table.position)
    if not any(one.contest is not None for one in waits):
        return waits
    return battles_projection.waiting(waits, live_claims(table), solo_battles(table), program_levels(table))


def running_battles(table: TableContext) -> Sequence[Battle]:
    """The battles that are not resolved, as the database has them; of all, where the page has asked for all."""

    def read() -> Sequence[Battle]:
        if table.has("all battles"):
            return [one for one in all_battles(table) if one.status != RESOLVED]
        rows: Sequence[Battle] = page_cache.of_change(
            table.campaign, "battles", lambda: battles_projection.listed_running(table.campaign)
        )
        return rows

    return table.once("running battles", read)


def all_battles(table: TableContext) -> Sequence[Battle]:
    """All battles in the order of launch."""
    return table.once("all battles", lambda: battles_projection.listed(table.campaign))


def live_claims(table: TableContext) -> dict[int, Claim]:
    """The claims that wait, by the number of their battle."""

    def read() -> dict[int, Claim]:
        claims: dict[int, Claim] = page_cache.of_change(
            table.campaign, "claims", lambda: battles_projection.live_claims(table.campaign)
        )
        return claims

    return table.once("live claims", read)


def solo_battles(table: TableContext, battles: Iterable[Battle] | None = None) -> dict[int, str]:
    """The battles that are played solo, by their number: the seat that is away (RULES 11). `battles` are those that run, where a
    page has asked for them already."""
    return table.once("solo battles", lambda: {
        battle.number: battle.solo for battle in (running_battles(table) if battles is None else battles) if battle.solo
    })  # fmt: skip


def program_levels(table: TableContext) -> dict[str, str]:
    """The seats that programs hold among people: how well each plays, as a key."""
    return table.once("program levels", lambda: seats_selectors.program_levels(table.campaign))


def program_word(table: TableContext, seat: str) -> str:
    """How well the program plays that holds this seat among people, in a word; empty where none does."""
    return next((one.program for one in table.seats if one.key == seat), "")


# Deadlines as pages tell them: until when, how much is left, what the clock does when it is over.
#
# Which clocks run follows from the log, whose every entry brings them up to it; so they are asked for once a state of the log.


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
