"""What was fought. Contests are public in every title; what is hidden in them is no part of their facts."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from battles.models import Battle
from battles.projection import RESOLVED
from campaign.models import Campaign


def battles(campaign: Campaign, *, seat: str = "", turn: int | None = None) -> QuerySet[Battle]:
    """All battles in the order of launch, or those of a seat or a turn."""
    found = Battle.objects.filter(campaign=campaign).select_related("entry")
    if seat:
        found = found.filter(Q(attacker=seat) | Q(defender=seat))
    return found if turn is None else found.filter(turn=turn)


def running(campaign: Campaign) -> QuerySet[Battle]:
    """Those not yet resolved."""
    return battles(campaign).exclude(status=RESOLVED)


def battle(campaign: Campaign, number: int) -> Battle | None:
    """The battle that is shown under this number now."""
    return battles(campaign).filter(number=number).first()
