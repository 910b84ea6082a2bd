"""What leaves, and when. `tick` may run as often as one likes, in as many processes as one likes.

A delivery is taken in a short transaction of its own, sent outside of any, and marked in a third. What is taken is not
taken again until `LEASE` has passed; then who took it has died. A letter is sent once more under its old Message-ID, so
that a mail program shows it once; a message to a chat is not: nobody can look whether it stands there.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.core.mail import get_connection
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_noop

from notices import contents, routing
from notices.channels import NotSent, chat, mail
from notices.models import Channel, Delivery, Service
from notices.services import channels as services

LOG = logging.getLogger(__name__)
State = Delivery.State
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240, 720, 1440))
"""From one attempt to the next; after the eighth it has failed."""
ENOUGH = 8
"""Failures of an address, one after the other, until it is switched off."""
DIED = gettext_noop("Whoever sent it was stopped in the middle. It may have arrived; it is not sent again.")


def tick(now: datetime, limit: int | None = None) -> int:
    """Route what is new, send what is due, look after boards. How many messages were tried, at most `limit`."""
    from notices import boards

    start = monotonic()

    def clock() -> datetime:
        """The time as it goes on while this tick works: a lease begins when its row is taken."""
        return now + timedelta(seconds=monotonic() - start)

    while routing.route(now):
        pass
    recover(clock())
    done = 0
    post = Post()
    try:
        while (limit is None or done < limit) and (taken := take(now, clock())) is not None:
            done += 1
            outcome = say(taken, post)
            # Outside of what is caught: where it cannot be marked it stays taken, and is not said again at once.
            close(taken, outcome, clock())
    finally:
        post.close()
    return done + boards.tick(now, clock, None if limit is None else limit - done)


class Post:
    """One connection to the mail server for all letters of a tick, opened with the first."""

    def __init__(self) -> None:
        self._connection: Any = None

    def connection(self) -> Any:
        if self._connection is None:
            self._connection = get_connection()
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None


@transaction.atomic
def take(now: datetime, at: datetime) -> Delivery | None:
    """The next that is due, marked as being sent, so that nobody else takes it."""
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now).order_by("next_at", "pk")
    found = routing.claimable(due).first()
    if found is None:
        return None
    taken = Delivery.objects.filter(pk=found.pk, state=State.WAITING)
    taken.update(state=State.SENDING, taken_at=at, attempts=F("attempts") + 1)
    return Delivery.objects.select_related("channel__user", "channel__campaign").get(pk=found.pk)


@transaction.atomic
def recover(now: datetime) -> int:
    """What was taken and never marked: a letter goes again, once; of all else nobody knows."""
    found = list(routing.claimable(Delivery.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE)))
    services_of = dict(Channel.objects.filter(pk__in={one.channel_id for one in found}).values_list("pk", "service"))
    for one in found:
        again = services_of[one.channel_id] == Service.EMAIL and one.last_error != DIED
        one.state = State.WAITING if again else State.DOUBTFUL
        one.last_error = DIED
        one.done_at = None if again else now
        one.save(update_fields=["state", "last_error", "done_at"])
    return len(found)


def say(delivery: Delivery, post: Post) -> NotSent | str:
    """Say it, in its reader's language. What became of it: a state, or what went wrong. Nobody needs it: dropped."""
    channel = delivery.channel
    try:
        with contents.reader(channel):
            if not services.open_to(channel):
                return State.DROPPED
            if channel.service != Service.EMAIL:
                text = contents.text(delivery)
                if text is None:
                    return State.DROPPED
                chat.send(services.address_of(channel), text)
                return State.SENT
            to = mail.address(channel.user)
            letter = contents.letter(delivery) if to else None
            if letter is None:
                return State.DROPPED
            mail.send(delivery, to, letter, post.connection())
            return State.SENT
    except NotSent as error:
        if error.ours:
            post.close()  # a connection that broke is not asked again
        return error
    except Exception as error:
        # One that breaks must not keep the others. What was said to it may hold a secret: its name says enough.
        LOG.error("Delivery %d broke: %s", delivery.pk, type(error).__name__)
        return NotSent(type(error).__name__, ours=True)


def close(delivery: Delivery, outcome: NotSent | str, now: datetime) -> None:
    """Mark what became of it, as long as it is still ours."""
    if isinstance(outcome, NotSent):
        return failed(delivery, outcome, now)
    ours(delivery).update(state=outcome, done_at=now, last_error="")
    if outcome == State.SENT:
        services.arrived(delivery.channel, now)
    return None


def ours(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, unless our lease has run out and somebody else has taken it over."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)


def failed(delivery: Delivery, error: NotSent, now: datetime) -> None:
    """Note why, and when to try again, if at all; an address that keeps failing is switched off, and its owner told so."""
    why = str(error)[:300]
    last = error.gone or error.doubtful or delivery.attempts > len(BACK_OFF)
    if last:
        state = State.DOUBTFUL if error.doubtful else State.FAILED
        ours(delivery).update(state=state, done_at=now, last_error=why)
    else:
        wait = BACK_OFF[delivery.attempts - 1]
        ours(delivery).update(state=State.WAITING, next_at=now + wait, last_error=why)
    services.refused(delivery.channel, why, now, gone=error.gone, counts=not error.ours, enough=ENOUGH)
