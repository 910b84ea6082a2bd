"""Which clocks run. What they tell is public: turns, slots, challenges, battles and claims are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, ExpressionWrapper, F, OuterRef, Q, TextField, Value
from django.db.models.functions import Concat

from campaign.clocks.models import Clock
from campaign.models import Campaign, Membership


def running(campaign: Campaign) -> list[Clock]:
    """The clocks that run or stand still in a pause, the earliest deadline first. One query."""
    return list(Clock.objects.filter(campaign=campaign, ended_at=None).select_related("entry").order_by("due_at", "pk"))


def due(found: Campaign | Iterable[Clock], kind: str, seat: str = "", contest: int | None = None) -> Clock | None:
    """The clock of a thing among those of `running`, asked once a page; of a campaign they are asked for here."""
    clocks = running(found) if isinstance(found, Campaign) else found
    return next((one for one in clocks if (one.kind, one.seat, one.contest) == (kind, seat, contest)), None)


def of_person(user: Any) -> list[Clock]:
    """All clocks that wait for this user, over his campaigns, the earliest deadline first, with campaign and entry: for a
    seat that he holds, or a battle where he stands in. One query."""
    if not getattr(user, "is_authenticated", False):
        return []
    role = Membership.Role
    mine = Q(role=role.SEAT) | Q(role=role.SUBSTITUTE, contest=OuterRef("contest"))
    held = Membership.objects.filter(mine, campaign=OuterRef("campaign"), user_id=user.pk, until=None)
    waits = held.annotate(
        among=ExpressionWrapper(OuterRef("waits"), TextField()), place=Concat(Value("|"), F("seat"), Value("|"))
    )
    played = Clock.objects.filter(ended_at=None, campaign__abandoned=False, campaign__archived=False, campaign__suspended=False)
    found = played.filter(Exists(waits.filter(among__contains=F("place"))))
    return list(found.select_related("campaign", "entry").order_by("due_at", "pk"))
