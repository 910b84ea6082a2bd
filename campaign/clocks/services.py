"""The clocks brought to what the log wants: started, ended, held in a pause, revived after an undo.

`reconcile_after` is one of `hooks.entry_written`.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, hooks, review
from campaign.clocks import selectors as clock_terms
from campaign.clocks.selectors import ANSWER, SLOT, WORDS, Terms, waited_for
from campaign.errors import NotNow, Refused
from campaign.hooks import ClockExpired, ClockReading, WantedClock
from campaign.log import entries, positions
from campaign.log.acts.clocks import CLOCK_TERMS, EXTEND
from campaign.log.acts.dice import DIE
from campaign.log.acts.registry import BEGINS_CLOCKS, flag_change
from campaign.log.rewind import Rewind
from campaign.models import (
    ACTED,
    MISSED,
    MOVED,
    WORTH_TELLING,
    Campaign,
    Clock,
    LogEntry,
    add,
    save_seat_sets,
    set_key,
)
from campaign.pulse import error_places
from campaign.seats import standing_orders
from campaign.seats.selectors import program_levels
from games.contract.title import Lapsing
from games.registry import TITLES

logger = logging.getLogger(__name__)

STOPS = ("paused", "abandoned", "archived", "suspended")
"""The flags of a campaign (`campaign.status`) that stop its clocks."""


def reconcile_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """After an entry."""
    reconcile(campaign, after, entry.at, entry, before)


def reconcile_renewal(campaign: Campaign, entry: LogEntry, position: Any) -> None:
    """Ask the seats for words for the new dice as soon as their chain is in force."""
    reconcile(campaign, position, entry.at, entry)


def is_frozen(campaign: Campaign) -> bool:
    """Does time stand still there?"""
    return any(getattr(campaign, flag) for flag in STOPS)


def wanted_clocks(
    campaign: Campaign,
    position: Any,
    ended: bool | None = None,
    kinds: Collection[str] = clock_terms.KINDS,
) -> dict[Any, WantedClock]:
    """Return the clocks of these kinds that should run, by key, without kinds that are switched off
    and without clocks that wait for programs alone.

    `ended` says whether the campaign is over; None: as the campaign's row says.
    """
    if not campaign.started or (campaign.ended if ended is None else ended):
        return {}
    terms = clock_terms.terms_of(campaign)
    asked = {kind for kind in kinds if terms[kind] is not None}
    wants: Iterable[WantedClock] = (
        one
        for reading in clock_readings()
        if asked.intersection(reading.kinds)
        for one in reading.read(campaign, position)
    )
    programs = set(program_levels(campaign))
    return {
        one.key: one
        for one in wants
        if one.kind in asked and not (one.waits and programs.issuperset(one.waits))
    }


def _wanted_by_log(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Return what should run if no kind of clock is switched off and no program plays."""
    return (one for reading in clock_readings() for one in reading.read(campaign, position))


def clock_readings() -> Iterable[ClockReading]:
    """Return the readings that say which clocks should run."""
    return (clock_terms.PLAY, *hooks.clock_readings, clock_terms.SEATS_WORDS)


def bring_up_to_date(now: datetime | None = None) -> int:
    """Give their clocks to campaigns that run and have none, as those that an older version of the
    program has left: how many got some. Whoever has clocks had them compared with the log at the
    last entry; `audit --rebuild` does so for all.
    """
    at, done = now or timezone.now(), 0
    without = Campaign.objects.filter(started=True, ended=False).exclude(
        Exists(Clock.objects.filter(campaign=OuterRef("pk"), ended_at=None))
    )
    for pk in list(without.order_by("pk").values_list("pk", flat=True)):
        try:
            with transaction.atomic():
                table = Campaign.objects.select_for_update().get(pk=pk)
                if (
                    table.title in TITLES
                    and any(clock_terms.terms_of(table).values())
                    and len(positions.seats(table)) > 1
                ):
                    done += bool(reconcile(table, positions.current(table), at))
                    entries.note_change(pk=pk)
        except Exception as error:  # the audit says what is wrong with it
            logger.error("The clocks of campaign %s stay as they are: %s", pk, error_places(error))
    return done


