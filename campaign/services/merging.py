"""A guest's places pass to the account that he turns out to have."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from campaign.models import Campaign, Membership
from campaign.services import acts, log

MERGED = "guest"
"""The act: `from` the guest, `user` who has his places now."""


@transaction.atomic
def merge(guest: Any, account: Any, *, now: datetime | None = None) -> list[Campaign]:
    """Everything that the guest holds becomes the account's, an act in the log of each campaign; the guest is nobody then.

    The campaigns where something passed. Done once: of a guest who is none any more nothing is left to pass. What the
    log says of the guest stands, under his number.
    """
    at = log.moment(now)
    people = get_user_model().objects
    # A move of his that holds its campaign refers to his row: it may not wait for us, who wait for the campaign.
    locked = people.select_for_update(no_key=True)
    found = locked.filter(pk=guest.pk, guest=True, is_active=True).exclude(pk=account.pk).first()
    if found is None:
        return []
    held = Membership.objects.filter(user=found, until=None)
    made = []
    for campaign in Campaign.objects.filter(pk__in=held.values("campaign")).order_by("pk"):
        table = log.lock(campaign)
        for one in held.filter(campaign=table).order_by("since", "pk"):
            one.until = at
            one.save(update_fields=["until"])
            place = {"role": one.role, "seat": one.seat, "launch": one.launch, "contest": one.contest}
            Membership.objects.get_or_create(campaign=table, user=account, until=None, **place, defaults={"since": at})
        acts.append(table, account, {"act": MERGED, "how": "merged", "from": found.pk, "user": account.pk}, now=at)
        made.append(table)
    found.is_active, found.merged_into = False, account
    found.save(update_fields=["is_active", "merged_into"])
    return made
