"""Reading what others write at a thread's place: as anybody may, politely, and where a game master
asked for it.

A place is asked at most every quarter of an hour, with what it said of its page the last time, so
that it need not send an unchanged one. Where it does not answer one waits longer each time; where
it may not be read one stops until a person says "try again".
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
from engine.strict_json import canonical
from forum.boards import (
    CannotRead,
    Closed,
    Heard,
    Later,
    Locked,
    Permanent,
    Readable,
    Showing,
    TransportError,
)
from forum.models import FollowedThread, ImportedPost, Post, Thread
from forum.posts import outbox, reports, sending, threads
from forum.posts.outbox import held
from outgoing import OutsideError, Refused
from outgoing.client import Answer, Client, check
from people.validators import fold

LOG = logging.getLogger(__name__)
EVERY = timedelta(minutes=15)
LONGEST_WAIT = timedelta(hours=8)
MOST_FAILURES = 8
"""In a row, over about a day: then it stops."""
LASTS = 40.0
"""Seconds for all that one place is asked."""
MOST_LOOKED_AT = 200
"""Rows of one tick: those that others read meanwhile are passed over."""
LONGEST = 20_000
"""Characters of a post that are kept."""
MOST_COMPARED = 300
"""Posts of a thread that are looked for again after a reading."""
MOST_ORDERED = 2000
MARK = re.compile(r"\[[a-z0-9]{4}-\d{1,9}-[0-9a-f]{6}\]", re.ASCII)
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Unchanged(Exception):
    """The place says that its page is as it was."""


class Polite(Client):
    """Asks for the first page only if it has changed: `seen` are the headers for that, `learnt`
    those for the next time.

    What is learnt counts only when everything was read.
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


Clients = Callable[[dict[str, dict[str, str]]], Polite]


def visitor(seen: dict[str, dict[str, str]]) -> Polite:
    return Polite(seen, lasts=LASTS)


def tick(now: datetime, limit: int | None = None, *, client: Clients = visitor) -> int:
    """Read the places that are due, each in its turn; how many were asked, at most `limit`. One
    that fails stops no other.
    """
    due = FollowedThread.objects.filter(
        active=True, stopped_at=None, next_at__lte=now, thread__removed_at=None
    )
    due = due.exclude(thread__campaign__suspended=True).exclude(thread__campaign__archived=True)
    done = 0
    for one in due.select_related("thread__made_by", "thread__campaign").order_by("next_at", "pk")[
        :MOST_LOOKED_AT
    ]:
        if limit is not None and done >= limit:
            break
        done += _follow(one, now, client)
    return done


def _follow(row: FollowedThread, now: datetime, client: Clients) -> bool:
    # Whoever sets the time of the next reading does this one.
    mine = FollowedThread.objects.filter(
        pk=row.pk, active=True, stopped_at=None, next_at=row.next_at
    )
    if not mine.update(next_at=now + EVERY):
        return False
    same = (
        row.place == row.thread.settings
    )  # else it is another topic, and what was known of the old one says nothing
    # A board may call a page unchanged in which an old post was edited or deleted: once an hour it
    # is asked for in any case.
    known_page = row.headers if same and now.minute >= EVERY.total_seconds() // 60 else {}
    since, visit = row.last_post_name if same else "", client(known_page)
    with reports.speaking(getattr(row.thread.made_by, "language", "") or row.thread.language):
        try:
            way = threads.reader(row.thread)
            if not isinstance(way, Readable):
                raise CannotRead(_("This place cannot be followed."))
            # Its address only: nobody signs in to read.
            settings = {"address": _asked(row.thread.open_settings.get("address", ""))}
            back_to = None if since else opening_of(row.thread.campaign)
            heard = way.read(settings, since, visit, again=True, back_to=back_to)
        except Unchanged:
            heard = list[Heard]()
        except Exception as error:
            _failed(row, error, now)
            return True
    store_replies(row, heard, now, visit.learnt or row.headers)
    if threads.unnamed(row.thread) and isinstance(way, Showing):
        with (
            suppress(TransportError, OutsideError, LookupError, ValueError, TypeError),
            transaction.atomic(),
        ):
            threads.learn(row.thread, way.topic(settings, visit))
    return True


def _asked(address: str) -> str:
    """The address as it is asked: a person may have copied it without TLS."""
    try:
        check(address)
    except Refused:
        return address.replace("http://", "https://", 1)
    return address