def reconcile(
    campaign: Campaign,
    position: Any,
    at: datetime,
    entry: LogEntry | None = None,
    before: Any = None,
    history: positions.History | None = None,
) -> list[Clock]:
    """Make the campaign's running clocks those that its log wants at this position; they are the
    answer. `history` is that of the log, where somebody has it: without it, it is replayed where it
    is needed.

    Asks for a transaction that holds the campaign's row, whose copies are those after `entry`.
    """
    missing, terms = wanted_clocks(campaign, position), clock_terms.terms_of(campaign)
    kept: list[Clock] = []
    for clock in _running(campaign):
        want = missing.get((clock.kind, clock.seat, clock.contest, clock.followup_key))
        struck = vars(clock)["struck"] is not None
        if want is None or struck or want.entry not in (None, clock.entry_id):
            _end(clock, at, struck, terms[clock.kind] is None or campaign.ended)
            continue
        del missing[want.key]
        _keep(campaign, clock, want, terms[clock.kind], at, entry)
        kept.append(clock)
    if missing:
        kept += _begin(campaign, missing, terms, at, entry, before, history)
    return kept


def _running(campaign: Campaign) -> QuerySet[Clock]:
    """Return the clocks that have not ended; `struck` is the entry that struck a clock's own."""
    return (
        Clock.objects.filter(campaign=campaign, ended_at=None)
        .annotate(struck=F("entry__struck_by"))
        .order_by("pk")
    )


def _end(clock: Clock, at: datetime, struck: bool, off: bool) -> None:
    if clock.held_at is not None:
        clock.shift(max(at - clock.held_at, timedelta()))
        clock.held_at = None
    clock.ended_at, clock.next_at = at, None
    clock.end_reason = Clock.End.UNDONE if struck else Clock.End.OFF if off else Clock.End.DONE
    clock.save()


def _keep(
    campaign: Campaign,
    clock: Clock,
    want: WantedClock,
    terms: Terms | None,
    at: datetime,
    entry: LogEntry | None,
) -> None:
    """One that runs on: a pause begins or ends, the policy changes, others are waited for."""
    changed = False
    if clock.seats != want.waits:
        changed = True
        _wait_for(clock, want.waits)
    if terms is not None and entry is not None and entry.act == CLOCK_TERMS.name:
        _policy(clock, terms, at)
        changed = True
    if is_frozen(campaign) != clock.held:
        changed, was = True, clock.due_at
        if clock.held_at is None:
            clock.held_at = at
        else:
            clock.shift(max(at - clock.held_at, timedelta()))
            clock.held_at = None
            clock.rearm(at)
            if clock.due_at - was >= WORTH_TELLING:
                announce(
                    clock, MOVED, at, {"was": was, "to": clock.due_at, "reason": "", "entry": entry}
                )
        clock.arm()
    if changed:
        clock.save()


def _policy(clock: Clock, terms: Terms, at: datetime) -> None:
    """What happens when it is over holds for one that runs, too; the grace counts from now where it
    is over already.
    """
    clock.grace = terms.grace
    clock.acts_at = _acts_at(clock, terms, at)
    clock.arm()


def _acts_at(clock: Clock, terms: Terms, at: datetime) -> datetime | None:
    """Once for one entry: what an undo took back is not done again."""
    return (
        add(max(clock.due_at, at), terms.grace, clock.zone)
        if terms.acts and clock.acted_entry_id is None
        else None
    )


