"""Deadlines as pages tell them: until when, how much is left, what the clock does when it is over.

Which clocks run follows from the log, whose every entry brings them up to it; so they are asked for once a state of the log.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import hooks
from campaign.clocks import selectors
from campaign.clocks import terms as said
from campaign.clocks.lengths import is_length
from campaign.clocks.terms import ANSWER, BATTLE, CLAIM, DEFAULTS, SLOT, TURN, Terms
from campaign.models import Clock
from engine.strict_json import whole
from games.contract.title import Lapsing, Title
from web.shell import page_cache

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEAR = DAY
"""Less than this is said with emphasis."""
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
    campaign = table.campaign
    if table.draft or table.finished or table.solo or not any(said.terms_of(campaign).values()):
        return ()
    key: Hashable = ("clocks", campaign.pk, campaign.last_hash)
    running_clocks = page_cache.kept.of(key, lambda: selectors.running(campaign))
    if not running_clocks:
        page_cache.kept.forget(key)  # a log older than clocks: the next tick may begin some
    return list(running_clocks)


def deadline_of(table: TableContext, kind: str, seat: str = "", contest: int | None = None) -> Due | None:
    """The deadline of one thing."""
    clock = selectors.clock_of(table.clocks, kind, seat, contest)
    return None if clock is None else read_deadline(clock)


def of_slot(table: TableContext, seat: str) -> Due | None:
    return deadline_of(table, SLOT, seat)


def of_contest(table: TableContext, number: int) -> Due | None:
    """The deadline of what a battle waits for now; none once the game master is to judge."""
    mine = {clock.kind: clock for clock in table.clocks if clock.contest == number}
    if number in table.claimed:
        mine = {kind: clock for kind, clock in mine.items() if kind == CLAIM}
    return next((read_deadline(mine[kind]) for kind in OF_CONTEST if kind in mine), None)


def facts(table: TableContext) -> list[list[object]]:
    """All that a page may tell of its deadlines, so that one that tells it otherwise is another page."""
    now = timezone.now()
    return [
        [clock.pk, clock.kind, clock.seat, clock.contest, clock.due_at, clock.acts_at, clock.acted_id, *left(clock, now)]
        for clock in table.clocks
    ]


# The clocks of a campaign that is being founded, computed against each other.

NAMES: dict[str, tuple[Any, Any]] = {
    SLOT: (gettext_lazy("Slot"), gettext_lazy("a player’s part of the turn, one after the other")),
    ANSWER: (gettext_lazy("Answer"), gettext_lazy("to an attack")),
    BATTLE: (gettext_lazy("Battle"), gettext_lazy("to set up and play")),
    CLAIM: (gettext_lazy("Confirmation"), gettext_lazy("of a claimed result")),
    TURN: (gettext_lazy("Turn"), gettext_lazy("from opening to closing")),
}
UNITS = (("d", gettext_lazy("days")), ("h", gettext_lazy("hours")))
PACES: dict[str, tuple[Any, Any, dict[str, int]]] = {
    "brisk": (gettext_lazy("Brisk"), gettext_lazy("2 weeks"), {SLOT: 1, ANSWER: 1, BATTLE: 6, CLAIM: 1, TURN: 14}),
    "steady": (gettext_lazy("Steady"), gettext_lazy("4 weeks"), {SLOT: 2, ANSWER: 2, BATTLE: 10, CLAIM: 2, TURN: 28}),
    "slow": (gettext_lazy("Slow"), gettext_lazy("5½ weeks"), {SLOT: 3, ANSWER: 3, BATTLE: 14, CLAIM: 3, TURN: 38}),
}
"""What a turn is planned with, in days; a new campaign begins with the steady one."""
USUAL = PACES["steady"][2]
ACT, REMIND = "act", "remind"
ACTS = {
    SLOT: gettext_lazy("it ends by itself a day later, unused actions lapse"),
    ANSWER: gettext_lazy("the attack is accepted by itself a day later"),
    CLAIM: gettext_lazy("the result is confirmed by itself a day later"),
}


class Field(NamedTuple):
    """A clock as the form has it: its length, and what happens at its deadline."""

    kind: str
    name: Any
    about: Any
    amount: str
    unit: str
    thens: list[tuple[str, Any, bool]]
    error: str

    @property
    def hours(self) -> int:
        """The length; 0 where it is none."""
        number = whole(self.amount)
        good = self.unit in ("d", "h") and number and is_length(f"{number}{self.unit}")
        return (number or 0) * (24 if self.unit == "d" else 1) if good else 0


def first_term_fields(title: Title, posted: Mapping[str, str], errors: Mapping[str, str]) -> list[Field]:
    """What was typed; else what fits together. Nothing acts by itself until somebody chooses it."""
    fields = []
    for kind, (name, about) in NAMES.items():
        acts = kind in ACTS and kind in hooks.clock_acts and (kind == CLAIM or isinstance(title, Lapsing))
        then = posted.get(f"{kind}-then", REMIND)
        thens = [(REMIND, _("only a reminder"), then != ACT), *([(ACT, ACTS[kind], then == ACT)] if acts else [])]
        amount, unit = posted.get(f"{kind}-length", str(USUAL[kind])).strip(), posted.get(f"{kind}-unit", "d")
        fields.append(Field(kind, name, about, amount, unit, thens, errors.get(f"{kind}-length", "")))
    return fields


def read_first_terms(title: Title, posted: Mapping[str, str], errors: dict[str, str]) -> dict[str, Terms]:
    """The terms that are not as usual, for `set_terms`; what is no length goes into `errors` by its field."""
    wanted = {}
    for one in first_term_fields(title, posted, {}):
        if not one.hours:
            errors[f"{one.kind}-length"] = _("A clock runs for 1 to 365 days, or for 1 to 1,440 hours.")
            continue
        acts = any(chosen for key, _text, chosen in one.thens if key == ACT)
        terms = DEFAULTS[one.kind]._replace(length=f"{whole(one.amount)}{one.unit}", acts=acts)
        if terms != DEFAULTS[one.kind]:
            wanted[one.kind] = terms
    return wanted


def plan_of_turn(fields: Sequence[Field], seats: int) -> dict[str, Any]:
    """The clocks of a turn one after the other, if everybody takes the full time, against the length of the turn."""
    hours = {one.kind: one.hours for one in fields}
    parts = [(SLOT, hours[SLOT] * seats), (ANSWER, hours[ANSWER]), (BATTLE, hours[BATTLE]), (CLAIM, hours[CLAIM])]
    total, turn = sum(length for _kind, length in parts), hours[TURN]
    scale = max(total, turn, 1)
    share = turn / total if total else 1
    fitting = {kind: max(1, int(hours[kind] * share / 24)) for kind in (SLOT, ANSWER, BATTLE, CLAIM)}
    fits = fitting[SLOT] * seats + fitting[ANSWER] + fitting[BATTLE] + fitting[CLAIM]
    return {
        "parts": [
            {"kind": kind, "name": NAMES[kind][0], "days": _days(length), "seats": seats,
             "percent": round(100 * length / scale, 2)}
            for kind, length in parts
        ],
        "known": all(hours.values()), "over": total > turn, "total": _days(total), "turn": _days(turn),
        "at": round(100 * turn / scale, 2), "needed": -(-total // 24), "fitting": fitting if fits * 24 <= turn else {},
    }  # fmt: skip


def _days(hours: int) -> str:
    days, rest = divmod(hours, 24)
    return f"{days}½" if rest == 12 else str(days + (rest > 0))


def mended(posted: QueryDict, plan: Mapping[str, Any]) -> QueryDict:
    """What was typed, with the clocks that a button of the form sets: a pace, a longer turn, parts that fit."""
    typed, how = posted.copy(), posted.get("mend", "")
    days = PACES[how][2] if how in PACES else {TURN: plan["needed"]} if how == TURN else dict(plan["fitting"])
    for kind, amount in days.items():
        typed[f"{kind}-length"], typed[f"{kind}-unit"] = str(amount), "d"
    return typed
