"""One post: its text, its progress, and its buttons."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from forum.dialects import DIALECTS, Dialect
from forum.models import Post
from forum.posts import outbox, reports
from forum.posts.outbox import OutboxReport, State, marker, with_mark
from web.forum.common import size_heading_of, size_of
from web.forum.posts.next_post import picture_waits
from web.forum.posts.rows import (
    OutboxRow,
    ThreadLine,
    master_names,
    outbox_row,
    thread_line,
)
from web.forum.reports import preview
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.frame.table import TableContext
from web.templatetags.tabula import put, when

MOST_WAITING = 60
"""The largest number of posts that are searched for the next waiting post."""


class PostLink(NamedTuple):
    """A link to a post that this post corrects, or that corrects this post."""

    number: int
    subject: str
    url: str


class ChangedLine(NamedTuple):
    """A line that has been added to a text, or removed from it."""

    is_new: bool
    text: str


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The present text of the report, if it differs from the posted text."""

    is_under_way: bool
    texts: list[list[ChangedLine]]
    errors: list[str]

    @property
    def title(self) -> str:
        if self.is_under_way:
            return _("The post is being changed there.")
        return _("The current report differs from the text posted there.")

    @property
    def do(self) -> str:
        return "keep" if self.is_under_way else "edit"

    @property
    def verb(self) -> str:
        if self.is_under_way:
            return pgettext("button", "Leave the post as it is")
        return _("Update the post")


@dataclass(frozen=True, slots=True)
class PostPart:
    """One part of a report: a post with its text."""

    number: int
    heading: str
    weight: int
    text: str
    language: str
    look: SafeString | None
    """A preview of the text, if the post is a draft."""
    post: Post
    thread: ThreadLine
    waits_for_picture: bool
    has_others: bool

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.post.thread.dialect]

    @property
    def limit(self) -> int:
        return reports.post_limit(self.post.thread)

    @property
    def size(self) -> str:
        """The size of the part and the limit in words."""
        return size_of(self.dialect, self.weight, self.limit)

    @property
    def long_size(self) -> str:
        """The size of the part and the limit in words, for a heading."""
        return size_heading_of(self.dialect, self.weight, self.limit)

    @property
    def is_draft(self) -> bool:
        return self.post.state == State.DRAFT

    @property
    def is_doubtful(self) -> bool:
        return self.post.state == State.DOUBTFUL

    @property
    def is_failed(self) -> bool:
        return self.post.state == State.FAILED

    @property
    def is_settled(self) -> bool:
        """Whether this part has been posted, or waits for the moderators of the board."""
        return self.post.settled

    @property
    def is_to_copy(self) -> bool:
        """Whether the user has to post this part now."""
        return self.post.state == State.READY and not self.thread.is_automatic

    @property
    def is_awaiting(self) -> bool:
        return self.post.state == State.AWAITING

    @property
    def asks_for_link(self) -> bool:
        """Return whether its link can be entered."""
        lacks_link = not self.post.permalink and not self.thread.is_automatic
        return self.is_awaiting or lacks_link

    @property
    def can_be_corrected(self) -> bool:
        """Whether the link that the user entered can be changed."""
        is_posted = self.post.state == State.POSTED
        return is_posted and bool(self.post.permalink) and not self.thread.is_automatic

    @property
    def receipt(self) -> str:
        """Return when it was posted."""
        at = when(self.post.posted_at)
        if self.is_awaiting:
            text = _("Sent: %(at)s. A moderator must approve it first; it will not be sent again.")
            return with_times(text, at=at)
        return with_times(_("Posted: %(at)s."), at=at) if self.post.posted_at else ""

    @property
    def lacks_link(self) -> bool:
        return self.post.state == State.POSTED and not self.post.permalink

    @property
    def chip(self) -> Chip:
        tone = "good" if self.is_settled else "bad" if self.is_failed or self.is_doubtful else ""
        is_planned = self.thread.is_automatic and self.post.planned
        return Chip(when(self.post.next_at) if is_planned else self.post.get_state_display(), tone)

    @property
    def copy_verb(self) -> str:
        return _("Copy and open the thread") if self.thread.address else pgettext("button", "Copy")

    @property
    def copies_to(self) -> str:
        """The address that opens after the text has been copied."""
        return self.thread.address if self.thread.is_web_address else ""


