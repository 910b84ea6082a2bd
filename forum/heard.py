"""What was heard, for reading: the threads that are followed, and what others wrote there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from campaign.models import Campaign
from forum.models import Following, HeardPost, Thread
from forum.transports import Readable, transports


class Place(NamedTuple):
    """A thread that could be followed, with how it is, if anybody has ever switched that on."""

    thread: Thread
    following: Following | None

    @property
    def active(self) -> bool:
        return self.following is not None and self.following.active


def places(campaign: Campaign) -> list[Place]:
    """The threads of this campaign that can be read, the oldest first."""
    readable = [key for key, one in transports().items() if isinstance(one, Readable)]
    found = Thread.objects.filter(campaign=campaign, removed_at=None, transport__in=readable).select_related("following")
    return [Place(one, getattr(one, "following", None)) for one in found.order_by("pk")]


def of_campaign(campaign: Campaign, *, everything: bool) -> QuerySet[HeardPost]:
    """The newest first; `everything`, or of the threads that are shown to the players."""
    found = HeardPost.objects.filter(thread__campaign=campaign, thread__removed_at=None)
    if not everything:
        found = found.filter(thread__following__shown=True, thread__following__active=True)
    order = found.annotate(when=Coalesce("said_at", "heard_at")).order_by("-when", "-pk")
    return order.select_related("thread", "post")


def posts(campaign: Campaign, *, everything: bool, skip: int, limit: int) -> Sequence[HeardPost]:
    """Some of `of_campaign`."""
    return list(of_campaign(campaign, everything=everything)[skip : skip + limit])
