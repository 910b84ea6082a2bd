"""Services that keep clocks in line with the log and carry out what is due.

Clocks are started, ended, paused, and revived after an undo. `reconcile_after` is one of
`hooks.entry_written`.
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
    SMALLEST_CHANGE,
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
from games.contract.title import WithLapses
from games.registry import TITLES

logger = logging.getLogger(__name__)

STOPS = ("paused", "abandoned", "archived", "suspended")
"""The flags of a campaign (`campaign.status`) that stop its clocks."""


def reconcile_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Bring the clocks up to date after an entry."""
    reconcile(campaign, after, entry.at, entry, before)


def reconcile_renewal(campaign: Campaign, entry: LogEntry, position: Any) -> None:
    """Bring the clocks up to date after new dice, so that the seats are asked for words at once."""
    reconcile(campaign, position, entry.at, entry)


def is_frozen(campaign: Campaign) -> bool:
    """Return whether the clocks of the campaign are stopped."""
    return any(getattr(campaign, flag) for flag in STOPS)


def wanted_clocks(
    campaign: Campaign,
    position: Any,
    ended: bool | None = None,
    kinds: Collection[str] = clock_terms.KINDS,
) -> dict[Any, WantedClock]:
    """Return the clocks of these kinds that should run, by key.

    Kinds that are switched off and clocks that wait only for programs are left out. `ended` says
    whether the campaign is over; None means what the campaign's row says.
    """
    if not campaign.started or (campaign.ended if ended is None else ended):
        return {}
    terms = clock_terms.terms_of(campaign)
    asked = {kind for kind in kinds if terms[kind] is not None}
    wants: Iterable[WantedClock] = (
        want
        for reading in clock_readings()
        if asked.intersection(reading.kinds)
        for want in reading.read(campaign, position)
    )
    programs = set(program_levels(campaign))
    return {
        want.key: want
        for want in wants
        if want.kind in asked and not (want.waits and programs.issuperset(want.waits))
    }


