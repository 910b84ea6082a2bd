"""Drafts that are made automatically, and the effects of an undo on drafts and posts.

With a move, `draft_after` only records that drafts may be due. After the commit, `tick` replays the
log and makes them, in the worker.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from campaign.log import entries, positions
from campaign.log.acts.dice import RENEW
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.rewind import OWN, Rewind
from campaign.models import Campaign, LogEntry
from forum.models import PendingDrafts, Post, Thread
from forum.posts import all_reports, outbox, reports
from forum.posts.outbox import OPEN, State, outdated_posts
from games.contract.report import Contents, ReportEntry

LOG = logging.getLogger(__name__)


def draft_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """React to an entry: record due drafts, correct reports, or draft a commitment of new dice.

    A move may complete reports; an undo or a restoration makes reports wrong. This function is
    called as `campaign.hooks.entry_written`, and replays nothing.
    """
    act = entry.table_act
    if not entry.is_move and act not in (UNDO.name, RESTORE.name, RENEW.name):
        return
    threads = _threads(campaign)
    if not threads:
        return
    if entry.is_move:
        _note_due(campaign, entry, before, after, threads)
    elif act == UNDO.name:
        _draft_corrections(campaign, entry, threads)
    elif act == RENEW.name:
        _draft_renewal(entry, threads)
    else:
        _draft_restored(campaign, entry, threads)
        outbox.request_work("drafts")


def tick(now: datetime, limit: int | None = None) -> int:
    """Make the drafts that are due for at most `limit` moves. Return for how many they were made.

    It may be killed at any point and run in several processes: a row is deleted in the transaction
    that writes its drafts.
    """
    due = (
        PendingDrafts.objects.filter(entry__struck_by=None)
        .select_related("entry__campaign")
        .order_by("entry")
    )
    # One campaign object for all its moves, so that the log is replayed once.
    known: dict[int, Campaign] = {}
    return sum(
        _make_drafts(known.setdefault(row.entry.campaign_id, row.entry.campaign), row.entry)
        for row in due[:limit]
    )


def _threads(campaign: Campaign) -> list[Thread]:
    return list(Thread.objects.filter(campaign=campaign, removed_at=None, active=True))


def _note_due(
    campaign: Campaign, entry: LogEntry, before: Any, after: Any, threads: Sequence[Thread]
) -> None:
    if (
        entry.number is None
        or not any(thread.drafted_kinds for thread in threads)
        or reports.reporter(campaign) is None
    ):
        return
    if _may_complete_report(campaign, before, after):
        PendingDrafts.objects.get_or_create(entry=entry)
        outbox.request_work("drafts")


def _make_drafts(campaign: Campaign, entry: LogEntry) -> bool:
    """Write the drafts of one move, unless it is struck or another process was faster.

    The replay needs no lock.
    """
    assert entry.number is not None
    items: list[Contents] = []
    names: dict[str, dict[str, str]] = {}
    lines: list[ReportEntry] = []
    try:
        _start, lines = reports.lines_of(campaign, bare=True)
        lines = [line for line in lines if line.number <= entry.number]
        if not lines or lines[-1].number != entry.number:
            # The move has been struck since. Its drafts are due again when it is restored.
            return False
        items = _completed_reports(campaign, lines, entry.number)
        languages = {thread.language for thread in _threads(campaign)} if items else ()
        names = {language: _report_names(campaign, lines, language) for language in languages}
    except DatabaseError:  # The database is away or busy. The next pulse tries again.
        raise
    except Exception:  # A report that cannot be made would fail again every minute.
        LOG.exception("No drafts for entry %d of %s", entry.number, campaign.public_id)
    return _write_drafts(campaign, entry, items, names, first=len(lines) == 1)


@transaction.atomic
def _write_drafts(
    campaign: Campaign,
    entry: LogEntry,
    items: Sequence[Contents],
    names: Mapping[str, Mapping[str, str]],
    *,
    first: bool = False,
) -> bool:
    """Write the drafts of a move.

    The `first` move makes the announcement obsolete, so its drafts are skipped.
    """
    entries.lock(campaign)
    mine = PendingDrafts.objects.filter(entry=entry, entry__struck_by=None)
    if not mine.exists():
        return False
    if first:
        drafts = Post.objects.filter(
            campaign=campaign, report=reports.ANNOUNCEMENT, state=State.DRAFT, posted_at=None
        )
        drafts.update(state=State.ASIDE, next_at=None)
    for thread in _threads(campaign) if items else ():
        for item in items:
            if item.kind in thread.drafted_kinds:
                _draft(
                    thread,
                    item.key,
                    item.kind,
                    names.get(thread.language, {}).get(item.key, item.name),
                    entry,
                )
                transaction.on_commit(
                    partial(_request_picture, campaign, item.kind, entry.number, thread.language)
                )
    mine.delete()
    return True


def _request_picture(campaign: Campaign, kind: str, number: int | None, language: str) -> None:
    """Request the report's picture, so that it exists before the report is copied.

    The draft does not depend on it.
    """
    try:
        all_reports.picture_waits(campaign, kind, number, language)
    except Exception:
        LOG.exception("No picture for entry %s of %s", number, campaign.public_id)


def _may_complete_report(campaign: Campaign, before: Any, after: Any) -> bool:
    """Return whether a turn, phase, slot or contest changed, or the campaign ended.

    Only then can a new report be due.
    """
    if before is None:
        return True
    was, now = positions.copies(campaign, before), positions.copies(campaign, after)
    if (was.turn, was.phase, was.active_seat, was.finished) != (
        now.turn,
        now.phase,
        now.active_seat,
        now.finished,
    ):
        return True
    states = [
        {
            number: facts.get("status")
            for number, facts in campaign.game.rows(position).contests.items()
        }
        for position in (before, after)
    ]
    return states[0] != states[1]


def _completed_reports(campaign: Campaign, lines: list[ReportEntry], number: int) -> list[Contents]:
    """Return the reports that this entry completes, the first turn first."""
    now = reports.contents(campaign, lines)
    was = {
        item.key
        for item in reports.contents(campaign, [line for line in lines if line.number < number])
        if item.complete
    }
    return [item for item in reversed(now) if item.complete and item.key not in was]


def _report_names(campaign: Campaign, lines: list[ReportEntry], language: str) -> dict[str, str]:
    """Return the names of the reports in a language, by key."""
    with reports.in_language(language):
        return {item.key: item.name for item in reports.contents(campaign, lines)}


def _draft(
    thread: Thread,
    key: str,
    kind: str,
    name: str,
    entry: LogEntry,
    corrects: Iterable[Post] | None = None,
) -> None:
    there = Q(state__in=OPEN) | Q(entry=entry)
    if Post.objects.filter(there, thread=thread, report=key, first=None).exists():
        return
    post = outbox.create_post(
        thread, at=entry.at, report=key, kind=kind, entry=entry, subject=name[:300]
    )
    post.corrects.set(outdated_posts(thread, key) if corrects is None else corrects)


def _draft_renewal(entry: LogEntry, threads: Iterable[Thread]) -> None:
    """Draft the commitment of new dice for every thread.

    Players must be able to read it there before the next roll.
    """
    for thread in threads:
        with reports.in_language(thread.language):
            item = reports.renewal_in_language(entry)
        _draft(thread, item.key, item.kind, item.name, entry)


def _undo_name(thread: Thread, entry: LogEntry) -> str:
    with reports.in_language(thread.language):
        return reports.report_in_language(entry).name


def _draft_corrections(campaign: Campaign, entry: LogEntry, threads: list[Thread]) -> None:
    """Supersede posts that were not sent, and draft corrections of those that may have been."""
    gone = Post.objects.filter(campaign=campaign, entry__struck_by__isnull=False, posted_at=None)
    gone = gone.exclude(report="")
    gone.filter(state__in=(State.READY, State.FAILED), doubt=True).update(
        state=State.DOUBTFUL, next_at=None
    )
    gone.filter(state__in=(State.DRAFT, State.READY, State.FAILED), doubt=False).update(
        state=State.SUPERSEDED, next_at=None
    )
    # The undo of a seat's own move has no report: the next report on the same subject corrects it.
    if entry.content.get("own"):
        return
    for thread in threads:
        posts = Post.objects.filter(thread=thread, entry__struck_by__isnull=False)
        if untold := list(uncorrected(posts).order_by("pk")):
            _draft(
                thread,
                f"{UNDO.name}-{entry.number}",
                UNDO.name,
                _undo_name(thread, entry),
                entry,
                untold,
            )


def _draft_restored(campaign: Campaign, entry: LogEntry, threads: list[Thread]) -> None:
    """Turn superseded posts of restored moves into drafts again.

    A correction that was posted is corrected itself.
    """
    undo = entry.target
    if undo is None:
        return
    corrections = Post.objects.filter(campaign=campaign, report=f"{UNDO.name}-{undo.number}")
    corrections.filter(state__in=(State.DRAFT, State.READY, State.FAILED), doubt=False).update(
        state=State.SUPERSEDED
    )
    for thread in threads:
        if posted := list(corrections.filter(thread=thread, first=None, state__in=POSSIBLY_POSTED)):
            _draft(
                thread,
                f"{RESTORE.name}-{entry.number}",
                RESTORE.name,
                _undo_name(thread, entry),
                entry,
                posted,
            )
    again = Post.objects.filter(
        campaign=campaign, state=State.SUPERSEDED, posted_at=None, first=None, entry__struck_by=None
    )
    for post in again.exclude(Q(report="") | Q(kind__in=reports.ACT_REPORTS)):
        if not Post.objects.filter(
            thread=post.thread, report=post.report, first=None, state__in=(*OPEN, State.POSTED)
        ).exists():
            Post.objects.filter(first=post).update(first=None, report="", marker="", text="")
            blank = {"text": "", "marker": "", "part_count": 1}
            Post.objects.filter(pk=post.pk).update(state=State.DRAFT, **blank)


# The preview of what an undo or a restoration does to drafts and posts

POSSIBLY_POSTED = (State.POSTED, State.AWAITING, State.SENDING, State.DOUBTFUL)
"""The states of posts that are in their thread, or may be."""
UNSENT = (State.DRAFT, State.READY, State.FAILED)


class PostsPreview(NamedTuple):
    """The effects of an undo or a restoration on posts.

    `corrected` posts get a correction at once, `later` posts with the next report of the same
    subject; `dropped` posts are not sent, and `drafted` posts become drafts again.
    """

    corrected: list[Post]
    later: list[Post]
    dropped: list[Post]
    drafted: list[Post]

    def __bool__(self) -> bool:
        return any(self)


def uncorrected(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Return part 1 of each report among these that may be in its thread and has no correction yet.

    A correction that is still on its way counts. The first post of a thread is no report.
    """
    live = Post.objects.filter(
        corrects=OuterRef("pk"), state__in=(*OPEN, State.POSTED, State.AWAITING)
    )
    return (
        posts.filter(first=None, state__in=POSSIBLY_POSTED)
        .exclude(Q(report="") | Q(kind__in=reports.ACT_REPORTS))
        .exclude(Exists(live))
    )


