"""Reading what others write at a thread's place: as anybody may, politely, and where a game master asked for it.

A place is asked at most every quarter of an hour, with what it said of its page the last time, so that it need not send an
unchanged one. Where it does not answer one waits longer each time; where it may not be read one stops until a person
says "try again".
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from campaign.errors import Refused as errors_Refused
from campaign.log import entries
from campaign.models import Campaign
from engine.log import canonical
from forum.boards import CannotRead, Closed, Heard, Later, Locked, Permanent, Readable, TransportError, transport, transports
from forum.models import Following, HeardPost, Post, Thread
from forum.posts import outbox, reports
from forum.posts.outbox import held
from outgoing import OutsideError, Refused
from outgoing.client import Answer, Client

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
MARK = re.compile(r"\[[a-z0-9]{4}-\d{1,9}-[0-9a-f]{6}\]", re.ASCII)
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Unchanged(Exception):
    """The place says that its page is as it was."""


class Polite(Client):
    """Asks for the first page only if it has changed: `seen` are the headers for that, `learnt` those for the next time.

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
            headers = {name: str(answer.headers.get(header) or "")[:200] for name, header in says.items()}
            self.learnt = {url: {name: value for name, value in headers.items() if value and value.isascii()}}
        return answer


Clients = Callable[[dict[str, dict[str, str]]], Polite]


def visitor(seen: dict[str, dict[str, str]]) -> Polite:
    return Polite(seen, lasts=LASTS)


def tick(now: datetime, limit: int | None = None, *, client: Clients = visitor) -> int:
    """Read the places that are due, each in its turn; how many were asked, at most `limit`. One that fails stops no other."""
    due = Following.objects.filter(active=True, stopped_at=None, next_at__lte=now, thread__removed_at=None)
    due = due.exclude(thread__campaign__suspended=True).exclude(thread__campaign__archived=True)
    done = 0
    for one in due.select_related("thread__made_by", "thread__campaign").order_by("next_at", "pk")[:MOST_LOOKED_AT]:
        if limit is not None and done >= limit:
            break
        done += _follow(one, now, client)
    return done


def _follow(row: Following, now: datetime, client: Clients) -> bool:
    # Whoever sets the time of the next reading does this one.
    mine = Following.objects.filter(pk=row.pk, active=True, stopped_at=None, next_at=row.next_at)
    if not mine.update(next_at=now + EVERY):
        return False
    same = row.place == row.thread.settings  # else it is another topic, and what was known of the old one says nothing
    since, visit = row.known if same else "", client(row.headers if same else {})
    with reports.speaking(getattr(row.thread.made_by, "language", "") or row.thread.language):
        try:
            way = transport(row.thread.transport)
            if not isinstance(way, Readable):
                raise CannotRead(_("Such a place cannot be followed."))
            # Its open settings only: nobody signs in to read.
            heard = way.read(row.thread.told, since, visit)
        except Unchanged:
            heard = []
        except Exception as error:
            _failed(row, error, now)
            return True
    store_replies(row, heard, now, visit.learnt or row.headers)
    return True


@transaction.atomic
def store_replies(row: Following, heard: list[Heard], now: datetime, seen: dict[str, dict[str, str]]) -> None:
    """New posts, each once, and how far one has read."""
    asked = [name for one in heard for name in (one.id[:40], _elsewhere(one))]
    known = dict(HeardPost.objects.filter(thread=row.thread, name__in=asked).values_list("name", "permalink"))
    marks = {mark for one in heard for mark in MARK.findall(one.text)}
    posts = {one.marker: one for one in Post.objects.filter(campaign=row.thread.campaign_id, marker__in=marks)} if marks else {}
    fresh = []
    for one in heard:
        name = one.id[:40]
        if name in known and _host(known[name]) != _host(one.permalink):
            name = _elsewhere(one)  # the thread was on another board before, which counts its posts from one, too
        if name in known:
            continue
        post = next((posts[mark] for mark in MARK.findall(one.text) if mark in posts), None)
        fresh.append(
            HeardPost(
                thread=row.thread,
                name=name,
                author=visible_text(one.author)[:100],
                said_at=one.at,
                heard_at=now,
                text=visible_text(one.text)[:LONGEST],
                permalink=one.permalink[:500],
                post=post,
            )
        )
    HeardPost.objects.bulk_create(fresh, ignore_conflicts=True)
    last, place = heard[-1].id[:40] if heard else row.known, row.thread.settings
    Following.objects.filter(pk=row.pk).update(
        known=last, place=place, seen=canonical(seen), read_at=now, failures=0, last_error=""
    )