@dataclass(frozen=True, slots=True)
class PostPage:
    """A report for a thread, with all its parts."""

    row: OutboxRow
    thread: ThreadLine
    report_url: str
    outbox_url: str
    has_nothing_to_report: bool
    corrects: list[PostLink]
    corrections: list[PostLink]
    parts: list[PostPart]
    rewriting: Rewriting | None
    next: OutboxRow | None
    can_be_draft_again: bool

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def current(self) -> Post:
        return self.row.current

    @property
    def is_locked(self) -> bool:
        """Whether the thread refuses posts, and this post waits because of that."""
        return self.thread.is_locked and self.row.asks

    @property
    def reports_struck_moves(self) -> bool:
        return self.row.reports_struck_moves and not self.corrections

    @property
    def part_to_copy(self) -> PostPart | None:
        """The only part of a draft that the user has to post."""
        is_single = self.row.is_draft and self.row.is_by_hand and len(self.parts) == 1
        return self.parts[0] if is_single else None

    @property
    def can_be_ready(self) -> bool:
        """Whether a button makes the text of the draft final."""
        return self.row.is_draft and bool(self.parts) and self.part_to_copy is None

    @property
    def ready_verb(self) -> str:
        return _("Post it") if self.thread.is_automatic else _("Create the text")

    @property
    def ready_note(self) -> str:
        """A sentence about the next step after the text has been made."""
        if self.thread.is_automatic:
            text = _("It will be sent to %(place)s within a minute. After that it does not change.")
            return text % {"place": self.thread.name}
        number = len(self.parts)
        text = ngettext(
            "One post.",
            "%(n)s posts, each with its own mark. You then copy them one at a time.",
            number,
        )
        return text % {"n": number}

    @property
    def progress(self) -> str:
        """The time of the next attempt, and the reason; empty if there will be none."""
        return progress_of(self.current) if self.row.moves else ""

    @property
    def error(self) -> str:
        """The last error, if no other part of the page shows it."""
        post = self.current
        is_shown_elsewhere = post.state in (State.DOUBTFUL, State.FAILED) or post.settled
        is_over = self.row.first.state == State.SUPERSEDED
        return "" if is_shown_elsewhere or is_over else post.last_error

    @property
    def can_be_skipped(self) -> bool:
        return self.row.asks or (self.row.moves and self.current.state == State.READY)

    @property
    def skip_verb(self) -> str:
        return _("Skip the rest") if self.row.parts_there else _("Skip this post")

    @property
    def can_be_brought_back(self) -> bool:
        return self.current.state == State.ASIDE and not self.thread.is_removed

    @property
    def next_text(self) -> str:
        return put(_("Next: {name}"), name=self.next.name) if self.next else ""


def post_page(table: TableContext, whole: OutboxReport, *, is_impatient: bool) -> PostPage:
    """Return the page of a post. An impatient reader does not wait for its picture."""
    head = whole.head
    thread = thread_line(table, head.thread)
    waits = picture_waits(head) and not is_impatient
    is_draft = head.state == State.DRAFT
    parts = (
        draft_parts(table, head, thread, waits) if is_draft else text_parts(whole, thread, waits)
    )
    return PostPage(
        row=outbox_row(table, whole),
        thread=thread,
        report_url="" if head.report == reports.TEST else table.url("report", head.report),
        outbox_url=table.url("posts"),
        has_nothing_to_report=is_draft and not parts,
        corrects=post_links(table, head.corrects.all()),
        corrections=post_links(table, head.corrections.all()),
        parts=parts,
        rewriting=rewriting(whole),
        next=None if whole.asks else next_waiting(table),
        can_be_draft_again=can_be_draft_again(whole),
    )


def draft_parts(table: TableContext, head: Post, thread: ThreadLine, waits: bool) -> list[PostPart]:
    """Return the parts that a draft would have now; empty if its report no longer exists."""
    dialect = DIALECTS[head.thread.dialect]
    colours = {seat.key: seat.info.colour for seat in table.seats} if dialect.colours else {}
    parts = reports.post_parts(head, table.seats, master_names(table), table.memberships)
    own_mark = marker(table.campaign, head.number, 1)
    return [
        PostPart(
            number=number,
            heading=part_heading(number, len(parts)),
            weight=dialect.weight(part.text),
            text=with_mark(part.text, own_mark if number == 1 else _("[its own mark]")),
            language=head.thread.language,
            look=with_own_pictures(preview.board_post(part.report, colours, dialect.tables)),
            post=head,
            thread=thread,
            waits_for_picture=waits,
            has_others=len(parts) > 1,
        )
        for number, part in enumerate(parts, 1)
    ]


