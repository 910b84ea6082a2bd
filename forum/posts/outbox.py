"""A post's way, as far as a person walks it: drafted, found ready, put aside; posted by hand;
looked for after a doubt.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, Model, OuterRef, Q
from django.utils.translation import gettext as _

from campaign import access, pulse
from campaign.errors import NotNow, Refused
from campaign.log import entries, positions
from campaign.models import Campaign, LogEntry
from engine.strict_json import clean_text
from forum.boards import Editing
from forum.boards.registry import transport
from forum.models import ImportedPost, Post, ReportComment, ReportTemplate, Thread
from forum.posts import reports
from forum.posts.reports import TEST, Part
from outgoing import Refused as NoAddress
from outgoing.client import check

# What the writers share: new rows, and the change of a state that somebody else may be changing,
# too.

State = Post.State


def new(
    thread: Thread,
    *,
    at: datetime,
    report: str,
    kind: str,
    by: Any = None,
    entry: LogEntry | None = None,
    **more: Any,
) -> Post:
    """A post with the campaign's next number, which asks for the campaign's row to be held."""
    number = (
        Post.objects.filter(campaign_id=thread.campaign_id).aggregate(most=Max("number"))["most"]
        or 0
    ) + 1
    values = {
        "number": number,
        "report": report,
        "kind": kind,
        "made_at": at,
        "made_by": by,
        "entry": entry,
    }
    return Post.objects.create(campaign_id=thread.campaign_id, thread=thread, **values, **more)


def moved_on() -> NotNow:
    return NotNow(
        "post-moved-on", _("The post has changed since this page was made. This is the post now.")
    )


def must_stand(thread: Thread) -> None:
    """Raises `NotNow` where it was taken out of the campaign."""
    if thread.removed_at is not None:
        raise NotNow(
            "thread-removed", _("This thread was removed from the campaign. Set up another one.")
        )


def lock_thread(thread: Thread) -> Thread:
    """The thread's row, held. Raises `NotNow` where it was taken out of the campaign."""
    row = Thread.objects.select_for_update().select_related("campaign").get(pk=thread.pk)
    must_stand(row)
    return row


def turn(post: Post, states: Collection[str], **to: Any) -> None:
    """Change a post that is in one of these states still, or raise `NotNow`. One statement: who
    comes second is refused.
    """
    if not Post.objects.filter(pk=post.pk, state__in=states).update(**to):
        raise moved_on()
    post.refresh_from_db()


def fix(post: Post, parts: list[Part], by: Any, at: datetime) -> None:
    """Give a draft its text, as it was made now, and a row to each of its parts. Asks for the
    campaign's row to be held.
    """
    turn(
        post,
        [State.DRAFT],
        state=State.READY,
        part_count=len(parts),
        made_by=post.made_by or by,
        next_at=at,
        attempts=0,
        last_error="",
        doubt=False,
    )
    rows = [post]
    common: dict[str, Any] = {
        "kind": post.kind,
        "report": post.report,
        "entry": post.entry,
        "by": by,
        "part_count": len(parts),
        "first": post,
    }
    rows += [
        new(post.thread, at=at, part=n, state=State.READY, next_at=at, **common)
        for n in range(2, len(parts) + 1)
    ]
    for row, part in zip(rows, parts, strict=True):
        row.subject, row.marker = part.subject, marker(post.campaign, row.number, row.part)
        row.text = marked(part.text, row.marker)
        row.save(update_fields=["subject", "text", "marker"])


def marked(text: str, mark: str) -> str:
    """A post's text with its mark on a line of its own."""
    return f"{text.rstrip()}\n\n{mark}"


def one_line(text: object, longest: int) -> str:
    """A text of one line without what cannot be seen; "" where it is none."""
    line = str(text or "").strip()
    return line if clean_text(line, longest) and line.isprintable() else ""


OPEN = (State.DRAFT, State.READY, State.SENDING, State.DOUBTFUL, State.FAILED)
"""What is still on its way."""
LONGEST = 500


