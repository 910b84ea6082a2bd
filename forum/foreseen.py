"""What an undo or a restoration would make of what was told elsewhere; `forum.drafting` does it."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from campaign.models import Campaign
from campaign.rewinds import OWN, RESTORE, Rewind
from forum import telling
from forum.models import Post
from forum.services.outbox import OPEN
from forum.services.rows import State

MAYBE = (State.POSTED, State.AWAITING, State.SENDING, State.DOUBTFUL)
"""It stands there, or may."""
UNSENT = (State.DRAFT, State.READY, State.FAILED)


class Foreseen(NamedTuple):
    """`corrected` posts get a correction at once, `later` ones with the next report of the same; `dropped` are not sent,
    `drafted` are drafts again."""

    corrected: list[Post]
    later: list[Post]
    dropped: list[Post]
    drafted: list[Post]

    def __bool__(self) -> bool:
        return any(self)


def uncorrected(found: QuerySet[Post]) -> QuerySet[Post]:
    """Of these, part 1 of each report that stands there, or may, and that nothing on its way corrects yet."""
    live = Post.objects.filter(corrects=OuterRef("pk"), state__in=(*OPEN, State.POSTED, State.AWAITING))
    return found.filter(first=None, state__in=MAYBE).exclude(kind__in=telling.TURNS).exclude(Exists(live))


def foresee(rewind: Rewind) -> Foreseen:
    """One query."""
    campaign: Campaign = rewind.campaign
    posts = Post.objects.filter(campaign=campaign, first=None).exclude(report="").select_related("thread").order_by("pk")
    live = Q(thread__removed_at=None, thread__active=True)
    if rewind.how == RESTORE:
        report = Q(report=f"undo-{rewind.number}")
        found = list(posts.filter(live, report | Q(entry__in=rewind.rows, state=State.SUPERSEDED, posted_at=None)))
        mine = [one for one in found if one.kind in telling.TURNS]
        there = [one for one in mine if one.state in MAYBE]
        again = [one for one in found if one.kind not in telling.TURNS]
        return Foreseen(there, [], [one for one in mine if one.state in UNSENT and not one.doubt], again)
    told = posts.filter(entry__in=rewind.rows)
    found = list(told.annotate(wrong=Exists(uncorrected(Post.objects.filter(live, pk=OuterRef("pk"))))))
    wrong = [one for one in found if vars(one)["wrong"]]
    dropped = [one for one in found if one.state in UNSENT and not one.doubt and one.posted_at is None]
    return Foreseen([], wrong, dropped, []) if rewind.how == OWN else Foreseen(wrong, [], dropped, [])
