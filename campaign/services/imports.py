"""Records on their way to become campaigns: kept when they are sent, worked at elsewhere, founded whole or not at all.

Who works at one says so each second. Nothing is founded before the last move has been replayed, and then in one transaction
with the row that says so: whoever dies in the middle leaves nothing but the row, which the next pulse takes on again.
"""

from __future__ import annotations

import logging
import zlib
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth import get_user_model
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import Refused, TableError
from campaign.models import Campaign, Import
from campaign.pulse import where
from campaign.services import log
from campaign.services.founding import describe_row
from campaign.services.importing import import_record, judge
from engine.language import spoken
from engine.log import canonical

logger = logging.getLogger(__name__)

State = Import.State
AGAIN = timedelta(seconds=60)
"""The same record sent again within this time is the same click."""
BEAT, SILENCE, ATTEMPTS = timedelta(seconds=1), timedelta(minutes=2), 3
"""Who works at one says so as often; silent for so long he is dead; so often it is tried."""
UNTAKEN = timedelta(seconds=15)
"""After so long nobody takes it: no worker runs."""
KEEP, MOST_OPEN, MOST_FAULTS = timedelta(days=7), 3, 200


class Overtaken(Exception):
    """Somebody else works at it, or it is gone."""


@transaction.atomic
def keep(
    user: Any, record: bytes, name: str, time_zone: str, visibility: str, *, now: datetime | None = None
) -> tuple[Import, bool]:
    """What was sent, kept until it is worked at, and whether it is new: the same a second time is the first one.

    Raises `Refused` for what the form says wrong, and where this person has sent too much that is not done.
    """
    at = log.moment(now)
    access.must_have_account(user)
    describe_row(Campaign(), name, time_zone, visibility)
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    digest = sha256(canonical([name.strip(), time_zone, visibility]).encode() + record).hexdigest()
    mine = Import.objects.filter(user=user)
    same = mine.filter(digest=digest).filter(Q(ended_at=None) | Q(state=State.FOUNDED, made_at__gt=at - AGAIN)).first()
    if same is not None:
        return same, False
    if mine.filter(ended_at=None).count() >= MOST_OPEN:
        raise Refused("too-many", _("Three records of yours are still being taken over. Wait until one of them is done."))
    made = Import.objects.create(
        user=user, name=name.strip(), time_zone=time_zone, visibility=visibility, language=get_language() or "en",
        content=zlib.compress(record), digest=digest, made_at=at,
    )  # fmt: skip
    return made, True


def work(pk: int, *, now: datetime | None = None) -> Import | None:
    """Take it on from the start: read, replay, found. None where there is nothing to do, or somebody is at it.

    `now` is the moment of the founding, and of the first sign of life; the later ones are the clock's.
    """
    row = _claim(pk, log.moment(now))
    if row is None:
        return None
    try:
        with translation.override(row.language), spoken(row.language):
            judged = judge(zlib.decompress(row.content), _teller(row))
            if judged.faults:
                return _end(row, State.FAULTY, log.moment(now), judged.faults)
            _say(row, state=State.WRITING, done=len(judged.moves), of=len(judged.moves))
            return _found(row, judged, log.moment(now))
    except Overtaken:
        return None
    except TableError as refused:
        return _end(row, State.FAULTY, log.moment(now), [str(refused)])
    except OperationalError as error:  # the database was away or busy: the next pulse tries again
        logger.warning("Import %d: %s", pk, where(error))
        return None
    except Exception as error:
        logger.error("Import %d: %s", pk, where(error))
        return _end(row, State.STOPPED, log.moment(now))


@transaction.atomic
def _claim(pk: int, at: datetime) -> Import | None:
    row = Import.objects.select_for_update(of=("self",)).select_related("user").filter(pk=pk, ended_at=None).first()
    if row is None or (row.heard_at is not None and at - row.heard_at < SILENCE):
        return None
    if row.attempt >= ATTEMPTS or not row.user.is_active:
        _close(row, State.STOPPED, at)
        return None
    row.attempt, row.heard_at, row.state, row.done, row.of = row.attempt + 1, at, State.READING, 0, 0
    row.save(update_fields=["attempt", "heard_at", "state", "done", "of"])
    return row


def _say(row: Import, **how: Any) -> None:
    """A sign of life. Raises `Overtaken`."""
    if not Import.objects.filter(pk=row.pk, attempt=row.attempt, ended_at=None).update(heard_at=timezone.now(), **how):
        raise Overtaken


def _teller(row: Import) -> Any:
    last = timezone.now() - BEAT

    def tell(done: int, of: int) -> None:
        nonlocal last
        if (at := timezone.now()) - last >= BEAT:
            last = at
            _say(row, state=State.REPLAYING, done=done, of=of)

    return tell


@transaction.atomic
def _found(row: Import, judged: Any, at: datetime) -> Import:
    locked = _mine(row)
    campaign = import_record(locked.user, judged, row.name, row.time_zone, row.visibility, now=at)
    locked.campaign = campaign
    return _close(locked, State.FOUNDED, at)


@transaction.atomic
def _end(row: Import, state: State, at: datetime, faults: list[str] | None = None) -> Import | None:
    try:
        return _close(_mine(row), state, at, faults)
    except Overtaken:
        return None


def _mine(row: Import) -> Import:
    found = Import.objects.select_for_update(of=("self",)).select_related("user")
    locked = found.filter(pk=row.pk, attempt=row.attempt, ended_at=None).first()
    if locked is None:
        raise Overtaken
    return locked


def _close(row: Import, state: State, at: datetime, faults: list[str] | None = None) -> Import:
    row.state, row.ended_at, row.content = state, at, b""
    row.faults = canonical((faults or [])[:MOST_FAULTS])
    row.save(update_fields=["state", "ended_at", "content", "faults", "campaign"])
    return row


def untaken(row: Import, now: datetime) -> bool:
    """Does it wait for a worker that does not run?"""
    return row.state == State.WAITING and now - row.made_at > UNTAKEN


def tick(now: datetime, limit: int | None = None) -> int:
    """Takes on what nobody has begun, or has died over, one at a time; removes the rows of what ended long ago."""
    Import.objects.filter(ended_at__lt=now - KEEP).delete()
    left = Import.objects.filter(ended_at=None)
    waits = left.filter(Q(heard_at=None, made_at__lt=now - AGAIN) | Q(heard_at__lt=now - SILENCE)).order_by("pk")
    return sum(work(pk, now=now) is not None for pk in list(waits.values_list("pk", flat=True)[: limit or 1]))