def _begin(
    campaign: Campaign,
    missing: dict[Any, WantedClock],
    terms: dict[str, Terms | None],
    at: datetime,
    entry: LogEntry | None,
    before: Any,
    history: positions.History | None = None,
) -> list[Clock]:
    """Those that should run and do not: new ones, or ones that are in force again."""
    new = entry is not None and entry.is_move
    there = (
        set(wanted_clocks(campaign, before))
        if new and before is not None and campaign.started
        else set()
    )
    opened: dict[Any, LogEntry] = {}
    begun = []
    for key, want in missing.items():
        old = None if new and want.entry is None and key not in there else _former(campaign, want)
        if old is not None:
            _revive(campaign, old, want, terms[want.kind], at)
            begun.append(old)
            continue
        if want.entry is not None:
            opener = campaign.entries.get(pk=want.entry)
        elif new and entry is not None and key not in there:
            opener = entry
        else:
            unknown = [one for one in missing if missing[one].entry is None]
            opened = opened or openers(campaign, history or positions.history(campaign), unknown)
            if key not in opened:
                continue
            opener = opened[key]
        begun.append(_new(campaign, want, opener, terms[want.kind], at, entry))
    return begun


def _new(
    campaign: Campaign,
    want: WantedClock,
    opener: LogEntry,
    terms: Terms | None,
    at: datetime,
    entry: LogEntry | None,
) -> Clock:
    """Make a clock that begins with its entry, or with a later act that made it needed
    (`_begins_now`).
    """
    assert terms is not None
    began = at if entry is not None and _begins_now(want, entry) else opener.at
    due = add(began, terms.length, campaign.time_zone)
    clock = Clock(
        campaign=campaign,
        kind=want.kind,
        seat=want.seat,
        contest=want.contest,
        entry=opener,
        followup_key=want.followup_key,
        zone=campaign.time_zone,
        length=terms.length,
        grace=terms.grace,
        started_at=began,
        first_due_at=due,
        due_at=due,
        held_at=at if is_frozen(campaign) else None,
        acts_at=add(max(due, at), terms.grace, campaign.time_zone) if terms.acts else None,
    )
    _wait_for(clock, want.waits)
    if began == opener.at < at:
        _catch_up(campaign, clock, at)
    clock.arm()
    clock.save(force_insert=True)
    return clock


def _begins_now(want: WantedClock, entry: LogEntry) -> bool:
    """Return whether the time begins with this entry, because its act came after the move that
    opened the clock.

    The act switched the clock's kind on, or a program left the seat that it waits for, or an act
    such as a renewal or an undo asks the seats for new words.
    """
    return entry.table_act in BEGINS_CLOCKS or (want.kind == WORDS and not entry.is_move)


def _catch_up(campaign: Campaign, clock: Clock, at: datetime) -> None:
    """What was said since its entry: pauses and extensions, for a clock that is made later than it
    began.
    """
    clock.held_at = None
    stopped: set[str] = set()
    acts = campaign.entries.filter(
        kind=LogEntry.Kind.TABLE, sequence__gt=clock.entry.sequence, at__lte=at
    ).order_by("sequence")
    for entry in acts:
        act = entry.content
        if act["act"] == EXTEND.name:
            whose = (entry.target_id, act["kind"], entry.seat, act.get("contest"))
            if whose == (clock.entry_id, clock.kind, clock.seat, clock.contest):
                clock.move(datetime.fromisoformat(act["to"]))
            continue
        flag, stands = flag_change(act) or ("", False)
        if flag in STOPS:
            stopped = stopped | {flag} if stands else stopped - {flag}
        if stopped and clock.held_at is None:
            clock.held_at = entry.at
        elif not stopped and clock.held_at is not None:
            clock.shift(entry.at - clock.held_at)
            clock.held_at = None
    if is_frozen(campaign) and clock.held_at is None:
        clock.held_at = at


def _former(campaign: Campaign, want: WantedClock) -> Clock | None:
    """The ended clock of the same thing whose entry is in force."""
    former = Clock.objects.filter(
        campaign=campaign,
        kind=want.kind,
        seat=want.seat,
        contest=want.contest,
        followup_key=want.followup_key,
        entry__struck_by=None,
    ).exclude(ended_at=None)
    if want.entry is not None:
        former = former.filter(entry=want.entry)
    return former.order_by("-entry__sequence").first()


