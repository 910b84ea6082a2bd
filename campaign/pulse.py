"""The pulse: once a minute everything that is due is done, whoever brings it (beat, cron, a person at a shell).

`settings.TICKS` names functions `tick(now, limit=None) -> int`, called in their order. Each claims what is due in short
transactions of its own, so that it does not matter how many pulses there are, or which of them die.
"""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path
from time import monotonic
from traceback import extract_tb

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone
from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)


def tick(now: datetime | None = None, limit: int | None = None) -> dict[str, int | None]:
    """What each function did; None where it failed. One that fails stops no other."""
    done: dict[str, int | None] = {}
    for path in settings.TICKS:
        begun = monotonic()
        close_old_connections()  # a database that was away is asked anew
        try:
            done[path] = import_string(path)(now or timezone.now(), limit)
        except Exception as error:
            done[path] = None
            logger.error("%s failed: %s", path, where(error))
        note(path, now or timezone.now(), monotonic() - begun, failed=done[path] is None)
    return done


def note(part: str, at: datetime, seconds: float, *, failed: bool) -> None:
    """Keeps that this part of the pulse was done, or failed, for /health/ready and /metrics (`config.watch`)."""
    from campaign.models import Pulse

    try:
        Pulse.objects.update_or_create(part=part, defaults={"at": at, "seconds": seconds, "failed": failed})
    except DatabaseError as error:
        logger.error("The pulse could not be noted: %s", where(error))


def where(error: BaseException) -> str:
    """What kind of error, and the places it came through: no word of it and no value, which may be secret."""
    steps = [f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in extract_tb(error.__traceback__)[-6:]]
    return f"{type(error).__name__} in {' > '.join(steps)}"
