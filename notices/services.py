"""Marking notices read, and muting a campaign's for oneself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign import keys
from campaign.models import Campaign
from notices import webhooks
from notices.channels.services import must_have_channels
from notices.models import Channel, Feed, Mute, Notice, Service


def mark_read(
    user: Any, *, notices: Iterable[int] | None = None, campaign: Campaign | None = None, now: datetime | None = None
) -> int:
    """Mark the user's own as read: those of these keys, those of a campaign, or all. Tells how many were new."""
    rows = Notice.objects.filter(user_id=user.pk, read_at=None)
    if notices is not None:
        rows = rows.filter(pk__in=list(notices))
    if campaign is not None:
        rows = rows.filter(campaign=campaign)
    return rows.update(read_at=now or timezone.now())


def mute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """From now on this person hears of the campaign only what waits for him, and that on the bell alone."""
    Mute.objects.get_or_create(user_id=user.pk, campaign=campaign, defaults={"at": now or timezone.now()})


@transaction.atomic
def unmute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """He hears of it again; what came meanwhile counts as read."""
    if Mute.objects.filter(user_id=user.pk, campaign=campaign).delete()[0]:
        mark_read(user, campaign=campaign, now=now)


# Feeds: an address a person gives to his reader or calendar. Whoever has it reads them; it is shown once and revoked at will.

LOOKED = timedelta(hours=1)
"""How exactly it is kept when a feed was last read."""


def of_person(user: Any) -> dict[str, Feed]:
    """The feeds that are open, by what they tell."""
    return {one.what: one for one in Feed.objects.filter(user_id=user.pk, revoked_at=None)}


@transaction.atomic
def make(user: Any, what: str, now: datetime | None = None) -> str:
    """A new address in place of the old one. Its token, which nobody can look up later."""
    must_have_channels(user)
    revoke(user, what, now)
    token = keys.new_token()
    Feed.objects.create(user=user, what=Feed.What(what), token_hash=keys.token_hash(token), created_at=now or timezone.now())
    return token


def revoke(user: Any, what: str, now: datetime | None = None) -> None:
    Feed.objects.filter(user_id=user.pk, what=what, revoked_at=None).update(revoked_at=now or timezone.now())


def opened(token: str, what: str, now: datetime | None = None) -> Feed | None:
    """The feed of this token, None where there is none any more, or its owner may have none."""
    at = now or timezone.now()
    feed = Feed.objects.filter(token_hash=keys.token_hash(token), what=what, revoked_at=None).select_related("user").first()
    if feed is None or not feed.user.is_active or feed.user.guest or feed.user.demo:
        return None
    if feed.used_at is None or at - feed.used_at > LOOKED:
        Feed.objects.filter(pk=feed.pk).update(used_at=at)
    return feed


# What is kept of somebody to tell him things, when he is erased.


def erase(user: Any, at: datetime) -> list[str]:
    """His channels with their wishes and deliveries, his feeds, his notices. A campaign's channel stays the campaign's; of its
    webhooks those go that he set up, which lead to a place of his own."""
    lines = []
    for what, rows in (
        ("channels", Channel.objects.filter(user=user, campaign=None)),
        ("feeds", Feed.objects.filter(user=user)),
        ("muted campaigns", Mute.objects.filter(user=user)),
        ("notices", Notice.objects.filter(user=user)),
    ):
        lines.append(f"{rows.count()} {what}")
        rows.delete()
    lines.append(f"{webhooks.remove_webhooks_of(user, at)} webhooks")
    return lines


def end_unproven(user: Any, at: datetime) -> None:
    """Channels, feeds and webhooks that were set up before the person's address was proven: they may lead to somebody else.
    Letters go to the proven address and stay."""
    Channel.objects.filter(user=user, campaign=None).exclude(service=Service.EMAIL).delete()
    Feed.objects.filter(user=user).delete()
    webhooks.remove_webhooks_of(user, at)
