"""The worker that reads what others write in threads that a game master wants followed.

It reads as a guest. A place is asked at most every quarter of an hour, with the validators of its
last page, so that it need not send an unchanged page. If the place does not answer, the pauses
grow; if it may not be read, reading stops until a person asks for another attempt.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from campaign.errors import Refused as errors_Refused
from campaign.log import entries
from campaign.models import Campaign
from forum.boards import (
    AccessRefused,
    BoardClosed,
    PermanentError,
    ReadPost,
    ReadsPosts,
    SearchError,
    ShowsTopic,
    TemporaryError,
    TransportError,
)
from forum.models import FollowedThread, ImportedPost, Post, Thread
from forum.posts import outbox, reports, sending, threads
from forum.posts.outbox import lock_campaign
from outgoing import OutsideError, Refused
from outgoing.client import Answer, Client, check
from people.validators import fold

LOG = logging.getLogger(__name__)
EVERY = timedelta(minutes=15)
LONGEST_WAIT = timedelta(hours=8)
MOST_FAILURES = 8
"""The number of failures in a row, over about a day, after which reading stops."""
READING_SECONDS = 40.0
"""The maximum duration of all requests to one place, in seconds."""
MOST_LOOKED_AT = 200
"""The maximum number of rows of one tick; rows that other processes read meanwhile are skipped."""
LONGEST = 20_000
"""The maximum number of characters that are kept of a post."""
MOST_COMPARED = 300
"""The maximum number of posts of a thread that are checked for deletion after a reading."""
MOST_ORDERED = 2000
MARK = re.compile(r"\[[a-z0-9]{4}-\d{1,9}-[0-9a-f]{6}\]", re.ASCII)
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Unchanged(Exception):
    """The error that the page has not changed since it was last read."""


class ConditionalClient(Client):
    """A client that requests the first page only if it has changed.

    `seen` are the headers for that, `learnt` those for the next time. The latter count only if
    everything could be read.
    """

    def __init__(self, seen: dict[str, dict[str, str]], **options: Any) -> None:
        super().__init__(**options)
        self.seen = seen
        self.learnt: dict[str, dict[str, str]] | None = None

    def request(self, method: str, url: str, **more: Any) -> Answer:
        first = self.learnt is None
        if first:
            more["headers"] = {**(more.get("headers") or {}), **self.seen.get(url, {})}
            self.learnt = {}
        answer = super().request(method, url, **more)
        if first and answer.status == 304:
            raise Unchanged
        if first and answer.ok:
            says = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
            headers = {
                name: str(answer.headers.get(header) or "")[:200] for name, header in says.items()
            }
            self.learnt = {
                url: {name: value for name, value in headers.items() if value and value.isascii()}
            }
        return answer


Clients = Callable[[dict[str, dict[str, str]]], ConditionalClient]


def new_client(seen: dict[str, dict[str, str]]) -> ConditionalClient:
    return ConditionalClient(seen, lasts=READING_SECONDS)


def tick(now: datetime, limit: int | None = None, *, client: Clients = new_client) -> int:
    """Read the places that are due, and return how many were asked, at most `limit`.

    The failure of one place does not stop the others.
    """
    due = FollowedThread.objects.filter(
        active=True, stopped_at=None, next_at__lte=now, thread__removed_at=None
    )
    due = due.exclude(thread__campaign__suspended=True).exclude(thread__campaign__archived=True)
    done = 0
    for following in due.select_related("thread__made_by", "thread__campaign").order_by(
        "next_at", "pk"
    )[:MOST_LOOKED_AT]:
        if limit is not None and done >= limit:
            break
        done += _follow(following, now, client)
    return done


def _follow(row: FollowedThread, now: datetime, client: Clients) -> bool:
    # The process that sets the time of the next reading does this reading.
    mine = FollowedThread.objects.filter(
        pk=row.pk, active=True, stopped_at=None, next_at=row.next_at
    )
    if not mine.update(next_at=now + EVERY):
        return False
    # With other settings it is another topic, for which the known posts and headers are useless.
    same = row.place == row.thread.settings
    # A board may call a page unchanged in which an old post was edited or deleted. So the page is
    # requested unconditionally once an hour.
    known_page = row.headers if same and now.minute >= EVERY.total_seconds() // 60 else {}
    since, visit = row.last_post_name if same else "", client(known_page)
    with reports.in_language(getattr(row.thread.made_by, "language", "") or row.thread.language):
        try:
            way = threads.reading_transport(row.thread)
            if not isinstance(way, ReadsPosts):
                raise SearchError(_("Threads of this kind cannot be followed."))
            # The client gets only the address and no credentials, because it reads as a guest.
            settings = {"address": _with_https(row.thread.settings.get("address", ""))}
            back_to = None if since else turn_opening(row.thread.campaign)
            read_posts = way.read(settings, since, visit, again=True, back_to=back_to)
        except Unchanged:
            read_posts = list[ReadPost]()
        except Exception as error:
            _store_failure(row, error, now)
            return True
    store_replies(row, read_posts, now, visit.learnt or row.headers)
    if threads.has_default_name(row.thread) and isinstance(way, ShowsTopic):
        with (
            suppress(TransportError, OutsideError, LookupError, ValueError, TypeError),
            transaction.atomic(),
        ):
            threads.store_topic(row.thread, way.topic(settings, visit))
    return True


def _with_https(address: str) -> str:
    """Return the address with https, because a user may have copied it without."""
    try:
        check(address)
    except Refused:
        return address.replace("http://", "https://", 1)
    return address


def turn_opening(campaign: Campaign) -> datetime:
    """Return when the current turn began, which is how far back the first reading goes."""
    first = campaign.entries.filter(turn=campaign.turn).order_by("sequence").first()
    return first.at if first is not None else campaign.founded_at


@transaction.atomic
def store_replies(
    row: FollowedThread, read_posts: list[ReadPost], now: datetime, seen: dict[str, dict[str, str]]
) -> None:
    """Store new posts, each once, and how far the thread has been read."""
    asked = [name for reply in read_posts for name in (reply.id[:40], _name_on_other_board(reply))]
    rows = {row.name: row for row in ImportedPost.objects.filter(thread=row.thread, name__in=asked)}
    known = {name: row.permalink for name, row in rows.items()}
    marks = {mark for reply in read_posts for mark in MARK.findall(f"{reply.text}\n{reply.quoted}")}
    posts = (
        {
            post.marker: post
            for post in Post.objects.filter(campaign=row.thread.campaign_id, marker__in=marks)
        }
        if marks
        else {}
    )
    new_posts = []
    for reply in read_posts:
        name = reply.id[:40]
        if name in known and _host(known[name]) != _host(reply.permalink):
            # The thread was on another board before, which numbers its posts from 1 too.
            name = _name_on_other_board(reply)
        _approve_own_post(row.thread, reply, posts)
        if name in known:
            if reply.lasting:
                _store_change(rows[name], reply, now)
            continue
        post = next(
            (
                posts[mark]
                for mark in MARK.findall(f"{reply.text}\n{reply.quoted}")
                if mark in posts
            ),
            None,
        )
        new_posts.append(
            ImportedPost(
                thread=row.thread,
                name=name,
                author=visible_text(reply.author)[:100],
                posted_at=reply.at,
                imported_at=now,
                text=visible_text(reply.text)[:LONGEST],
                permalink=reply.permalink[:500],
                post=post,
            )
        )
    ImportedPost.objects.bulk_create(new_posts, ignore_conflicts=True)
    _mark_deleted(row.thread, read_posts, now)
    last, place = read_posts[-1].id[:40] if read_posts else row.last_post_name, row.thread.settings
    FollowedThread.objects.filter(pk=row.pk).update(
        last_post_name=last,
        place=place,
        headers=seen,
        read_at=now,
        failures=0,
        last_error="",
    )


def _store_change(row: ImportedPost, reply: ReadPost, now: datetime) -> None:
    """Store the present text of a known post, and the text before."""
    text = visible_text(reply.text)[:LONGEST]
    if row.gone_at is not None:
        row.gone_at = None  # A moderator has restored it.
        row.save(update_fields=["gone_at"])
    if " ".join(text.split()) != " ".join(row.text.split()):
        # The text that a user has read as moves remains the basis of the comparison, however often
        # the post was changed since.
        unread_change = row.changed_at is not None and (
            row.taken_at is None or row.changed_at > row.taken_at
        )
        row.before, row.text, row.changed_at = row.before if unread_change else row.text, text, now
        row.save(update_fields=["before", "text", "changed_at"])


def _mark_deleted(thread: Thread, read_posts: list[ReadPost], now: datetime) -> None:
    """Mark posts as deleted that should be among those just read, but are not."""
    numbers = {int(reply.id) for reply in read_posts if reply.lasting and reply.id.isdecimal()}
    if len(numbers) < len(read_posts) or len(numbers) < 2:
        return
    host = _host(read_posts[0].permalink)
    for row in ImportedPost.objects.filter(thread=thread, gone_at=None).order_by("-pk")[
        :MOST_COMPARED
    ]:
        number = int(row.name) if row.name.isdecimal() else None
        if (
            number is not None
            and number > min(numbers)
            and number not in numbers
            and _host(row.permalink) == host
        ):
            ImportedPost.objects.filter(pk=row.pk).update(gone_at=now)


def _approve_own_post(thread: Thread, reply: ReadPost, posts: dict[str, Post]) -> None:
    """Mark a waiting post of this site as approved if a guest can read it."""
    mark = next(iter(MARK.findall(reply.text)[-1:]), "")
    post = posts.get(mark)
    if (
        post is None
        or post.state != Post.State.AWAITING
        or post.thread_id != thread.pk
        or not reply.text.rstrip().endswith(mark)
    ):
        return
    if fold(reply.author) == fold(thread.settings.get("username", reply.author)):
        sending.mark_approved(post, reply.permalink)


def _host(address: str) -> str:
    return urlsplit(address).netloc


def _name_on_other_board(reply: ReadPost) -> str:
    """Return the name of a post if the thread knows a post with its id on another board."""
    return f"{reply.id[:25]}@{hashlib.sha256(_host(reply.permalink).encode()).hexdigest()[:12]}"


def visible_text(text: str) -> str:
    """Return a text without the characters that texts of this site may not contain."""
    return _HIDDEN.sub("", text).strip()


def _store_failure(row: FollowedThread, error: Exception, now: datetime) -> None:
    why = str(error) if isinstance(error, TransportError | OutsideError) else type(error).__name__
    if not isinstance(error, TransportError | OutsideError):
        LOG.error("Thread %d cannot be read: %s", row.thread_id, why)
    failures = row.failures + 1
    for_good = isinstance(error, SearchError | PermanentError | AccessRefused | Refused)
    for_good = for_good or (failures >= MOST_FAILURES and not isinstance(error, BoardClosed))
    asked = timedelta(seconds=error.seconds) if isinstance(error, TemporaryError) else EVERY
    wait = max(asked, min(EVERY * 2 ** min(failures, 6), LONGEST_WAIT))
    FollowedThread.objects.filter(pk=row.pk).update(
        failures=failures,
        last_error=why[:500],
        next_at=now + wait,
        stopped_at=now if for_good else None,
    )


# Queries for followed threads and replies


class FollowableThread(NamedTuple):
    """A thread that can be followed, with its settings for that, if it was ever followed."""

    thread: Thread
    following: FollowedThread | None

    @property
    def active(self) -> bool:
        return self.following is not None and self.following.active


def followable_threads(campaign: Campaign) -> list[FollowableThread]:
    """Return the threads of this campaign that can be read, oldest first.

    Threads to which posts are copied by hand are included.
    """
    rows = (
        Thread.objects.filter(campaign=campaign, removed_at=None)
        .select_related("following")
        .order_by("pk")
    )
    return [
        FollowableThread(thread, thread.followed)
        for thread in rows
        if isinstance(threads.reading_transport(thread), ReadsPosts)
    ]


def replies(campaign: Campaign, *, everything: bool) -> QuerySet[ImportedPost]:
    """Return the replies in a campaign's threads, newest first.

    Unless `everything` is true, only threads that are shown to players are included.
    """
    replies = ImportedPost.objects.filter(thread__campaign=campaign, thread__removed_at=None)
    if not everything:
        replies = replies.filter(thread__following__shown=True, thread__following__active=True)
    order = replies.annotate(when=Coalesce("posted_at", "imported_at")).order_by("-when", "-pk")
    return order.select_related("thread", "post")


def replies_slice(
    campaign: Campaign, *, everything: bool, skip: int, limit: int
) -> Sequence[ImportedPost]:
    """Return a slice of `replies`."""
    return list(replies(campaign, everything=everything)[skip : skip + limit])


def unread_replies(campaign: Campaign, *, everything: bool) -> QuerySet[ImportedPost]:
    """Return the replies that no user has read as moves or set aside since their last change.

    Reports of this site and deleted posts are left out.
    """
    of_theirs = replies(campaign, everything=everything).filter(post=None, gone_at=None)
    return of_theirs.filter(Q(taken_at=None) | Q(changed_at__gt=F("taken_at")))


def reply_ids(campaign: Campaign, *, everything: bool) -> list[int]:
    """Return the ids of the rows of `replies`, in its order."""
    return list(
        replies(campaign, everything=everything).values_list("pk", flat=True)[:MOST_ORDERED]
    )


@transaction.atomic
def mark_taken(post: ImportedPost, *, now: datetime | None = None) -> None:
    """Record that a user who may speak for its author has read the post as moves.

    The same is recorded if they set it aside.
    """
    ImportedPost.objects.filter(pk=post.pk).update(taken_at=entries.moment(now))


# Services that switch following on and off, show replies to players, and try again


@transaction.atomic
def set_following(
    thread: Thread, user: Any, *, active: bool, shown: bool = True, now: datetime | None = None
) -> FollowedThread:
    """Switch following on or off. Replies that were read remain.

    Raises `Refused` if the place cannot be read.
    """
    lock_campaign(thread.campaign, user)
    at = entries.moment(now)
    row = outbox.lock_thread(thread)
    if active and not isinstance(threads.reading_transport(row), ReadsPosts):
        raise errors_Refused("not-readable", _("Threads of this kind cannot be followed."))
    following, is_new = FollowedThread.objects.get_or_create(
        thread=row, defaults={"changed_by": user}
    )
    if active and (is_new or not following.active):
        following.next_at, following.stopped_at, following.failures, following.last_error = (
            at,
            None,
            0,
            "",
        )
    following.active, following.shown, following.changed_by = active, shown, user
    following.save()
    return following


@transaction.atomic
def read_again(thread: Thread, user: Any, *, now: datetime | None = None) -> None:
    """Allow another attempt to read a thread after reading has stopped."""
    lock_campaign(thread.campaign, user)
    stopped = FollowedThread.objects.filter(thread=thread, active=True, stopped_at__isnull=False)
    stopped.update(stopped_at=None, failures=0, next_at=entries.moment(now), changed_by=user)
