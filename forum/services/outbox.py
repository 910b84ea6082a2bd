"""A post's way, as far as a person walks it: drafted, found ready, put aside; posted by hand; looked for after a doubt."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotNow, Refused
from campaign.models import Campaign
from campaign.services import log
from forum import telling, waking
from forum.models import Post, Thread
from forum.services import rows
from forum.services.rows import State
from forum.transports import transport
from outside import Refused as NoAddress
from outside.client import check

OPEN = (State.DRAFT, State.READY, State.SENDING, State.DOUBTFUL, State.FAILED)
"""What is still on its way."""
LONGEST = 500


def held(campaign: Campaign, user: Any) -> Campaign:
    """The campaign's row, held, where this user looks after it. What is posted hides nothing: a game master who plays
    may post. Raises `NotAllowed`."""
    table = log.lock(campaign)
    access.must_be_host(table, user)
    access.must_have_account(user)
    return table


@transaction.atomic
def draft(campaign: Campaign, user: Any, thread: Thread, key: str, *, now: datetime | None = None) -> Post:
    """A draft of this report for this thread: the one that is there, else a new one. It corrects what was posted of the
    same report and does not hold any more."""
    table, at = held(campaign, user), log.moment(now)
    known = Post.objects.filter(thread=thread, report=key, first=None, state__in=OPEN).first()
    if known is not None:
        return known
    _must_stand(thread)
    with telling.speaking(thread.language):
        found = telling.told(table, key)
    if found is None:
        raise Refused("no-such-report", _("There is no such report to post."))
    item, told = found
    entry = table.entries.filter(number=told.last).first()
    made = rows.new(thread, at=at, report=key, kind=item.kind, by=user, entry=entry, subject=item.name[:300])
    made.corrects.set(wrong(thread, key))
    return made


def wrong(thread: Thread, key: str) -> list[Post]:
    """The posts of this report that tell of struck moves."""
    found = Post.objects.filter(thread=thread, report=key, first=None, posted_at__isnull=False)
    return list(found.filter(entry__struck_by__isnull=False))


@transaction.atomic
def ready(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """The draft is good: its text is made and stands. An automatic transport sends it with the next tick."""
    held(post.campaign, user)
    _must_stand(post.thread)
    made_ready(post, user, log.moment(now))
    waking.soon()
    return post


def made_ready(post: Post, user: Any, at: datetime) -> Post:
    """Asks for the campaign's row to be held, and for who may do it to be asked before."""
    parts = telling.parts(post)
    if not parts:
        raise NotNow("no-report", _("What this post was to tell is no more: the moves it told of are struck."))
    rows.fix(post, parts, user, at)
    return post


@transaction.atomic
def unready(post: Post, user: Any) -> Post:
    """Back to a draft, whose text is made anew; only as long as no part of it was sent."""
    held(post.campaign, user)
    head = post.head
    group = Post.objects.filter(first=head)
    untouched = {"state__in": [State.READY, State.FAILED], "doubt": False, "posted_at": None}
    count = group.count()
    if group.filter(**untouched).count() != count or not Post.objects.filter(pk=head.pk, **untouched).exists():
        raise NotNow("partly-posted", _("A part of it was sent already: go on with the rest, or put the rest aside."))
    rows.turn(head, [State.READY, State.FAILED], state=State.DRAFT, of=1, text="", marker="", next_at=None, last_error="")
    if group.filter(**untouched).update(state=State.ASIDE) != count:
        raise rows.moved_on()
    # Rows of a text that is no more: nothing of them was ever sent, and the next text may have fewer parts.
    group.filter(state=State.ASIDE).update(first=None, report="", text="", marker="")
    return head


