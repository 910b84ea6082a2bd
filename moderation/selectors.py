"""Which reports there are, and who reads them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotAllowed
from campaign.models import Campaign
from moderation.models import Report
from people.models import User


def is_moderator(user: Any) -> bool:
    """Does this person look after the site? The host's superusers do, and whom `manage.py moderator` names."""
    if not getattr(user, "is_authenticated", False) or not user.is_active or user.guest or user.demo:
        return False
    return bool(user.moderator or user.is_superuser)


def moderators() -> QuerySet[User]:
    named = Q(moderator=True) | Q(is_superuser=True)
    return User.objects.filter(named, is_active=True, guest=False, demo=False).order_by("username")


def waiting() -> QuerySet[Report]:
    """The reports that nobody has decided, the oldest first."""
    return Report.objects.filter(settled_at=None).select_related("campaign", "author", "by").order_by("pk")


def settled() -> QuerySet[Report]:
    rows = Report.objects.filter(settled_at__isnull=False).select_related("campaign", "author", "by", "settled_by")
    return rows.order_by("-settled_at", "-pk")


def of_campaign(campaign: Campaign, user: Any) -> list[Report]:
    """The reports that the game masters of a campaign read, those not seen to first: not what somebody reported of them, nor what
    they reported. Raises `NotAllowed`."""
    if not access.access_of(campaign, user).host:
        raise NotAllowed("game-master-only", _("Only the game master may do this."))
    rows = Report.objects.filter(campaign=campaign, to_masters=True).exclude(Q(author_id=user.pk) | Q(by_id=user.pk))
    return sorted(rows.select_related("campaign", "author", "by").order_by("-pk"), key=_is_done)


def _is_done(row: Report) -> bool:
    return row.masters_at is not None or row.settled_at is not None


def made_by(user: Any) -> QuerySet[Report]:
    """What somebody has reported, the latest first."""
    return Report.objects.filter(by_id=user.pk).select_related("campaign").order_by("-pk")


def about(user: Any) -> QuerySet[Report]:
    """What was reported of somebody's texts, the latest first: for moderators."""
    return Report.objects.filter(author_id=user.pk).select_related("campaign", "by").order_by("-pk")