def _host(address: str) -> str:
    return urlsplit(address).netloc


def _elsewhere(one: Heard) -> str:
    """Its name where the thread knows a post of that name on another board."""
    return f"{one.id[:25]}@{hashlib.sha256(_host(one.permalink).encode()).hexdigest()[:12]}"


def visible_text(text: str) -> str:
    """What others wrote, without the characters that no text of ours may hold."""
    return _HIDDEN.sub("", text).strip()


def _failed(row: Following, error: Exception, now: datetime) -> None:
    why = str(error) if isinstance(error, TransportError | OutsideError) else type(error).__name__
    if not isinstance(error, TransportError | OutsideError):
        LOG.error("Thread %d cannot be read: %s", row.thread_id, why)
    failures = row.failures + 1
    for_good = isinstance(error, CannotRead | Permanent | Locked | Refused)
    for_good = for_good or (failures >= MOST_FAILURES and not isinstance(error, Closed))
    asked = timedelta(seconds=error.seconds) if isinstance(error, Later) else EVERY
    wait = max(asked, min(EVERY * 2 ** min(failures, 6), LONGEST_WAIT))
    Following.objects.filter(pk=row.pk).update(
        failures=failures, last_error=why[:500], next_at=now + wait, stopped_at=now if for_good else None
    )


# What was heard, for reading: the threads that are followed, and what others wrote there.


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
    threads = Thread.objects.filter(campaign=campaign, removed_at=None, transport__in=readable).select_related("following")
    return [Place(one, getattr(one, "following", None)) for one in threads.order_by("pk")]


def of_campaign(campaign: Campaign, *, everything: bool) -> QuerySet[HeardPost]:
    """The newest first; `everything`, or of the threads that are shown to the players."""
    replies = HeardPost.objects.filter(thread__campaign=campaign, thread__removed_at=None)
    if not everything:
        replies = replies.filter(thread__following__shown=True, thread__following__active=True)
    order = replies.annotate(when=Coalesce("said_at", "heard_at")).order_by("-when", "-pk")
    return order.select_related("thread", "post")


def posts(campaign: Campaign, *, everything: bool, skip: int, limit: int) -> Sequence[HeardPost]:
    """Some of `of_campaign`."""
    return list(of_campaign(campaign, everything=everything)[skip : skip + limit])


# Following a thread: switched on and off, shown to the players or not, tried again.


@transaction.atomic
def set_following(thread: Thread, user: Any, *, active: bool, shown: bool = True, now: datetime | None = None) -> Following:
    """Switch it on or off. What was heard stays. Raises `Refused` where such a place cannot be read."""
    held(thread.campaign, user)
    at = entries.moment(now)
    row = outbox.lock_thread(thread)
    if active and not isinstance(transports().get(row.transport), Readable):
        raise errors_Refused("not-readable", _("Such a place cannot be followed."))
    following, fresh = Following.objects.get_or_create(thread=row, defaults={"changed_by": user})
    if active and (fresh or not following.active):
        following.next_at, following.stopped_at, following.failures, following.last_error = at, None, 0, ""
    following.active, following.shown, following.changed_by = active, shown, user
    following.save()
    return following


@transaction.atomic
def read_again(thread: Thread, user: Any, *, now: datetime | None = None) -> None:
    """Try once more where one has stopped."""
    held(thread.campaign, user)
    stopped = Following.objects.filter(thread=thread, active=True, stopped_at__isnull=False)
    stopped.update(stopped_at=None, failures=0, next_at=entries.moment(now), changed_by=user)
