"""Which messages a user may read, and how many are new.

Everyone who has a place reads the thread of the whole table. In any other thread, the holder of a
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
from campaign.models import GAME_MASTER, Campaign, Membership, sets_with
from people import services
from talk.models import WHOLE_TABLE, Conversation, Message, ReadMarker

LONGEST_MESSAGE = 4000
"""The maximum number of characters in a message."""
PAGE = 50
BETWEEN_SEATS = ~Q(conversation__parties=WHOLE_TABLE) & ~Q(
    conversation__parties__in=sets_with([GAME_MASTER])
)
"""A filter for the threads in which a block between two users applies.

The thread of the whole table and threads with the game master are not among them.
"""


class NoSuchThread(TableError):
    """The error that a thread does not exist, or that this reader may not know that it exists."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-thread", _("This thread does not exist."))


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
        """The seats for which the user reads and writes now."""
        return frozenset(place.seat or GAME_MASTER for place in self.places)

    @cached_property
    def spans(self) -> Mapping[str, list[Span]]:
        """The present and past periods in which the user held each seat.

        Those in which they were game master are listed under `gm`.
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
        """The periods in which the user was game master and led no nation."""
        free = self.spans.get(GAME_MASTER, [])
        for seat, times in self.spans.items():
            if seat != GAME_MASTER:
                for led in times:
                    free = [rest for span in free for rest in span.without(led)]
        return free

    @property
    def voices(self) -> tuple[str, ...]:
        """The seats as which the user may write, with `gm` last."""
        return tuple(sorted(self.seats, key=lambda seat: (seat == GAME_MASTER, seat)))

    @property
    def sees(self) -> Q:
        """The filter for the messages that the user may read. No other code decides this."""
        condition = Q(conversation__parties=WHOLE_TABLE)
        for seat in self.seats:
            condition |= Q(conversation__parties__in=sets_with([seat])) & _written_in(
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

    def takes_part_in(self, thread: Conversation) -> bool:
        """Return whether the user takes part in this thread, so that they may write in it."""
        return thread.is_whole_table or any(seat in self.seats for seat in thread.seats)

    def voices_in(self, thread: Conversation) -> tuple[str, ...]:
        return (
            self.voices
            if thread.is_whole_table
            else tuple(seat for seat in self.voices if seat in thread.seats)
        )


def reader(campaign: Campaign, user: Any, held: Iterable[Membership] | None = None) -> Reader:
    """Return the user as a reader of the campaign's messages.

    `held` is the result of `access.places`, if the caller has it already.

    Raises:
        NotAllowed: The user neither holds a seat here nor is a game master.
        NoSuchCampaign: The same, and the user may not see the campaign.
    """
    pk = getattr(user, "pk", None)
    role = Membership.Role
    every = access.places(campaign) if held is None else held
    own = tuple(
        place
        for place in every
        if place.user_id == pk
        and pk
        and (place.role in Membership.MASTERS or place.role == role.SEAT)
    )
    if not own:
        who = access.access_of(campaign, user)
        if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people with a seat at this table, and the game master, can read its messages."),
        )
    return Reader(
        campaign, user, own, watches=all(place.role in Membership.MASTERS for place in own)
    )


def is_open(campaign: Campaign) -> bool:
    """Return whether a campaign has messages.

    It has none if a user plays alone, or only against programs.
    """
    return len(positions.seats(campaign)) > 1 and not campaign.programs


def messages(who: Reader) -> QuerySet[Message]:
    """Return all messages that the reader may see, oldest first."""
    rows = Message.objects.filter(who.sees, conversation__campaign=who.campaign)
    return rows.select_related("conversation", "author", "quoted").order_by("pk")


class ThreadSummary(NamedTuple):
    """A thread in the list, as a reader sees it.

    `last` is the last message that the reader may see. `mine` is false if they only watch as game
    master.
    """

    thread: Conversation
    last: Message
    unread: int
    muted: bool
    mine: bool


def threads(who: Reader) -> list[ThreadSummary]:
    """Return the threads in which the reader sees a message, latest first.

    Makes three queries.
    """
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
    marks = _marks_by_thread(who)
    rows = []
    for last in (
        Message.objects.filter(condition).select_related("conversation", "author").order_by("-pk")
    ):
        unread, muted = marks.get(last.conversation_id, (0, False))
        rows.append(
            ThreadSummary(
                last.conversation, last, unread, muted, who.takes_part_in(last.conversation)
            )
        )
    return rows


def _marks_by_thread(who: Reader) -> dict[int, tuple[int, bool]]:
    """Return for each thread the number of new messages and whether the reader has muted it.

    A reader with several places in a thread gets the largest number; it is muted if one place has
    muted it.
    """
    marks: dict[int, tuple[int, bool]] = {}
    for marker in ReadMarker.objects.filter(membership__in=who.places):
        unread, muted = marks.get(marker.conversation_id, (0, False))
        marks[marker.conversation_id] = max(unread, marker.unread), muted or marker.muted
    return marks


def thread_of(who: Reader, key: str) -> Conversation:
    """Return the thread with this key.

    Raises:
        NoSuchThread: There is none, or the reader neither belongs to it nor sees a message in it.
    """
    thread = Conversation.objects.filter(campaign=who.campaign, key=key).first()
    if thread is None or not (
        who.takes_part_in(thread) or messages(who).filter(conversation=thread).exists()
    ):
        raise NoSuchThread
    return thread


def unread_and_muted(who: Reader, thread: Conversation) -> tuple[int, bool]:
    """Return the number of new messages in this thread, and whether the reader has muted it."""
    return _marks_by_thread(who).get(thread.pk, (0, False))


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


def other_parties(who: Reader, thread: Conversation, names: Mapping[str, str]) -> list[str]:
    """Return the other parties of a thread, in the order of the table, the game master last.

    If the reader only watches the thread, these are all its parties.
    """
    own = set(who.voices_in(thread))
    return [
        seat for seat in (*names, GAME_MASTER) if seat in thread.seats and seat not in own
    ] or list(thread.seats)
