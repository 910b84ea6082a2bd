"""Who looked at a hidden hand, as its holder reads it, and whoever looked; and whose hands lie open to a game master now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from campaign import access, positions
from campaign.access import Access
from campaign.audience import GAME_MASTER
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


def about(campaign: Campaign, who: Access, raw: Mapping[str, Any]) -> list[str]:
    """The seats of whose hidden hand a game master's move tells, said or only tried: for whom he speaks, and whose cards he
    corrects, for what the rules answer depends on them. Empty for everybody else, and where nothing is hidden."""
    if not who.game_master or raw.get("by", GAME_MASTER) != GAME_MASTER or not access.hides(campaign):
        return []
    named = [raw.get("for")]
    if "for" not in raw:
        own = campaign.game.offers(positions.current(campaign), GAME_MASTER, GAME_MASTER)
        cards = [one for one in own if one.move == raw.get("move") and any(field.kind == "card" for field in one.fields)]
        named = [raw.get(field.key) for one in cards for field in one.fields if field.kind == "nation"]
    seats = positions.seats(campaign)
    return sorted({seat for seat in named if isinstance(seat, str) and seat in seats})
