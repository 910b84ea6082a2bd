"""The replies beside the log, and the threads that are followed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.log import selectors
from campaign.log.selectors import Line
from forum import post_lines, reading
from forum.models import ImportedPost
from forum.reading import FollowableThread
from web.forum.replies.guesses import (
    Guesser,
    Meaning,
    is_unread,
)
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.templatetags.tabula import when
from web.typed_moves.reader import seat_of

POSTS_ON_PAGE = 25
LINES_READ = 200
"""The number of log entries that are searched for one page."""
LINES_SHOWN = 6
"""The largest number of entries that are shown beside one post; the log has the others."""
MOST_WAITING, MOST_SEARCHED = 5, 60
"""The largest number of unread posts of other pages that are listed, and of posts that are searched
for them.
"""
MOST_COMPARED = 200
"""The largest number of lines of a changed post that are compared with its earlier text."""
LONG = 500
"""A post with more characters is folded."""


class ChangedLine(NamedTuple):
    """A line that has been added to a changed post, or removed from it."""

    is_new: bool
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A post, and the log entries between it and the next post."""

    post: ImportedPost
    at: datetime
    seat: str
    seat_name: str
    meanings: list[Meaning]
    lines: list[LogRow]
    more_lines: int
    can_be_read: bool
    """Whether the reader may move for the author of the post."""
    decided_text: str
    """How many lines of an unread post have been decided; empty if none."""

    @property
    def author(self) -> str:
        return self.post.author or pgettext("author of a post", "unknown")

    @property
    def is_ours(self) -> bool:
        return self.post.is_own_report

    @property
    def is_gone(self) -> bool:
        return self.post.gone_at is not None

    @property
    def is_unread(self) -> bool:
        return not self.is_gone and is_unread(self.post)

    @property
    def is_long(self) -> bool:
        return len(self.post.text) > LONG

    @property
    def beginning(self) -> str:
        return self.post.text[:LONG].rsplit(" ", 1)[0]

    @property
    def text(self) -> str:
        return self.post.text or _("A post without text, perhaps a picture.")

    @property
    def own_reports(self) -> list[Meaning]:
        """The reports in a post of this site, if they are known."""
        return self.meanings

    @property
    def guesses(self) -> list[Meaning]:
        """The possible meanings of a post by someone else."""
        return [] if self.is_ours else self.meanings

    @property
    def is_changed(self) -> bool:
        """Whether the page shows the changes of someone else's post."""
        return self.post.changed_at is not None and not self.is_ours and not self.is_gone

    @property
    def changes(self) -> list[ChangedLine]:
        """The changed lines that are not empty."""
        return [line for line in changed_lines(self.post) if line.text]

    @property
    def history(self) -> str:
        """A sentence about the time when the post was found deleted or changed."""
        if self.post.gone_at is not None:
            return with_times(
                _("Deleted on the board (noticed: %(at)s)."), at=when(self.post.gone_at)
            )
        changed_at = when(self.post.changed_at)
        return with_times(
            _("Changed on the board (noticed: %(at)s). See the differences"), at=changed_at
        )

    @property
    def more_text(self) -> str:
        """The number of entries in the log beyond those that are shown."""
        if self.more_lines <= 0:
            return ""
        text = ngettext(
            "%(n)s more entry in the log", "%(n)s more entries in the log", self.more_lines
        )
        return text % {"n": self.more_lines}


class WaitingReply(NamedTuple):
    """A post on another page that no one has read as moves yet."""

    author: str
    at: datetime
    seat: str
    seat_name: str
    url: str