def _revive(
    campaign: Campaign, clock: Clock, want: WantedClock, terms: Terms | None, at: datetime
) -> None:
    """It runs on with the time that it had left; one that was switched off begins anew. One that
    has acted, acts no more.
    """
    assert terms is not None
    assert clock.ended_at is not None
    if clock.end_reason == Clock.End.OFF:
        clock.started_at, clock.paused_time, clock.notified_kinds = at, timedelta(), ""
        clock.length, clock.zone = terms.length, campaign.time_zone
        clock.first_due_at = clock.due_at = add(at, terms.length, campaign.time_zone)
    else:
        clock.shift(max(at - clock.ended_at, timedelta()))
    clock.ended_at, clock.end_reason = None, ""
    _wait_for(clock, want.waits)
    clock.grace, clock.attempts = terms.grace, 0
    clock.acts_at = _acts_at(clock, terms, at)
    clock.held_at = at if is_frozen(campaign) else None
    clock.rearm(at)
    clock.save()


def openers(
    campaign: Campaign, history: positions.History, keys: Iterable[Any]
) -> dict[Any, LogEntry]:
    """The move since which each of these stands as it does, by a replay: for a log older than
    clocks, and for the audit.
    """
    opened: dict[Any, LogEntry] = {}
    left, last = set(keys), None
    for step in reversed(history.steps if left else []):
        if step.played.after is not last:  # of many moves that leave it so, it is asked once
            last = step.played.after
            left &= {one.key for one in _wanted_by_log(campaign, last)}
        if not left:
            break
        opened.update(dict.fromkeys(left, step.entry))
    return opened


def _wait_for(clock: Clock, seats: Sequence[str]) -> None:
    """Set the seats for which a clock waits."""
    clock.waits_for_id = set_key(seats) if seats else None
    save_seat_sets([clock.waits_for_id])


# What the game master says of time: how long things may take, and that one takes longer. Pauses are
# `living.live`'s.


@transaction.atomic
def set_terms(
    campaign: Campaign, user: Any, terms: Mapping[str, Terms | None], *, now: datetime | None = None
) -> LogEntry:
    """The terms of some kinds of clocks, or none (None: no such clock runs); those not named stay
    as they are.

    A new length holds for clocks that begin from now on; what happens when one is over, for those
    that run, too. A kind that is switched on begins to run now. Raises `Refused`, also where
    nothing would change.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    before = clock_terms.terms_of(table)
    after = before | {kind: clock_terms.checked(table, kind, one) for kind, one in terms.items()}
    if after == before:
        raise Refused("no-change", _("These terms are in force already."))
    what = {kind: None if one is None else one.to_json() for kind, one in after.items()}
    changed = [kind for kind in clock_terms.KINDS if after[kind] != before[kind]]
    return entries.append_act(
        table, user, {"act": CLOCK_TERMS.name, "terms": what, "changed": changed}, now=now
    )


@transaction.atomic
def extend(
    campaign: Campaign,
    user: Any,
    clock: Clock,
    to: datetime,
    reason: str,
    seen: int,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Another deadline for one clock, with a reason that everybody reads: not before what its
    length gave, at the latest twice its length after it began, pauses aside.

    Reminders come again for the new deadline. Raises `TableMovedOn`, `NotAllowed`, `NotNow`,
    `Refused`.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_host(table, user)
    entries.must_be_current(table, who, seen)
    one = (
        Clock.objects.filter(pk=clock.pk, campaign=table, ended_at=None)
        .select_related("entry")
        .first()
    )
    if one is None:
        raise NotNow("clock-ended", _("This clock no longer runs."))
    if one.held:
        raise NotNow(
            "held", _("The campaign pauses and its clocks stand still: extend when it goes on.")
        )
    why, to = entries.a_reason(reason), to.astimezone(UTC)
    if to == one.first_due_at.replace(second=0, microsecond=0):
        to = one.first_due_at  # a form knows minutes
    if to <= at:
        raise Refused("past", _("A new deadline must be in the future."))
    if to > one.latest:
        raise Refused(
            "too-long", _("At most twice its length. If it takes longer, the campaign pauses.")
        )
    if to < one.first_due_at:
        raise Refused("too-short", _("Nobody gets less time than the terms gave them."))
    if to == one.due_at:
        raise Refused("no-change", _("This is its deadline already."))
    was = one.due_at
    one.move(to)
    one.attempts = 0
    one.rearm(at)
    one.save()
    facts: dict[str, Any] = {
        "kind": one.kind,
        "was": said_at(was),
        "to": said_at(to),
        "zone": table.time_zone,
        "reason": why,
    }
    if one.contest is not None:
        facts["contest"] = one.contest
    entry = entries.append_act(
        table, user, {"act": EXTEND.name, **facts}, seat=one.seat, target=one.entry, now=at
    )
    if one.contest is not None:
        review.ask_for_contest(table, user, entry, one.contest, at)
    else:
        review.ask(table, user, entry, lambda seats: seats & {one.seat}, at)
    announce(one, MOVED, at, {"was": was, "to": to, "reason": why, "entry": entry})
    return entry


def said_at(at: datetime) -> str:
    """An instant as the log has it."""
    return at.astimezone(UTC).isoformat(timespec="seconds")


def announce(clock: Clock, event: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Carry out standing orders if time is up, and notify of an event (`hooks.clock_event`)."""
    if event == MISSED and clock.kind in ASKED:
        _speak(clock.campaign, clock, at)
    hooks.clock_event(clock, event, at, facts)