def text_parts(whole: OutboxReport, thread: ThreadLine, waits: bool) -> list[PostPart]:
    """Return the parts of a report whose text has been made.

    A draft that was skipped or superseded has no text.
    """
    dialect = DIALECTS[whole.head.thread.dialect]
    posts = [post for post in whole.parts if post.text]
    return [
        PostPart(
            number=post.part,
            heading=part_heading(post.part, len(posts)),
            weight=dialect.weight(post.text),
            text=post.text,
            language=whole.head.thread.language,
            look=None,
            post=post,
            thread=thread,
            waits_for_picture=waits,
            has_others=len(posts) > 1,
        )
        for post in posts
    ]


def part_heading(number: int, parts: int) -> str:
    """Return "Part 2 of 3", or "Its text" if there is only one part."""
    if parts == 1:
        return _("Text of the post")
    return _("Part %(number)s of %(all)s") % {"number": number, "all": parts}


def with_own_pictures(look: SafeString) -> SafeString:
    """Return a preview whose pictures come from the host of the page.

    The site may have another host name there.
    """
    site = escape(str(getattr(settings, "SITE_URL", "")).rstrip("/"))
    return SafeString(look.replace(f'src="{site}/', 'src="/'))


def post_links(table: TableContext, posts: Iterable[Post]) -> list[PostLink]:
    """Return the links to other posts."""
    return [PostLink(post.number, post.subject, table.url("post", post.number)) for post in posts]


def rewriting(whole: OutboxReport) -> Rewriting | None:
    """Return the changes that bring the posts up to date; None if they already are."""
    pending = [(post, post.edit) for post in whole.parts if post.edit_at is not None]
    changes = pending or outbox.changed_parts(whole.head)
    if not changes:
        return None
    return Rewriting(
        is_under_way=bool(pending),
        texts=[list(changed_lines(post.text, text)) for post, text in changes],
        errors=[post.last_error for post in whole.parts if post.last_error and post.settled],
    )


def changed_lines(before: str, after: str) -> Iterator[ChangedLine]:
    """Yield the lines that two texts do not share."""
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line[:2] in ("- ", "+ ") and line[2:].strip():
            yield ChangedLine(line.startswith("+"), line[2:])


def next_waiting(table: TableContext) -> OutboxRow | None:
    """Return the next post for which the user has to act."""
    waiting = outbox.waiting_reports(outbox.outbox_reports(table.campaign, most=MOST_WAITING))
    return outbox_row(table, waiting[0]) if waiting else None


def can_be_draft_again(whole: OutboxReport) -> bool:
    """Return whether no part of the report may have been sent."""
    is_unsent = all(not post.posted_at and not post.doubt for post in whole.parts)
    return is_unsent and whole.head.state in (State.READY, State.FAILED)


def progress_of(post: Post) -> str:
    """Return the sentences about the next attempt to post a part."""
    if post.planned:
        reason = _("The board requires a pause between two posts.")
        if post.part == 1 and post.thread.joining_minutes:
            reason = _(
                "The board joins two consecutive posts by one user. The report can be sent sooner "
                "if someone else posts in the thread."
            )
        return format_html("{} {}", plan_of(post), reason)
    attempts = attempts_of(post)
    if not post.attempts or not post.next_at:
        return attempts
    next_time = with_times(_("Next attempt: %(at)s."), at=when(post.next_at))
    return format_html("{} {}", attempts, next_time)


def plan_of(post: Post) -> str:
    """Return a sentence about the time when a part is sent."""
    facts: dict[str, str | int] = {
        "part": post.part,
        "of": post.part_count,
        "at": when(post.next_at),
    }
    if post.part_count > 1:
        return with_times(_("Part %(part)s of %(of)s: %(at)s."), **facts)
    return with_times(_("To be sent: %(at)s."), **facts)


def attempts_of(post: Post) -> str:
    """Return a sentence about the attempts so far."""
    if not post.attempts:
        return _("It will be sent within a minute.")
    if post.doubt:
        text = ngettext(
            "After one attempt it is not known whether the post arrived. The program will first"
            " look there for the report’s mark.",
            "After %(n)s attempts it is not known whether the post arrived. The program will"
            " first look there for the report’s mark.",
            post.attempts,
        )
    else:
        text = ngettext(
            "One attempt failed; the program will try again.",
            "%(n)s attempts failed; the program will try again.",
            post.attempts,
        )
    return text % {"n": post.attempts}
