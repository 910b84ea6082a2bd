"""Following a thread: switched on and off, shown to the players or not, tried again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.services import log
from forum.models import Following, Thread
from forum.services import rows
from forum.services.outbox import held
from forum.transports import Readable, transports


@transaction.atomic
def follow(thread: Thread, user: Any, *, active: bool, shown: bool = True, now: datetime | None = None) -> Following:
    """Switch it on or off. What was heard stays. Raises `Refused` where such a place cannot be read."""
    held(thread.campaign, user)
    at = log.moment(now)
    row = rows.standing(thread)
    if active and not isinstance(transports().get(row.transport), Readable):
        raise Refused("not-readable", _("Such a place cannot be followed."))
    made, fresh = Following.objects.get_or_create(thread=row, defaults={"changed_by": user})
    if active and (fresh or not made.active):
        made.next_at, made.stopped_at, made.failures, made.last_error = at, None, 0, ""
    made.active, made.shown, made.changed_by = active, shown, user
    made.save()
    return made


@transaction.atomic
def read_again(thread: Thread, user: Any, *, now: datetime | None = None) -> None:
    """Try once more where one has stopped."""
    held(thread.campaign, user)
    stopped = Following.objects.filter(thread=thread, active=True, stopped_at__isnull=False)
    stopped.update(stopped_at=None, failures=0, next_at=log.moment(now), changed_by=user)
