"""The lines of a post that was read in a thread, and what users have decided about each of them.

A post counts as read when every line has been decided. The decisions are kept with the text of the
line, so that they remain if the post is changed on its board: only new lines are open then. A line
that a post contains twice is decided twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypedDict

from django.db import transaction

from campaign.log import entries
from forum.models import ImportedPost
from games.kit.reading.lines import typed_lines


class Decision(StrEnum):
    """The decision about a line.

    It was announced as a move, announced in part, or set aside because it contains no move.
    """

    MOVE = "move"
    PART = "part"
    ASIDE = "aside"


class OpenLine(NamedTuple):
    """A line about which nothing has been decided.

    `text` is the part of it that is still to be read: after a part of a line with several moves has
    been announced, the rest.
    """

    line: str
    text: str


class DecidedLine(NamedTuple):
    """A line and the decision about it; `rest` is the open rest of a line announced in part."""

    line: str
    decision: Decision
    rest: str = ""


class StoredLine(TypedDict):
    """A decided line as it is stored."""

    line: str
    decision: str
    rest: str


def decided_lines(post: ImportedPost) -> list[DecidedLine]:
    """Return the decisions about a post, the oldest first."""
    rows: list[StoredLine] = post.decided
    return [DecidedLine(row["line"], Decision(row["decision"]), row["rest"]) for row in rows]


def open_lines(post: ImportedPost) -> list[OpenLine]:
    """Return the lines of a post about which nothing has been decided, in their order."""
    decided = decided_lines(post)
    done = Counter(row.line for row in decided if row.decision is not Decision.PART)
    rests = rests_of(decided)
    done.update(lines_read_before(post) - done)
    lines = []
    for line in typed_lines(post.text):
        if done[line] > 0:
            done[line] -= 1
        else:
            lines.append(OpenLine(line, rests.pop(line, line)))
    return lines


def rests_of(decided: Sequence[DecidedLine]) -> dict[str, str]:
    """Return the open rests of lines that were announced in part.

    A rest ends with the next decision about its line: another line of this text begins whole.
    """
    rests: dict[str, str] = {}
    for row in decided:
        if row.decision is Decision.PART:
            rests[row.line] = row.rest
        else:
            rests.pop(row.line, None)
    return rests


def lines_read_before(post: ImportedPost) -> Counter[str]:
    """Return the lines of the text that a post had when it was read as a whole."""
    if post.taken_at is None:
        return Counter()
    is_changed = post.changed_at is not None and post.changed_at > post.taken_at
    return Counter(typed_lines(post.before if is_changed else post.text))


def count_decided(post: ImportedPost) -> int:
    """Return how many lines of the present text have been decided."""
    return len(typed_lines(post.text)) - len(open_lines(post))


@transaction.atomic
def decide(
    post: ImportedPost, decisions: Sequence[DecidedLine], *, now: datetime | None = None
) -> ImportedPost:
    """Store decisions about open lines; if no line is open afterwards, the post counts as read.

    Lines that are no longer open are left out: someone else has decided them. Return the post.
    """
    row = ImportedPost.objects.select_for_update(of=("self",)).get(pk=post.pk)
    kept = [*stored_lines(row, decisions)]
    row.decided = [*row.decided, *kept]
    if not open_lines(row):
        row.taken_at = entries.moment(now)
    row.save(update_fields=["decided", "taken_at"])
    return row


def stored_lines(row: ImportedPost, decisions: Sequence[DecidedLine]) -> Iterator[StoredLine]:
    """Yield the decisions about lines that are open, as they are stored."""
    left = Counter(line.line for line in open_lines(row))
    for decided in decisions:
        if left[decided.line] > 0:
            left[decided.line] -= 1
            yield StoredLine(line=decided.line, decision=decided.decision.value, rest=decided.rest)


@transaction.atomic
def set_aside(post: ImportedPost, *, now: datetime | None = None) -> ImportedPost:
    """Set all open lines of a post aside; the post counts as read."""
    aside = [DecidedLine(line.line, Decision.ASIDE) for line in open_lines(post)]
    row = decide(post, aside, now=now)
    if row.taken_at is None or row.taken_at < (row.changed_at or row.taken_at):
        row.taken_at = entries.moment(now)
        row.save(update_fields=["taken_at"])
    return row


def may_reopen(post: ImportedPost) -> bool:
    """Return whether lines can be opened again: some are stored as set aside.

    A post that was read as a whole has no decisions, so its announced lines are unknown.
    """
    return any(line.decision is Decision.ASIDE for line in decided_lines(post))


@transaction.atomic
def reopen(post: ImportedPost) -> ImportedPost:
    """Open the lines again that were set aside. Announced lines stay decided."""
    row = ImportedPost.objects.select_for_update(of=("self",)).get(pk=post.pk)
    if not may_reopen(row):
        return row
    announced = [line for line in row.decided if line["decision"] != Decision.ASIDE.value]
    done = Counter(line.line for line in decided_lines(row))
    # Nobody knows which lines were announced when the post was read as a whole.
    as_a_whole = (lines_read_before(row) - done).elements()
    announced += [
        StoredLine(line=line, decision=Decision.MOVE.value, rest="") for line in as_a_whole
    ]
    row.decided, row.taken_at = announced, None
    row.save(update_fields=["decided", "taken_at"])
    return row