@transaction.atomic
def posted(post: Post, user: Any, permalink: str, *, now: datetime | None = None, part: int = 1) -> Post:
    """Somebody posted it by hand, or found it there. A draft becomes what it says now; then `part` says which part it was.

    The link is the receipt: without it only what a program sent counts as posted.
    """
    held(post.campaign, user)
    at, link = log.moment(now), rows.line(permalink, LONGEST)
    if permalink.strip() and not link:
        raise Refused("no-link", _("Give the link of the post: its address as the browser shows it."))
    if link:
        _must_be_address(link)
    if post.state == State.DRAFT:
        made_ready(post, user, at)
    if part > 1:
        other = post.head.parts.filter(part=part).first()
        if other is None:
            raise rows.moved_on()
        post = other
    if not link and post.state == State.READY:
        raise Refused("no-link", _("Give the link of the post: it is the receipt. Without it the report counts as not posted."))
    states = [State.READY, State.DOUBTFUL, State.FAILED, State.AWAITING, *([State.POSTED] if link else [])]
    rows.turn(
        post, states, state=State.POSTED, permalink=link or post.permalink, posted_at=post.posted_at or at,
        doubt=False, next_at=None, last_error="",
    )  # fmt: skip
    settle(post)
    return post


def settle(post: Post) -> None:
    """What follows from a posted correction: what it corrects is superseded; what that had corrected holds again."""
    if post.first_id is not None:
        return
    for old in post.corrects.all():
        Post.objects.filter(pk=old.pk, state=State.POSTED).update(state=State.SUPERSEDED)
        again_good = old.corrects.filter(state=State.SUPERSEDED, posted_at__isnull=False, entry__struck_by=None)
        again_good.update(state=State.POSTED)


@transaction.atomic
def unposted(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """It was a slip: what somebody had said to have posted by hand is ready again, and what it corrects stands again."""
    held(post.campaign, user)
    _must_stand(post.thread)
    if automatic(post.thread):
        raise NotNow("posted-by-program", _("A program posted it: what stands there can be corrected, not unsaid."))
    rows.turn(post, [State.POSTED], state=State.READY, permalink="", posted_at=None, next_at=log.moment(now))
    if post.first_id is None:
        post.corrects.filter(state=State.SUPERSEDED, posted_at__isnull=False).update(state=State.POSTED)
    return post


def _must_be_address(link: str) -> None:
    try:
        check(link.replace("http://", "https://", 1))
    except NoAddress:
        raise Refused("no-link", _("Give the link of the post: its address as the browser shows it.")) from None


@transaction.atomic
def absent(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Somebody looked, and its mark is not there: it is sent again, unless what it tells is struck."""
    held(post.campaign, user)
    _must_stand(post.thread)
    if Post.objects.filter(pk=post.pk, entry__struck_by__isnull=False).exists():
        rows.turn(post, [State.DOUBTFUL], state=State.SUPERSEDED, doubt=False, next_at=None)
        return post
    rows.turn(post, [State.DOUBTFUL], state=State.READY, doubt=False, next_at=log.moment(now), attempts=0, last_error="")
    waking.soon()
    return post


@transaction.atomic
def again(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Try a failed post again, with the text it has."""
    held(post.campaign, user)
    _must_stand(post.thread)
    rows.turn(post, [State.FAILED], state=State.READY, next_at=log.moment(now), attempts=0, last_error="")
    waking.soon()
    return post


@transaction.atomic
def aside(post: Post, user: Any) -> Post:
    """It will not be posted: a draft, or all that was not sent of a report. Nothing is deleted; `back` brings it again."""
    held(post.campaign, user)
    states = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    rows.turn(post, states, state=State.ASIDE, next_at=None)
    post.head.parts.filter(state__in=states).update(state=State.ASIDE, next_at=None)
    return post


@transaction.atomic
def back(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """What was put aside is on its way again: a draft as a draft, the rest of a report as it was ready."""
    held(post.campaign, user)
    _must_stand(post.thread)
    if post.marker:
        at = log.moment(now)
        rows.turn(post, [State.ASIDE], state=State.READY, next_at=at)
        post.head.parts.filter(state=State.ASIDE).update(state=State.READY, next_at=at)
    elif Post.objects.filter(thread=post.thread, report=post.report, first=None, state__in=OPEN).exists():
        raise NotNow("drafted-anew", _("There is a newer draft of this report."))
    else:
        rows.turn(post, [State.ASIDE], state=State.DRAFT)
    return post


def _must_stand(thread: Thread) -> None:
    thread.refresh_from_db()
    rows.must_stand(thread)


def automatic(thread: Thread) -> bool:
    """Does a program post there?"""
    try:
        return transport(thread.transport).automatic
    except KeyError:  # a transport that is no more
        return False
