"""The delivery of notices through channels.

`tick` may run at any time, in any number of processes. A delivery is taken in a short transaction
of its own, sent outside of any transaction, and marked in a third step. It is not taken again until
`LEASE` has passed; by then the process that took it must have died. An e-mail is sent again under
its old Message-ID, so that a mail program shows it once. A message to a chat is not sent again,
because no one can find out whether it has arrived.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.models import GAME_MASTER, Membership
from notices import selectors, waiting_message
from notices.channels import NotSent, services
from notices.channels.channel_type import ChannelMessage, Sending, settings_url
from notices.channels.mail_server import MailServer
from notices.channels.registry import type_of
from notices.models import (
    Channel,
    Delivery,
    DeliveryItem,
    DeliveryMode,
    Mute,
    Notice,
    NoticePreference,
    Service,
)
from notices.preferences import preference_for
from notices.present import Present
from notices.registry import KINDS
from notices.wording import NoticeInWords, notices_in_words

LOG = logging.getLogger(__name__)
State = Delivery.State
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240, 720, 1440))
"""The pauses between attempts. A delivery fails with the attempt that follows the last pause."""
MOST_FAILURES = 8
"""The number of failures in a row after which a channel is switched off."""
INTERRUPTED = gettext_noop(
    "The process that sent it was stopped while sending. It may have arrived, so it is not sent "
    "again."
)


def tick(now: datetime, limit: int | None = None) -> int:
    """Put new notices into deliveries, send messages that are due, and bring boards up to date.

    Sends at most `limit` messages. Returns how many were tried.
    """
    start = monotonic()

    def clock() -> datetime:
        """Return `now` plus the time that this tick has taken, for leases."""
        return now + timedelta(seconds=monotonic() - start)

    while route(now):
        pass
    recover(clock())
    done = 0
    mail_server = MailServer()
    try:
        while (limit is None or done < limit) and (
            taken := take_delivery(now, clock())
        ) is not None:
            done += 1
            outcome = deliver(taken, Sending(clock(), mail_server))
            # This is outside `deliver`, which catches errors: a delivery that cannot be marked
            # remains taken, and is not sent again at once.
            store_outcome(taken, outcome, clock())
    finally:
        mail_server.close()
    return done + waiting_message.tick(now, clock, None if limit is None else limit - done)


@transaction.atomic
def take_delivery(now: datetime, at: datetime) -> Delivery | None:
    """Return the next delivery that is due, marked as taken at `at`."""
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now).order_by("next_at", "pk")
    delivery = claimable(due).first()
    if delivery is None:
        return None
    taken = Delivery.objects.filter(pk=delivery.pk, state=State.WAITING)
    taken.update(state=State.SENDING, taken_at=at, attempts=F("attempts") + 1)
    return Delivery.objects.select_related("channel__user", "channel__campaign").get(pk=delivery.pk)


@transaction.atomic
def recover(now: datetime) -> int:
    """Settle deliveries that were taken and never marked.

    If a second message would replace the first, it is sent again, once. All others become doubtful,
    because no one knows whether they have arrived.
    """
    taken = Delivery.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE)
    deliveries = list(claimable(taken))
    channels = Channel.objects.in_bulk([delivery.channel_id for delivery in deliveries])
    for delivery in deliveries:
        is_repeatable = type_of(channels[delivery.channel_id]).is_repeatable
        again = is_repeatable and delivery.last_error != INTERRUPTED
        delivery.state = State.WAITING if again else State.DOUBTFUL
        delivery.last_error = INTERRUPTED
        delivery.done_at = None if again else now
        delivery.save(update_fields=["state", "last_error", "done_at"])
    return len(deliveries)


def deliver(delivery: Delivery, sending: Sending) -> NotSent | str | datetime:
    """Send a delivery in its reader's language and return the outcome.

    It is a state (`DROPPED` if the message is no longer needed), an error, or the moment when it
    may be sent.
    """
    channel = delivery.channel
    if (later := quiet_until(channel, sending.now)) is not None:
        return later
    try:
        with services.in_reader_language(channel):
            return _send(delivery, sending)
    except NotSent as error:
        return error
    except Exception as error:
        # An error in one delivery must not stop the others. The text of the error may contain a
        # secret, so only its type is logged.
        LOG.error("Delivery %d broke: %s", delivery.pk, type(error).__name__)
        return NotSent(type(error).__name__, blameless=True)


def _send(delivery: Delivery, sending: Sending) -> str:
    """Send a delivery and return its new state.

    Raises:
        NotSent: The message could not be sent.
    """
    channel, channel_type = delivery.channel, type_of(delivery.channel)
    if not services.is_usable(channel) or not channel_type.is_reachable(channel):
        return State.DROPPED
    if delivery.form == Delivery.Form.WORD:
        channel_type.send_message(delivery, build_message(delivery), sending)
        return State.SENT
    notices = still_relevant(delivery, sending.now)
    if not notices:
        return State.DROPPED
    channel_type.send_notices(delivery, notices, sending)
    return State.SENT


def store_outcome(delivery: Delivery, outcome: NotSent | str | datetime, now: datetime) -> None:
    """Mark the outcome of a delivery, unless its lease has run out."""
    if isinstance(outcome, NotSent):
        return store_failure(delivery, outcome, now)
    # Nothing was tried. Notices that come meanwhile are added to this delivery.
    if isinstance(outcome, datetime):
        leased_row(delivery).update(
            state=State.WAITING, next_at=outcome, attempts=F("attempts") - 1
        )
        return None
    leased_row(delivery).update(state=outcome, done_at=now, last_error="")
    if outcome == State.SENT:
        services.store_success(delivery.channel, now)
    return None


def leased_row(delivery: Delivery) -> QuerySet[Delivery]:
    """Return the row, unless the lease has run out and another process has taken it over."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)


