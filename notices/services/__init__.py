"""Marking notices read, and muting a campaign's for oneself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.models import Campaign
from notices.models import Mute, Notice


def mark_read(
    user: Any, *, notices: Iterable[int] | None = None, campaign: Campaign | None = None, now: datetime | None = None
) -> int:
    """Mark the user's own as read: those of these keys, those of a campaign, or all. Tells how many were new."""
    found = Notice.objects.filter(user_id=user.pk, read_at=None)
    if notices is not None:
        found = found.filter(pk__in=list(notices))
    if campaign is not None:
        found = found.filter(campaign=campaign)
    return found.update(read_at=now or timezone.now())


def mute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """From now on this person hears of the campaign only what waits for him, and that on the bell alone."""
    Mute.objects.get_or_create(user_id=user.pk, campaign=campaign, defaults={"at": now or timezone.now()})


@transaction.atomic
def unmute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """He hears of it again; what came meanwhile counts as read."""
    if Mute.objects.filter(user_id=user.pk, campaign=campaign).delete()[0]:
        mark_read(user, campaign=campaign, now=now)
