"""The outbox: what users do with posts.

They draft them, mark them as ready, skip them, post them by hand, and look for doubtful ones.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, pulse
from campaign.errors import NotNow, Refused
from campaign.log import entries, positions
from campaign.models import Campaign, LogEntry
from engine.strict_json import is_clean_text
from forum.boards import EditsPosts
from forum.boards.registry import transport
from forum.models import ImportedPost, Post, ReportComment, ReportTemplate, Thread
from forum.posts import reports
from forum.posts.reports import TEST, PostPart
from outgoing import Refused as NoAddress
from outgoing.client import check

# Helpers of the services: new rows, and changes of state that another process may make too

State = Post.State
FIRST_POST = "front"
"""The kind of the row for the first post of a thread, which has no report."""


def create_post(
    thread: Thread,
    *,
    at: datetime,
    report: str,
    kind: str,
    by: Any = None,
    entry: LogEntry | None = None,
    **more: Any,
) -> Post:
    """Create a post with the campaign's next number. The caller must hold the campaign's lock."""
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


def post_changed() -> NotNow:
    return NotNow(
        "post-moved-on",
        _("The post has changed since you loaded this page. This is the current version."),
    )


def must_not_be_removed(thread: Thread) -> None:
    """Raise `NotNow` if the thread was removed from the campaign."""
    if thread.removed_at is not None:
        raise NotNow(
            "thread-removed", _("This thread was removed from the campaign. Set up another one.")
        )


def lock_thread(thread: Thread) -> Thread:
    """Return the thread's locked row. Raises `NotNow` if it was removed from the campaign."""
    row = Thread.objects.select_for_update().select_related("campaign").get(pk=thread.pk)
    must_not_be_removed(row)
    return row


def change_state(post: Post, states: Collection[str], **to: Any) -> None:
    """Change a post that is still in one of these states, or raise `NotNow`.

    This is one statement, so the second of two simultaneous requests is refused.
    """
    if not Post.objects.filter(pk=post.pk, state__in=states).update(**to):
        raise post_changed()
    post.refresh_from_db()


def store_text(post: Post, parts: list[PostPart], by: Any, at: datetime) -> None:
    """Store the text of a draft as it was just made, and create a row for each of its parts.

    The caller must hold the campaign's lock.
    """
    change_state(
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
        create_post(post.thread, at=at, part=n, state=State.READY, next_at=at, **common)
        for n in range(2, len(parts) + 1)
    ]
    for row, part in zip(rows, parts, strict=True):
        row.subject, row.marker = part.subject, marker(post.campaign, row.number, row.part)
        row.text = with_mark(part.text, row.marker)
        row.save(update_fields=["subject", "text", "marker"])


def with_mark(text: str, mark: str) -> str:
    """Return a post's text with its mark on a line of its own."""
    return f"{text.rstrip()}\n\n{mark}"


def valid_line(text: object, longest: int) -> str:
    """Return a text on one line without invisible characters; empty if it is not valid."""
    line = str(text or "").strip()
    return line if is_clean_text(line, longest) and line.isprintable() else ""


OPEN = (State.DRAFT, State.READY, State.SENDING, State.DOUBTFUL, State.FAILED)
"""The states of posts that are still on their way."""
LONGEST = 500


def lock_campaign(campaign: Campaign, user: Any) -> Campaign:
    """Return the campaign's locked row, if the user is one of its game masters.

    A game master who plays may post too, because reports contain nothing hidden. Raises
    `NotAllowed`.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    access.must_have_account(user)
    return table


@transaction.atomic
def draft(
    campaign: Campaign, user: Any, thread: Thread, key: str, *, now: datetime | None = None
) -> Post:
    """Return the draft of this report for this thread; create it if there is none.

    A new draft corrects the posts of the same report that are no longer true.
    """
    table, at = lock_campaign(campaign, user), entries.moment(now)
    known = Post.objects.filter(thread=thread, report=key, first=None, state__in=OPEN).first()
    if known is not None:
        return known
    _must_not_be_removed(thread)
    with reports.in_language(thread.language):
        pair = reports.report_with_line(table, key)
    if pair is None:
        raise Refused("no-such-report", _("This report does not exist. Choose another one."))
    item, report = pair
    entry = table.entries.filter(number=report.last).first()
    post = create_post(
        thread, at=at, report=key, kind=item.kind, by=user, entry=entry, subject=item.name[:300]
    )
    post.corrects.set(outdated_posts(thread, key))
    return post


def outdated_posts(thread: Thread, key: str) -> list[Post]:
    """Return the posts of this report that cover struck moves."""
    posts = Post.objects.filter(thread=thread, report=key, first=None, posted_at__isnull=False)
    return list(posts.filter(entry__struck_by__isnull=False))


@transaction.atomic
def mark_ready(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Mark a draft as ready: its text is made and no longer changes.

    An automatic transport sends it with the next tick.
    """
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    make_text(post, user, entries.moment(now))
    request_work()
    return post


