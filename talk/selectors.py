"""Who reads which messages, and what is new to them.

Everyone who has a place reads the thread of the whole table. Of any other thread the holder of a
seat reads what was written while they held that seat, even if they gave it up meanwhile and took it
back. The next holder begins with an empty page. Under the rule "everything" a game master reads
what was written while they were game master and led no nation, as long as they lead none now. No
one else learns that a thread exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NotAllowed, TableError
from campaign.founding import SIGHT_ALL
from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, Membership
from people import services
from talk.models import TABLE, Conversation, Message, ReadMarker

LONGEST = 4000
"""Characters of a message."""
PAGE = 50
BETWEEN_SEATS = ~Q(conversation__parties=TABLE) & ~Q(
    conversation__parties__contains=f"|{GAME_MASTER}|"
)
"""The threads in which a block between two people holds: not those of the whole table, nor with the
game master.
"""


class NoSuchThread(TableError):
    """There is none, or this reader may not know that there is."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-thread", _("There is no such thread."))


class Span(NamedTuple):
    """A period that begins at `since` and ends before `until` (None: not yet)."""

    since: datetime
    until: datetime | None

    def without(self, other: Span) -> list[Span]:
        """Return the parts of this period before and after the other."""
        left = []
        if self.since < other.since:
            left.append(
                Span(
                    self.since, other.since if self.until is None else min(self.until, other.since)
                )
            )
        if other.until is not None and (self.until is None or other.until < self.until):
            left.append(Span(max(self.since, other.until), self.until))
        return left


def _written_in(spans: Iterable[Span]) -> Q:
    """Return a filter for messages that were written in any of these periods."""
    condition = Q(pk=None)
    for span in spans:
        within = Q(at__gte=span.since)
        condition |= within if span.until is None else within & Q(at__lt=span.until)
    return condition


@dataclass(frozen=True)
class Reader:
    """A user at a table, in all the places that they hold there.

    `watches` says that they are a game master who leads no nation now. They may then read what was
    written under the rule "everything" while they led none.
    """

    campaign: Campaign
    user: Any
    places: tuple[Membership, ...]
    watches: bool

    @cached_property
    def seats(self) -> frozenset[str]:
        """Return the seats for which they read and write now."""
        return frozenset(place.seat or GAME_MASTER for place in self.places)

    @cached_property
    def spans(self) -> Mapping[str, list[Span]]:
        """Return the periods in which they held each seat, or were game master (`gm`), including
        past ones.
        """
        spans: dict[str, list[Span]] = {}
        for place in access.places_ever(self.campaign).filter(user_id=self.user.pk):
            if place.role in Membership.MASTERS or place.role == Membership.Role.SEAT:
                spans.setdefault(place.seat or GAME_MASTER, []).append(
                    Span(place.since, place.until)
                )
        return spans

    @property
    def watched(self) -> list[Span]:
        """Return the periods in which they were game master and led no nation."""
        free = self.spans.get(GAME_MASTER, [])
        for seat, times in self.spans.items():
            if seat != GAME_MASTER:
                for led in times:
                    free = [rest for span in free for rest in span.without(led)]
        return free

    @property
    def voices(self) -> tuple[str, ...]:
        """As whom they write: their seats first."""
        return tuple(sorted(self.seats, key=lambda seat: (seat == GAME_MASTER, seat)))

    @property
    def sees(self) -> Q:
        """The filter for messages that they read, the one place that says it."""
        condition = Q(conversation__parties=TABLE)
        for seat in self.seats:
            condition |= Q(conversation__parties__contains=f"|{seat}|") & _written_in(
                self.spans.get(seat, [])
            )
        if (others := services.apart_since(self.user)) and not self.watches:
            hidden = Q(pk=None)
            for other, since in others.items():
                hidden |= Q(author_id=other, at__gte=since)
            condition &= ~(hidden & BETWEEN_SEATS)
        return (
            condition | (Q(sight=SIGHT_ALL) & _written_in(self.watched))
            if self.watches
            else condition
        )

    def belongs(self, thread: Conversation) -> bool:
        """Do they write in this thread?"""
        return thread.everybody or any(seat in self.seats for seat in thread.seats)

    def voices_in(self, thread: Conversation) -> tuple[str, ...]:
        return (
            self.voices
            if thread.everybody
            else tuple(seat for seat in self.voices if seat in thread.seats)
        )


