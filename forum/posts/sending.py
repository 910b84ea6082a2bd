"""The worker that sends posts. `tick` may run at any time, in any number of processes.

A post is taken in a short transaction, sent outside of any transaction, and marked in a third step.
A thread sends one post at a time, in the order in which the posts were created. A process that is
stopped between sending and marking leaves a post that is taken and never marked. After `LEASE` this
post is doubtful, as after a missing answer, and the place is searched for its mark before anything
is sent again. If the place cannot be searched, a person decides. Nothing is ever sent twice on a
guess.
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
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import keys
from campaign.errors import TableError
from campaign.log import entries
from forum import hooks
from forum.boards import (
    POSTED,
    AccessRefused,
    BoardClosed,
    BrokenPage,
    ChangedThere,
    DoubtfulError,
    EditsPosts,
    HeldApart,
    HidesPending,
    JoinsPosts,
    Letter,
    NotVisible,
    PermanentError,
    SearchError,
    SentPost,
    ShowsTopic,
    TemporaryError,
    TooSoonError,
    Topic,
    Transport,
    TransportError,
    UnclearError,
    UnreadableAnswer,
    WithPace,
)
from forum.boards.registry import transport, transports
from forum.models import Post, Thread
from forum.posts import first_post, outbox, reports, threads
from forum.posts.outbox import State
from forum.posts.reports import TEST
from outgoing import client as outgoing
from outgoing.client import Client

LOG = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)
SENDING_SECONDS = 240
"""The maximum duration of all requests of one sending, in seconds, so that it ends before its
lease.
"""
DAY = timedelta(days=1)
"""The time for which a search after a doubt is reliable, and for which `open_at` counts."""
APPROVAL, GIVEN_UP = timedelta(minutes=15), timedelta(days=30)
"""The first interval between searches for a moderator's approval, and when they end.

The intervals grow.
"""
EDIT_AGAIN = timedelta(minutes=10)
"""The pause between two attempts to change a post."""
CONFIRM = timedelta(minutes=1)
"""The pause from a refusal or a broken page to the second attempt, which confirms it."""
MOST_JOINING = 24 * 60
"""The maximum number of minutes for which two reports are held apart."""
SETTLE = 60
"""The seconds from a doubt to the first search.

A slow place may still be adding the post to the topic.
"""
BACK_OFF = (0, 0, 60, 300, 900, 1800, 3600, 7200, 14400, 21600, 21600)
"""The minimum seconds between attempts, whatever the place asks for.

