"""From notices to what leaves: each into the deliveries of the channels that its reader wants it through, once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from notices.channels import mail
from notices.models import Channel, Delivery, How, Item, Mute, Notice, Service, Wish
from notices.wishes import how

MOST = 500
"""Notices looked at in one transaction; whoever is among them has all of his looked at."""


def claimable(found: QuerySet[Any]) -> QuerySet[Any]:
    """Rows that nobody else holds. SQLite has one writer at a time, and its transactions begin by being that."""
    return found.select_for_update(skip_locked=True)


@transaction.atomic
def route(now: datetime, limit: int = MOST) -> int:
    """Put what nobody has looked at yet into deliveries. How many notices these were; none of them is looked at again."""
    waiting = Notice.objects.filter(routed_at=None)
    users = set(waiting.order_by("pk").values_list("user_id", flat=True)[:limit])
    if not users:
        return 0
    found = list(claimable(waiting.filter(user__in=users).order_by("pk")))
    fill(found, now)
    return Notice.objects.filter(pk__in=[one.pk for one in found], routed_at=None).update(routed_at=now)


def fill(found: list[Notice], now: datetime) -> None:
    """Make or find the deliveries and put the notices into them."""
    channels = _channels(found, now)
    wished = {
        (channel, kind): said
        for channel, kind, said in Wish.objects.filter(channel__in=channels).values_list("channel_id", "kind", "how")
    }
    silent = muted(found)
    items: dict[tuple[int, str], list[tuple[Channel, Notice]]] = defaultdict(list)
    for notice in found:
        for channel in channels:
            personal = channel.campaign_id is None
            if (personal and channel.user_id != notice.user_id) or (not personal and channel.campaign_id != notice.campaign_id):
                continue
            if personal and (notice.user_id, notice.campaign_id) in silent:
                continue
            said = how(channel, notice.kind, wished)
            if said != How.OFF:
                items[channel.pk, said].append((channel, notice))
    for (_channel, said), listed in items.items():
        delivery = waiting(listed[0][0], said, now)
        Item.objects.bulk_create(
            [Item(delivery=delivery, channel=channel, notice=notice, told=told(notice)) for channel, notice in listed],
            ignore_conflicts=True,
        )


def muted(found: Iterable[Notice]) -> set[tuple[int, int]]:
    """Who hears nothing of which campaign, among those these notices are for. One query."""
    kept = Mute.objects.filter(user__in={one.user_id for one in found})
    return set(kept.values_list("user_id", "campaign_id"))


def told(notice: Notice) -> str:
    """What is told, whoever is told it: a campaign's channel says it once, though many have a notice of it."""
    return f"{notice.entry_id}/{notice.kind}/{notice.about}"


def _channels(found: Iterable[Notice], now: datetime) -> list[Channel]:
    """The channels these notices may go through. Whoever's address is confirmed has a letter box from his first notice on."""
    users = {one.user_id for one in found}
    boxes = Channel.objects.filter(service=Service.EMAIL, removed_at=None)
    missing = users - set(boxes.filter(user__in=users).values_list("user_id", flat=True))
    people = mail.EmailAddress.objects.filter(
        user__in=missing, verified=True, user__is_active=True, user__guest=False, user__demo=False
    )
    made = [
        Channel(user_id=user, service=Service.EMAIL, created_at=now, confirmed_at=now)
        for user in set(people.values_list("user_id", flat=True))
    ]
    Channel.objects.bulk_create(made, ignore_conflicts=True)
    own = Q(campaign=None, user__in=users, user__is_active=True, user__guest=False, user__demo=False)
    whose = own | Q(campaign__in={one.campaign_id for one in found})
    open_ones = Channel.objects.filter(whose, active=True, removed_at=None, confirmed_at__isnull=False)
    return list(open_ones.select_related("user", "campaign"))


def waiting(channel: Channel, form: str, now: datetime) -> Delivery:
    """The delivery of this form that waits for its first attempt, locked; a new one where there is none.

    Who takes a delivery locks it too: so nothing is put into one that is being sent.
    """
    found = Delivery.objects.filter(channel=channel, form=form, state=Delivery.State.WAITING, attempts=0)
    one = found.select_for_update().order_by("pk").first()
    if one is not None:
        return one
    due = morning(channel, now) if form == How.DIGEST else now
    try:
        with transaction.atomic():
            return Delivery.objects.create(channel=channel, form=form, made_at=now, next_at=due)
    except IntegrityError:  # another tick has made the daily letter meanwhile
        return found.select_for_update().get()


def morning(channel: Channel, now: datetime) -> datetime:
    """The next time that it is the channel's hour where its reader is."""
    owner = channel.campaign.time_zone if channel.campaign is not None else channel.user.time_zone
    zone = ZoneInfo(owner)
    local = now.astimezone(zone)
    day = local.date()
    for _day in range(3):
        at = datetime.combine(day, time(channel.digest_hour), zone)
        if at > now:
            return at.astimezone(ZoneInfo("UTC"))
        day += timedelta(days=1)
    raise AssertionError("no morning")  # an hour that a change of clocks leaves out is read as the one after it