# Which clocks an undo or a restoration would end, set running again, or begin: what
# `running.reconcile` would do.

ENDS, OPENS, BEGINS = "ends", "opens", "begins"
ClockKey = tuple[str, str, int | None, str]
"""The kind, the seat, the contest and the mark of a clock."""
Wants = dict[ClockKey, WantedClock]


class Foreseen(NamedTuple):
    """`due_at` is when it is due then; None for one that begins anew. `held`: the campaign stands
    still.
    """

    what: str
    kind: str
    seat: str
    contest: int | None
    due_at: datetime | None
    held: bool = False


class Outlook(NamedTuple):
    """What an undo or a restoration does to clocks. The clocks that end come first.

    `running` are the clocks that run or are paused now, the earliest deadline first.
    """

    foreseen: list[Foreseen]
    running: list[Clock]


def ending(rewind: Rewind, running: Sequence[Clock]) -> list[Clock]:
    """Return the clocks that an undo or a restoration would end, the earliest opened first.

    `running` are the clocks that run or are paused now.
    """
    kinds = {clock.kind for clock in running}
    return _ending_and_missing(rewind, running, wanted_then(rewind, kinds))[0]


def wanted_then(rewind: Rewind, kinds: Collection[str] = clock_terms.KINDS) -> Wants:
    """Return which clocks of these kinds should run after an undo or a restoration, by key.

    Makes one query if claims may wait.
    """
    campaign, position = rewind.campaign, rewind.position
    is_over = positions.copies(campaign, position).finished
    return wanted_clocks(campaign, position, ended=is_over, kinds=kinds)


def _ending_and_missing(
    rewind: Rewind, running: Iterable[Clock], wanted: Wants
) -> tuple[list[Clock], Wants]:
    """Return the clocks that would end, and by key the clocks that would begin to run."""
    missing = dict(wanted)
    ends: list[Clock] = []
    for clock in sorted(running, key=lambda clock: (clock.entry.sequence, clock.pk)):
        want = missing.get(_key(clock))
        if want is None or not _stands(clock, rewind) or want.entry not in (None, clock.entry_id):
            ends.append(clock)
        else:
            del missing[want.key]
    return ends, missing