@dataclass(frozen=True, slots=True)
class FollowedThread:
    """A thread that can be followed."""

    pk: int
    name: str
    url: str
    is_followed: bool
    is_stopped: bool
    is_shown: bool
    """Whether the players see the posts of the thread."""
    read_at: datetime | None
    error: str

    @property
    def chip(self) -> Chip:
        if self.is_followed and self.is_stopped:
            return Chip(pgettext("state", "stopped"), "bad")
        return Chip(_("followed"), "good") if self.is_followed else Chip(_("not followed"))

    @property
    def read_text(self) -> str:
        """A sentence about the last reading of the thread; empty if it is not followed."""
        if not self.is_followed:
            return ""
        if self.read_at is None:
            return pgettext("forum", "Not read yet.")
        return with_times(_("Last read: %(at)s."), at=when(self.read_at))

    @property
    def save_verb(self) -> str:
        return pgettext("button", "Save") if self.is_followed else _("Follow the thread")

    @property
    def can_be_tried_again(self) -> bool:
        return self.is_followed and self.is_stopped


@dataclass(frozen=True, slots=True)
class EmptyReplies:
    """The text for a page without posts."""

    text: str
    hint: str = ""
    offers_thread: bool = False


@dataclass(frozen=True, slots=True)
class RepliesPage:
    """The posts of one page, the newest first."""

    replies: list[Reply]
    waiting: list[WaitingReply]
    threads: list[FollowedThread]
    empty: EmptyReplies
    is_host: bool
    newer_url: str
    older_url: str
    log_url: str
    moves_url: str
    new_thread_url: str
    outbox_url: str


def replies_page(table: TableContext, page: int) -> RepliesPage:
    """Return a page of replies; pages count from 1."""
    places = reading.followable_threads(table.campaign) if table.host else []
    posts, next_at, has_older = posts_of_page(table, page)
    is_whole = page == 1 and not has_older
    return RepliesPage(
        replies=replies(table, posts, next_at),
        waiting=[] if is_whole else waiting_replies(table, {post.pk for post in posts}),
        threads=[followed_thread(table, place) for place in places],
        empty=why_empty(table, page, places),
        is_host=table.host,
        newer_url=f"?page={page - 1}" if page > 1 else "",
        older_url=f"?page={page + 1}" if has_older else "",
        log_url=table.url("log"),
        moves_url=table.url("orders"),
        new_thread_url=table.url("new_thread"),
        outbox_url=table.url("posts"),
    )


def posts_of_page(
    table: TableContext, page: int
) -> tuple[Sequence[ImportedPost], datetime | None, bool]:
    """Return the posts of a page, the time of the post after its first, and whether more follow."""
    start = (page - 1) * POSTS_ON_PAGE
    # One additional post on either side answers both questions.
    posts = reading.replies_slice(
        table.campaign,
        everything=table.host,
        skip=max(start - 1, 0),
        limit=POSTS_ON_PAGE + (2 if start else 1),
    )
    next_at = None
    if start and posts:
        next_at, posts = time_of(posts[0]), posts[1:]
    return posts[:POSTS_ON_PAGE], next_at, len(posts) > POSTS_ON_PAGE


def time_of(post: ImportedPost) -> datetime:
    """Return when a post was written; if the board does not show it, when it was read."""
    return post.posted_at or post.imported_at


def replies(
    table: TableContext, posts: Sequence[ImportedPost], next_at: datetime | None
) -> list[Reply]:
    """Return the posts, each with the log entries between it and the next one.

    `next_at` is the time of the post after the first, if there is one.
    """
    if not posts:
        return []
    guesses = Guesser(table).guesses(posts)
    lines = selectors.log(table.campaign, table.user, limit=LINES_READ)
    result = []
    for post in posts:
        at = time_of(post)
        beside = [line for line in lines if is_between(line, at, next_at)]
        result.append(reply(table, post, guesses, beside))
        next_at = at
    return result


def is_between(line: Line, start: datetime, end: datetime | None) -> bool:
    """Return whether an entry was made between these times."""
    return line.entry.at >= start and (end is None or line.entry.at < end)


