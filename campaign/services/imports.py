"""Records on their way to become campaigns, and scenarios on their way to a shelf: kept when they are sent, worked at
elsewhere, one at a time a person, founded whole or not at all.

Who works at one says so each second. Nothing is founded before the last move has been replayed, and then in one transaction
with the row that says so: whoever dies in the middle leaves nothing but the row, which the next pulse takes on again.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import Refused, TableError
from campaign.models import Campaign, Import
from campaign.pulse import where
from campaign.services import log, shelf
from campaign.services.founding import describe_row
from campaign.services.importing import import_record, judge
from engine.language import spoken
from engine.log import canonical
from engine.strict_json import read
from games.registry import TITLES

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


class TooLong(Exception):
    """It has taken longer than one thing of one person may."""


def keep(
    user: Any, record: bytes, name: str, time_zone: str, visibility: str, *, now: datetime | None = None
) -> tuple[Import, bool]:
    """A record that was sent, kept until it is worked at, and whether it is new: the same a second time is the first one.

    Raises `Refused` for what the form says wrong, and where this person has sent too much that is not done.
    """
    access.must_have_account(user)
    describe_row(Campaign(), name, time_zone, visibility)
    facts = {"name": name.strip(), "time_zone": time_zone, "visibility": visibility}
    return _keep(user, Import.Kind.RECORD, record, facts, [name.strip(), time_zone, visibility], log.moment(now))


def keep_scenario(
    user: Any, title: str, text: str, drawing: str, sharing: str, name: str = "", *, now: datetime | None = None
) -> tuple[Import, bool]:
    """A scenario that was sent for one's shelf with what stood beside it as its drawing, kept likewise."""
    access.must_have_account(user)
    shelf.must_be_sharing(sharing)
    sent = canonical({"text": text, "drawing": drawing}).encode()
    facts = {"title": title, "name": name[:100], "time_zone": "", "visibility": sharing}
    return _keep(user, Import.Kind.SCENARIO, sent, facts, ["scenario", title, sharing], log.moment(now))


@transaction.atomic
def _keep(user: Any, kind: str, sent: bytes, facts: dict[str, str], same: list[str], at: datetime) -> tuple[Import, bool]:
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    digest = sha256(canonical(same).encode() + sent).hexdigest()
    mine = Import.objects.filter(user=user)
    again = mine.filter(digest=digest).filter(Q(ended_at=None) | Q(state=State.FOUNDED, made_at__gt=at - AGAIN)).first()
    if again is not None:
        return again, False
    if mine.filter(ended_at=None).count() >= MOST_OPEN:
        raise Refused("too-many", _("Three things that you sent are still being read. Wait until one of them is done."))
    made = Import.objects.create(
        user=user, kind=kind, language=get_language() or "en", content=zlib.compress(sent), digest=digest, made_at=at, **facts
    )
    return made, True


def work(pk: int, *, now: datetime | None = None, lasts: float | None = None) -> Import | None:
    """Take it on from the start: read, replay or lay out, write. None where there is nothing to do, or somebody is at it, or
    at another one of the same person.

    `now` is the moment of the founding, and of the first sign of life; the later ones are the clock's. It ends after `lasts`
    seconds, by default `settings.IMPORT_SECONDS`.
    """
    row = _claim(pk, log.moment(now))
    if row is None:
        return None
    limit = monotonic() + (settings.IMPORT_SECONDS if lasts is None else lasts)
    try:
        with translation.override(row.language), spoken(row.language):
            return (_take_over if row.kind == Import.Kind.RECORD else _put_on_shelf)(row, Teller(row, limit), now)
    except Overtaken:
        return None
    except (TooLong, SoftTimeLimitExceeded):
        return _end(row, State.TOO_LONG, log.moment(now))
    except TableError as refused:
        return _end(row, State.FAULTY, log.moment(now), [str(refused)])
    except OperationalError as error:  # the database was away or busy: the next pulse tries again
        logger.warning("Import %d: %s", pk, where(error))
        return None
    except Exception as error:
        logger.error("Import %d: %s", pk, where(error))
        return _end(row, State.STOPPED, log.moment(now))


