"""Marking notices read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaign.models import Campaign
from notices.models import Notice


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