def preview_undo(rewind: Rewind) -> PostsPreview:
    """Return the effects of an undo or a restoration on posts. Makes one query."""
    campaign: Campaign = rewind.campaign
    posts = (
        Post.objects.filter(campaign=campaign, first=None)
        .exclude(report="")
        .select_related("thread")
        .order_by("pk")
    )
    live = Q(thread__removed_at=None, thread__active=True)
    if rewind.how == RESTORE.name:
        report = Q(report=f"{UNDO.name}-{rewind.number}")
        rows = list(
            posts.filter(
                live, report | Q(entry__in=rewind.rows, state=State.SUPERSEDED, posted_at=None)
            )
        )
        mine = [post for post in rows if post.kind in reports.ACT_REPORTS]
        there = [post for post in mine if post.state in POSSIBLY_POSTED]
        again = [post for post in rows if post.kind not in reports.ACT_REPORTS]
        return PostsPreview(
            there, [], [post for post in mine if post.state in UNSENT and not post.doubt], again
        )
    affected = posts.filter(entry__in=rewind.rows)
    rows = list(
        affected.annotate(wrong=Exists(uncorrected(Post.objects.filter(live, pk=OuterRef("pk")))))
    )
    wrong = [post for post in rows if vars(post)["wrong"]]
    dropped = [
        post for post in rows if post.state in UNSENT and not post.doubt and post.posted_at is None
    ]
    return (
        PostsPreview([], wrong, dropped, [])
        if rewind.how == OWN
        else PostsPreview(wrong, [], dropped, [])
    )
