"""What is sent through channels, and when. `tick` may run at any time, in any number of processes.

A delivery is taken in a short transaction of its own, sent outside of any, and marked in a third.
It is not taken again until `LEASE` has passed; then the process that took it has died. An e-mail is
sent again under its old Message-ID, so that a mail program shows it once. A message to a chat is
not sent again, because no one can look whether it has arrived.
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
from notices import boards, selectors
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
from notices.registry import KINDS
from notices.wording import NoticeInWords, notices_in_words

LOG = logging.getLogger(__name__)
State = Delivery.State
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240, 720, 1440))
"""The pauses between attempts. After the attempt that follows the last pause, it has failed."""
ENOUGH = 8
"""After this number of failures in a row a channel is switched off."""
DIED = gettext_noop(
    "The process that sent it was stopped in the middle. It may have arrived; it is not sent again."
)


def tick(now: datetime, limit: int | None = None) -> int:
    """Put new notices into deliveries, send at most `limit` messages that are due, bring boards up
    to date. Return how many messages were tried.
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
        while (limit is None or done < limit) and (taken := take(now, clock())) is not None:
            done += 1
            outcome = deliver(taken, Sending(clock(), mail_server))
            # This is not inside `deliver`, which catches errors: a delivery that cannot be marked
            # stays taken, and is not sent again at once.
            close(taken, outcome, clock())
    finally:
        mail_server.close()
    return done + boards.tick(now, clock, None if limit is None else limit - done)


@transaction.atomic
def take(now: datetime, at: datetime) -> Delivery | None:
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
    """Look after deliveries that were taken and never marked.

    If a second message would take the place of the first, it is sent again, once. Of all others no
    one knows whether they have arrived.
    """
    taken = Delivery.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE)
    deliveries = list(claimable(taken))
    channels = Channel.objects.in_bulk([delivery.channel_id for delivery in deliveries])
    for delivery in deliveries:
        is_repeatable = type_of(channels[delivery.channel_id]).is_repeatable
        again = is_repeatable and delivery.last_error != DIED
        delivery.state = State.WAITING if again else State.DOUBTFUL
        delivery.last_error = DIED
        delivery.done_at = None if again else now
        delivery.save(update_fields=["state", "last_error", "done_at"])
    return len(deliveries)


def deliver(delivery: Delivery, sending: Sending) -> NotSent | str | datetime:
    """Send a delivery in its reader's language. Return what became of it: a state (dropped if no
    one needs it), what went wrong, or when it may be sent.
    """
    channel = delivery.channel
    if (later := quiet_until(channel, sending.now)) is not None:
        return later
    try:
        with services.reader(channel):
            return _send(delivery, sending)
    except NotSent as error:
        return error
    except Exception as error:
        # One that breaks must not keep the others. What was said to it may hold a secret: its name
        # says enough.
        LOG.error("Delivery %d broke: %s", delivery.pk, type(error).__name__)
        return NotSent(type(error).__name__, ours=True)


def _send(delivery: Delivery, sending: Sending) -> str:
    """Send what a delivery has. Return its state then. Raises `NotSent`."""
    channel, channel_type = delivery.channel, type_of(delivery.channel)
    if not services.open_to(channel) or not channel_type.is_reachable(channel):
        return State.DROPPED
    if delivery.form == Delivery.Form.WORD:
        channel_type.send_message(delivery, message_of(delivery), sending)
        return State.SENT
    notices = still_relevant(delivery)
    if not notices:
        return State.DROPPED
    channel_type.send_notices(delivery, notices, sending)
    return State.SENT


def close(delivery: Delivery, outcome: NotSent | str | datetime, now: datetime) -> None:
    """Mark the outcome of a delivery, unless its lease has run out."""
    if isinstance(outcome, NotSent):
        return failed(delivery, outcome, now)
    if isinstance(outcome, datetime):  # nothing was tried; notices that come meanwhile join it
        leased(delivery).update(state=State.WAITING, next_at=outcome, attempts=F("attempts") - 1)
        return None
    leased(delivery).update(state=outcome, done_at=now, last_error="")
    if outcome == State.SENT:
        services.arrived(delivery.channel, now)
    return None


