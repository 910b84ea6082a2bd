"""Feeds: an address a person gives to his reader or calendar. Whoever has it reads them; it is shown once and revoked at will."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign import keys
from notices.models import Feed
from notices.services.channels import must_have_channels

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
