"""The pulse does all work that is due, once a minute.

Beat, cron or a shell can start it. `settings.TICKS` names the kinds of work, `hooks.ticks` has the
function of each kind. A function takes a limit, does at most that many items, and returns their
number. It claims its work in short transactions, so the number of processes does not matter, nor
does it matter if some of them die. If a function reaches its limit, more may be left: the pulse
calls it again, in turn with the other kinds, until nothing is left or the time is over. The next
pulse does the rest.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, transaction
from django.utils import timezone

from campaign import hooks, schema, slow_database

logger = logging.getLogger(__name__)
SECONDS = 5.0
"""How long a task works at its kind before other kinds have their turn."""
LOST = timedelta(seconds=60)
"""How long a task is still shown as hanging after its process was ended."""


def tick(now: datetime | None = None, limit: int | None = None) -> dict[str, int | None]:
    """Do what is due of every kind in this process, at most `limit` things of each.

    Returns how many were done, None for a kind that failed. Kinds take turns, a batch each, so that
    none waits for all work of another. A kind that fails does not stop the others.
    """
    done: dict[str, int | None] = {}
    left, start = list(settings.TICKS), monotonic()
    while left and (not done or monotonic() - start < settings.PULSE):
        for kind in list(left):
            before = done.get(kind) or 0
            count, more = _batch(kind, now, None if limit is None else limit - before)
            done[kind] = None if count is None else before + count
            if not more or done[kind] == limit:
                left.remove(kind)
    return done


def work(kind: str, now: datetime | None = None) -> bool:
    """Do what is due of one kind for `SECONDS`, in whole batches; return whether more is left."""
    start, more = monotonic(), True
    while more and monotonic() - start < SECONDS:
        _done, more = _batch(kind, now)
    return more


def _batch(kind: str, now: datetime | None, limit: int | None = None) -> tuple[int | None, bool]:
    """Return how many things were done, None for a failure, and whether more may be left."""
    batch: int = settings.TICKS[kind]
    most = batch if limit is None else min(batch, limit)
    close_old_connections()  # A database that was away needs a new connection.
    begun = monotonic()
    try:
        count = hooks.ticks[kind](now or timezone.now(), most)
    except Exception as error:
        if slow_database.is_locked(error):
            # Another process holds the row. It stays due, and the next pulse takes it.
            logger.warning("%s waited too long: %s", kind, error_places(error))
            note(kind, now or timezone.now(), monotonic() - begun, failed=False)
            return 0, False
        if slow_database.is_unavailable(error):
            slow_database.log_outage(kind, error)
            return None, False
        logger.error(
            "%s failed: %s",
            kind,
            schema.RUN_MIGRATE if schema.caused(error) else error_places(error),
        )
        note(kind, now or timezone.now(), monotonic() - begun, failed=True)
        return None, False
    note(kind, now or timezone.now(), monotonic() - begun, failed=False)
    return count, count >= most


def options(kind: str) -> dict[str, Any]:
    """Return Celery's options for a message that asks for this kind of work.

    They name the queue, and limit the seconds that the task may take.
    """
    seconds = settings.TASK_SECONDS_OF.get(kind, settings.TASK_SECONDS)
    return {"queue": kind, "soft_time_limit": seconds, "time_limit": seconds + settings.GRACE}


def soon(kind: str) -> None:
    """Ask the worker for this kind of work after the commit.

    If that fails, the next pulse does the work.
    """
    transaction.on_commit(partial(_ask, kind))


def _ask(kind: str) -> None:
    """Send the message, if the broker is there."""
    try:
        current_app.send_task("work", (kind,), **options(kind), expires=60, retry=False)
    except Exception as error:  # No error of the broker or its client may break a page.
        logger.warning("Work was not queued: %s, %s", kind, type(error).__name__)


def note(part: str, at: datetime, seconds: float, *, failed: bool) -> None:
    """Store that this part of the pulse was done or failed, for /health/ready and /metrics.

    See `config.monitoring`.
    """
    from campaign.models import TickRun

    try:
        TickRun.objects.update_or_create(
            part=part, defaults={"at": at, "seconds": seconds, "failed": failed}
        )
    except (DatabaseError, InterfaceError) as error:
        if slow_database.is_unavailable(error):
            return slow_database.log_outage(part, error)
        logger.error("The pulse could not be noted: %s", error_places(error))


def note_start(task_id: str, name: str, seconds: float) -> None:
    """Record that a worker has begun a task, which is ended after `seconds` at the latest.

    This raises nothing: the task continues even if its row cannot be written.
    """
    from campaign.models import RunningTask

    now = timezone.now()
    row = {"name": name[:100], "started_at": now, "ends_by": now + timedelta(seconds=seconds)}
    try:
        for stopped in RunningTask.objects.filter(ends_by__lt=now - LOST).order_by("started_at"):
            begun = f"{stopped.started_at:%H:%M:%S}"
            logger.error(
                "%s, begun at %s, did not end in time and was stopped", stopped.name, begun
            )
            stopped.delete()
        RunningTask.objects.update_or_create(id=task_id, defaults=row)
    except DatabaseError as error:
        logger.error("A task's start could not be noted: %s", error_places(error))


def note_end(task_id: str) -> None:
    """Record that the task has ended."""
    from campaign.models import RunningTask

    try:
        RunningTask.objects.filter(id=task_id).delete()
    except DatabaseError as error:
        logger.error("A task's end could not be noted: %s", error_places(error))


def error_places(error: BaseException) -> str:
    """Return the kind of an error and the places it came through.

    Its text and values are left out, because they may be secret.
    """
    steps = [
        f"{Path(step.filename).name}:{step.lineno} {step.name}"
        for step in extract_tb(error.__traceback__)[-6:]
    ]
    return f"{type(error).__name__} in {' > '.join(steps)}"
