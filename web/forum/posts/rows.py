"""A post as a line of the outbox, and a thread as a line of a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from campaign import access
from campaign.log import selectors
from forum.boards.registry import transport
from forum.models import Post, Thread
from forum.posts import outbox, reports
from forum.posts.outbox import OutboxReport, State, is_automatic
from forum.posts.report_parts import WHOLE
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.frame.table import TableContext
from web.templatetags.tabula import when

COPIED = "copied"
MOVING = "moving"
STATES: dict[str, tuple[Promise, str, str]] = {
    State.DRAFT: (pgettext_lazy("post", "draft"), "", "scroll"),
    COPIED: (pgettext_lazy("post", "copied"), "warn", "copy"),
    State.READY: (pgettext_lazy("post", "not posted"), "warn", "mail"),
    MOVING: (pgettext_lazy("post", "on its way"), "mine", "clock"),
    State.SENDING: (pgettext_lazy("post", "being sent"), "mine", "clock"),
    State.POSTED: (pgettext_lazy("post", "posted"), "good", "check"),
    State.AWAITING: (pgettext_lazy("post", "awaiting approval"), "warn", "clock"),
    State.DOUBTFUL: (pgettext_lazy("post", "was it posted?"), "bad", "eye"),
    State.FAILED: (pgettext_lazy("post", "failed"), "bad", "stop"),
    State.SUPERSEDED: (pgettext_lazy("post", "superseded"), "", "undo"),
    State.ASIDE: (pgettext_lazy("post", "skipped"), "", "more"),
}
"""The states of a post for people: name, tone and icon. `copied` and `moving` are states only of
the page.
"""


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A report for a thread, as a line of the outbox."""

    whole: OutboxReport
    key: str
    """The key of its state in `STATES`."""
    name: str
    kind_name: str
    url: str
    entry_url: str

    @property
    def first(self) -> Post:
        return self.whole.head

    @property
    def current(self) -> Post:
        """The part that shows the progress of the report."""
        return self.whole.now

    @property
    def number(self) -> int:
        return self.first.number

    @property
    def report(self) -> str:
        """Return the key of the report."""
        return self.first.report

    @property
    def thread_name(self) -> str:
        return self.first.thread.name

    @property
    def state(self) -> str:
        return str(STATES[self.key][0])

    @property
    def tone(self) -> str:
        return STATES[self.key][1]

    @property
    def icon(self) -> str:
        return STATES[self.key][2]

    @property
    def asks(self) -> bool:
        """Whether the user has to act."""
        return self.whole.asks

    @property
    def moves(self) -> bool:
        """Whether the post is on its way to the board without an act of the user."""
        return self.whole.moves

    @property
    def is_over(self) -> bool:
        return self.first.state in outbox.OVER

    @property
    def reports_whole_turn(self) -> bool:
        return self.first.kind in WHOLE

    @property
    def is_draft(self) -> bool:
        return self.first.state == State.DRAFT

    @property
    def is_copied(self) -> bool:
        return self.key == COPIED

    @property
    def is_posted(self) -> bool:
        return self.key in (State.POSTED, State.AWAITING)

    @property
    def is_by_hand(self) -> bool:
        """Whether the user posts the report by hand."""
        return not is_automatic(self.first.thread)

    @property
    def is_selectable(self) -> bool:
        return not self.first.settled and not self.moves and not self.is_over

    @property
    def at(self) -> datetime | None:
        """Return when it was posted or copied."""
        return self.current.posted_at or (self.current.copied_at if self.is_copied else None)

    @property
    def entry_number(self) -> int | None:
        return self.first.entry.number if self.first.entry is not None else None

    @property
    def parts_there(self) -> int:
        return sum(part.settled for part in self.whole.parts)

    @property
    def parts_text(self) -> str:
        """The number of posted parts in words, if there are several."""
        parts = len(self.whole.parts)
        if self.is_draft or parts < 2:
            return ""
        return _("%(there)s of %(parts)s posted") % {"there": self.parts_there, "parts": parts}

    @property
    def error(self) -> str:
        return self.current.last_error if self.asks or self.moves else ""

    @property
    def state_chip(self) -> Chip:
        return Chip(self.state, self.tone, self.icon)

    @property
    def chip(self) -> Chip:
        """The state of the report, or the time when its next part is sent."""
        post = self.current
        if self.moves and post.planned and post.part_count > 1:
            text: str = with_times(
                _("part %(part)s of %(of)s: %(at)s"),
                part=post.part,
                of=post.part_count,
                at=when(post.next_at),
            )
        else:
            text = self.state
        return Chip(text, self.tone, self.icon)

    @property
    def reports_struck_moves(self) -> bool:
        return self.whole.struck and self.first.posted_at is not None


def outbox_row(table: TableContext, whole: OutboxReport) -> OutboxRow:
    """Return a report for a thread as a line of the outbox."""
    first = whole.head
    has_entry = first.entry is not None and first.entry.number is not None
    return OutboxRow(
        whole=whole,
        key=state_key(whole),
        name=first.subject or first.report,
        kind_name=str(reports.REPORT_NAMES.get(first.kind, first.kind)),
        url=table.url("post", first.number),
        entry_url=table.url("entry", first.entry.number) if has_entry and first.entry else "",
    )


def state_key(whole: OutboxReport) -> str:
    """Return the key of a report's state in `STATES`."""
    if whole.copied:
        return COPIED
    state = whole.now.state
    if state != State.READY:
        return str(state)
    is_sent_by_program = is_automatic(whole.head.thread) and whole.now.thread.locked_at is None
    return MOVING if whole.moves or is_sent_by_program else State.READY.value


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """A thread as a line of a list, and above a post."""

    pk: int
    name: str
    way: str
    """The way in which posts get there."""
    is_automatic: bool
    url: str
    address: str
    locked_why: str
    is_locked: bool
    is_removed: bool
    is_active: bool
    posts_at_once: bool
    joins_posts: bool

    @property
    def place(self) -> str:
        return self.address or self.way

    @property
    def habit(self) -> str:
        """The usual way in which posts get to this thread; empty if the user decides each time."""
        if not self.is_automatic:
            return _("you copy and paste")
        return _("posts at once") if self.posts_at_once else ""

    @property
    def chip(self) -> Chip | None:
        if self.is_locked:
            return Chip(_("refused the post"), "bad", "lock")
        if self.is_active and self.joins_posts:
            return Chip(_("joins consecutive posts"), "warn")
        return None if self.is_active else Chip(pgettext("state", "stopped"))

    @property
    def is_secure_address(self) -> bool:
        return self.address.startswith("https://")

    @property
    def is_web_address(self) -> bool:
        return self.address.startswith("http")


def thread_line(table: TableContext, thread: Thread) -> ThreadLine:
    """Return a thread as a line."""
    way = transport(thread.transport)
    return ThreadLine(
        pk=thread.pk,
        name=thread.name,
        way=str(way.name),
        is_automatic=way.automatic,
        url=table.url("thread", thread.pk),
        address=thread.settings.get("address", ""),
        locked_why=thread.locked_why,
        is_locked=thread.locked_at is not None,
        is_removed=thread.removed_at is not None,
        is_active=thread.active,
        posts_at_once=thread.at_once,
        joins_posts=bool(thread.joining_minutes),
    )


def master_names(table: TableContext) -> list[str]:
    """Return the names of the game masters."""
    return [user.username for user in selectors.game_masters(table.campaign, table.places)]


def must_be_host(table: TableContext) -> None:
    """Raise an error unless the reader is a game master with an account. Guests cannot post."""
    table.must_be_host()
    access.must_have_account(table.user)