def leased(delivery: Delivery) -> QuerySet[Delivery]:
    """Return the row, unless the lease has run out and another process has taken it over."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)


def failed(delivery: Delivery, error: NotSent, now: datetime) -> None:
    """Store why a delivery has failed, and when it is tried again, if at all. A channel that keeps
    failing is switched off, and its owner is notified.
    """
    why = str(error)[:300]
    last = error.gone or error.doubtful or delivery.attempts > len(BACK_OFF)
    if last:
        state = State.DOUBTFUL if error.doubtful else State.FAILED
        leased(delivery).update(state=state, done_at=now, last_error=why)
    else:
        wait = BACK_OFF[delivery.attempts - 1]
        leased(delivery).update(state=State.WAITING, next_at=now + wait, last_error=why)
    services.refused(
        delivery.channel, why, now, gone=error.gone, counts=not error.ours, enough=ENOUGH
    )


# Notices are put into deliveries of the channels that their readers want them through, each once.

MOST_ROUTED = 500
"""Notices of one transaction; a user among their readers has all of theirs routed in it."""


def claimable(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows that no other process holds, locked.

    SQLite has one writer at a time, and its transactions begin as that writer.
    """
    return rows.select_for_update(skip_locked=True)


@transaction.atomic
def route(now: datetime, limit: int = MOST_ROUTED) -> int:
    """Put notices that are not routed yet into deliveries. Return how many notices these were; none
    of them is routed again.
    """
    waiting = Notice.objects.filter(routed_at=None)
    users = set(waiting.order_by("pk").values_list("user_id", flat=True)[:limit])
    if not users:
        return 0
    notices = list(claimable(waiting.filter(user__in=users).order_by("pk")))
    fill(notices, now)
    return Notice.objects.filter(pk__in=[one.pk for one in notices], routed_at=None).update(
        routed_at=now
    )


def fill(notices: list[Notice], now: datetime) -> None:
    """Put notices into the deliveries that wait for more, or into new ones."""
    channels = _channels(notices, now)
    wished = {
        (channel, kind): how
        for channel, kind, how in NoticePreference.objects.filter(channel__in=channels).values_list(
            "channel_id", "kind", "mode"
        )
    }
    silent = muted(notices)
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
        delivery = waiting(listed[0][0], how, now)
        DeliveryItem.objects.bulk_create(
            [
                DeliveryItem(
                    delivery=delivery, channel=channel, notice=notice, notice_key=once_each(notice)
                )
                for channel, notice in listed
            ],
            ignore_conflicts=True,
        )


def muted(notices: Iterable[Notice]) -> set[tuple[int, int]]:
    """Return user and campaign of the readers of these notices who have muted a campaign."""
    kept = Mute.objects.filter(user__in={one.user_id for one in notices})
    return set(kept.values_list("user_id", "campaign_id"))


def once_each(notice: Notice) -> str:
    """Return what is the same for all readers of a notice: a campaign's channel sends it once,
    although many users have it.
    """
    return f"{notice.entry_id}/{notice.kind}/{notice.about}"


def _channels(notices: Iterable[Notice], now: datetime) -> list[Channel]:
    """Return the channels through which these notices may be sent. A user with a confirmed address
    has an e-mail channel from the first notice on.
    """
    users = {one.user_id for one in notices}
    boxes = Channel.objects.filter(service=Service.EMAIL, removed_at=None)
    missing = users - set(boxes.filter(user__in=users).values_list("user_id", flat=True))
    people = EmailAddress.objects.filter(
        user__in=missing, verified=True, user__is_active=True, user__guest=False, user__demo=False
    )
    fresh = [
        Channel(user_id=user, service=Service.EMAIL, created_at=now, confirmed_at=now)
        for user in set(people.values_list("user_id", flat=True))
    ]
    Channel.objects.bulk_create(fresh, ignore_conflicts=True)
    own = Q(
        campaign=None, user__in=users, user__is_active=True, user__guest=False, user__demo=False
    )
    whose = own | Q(campaign__in={one.campaign_id for one in notices})
    open_ones = Channel.objects.filter(
        whose, active=True, removed_at=None, confirmed_at__isnull=False
    )
    return list(open_ones.select_related("user", "campaign"))