def held(campaign: Campaign, user: Any) -> Campaign:
    """The campaign's row, held, where this user looks after it. What is posted hides nothing: a
    game master who plays may post. Raises `NotAllowed`.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    access.must_have_account(user)
    return table


@transaction.atomic
def draft(
    campaign: Campaign, user: Any, thread: Thread, key: str, *, now: datetime | None = None
) -> Post:
    """A draft of this report for this thread: the one that is there, else a new one. It corrects
    what was posted of the same report and does not hold any more.
    """
    table, at = held(campaign, user), entries.moment(now)
    known = Post.objects.filter(thread=thread, report=key, first=None, state__in=OPEN).first()
    if known is not None:
        return known
    _must_stand(thread)
    with reports.speaking(thread.language):
        pair = reports.report_with_line(table, key)
    if pair is None:
        raise Refused("no-such-report", _("There is no such report to post."))
    item, report = pair
    entry = table.entries.filter(number=report.last).first()
    post = new(
        thread, at=at, report=key, kind=item.kind, by=user, entry=entry, subject=item.name[:300]
    )
    post.corrects.set(wrong(thread, key))
    return post


def wrong(thread: Thread, key: str) -> list[Post]:
    """The posts of this report that tell of struck moves."""
    posts = Post.objects.filter(thread=thread, report=key, first=None, posted_at__isnull=False)
    return list(posts.filter(entry__struck_by__isnull=False))


@transaction.atomic
def ready(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """The draft is good: its text is made and stands. An automatic transport sends it with the next
    tick.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    made_ready(post, user, entries.moment(now))
    soon()
    return post


def made_ready(post: Post, user: Any, at: datetime) -> Post:
    """Asks for the campaign's row to be held, and for who may do it to be asked before."""
    parts = reports.parts(post)
    if not parts and post.report == reports.KEY:
        raise NotNow(
            "no-report",
            _(
                "The campaign has started: the announcement cannot be posted any more. Skip this"
                " post."
            ),
        )
    if not parts:
        raise NotNow(
            "no-report",
            _("This post has nothing to report any more: the moves it covers are struck."),
        )
    fix(post, parts, user, at)
    return post


@transaction.atomic
def unready(post: Post, user: Any) -> Post:
    """Back to a draft, whose text is made anew; only as long as no part of it was sent."""
    held(post.campaign, user)
    head = post.head
    group = Post.objects.filter(first=head)
    untouched = {"state__in": [State.READY, State.FAILED], "doubt": False, "posted_at": None}
    count = group.count()
    if (
        group.filter(**untouched).count() != count
        or not Post.objects.filter(pk=head.pk, **untouched).exists()
    ):
        raise NotNow(
            "partly-posted", _("A part of it was sent already: send the rest, or skip the rest.")
        )
    turn(
        head,
        [State.READY, State.FAILED],
        state=State.DRAFT,
        part_count=1,
        text="",
        marker="",
        next_at=None,
        last_error="",
        copied_at=None,
    )
    if group.filter(**untouched).update(state=State.ASIDE) != count:
        raise moved_on()
    # Rows of a text that is no more: nothing of them was ever sent, and the next text may have
    # fewer parts.
    group.filter(state=State.ASIDE).update(first=None, report="", text="", marker="")
    return head


