"""What is due of clocks, done: reminders, and what a clock does by itself where the game master has switched it on.

Each clock is taken in a short transaction of its own that holds its campaign's row, as a move does, and looked at again
there: two ticks at once, or one that died, tell and do each thing once.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from campaign import hooks
from campaign.clocks.selectors import waited_for
from campaign.clocks.services import announce, is_frozen
from campaign.clocks.terms import ANSWER, SLOT
from campaign.dice import selectors
from campaign.log import entries, moving, positions
from campaign.models import ACTED, MISSED, Campaign, Clock, LogEntry
from campaign.pulse import error_places
from campaign.seats import standing_orders
from games.contract.title import Lapsing

logger = logging.getLogger(__name__)
BATCH = 100
LONGEST_WAIT = timedelta(hours=6)
"""Between two tries of what fails."""
PARKED = timedelta(hours=1)
"""Between two looks whether an announcement still waits for its die: meanwhile nobody can move, nobody is late."""


def tick(now: datetime, limit: int | None = None) -> int:
    """Do what is due by this moment, at most so many things; how many were done. A clock that fails waits, longer each time,
    and stops no other; a campaign that somebody is moving in is left to the next tick."""
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
    """What is due of a clock, if anything is still. Later things make earlier ones needless: after a long silence one is
    not reminded of what is over."""
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
    if table.parked and what in (MISSED, ACTED):
        # No order could speak for whom it waits.
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
    act = hooks.clock_acts[clock.kind]
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
    clock.campaign, clock.acted = table, entry
    if clock.ended_at is not None:
        clock.how = Clock.End.ACTED
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


# What a clock does by itself when its grace is over: as any move through the door, with the clock as its actor. In the
# record it stands as the game master's `for` the seat.


def lapse(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that the title gives for whose time is over; None where it gives none now.

    Asks for a transaction that holds the campaign's row. Raises `IllegalMove` where the rules forbid it.
    """
    game, position = table.game, positions.current(table)
    waiting = waited_for(table, position, clock.kind, clock.seat, clock.contest)
    raw = game.lapse(position, waiting) if isinstance(game, Lapsing) and waiting is not None else None
    if raw is None:
        return None
    move = moving.allowed(table, position, raw)
    entry, played = moving.say_or_park(table, None, position, move.to_json(), positions.dice(table, new=True), at)
    moving.save_campaign(table, position if played is None else played.after)
    return entry


# Standing orders at the clock: heard when what waits for a seat has run out of time, before the clock itself does anything.

ASKED = (ANSWER, SLOT)


def play_orders_in_time(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """A teller of clocks: time is up, and orders may speak."""
    if what == MISSED and clock.kind in ASKED:
        _speak(clock.campaign, clock, at)


def answer(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """What the clock of an answer does by itself: what orders say, else what the title gives for whose time is over."""
    return _speak(table, clock, at) or lapse(table, clock, at)


def _speak(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that orders said, or the act that parks it."""
    if not standing_orders.when_time_is_up(table, clock.entry, clock.seats, clock.contest, at):
        return None
    parked = Q(kind=LogEntry.Kind.TABLE, act=selectors.ACT, how="parked")
    return table.entries.filter(Q(kind=LogEntry.Kind.MOVE) | parked, actor=None).order_by("sequence").last()
