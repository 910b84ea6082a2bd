"""Kept: who looked at a hidden hand that is not his own, and when (docs/decisions/0027)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from campaign import access
from campaign.models import Campaign, Membership
from campaign.models_looked import Look
from campaign.services import log

READ = frozenset({Look.Way.RECORD, Look.Way.PACK, Look.Way.ORDERS, Look.Way.PROGRAM})
"""What a request that only reads comes to: kept once an hour, so that reading again writes nothing."""


def looked(campaign: Campaign, user: Any, seat: str, how: str, now: datetime | None = None) -> Look | None:
    """Keep that this person came to see what is hidden of a seat; `how` is a `Look.Way`.

    None, and nothing is kept, where nothing is hidden, where he holds the seat himself, and where nobody holds it. Whether he
    may look is for the caller to ask before.
    """
    holders = _holders(campaign)
    return _kept(campaign, user, seat, how, log.moment(now)) if _counts(campaign, user, seat, holders) else None


def looked_at_all(campaign: Campaign, user: Any, how: str, now: datetime | None = None) -> list[Look]:
    """The same of every seat, for what shows all hands at once."""
    if not access.hides(campaign):
        return []
    holders, at = _holders(campaign), log.moment(now)
    mine = Look.objects.filter(campaign=campaign, user=user, hour=_hour(at)) if how in READ else Look.objects.none()
    known = {one.seat: one for one in mine if how in one.ways.split(",")}
    return [
        known.get(seat) or _kept(campaign, user, seat, how, at)
        for seat in sorted(holders)
        if _counts(campaign, user, seat, holders)
    ]


def _holders(campaign: Campaign) -> dict[str, int]:
    held = campaign.memberships.filter(role=Membership.Role.SEAT, until=None)
    return dict(held.values_list("seat", "user_id"))


def _counts(campaign: Campaign, user: Any, seat: str, holders: dict[str, int]) -> bool:
    return seat in holders and holders[seat] != user.pk and access.hides(campaign)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


def _kept(campaign: Campaign, user: Any, seat: str, how: str, at: datetime) -> Look:
    hour = _hour(at)
    way = str(Look.Way(how))
    whose = {"campaign": campaign, "user": user, "seat": seat, "hour": hour}
    found = Look.objects.filter(**whose).first()
    if found is not None and way in READ and way in found.ways.split(","):
        return found
    with transaction.atomic():
        row, made = Look.objects.select_for_update().get_or_create(**whose, defaults={"first_at": at, "last_at": at, "ways": way})
        if not made:
            row.last_at, row.times = max(row.last_at, at), row.times + 1
            row.ways = ",".join(sorted({*row.ways.split(","), way}))
            row.save(update_fields=["last_at", "times", "ways"])
    return row
