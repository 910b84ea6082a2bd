"""The pulse: once a minute everything that is due is done, whoever brings it (beat, cron, a person at a shell).

`settings.TICKS` names the kinds of work, `hooks.ticks` has the function of each, which does at most so many things and
answers how many it did. Each claims what is due in short transactions of its own, so that it does not matter how many
processes work at it, or which of them die. Where as many were done as were asked for, more may be left: then the same kind
goes on, by turns with the others, until nothing is left or the time is over; the next pulse does the rest.
"""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic
from traceback import extract_tb

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, close_old_connections, transaction
from django.utils import timezone

from campaign import hooks, schema

logger = logging.getLogger(__name__)
SECONDS = 5.0
"""How long one task works at its kind before others have their turn."""


def tick(now: datetime | None = None, limit: int | None = None) -> dict[str, int | None]:
    """Do what is due of every kind in this process, at most `limit` things of each: how many were done, None where it failed.

    Kinds take turns, a batch each, so that none waits until another has done all of its own. One that fails stops no other.
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
    """Do what is due of one kind for `SECONDS`, and end the batch that has begun then; is more left?"""
    start, more = monotonic(), True
    while more and monotonic() - start < SECONDS:
        _done, more = _batch(kind, now)
    return more


def _batch(kind: str, now: datetime | None, limit: int | None = None) -> tuple[int | None, bool]:
    """How many things were done, None where it failed; and whether more may be left."""
    batch: int = settings.TICKS[kind]
    most = batch if limit is None else min(batch, limit)
    close_old_connections()  # a database that was away is asked anew
    begun = monotonic()
    try:
        count = hooks.ticks[kind](now or timezone.now(), most)
    except Exception as error:
        logger.error("%s failed: %s", kind, schema.RUN_MIGRATE if schema.caused(error) else error_places(error))
        note(kind, now or timezone.now(), monotonic() - begun, failed=True)
        return None, False
    note(kind, now or timezone.now(), monotonic() - begun, failed=False)
    return count, count >= most


def soon(kind: str) -> None:
    """Ask the worker for this kind of work after the commit. Nothing relies on it: the next pulse comes anyway."""
    transaction.on_commit(partial(_ask, kind))


def _ask(kind: str) -> None:
    try:
        current_app.send_task("work", (kind,), queue=kind, expires=60, retry=False)
    except Exception as error:  # whatever the broker or its client raises: a page must not break by it
        logger.warning("Nobody takes %s: %s", kind, type(error).__name__)


def note(part: str, at: datetime, seconds: float, *, failed: bool) -> None:
    """Keeps that this part of the pulse was done, or failed, for /health/ready and /metrics (`config.watch`)."""
    from campaign.models import Pulse

    try:
        Pulse.objects.update_or_create(part=part, defaults={"at": at, "seconds": seconds, "failed": failed})
    except DatabaseError as error:
        logger.error("The pulse could not be noted: %s", error_places(error))


def error_places(error: BaseException) -> str:
    """What kind of error, and the places it came through: no word of it and no value, which may be secret."""
    steps = [f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in extract_tb(error.__traceback__)[-6:]]
    return f"{type(error).__name__} in {' > '.join(steps)}"
