"""Drafts that appear by themselves, and what an undo means for what was drafted or posted.

With a move `draft_after` writes only that drafts may be due; `tick` replays the log and makes them
after commit, in the worker.
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
from forum.posts.outbox import OPEN, State, wrong
from games.contract.report import Contents, Line

LOG = logging.getLogger(__name__)


def draft_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Note the reports that a move may complete, correct those that an undo or restoration made
    wrong, or draft the promise of renewed dice.

    It is one of `campaign.hooks.entry_written`, and replays nothing.
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
        _struck(campaign, entry, threads)
    elif act == RENEW.name:
        _renewed(entry, threads)
    else:
        _restored(campaign, entry, threads)
        outbox.soon("drafts")


def tick(now: datetime, limit: int | None = None) -> int:
    """Make the drafts that are due, of at most so many moves; of how many they were made.

    It may be killed at any point and run in several processes: a row goes in the transaction that
    writes its drafts.
    """
    due = (
        PendingDrafts.objects.filter(entry__struck_by=None)
        .select_related("entry__campaign")
        .order_by("entry")
    )
    known: dict[int, Campaign] = {}  # so that one replay serves all moves of a campaign
    return sum(
        _make(known.setdefault(one.entry.campaign_id, one.entry.campaign), one.entry)
        for one in due[:limit]
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
    if _something(campaign, before, after):
        PendingDrafts.objects.get_or_create(entry=entry)
        outbox.soon("drafts")


def _make(campaign: Campaign, entry: LogEntry) -> bool:
    """Write the drafts of one move, unless it is struck or another process was faster. The replay
    needs no lock.
    """
    assert entry.number is not None
    items: list[Contents] = []
    names: dict[str, dict[str, str]] = {}
    lines: list[Line] = []
    try:
        _start, lines = reports.lines_of(campaign, bare=True)
        lines = [line for line in lines if line.number <= entry.number]
        if not lines or lines[-1].number != entry.number:
            return False  # struck since: it is due again when it is restored
        items = _new(campaign, lines, entry.number)
        languages = {thread.language for thread in _threads(campaign)} if items else ()
        names = {language: _names(campaign, lines, language) for language in languages}
    except DatabaseError:  # away or busy: the next pulse tries again
        raise
    except Exception:  # a report that cannot be made would fail again each minute
        LOG.exception("No drafts for entry %d of %s", entry.number, campaign.public_id)
    return _write(campaign, entry, items, names, first=len(lines) == 1)


@transaction.atomic
def _write(
    campaign: Campaign,
    entry: LogEntry,
    items: Sequence[Contents],
    names: Mapping[str, Mapping[str, str]],
    *,
    first: bool = False,
) -> bool:
    """Write the drafts of a move. The `first` move makes the announcement obsolete: its drafts are
    skipped.
    """
    entries.lock(campaign)
    mine = PendingDrafts.objects.filter(entry=entry, entry__struck_by=None)
    if not mine.exists():
        return False
    if first:
        drafts = Post.objects.filter(
            campaign=campaign, report=reports.KEY, state=State.DRAFT, posted_at=None
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
                    partial(_draw, campaign, item.kind, entry.number, thread.language)
                )
    mine.delete()
    return True


def _draw(campaign: Campaign, kind: str, number: int | None, language: str) -> None:
    """Have the report's picture drawn, before anybody copies the report. A draft needs no
    picture.
    """
    try:
        all_reports.picture_waits(campaign, kind, number, language)
    except Exception:
        LOG.exception("No picture for entry %s of %s", number, campaign.public_id)


def _something(campaign: Campaign, before: Any, after: Any) -> bool:
    """Did a turn, phase, slot, contest or the end come or go? Only then is there something new to
    tell of.
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


def _new(campaign: Campaign, lines: list[Line], number: int) -> list[Contents]:
    """The reports that this entry completes, the first turn first."""
    now = reports.contents(campaign, lines)
    was = {
        item.key
        for item in reports.contents(campaign, [line for line in lines if line.number < number])
        if item.complete
    }
    return [item for item in reversed(now) if item.complete and item.key not in was]


def _names(campaign: Campaign, lines: list[Line], language: str) -> dict[str, str]:
    """What the reports are called in a language."""
    with reports.speaking(language):
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
    post = outbox.new(thread, at=entry.at, report=key, kind=kind, entry=entry, subject=name[:300])
    post.corrects.set(wrong(thread, key) if corrects is None else corrects)


def _renewed(entry: LogEntry, threads: Iterable[Thread]) -> None:
    """Draft the promise of new dice for every thread: players must be able to read it there before
    the next roll.
    """
    for thread in threads:
        with reports.speaking(thread.language):
            item = reports.renewal_in_language(entry)
        _draft(thread, item.key, item.kind, item.name, entry)


