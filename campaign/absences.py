"""Who is away and when, as far as a campaign is told of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from campaign.access import Access
from campaign.audience import GAME_MASTER
from campaign.models import AbsenceAt, Campaign, Membership
from people.models import Absence

NEAR = timedelta(days=7)
"""So long before it begins an absence is shown wherever somebody is waited for."""


class Away(NamedTuple):
    """An absence as pages show it: its days, whether it has begun, whether it begins soon."""

    first: date
    last: date
    begun: bool
    near: bool

    @property
    def shown(self) -> bool:
        """Does it stand beside whatever waits for this person?"""
        return self.begun or self.near


def standing() -> QuerySet[Absence]:
    """Every absence that is not taken back."""
    return Absence.objects.filter(taken_back_at=None)


def told(campaign: Any) -> Any:
    """Which absences this campaign is told of; `campaign` is one, or an `OuterRef` to one."""
    chosen = AbsenceAt.objects.filter(absence=OuterRef("pk"), campaign=campaign, dropped_at=None)
    return Q(everywhere=True) | Exists(chosen)


def beside(places: QuerySet[Membership], now: datetime | None = None) -> QuerySet[Membership]:
    """The same places, each with its person's absence of now, or the next one: `away` reads it. No query more."""
    found = standing().filter(told(OuterRef(OuterRef("campaign"))), user=OuterRef("user"), ends_at__gt=now or timezone.now())
    # One subquery, not one a field: every page of a campaign asks this, and making its SQL costs more than asking it.
    told_of = found.order_by("begins_at", "pk").values_list(JSONObject(first="first", last="last", begins="begins_at"))
    return places.annotate(away=Subquery(told_of[:1], output_field=JSONField()))


def away(place: Membership, now: datetime | None = None) -> Away | None:
    """The absence that stands beside a place of `beside`; None where the person is not away and says of no time that he is."""
    found = vars(place).get("away")
    if found is None:
        return None
    at, begins = now or timezone.now(), datetime.fromisoformat(found["begins"])
    begins = begins if begins.tzinfo else begins.replace(tzinfo=UTC)  # SQLite keeps no zone: it is UTC there
    return Away(date.fromisoformat(found["first"]), date.fromisoformat(found["last"]), begins <= at, begins <= at + NEAR)


def of_campaign(campaign: Campaign, now: datetime | None = None) -> list[Absence]:
    """The absences, now and to come, of everybody who has a place here, the earliest first, with their people."""
    held = Membership.objects.filter(campaign=campaign, until=None).values("user")
    found = standing().filter(told(campaign.pk), user__in=held, ends_at__gt=now or timezone.now())
    return list(found.select_related("user").order_by("begins_at", "pk"))


def may_read_note(one: Absence, who: Access, user: Any) -> bool:
    """Who plays here, or looks after it, reads the note of an absence; of some only the game masters, and who wrote it."""
    return who.host or (who.member and not one.masters_only) or one.user_id == user.pk


def mine(user: Any) -> list[Absence]:
    """A person's own, those to come first, then what is past, the latest first; those taken back are not shown."""
    found = list(standing().filter(user_id=user.pk).prefetch_related("told__campaign").order_by("-begins_at", "-pk"))
    now = timezone.now()
    to_come = [one for one in reversed(found) if one.ends_at > now]
    return to_come + [one for one in found if one.ends_at <= now]


def where(user: Any) -> QuerySet[Campaign]:
    """The campaigns that a person can tell: where he has a place, and that are not over."""
    held = Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
    return Campaign.objects.filter(pk__in=held, ended=False, abandoned=False, archived=False).order_by("-founded_at", "-pk")


def by_place(places: Iterable[Membership]) -> dict[str, list[tuple[str, Away]]]:
    """Who of those behind each seat, and of the game masters under `gm`, is away or says that he will be."""
    found: dict[str, list[tuple[str, Away]]] = {}
    for one in places:
        gone = away(one)
        key = one.seat if one.role == Membership.Role.SEAT else GAME_MASTER if one.role in Membership.MASTERS else ""
        if gone is not None and key:
            found.setdefault(key, []).append((one.user.username, gone))
    return found