def foresee(rewind: Rewind, now: datetime) -> Outlook:
    """Return what an undo or a restoration would do to the clocks.

    A clock that has never run begins when its opener says. Makes one query, and another if claims
    may wait.
    """
    campaign, wanted = rewind.campaign, wanted_then(rewind)
    known = _running_and_ended(campaign, wanted)
    running = [clock for clock in known if clock.ended_at is None]
    ended = [clock for clock in known if clock.ended_at is not None]
    ends, missing = _ending_and_missing(rewind, running, wanted)
    foreseen = [
        Foreseen(ENDS, clock.kind, clock.seat, clock.contest, clock.due_at, clock.held)
        for clock in ends
    ]
    is_held = is_frozen(campaign)
    for want in missing.values():
        old = [
            clock
            for clock in ended
            if _key(clock) == want.key
            and _stands(clock, rewind)
            and want.entry in (None, clock.entry_id)
        ]
        due = _due_again(old[-1], now) if old and old[-1].end_reason != Clock.End.OFF else None
        what = OPENS if due is not None else BEGINS
        foreseen.append(Foreseen(what, want.kind, want.seat, want.contest, due, is_held))
    running.sort(key=lambda clock: (clock.due_at, clock.pk))
    return Outlook(foreseen, running)


def _running_and_ended(campaign: Campaign, keys: Iterable[ClockKey]) -> list[Clock]:
    """Return all clocks that run or are paused, and the ended clocks of these keys; the earliest
    opened first.
    """
    asked = Q(ended_at=None)
    for kind, seat, contest, mark in keys:
        asked |= Q(kind=kind, seat=seat, contest=contest, followup_key=mark)
    clocks = Clock.objects.filter(asked, campaign=campaign)
    return list(clocks.select_related("entry").order_by("entry__sequence", "pk"))


def _due_again(clock: Clock, now: datetime) -> datetime:
    """Return when a clock that has ended is due if it runs on with the time that it had left."""
    assert clock.ended_at is not None
    return clock.due_at + max(now - clock.ended_at, timedelta())


def _key(clock: Clock) -> ClockKey:
    return clock.kind, clock.seat, clock.contest, clock.followup_key


def _stands(clock: Clock, rewind: Rewind) -> bool:
    """Return whether the entry that opened it is in force then. An act is never struck."""
    return not clock.entry.is_move or clock.entry.sequence in rewind.in_force


# What is due of clocks, done: reminders, and what a clock does by itself where the game master has
# switched it on.
#
# Each clock is taken in a short transaction of its own that holds its campaign's row, as a move
# does, and looked at again there: two ticks at once, or one that died, tell and do each thing once.

BATCH = 100
LONGEST_WAIT = timedelta(hours=6)
"""Between two tries of what fails."""
PARKED = timedelta(hours=1)
"""Between two looks whether an announcement still waits for its die: meanwhile nobody can move,
nobody is late.
"""


def tick(now: datetime, limit: int | None = None) -> int:
    """Do what is due by this moment, at most so many things; how many were done. A clock that fails
    waits, longer each time, and stops no other; a campaign that somebody is moving in is left to
    the next tick.
    """
    done = 0
    due = Clock.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    ahead = due
    while limit is None or done < limit:
        most = BATCH if limit is None else min(BATCH, limit - done)
        ahead_rows = list(ahead.values_list("pk", "campaign_id", "next_at", "acts_at")[:most])
        if not ahead_rows:
            break
        for pk, campaign, _at, acts_at in ahead_rows:
            done += tick_clock(pk, campaign, now, acts=acts_at is not None and acts_at <= now)
        last, _campaign, at, _acts_at = ahead_rows[-1]
        ahead = due.filter(next_at__gte=at).filter(Q(next_at__gt=at) | Q(pk__gt=last))
    return done


def tick_clock(pk: int, campaign: int, now: datetime, *, acts: bool) -> bool:
    try:
        if acts:  # replayed before the row is held, so that nobody waits for it
            positions.current(Campaign.objects.get(pk=campaign))
        with transaction.atomic():
            return act_if_due(pk, campaign, now)
    except Exception as error:
        # Its words may hold anything: what failed and where is enough to find it.
        logger.error("Clock %s failed: %s", pk, error_places(error))
        with transaction.atomic():
            _wait(pk, now)
        return False


