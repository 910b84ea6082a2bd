"""Queries for a user's notices: the readable ones, the unread ones, and the pages they link to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery

from campaign.models import Campaign, LogEntry, Membership
from notices.kinds.deadlines import ReminderReceived
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
    """Something that the table waits for and of which players may be reminded.

    `task` is the kind of clock (`slot`, `answer`, `battle`, `claim`), `seats` are the seats that
    have to act, and `contest` is the battle.
    """

    task: str
    seats: tuple[str, ...]
    contest: int | None = None

    @property
    def key(self) -> str:
        """The name of the matter in forms and in the `about` of its reminders."""
        return f"{self.task}/{self.seats[0] if self.contest is None else self.contest}"


class LastRequest(NamedTuple):
    """The last notice that asked for something.

    `service` is the service through which it was sent; empty if only the page of notices shows it.
    `by` is the id of the user who sent a reminder by hand; None if no one did.
    """

    at: datetime
    service: str
    by: int | None


REQUESTS = [kind.key for kind in DECLARED if kind.is_request]
"""The kinds that ask for something that the table waits for."""
NEWEST = 300


def last_sent(campaign: Campaign, matters: Iterable[Matter]) -> dict[str, LastRequest]:
    """Return the last notice of each matter in this turn, by the key of the matter.

    Makes one query.
    """
    left = DeliveryItem.objects.filter(
        notice=OuterRef("pk"), delivery__state=Delivery.State.SENT
    ).values("channel__service")
    rows = Notice.objects.filter(
        campaign=campaign, kind__in=REQUESTS, entry__turn=campaign.turn, entry__struck_by=None
    )
    rows = rows.annotate(left=Subquery(left[:1]))
    sent: dict[str, LastRequest] = {}
    listed = list(matters)
    for notice in rows.order_by("-at", "-pk")[:NEWEST] if listed else ():
        facts = notice.facts
        for matter in listed:
            if matter.key not in sent and _asks_for(notice.kind, notice.seat, facts, matter):
                by = facts.get("user") if notice.kind == ReminderReceived.key else None
                sent[matter.key] = LastRequest(notice.at, str(vars(notice)["left"] or ""), by)
    return sent


def _asks_for(kind: str, seat: str, facts: Mapping[str, Any], matter: Matter) -> bool:
    """Return whether a notice asks for this matter.

    Notices of clocks and reminders name their task; each other kind has a single task.
    """
    if facts.get("contest") != matter.contest or facts.get("task", matter.task) != matter.task:
        return False
    if matter.contest is None:
        return facts.get("seat", seat) == matter.seats[0]
    return not seat or seat in matter.seats


class NoticeLink(NamedTuple):
    """An unread notice, reduced to the link to its page."""

    pk: int
    campaign: str
    """The public id of the campaign."""
    title: str
    kind: str
    facts: Mapping[str, Any]
    number: int | None
    """The number of the entry."""

    @property
    def page(self) -> tuple[Any, ...]:
        return _linked_page(self.kind, self.number, self.facts)


def unread_links(user: Any, most: int) -> tuple[NoticeLink, ...]:
    """Return the links of the user's newest unread notices, for the bell on every page.

    For muted campaigns these are only the notices that wait for an answer of the user.
    """
    muted = Mute.objects.filter(user_id=user.pk).values("campaign")
    audible = unread(user).filter(~Q(campaign__in=muted) | Q(kind__in=urgent_kinds()))
    columns = ("pk", "campaign__public_id", "campaign__title", "kind", "facts", "entry__number")
    return tuple(
        NoticeLink(*row) for row in audible.select_related(None).values_list(*columns)[:most]
    )


def linked_page(notice: Notice) -> tuple[Any, ...]:
    """Return the page to which a notice links: the name of the address and its arguments.

    The first argument, the campaign, is left out.
    """
    return _linked_page(notice.kind, notice.entry.number, notice.facts)


def _linked_page(kind: str, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
    return KINDS[kind].page(number, facts)