def reader(campaign: Campaign, user: Any, held: Iterable[Membership] | None = None) -> Reader:
    """Raises `NotAllowed` (or `NoSuchCampaign`) for who has no seat here and is no game master.
    `held` are the campaign's `access.places`, where they were asked for already.
    """
    pk = getattr(user, "pk", None)
    role = Membership.Role
    every = access.places(campaign) if held is None else held
    own = tuple(
        one
        for one in every
        if one.user_id == pk and pk and (one.role in Membership.MASTERS or one.role == role.SEAT)
    )
    if not own:
        who = access.access_of(campaign, user)
        if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people who hold a seat at this table, and the game master, read its talk."),
        )
    return Reader(campaign, user, own, watches=all(one.role in Membership.MASTERS for one in own))


def open_here(campaign: Campaign) -> bool:
    """Is there anybody to talk to? Not where one plays alone, nor against programs."""
    return len(positions.seats(campaign)) > 1 and not campaign.programs


def messages(who: Reader) -> QuerySet[Message]:
    """Every message that they read, the oldest first."""
    rows = Message.objects.filter(who.sees, conversation__campaign=who.campaign)
    return rows.select_related("conversation", "author", "quoted").order_by("pk")


class Row(NamedTuple):
    """A thread in the list: its last message that the reader sees, how many are new, whether it is
    muted, whether they take part or only look on as game master.
    """

    thread: Conversation
    last: Message
    unread: int
    muted: bool
    mine: bool


def threads(who: Reader) -> list[Row]:
    """The threads of which they read something, the latest first. Three queries."""
    latest = dict(
        Message.objects.filter(who.sees, conversation__campaign=who.campaign)
        .order_by()
        .values_list("conversation")
        .annotate(last=Max("number"))
        .values_list("conversation", "last")
    )
    if not latest:
        return []
    condition = Q(pk=None)
    for thread, number in latest.items():
        condition |= Q(conversation=thread, number=number)
    marks = _marks(who)
    rows = []
    for last in (
        Message.objects.filter(condition).select_related("conversation", "author").order_by("-pk")
    ):
        unread, muted = marks.get(last.conversation_id, (0, False))
        rows.append(Row(last.conversation, last, unread, muted, who.belongs(last.conversation)))
    return rows


def _marks(who: Reader) -> dict[int, tuple[int, bool]]:
    """What is new in each thread, and whether it is muted, in whichever of their places."""
    marks: dict[int, tuple[int, bool]] = {}
    for one in ReadMarker.objects.filter(membership__in=who.places):
        unread, muted = marks.get(one.conversation_id, (0, False))
        marks[one.conversation_id] = max(unread, one.unread), muted or one.muted
    return marks


def thread_of(who: Reader, key: str) -> Conversation:
    """The thread of this key. Raises `NoSuchThread` where they read nothing of it and do not belong
    to it.
    """
    thread = Conversation.objects.filter(campaign=who.campaign, key=key).first()
    if thread is None or not (
        who.belongs(thread) or messages(who).filter(conversation=thread).exists()
    ):
        raise NoSuchThread
    return thread


def mark(who: Reader, thread: Conversation) -> tuple[int, bool]:
    """How many messages are new to them in this thread, and whether they muted it."""
    return _marks(who).get(thread.pk, (0, False))


def with_unread(
    places: QuerySet[Membership], campaign: Campaign, user: Any
) -> QuerySet[Membership]:
    """Annotate the places of a campaign with `talk_new`, the number of this user's new messages."""
    marks = ReadMarker.objects.filter(
        membership__campaign=campaign,
        membership__user=user.pk,
        membership__until=None,
        muted=False,
        unread__gt=0,
    )
    whole = (
        marks.order_by()
        .values("membership__campaign")
        .annotate(whole=Sum("unread"))
        .values("whole")
    )
    return places.annotate(talk_new=Coalesce(Subquery(whole), 0))


def companions(who: Reader, thread: Conversation, names: Mapping[str, str]) -> list[str]:
    """The other parties of a thread, in the order of the table, the game master last; of one that
    they only look at, all.
    """
    own = set(who.voices_in(thread))
    return [
        seat for seat in (*names, GAME_MASTER) if seat in thread.seats and seat not in own
    ] or list(thread.seats)