def _turning(thread: Thread, entry: LogEntry) -> str:
    with reports.speaking(thread.language):
        return reports.report_in_language(entry).name


def _struck(campaign: Campaign, entry: LogEntry, threads: list[Thread]) -> None:
    """What was not sent is superseded; what may stand there is to be corrected."""
    gone = Post.objects.filter(campaign=campaign, entry__struck_by__isnull=False, posted_at=None)
    gone.filter(state__in=(State.READY, State.FAILED), doubt=True).update(
        state=State.DOUBTFUL, next_at=None
    )
    gone.filter(state__in=(State.DRAFT, State.READY, State.FAILED), doubt=False).update(
        state=State.SUPERSEDED, next_at=None
    )
    if entry.content.get(
        "own"
    ):  # it has no report of its own; the next telling of the same corrects the last
        return
    for thread in threads:
        posts = Post.objects.filter(thread=thread, entry__struck_by__isnull=False)
        if untold := list(uncorrected(posts).order_by("pk")):
            _draft(
                thread,
                f"{UNDO.name}-{entry.number}",
                UNDO.name,
                _turning(thread, entry),
                entry,
                untold,
            )


def _restored(campaign: Campaign, entry: LogEntry, threads: list[Thread]) -> None:
    """Drafts of moves in force again are drafts again; a correction that was posted is corrected
    itself.
    """
    undo = entry.target
    if undo is None:
        return
    corrections = Post.objects.filter(campaign=campaign, report=f"{UNDO.name}-{undo.number}")
    corrections.filter(state__in=(State.DRAFT, State.READY, State.FAILED), doubt=False).update(
        state=State.SUPERSEDED
    )
    for thread in threads:
        if posted := list(corrections.filter(thread=thread, first=None, state__in=MAYBE)):
            _draft(
                thread,
                f"{RESTORE.name}-{entry.number}",
                RESTORE.name,
                _turning(thread, entry),
                entry,
                posted,
            )
    again = Post.objects.filter(
        campaign=campaign, state=State.SUPERSEDED, posted_at=None, first=None, entry__struck_by=None
    )
    for post in again.exclude(kind__in=reports.ACT_REPORTS):
        if not Post.objects.filter(
            thread=post.thread, report=post.report, first=None, state__in=(*OPEN, State.POSTED)
        ).exists():
            Post.objects.filter(first=post).update(first=None, report="", marker="", text="")
            blank = {"text": "", "marker": "", "part_count": 1}
            Post.objects.filter(pk=post.pk).update(state=State.DRAFT, **blank)


# What an undo or a restoration would make of what was told elsewhere; `forum.posts.drafts` does it.

MAYBE = (State.POSTED, State.AWAITING, State.SENDING, State.DOUBTFUL)
"""It stands there, or may."""
UNSENT = (State.DRAFT, State.READY, State.FAILED)


class Foreseen(NamedTuple):
    """`corrected` posts get a correction at once, `later` ones with the next report of the same;
    `dropped` are not sent, `drafted` are drafts again.
    """

    corrected: list[Post]
    later: list[Post]
    dropped: list[Post]
    drafted: list[Post]

    def __bool__(self) -> bool:
        return any(self)


def uncorrected(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Of these, part 1 of each report that stands there, or may, and that nothing on its way
    corrects yet.
    """
    live = Post.objects.filter(
        corrects=OuterRef("pk"), state__in=(*OPEN, State.POSTED, State.AWAITING)
    )
    return (
        posts.filter(first=None, state__in=MAYBE)
        .exclude(kind__in=reports.ACT_REPORTS)
        .exclude(Exists(live))
    )


def foresee(rewind: Rewind) -> Foreseen:
    """One query."""
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
        mine = [one for one in rows if one.kind in reports.ACT_REPORTS]
        there = [one for one in mine if one.state in MAYBE]
        again = [one for one in rows if one.kind not in reports.ACT_REPORTS]
        return Foreseen(
            there, [], [one for one in mine if one.state in UNSENT and not one.doubt], again
        )
    affected = posts.filter(entry__in=rewind.rows)
    rows = list(
        affected.annotate(wrong=Exists(uncorrected(Post.objects.filter(live, pk=OuterRef("pk")))))
    )
    wrong = [one for one in rows if vars(one)["wrong"]]
    dropped = [
        one for one in rows if one.state in UNSENT and not one.doubt and one.posted_at is None
    ]
    return (
        Foreseen([], wrong, dropped, []) if rewind.how == OWN else Foreseen(wrong, [], dropped, [])
    )
