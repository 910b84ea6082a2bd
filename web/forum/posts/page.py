"""The outbox: posts that are waiting, posts that have been sent, and their threads.

`outbox_state()` returns the summary for the desk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple, TypedDict

from django.utils import timezone
from django.utils.translation import pgettext

from forum.models import Thread
from forum.posts import all_reports, outbox, reports
from forum.posts.outbox import OutboxReport, State
from games.contract.report import Contents
from web.forum.posts.next_post import NextPost, next_post
from web.forum.posts.rows import (
    STATES,
    OutboxRow,
    ThreadLine,
    outbox_row,
    thread_line,
)
from web.forum.posts.turns import EVERYTHING, FILTERS, TurnOfPosts, turns_of_posts
from web.forum.reports.page import EmptyNote, no_reports, nothing_to_post
from web.frame.table import TableContext

SOON = timedelta(minutes=2)
SECONDS_WHILE_SENDING, SECONDS_WHILE_WAITING = 4, 60
MOST_ON_DESK = 60


class FilterTab(NamedTuple):
    """A link that filters the posts."""

    name: str
    url: str
    number: int
    is_open: bool
    is_urgent: bool
    """Whether the counted posts wait for the reader."""


class Sum(NamedTuple):
    """The number of posts in a state."""

    name: str
    number: int


class Frequency(NamedTuple):
    """A frequency with which the campaign can post."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