def act_if_due(pk: int, campaign: int, now: datetime) -> bool:
    """What is due of a clock, if anything is still. Later things make earlier ones needless: after
    a long silence one is not reminded of what is over.
    """
    table = Campaign.objects.select_for_update(skip_locked=True).filter(pk=campaign).first()
    if table is None:
        return False
    clock = Clock.objects.select_related("entry").filter(pk=pk, next_at__lte=now).first()
    if clock is None:
        return False
    clock.campaign = table
    passed = [what for what, at in clock.instants().items() if at <= now]
    open_now = [what for what in passed if what not in clock.reminders_sent]
    what = open_now[-1] if open_now else ""
    if table.fault or (table.parked and what in (MISSED, ACTED)):
        # No standing order may answer for this seat, or the log has failed its check and no one can
        # move.
        clock.next_at = now + PARKED
        clock.save(update_fields=["next_at"])
        return False
    clock.attempts = 0
    clock.note_reminders(*(what for what in passed if what != ACTED))
    if what == ACTED:
        return _act(table, clock, now, MISSED in open_now)
    clock.arm()
    clock.save()
    if what:
        entries.note_change(pk=table.pk)
        announce(clock, what, now, {})
    return bool(what)


def _act(table: Campaign, clock: Clock, now: datetime, unsaid: bool) -> bool:
    """It does what its kind does. Where there is nothing that it could do, it has reminded."""
    act = ACTS.get(clock.kind) or hooks.clock_expired[clock.kind]
    clock.acts_at = None
    clock.arm()
    clock.save()
    entries.note_change(pk=table.pk)
    entry = None if is_frozen(table) else act(table, clock, now)
    if entry is None:
        if unsaid:
            announce(clock, MISSED, now, {})
        return unsaid
    clock.refresh_from_db()
    clock.campaign, clock.acted_entry = table, entry
    if clock.ended_at is not None:
        clock.end_reason = Clock.End.ACTED
    clock.arm()
    clock.save()
    announce(clock, ACTED, now, {"entry": entry})
    return True


def _wait(pk: int, now: datetime) -> None:
    """Try again after a minute, then after two, four, … up to six hours."""
    clock = Clock.objects.select_for_update().filter(pk=pk, next_at__isnull=False).first()
    if clock is None:
        return
    clock.attempts += 1
    clock.next_at = now + min(timedelta(minutes=2 ** min(clock.attempts - 1, 10)), LONGEST_WAIT)
    clock.save(update_fields=["attempts", "next_at"])


# What a clock does by itself when its grace is over: as any move through the door, with the clock
# as its actor. In the record it stands as the game master's `for` the seat.


def lapse(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that the title gives for whose time is over; None where it gives none now.

    Asks for a transaction that holds the campaign's row. Raises `IllegalMove` where the rules
    forbid it.
    """
    game, position = table.game, positions.current(table)
    waiting = waited_for(table, position, clock.kind, clock.seat, clock.contest)
    raw = (
        game.lapse(position, waiting) if isinstance(game, Lapsing) and waiting is not None else None
    )
    if raw is None:
        return None
    move = entries.allowed(table, position, raw)
    entry, played = entries.say_or_park(
        table, None, position, move.to_json(), positions.dice(table, new=True), at
    )
    entries.save_campaign(table, position if played is None else played.after)
    return entry


# Standing orders at the clock: heard when what waits for a seat has run out of time, before the
# clock itself does anything.

ASKED = (ANSWER, SLOT)


def answer(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """What the clock of an answer does by itself: what orders say, else what the title gives for
    whose time is over.
    """
    return _speak(table, clock, at) or lapse(table, clock, at)


def _speak(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that orders said, or the act that parks it."""
    if not standing_orders.when_time_is_up(table, clock.entry, clock.seats, clock.contest, at):
        return None
    parked = Q(kind=LogEntry.Kind.TABLE, act=DIE.name, how="parked")
    return (
        table.entries.filter(Q(kind=LogEntry.Kind.MOVE) | parked, actor=None)
        .order_by("sequence")
        .last()
    )


ACTS: Mapping[str, ClockExpired] = {SLOT: lapse, ANSWER: answer}
"""What kinds of clocks do by themselves; `hooks.clock_expired` has the others."""
