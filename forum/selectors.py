"""Threads and posts, for reading. A thread's secrets are in none of these."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from campaign.models import Campaign
from forum.models import Post, Thread
from forum.services.outbox import automatic
from forum.services.rows import State
from forum.telling import TEST

ASKED = (State.DRAFT, State.DOUBTFUL, State.FAILED)
"""What waits for a person in any case."""
OVER = (State.SUPERSEDED, State.ASIDE)

MOST = 2**31 - 1
"""No row has a greater number."""


@dataclass(slots=True)
class Whole:
    """A report on its way, or there: part 1 and the parts after it."""

    head: Post
    rest: list[Post] = field(default_factory=list)

    @property
    def parts(self) -> list[Post]:
        return [self.head, *self.rest]

    @property
    def now(self) -> Post:
        """The part that says how it stands: the first that is not there yet, else the first."""
        return next((part for part in self.parts if not part.settled), self.head)

    @property
    def asks(self) -> bool:
        """Does it wait for a person?"""
        now = self.now
        by_hand = not automatic(now.thread)
        return now.state in ASKED or (now.state == State.READY and (by_hand or now.thread.locked_at is not None))

    @property
    def moves(self) -> bool:
        """Is it on its way by itself?"""
        return not self.asks and self.now.state in (State.READY, State.SENDING)

    @property
    def struck(self) -> bool:
        """Does it tell of moves that are struck?"""
        return self.head.entry is not None and self.head.entry.struck_by_id is not None


def threads(campaign: Campaign) -> list[Thread]:
    """Those that are set up, the oldest first."""
    return list(Thread.objects.filter(campaign=campaign, removed_at=None).order_by("pk"))


def thread(campaign: Campaign, pk: int) -> Thread | None:
    if pk > MOST:
        return None
    return Thread.objects.filter(campaign=campaign, pk=pk, removed_at=None).select_related("campaign").first()


def outbox(campaign: Campaign, most: int = 400) -> list[Whole]:
    """What is drafted, on its way, posted, put aside: the newest first. One query."""
    rows = Post.objects.filter(campaign=campaign).exclude(report="").select_related("thread", "entry", "campaign")
    found = list(rows.order_by("-pk")[:most])
    rest: dict[int, list[Post]] = defaultdict(list)
    for row in sorted(found, key=lambda one: one.part):
        if row.first_id is not None:
            rest[row.first_id].append(row)
    return [Whole(row, rest[row.pk]) for row in found if row.first_id is None]


def whole(campaign: Campaign, number: int) -> Whole | None:
    """The report that the post of this number is of."""
    rows = Post.objects.filter(campaign=campaign).exclude(report="")
    if number > MOST:
        return None
    rows = rows.select_related("thread", "entry", "campaign", "made_by").prefetch_related("corrects", "corrections")
    head = rows.filter(number=number).first()
    if head is not None and head.first_id is not None:
        head = rows.get(pk=head.first_id)
    if head is None:
        return None
    parts = rows.filter(first=head).order_by("part") if head.of > 1 else ()
    return Whole(head, list(parts))


def receipts(campaign: Campaign, key: str) -> list[Post]:
    """Where a report stands, part 1 of each: what everybody may know."""
    settled = (State.POSTED, State.AWAITING, State.SUPERSEDED)
    found = Post.objects.filter(campaign=campaign, report=key, first=None, state__in=settled, posted_at__isnull=False)
    return list(found.order_by("-posted_at"))


def waiting(wholes: list[Whole]) -> list[Whole]:
    """Those that wait for a person, tests aside, the oldest first."""
    return [one for one in reversed(wholes) if one.asks and (one.head.report != TEST or one.now.state == State.DOUBTFUL)]