def reply(
    table: TableContext,
    post: ImportedPost,
    guesses: Mapping[int, list[Meaning]],
    lines: Sequence[Line],
) -> Reply:
    """Return one post with the log entries beside it."""
    seat, meanings = seat_of(table, post.author), guesses.get(post.pk, [])
    reads_moves = bool(table.access.voices) and table.pages is None and post.gone_at is None
    may_read = bool(seat) and post.post is None and table.access.speaks_for(seat)
    return Reply(
        post=post,
        at=time_of(post),
        seat=seat,
        seat_name=table.name_of(seat) if seat else "",
        meanings=meanings,
        lines=rows(table, lines[:LINES_SHOWN]),
        more_lines=len(lines) - LINES_SHOWN,
        can_be_read=reads_moves and may_read,
        decided_text=decided_text(post) if reads_moves and may_read else "",
    )


def decided_text(post: ImportedPost) -> str:
    """Return how many lines of a post have been decided; empty if it is read, or none has been."""
    count = post_lines.count_decided(post) if is_unread(post) and post.decided else 0
    if not count:
        return ""
    whole = count + len(post_lines.open_lines(post))
    text = ngettext("%(n)s of %(all)s line decided", "%(n)s of %(all)s lines decided", whole)
    return text % {"n": count, "all": whole}


def changed_lines(post: ImportedPost) -> Iterator[ChangedLine]:
    """Yield the changed lines of a post."""
    if post.changed_at is None:
        return
    before, after = (text.splitlines()[:MOST_COMPARED] for text in (post.before, post.text))
    for line in difflib.ndiff(before, after):
        if line[:2] in ("- ", "+ "):
            yield ChangedLine(line.startswith("+"), line[2:])


def waiting_replies(table: TableContext, here: set[int]) -> list[WaitingReply]:
    """Return posts on other pages that no one has read, by authors for whom the reader may move."""
    campaign = table.campaign
    if not table.access.voices or table.pages is not None:
        return []
    if not campaign.started or campaign.ended:
        return []
    own = own_unread_posts(table, here)
    order = reading.reply_ids(campaign, everything=table.host) if own else []
    return [
        WaitingReply(
            author=post.author,
            at=time_of(post),
            seat=seat,
            seat_name=table.name_of(seat),
            url=f"{table.url('heard')}?page={page_of(order, post)}#p{post.pk}",
        )
        for post, seat in own[:MOST_WAITING]
        if post.pk in order
    ]


def own_unread_posts(table: TableContext, here: set[int]) -> list[tuple[ImportedPost, str]]:
    """Return unread posts on other pages, each with the seat for which the reader may move."""
    unread = reading.unread_replies(table.campaign, everything=table.host).exclude(pk__in=here)
    posts = [(post, seat_of(table, post.author)) for post in unread[:MOST_SEARCHED]]
    return [(post, seat) for post, seat in posts if seat and table.access.speaks_for(seat)]


def page_of(order: Sequence[int], post: ImportedPost) -> int:
    """Return the page on which a post is."""
    return order.index(post.pk) // POSTS_ON_PAGE + 1


def followed_thread(table: TableContext, place: FollowableThread) -> FollowedThread:
    """Return a thread that can be followed, with its state."""
    thread, following = place.thread, place.following
    return FollowedThread(
        pk=thread.pk,
        name=thread.name,
        url=table.url("thread", thread.pk),
        is_followed=place.active,
        is_stopped=following is not None and following.stopped_at is not None,
        is_shown=following is None or following.shown,
        read_at=following.read_at if following else None,
        error=following.last_error if following and place.active else "",
    )


def why_empty(table: TableContext, page: int, places: Sequence[FollowableThread]) -> EmptyReplies:
    """Return the reason why there are no posts."""
    if page > 1:
        return EmptyReplies(_("This is the first entry."))
    if not table.host:
        return EmptyReplies(
            _("There is nothing to read here."),
            _("When the game master follows a thread, its posts appear here beside the log."),
        )
    if not places:
        return EmptyReplies(
            _("No thread of this campaign can be followed."),
            _("You can follow topics on phpBB, MyBB, NodeBB and Discourse once they are set up."),
            offers_thread=True,
        )
    if not any(place.active for place in places):
        return EmptyReplies(
            _("You do not follow any thread."),
            _("Follow a thread, and its posts appear here beside the log."),
        )
    return EmptyReplies(_("No posts have arrived yet."), _("Threads are read every 15 minutes."))
