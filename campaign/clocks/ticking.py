"""What is due of clocks, done: reminders, and what a clock does by itself where the game master has switched it on.

Each clock is taken in a short transaction of its own that holds its campaign's row, as a move does, and looked at again
there: two ticks at once, or one that died, tell and do each thing once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.module_loading import import_string

from campaign.clocks.models import ACTED, MISSED, Clock
from campaign.clocks.running import frozen
from campaign.clocks.telling import announce
from campaign.models import Campaign, LogEntry
from campaign.pulse import where

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
        found = list(ahead.values_list("pk", "campaign_id", "next_at")[: BATCH if limit is None else min(BATCH, limit - done)])
        if not found:
            break
        for pk, campaign, _at in found:
            done += _one(pk, campaign, now)
        last, _campaign, at = found[-1]
        ahead = due.filter(next_at__gte=at).filter(Q(next_at__gt=at) | Q(pk__gt=last))
    return done


def _one(pk: int, campaign: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            return _due(pk, campaign, now)
    except Exception as error:
        # Its words may hold anything: what failed and where is enough to find it.
        logger.error("Clock %s failed: %s", pk, where(error))
        with transaction.atomic():
            _wait(pk, now)
        return False


def _due(pk: int, campaign: int, now: datetime) -> bool:
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
    open_now = [what for what in passed if what not in clock.said]
    what = open_now[-1] if open_now else ""
    if table.parked and what in (MISSED, ACTED):
        # No order could speak for whom it waits.
        clock.next_at = now + PARKED
        clock.save(update_fields=["next_at"])
        return False
    clock.attempts = 0
    clock.say(*(what for what in passed if what != ACTED))
    if what == ACTED:
        return _act(table, clock, now, MISSED in open_now)
    clock.arm()
    clock.save()
    if what:
        announce(clock, what, now, {})
    return bool(what)


def _act(table: Campaign, clock: Clock, now: datetime, unsaid: bool) -> bool:
    """It does what its kind does. Where there is nothing that it could do, it has reminded."""
    act: Callable[[Campaign, Clock, datetime], LogEntry | None] = import_string(settings.CLOCK_ACTS[clock.kind])
    clock.acts_at = None
    clock.arm()
    clock.save()
    entry = None if frozen(table) else act(table, clock, now)
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