class ReportChoice(NamedTuple):
    """A report that can be drafted on its own."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class OutboxPage:
    """The outbox of a campaign."""

    poll_url: str
    poll_seconds: int
    """Seconds after which the page asks again; 0: never."""
    next: NextPost | None
    asks_for_thread: bool
    turns: list[TurnOfPosts]
    filter_tabs: list[FilterTab]
    sums: list[Sum]
    empty: EmptyNote
    frequencies: list[Frequency]
    threads: list[ThreadLine]
    reports: list[ReportChoice]
    requested_report: str
    new_thread_url: str
    template_url: str
    replies_url: str

    @property
    def refresh_seconds(self) -> int:
        """Seconds after which a browser without scripts asks again; 0: never."""
        waits = self.next is not None and self.next.waits_for_picture
        return self.poll_seconds or (SECONDS_WHILE_SENDING if waits else 0)

    @property
    def latest_turn(self) -> TurnOfPosts | None:
        return self.turns[0] if self.turns else None

    @property
    def earlier_turns(self) -> list[TurnOfPosts]:
        return self.turns[1:]

    @property
    def can_select_all(self) -> bool:
        return self.next is not None or (
            self.latest_turn is not None and self.latest_turn.to_do > 0
        )

    @property
    def can_select(self) -> bool:
        return self.next is not None or bool(self.filter_tabs)


def outbox_page(
    table: TableContext, wholes: Sequence[OutboxReport], shown: str, requested_report: str
) -> OutboxPage:
    """Return the outbox. `shown` is the key of a filter, `requested_report` the report to draft."""
    threads = outbox.threads(table.campaign)
    rows = [outbox_row(table, whole) for whole in wholes]
    contents = all_reports.contents(table)
    chosen = shown if shown in FILTERS else EVERYTHING
    turns = turns_of_posts(table, rows, contents, chosen, has_threads=bool(threads))
    has_reports = reports.reporter(table.campaign) is not None
    return OutboxPage(
        poll_url=f"{table.url('posts')}?at={mark_of(wholes)}",
        poll_seconds=poll_seconds(wholes),
        next=next_post(table, rows, turns),
        asks_for_thread=not threads and has_reports,
        turns=turns,
        filter_tabs=filter_tabs(rows, shown or EVERYTHING) if rows else [],
        sums=[Sum(name, number) for name, number in sums(rows, turns) if number],
        empty=nothing_to_post() if has_reports else no_reports(table),
        frequencies=frequencies(table, threads),
        threads=[thread_line(table, thread) for thread in threads],
        reports=report_choices(contents, requested_report) if threads else [],
        requested_report=requested_report,
        new_thread_url=table.url("new_thread"),
        template_url=table.url("report_tone"),
        replies_url=table.url("heard"),
    )


def filter_tabs(rows: Sequence[OutboxRow], shown: str) -> list[FilterTab]:
    """Return the filters with the number of their posts."""
    tabs = []
    for key, chosen in FILTERS.items():
        count = sum(chosen.accepts(row) for row in rows)
        is_urgent = key == "todo" and count > 0
        tabs.append(FilterTab(str(chosen.name), f"?show={key}", count, key == shown, is_urgent))
    return tabs


def sums(rows: Sequence[OutboxRow], turns: Sequence[TurnOfPosts]) -> Iterator[tuple[str, int]]:
    """Yield the number of posts in each state, in the order of the states."""
    keys = [row.key for row in rows if not row.is_over]
    for key, (name, _tone, _icon) in STATES.items():
        yield str(name), keys.count(key)
    yield pgettext("posts", "in the report"), sum(len(turn.covered) for turn in turns)


def frequencies(table: TableContext, threads: Sequence[Thread]) -> list[Frequency]:
    """Return the possible frequencies of posts; none if the title has only reports of turns."""
    offered = reports.offered_kinds(table.campaign)
    if not threads or "slot" not in offered:
        return []
    chosen = {reports.frequency_of(thread.drafted_kinds, offered) for thread in threads}
    return [
        Frequency(key, str(name), str(explanation), is_chosen=chosen == {key})
        for key, (name, explanation) in reports.FREQUENCIES.items()
    ]


def report_choices(contents: Sequence[Contents], asked: str) -> list[ReportChoice]:
    """Return the reports that can be drafted on their own."""
    return [
        ReportChoice(item.key, item.name, item.key == asked)
        for item in contents
        if not all_reports.SETUP_KEY.fullmatch(item.key)
    ]


# Polling by an open page


def mark_of(wholes: Sequence[OutboxReport]) -> str:
    """Return a text that changes whenever the content of the page changes."""
    facts_of_parts = [
        (
            part.pk,
            part.state,
            part.last_error,
            str(part.next_at),
            part.permalink,
            part.thread.locked_at is None,
        )
        for whole in wholes
        for part in whole.parts
    ]
    return sha256(repr(facts_of_parts).encode()).hexdigest()[:16]


def poll_seconds(wholes: Sequence[OutboxReport]) -> int:
    """Return the number of seconds after which an open page asks again.

    The number is small while something is being sent, large while the next attempt is far away, and
    0 if no post is on its way.
    """
    moving = [whole.now for whole in wholes if whole.moves]
    if not moving:
        return 0
    soon = timezone.now() + SOON
    is_near = any(
        post.state == State.SENDING or (post.next_at is not None and post.next_at <= soon)
        for post in moving
    )
    return SECONDS_WHILE_SENDING if is_near else SECONDS_WHILE_WAITING


# The summary for the desk


class OutboxState(TypedDict):
    """The outbox as the desk shows it."""

    announcement: bool
    """Whether the announcement should be posted before the start but has not been posted."""
    waiting: int
    on_way: int
    url: str
    posted: int
    """The number of reports of the open turn that have been posted."""
    opening: bool
    """Whether the report that opens the turn has a post."""
    opened: bool
    """Whether that post has been posted."""
    new_url: str
    """The address that sets up a thread; empty if there is a thread."""


def outbox_state(table: TableContext) -> OutboxState | None:
    """Return the outbox for the desk; None for a title without reports."""
    if reports.reporter(table.campaign) is None:
        return None
    wholes = outbox.outbox_reports(table.campaign, most=MOST_ON_DESK)
    unannounced = outbox.lacks_announcement(table.campaign, table.user, wholes)
    waiting = [
        whole
        for whole in outbox.waiting_reports(wholes)
        if not (unannounced and whole.head.report == reports.ANNOUNCEMENT)
    ]
    turn = table.campaign.turn
    posted = [whole.head for whole in wholes if whole.head.posted_at is not None]
    opening = f"opening-{turn}"
    return {
        "announcement": unannounced,
        "waiting": len(waiting),
        "on_way": sum(whole.moves for whole in wholes),
        "url": table.url("posts"),
        "posted": sum(post.entry is not None and post.entry.turn == turn for post in posted),
        "opening": any(whole.head.report == opening for whole in wholes),
        "opened": any(post.report == opening for post in posted),
        "new_url": table.url("new_thread") if not wholes and not table.notes.thread else "",
    }