After the last, some twenty hours later, the post has failed.
"""
MOST_UNCLEAR = 3
"""The number of attempts after which a refusal that is not understood is final."""
WAITING = (State.READY, State.SENDING)
STUCK = (State.FAILED, State.DOUBTFUL, State.ASIDE, State.SUPERSEDED)

Clients = Callable[[CookieJar], Client]


def new_client(jar: CookieJar) -> Client:
    """Return the client that talks to a place. Tests pass another function."""
    return Client(cookies=jar, lasts=SENDING_SECONDS)


def tick(now: datetime, limit: int | None = None, *, client: Clients = new_client) -> int:
    """Prepare posts, recover interrupted ones, and send, search and change what is due.

    Returns how many posts were tried, at most `limit`.
    """
    start = monotonic()

    def clock() -> datetime:
        """Return `now` plus the time that this tick has taken, for leases."""
        return now + timedelta(seconds=monotonic() - start)

    prepare_drafts(now)
    recover(now)
    done = 0
    while (limit is None or done < limit) and (taken := take_post(now, clock())) is not None:
        done += 1
        send(taken, clock, client)
    while (limit is None or done < limit) and check_approval(now, client):
        done += 1
    first_post.refresh(now)
    while (limit is None or done < limit) and edit_due_post(now, client):
        done += 1
    return done


# Before sending


def prepare_drafts(now: datetime) -> None:
    """Make the texts of drafts in threads that post without review."""
    drafts = Post.objects.filter(
        state=State.DRAFT, made_by=None, thread__at_once=True, thread__active=True
    )
    # A correction is only proposed, even if other reports are posted automatically.
    drafts = drafts.exclude(kind__in=reports.ACT_REPORTS)
    for post in drafts.filter(thread__locked_at=None, last_error="").select_related(
        "thread", "campaign"
    ):
        if not outbox.is_automatic(post.thread):
            continue
        try:
            with transaction.atomic():
                entries.lock(post.campaign)
                outbox.make_text(post, None, now)
        except TableError as error:
            _store_draft_error(post, str(error), now)
        except Exception as error:
            LOG.exception("The text of post %d cannot be made", post.pk)
            _store_draft_error(post, type(error).__name__, now)


@transaction.atomic
def _store_draft_error(post: Post, why: str, now: datetime) -> None:
    """Store why the draft has no text, and notify the game masters."""
    if Post.objects.filter(pk=post.pk, state=State.DRAFT).update(last_error=why):
        notify_stuck(post, FAILED, why, now)


def recover(now: datetime) -> int:
    """Mark posts as doubtful that were taken and never marked. Return how many there were.

    The process that took them was stopped before or after sending.
    """
    left = Post.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE)
    done = 0
    for post in left.select_related("thread__made_by"):
        with reports.in_language(_reader_language(post.thread)):
            why = _("The process that sent it was stopped while sending.")
        assert post.taken_at is not None
        since = post.doubt_at if post.doubt else post.taken_at
        to = {
            "state": State.READY,
            "doubt": True,
            "doubt_at": since,
            "next_at": now,
            "last_error": why,
        }
        done += change_taken(TakenPost(post, post.thread, post.taken_at), **to)
    return done


def _reader_language(thread: Thread) -> str:
    """Return the language of the user who set the thread up, for error messages."""
    return getattr(thread.made_by, "language", "") or thread.language


class TakenPost(NamedTuple):
    """A post that this process may send until its lease ends.

    `at` is when it was taken; it identifies the lease.
    """

    post: Post
    thread: Thread
    at: datetime


@transaction.atomic
def take_post(now: datetime, at: datetime) -> TakenPost | None:
    """Return the next post that is due, marked as taken at `at`.

    In each thread only the first waiting post can be next. If a part of a report failed or is
    doubtful, its later parts wait for a person, but later reports do not.
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
        # Posts of a thread are sent one at a time. The process that holds the thread's row decides,
        # and checks again.
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
            return TakenPost(taken, taken.thread, at)
    return None


def _automatic() -> list[str]:
    return [key for key, way in transports().items() if way.automatic]


# Sending