@transaction.atomic
def copied(post: Post, user: Any, *, now: datetime | None = None, part: int = 1) -> Post:
    """A person copied the text of this part to post it by hand. A draft becomes what it says now,
    so that what is posted is what was copied.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    at = entries.moment(now)
    if post.state == State.DRAFT:
        made_ready(post, user, at)
    row = post if part <= 1 else post.head.parts.filter(part=part).first()
    if row is None:
        raise moved_on()
    turn(row, [State.READY, State.FAILED, State.DOUBTFUL], copied_at=at)
    return row


@transaction.atomic
def posted_together(
    campaign: Campaign,
    user: Any,
    numbers: Collection[int],
    permalink: str,
    *,
    now: datetime | None = None,
) -> list[Post]:
    """The posts of these numbers stand behind one link, every part of each. All of them, or none
    where one cannot.
    """
    heads = _heads(campaign, user, numbers)
    for head in heads:
        if head.state not in (State.POSTED, State.SENDING):
            posted(head, user, permalink, now=now)
        for other in head.parts.exclude(state__in=(State.POSTED, State.SENDING, State.ASIDE)):
            posted(other, user, permalink, now=now)
    return heads


@transaction.atomic
def skipped_together(campaign: Campaign, user: Any, numbers: Collection[int]) -> list[Post]:
    """None of the posts of these numbers is needed."""
    heads = _heads(campaign, user, numbers)
    for head in heads:
        aside(head, user)
    return heads


def _heads(campaign: Campaign, user: Any, numbers: Collection[int]) -> list[Post]:
    """Part 1 of the posts of these numbers. Raises `Refused` where none is named."""
    held(campaign, user)
    wanted = [number for number in numbers if number <= MOST]
    heads = list(
        Post.objects.filter(campaign=campaign, number__in=wanted, first=None)
        .exclude(report="")
        .order_by("pk")
    )
    if not heads:
        raise Refused("no-posts", _("Select at least one post."))
    return heads


@transaction.atomic
def posted(
    post: Post, user: Any, permalink: str, *, now: datetime | None = None, part: int = 1
) -> Post:
    """Somebody posted it by hand, or found it there. A draft becomes what it says now; then `part`
    says which part it was.

    The link is the receipt: without it only what a program sent counts as posted.
    """
    held(post.campaign, user)
    at, link = entries.moment(now), one_line(permalink, LONGEST)
    if permalink.strip() and not link:
        raise Refused(
            "no-link", _("Give the link of the post: its address as the browser shows it.")
        )
    if link:
        _must_be_address(link)
    if post.state == State.DRAFT:
        made_ready(post, user, at)
    if part > 1:
        other = post.head.parts.filter(part=part).first()
        if other is None:
            raise moved_on()
        post = other
    if not link and post.state == State.READY:
        raise Refused(
            "no-link",
            _(
                "Give the link of the post: it is the receipt. Without it the report counts as not"
                " posted."
            ),
        )
    states = [
        State.READY,
        State.DOUBTFUL,
        State.FAILED,
        State.AWAITING,
        *([State.POSTED] if link else []),
    ]
    turn(
        post,
        states,
        state=State.POSTED,
        permalink=link or post.permalink,
        posted_at=post.posted_at or at,
        doubt=False,
        next_at=None,
        last_error="",
    )
    settle(post)
    return post


def rewritten(head: Post) -> list[tuple[Post, str]]:
    """The parts of a posted report that read differently now, each with its text of today; nothing
    where the report has more or fewer parts now, or cannot be changed where it stands.
    """
    if head.report in ("", TEST) or not editable(head.thread) or head.thread.removed_at is not None:
        return []
    rows = [head, *head.parts.order_by("part")] if head.part_count > 1 else [head]
    if any(
        row.state not in (State.POSTED, State.SUPERSEDED) or not row.permalink or not row.text
        for row in rows
    ):
        return []
    parts = reports.parts(head)
    if len(parts) != len(rows):
        return []
    pairs = [(row, marked(part.text, row.marker)) for row, part in zip(rows, parts, strict=True)]
    return [(row, text) for row, text in pairs if text != row.text]


def editable(thread: Thread) -> bool:
    """May who wrote a post there change it?"""
    try:
        return isinstance(transport(thread.transport), Editing)
    except KeyError:
        return False


@transaction.atomic
def edit(post: Post, user: Any, *, now: datetime | None = None) -> list[Post]:
    """What stands there of this report is to read as it reads now: the worker changes it. Raises
    `NotNow` where nothing would change.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    at, pairs = entries.moment(now), rewritten(post.head)
    if not pairs:
        raise NotNow("nothing-to-edit", _("What stands there reads as the report reads now."))
    for row, text in pairs:
        Post.objects.filter(pk=row.pk).update(edit=text, edit_at=at, last_error="")
    soon()
    return [row for row, _text in pairs]


@transaction.atomic
def keep(post: Post, user: Any) -> None:
    """What stands there stays as it is: a change that was not made yet is not made."""
    held(post.campaign, user)
    Post.objects.filter(Q(pk=post.head.pk) | Q(first=post.head), edit_at__isnull=False).update(
        edit="", edit_at=None, last_error=""
    )