def opening_of(campaign: Campaign) -> datetime:
    """When the turn that is played began: as far back goes who reads a thread for the first
    time.
    """
    first = campaign.entries.filter(turn=campaign.turn).order_by("sequence").first()
    return first.at if first is not None else campaign.founded_at


@transaction.atomic
def store_replies(
    row: FollowedThread, heard: list[Heard], now: datetime, seen: dict[str, dict[str, str]]
) -> None:
    """New posts, each once, and how far one has read."""
    asked = [name for one in heard for name in (one.id[:40], _elsewhere(one))]
    rows = {one.name: one for one in ImportedPost.objects.filter(thread=row.thread, name__in=asked)}
    known = {name: one.permalink for name, one in rows.items()}
    marks = {mark for one in heard for mark in MARK.findall(f"{one.text}\n{one.quoted}")}
    posts = (
        {
            one.marker: one
            for one in Post.objects.filter(campaign=row.thread.campaign_id, marker__in=marks)
        }
        if marks
        else {}
    )
    fresh = []
    for one in heard:
        name = one.id[:40]
        if name in known and _host(known[name]) != _host(one.permalink):
            name = _elsewhere(
                one
            )  # the thread was on another board before, which counts its posts from one, too
        _let_through(row.thread, one, posts)
        if name in known:
            if one.lasting:
                _changed(rows[name], one, now)
            continue
        post = next(
            (posts[mark] for mark in MARK.findall(f"{one.text}\n{one.quoted}") if mark in posts),
            None,
        )
        fresh.append(
            ImportedPost(
                thread=row.thread,
                name=name,
                author=visible_text(one.author)[:100],
                posted_at=one.at,
                imported_at=now,
                text=visible_text(one.text)[:LONGEST],
                permalink=one.permalink[:500],
                post=post,
            )
        )
    ImportedPost.objects.bulk_create(fresh, ignore_conflicts=True)
    _gone(row.thread, heard, now)
    last, place = heard[-1].id[:40] if heard else row.last_post_name, row.thread.settings
    FollowedThread.objects.filter(pk=row.pk).update(
        last_post_name=last,
        place=place,
        seen=canonical(seen),
        read_at=now,
        failures=0,
        last_error="",
    )


def _changed(row: ImportedPost, one: Heard, now: datetime) -> None:
    """A post that was read before: as it is now, and how it was."""
    text = visible_text(one.text)[:LONGEST]
    if row.gone_at is not None:
        row.gone_at = None  # a moderator brought it back
        row.save(update_fields=["gone_at"])
    if " ".join(text.split()) != " ".join(row.text.split()):
        # What a person has read as moves is what the difference is to, however often the post was
        # changed since.
        unread_change = row.changed_at is not None and (
            row.taken_at is None or row.changed_at > row.taken_at
        )
        row.before, row.text, row.changed_at = row.before if unread_change else row.text, text, now
        row.save(update_fields=["before", "text", "changed_at"])


def _gone(thread: Thread, heard: list[Heard], now: datetime) -> None:
    """Posts that stood among those that were read now, and do not any more."""
    numbers = {int(one.id) for one in heard if one.lasting and one.id.isdecimal()}
    if len(numbers) < len(heard) or len(numbers) < 2:
        return
    host = _host(heard[0].permalink)
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


def _let_through(thread: Thread, one: Heard, posts: dict[str, Post]) -> None:
    """A post of ours that waited for a moderator, and that a guest can read: it stands there."""
    mark = next(iter(MARK.findall(one.text)[-1:]), "")
    post = posts.get(mark)
    if (
        post is None
        or post.state != Post.State.AWAITING
        or post.thread_id != thread.pk
        or not one.text.rstrip().endswith(mark)
    ):
        return
    if fold(one.author) == fold(thread.open_settings.get("username", one.author)):
        sending.approved(post, one.permalink)


def _host(address: str) -> str:
    return urlsplit(address).netloc


def _elsewhere(one: Heard) -> str:
    """Its name where the thread knows a post of that name on another board."""
    return f"{one.id[:25]}@{hashlib.sha256(_host(one.permalink).encode()).hexdigest()[:12]}"


def visible_text(text: str) -> str:
    """What others wrote, without the characters that no text of ours may hold."""
    return _HIDDEN.sub("", text).strip()