def send(taken: TakenPost, clock: Callable[[], datetime], client: Clients) -> None:
    """Search for the post if it is doubtful, otherwise send it; then mark it.

    All errors of a transport are handled here.
    """
    post, thread = taken.post, taken.thread
    with reports.in_language(_reader_language(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.unseal_secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            # The key of this installation has changed, or the transport no longer exists.
            return lock_after_refusal(
                taken,
                _("The settings of this thread cannot be read here. Enter its credentials again."),
                clock(),
            )
        visit = client(jar)
        try:
            if post.doubt:
                if (there := _find_posted(way, settings, post, visit, clock)) is not None:
                    soon = post.doubt_at is not None and clock() - post.doubt_at < LEASE
                    return store_arrival(taken, there, clock(), at_once=soon)
                if not change_taken(taken, doubt=False):
                    return None  # Another process has taken the post over during the search.
                post.doubt = False
            letter = replace(build_letter(post), apart_until=apart_until(post, way))
            sent = way.send(settings, letter, visit)
        except Exception as error:
            store_failure(taken, _as_transport_error(error, post), clock())
        else:
            store_arrival(taken, sent, clock(), at_once=True)
        finally:
            _store_session(thread, jar)
    return None


def apart_until(post: Post, way: Transport) -> datetime | None:
    """Return the time until which the board would join a report with the post before it.

    The parts of a report may be joined. Before anything is known about the board, only a test post
    is kept apart from the report after it.
    """
    if not isinstance(way, JoinsPosts) or post.part > 1:
        return None
    arrived = Post.objects.filter(thread=post.thread_id, posted_at__isnull=False)
    last = arrived.exclude(pk=post.pk).order_by("posted_at").last()
    if last is None or last.posted_at is None:
        return None
    minutes = post.thread.joining_minutes
    if minutes is None and last.report == TEST:
        minutes = way.joining_minutes
    return last.posted_at + timedelta(minutes=minutes + 1) if minutes else None


def build_letter(post: Post) -> Letter:
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
    """Return the buttons below the last part of a report, which lead to the table and its battles.

    There are none if the site has no public address.
    """
    site = str(getattr(site_settings, "SITE_URL", "")).rstrip("/")
    if post.part != post.part_count or post.report in ("", TEST) or not site.startswith("https://"):
        return ()
    here = [post.campaign.address]
    with reports.in_language(post.thread.language):
        return (
            (pgettext("button", "Table"), site + reverse("table", args=here)),
            (pgettext("button", "Battles"), site + reverse("battles", args=here)),
        )


def _find_posted(
    way: Transport,
    settings: dict[str, str],
    post: Post,
    visit: Client,
    clock: Callable[[], datetime],
) -> SentPost | None:
    """Return the post with the mark; None if it certainly does not exist.

    If the search itself is doubtful, it is repeated.
    """
    veiled = isinstance(way, HidesPending)
    try:
        there = way.find(settings, post.marker, visit)
    except AccessRefused:
        raise
    except (DoubtfulError, outgoing.Doubtful) as error:
        raise TemporaryError(SETTLE, str(error)) from None
    except (PermanentError, outgoing.Refused) as error:
        raise UnreadableAnswer(str(error)) from None
    except NotVisible:
        there, veiled = None, True
    if there is not None:
        return there
    if clock() - (post.doubt_at or post.made_at) > DAY:
        raise SearchError(
            _(
                "This post was sent more than a day ago, so the thread is no longer searched for "
                "it. Look for it in the thread yourself."
            )
        )
    # If moderators approve posts first, perhaps only they can see it.
    if Post.objects.filter(thread=post.thread_id, state=State.AWAITING).exists():
        raise SearchError(
            _(
                "Posts in this thread are waiting for a moderator there, and this may be one of "
                "them."
            )
        )
    opened = Thread.objects.only("open_at").get(pk=post.thread_id).open_at
    if veiled and (opened is None or clock() - opened > DAY):
        raise SearchError(
            _("The post is not visible there, but it may be waiting for a moderator.")
        )
    return None


def _as_transport_error(error: Exception, post: Post) -> Exception:
    """Return the error as one of a transport's errors. An unknown error leaves a doubt."""
    if isinstance(error, TransportError):
        return error
    if isinstance(error, outgoing.Refused):
        return PermanentError(str(error))
    if isinstance(error, outgoing.Unreachable):
        return TemporaryError(0, str(error))
    if isinstance(error, outgoing.Doubtful):
        return DoubtfulError(str(error))
    # The text of the error may contain a secret, so only its type is logged.
    LOG.error("Post %d broke: %s", post.pk, type(error).__name__)
    return DoubtfulError(
        _("An error on our side happened while it was being sent ({name}).").format(
            name=type(error).__name__
        )
    )


# Showing a thread's topic to a user, without posting anything

TOPIC_SECONDS = 30
"""The maximum duration in seconds, because a user waits for the page."""


def new_short_client(jar: CookieJar) -> Client:
    return Client(cookies=jar, lasts=TOPIC_SECONDS)


def show_topic(
    thread: Thread, user: Any, *, now: datetime | None = None, client: Clients = new_short_client
) -> Topic:
    """Return the topic as its board shows it to the thread's account, or else to a guest.

    Raises `TransportError` and `OutsideError`. A refused password locks the thread, as it does with
    a post.
    """
    with transaction.atomic():
        outbox.lock_campaign(thread.campaign, user)
        outbox.lock_thread(thread)
    way, settings = (
        transport(thread.transport),
        {**thread.settings, **threads.unseal_secrets(thread)},
    )
    showing: Any = way if isinstance(way, ShowsTopic) else threads.reading_transport(thread)
    if not isinstance(showing, ShowsTopic):
        raise SearchError(_("We cannot check a place of this kind from here."))
    jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
    try:
        topic = showing.topic(settings, client(jar))
    except AccessRefused as error:
        _lock_threads(thread, str(error), entries.moment(now))
        raise
    finally:
        _store_session(thread, jar)
    with transaction.atomic():
        threads.store_topic(thread, topic)
    return topic


# After sending


@transaction.atomic
def change_taken(taken: TakenPost, **to: Any) -> bool:
    """Change a taken post. Return False if another process has taken it over.

    If the thread was removed meanwhile, a post that did not arrive is skipped, like all posts that
    were waiting. If the thread has another address meanwhile, a doubtful post is not searched
    there.
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


def store_arrival(
    taken: TakenPost, sent: SentPost, now: datetime, *, at_once: bool = False
) -> None:
    """Mark a post as arrived.

    `at_once` means that it was found so soon that no moderator can have approved it before.
    """
    state = State.POSTED if sent.state == POSTED else State.AWAITING
    again = now + APPROVAL if state == State.AWAITING else None
    with transaction.atomic():
        if at_once or state == State.AWAITING:
            same = Thread.objects.filter(pk=taken.thread.pk, settings=taken.thread.settings)
            same.update(open_at=now if state == State.POSTED else None)
        is_mine = change_taken(
            taken,
            state=state,
            permalink=sent.permalink[:500],
            posted_at=now,
            doubt=False,
            next_at=again,
            last_error="",
        )
        if is_mine:
            outbox.settle_corrections(taken.post)
            learn_joining(taken, sent.permalink, now)
            plan_parts(taken.post, taken.thread, now)


def learn_joining(taken: TakenPost, permalink: str, now: datetime) -> None:
    """Store that the board joins posts, if it has put a post into the one before it.

    If it has done so although the post was held apart, the next ones are held apart for longer.
    """
    way: Any = transport(taken.thread.transport)
    if not permalink or not isinstance(way, JoinsPosts):
        return
    same = Post.objects.filter(thread=taken.thread.pk, permalink=permalink, posted_at__isnull=False)
    former = same.exclude(pk=taken.post.pk).order_by("posted_at").last()
    if former is None or former.posted_at is None:
        return
    known = taken.thread.joining_minutes or 0
    longer = known and now - former.posted_at > timedelta(minutes=known)
    minutes = min(known * 2, MOST_JOINING) if longer else max(known, way.joining_minutes)
    Thread.objects.filter(pk=taken.thread.pk).update(joining_minutes=minutes)


def plan_parts(post: Post, thread: Thread, now: datetime) -> None:
    """Schedule the parts after a part that has just arrived, at the pace of the board."""
    way: Any = transport(thread.transport)
    pace = thread.pace or (way.pace if isinstance(way, WithPace) else 0)
    if not pace:
        return
    rest = Post.objects.filter(
        first=post.first_id or post.pk, part__gt=post.part, state=State.READY
    )
    for place, pk in enumerate(rest.order_by("part").values_list("pk", flat=True), 1):
        at = now + timedelta(seconds=pace * place)
        Post.objects.filter(pk=pk, state=State.READY, next_at__lt=at).update(next_at=at)


def check_approval(now: datetime, client: Clients) -> bool:
    """Search for one post that waits for a moderator. Return whether any was due.

    If everyone can read it now, it is posted.
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
    with reports.in_language(_reader_language(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.unseal_secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            return True
        try:
            there = way.find(settings, post.marker, client(jar))
        except AccessRefused as error:
            _lock_threads(thread, str(error), now)
            there = None
        except Exception as error:  # The search is repeated later.
            LOG.info("Post %d was not looked for: %s", post.pk, type(error).__name__)
            there = None
        finally:
            _store_session(thread, jar)
    if there is not None and there.state == POSTED:
        mark_approved(post, there.permalink)
    return True


def edit_due_post(now: datetime, client: Clients) -> bool:
    """Change one post in its thread whose text has to change. Return whether any was due.

    After an error the change is repeated, which does no harm.
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
    with reports.in_language(_reader_language(thread)):
        try:
            way, settings = (
                transport(thread.transport),
                {**thread.settings, **threads.unseal_secrets(thread)},
            )
            jar = outgoing.read(keys.unseal(thread.session)) if thread.session else CookieJar()
        except (KeyError, InvalidToken, ValueError):
            mine.update(
                last_error=_(
                    "The settings of this thread cannot be read here. Enter its credentials again."
                )
            )
            return True
        try:
            assert isinstance(way, EditsPosts)
            way.edit(
                settings,
                post.permalink,
                post.text,
                replace(build_letter(post), text=post.edit),
                client(jar),
            )
        except AccessRefused as error:
            _lock_threads(thread, str(error), now)
            mine.update(last_error=str(error)[:500])
        except (PermanentError, SearchError, outgoing.Refused) as error:
            _store_refused_edit(post, mine, error, now)
        except (TransportError, outgoing.OutsideError) as error:
            mine.update(last_error=str(error)[:500])
        except Exception as error:
            LOG.error("Post %d was not changed: %s", post.pk, type(error).__name__)
            mine.update(last_error=type(error).__name__)
        else:
            mine.update(text=post.edit, edit="", edit_at=None, edited_at=now, last_error="")
        finally:
            _store_session(thread, jar)
    return True


def _store_refused_edit(post: Post, mine: QuerySet[Post], error: Exception, now: datetime) -> None:
    """Store that a change was refused.

    It is repeated once, as in `store_failure`, unless the board has shown that the text differs.
    """
    why = str(error)[:500]
    if not post.last_error and not isinstance(error, ChangedThere):
        mine.update(edit_at=now + CONFIRM, last_error=why)
        return
    to: dict[str, Any] = {"edit": "", "edit_at": None, "last_error": why}
    if post.kind == first_post.KIND:
        to |= {"next_at": None}
        # If the post is kept up to date again, there is no text to replace.
        to |= {"text": ""} if isinstance(error, ChangedThere) else {}
    if mine.update(**to):
        _notify_if_first_post(post, why, now)


def _notify_if_first_post(post: Post, why: str, now: datetime) -> None:
    """Notify the game masters if the first post of a thread can no longer be changed."""
    if post.kind == first_post.KIND:
        post.subject = pgettext("report", "First post")
        notify_stuck(post, FAILED, why, now)


@transaction.atomic
def mark_approved(post: Post, permalink: str) -> None:
    """Mark a post as approved by a moderator."""
    seen = Post.objects.filter(pk=post.pk, state=State.AWAITING)
    if seen.update(state=State.POSTED, permalink=permalink[:500], next_at=None):
        outbox.settle_corrections(post)


def lock_after_refusal(taken: TakenPost, why: str, now: datetime) -> None:
    """Lock a thread whose credentials were refused, and all threads with the same account.

    Boards count wrong passwords and lock the account after a few. A person has to allow another
    attempt. The post remains ready.
    """
    with transaction.atomic():
        _lock_threads(taken.thread, why, now)
        if change_taken(taken, state=State.READY, next_at=now, last_error=why[:500]):
            notify_stuck(taken.post, LOCKED, why, now)


def _lock_threads(thread: Thread, why: str, now: datetime) -> None:
    shut = [thread.pk, *_with_its_account(thread)]
    Thread.objects.filter(pk__in=shut).update(locked_at=now, locked_why=why[:500], session="")


def _with_its_account(thread: Thread) -> list[int]:
    """Return the ids of the campaign's other threads that sign in with the same account."""
    try:
        account = threads.sign_in_account(thread)
        others = Thread.objects.filter(
            campaign=thread.campaign_id, transport=thread.transport, removed_at=None, locked_at=None
        )
        return [
            other.pk
            for other in others.exclude(pk=thread.pk)
            if account and threads.sign_in_account(other) == account
        ]
    except (KeyError, InvalidToken, ValueError):
        # They are sealed with another key. Each thread reports that itself.
        return []


def store_failure(taken: TakenPost, error: Exception, now: datetime) -> None:
    why, post = str(error)[:500], taken.post
    if isinstance(error, AccessRefused):
        lock_after_refusal(taken, why, now)
    elif _is_to_be_confirmed(post, error, why):
        change_taken(taken, state=State.READY, next_at=now + CONFIRM, last_error=why)
    elif isinstance(error, SearchError):
        _mark_stuck(taken, State.DOUBTFUL, why, now)
    elif isinstance(error, BoardClosed) or (
        isinstance(error, TemporaryError | DoubtfulError)
        and post.attempts <= (MOST_UNCLEAR if isinstance(error, UnclearError) else len(BACK_OFF))
    ):
        _try_again(taken, error, why, now)
    else:
        _mark_stuck(
            taken,
            State.DOUBTFUL if isinstance(error, DoubtfulError) or post.doubt else State.FAILED,
            why,
            now,
        )


def _is_to_be_confirmed(post: Post, error: Exception, why: str) -> bool:
    """Return whether the attempt is repeated soon before the error counts.

    The board may have been in maintenance for a moment. A broken page counts after the first
    attempt, a refusal if it comes twice or if there were many attempts.
    """
    if isinstance(error, BrokenPage):
        return post.attempts <= 1
    is_refusal = isinstance(error, PermanentError | UnreadableAnswer)
    return is_refusal and post.last_error != why and post.attempts <= len(BACK_OFF)


def _try_again(
    taken: TakenPost, error: TemporaryError | DoubtfulError, why: str, now: datetime
) -> None:
    """Schedule the next attempt at a post."""
    post = taken.post
    doubt = isinstance(error, DoubtfulError) or post.doubt
    seconds = SETTLE if isinstance(error, DoubtfulError) else max(error.seconds, 0)
    # This was not a failure: the post is only planned for later.
    if isinstance(error, TooSoonError):
        why = ""
        if error.pace is not None:
            Thread.objects.filter(pk=taken.thread.pk).update(pace=error.pace)
    wait = max(seconds, BACK_OFF[min(post.attempts, len(BACK_OFF)) - 1])
    to = {
        "doubt": doubt,
        "doubt_at": post.doubt_at if post.doubt else taken.at if doubt else None,
        "attempts": 1 if isinstance(error, HeldApart) else post.attempts,
    }
    change_taken(
        taken, state=State.READY, next_at=now + timedelta(seconds=wait), last_error=why, **to
    )
    # A board that has been closed for a day is asked again, but the game masters are notified.
    if isinstance(error, BoardClosed) and post.attempts == len(BACK_OFF) + 1:
        notify_stuck(post, FAILED, why, now)


@transaction.atomic
def _mark_stuck(taken: TakenPost, state: State, why: str, now: datetime) -> None:
    """Mark a post as stuck until a person acts, and notify the game masters."""
    since = taken.post.doubt_at if taken.post.doubt else taken.at
    doubt = {"doubt": True, "doubt_at": since} if state == State.DOUBTFUL else {}
    is_mine = change_taken(taken, state=state, next_at=None, last_error=why, **doubt)
    # The post may have been skipped with its thread.
    if is_mine and Post.objects.filter(pk=taken.post.pk, state=state).exists():
        notify_stuck(taken.post, DOUBTFUL if doubt else FAILED, why, now)


def _store_session(thread: Thread, jar: CookieJar) -> None:
    """Store the session of this thread, unless the thread was locked or changed meanwhile."""
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


# Posts that wait for a person
#
# `trouble` is one of the words below, and `about` distinguishes this notice from others of the same
# entry. The facts name the post (its number, `report`, `place`) and have the error message in
# `error`, in the language of the user who set the thread up.

FAILED, DOUBTFUL, LOCKED = "post-failed", "post-doubtful", "thread-locked"


def notify_stuck(post: Post, what: str, why: str, at: datetime) -> None:
    """Notify the game masters that a post waits for a person.

    The notice belongs to the last entry that the post covers, and for a test to the last public
    entry.
    """
    entry = post.entry or post.campaign.entries.filter(audience=None).latest("sequence")
    facts = {"post": post.number, "report": post.subject, "place": post.thread.name, "error": why}
    about = f"{post.number}/{post.part}/{at:%Y%m%dT%H%M%SZ}"
    hooks.post_in_trouble(post.campaign, entry, what, about, facts, at)