def waiting(channel: Channel, form: str, now: datetime) -> Delivery:
    """Return the delivery of this form that waits for its first attempt, locked; a new one if there
    is none.

    `take` locks a delivery too, so nothing is put into one that is being sent.
    """
    rows = Delivery.objects.filter(
        channel=channel, form=form, state=Delivery.State.WAITING, attempts=0
    )
    one = rows.select_for_update().order_by("pk").first()
    if one is not None:
        return one
    due = morning(channel, now) if form == DeliveryMode.DIGEST else now
    try:
        with transaction.atomic():
            return Delivery.objects.create(channel=channel, form=form, made_at=now, next_at=due)
    except IntegrityError:  # another tick has made the daily letter meanwhile
        return rows.select_for_update().get()


def morning(channel: Channel, now: datetime) -> datetime:
    """Return the next moment of the hour of a channel's daily e-mail, in its reader's time zone."""
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
    raise AssertionError(
        "no such hour"
    )  # one that a change of clocks leaves out is read as the one after it


def quiet_until(channel: Channel, now: datetime) -> datetime | None:
    """Return the end of a channel's quiet hours; None if it is not in them now."""
    if channel.quiet_from is None or channel.quiet_to is None:
        return None
    begins, ends = (
        next_hour(channel, hour, now) for hour in (channel.quiet_from, channel.quiet_to)
    )
    return ends if ends < begins else None


# Of the notices in a delivery, those are sent that its reader may see and still needs.


def still_relevant(delivery: Delivery) -> list[NoticeInWords]:
    """Return the notices of a delivery that are still to be sent: none that is struck, read
    meanwhile, or about a seat that the reader no longer holds.
    """
    channel = delivery.channel
    if channel.campaign_id is None:
        notices = selectors.unread(channel.user).filter(items__delivery=delivery)
        kept = still_his(channel.user, notices.exclude(campaign__mutes__user=channel.user))
    else:
        kept = [
            one
            for one in Notice.objects.filter(
                items__delivery=delivery, kind__in=KINDS
            ).select_related("campaign", "entry", "entry__struck_by")
            if one.entry.audience_id is None and KINDS[one.kind].is_public and readable(one)
        ]
    return [one for one in notices_in_words(kept) if not one.struck and still(one.notice)]


def readable(notice: Notice) -> bool:
    """Return whether the host lets anyone read the notice."""
    return not notice.campaign.suspended or KINDS[notice.kind].outlasts_suspension


def still(notice: Notice) -> bool:
    """Return whether what a notice says still holds."""
    return not KINDS[notice.kind].is_overtaken(notice)


def still_his(user: Any, notices: Iterable[Notice]) -> list[Notice]:
    """Return the notices that a user has as such, or as the holder of a seat that they hold now.

    Who leaves a seat loses sight at once. Of a campaign that the host has suspended no one reads
    more than that it is suspended.
    """
    listed = [one for one in notices if readable(one)]
    seats = {(one.campaign_id, one.seat) for one in listed if one.seat}
    if not seats:
        return listed
    held = Membership.objects.filter(
        Q(campaign__in={c for c, _seat in seats}), user_id=user.pk, until=None
    )
    his = {
        (campaign, GAME_MASTER if role in Membership.MASTERS else seat)
        for campaign, role, seat in held.values_list("campaign_id", "role", "seat")
        if role in (*Membership.MASTERS, Membership.Role.SEAT)
    }
    return [one for one in listed if not one.seat or (one.campaign_id, one.seat) in his]


def message_of(delivery: Delivery) -> ChannelMessage:
    """Return the message of a delivery about the reader's channels: a test, or that a channel was
    switched off.
    """
    facts = delivery.facts
    if facts.get("trial"):
        return services.trial_message(delivery.channel)
    off = Channel.objects.select_related("campaign").get(pk=facts["channel"])
    named = {"name": off.called, "why": facts["why"]}
    body = _("Nothing arrived there any more: %(why)s Correct it and switch it on again.") % named
    return ChannelMessage(_("%(name)s is switched off") % named, body, settings_url(off))