def make_text(post: Post, user: Any, at: datetime) -> Post:
    """Make the text of a draft.

    The caller must hold the campaign's lock and have checked the user's permission.
    """
    parts = reports.post_parts(post)
    if not parts and post.report == reports.ANNOUNCEMENT:
        raise NotNow(
            "no-report",
            _(
                "The campaign has started, so the announcement can no longer be posted. Skip this "
                "post."
            ),
        )
    if not parts:
        raise NotNow(
            "no-report",
            _("This post has nothing left to report: the moves it covers have been struck."),
        )
    store_text(post, parts, user, at)
    return post


@transaction.atomic
def return_to_draft(post: Post, user: Any) -> Post:
    """Turn a ready post back into a draft, if no part of it was sent."""
    lock_campaign(post.campaign, user)
    head = post.head
    group = Post.objects.filter(first=head)
    untouched = {"state__in": [State.READY, State.FAILED], "doubt": False, "posted_at": None}
    count = group.count()
    if (
        group.filter(**untouched).count() != count
        or not Post.objects.filter(pk=head.pk, **untouched).exists()
    ):
        raise NotNow(
            "partly-posted", _("Part of it has already been sent: send the rest, or skip the rest.")
        )
    change_state(
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
        raise post_changed()
    # These rows belong to a text that no longer exists. Nothing of them was ever sent, and the next
    # text may have fewer parts.
    group.filter(state=State.ASIDE).update(first=None, report="", text="", marker="")
    return head


def _read_state_again(post: Post) -> None:
    """Read the state again under the campaign's lock: another request may have changed the post.

    Raises `NotNow` if the draft no longer exists.
    """
    state = Post.objects.filter(pk=post.pk).values_list("state", flat=True).first()
    if state is None:
        raise post_changed()
    post.state = state


@transaction.atomic
def record_copy(post: Post, user: Any, *, now: datetime | None = None, part: int = 1) -> Post:
    """Record that a user copied the text of this part to post it by hand.

    A draft becomes ready with its present text, so that the copied text is what is posted.
    """
    lock_campaign(post.campaign, user)
    _read_state_again(post)
    _must_not_be_removed(post.thread)
    at = entries.moment(now)
    if post.state == State.DRAFT:
        make_text(post, user, at)
    row = post if part <= 1 else post.head.parts.filter(part=part).first()
    if row is None:
        raise post_changed()
    change_state(row, [State.READY, State.FAILED, State.DOUBTFUL], copied_at=at)
    return row


@transaction.atomic
def record_posted_together(
    campaign: Campaign,
    user: Any,
    numbers: Collection[int],
    permalink: str,
    *,
    now: datetime | None = None,
) -> list[Post]:
    """Record that the posts with these numbers, with all their parts, are behind one link.

    If this is impossible for one of them, nothing is recorded.
    """
    heads = _heads(campaign, user, numbers)
    for head in heads:
        if head.state not in (State.POSTED, State.SENDING):
            record_posted(head, user, permalink, now=now)
        for other in head.parts.exclude(state__in=(State.POSTED, State.SENDING, State.ASIDE)):
            record_posted(other, user, permalink, now=now)
    return heads


@transaction.atomic
def skip_together(campaign: Campaign, user: Any, numbers: Collection[int]) -> list[Post]:
    """Skip the posts with these numbers."""
    heads = _heads(campaign, user, numbers)
    for head in heads:
        skip(head, user)
    return heads


def _heads(campaign: Campaign, user: Any, numbers: Collection[int]) -> list[Post]:
    """Return part 1 of the posts with these numbers. Raises `Refused` if there are none."""
    lock_campaign(campaign, user)
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
def record_posted(
    post: Post, user: Any, permalink: str, *, now: datetime | None = None, part: int = 1
) -> Post:
    """Record that a user posted it by hand, or found it in its thread.

    A draft becomes ready with its present text; `part` is the part that was posted. The link is the
    receipt: without it, only a post that a program sent counts as posted.
    """
    lock_campaign(post.campaign, user)
    _read_state_again(post)
    at, link = entries.moment(now), valid_line(permalink, LONGEST)
    if permalink.strip() and not link:
        raise Refused(
            "no-link", _("Enter the link of the post: its address as the browser shows it.")
        )
    if link:
        _must_be_address(link)
    if post.state == State.DRAFT:
        make_text(post, user, at)
    if part > 1:
        other = post.head.parts.filter(part=part).first()
        if other is None:
            raise post_changed()
        post = other
    if not link and post.state == State.READY:
        raise Refused(
            "no-link",
            _(
                "Enter the link of the post as its receipt. Without it the report counts as not "
                "posted."
            ),
        )
    states = [
        State.READY,
        State.DOUBTFUL,
        State.FAILED,
        State.AWAITING,
        *([State.POSTED] if link else []),
    ]
    change_state(
        post,
        states,
        state=State.POSTED,
        permalink=link or post.permalink,
        posted_at=post.posted_at or at,
        doubt=False,
        next_at=None,
        last_error="",
    )
    settle_corrections(post)
    return post


def changed_parts(head: Post) -> list[tuple[Post, str]]:
    """Return the parts of a posted report whose text has changed, each with its present text.

    Returns an empty list if the number of parts has changed, or if the posts cannot be edited in
    their thread.
    """
    if (
        head.report in ("", TEST)
        or not is_editable(head.thread)
        or head.thread.removed_at is not None
    ):
        return []
    rows = [head, *head.parts.order_by("part")] if head.part_count > 1 else [head]
    if any(
        row.state not in (State.POSTED, State.SUPERSEDED) or not row.permalink or not row.text
        for row in rows
    ):
        return []
    parts = reports.post_parts(head)
    if len(parts) != len(rows):
        return []
    pairs = [(row, with_mark(part.text, row.marker)) for row, part in zip(rows, parts, strict=True)]
    return [(row, text) for row, text in pairs if text != row.text]


def is_editable(thread: Thread) -> bool:
    """Return whether the writer of a post can change it in this thread."""
    try:
        return isinstance(transport(thread.transport), EditsPosts)
    except KeyError:
        return False


@transaction.atomic
def edit(post: Post, user: Any, *, now: datetime | None = None) -> list[Post]:
    """Have the worker change the posts of this report to its present text.

    Raises `NotNow` if nothing would change.
    """
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    at, pairs = entries.moment(now), changed_parts(post.head)
    if not pairs:
        raise NotNow(
            "nothing-to-edit", _("The post there already has the same text as the report.")
        )
    for row, text in pairs:
        Post.objects.filter(pk=row.pk).update(edit=text, edit_at=at, last_error="")
    request_work()
    return [row for row, _text in pairs]


@transaction.atomic
def cancel_edit(post: Post, user: Any) -> None:
    """Leave the posts of a report as they are; changes that were not made yet are cancelled."""
    lock_campaign(post.campaign, user)
    Post.objects.filter(Q(pk=post.head.pk) | Q(first=post.head), edit_at__isnull=False).update(
        edit="", edit_at=None, last_error=""
    )


def settle_corrections(post: Post) -> None:
    """Supersede the posts that a posted correction corrects.

    Posts that those had corrected hold again.
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
def undo_posted(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Undo `posted`: the post is ready again, and the posts that it corrects hold again.

    This is for posts that a user recorded as posted by hand by mistake.
    """
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    if is_automatic(post.thread):
        raise NotNow(
            "posted-by-program",
            _("The program posted it. It can correct the post there, but not remove it."),
        )
    change_state(
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
            "no-link", _("Enter the link of the post: its address as the browser shows it.")
        ) from None


@transaction.atomic
def record_absent(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Record that a user did not find the post's mark: it is sent again.

    If the moves that it covers are struck, it is superseded instead.
    """
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    if Post.objects.filter(pk=post.pk, entry__struck_by__isnull=False).exists():
        change_state(post, [State.DOUBTFUL], state=State.SUPERSEDED, doubt=False, next_at=None)
        return post
    change_state(
        post,
        [State.DOUBTFUL],
        state=State.READY,
        doubt=False,
        next_at=entries.moment(now),
        attempts=0,
        last_error="",
    )
    request_work()
    return post


@transaction.atomic
def retry(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Try a failed post again, with the text it has."""
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    change_state(
        post,
        [State.FAILED],
        state=State.READY,
        next_at=entries.moment(now),
        attempts=0,
        last_error="",
    )
    request_work()
    return post


@transaction.atomic
def skip(post: Post, user: Any) -> Post:
    """Skip a draft, or all unsent parts of a report.

    Nothing is deleted; `resume_post` takes it up again.
    """
    lock_campaign(post.campaign, user)
    states = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    change_state(post, states, state=State.ASIDE, next_at=None)
    post.head.parts.filter(state__in=states).update(state=State.ASIDE, next_at=None)
    return post


@transaction.atomic
def resume_post(post: Post, user: Any, *, now: datetime | None = None) -> Post:
    """Resume a skipped post: a draft as a draft, the rest of a report as ready."""
    lock_campaign(post.campaign, user)
    _must_not_be_removed(post.thread)
    if post.marker:
        at = entries.moment(now)
        change_state(post, [State.ASIDE], state=State.READY, next_at=at)
        post.head.parts.filter(state=State.ASIDE).update(state=State.READY, next_at=at)
    elif Post.objects.filter(
        thread=post.thread, report=post.report, first=None, state__in=OPEN
    ).exists():
        raise NotNow("drafted-anew", _("There is a newer draft of this report."))
    else:
        change_state(post, [State.ASIDE], state=State.DRAFT)
    return post


def _must_not_be_removed(thread: Thread) -> None:
    thread.refresh_from_db()
    must_not_be_removed(thread)


def is_automatic(thread: Thread) -> bool:
    """Return whether a program posts to this thread."""
    try:
        return transport(thread.transport).automatic
    except KeyError:  # The transport no longer exists.
        return False


# The mark of a post, by which it can be searched before it is posted again


def marker(campaign: Campaign, number: int, part: int) -> str:
    """Return the mark of one post of one campaign of this site, such as `[k7qm-12-9f2a7c]`.

    It is short, visible, and the same at every attempt. No outsider can predict its end, so a mark
    that is found at the place must come from this site.
    """
    text = f"{campaign.public_id}/{number}/{part}".encode()
    end = hmac.new(
        settings.SECRET_KEY.encode(), b"forum.marking/" + text, hashlib.sha256
    ).hexdigest()[:6]
    return f"[{campaign.public_id[:4]}-{number}-{end}]"


# Queries for threads and posts. They do not return a thread's secrets.

WAITING_FOR_PERSON = (State.DRAFT, State.DOUBTFUL, State.FAILED)
"""The states of posts that wait for a person in any case."""
OVER = (State.SUPERSEDED, State.ASIDE)
RECEIPTED = (State.POSTED, State.AWAITING, State.SUPERSEDED)
"""The states of a post that is in its thread, or was."""

MOST = 2**31 - 1
"""The maximum number that a row can have."""


@dataclass(slots=True)
class OutboxReport:
    """A report in the outbox: part 1 and the parts after it."""

    head: Post
    rest: list[Post] = field(default_factory=list)

    @property
    def parts(self) -> list[Post]:
        return [self.head, *self.rest]

    @property
    def now(self) -> Post:
        """The part that determines the state: the first unsettled part, or else part 1."""
        return next((part for part in self.parts if not part.settled), self.head)

    @property
    def asks(self) -> bool:
        """Whether the report waits for a person."""
        now = self.now
        by_hand = not is_automatic(now.thread)
        return now.state in WAITING_FOR_PERSON or (
            now.state == State.READY and (by_hand or now.thread.locked_at is not None)
        )

    @property
    def copied(self) -> bool:
        """Whether a user copied its text and has not entered a link since."""
        return self.now.copied_at is not None and self.now.state in (
            State.READY,
            State.FAILED,
            State.DOUBTFUL,
        )

    @property
    def moves(self) -> bool:
        """Whether the report proceeds without a person."""
        return not self.asks and self.now.state in (State.READY, State.SENDING)

    @property
    def struck(self) -> bool:
        """Whether the report covers moves that are struck."""
        return self.head.entry is not None and self.head.entry.struck_by_id is not None


def threads(campaign: Campaign) -> list[Thread]:
    """Return the threads of a campaign, oldest first."""
    return list(Thread.objects.filter(campaign=campaign, removed_at=None).order_by("pk"))


def thread(campaign: Campaign, pk: int) -> Thread | None:
    if pk > MOST:
        return None
    return (
        Thread.objects.filter(campaign=campaign, pk=pk, removed_at=None)
        .select_related("campaign")
        .first()
    )


def outbox_reports(campaign: Campaign, most: int = 400, report: str = "") -> list[OutboxReport]:
    """Return the reports that are drafted, on their way, posted or skipped, newest first.

    With the key of a `report`, only this report is returned. Makes one query.
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
    for row in sorted(posts, key=lambda post: post.part):
        if row.first_id is not None:
            rest[row.first_id].append(row)
    return [OutboxReport(row, rest[row.pk]) for row in posts if row.first_id is None]


def outbox_report(campaign: Campaign, number: int) -> OutboxReport | None:
    """Return the report to which the post with this number belongs."""
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
    return OutboxReport(head, list(parts))


def thread_of_first_post(campaign: Campaign, number: int) -> int | None:
    """Return the id of the thread whose first post has this number."""
    rows = Post.objects.filter(campaign=campaign, number=min(number, MOST), kind=FIRST_POST)
    return rows.filter(report="").values_list("thread_id", flat=True).first()


def receipts(campaign: Campaign, key: str) -> list[Post]:
    """Return the posts that show everyone where a report is.

    They are the first part of each post, latest first.
    """
    posts = Post.objects.filter(
        campaign=campaign, report=key, first=None, state__in=RECEIPTED, posted_at__isnull=False
    )
    return list(posts.order_by("-posted_at"))


def receipts_of(wholes: Iterable[OutboxReport]) -> list[Post]:
    """Return the receipts among reports of the outbox that are known already."""
    posted = [
        (whole.head.posted_at, whole.head)
        for whole in wholes
        if whole.head.state in RECEIPTED and whole.head.posted_at is not None
    ]
    return [post for _at, post in sorted(posted, key=lambda pair: pair[0], reverse=True)]


def is_announced(wholes: Iterable[OutboxReport]) -> bool:
    """Return whether the announcement is in a thread, or on its way there."""
    mine = [whole for whole in wholes if whole.head.report == reports.ANNOUNCEMENT]
    return any(whole.moves or whole.head.state in (State.POSTED, State.AWAITING) for whole in mine)


def lacks_announcement(
    campaign: Campaign, user: Any, wholes: Iterable[OutboxReport] | None = None
) -> bool:
    """Return whether the announcement should be posted before the start but has not been.

    A user who plays alone or with programs has no one to announce it to. `wholes` is the outbox, if
    known.
    """
    if reports.reporter(campaign) is None or not reports.may_announce(campaign) or campaign.stopped:
        return False
    if campaign.programs or user.guest or len(positions.seats(campaign)) == 1:
        return False
    return not is_announced(outbox_reports(campaign, most=60) if wholes is None else wholes)


def waiting_reports(wholes: list[OutboxReport]) -> list[OutboxReport]:
    """Return the reports that wait for a person, oldest first.

    Tests are only included if they are doubtful.
    """
    return [
        whole
        for whole in reversed(wholes)
        if whole.asks and (whole.head.report != TEST or whole.now.state == State.DOUBTFUL)
    ]


# Requests for work that should be done at once after a click


def request_work(kind: str = "posts") -> None:
    """Ask the worker for this kind of work after the commit.

    If the request is lost, the next pulse does the work.
    """
    pulse.soon(kind)


# Erasure: the names of a user in this site's copies of posts. Posts on boards are not changed.

SHORTEST, SHORTEST_LINE = 2, 4
TYPED_FIELDS: dict[type[Model], tuple[str, ...]] = {
    ReportComment: ("before", "after"),
    ReportTemplate: ("subject", "greeting", "signature"),
    ImportedPost: ("author", "text", "before"),
}
"""The fields with texts of game masters about reports, and of replies, which may name users."""
POST_FIELDS = ("subject", "text", "edit")
LIVE_FIRST_POST = Q(kind=FIRST_POST, report="", thread__removed_at=None) & (
    Q(thread__keeps_first_post=True, next_at__isnull=False)
    | Q(thread__keeps_first_post=True, edit_at__isnull=False)
)
"""First posts that are kept up to date.

Their next change needs the text that is on the board, and replaces it by a text without the name.
"""


def erase(user: Any, at: datetime) -> list[str]:
    """Replace a user's names in this site's copies by "a former player".

    Returns how many rows have changed.
    """
    names = [
        name for name in (user.username, user.forum_name, user.fog2_name) if len(name) >= SHORTEST
    ]
    if not names:
        return []
    anywhere = _names_pattern(names)
    changed = 0

    def replaced(text: str) -> str:
        return anywhere.sub(pgettext("report", "a former player"), text)

    for post in Post.objects.exclude(text="", subject="").exclude(LIVE_FIRST_POST).iterator():
        changed += _replace_words(post, POST_FIELDS, replaced)
    compare_first_posts(Post.objects.all(), at)
    typed = 0
    for model, fields in TYPED_FIELDS.items():
        for row in model._default_manager.iterator():
            typed += _replace_words(row, fields, replaced)
    return [f"{changed} posts", f"{typed} words about reports"]


def compare_first_posts(posts: QuerySet[Post], at: datetime) -> None:
    """Have the worker compare these first posts with their present texts."""
    live = posts.filter(LIVE_FIRST_POST).values("pk")
    Post.objects.filter(pk__in=list(live.values_list("pk", flat=True))).update(
        next_at=at, entry=None
    )


def _replace_words(row: Model, fields: Sequence[str], replaced: Callable[[str], str]) -> int:
    """Change the texts of a row, and the decided lines of a reply. Return how many rows changed."""
    model = type(row)
    was: dict[str, Any] = {field: getattr(row, field) for field in fields}
    now: dict[str, Any] = {
        field: replaced(text)[: _field_length(model, field)] for field, text in was.items()
    }
    if isinstance(row, ImportedPost):
        was["decided"] = row.decided
        now["decided"] = [
            {**line, "line": replaced(line["line"]), "rest": replaced(line["rest"])}
            for line in row.decided
        ]
    return model._default_manager.filter(pk=row.pk).update(**now) if now != was else 0


def withhold(campaign: Campaign, texts: Mapping[str, str]) -> int:
    """Replace removed texts in this site's copies of the campaign's posts.

    Returns how many rows have changed. Posts on boards remain; only the boards' moderators can
    remove them.
    """
    lines = [
        (part.strip(), sentence if not place else "")
        for text, sentence in texts.items()
        for place, part in enumerate(
            part for part in text.splitlines() if len(part.strip()) >= SHORTEST_LINE
        )
    ]
    patterns = [
        (re.compile(rf"(?<!\w){_name_pattern(line)}(?!\w)"), sentence) for line, sentence in lines
    ]
    if not patterns:
        return 0

    def replaced(text: str) -> str:
        for pattern, sentence in patterns:
            text = pattern.sub(sentence.replace("\\", r"\\"), text)
        return text

    posts = Post.objects.filter(campaign=campaign)
    rows: list[tuple[QuerySet[Any], tuple[str, ...]]] = [
        (posts.exclude(LIVE_FIRST_POST), POST_FIELDS),
        (ReportComment.objects.filter(campaign=campaign), TYPED_FIELDS[ReportComment]),
        (ReportTemplate.objects.filter(campaign=campaign), TYPED_FIELDS[ReportTemplate]),
        (ImportedPost.objects.filter(thread__campaign=campaign), TYPED_FIELDS[ImportedPost]),
    ]
    changed = sum(
        _replace_words(row, fields, replaced) for those, fields in rows for row in those.iterator()
    )
    compare_first_posts(posts, entries.moment(None))
    return changed


def _field_length(model: type[Model], field: str) -> int | None:
    """Return the maximum length of a field, because a replacement may be longer than the name."""
    return getattr(model._meta.get_field(field), "max_length", None)


def _names_pattern(names: list[str]) -> re.Pattern[str]:
    return re.compile(
        "|".join(
            rf"(?<!\w){_name_pattern(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)
        )
    )


ENTITIES = {
    "'": "(?:'|&#x27;)",
    "&": "(?:&|&amp;)",
    "<": "(?:<|&lt;)",
    ">": "(?:>|&gt;)",
    '"': '(?:"|&quot;)',
}
"""The patterns of characters that HTML may escape."""


def _name_pattern(name: str) -> str:
    """Return a pattern of the name as any dialect may write it.

    Joiners and backslashes may be between its letters, and characters may be escaped for HTML.
    """
    return r"[\\\u2060]*".join(ENTITIES.get(sign) or re.escape(sign) for sign in name)
