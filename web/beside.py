"""What the desk wants to know beside the campaign's row, asked with it."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from django.db.models import Exists, OuterRef, QuerySet

from campaign.models import Campaign
from forum.models import Thread


def of_desk(campaigns: QuerySet[Campaign], user: Any) -> QuerySet[Campaign]:
    """The same campaigns, each with `guarded`: has this user a second factor? and `told`: is a thread set up?"""
    factor = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    threads = Thread.objects.filter(campaign=OuterRef("pk"), removed_at=None)
    return campaigns.annotate(guarded=Exists(factor), told=Exists(threads))


def guarded(campaign: Campaign) -> bool:
    return bool(vars(campaign)["guarded"])


def told(campaign: Campaign) -> bool:
    return bool(vars(campaign)["told"])