def settle(post: Post) -> None:
    """What follows from a posted correction: what it corrects is superseded; what that had
    corrected holds again.
    """
    if post.first_id is not None:
        return
    for old in post.corrects.all():
        Post.objects.filter(pk=old.pk, state=State.POSTED).update(state=State.SUPERSEDED)
        again_good = old.corrects.filter(
            state=State.SUPERSEDED, posted_at__isnull=False, entry__struck_by=None
        )
        again_good.update(state=State.POSTED)


@transaction.atomic
def unposted(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """It was a slip: what somebody had said to have posted by hand is ready again, and what it
    corrects stands again.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    if automatic(post.thread):
        raise NotNow(
            "posted-by-program",
            _("The program posted it: the post there can be corrected, not removed."),
        )
    turn(
        post,
        [State.POSTED],
        state=State.READY,
        permalink="",
        posted_at=None,
        next_at=entries.moment(now),
    )
    if post.first_id is None:
        post.corrects.filter(state=State.SUPERSEDED, posted_at__isnull=False).update(
            state=State.POSTED
        )
    return post


def _must_be_address(link: str) -> None:
    try:
        check(link.replace("http://", "https://", 1))
    except NoAddress:
        raise Refused(
            "no-link", _("Give the link of the post: its address as the browser shows it.")
        ) from None


@transaction.atomic
def absent(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Somebody looked, and its mark is not there: it is sent again, unless what it tells is
    struck.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    if Post.objects.filter(pk=post.pk, entry__struck_by__isnull=False).exists():
        turn(post, [State.DOUBTFUL], state=State.SUPERSEDED, doubt=False, next_at=None)
        return post
    turn(
        post,
        [State.DOUBTFUL],
        state=State.READY,
        doubt=False,
        next_at=entries.moment(now),
        attempts=0,
        last_error="",
    )
    soon()
    return post


@transaction.atomic
def again(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Try a failed post again, with the text it has."""
    held(post.campaign, user)
    _must_stand(post.thread)
    turn(
        post,
        [State.FAILED],
        state=State.READY,
        next_at=entries.moment(now),
        attempts=0,
        last_error="",
    )
    soon()
    return post


@transaction.atomic
def aside(post: Post, user: Any) -> Post:
    """It will not be posted: a draft, or all that was not sent of a report. Nothing is deleted;
    `back` brings it again.
    """
    held(post.campaign, user)
    states = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    turn(post, states, state=State.ASIDE, next_at=None)
    post.head.parts.filter(state__in=states).update(state=State.ASIDE, next_at=None)
    return post


@transaction.atomic
def resume_post(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """What was put aside is on its way again: a draft as a draft, the rest of a report as it was
    ready.
    """
    held(post.campaign, user)
    _must_stand(post.thread)
    if post.marker:
        at = entries.moment(now)
        turn(post, [State.ASIDE], state=State.READY, next_at=at)
        post.head.parts.filter(state=State.ASIDE).update(state=State.READY, next_at=at)
    elif Post.objects.filter(
        thread=post.thread, report=post.report, first=None, state__in=OPEN
    ).exists():
        raise NotNow("drafted-anew", _("There is a newer draft of this report."))
    else:
        turn(post, [State.ASIDE], state=State.DRAFT)
    return post


def _must_stand(thread: Thread) -> None:
    thread.refresh_from_db()
    must_stand(thread)


def automatic(thread: Thread) -> bool:
    """Does a program post there?"""
    try:
        return transport(thread.transport).automatic
    except KeyError:  # a transport that is no more
        return False


# The mark that a post bears, so that one can look whether it is there before it is posted again.


def marker(campaign: Campaign, number: int, part: int) -> str:
    """Of one post of one campaign of this site, such as `[k7qm-12-9f2a7c]`: short, visible, the
    same at every attempt.

    Nobody outside can foretell its end, so that a mark found at the place is ours.
    """
    text = f"{campaign.public_id}/{number}/{part}".encode()
    end = hmac.new(
        settings.SECRET_KEY.encode(), b"forum.marking/" + text, hashlib.sha256
    ).hexdigest()[:6]
    return f"[{campaign.public_id[:4]}-{number}-{end}]"


# Threads and posts, for reading. A thread's secrets are in none of these.

ASKED = (State.DRAFT, State.DOUBTFUL, State.FAILED)
"""What waits for a person in any case."""
OVER = (State.SUPERSEDED, State.ASIDE)
RECEIPTED = (State.POSTED, State.AWAITING, State.SUPERSEDED)
"""The states of a post that is in its thread, or was."""

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
        return now.state in ASKED or (
            now.state == State.READY and (by_hand or now.thread.locked_at is not None)
        )

    @property
    def copied(self) -> bool:
        """Did a person copy its text, without a link since?"""
        return self.now.copied_at is not None and self.now.state in (
            State.READY,
            State.FAILED,
            State.DOUBTFUL,
        )

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
    return (
        Thread.objects.filter(campaign=campaign, pk=pk, removed_at=None)
        .select_related("campaign")
        .first()
    )


def outbox(campaign: Campaign, most: int = 400, report: str = "") -> list[Whole]:
    """What is drafted, on its way, posted, skipped: the newest first; of one report where its key
    is given. One query.
    """
    corrected = Post.corrects.through.objects.filter(from_post=OuterRef("pk"))
    rows = (
        Post.objects.filter(campaign=campaign)
        .exclude(report="")
        .annotate(is_correction=Exists(corrected))
        .select_related("thread", "entry", "campaign")
    )
    rows = rows.filter(report=report) if report else rows
    posts = list(rows.order_by("-pk")[:most])
    rest: dict[int, list[Post]] = defaultdict(list)
    for row in sorted(posts, key=lambda one: one.part):
        if row.first_id is not None:
            rest[row.first_id].append(row)
    return [Whole(row, rest[row.pk]) for row in posts if row.first_id is None]


def whole(campaign: Campaign, number: int) -> Whole | None:
    """The report that the post of this number is of."""
    rows = Post.objects.filter(campaign=campaign).exclude(report="")
    if number > MOST:
        return None
    rows = rows.select_related("thread", "entry", "campaign", "made_by").prefetch_related(
        "corrects", "corrections"
    )
    head = rows.filter(number=number).first()
    if head is not None and head.first_id is not None:
        head = rows.get(pk=head.first_id)
    if head is None:
        return None
    parts = rows.filter(first=head).order_by("part") if head.part_count > 1 else ()
    return Whole(head, list(parts))


def receipts(campaign: Campaign, key: str) -> list[Post]:
    """Return the posts that show everyone where a report is: the first part of each, latest
    first.
    """
    posts = Post.objects.filter(
        campaign=campaign, report=key, first=None, state__in=RECEIPTED, posted_at__isnull=False
    )
    return list(posts.order_by("-posted_at"))


def receipts_of(wholes: Iterable[Whole]) -> list[Post]:
    """Return the same of posts that are known already."""
    posted = [
        (whole.head.posted_at, whole.head)
        for whole in wholes
        if whole.head.state in RECEIPTED and whole.head.posted_at is not None
    ]
    return [post for _at, post in sorted(posted, key=lambda pair: pair[0], reverse=True)]


def announced(wholes: Iterable[Whole]) -> bool:
    """Return whether the announcement is in a thread, or on its way there."""
    mine = [whole for whole in wholes if whole.head.report == reports.KEY]
    return any(whole.moves or whole.head.state in (State.POSTED, State.AWAITING) for whole in mine)


def lacks_announcement(
    campaign: Campaign, user: Any, wholes: Iterable[Whole] | None = None
) -> bool:
    """Return whether the announcement should be posted before the start but has not been posted.

    A user who plays alone or with programs has no one to announce it to. `wholes` is the outbox, if
    known.
    """
    if reports.reporter(campaign) is None or not reports.may_announce(campaign) or campaign.stopped:
        return False
    if campaign.programs or user.guest or len(positions.seats(campaign)) == 1:
        return False
    return not announced(outbox(campaign, most=60) if wholes is None else wholes)


def waiting(wholes: list[Whole]) -> list[Whole]:
    """Those that wait for a person, tests aside, the oldest first."""
    return [
        one
        for one in reversed(wholes)
        if one.asks and (one.head.report != TEST or one.now.state == State.DOUBTFUL)
    ]


# Posts and drafts, made at once: who pressed a button does not wait a minute for what it does.


def soon(kind: str = "posts") -> None:
    """After commit, ask the worker for this kind of work. Nobody relies on it: the next pulse comes
    anyway.
    """
    pulse.soon(kind)


# What is kept of somebody in the texts of posts, when they are erased: what stands on a board
# stands there.

SHORTEST, SHORTEST_LINE = 2, 4
TYPED: dict[type[Model], tuple[str, ...]] = {
    ReportComment: ("before", "after"),
    ReportTemplate: ("subject", "greeting", "signature"),
    ImportedPost: ("author", "text", "before"),
}
"""What game masters say about reports, and what was read of a board, where they may name
somebody.
"""


def erase(user: Any, at: datetime) -> list[str]:
    """Their names in our copies become "a former player"."""
    names = [
        name for name in (user.username, user.forum_name, user.fog2_name) if len(name) >= SHORTEST
    ]
    if not names:
        return []
    anywhere = _anywhere(names)
    changed = 0
    for post in Post.objects.exclude(text="", subject="").only("subject", "text").iterator():
        subject, text = (
            anywhere.sub(_("a former player"), words) for words in (post.subject, post.text)
        )
        if (subject, text) != (post.subject, post.text):
            changed += Post.objects.filter(pk=post.pk).update(subject=subject[:300], text=text)
    typed = 0
    for model, fields in TYPED.items():
        for row in model._default_manager.iterator():
            was = {field: getattr(row, field) for field in fields}
            words = {
                field: anywhere.sub(_("a former player"), text)[: _most(model, field)]
                for field, text in was.items()
            }
            if words != was:
                typed += model._default_manager.filter(pk=row.pk).update(**words)
    return [f"{changed} posts", f"{typed} words about reports"]


def withhold(campaign: Campaign, texts: Mapping[str, str]) -> int:
    """Put what stands in the place of removed texts into our copies of this campaign's posts. How
    many rows had them. What was posted on a board stands there: its moderators are asked.
    """
    lines = [
        (part.strip(), sentence if not place else "")
        for text, sentence in texts.items()
        for place, part in enumerate(
            part for part in text.splitlines() if len(part.strip()) >= SHORTEST_LINE
        )
    ]
    patterns = [
        (re.compile(rf"(?<!\w){_written(line)}(?!\w)"), sentence) for line, sentence in lines
    ]
    changed = 0
    rows: dict[type[Model], tuple[Any, tuple[str, ...]]] = {
        Post: (Post.objects.filter(campaign=campaign), ("subject", "text", "edit")),
        ReportComment: (ReportComment.objects.filter(campaign=campaign), TYPED[ReportComment]),
        ReportTemplate: (ReportTemplate.objects.filter(campaign=campaign), TYPED[ReportTemplate]),
        ImportedPost: (ImportedPost.objects.filter(thread__campaign=campaign), TYPED[ImportedPost]),
    }
    for model, (those, fields) in (rows if patterns else {}).items():
        for row in those.iterator():
            was = {field: getattr(row, field) for field in fields}
            now = dict(was)
            for pattern, sentence in patterns:
                now = {
                    field: pattern.sub(sentence.replace("\\", r"\\"), text)
                    for field, text in now.items()
                }
            if now != was:
                now = {field: text[: _most(model, field)] for field, text in now.items()}
                changed += model._default_manager.filter(pk=row.pk).update(**now)
    return changed


def _most(model: type[Model], field: str) -> int | None:
    """The characters that fit there: what stands for a name may be longer than it."""
    return getattr(model._meta.get_field(field), "max_length", None)


def _anywhere(names: list[str]) -> re.Pattern[str]:
    return re.compile(
        "|".join(rf"(?<!\w){_written(name)}(?!\w)" for name in sorted(names, key=len, reverse=True))
    )


ENTITIES = {
    "'": "(?:'|&#x27;)",
    "&": "(?:&|&amp;)",
    "<": "(?:<|&lt;)",
    ">": "(?:>|&gt;)",
    '"': '(?:"|&quot;)',
}
"""How HTML writes signs of its own."""


def _written(name: str) -> str:
    """The name as any dialect writes it: with joiners and backslashes between its letters, signs of
    its own as HTML has them.
    """
    return r"[\\\u2060]*".join(ENTITIES.get(sign) or re.escape(sign) for sign in name)