def store_failure(delivery: Delivery, error: NotSent, now: datetime) -> None:
    """Store why a delivery has failed, and when it is tried again, if at all.

    A channel that keeps failing is switched off, and its owner is notified.
    """
    why = str(error)[:300]
    last = error.gone or error.doubtful or delivery.attempts > len(BACK_OFF)
    if last:
        state = State.DOUBTFUL if error.doubtful else State.FAILED
        leased_row(delivery).update(state=state, done_at=now, last_error=why)
    else:
        wait = BACK_OFF[delivery.attempts - 1]
        leased_row(delivery).update(state=State.WAITING, next_at=now + wait, last_error=why)
    services.store_failure(
        delivery.channel,
        why,
        now,
        gone=error.gone,
        counts=not error.blameless,
        enough=MOST_FAILURES,
    )


# Routing: each notice is put once into the deliveries of the channels that its readers have chosen

MOST_ROUTED = 500
"""The approximate number of notices that one transaction routes.

All notices of a user are routed in the same transaction.
"""


def claimable(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows that no other process has locked, and lock them.

    SQLite has one writer at a time, and its transactions begin as that writer.
    """
    return rows.select_for_update(skip_locked=True)


@transaction.atomic
def route(now: datetime, limit: int = MOST_ROUTED) -> int:
    """Put notices that are not routed yet into deliveries. Return how many notices these were.

    No notice is routed twice.
    """
    waiting = Notice.objects.filter(routed_at=None)
    users = set(waiting.order_by("pk").values_list("user_id", flat=True)[:limit])
    if not users:
        return 0
    notices = list(claimable(waiting.filter(user__in=users).order_by("pk")))
    add_to_deliveries(notices, now)
    return Notice.objects.filter(pk__in=[notice.pk for notice in notices], routed_at=None).update(
        routed_at=now
    )


def add_to_deliveries(notices: list[Notice], now: datetime) -> None:
    """Put notices into deliveries that still wait for more, or into new ones."""
    channels = _channels(notices, now)
    wished = {
        (channel, kind): how
        for channel, kind, how in NoticePreference.objects.filter(channel__in=channels).values_list(
            "channel_id", "kind", "mode"
        )
    }
    silent = muted_pairs(notices)
    items: dict[tuple[int, str], list[tuple[Channel, Notice]]] = defaultdict(list)
    for notice in notices:
        for channel in channels:
            personal = channel.campaign_id is None
            if (personal and channel.user_id != notice.user_id) or (
                not personal and channel.campaign_id != notice.campaign_id
            ):
                continue
            if personal and (notice.user_id, notice.campaign_id) in silent:
                continue
            how = preference_for(channel, notice.kind, wished)
            if how != DeliveryMode.OFF:
                items[channel.pk, how].append((channel, notice))
    for (_channel, how), listed in items.items():
        delivery = waiting_delivery(listed[0][0], how, now)
        DeliveryItem.objects.bulk_create(
            [
                DeliveryItem(
                    delivery=delivery, channel=channel, notice=notice, notice_key=notice_key(notice)
                )
                for channel, notice in listed
            ],
            ignore_conflicts=True,
        )


def muted_pairs(notices: Iterable[Notice]) -> set[tuple[int, int]]:
    """Return the pairs of user and campaign that the readers of these notices have muted."""
    kept = Mute.objects.filter(user__in={notice.user_id for notice in notices})
    return set(kept.values_list("user_id", "campaign_id"))


def notice_key(notice: Notice) -> str:
    """Return the key that a notice has for all its readers.

    By this key a campaign's channel sends it once, although many users have the notice.
    """
    return f"{notice.entry_id}/{notice.kind}/{notice.about}"


def _channels(notices: Iterable[Notice], now: datetime) -> list[Channel]:
    """Return the channels through which these notices may be sent.

    A user with a confirmed address gets an e-mail channel with their first notice.
    """
    users = {notice.user_id for notice in notices}
    boxes = Channel.objects.filter(service=Service.EMAIL, removed_at=None)
    missing = users - set(boxes.filter(user__in=users).values_list("user_id", flat=True))
    people = EmailAddress.objects.filter(
        user__in=missing, verified=True, user__is_active=True, user__guest=False, user__demo=False
    )
    new_channels = [
        Channel(user_id=user, service=Service.EMAIL, created_at=now, confirmed_at=now)
        for user in set(people.values_list("user_id", flat=True))
    ]
    Channel.objects.bulk_create(new_channels, ignore_conflicts=True)
    own = Q(
        campaign=None, user__in=users, user__is_active=True, user__guest=False, user__demo=False
    )
    whose = own | Q(campaign__in={notice.campaign_id for notice in notices})
    open_ones = Channel.objects.filter(
        whose, active=True, removed_at=None, confirmed_at__isnull=False
    )
    return list(open_ones.select_related("user", "campaign"))


def waiting_delivery(channel: Channel, form: str, now: datetime) -> Delivery:
    """Return the locked delivery of this form that waits for its first attempt.

    A new one is created if there is none. `take` locks a delivery too, so nothing is added to a
    delivery that is being sent.
    """
    rows = Delivery.objects.filter(
        channel=channel, form=form, state=Delivery.State.WAITING, attempts=0
    )
    delivery = rows.select_for_update().order_by("pk").first()
    if delivery is not None:
        return delivery
    due = next_digest_time(channel, now) if form == DeliveryMode.DIGEST else now
    try:
        with transaction.atomic():
            return Delivery.objects.create(channel=channel, form=form, made_at=now, next_at=due)
    except IntegrityError:  # Another tick has created the daily e-mail meanwhile.
        return rows.select_for_update().get()


def next_digest_time(channel: Channel, now: datetime) -> datetime:
    """Return when a channel's next daily e-mail is due.

    Its hour is in the time zone of the channel's reader.
    """
    return next_hour(channel, channel.digest_hour, now)


def next_hour(channel: Channel, hour: int, now: datetime) -> datetime:
    """Return the next moment of this hour in the time zone of a channel's reader."""
    owner = channel.campaign.time_zone if channel.campaign is not None else channel.user.time_zone
    zone = ZoneInfo(owner)
    local = now.astimezone(zone)
    day = local.date()
    for _day in range(3):
        at = datetime.combine(day, time(hour), zone)
        if at > now:
            return at.astimezone(ZoneInfo("UTC"))
        day += timedelta(days=1)
    # An hour that a change of clocks skips is read as the hour after it.
    raise AssertionError("no such hour")


def quiet_until(channel: Channel, now: datetime) -> datetime | None:
    """Return the end of a channel's quiet hours; None if it is not in them now."""
    if channel.quiet_from is None or channel.quiet_to is None:
        return None
    begins, ends = (
        next_hour(channel, hour, now) for hour in (channel.quiet_from, channel.quiet_to)
    )
    return ends if ends < begins else None


# Checks whether the reader of a delivery may still see its notices and still needs them


def still_relevant(delivery: Delivery, now: datetime) -> list[NoticeInWords]:
    """Return the notices of a delivery that are still to be sent, with what is expected now.

    Notices that are struck, have been read, are out of date, or are about a seat that the reader no
    longer holds are left out.
    """
    channel = delivery.channel
    if channel.campaign_id is None:
        notices = selectors.unread(channel.user).filter(items__delivery=delivery)
        kept = still_allowed(channel.user, notices.exclude(campaign__mutes__user=channel.user))
    else:
        kept = [
            notice
            for notice in Notice.objects.filter(
                items__delivery=delivery, kind__in=KINDS
            ).select_related("campaign", "entry", "entry__struck_by")
            if notice.entry.audience_id is None
            and KINDS[notice.kind].is_public
            and is_readable(notice)
        ]
    present = Present(kept, now, is_public=channel.campaign_id is not None)
    needed = [
        notice
        for notice in kept
        if notice.entry.struck_by_id is None and is_still_true(notice, present)
    ]
    return notices_in_words(needed, present=present)


def is_readable(notice: Notice) -> bool:
    """Return whether the notice may be read although the host may have suspended the campaign."""
    return not notice.campaign.suspended or KINDS[notice.kind].outlasts_suspension


def is_still_true(notice: Notice, present: Present) -> bool:
    """Return whether a notice is still true."""
    return not KINDS[notice.kind].is_overtaken(notice, present)


def still_allowed(user: Any, notices: Iterable[Notice]) -> list[Notice]:
    """Return the notices that were sent to a user as such, or for a seat that they still hold.

    A member who leaves a seat loses access to its notices at once. While the host has suspended a
    campaign, its only readable notice is that of the suspension.
    """
    listed = [notice for notice in notices if is_readable(notice)]
    seats = {(notice.campaign_id, notice.seat) for notice in listed if notice.seat}
    if not seats:
        return listed
    held = Membership.objects.filter(
        Q(campaign__in={c for c, _seat in seats}), user_id=user.pk, until=None
    )
    held_seats = {
        (campaign, GAME_MASTER if role in Membership.MASTERS else seat)
        for campaign, role, seat in held.values_list("campaign_id", "role", "seat")
        if role in (*Membership.MASTERS, Membership.Role.SEAT)
    }
    return [
        notice
        for notice in listed
        if not notice.seat or (notice.campaign_id, notice.seat) in held_seats
    ]


def build_message(delivery: Delivery) -> ChannelMessage:
    """Return the message of a delivery about the reader's channels.

    It is a test, or says that a channel was switched off.
    """
    facts = delivery.facts
    if facts.get("trial"):
        return services.build_test_message(delivery.channel)
    off = Channel.objects.select_related("campaign").get(pk=facts["channel"])
    named = {"name": off.called, "why": facts["why"]}
    body = (
        _("Notices no longer arrive there: %(why)s Correct the channel and switch it on again.")
        % named
    )
    return ChannelMessage(_("%(name)s has been switched off") % named, body, settings_url(off))
