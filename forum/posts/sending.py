"""What leaves, and when: `tick` may run as often as one likes, in as many processes as one likes.

A post is taken in a short transaction, sent outside of any, and marked in a third. One thread sends
one post at a time, in the order in which they were made. Whoever is stopped between sending and
marking leaves a post that is taken and never marked: after `LEASE` it is in doubt, as after an
answer that did not come, and the place is read for its mark before anything is sent again. Where
one cannot look, a person decides. Nothing is ever sent twice on a guess.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from http.cookiejar import CookieJar
from time import monotonic
from typing import Any, NamedTuple

from cryptography.fernet import InvalidToken
from django.conf import settings as site_settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign import keys
from campaign.errors import TableError
from campaign.log import entries
from forum import hooks
from forum.boards import (
    POSTED,
    CannotRead,
    Closed,
    Doubtful,
    Editing,
    Later,
    Letter,
    Locked,
    Paced,
    Permanent,
    Sent,
    Showing,
    TooSoon,
    Topic,
    Transport,
    TransportError,
    Unclear,
    Unreadable,
    Unseen,
    Veiled,
)
from forum.boards.registry import transport, transports
from forum.models import Post, Thread
from forum.posts import outbox, reports, threads
from forum.posts.outbox import State
from forum.posts.reports import TEST
from outgoing import client as outgoing
from outgoing.client import Client

LOG = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)
LASTS = 240
"""Seconds for all that one sending asks: it ends before its lease does, however slow a place is."""
DAY = timedelta(days=1)
"""How far back a look after a doubt can be relied on, and how long it counts that a place showed a
post of ours at once.
"""
APPROVAL, GIVEN_UP = timedelta(minutes=15), timedelta(days=30)
"""How soon one looks whether a moderator let a post through, ever less often, and after how long
one stops.
"""
EDIT_AGAIN = timedelta(minutes=10)
"""From one attempt to change a post to the next."""
CONFIRM = timedelta(minutes=1)
"""From a refusal to the second attempt, after which it is believed."""
SETTLE = 60
"""Seconds from a doubt to the first look: what a slow place was told may still be on its way into
the topic.
"""
BACK_OFF = (0, 0, 60, 300, 900, 1800, 3600, 7200, 14400, 21600, 21600)
"""At least so many seconds from an attempt to the next, whatever the place asks for: twenty hours,
and then it has failed.
"""
TIMES = 3
"""So often a refusal that is not understood is taken for "not yet", over three minutes and more."""
WAITING = (State.READY, State.SENDING)
STUCK = (State.FAILED, State.DOUBTFUL, State.ASIDE, State.SUPERSEDED)

Clients = Callable[[CookieJar], Client]


def visitor(jar: CookieJar) -> Client:
    """Who asks at a place, in use; tests give another."""
    return Client(cookies=jar, lasts=LASTS)


def tick(now: datetime, limit: int | None = None, *, client: Clients = visitor) -> int:
    """Make ready what is to be posted at once, look after what was left, send what is due. How many
    were tried, at most `limit`.
    """
    start = monotonic()

    def clock() -> datetime:
        """The time as it goes on while this tick works: a lease begins when its row is taken."""
        return now + timedelta(seconds=monotonic() - start)

    prepare(now)
    recover(now)
    done = 0
    while (limit is None or done < limit) and (taken := take(now, clock())) is not None:
        done += 1
        send(taken, clock, client)
    while (limit is None or done < limit) and look_for_approval(now, client):
        done += 1
    while (limit is None or done < limit) and change_there(now, client):
        done += 1
    return done


# Before -------------------------------------------------------------------------------------------


def prepare(now: datetime) -> None:
    """Give their text to the drafts of threads where nobody wants to look at them first."""
    drafts = Post.objects.filter(
        state=State.DRAFT, made_by=None, thread__at_once=True, thread__active=True
    )
    drafts = drafts.exclude(
        kind__in=reports.ACT_REPORTS
    )  # a correction is proposed, whatever else goes by itself
    for post in drafts.filter(thread__locked_at=None, last_error="").select_related(
        "thread", "campaign"
    ):
        if not outbox.automatic(post.thread):
            continue
        try:
            with transaction.atomic():
                entries.lock(post.campaign)
                outbox.made_ready(post, None, now)
        except TableError as error:
            _untold(post, str(error), now)
        except Exception as error:
            LOG.exception("Post %d cannot be told", post.pk)
            _untold(post, type(error).__name__, now)


@transaction.atomic
def _untold(post: Post, why: str, now: datetime) -> None:
    """Nobody wanted to look at it first; now somebody must."""
    if Post.objects.filter(pk=post.pk, state=State.DRAFT).update(last_error=why):
        notify_stuck(post, FAILED, why, now)


def recover(now: datetime) -> int:
    """What was taken and never marked: who took it was stopped, before or after it was sent."""
    left = Post.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE)
    done = 0
    for post in left.select_related("thread__made_by"):
        with reports.speaking(_reader(post.thread)):
            why = _("The process that sent it was stopped on the way.")
        assert post.taken_at is not None
        since = post.doubt_at if post.doubt else post.taken_at
        to = {
            "state": State.READY,
            "doubt": True,
            "doubt_at": since,
            "next_at": now,
            "last_error": why,
        }
        done += mark(Taken(post, post.thread, post.taken_at), **to)
    return done


def _reader(thread: Thread) -> str:
    """The language of who set it up, for what went wrong there."""
    return getattr(thread.made_by, "language", "") or thread.language


class Taken(NamedTuple):
    """A post that is this process's to send, until its lease ends: `at` is when it was taken, and
    what marks it as ours.
    """

    post: Post
    thread: Thread
    at: datetime


@transaction.atomic
def take(now: datetime, at: datetime) -> Taken | None:
    """The next that is due. The first of its thread that waits is next there, or nothing is; behind
    a part of a report that failed, or is in doubt, its later parts wait for a person and the
    reports after it do not.
    """
    of_head = Post.objects.annotate(whole=Coalesce("first_id", "pk"))
    stuck = of_head.filter(state__in=STUCK, whole=OuterRef("whole"), part__lt=OuterRef("part"))
    movable = of_head.filter(state__in=WAITING).exclude(Exists(stuck))
    before = Q(whole__lt=OuterRef("whole")) | Q(whole=OuterRef("whole"), part__lt=OuterRef("part"))
    earlier = movable.filter(before, thread=OuterRef("thread"))
    due = movable.filter(
        state=State.READY, next_at__lte=now, thread__active=True, thread__locked_at=None
    )
    due = due.exclude(campaign__suspended=True).exclude(Exists(earlier))
    due = due.filter(thread__removed_at=None, thread__transport__in=_automatic())
    busy = Post.objects.filter(thread=OuterRef("thread"), state=State.SENDING)
    for post in due.exclude(Exists(busy)).order_by("next_at", "pk")[:5]:
        # One at a time in a thread: who holds its row decides, and asks again.
        if (
            not Thread.objects.select_for_update(skip_locked=True)
            .filter(pk=post.thread_id)
            .exists()
        ):
            continue
        if Post.objects.filter(thread=post.thread_id, state=State.SENDING).exists():
            continue
        mine = Post.objects.filter(pk=post.pk, state=State.READY, next_at__lte=now)
        if mine.update(state=State.SENDING, taken_at=at, attempts=F("attempts") + 1):
            taken = Post.objects.select_related("thread__made_by", "thread__campaign", "first").get(
                pk=post.pk
            )
            return Taken(taken, taken.thread, at)
    return None


def _automatic() -> list[str]:
    return [key for key, one in transports().items() if one.automatic]


# Sending ------------------------------------------------------------------------------------------


def send(taken: Taken, clock: Callable[[], datetime], client: Clients) -> None:
    """Look first if there is a doubt, then send, then mark. Whatever a transport does wrong ends
    here.
    """
    post, thread = taken.post, taken.thread
    with reports.speaking(_reader(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            # The key of this installation is another one, or the transport is no more.
            return refused(
                taken,
                _("The thread’s settings cannot be read here. Type its credentials again."),
                clock(),
            )
        visit = client(jar)
        try:
            if post.doubt:
                if (there := _looked(way, settings, post, visit, clock)) is not None:
                    soon = post.doubt_at is not None and clock() - post.doubt_at < LEASE
                    return arrived(taken, there, clock(), at_once=soon)
                if not mark(taken, doubt=False):
                    return None  # found left behind while it was looked for: it is another's now
                post.doubt = False
            sent = way.send(settings, letter(post), visit)
        except Exception as error:
            failed(taken, _kind(error, post), clock())
        else:
            arrived(taken, sent, clock(), at_once=True)
        finally:
            _remember(thread, jar)
    return None


def letter(post: Post) -> Letter:
    first = post.first.permalink if post.first is not None else ""
    return Letter(
        post.subject,
        post.text,
        post.marker,
        post.part,
        post.part_count,
        first,
        post.thread.dialect,
        _buttons(post),
    )


def _buttons(post: Post) -> tuple[tuple[str, str], ...]:
    """Below the last part of a report: the ways to the table and to its battles, where the site has
    a public address.
    """
    site = str(getattr(site_settings, "SITE_URL", "")).rstrip("/")
    if post.part != post.part_count or post.report in ("", TEST) or not site.startswith("https://"):
        return ()
    here = [post.campaign.address]
    with reports.speaking(post.thread.language):
        return (
            (_("Table"), site + reverse("table", args=here)),
            (_("Battles"), site + reverse("battles", args=here)),
        )


def _looked(
    way: Transport,
    settings: dict[str, str],
    post: Post,
    visit: Client,
    clock: Callable[[], datetime],
) -> Sent | None:
    """Where the mark stands; None where it surely does not. A look that ends in doubt is a look to
    be taken again.
    """
    veiled = isinstance(way, Veiled)
    try:
        there = way.find(settings, post.marker, visit)
    except Locked:
        raise
    except (Doubtful, outgoing.Doubtful) as error:
        raise Later(SETTLE, str(error)) from None
    except (Permanent, outgoing.Refused) as error:
        raise Unreadable(str(error)) from None
    except Unseen:
        there, veiled = None, True
    if there is not None:
        return there
    if clock() - (post.doubt_at or post.made_at) > DAY:
        raise CannotRead(
            _("It was sent more than a day ago: what was written there since is not searched.")
        )
    # Where moderators look first, what is there may be seen by them alone.
    if Post.objects.filter(thread=post.thread_id, state=State.AWAITING).exists():
        raise CannotRead(
            _("Posts of this thread wait for a moderator there, and this may be one of them.")
        )
    opened = Thread.objects.only("open_at").get(pk=post.thread_id).open_at
    if veiled and (opened is None or clock() - opened > DAY):
        raise CannotRead(_("It is not visible there, but it may wait for a moderator."))
    return None


def _kind(error: Exception, post: Post) -> Exception:
    """What went wrong as one of a transport's errors; of an error of our own one knows nothing but
    that.
    """
    if isinstance(error, TransportError):
        return error
    if isinstance(error, outgoing.Refused):
        return Permanent(str(error))
    if isinstance(error, outgoing.Unreachable):
        return Later(0, str(error))
    if isinstance(error, outgoing.Doubtful):
        return Doubtful(str(error))
    # What was said to the place may hold a secret: the name says enough.
    LOG.error("Post %d broke: %s", post.pk, type(error).__name__)
    return Doubtful(
        _("An error happened here while it was sent ({name}).").format(name=type(error).__name__)
    )


# Looking at a thread's topic, for a person who asks: nothing is posted.

LOOKS = 30
"""Seconds for it: somebody waits for the page."""


def onlooker(jar: CookieJar) -> Client:
    return Client(cookies=jar, lasts=LOOKS)


def look(
    thread: Thread, user: Any, *, now: datetime | None = None, client: Clients = onlooker
) -> Topic:
    """The topic as its board shows it to the thread's account, to a guest where it has none. Raises
    `TransportError` and `OutsideError`; a refused password locks the thread as if it had been sent
    with a post.
    """
    with transaction.atomic():
        outbox.held(thread.campaign, user)
        outbox.lock_thread(thread)
    way, settings = transport(thread.transport), {**thread.settings, **threads.secrets(thread)}
    showing: Any = way if isinstance(way, Showing) else threads.reader(thread)
    if not isinstance(showing, Showing):
        raise CannotRead(_("Such a place cannot be looked at from here."))
    jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
    try:
        topic = showing.topic(settings, client(jar))
    except Locked as error:
        _shut(thread, str(error), entries.moment(now))
        raise
    finally:
        _remember(thread, jar)
    with transaction.atomic():
        threads.learn(thread, topic)
    return topic


# After --------------------------------------------------------------------------------------------


@transaction.atomic
def mark(taken: Taken, **to: Any) -> bool:
    """Change the post, if it is still ours. False where somebody found it left behind and took it
    over.

    Where its thread was taken out meanwhile, what did not get there is put aside, as all was that
    waited then. Where it leads elsewhere now, what is in doubt is not looked for there.
    """
    thread = (
        Thread.objects.select_for_update().only("removed_at", "settings").get(pk=taken.thread.pk)
    )
    if (
        to.get("doubt")
        and to.get("state") == State.READY
        and thread.settings != taken.thread.settings
    ):
        to |= {"state": State.DOUBTFUL, "next_at": None}
    if thread.removed_at is not None and to.get("state") in (
        State.READY,
        State.FAILED,
        State.DOUBTFUL,
    ):
        to |= {"state": State.ASIDE, "next_at": None}
    return bool(
        Post.objects.filter(pk=taken.post.pk, state=State.SENDING, taken_at=taken.at).update(**to)
    )


def arrived(taken: Taken, sent: Sent, now: datetime, *, at_once: bool = False) -> None:
    """`at_once`: no moderator can have let it through before it was seen there."""
    state = State.POSTED if sent.state == POSTED else State.AWAITING
    again = now + APPROVAL if state == State.AWAITING else None
    with transaction.atomic():
        if at_once or state == State.AWAITING:
            same = Thread.objects.filter(pk=taken.thread.pk, settings=taken.thread.settings)
            same.update(open_at=now if state == State.POSTED else None)
        ours = mark(
            taken,
            state=state,
            permalink=sent.permalink[:500],
            posted_at=now,
            doubt=False,
            next_at=again,
            last_error="",
        )
        if ours:
            outbox.settle(taken.post)
            plan(taken.post, taken.thread, now)


def plan(post: Post, thread: Thread, now: datetime) -> None:
    """The parts after one that has just arrived, at the pace that its board asks for."""
    way: Any = transport(thread.transport)
    pace = thread.pace or (way.pace if isinstance(way, Paced) else 0)
    if not pace:
        return
    rest = Post.objects.filter(
        first=post.first_id or post.pk, part__gt=post.part, state=State.READY
    )
    for place, pk in enumerate(rest.order_by("part").values_list("pk", flat=True), 1):
        at = now + timedelta(seconds=pace * place)
        Post.objects.filter(pk=pk, state=State.READY, next_at__lt=at).update(next_at=at)


def look_for_approval(now: datetime, client: Clients) -> bool:
    """One post that waits for a moderator is looked for, if any is due: where it stands for all to
    read, it is posted.
    """
    due = Post.objects.filter(
        state=State.AWAITING, next_at__lte=now, thread__active=True, thread__locked_at=None
    )
    due = due.filter(thread__removed_at=None, thread__transport__in=_automatic()).exclude(
        campaign__suspended=True
    )
    post = due.select_related("thread__made_by").order_by("next_at", "pk").first()
    if post is None:
        return False
    since = now - (post.posted_at or post.made_at)
    again = now + max(APPROVAL, since / 4) if since < GIVEN_UP else None
    if not Post.objects.filter(pk=post.pk, state=State.AWAITING, next_at=post.next_at).update(
        next_at=again
    ):
        return True
    thread = post.thread
    with reports.speaking(_reader(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            return True
        try:
            there = way.find(settings, post.marker, client(jar))
        except Locked as error:
            _shut(thread, str(error), now)
            there = None
        except Exception as error:  # whatever went wrong, it is looked for again
            LOG.info("Post %d was not looked for: %s", post.pk, type(error).__name__)
            there = None
        finally:
            _remember(thread, jar)
    if there is not None and there.state == POSTED:
        approved(post, there.permalink)
    return True


def change_there(now: datetime, client: Clients) -> bool:
    """One post whose text is to be another one, if any is due. What went wrong on the way is done
    again: it does no harm.
    """
    due = Post.objects.filter(
        edit_at__lte=now, thread__active=True, thread__locked_at=None, thread__removed_at=None
    )
    due = due.filter(thread__transport__in=_automatic()).exclude(campaign__suspended=True)
    post = (
        due.select_related("thread__made_by", "thread__campaign", "first")
        .order_by("edit_at", "pk")
        .first()
    )
    if post is None or not Post.objects.filter(pk=post.pk, edit_at=post.edit_at).update(
        edit_at=now + EDIT_AGAIN
    ):
        return post is not None
    thread, mine = (
        post.thread,
        Post.objects.filter(pk=post.pk, edit=post.edit, edit_at=now + EDIT_AGAIN),
    )
    with reports.speaking(_reader(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            mine.update(
                last_error=_(
                    "The thread’s settings cannot be read here. Type its credentials again."
                )
            )
            return True
        try:
            assert isinstance(way, Editing)
            way.edit(
                settings,
                post.permalink,
                post.text,
                replace(letter(post), text=post.edit),
                client(jar),
            )
        except Locked as error:
            _shut(thread, str(error), now)
            mine.update(last_error=str(error)[:500])
        except (Permanent, CannotRead, outgoing.Refused) as error:
            mine.update(edit="", edit_at=None, last_error=str(error)[:500])
        except (TransportError, outgoing.OutsideError) as error:
            mine.update(last_error=str(error)[:500])
        except Exception as error:
            LOG.error("Post %d was not changed: %s", post.pk, type(error).__name__)
            mine.update(last_error=type(error).__name__)
        else:
            mine.update(text=post.edit, edit="", edit_at=None, edited_at=now, last_error="")
        finally:
            _remember(thread, jar)
    return True


@transaction.atomic
def approved(post: Post, permalink: str) -> None:
    """A moderator let it through."""
    seen = Post.objects.filter(pk=post.pk, state=State.AWAITING)
    if seen.update(state=State.POSTED, permalink=permalink[:500], next_at=None):
        outbox.settle(post)


def refused(taken: Taken, why: str, now: datetime) -> None:
    """Nothing goes by this thread any more until a person says so, nor by another with the same
    account: boards count wrong passwords, and shut the account after a few. The post waits as it
    was.
    """
    with transaction.atomic():
        _shut(taken.thread, why, now)
        if mark(taken, state=State.READY, next_at=now, last_error=why[:500]):
            notify_stuck(taken.post, LOCKED, why, now)


def _shut(thread: Thread, why: str, now: datetime) -> None:
    shut = [thread.pk, *_with_its_account(thread)]
    Thread.objects.filter(pk__in=shut).update(locked_at=now, locked_why=why[:500], session="")


def _with_its_account(thread: Thread) -> list[int]:
    """The campaign's other threads that sign in at the same board with the same name and
    password.
    """
    try:
        account = threads.account(thread)
        others = Thread.objects.filter(
            campaign=thread.campaign_id, transport=thread.transport, removed_at=None, locked_at=None
        )
        return [
            one.pk
            for one in others.exclude(pk=thread.pk)
            if account and threads.account(one) == account
        ]
    except (
        KeyError,
        InvalidToken,
        ValueError,
    ):  # sealed with another key: each of them finds that by itself
        return []


def failed(taken: Taken, error: Exception, now: datetime) -> None:
    why, post = str(error)[:500], taken.post
    if isinstance(error, Locked):
        refused(taken, why, now)
    elif isinstance(error, Permanent | Unreadable) and post.last_error != why:
        # The board may have been in maintenance for that moment: what it refuses twice in the same
        # words is refused.
        mark(taken, state=State.READY, next_at=now + CONFIRM, last_error=why)
    elif isinstance(error, CannotRead):
        _stuck(taken, State.DOUBTFUL, why, now)
    elif isinstance(error, Closed) or (
        isinstance(error, Later | Doubtful)
        and post.attempts <= (TIMES if isinstance(error, Unclear) else len(BACK_OFF))
    ):
        doubt = isinstance(error, Doubtful) or post.doubt
        seconds = (
            SETTLE
            if isinstance(error, Doubtful)
            else max(error.seconds, 0)
            if isinstance(error, Later)
            else 0
        )
        if isinstance(error, TooSoon):  # no attempt that went wrong: it is planned
            why = ""
            if error.pace is not None:
                Thread.objects.filter(pk=taken.thread.pk).update(pace=error.pace)
        wait = max(seconds, BACK_OFF[min(post.attempts, len(BACK_OFF)) - 1])
        to = {
            "doubt": doubt,
            "doubt_at": post.doubt_at if post.doubt else taken.at if doubt else None,
        }
        mark(taken, state=State.READY, next_at=now + timedelta(seconds=wait), last_error=why, **to)
        if (
            isinstance(error, Closed) and post.attempts == len(BACK_OFF) + 1
        ):  # closed for a day: one goes on, and says so once
            notify_stuck(post, FAILED, why, now)
    else:
        _stuck(
            taken,
            State.DOUBTFUL if isinstance(error, Doubtful) or post.doubt else State.FAILED,
            why,
            now,
        )


@transaction.atomic
def _stuck(taken: Taken, state: State, why: str, now: datetime) -> None:
    """It goes no further by itself; the game masters are told."""
    since = taken.post.doubt_at if taken.post.doubt else taken.at
    doubt = {"doubt": True, "doubt_at": since} if state == State.DOUBTFUL else {}
    ours = mark(taken, state=state, next_at=None, last_error=why, **doubt)
    if (
        ours and Post.objects.filter(pk=taken.post.pk, state=state).exists()
    ):  # not put aside with its thread
        notify_stuck(taken.post, DOUBTFUL if doubt else FAILED, why, now)


def _remember(thread: Thread, jar: CookieJar) -> None:
    """The session of this thread, for the next time; unless it was locked or changed meanwhile."""
    text = outgoing.written(jar)
    if text != (keys.unseal(thread.session) if thread.session else ""):
        sealed = keys.seal(text) if text else ""
        same = {
            "sealed": thread.sealed,
            "settings": thread.settings,
            "locked_at": None,
            "removed_at": None,
        }
        Thread.objects.filter(pk=thread.pk, **same).update(session=sealed)


# What waits for a person, with the words that `forum.hooks.post_in_trouble` takes.
#
# `what` is one of the words below, `about` tells this time apart from others of the same entry. The
# facts name the post (its number, `report`, `place`) and say in `error` what went wrong, in the
# language of who set the place up.

FAILED, DOUBTFUL, LOCKED = "post-failed", "post-doubtful", "thread-locked"


def notify_stuck(post: Post, what: str, why: str, at: datetime) -> None:
    """The entry is the last that the post tells of; of a test the last that everybody sees."""
    entry = post.entry or post.campaign.entries.filter(audience=None).latest("sequence")
    facts = {"post": post.number, "report": post.subject, "place": post.thread.name, "error": why}
    about = f"{post.number}/{post.part}/{at:%Y%m%dT%H%M%SZ}"
    hooks.post_in_trouble(post.campaign, entry, what, about, facts, at)