def _wanted_by_log(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Return the clocks that would run if all kinds were switched on and no program played."""
    return (want for reading in clock_readings() for want in reading.read(campaign, position))


def clock_readings() -> Iterable[ClockReading]:
    """Return the functions that compute which clocks should run."""
    return (clock_terms.PLAY, *hooks.clock_readings, clock_terms.SEATS_WORDS)


def bring_up_to_date(now: datetime | None = None) -> int:
    """Start the clocks of running campaigns that have none; return how many campaigns got clocks.

    Older versions of the program have left such campaigns. Other campaigns were compared with their
    log at the last entry; `audit --rebuild` does so for all.
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
        except Exception as error:  # The audit reports what is wrong with it.
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
    """Make the running clocks those that the log wants at this position, and return them.

    `history` is the replayed log, if the caller has it; otherwise it is replayed when needed. The
    caller holds the campaign's row, whose copies are those after `entry`.
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
    """Return the clocks that have not ended; `struck` is the act that struck a clock's entry."""
    return (
        Clock.objects.filter(campaign=campaign, ended_at=None)
        .annotate(struck=F("entry__struck_by"))
        .order_by("pk")
    )


def _end(clock: Clock, at: datetime, struck: bool, off: bool) -> None:
    """End a clock, with the reason."""
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
    """Update a clock that continues: a pause begins or ends, or its terms or its seats change."""
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
            if clock.due_at - was >= SMALLEST_CHANGE:
                announce(
                    clock, MOVED, at, {"was": was, "to": clock.due_at, "reason": "", "entry": entry}
                )
        clock.arm()
    if changed:
        clock.save()


def _policy(clock: Clock, terms: Terms, at: datetime) -> None:
    """Apply new terms to a running clock.

    They say what happens when it is over. If it is over already, the grace counts from now.
    """
    clock.grace = terms.grace
    clock.acts_at = _acts_at(clock, terms, at)
    clock.arm()


def _acts_at(clock: Clock, terms: Terms, at: datetime) -> datetime | None:
    """Return when a clock acts by itself; None if it does not.

    A clock acts only once for the entry that opened it, even if its act is undone.
    """
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
    """Start the missing clocks: new ones, or old ones whose entry is in force again."""
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
            unknown = [key for key in missing if missing[key].entry is None]
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
    """Make a clock that begins with its entry, or with a later act (`_begins_now`)."""
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
    """Return whether the time begins with this entry, an act after the move that opened the clock.

    The act switched the clock's kind on, or a program left the seat that it waits for, or an act
    such as a renewal or an undo asks the seats for new words.
    """
    return entry.table_act in BEGINS_CLOCKS or (want.kind == WORDS and not entry.is_move)


def _catch_up(campaign: Campaign, clock: Clock, at: datetime) -> None:
    """Apply the pauses and extensions since a clock's entry, if it is created later."""
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
        flag, is_set = flag_change(act) or ("", False)
        if flag in STOPS:
            stopped = stopped | {flag} if is_set else stopped - {flag}
        if stopped and clock.held_at is None:
            clock.held_at = entry.at
        elif not stopped and clock.held_at is not None:
            clock.shift(entry.at - clock.held_at)
            clock.held_at = None
    if is_frozen(campaign) and clock.held_at is None:
        clock.held_at = at


def _former(campaign: Campaign, want: WantedClock) -> Clock | None:
    """Return the ended clock of the same thing whose entry is in force."""
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
    """Let an ended clock continue with the time that it had left.

    A clock that was switched off begins again. A clock that has acted does not act again.
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
    """Return the move since which each of these clocks has been wanted, by a replay.

    This is for logs that are older than clocks, and for the audit.
    """
    opened: dict[Any, LogEntry] = {}
    left, last = set(keys), None
    for step in reversed(history.steps if left else []):
        # Several moves can leave the same position object; it is read once.
        if step.played.after is not last:
            last = step.played.after
            left &= {want.key for want in _wanted_by_log(campaign, last)}
        if not left:
            break
        opened.update(dict.fromkeys(left, step.entry))
    return opened


def _wait_for(clock: Clock, seats: Sequence[str]) -> None:
    """Set the seats for which a clock waits."""
    clock.waits_for_id = set_key(seats) if seats else None
    save_seat_sets([clock.waits_for_id])


# Acts of the game master on time: terms and extensions. Pauses are in `campaign.founding`.


@transaction.atomic
def set_terms(
    campaign: Campaign, user: Any, terms: Mapping[str, Terms | None], *, now: datetime | None = None
) -> LogEntry:
    """Set the terms of some kinds of clocks; None switches a kind off.

    Kinds that are not named stay as they are. A new length applies to clocks that begin from now
    on, the rest also to those that run. A kind that is switched on begins to run now. Raises
    `Refused`, also if nothing would change.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    before = clock_terms.terms_of(table)
    after = before | {
        kind: clock_terms.checked_terms(table, kind, given) for kind, given in terms.items()
    }
    if after == before:
        raise Refused("no-change", _("These time limits are already in force."))
    what = {kind: None if kept is None else kept.to_json() for kind, kept in after.items()}
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
    """Move the deadline of a clock, with a public reason.

    The new deadline is not before the first one, and at most twice the clock's length after it
    began, pauses aside. Reminders are sent again for it. Raises `TableMovedOn`, `NotAllowed`,
    `NotNow`, `Refused`.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_host(table, user)
    entries.must_be_current(table, who, seen)
    current = (
        Clock.objects.filter(pk=clock.pk, campaign=table, ended_at=None)
        .select_related("entry")
        .first()
    )
    if current is None:
        raise NotNow("clock-ended", _("This clock is no longer running."))
    if current.held:
        raise NotNow(
            "held",
            _(
                "The campaign is paused and its clocks have stopped. Extend the deadline once the "
                "campaign has been resumed."
            ),
        )
    why, to = entries.checked_reason(reason), to.astimezone(UTC)
    if to == current.first_due_at.replace(second=0, microsecond=0):
        to = current.first_due_at  # The form has no seconds.
    if to <= at:
        raise Refused("past", _("A new deadline must be in the future."))
    if to > current.latest:
        raise Refused(
            "too-long",
            _(
                "You can extend a deadline to at most twice the length of its clock. If you need "
                "longer, pause the campaign."
            ),
        )
    if to < current.first_due_at:
        raise Refused(
            "too-short", _("You cannot shorten a deadline below what the time limits give.")
        )
    if to == current.due_at:
        raise Refused("no-change", _("This is already the deadline."))
    was = current.due_at
    current.move(to)
    current.attempts = 0
    current.rearm(at)
    current.save()
    facts: dict[str, Any] = {
        "kind": current.kind,
        "was": stored_instant(was),
        "to": stored_instant(to),
        "zone": table.time_zone,
        "reason": why,
    }
    if current.contest is not None:
        facts["contest"] = current.contest
    entry = entries.append_act(
        table, user, {"act": EXTEND.name, **facts}, seat=current.seat, target=current.entry, now=at
    )
    if current.contest is not None:
        review.ask_for_contest(table, user, entry, current.contest, at)
    else:
        review.ask(table, user, entry, lambda seats: seats & {current.seat}, at)
    announce(current, MOVED, at, {"was": was, "to": to, "reason": why, "entry": entry})
    return entry


def stored_instant(at: datetime) -> str:
    """Return an instant as the log has it."""
    return at.astimezone(UTC).isoformat(timespec="seconds")


def announce(clock: Clock, event: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Carry out standing orders if time is up, and notify of an event (`hooks.clock_event`)."""
    if event == MISSED and clock.kind in ASKED:
        _carry_out_orders(clock.campaign, clock, at)
    hooks.clock_event(clock, event, at, facts)


# The clocks that an undo or a restoration would end, revive or begin: a preview of `reconcile`.

ENDS, OPENS, BEGINS = "ends", "opens", "begins"
ClockKey = tuple[str, str, int | None, str]
"""The kind, the seat, the contest and the mark of a clock."""
Wants = dict[ClockKey, WantedClock]


class ClockChange(NamedTuple):
    """A change of a clock in such a preview.

    `due_at` is when the clock is due then; None for a clock that begins anew. `held` says whether
    the campaign is paused.
    """

    what: str
    kind: str
    seat: str
    contest: int | None
    due_at: datetime | None
    held: bool = False


class ClockChanges(NamedTuple):
    """The effect of an undo or a restoration on the clocks. Clocks that end come first.

    `running` are the clocks that run or are paused now, the earliest deadline first.
    """

    foreseen: list[ClockChange]
    running: list[Clock]


def ending_clocks(rewind: Rewind, running: Sequence[Clock]) -> list[Clock]:
    """Return the clocks that an undo or a restoration would end, the earliest opened first.

    `running` are the clocks that run or are paused now.
    """
    kinds = {clock.kind for clock in running}
    return _ending_and_missing(rewind, running, clocks_wanted_then(rewind, kinds))[0]


def clocks_wanted_then(rewind: Rewind, kinds: Collection[str] = clock_terms.KINDS) -> Wants:
    """Return by key which clocks of these kinds should run after an undo or a restoration.

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
        if (
            want is None
            or not _would_be_in_force(clock, rewind)
            or want.entry not in (None, clock.entry_id)
        ):
            ends.append(clock)
        else:
            del missing[want.key]
    return ends, missing


def foresee(rewind: Rewind, now: datetime) -> ClockChanges:
    """Return the effect of an undo or a restoration on the clocks.

    A clock that has never run begins with its opener. Makes one query, and another if claims may
    wait.
    """
    campaign, wanted = rewind.campaign, clocks_wanted_then(rewind)
    known = _running_and_ended(campaign, wanted)
    running = [clock for clock in known if clock.ended_at is None]
    ended = [clock for clock in known if clock.ended_at is not None]
    ends, missing = _ending_and_missing(rewind, running, wanted)
    foreseen = [
        ClockChange(ENDS, clock.kind, clock.seat, clock.contest, clock.due_at, clock.held)
        for clock in ends
    ]
    is_held = is_frozen(campaign)
    for want in missing.values():
        old = [
            clock
            for clock in ended
            if _key(clock) == want.key
            and _would_be_in_force(clock, rewind)
            and want.entry in (None, clock.entry_id)
        ]
        due = _due_again(old[-1], now) if old and old[-1].end_reason != Clock.End.OFF else None
        what = OPENS if due is not None else BEGINS
        foreseen.append(ClockChange(what, want.kind, want.seat, want.contest, due, is_held))
    running.sort(key=lambda clock: (clock.due_at, clock.pk))
    return ClockChanges(foreseen, running)


def _running_and_ended(campaign: Campaign, keys: Iterable[ClockKey]) -> list[Clock]:
    """Return all clocks that run or are paused, and the ended clocks of these keys.

    The earliest opened comes first.
    """
    asked = Q(ended_at=None)
    for kind, seat, contest, mark in keys:
        asked |= Q(kind=kind, seat=seat, contest=contest, followup_key=mark)
    clocks = Clock.objects.filter(asked, campaign=campaign)
    return list(clocks.select_related("entry").order_by("entry__sequence", "pk"))


def _due_again(clock: Clock, now: datetime) -> datetime:
    """Return when an ended clock is due if it continues with the time that it had left."""
    assert clock.ended_at is not None
    return clock.due_at + max(now - clock.ended_at, timedelta())


def _key(clock: Clock) -> ClockKey:
    """Return the key of a clock, as `wanted_clocks` has it."""
    return clock.kind, clock.seat, clock.contest, clock.followup_key


def _would_be_in_force(clock: Clock, rewind: Rewind) -> bool:
    """Return whether the entry that opened a clock would be in force.

    An act is never struck.
    """
    return not clock.entry.is_move or clock.entry.sequence in rewind.in_force


# Due clocks: reminders, and automatic acts where the game master has switched them on.
#
# Each clock is handled in a short transaction of its own that holds its campaign's row, as a move
# does, and is read again there. So two ticks at once, or one that was killed, send and do each
# thing once.

BATCH = 100
LONGEST_WAIT = timedelta(hours=6)
"""The longest time between two attempts at a clock that fails."""
PARKED = timedelta(hours=1)
"""The time between two checks whether a move still waits for its die.

No one can move meanwhile, so no one is late.
"""


def tick(now: datetime, limit: int | None = None) -> int:
    """Do what is due now, at most `limit` things, and return how many were done.

    A clock that fails waits, longer each time, and does not stop the others. A campaign that is
    locked by a move is left to the next tick.
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
    """Handle a clock in its own transaction; return whether it did anything."""
    try:
        # Replayed before the row is locked, so that no other request waits for the replay.
        if acts:
            positions.current(Campaign.objects.get(pk=campaign))
        with transaction.atomic():
            return act_if_due(pk, campaign, now)
    except Exception as error:
        # The text of the exception may contain secrets; its type and place are enough.
        logger.error("Clock %s failed: %s", pk, error_places(error))
        with transaction.atomic():
            _wait(pk, now)
        return False


def act_if_due(pk: int, campaign: int, now: datetime) -> bool:
    """Do what is due of a clock, if anything still is; return whether it did anything.

    Later events replace earlier ones: after a long silence no one is reminded of something that is
    over.
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
        # No standing order may answer for this seat, or the log has failed its check and no move is
        # possible.
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
    """Let a clock act.

    If it has nothing to do, remind instead, if that has not happened (`unsaid`).
    """
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
    """Try again after a minute, then after two, four, and so on, up to six hours."""
    clock = Clock.objects.select_for_update().filter(pk=pk, next_at__isnull=False).first()
    if clock is None:
        return
    clock.attempts += 1
    clock.next_at = now + min(timedelta(minutes=2 ** min(clock.attempts - 1, 10)), LONGEST_WAIT)
    clock.save(update_fields=["attempts", "next_at"])


# The automatic act of a clock when its grace is over. It is played like any move, without an actor.
# In the record it is a move of the game master `for` the seat.


def lapse(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """Play the move that the title gives for a seat whose time is over; None if it gives none now.

    The caller holds the campaign's row. Raises `IllegalMove` if the rules forbid the move.
    """
    game, position = table.game, positions.current(table)
    waiting = waited_for(table, position, clock.kind, clock.seat, clock.contest)
    raw = (
        game.lapse(position, waiting)
        if isinstance(game, WithLapses) and waiting is not None
        else None
    )
    if raw is None:
        return None
    move = entries.allowed_move(table, position, raw)
    entry, played = entries.play_or_park(
        table, None, position, move.to_json(), positions.dice(table, new=True), at
    )
    entries.save_campaign(table, position if played is None else played.after)
    return entry


# Standing orders are carried out when the time of a seat is over, before the clock itself acts.

ASKED = (ANSWER, SLOT)


def answer(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """Carry out standing orders for an answer, or play the move that the title gives."""
    return _carry_out_orders(table, clock, at) or lapse(table, clock, at)


def _carry_out_orders(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """Carry out standing orders; return their move, or the act that parks it."""
    if not standing_orders.carry_out_when_due(table, clock.entry, clock.seats, clock.contest, at):
        return None
    parked = Q(kind=LogEntry.Kind.TABLE, act=DIE.name, how="parked")
    return (
        table.entries.filter(Q(kind=LogEntry.Kind.MOVE) | parked, actor=None)
        .order_by("sequence")
        .last()
    )


ACTS: Mapping[str, ClockExpired] = {SLOT: lapse, ANSWER: answer}
"""The automatic acts by kind of clock; `hooks.clock_expired` has the others."""
