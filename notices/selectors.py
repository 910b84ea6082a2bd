"""What a user's notices are: those that may be read, the unread ones, and where they lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery

from campaign.models import Campaign, LogEntry, Membership
from engine.strict_json import read
from notices.kinds.deadlines import Reminded
from notices.models import Delivery, DeliveryItem, Mute, Notice
from notices.registry import DECLARED, KINDS, urgent_kinds


def notices(user: Any, campaign: Campaign | None = None) -> QuerySet[Notice]:
    """Return a user's notices, newest first, of campaigns that the user may still see."""
    may = ~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | Q(
        campaign__in=Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
    )
    rows = Notice.objects.filter(may, user_id=user.pk, kind__in=KINDS)
    if campaign is not None:
        rows = rows.filter(campaign=campaign)
    return rows.select_related("campaign", "entry", "entry__struck_by").order_by("-pk")


def unread(user: Any) -> QuerySet[Notice]:
    """Return a user's unread notices, without those of struck moves."""
    return (
        notices(user)
        .filter(read_at=None)
        .exclude(entry__kind=LogEntry.Kind.MOVE, entry__struck_by__isnull=False)
    )


def mutes(user: Any) -> QuerySet[Mute]:
    """Return the campaigns that a user has muted and may still see."""
    seen = Q(campaign__memberships__user_id=user.pk, campaign__memberships__until=None)
    may = ~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | seen
    return (
        Mute.objects.filter(may, user_id=user.pk)
        .select_related("campaign")
        .order_by("campaign__name")
        .distinct()
    )


class Matter(NamedTuple):
    """Something that the table waits for and of which players may be reminded: the kind of clock
    (`slot`, `answer`, `battle`, `claim`), the seats that have to act, and the battle.
    """

    task: str
    seats: tuple[str, ...]
    contest: int | None = None

    @property
    def key(self) -> str:
        """The name of the matter in forms and in the `about` of its reminders."""
        return f"{self.task}/{self.seats[0] if self.contest is None else self.contest}"


class Sent(NamedTuple):
    """The last notice that asked for something.

    `service` is the one through which it has left; empty if only the page of notices has it. `by`
    is the id of the user who reminded by hand; None if no one did.
    """

    at: datetime
    service: str
    by: int | None


REQUESTS = [kind.key for kind in DECLARED if kind.is_request]
"""The kinds that ask for what the table waits for."""
NEWEST = 300


def last_sent(campaign: Campaign, matters: Iterable[Matter]) -> dict[str, Sent]:
    """Return what was sent last in this turn of each matter, by its key. One query."""
    left = DeliveryItem.objects.filter(
        notice=OuterRef("pk"), delivery__state=Delivery.State.SENT
    ).values("channel__service")
    rows = Notice.objects.filter(
        campaign=campaign, kind__in=REQUESTS, entry__turn=campaign.turn, entry__struck_by=None
    )
    rows = rows.annotate(left=Subquery(left[:1]))
    sent: dict[str, Sent] = {}
    listed = list(matters)
    for notice in rows.order_by("-at", "-pk")[:NEWEST] if listed else ():
        facts = notice.known
        for matter in listed:
            if matter.key not in sent and _asks_for(notice.kind, notice.seat, facts, matter):
                by = facts.get("user") if notice.kind == Reminded.key else None
                sent[matter.key] = Sent(notice.at, str(vars(notice)["left"] or ""), by)
    return sent


def _asks_for(kind: str, seat: str, facts: Mapping[str, Any], matter: Matter) -> bool:
    """Return whether a notice asks for this matter. A notice of a clock or a reminder names its
    task; each other kind has one.
    """
    if facts.get("contest") != matter.contest or facts.get("task", matter.task) != matter.task:
        return False
    if matter.contest is None:
        return facts.get("seat", seat) == matter.seats[0]
    return not seat or seat in matter.seats


class Lead(NamedTuple):
    """An unread notice, reduced to where it leads."""

    pk: int
    campaign: str
    """Its public id."""
    title: str
    kind: str
    facts: str
    number: int | None
    """The number of its entry."""

    @property
    def page(self) -> tuple[Any, ...]:
        return _page(self.kind, self.number, self.facts)


def news(user: Any, most: int) -> tuple[Lead, ...]:
    """Return where the user's newest unread notices lead, for the bell on every page; of muted
    campaigns only what waits for the user.
    """
    muted = Mute.objects.filter(user_id=user.pk).values("campaign")
    audible = unread(user).filter(~Q(campaign__in=muted) | Q(kind__in=urgent_kinds()))
    columns = ("pk", "campaign__public_id", "campaign__title", "kind", "facts", "entry__number")
    return tuple(Lead(*row) for row in audible.select_related(None).values_list(*columns)[:most])


def page(notice: Notice) -> tuple[Any, ...]:
    """Return the page a notice leads to: the name of the address and its arguments after the
    campaign.
    """
    return _page(notice.kind, notice.entry.number, notice.facts)


@lru_cache(4096)
def _page(kind: str, number: int | None, facts: str) -> tuple[Any, ...]:
    return KINDS[kind].page(number, read(facts))
