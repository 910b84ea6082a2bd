"""Who looked at a hidden hand, as its holder reads it, and whoever looked; and whose hands lie open to a game master now."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from campaign import positions
from campaign.access import Access
from campaign.models import Campaign, Membership
from campaign.models_looked import Look


def of_seat(campaign: Campaign, user: int, who: Access, seat: str) -> QuerySet[Look]:
    """The looks at this seat, the latest first: all for its holder, for everybody else his own. One query."""
    found = Look.objects.filter(campaign=campaign, seat=seat).select_related("user")
    return found if seat in who.seats else found.filter(user_id=user)


def held(places: Iterable[Membership]) -> frozenset[str]:
    """The seats that somebody holds."""
    return frozenset(one.seat for one in places if one.role == Membership.Role.SEAT)


def free(campaign: Campaign, places: Iterable[Membership]) -> frozenset[str]:
    """The seats that nobody holds: their hands are nobody's secret, and the game master plays them."""
    return frozenset(positions.seats(campaign)) - held(places)