def _failed(row: FollowedThread, error: Exception, now: datetime) -> None:
    why = str(error) if isinstance(error, TransportError | OutsideError) else type(error).__name__
    if not isinstance(error, TransportError | OutsideError):
        LOG.error("Thread %d cannot be read: %s", row.thread_id, why)
    failures = row.failures + 1
    for_good = isinstance(error, CannotRead | Permanent | Locked | Refused)
    for_good = for_good or (failures >= MOST_FAILURES and not isinstance(error, Closed))
    asked = timedelta(seconds=error.seconds) if isinstance(error, Later) else EVERY
    wait = max(asked, min(EVERY * 2 ** min(failures, 6), LONGEST_WAIT))
    FollowedThread.objects.filter(pk=row.pk).update(
        failures=failures,
        last_error=why[:500],
        next_at=now + wait,
        stopped_at=now if for_good else None,
    )


# What was heard, for reading: the threads that are followed, and what others wrote there.


class Place(NamedTuple):
    """A thread that could be followed, with how it is, if anybody has ever switched that on."""

    thread: Thread
    following: FollowedThread | None

    @property
    def active(self) -> bool:
        return self.following is not None and self.following.active


def places(campaign: Campaign) -> list[Place]:
    """The threads of this campaign that can be read, the oldest first: also those to which posts
    are copied by hand.
    """
    rows = (
        Thread.objects.filter(campaign=campaign, removed_at=None)
        .select_related("following")
        .order_by("pk")
    )
    return [Place(one, one.followed) for one in rows if isinstance(threads.reader(one), Readable)]


def of_campaign(campaign: Campaign, *, everything: bool) -> QuerySet[ImportedPost]:
    """The newest first; `everything`, or of the threads that are shown to the players."""
    replies = ImportedPost.objects.filter(thread__campaign=campaign, thread__removed_at=None)
    if not everything:
        replies = replies.filter(thread__following__shown=True, thread__following__active=True)
    order = replies.annotate(when=Coalesce("posted_at", "imported_at")).order_by("-when", "-pk")
    return order.select_related("thread", "post")


def posts(campaign: Campaign, *, everything: bool, skip: int, limit: int) -> Sequence[ImportedPost]:
    """Some of `of_campaign`."""
    return list(of_campaign(campaign, everything=everything)[skip : skip + limit])


def unread(campaign: Campaign, *, everything: bool) -> QuerySet[ImportedPost]:
    """What nobody has read as moves, or set aside, since it was written or last changed; without
    reports of ours and without what was deleted.
    """
    of_theirs = of_campaign(campaign, everything=everything).filter(post=None, gone_at=None)
    return of_theirs.filter(Q(taken_at=None) | Q(changed_at__gt=F("taken_at")))


def order_of(campaign: Campaign, *, everything: bool) -> list[int]:
    """The rows' numbers of `of_campaign`, in its order."""
    return list(
        of_campaign(campaign, everything=everything).values_list("pk", flat=True)[:MOST_ORDERED]
    )


@transaction.atomic
def take(post: ImportedPost, *, now: datetime | None = None) -> None:
    """Somebody who may speak for its author has read it as moves, or set it aside."""
    ImportedPost.objects.filter(pk=post.pk).update(taken_at=entries.moment(now))


# Following a thread: switched on and off, shown to the players or not, tried again.


@transaction.atomic
def set_following(
    thread: Thread, user: Any, *, active: bool, shown: bool = True, now: datetime | None = None
) -> FollowedThread:
    """Switch it on or off. What was heard stays. Raises `Refused` where such a place cannot be
    read.
    """
    held(thread.campaign, user)
    at = entries.moment(now)
    row = outbox.lock_thread(thread)
    if active and not isinstance(threads.reader(row), Readable):
        raise errors_Refused("not-readable", _("This place cannot be followed."))
    following, fresh = FollowedThread.objects.get_or_create(
        thread=row, defaults={"changed_by": user}
    )
    if active and (fresh or not following.active):
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
    """Try once more where one has stopped."""
    held(thread.campaign, user)
    stopped = FollowedThread.objects.filter(thread=thread, active=True, stopped_at__isnull=False)
    stopped.update(stopped_at=None, failures=0, next_at=entries.moment(now), changed_by=user)