def _take_over(row: Import, tell: Teller, now: datetime | None) -> Import | None:
    judged = judge(zlib.decompress(row.content), tell)
    if judged.faults:
        return _end(row, State.FAULTY, log.moment(now), judged.faults)
    tell.report_step(state=State.WRITING, done=len(judged.moves), of=len(judged.moves))
    with transaction.atomic():
        locked, at = _mine(row), log.moment(now)
        locked.campaign = import_record(locked.user, judged, row.name, row.time_zone, row.visibility, now=at)
        return _close(locked, State.FOUNDED, at)


def _put_on_shelf(row: Import, tell: Teller, now: datetime | None) -> Import | None:
    sent = read(zlib.decompress(row.content))
    look: Callable[..., shelf.Judged] = import_string(settings.SCENARIO_JUDGE)
    judged = look(TITLES[row.title], sent["text"], sent["drawing"])
    if judged.faults:
        return _end(row, State.FAULTY, log.moment(now), [f"{fault}." for fault in judged.faults])
    tell.report_step(state=State.WRITING)
    with transaction.atomic():
        locked, at = _mine(row), log.moment(now)
        locked.scenario = shelf.put(locked.user, row.title, judged.scenario, judged.drawing, row.visibility, now=at)
        return _close(locked, State.FOUNDED, at)


def _busy(user: int, at: datetime) -> QuerySet[Import]:
    """What of this person's somebody works at."""
    return Import.objects.filter(user=user, ended_at=None, heard_at__gt=at - SILENCE)


@transaction.atomic
def _claim(pk: int, at: datetime) -> Import | None:
    whose = Import.objects.filter(pk=pk, ended_at=None).values_list("user_id", flat=True).first()
    if whose is None:
        return None
    # One at a time a person: who takes another of theirs at the same moment waits here, and finds this one begun.
    get_user_model().objects.select_for_update(no_key=True).get(pk=whose)
    row = Import.objects.select_for_update(of=("self",)).select_related("user").filter(pk=pk, ended_at=None).first()
    if row is None or _busy(whose, at).exists():
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


class Teller:
    """Says once a second how far it is. Raises `Overtaken`, and `TooLong` when the time is over."""

    def __init__(self, row: Import, limit: float) -> None:
        self.row, self.limit, self.last = row, limit, timezone.now() - BEAT

    def __call__(self, done: int, of: int) -> None:
        """So many moves have been replayed."""
        if monotonic() >= self.limit:
            raise TooLong
        if (at := timezone.now()) - self.last >= BEAT:
            self.last = at
            _say(self.row, state=State.REPLAYING, done=done, of=of)

    def report_step(self, **how: Any) -> None:
        """A step is done."""
        if monotonic() >= self.limit:
            raise TooLong
        _say(self.row, **how)


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
    row.save(update_fields=["state", "ended_at", "content", "faults", "campaign", "scenario"])
    return row


def untaken(row: Import, now: datetime) -> bool:
    """Does it wait for a worker that does not run? Not while another one of the same person is worked at."""
    return row.state == State.WAITING and now - row.made_at > UNTAKEN and not _busy(row.user_id, now).exists()


def next_of(pk: int) -> list[int]:
    """What the same person has sent and nobody has begun: it waited until this one was done."""
    whose = Import.objects.filter(pk=pk).values("user")
    return list(Import.objects.filter(user__in=whose, ended_at=None, heard_at=None).order_by("pk").values_list("pk", flat=True))


def tick(now: datetime, limit: int | None = None) -> int:
    """Takes on what nobody has begun, or has died over, one at a time; removes the rows of what ended long ago."""
    Import.objects.filter(ended_at__lt=now - KEEP).delete()
    left = Import.objects.filter(ended_at=None)
    waits = left.filter(Q(heard_at=None, made_at__lt=now - AGAIN) | Q(heard_at__lt=now - SILENCE)).order_by("pk")
    done = 0
    for pk in list(waits.values_list("pk", flat=True)):
        if done == (limit or 1):
            break
        done += work(pk, now=now) is not None
    return done
