"""The post that the user is to post by hand next, with its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from forum.dialects import DIALECTS
from forum.models import Post
from forum.posts import all_reports, reports
from forum.posts.outbox import State, marker, with_mark
from web.forum.common import size_of
from web.forum.posts.rows import COPIED, OutboxRow, master_names
from web.forum.posts.turns import TurnOfPosts
from web.frame.table import TableContext
from web.templatetags.tabula import put

TO_COPY = frozenset({State.DRAFT, State.READY, COPIED, State.FAILED})


@dataclass(frozen=True, slots=True)
class NextPost:
    """The oldest post that the user has to post, and the three steps for it."""

    row: OutboxRow
    text: str
    part: int
    parts: int
    size: str
    address: str
    """The address of the thread, if it has one."""
    language: str
    covered: int
    """The number of other reports that this report covers."""
    waits_for_picture: bool

    @property
    def heading(self) -> str:
        return put(_("Next to post: {name}"), name=self.row.name)

    @property
    def part_text(self) -> str:
        """The number of this part, if there are several."""
        if self.parts == 1:
            return ""
        return _("Part %(part)s of %(count)s.") % {"part": self.part, "count": self.parts}

    @property
    def copy_verb(self) -> str:
        if self.row.is_copied:
            return _("Copy again")
        return _("Copy and open the thread") if self.address else pgettext("button", "Copy")

    @property
    def mark_verb(self) -> str:
        if not self.covered:
            return pgettext("button", "Mark as posted")
        number = self.covered + 1
        return ngettext("Mark %(n)s as posted", "Mark %(n)s as posted", number) % {"n": number}

    @property
    def mark_note(self) -> str:
        if not self.covered:
            return _("The link serves as a receipt.")
        text = ngettext(
            "This marks the report and the %(n)s event it covers, with one link.",
            "This marks the report and the %(n)s events it covers, with one link.",
            self.covered,
        )
        return text % {"n": self.covered}


def next_post(
    table: TableContext, rows: Sequence[OutboxRow], turns: Sequence[TurnOfPosts]
) -> NextPost | None:
    """Return the post that the user has to post next; None if there is none."""
    row = next_row(table, rows)
    if row is None:
        return None
    text, part, parts = text_to_copy(table, row)
    if not parts:
        return None
    first, thread = row.first, row.first.thread
    dialect = DIALECTS[thread.dialect]
    return NextPost(
        row=row,
        text=text,
        part=part,
        parts=parts,
        size=size_of(dialect, dialect.weight(text), reports.post_limit(thread)),
        address=thread.settings.get("address", ""),
        language=thread.language,
        covered=next((len(turn.covered) for turn in turns if turn.whole_report is row), 0),
        waits_for_picture=picture_waits(first),
    )


def next_row(table: TableContext, rows: Sequence[OutboxRow]) -> OutboxRow | None:
    """Return the oldest row that the user can copy; the announcement comes before all others."""
    waiting = [
        row
        for row in reversed(rows)
        if row.asks and row.is_by_hand and row.report != reports.TEST and row.key in TO_COPY
    ]
    if table.campaign.started:
        # A draft of the announcement no longer has a text.
        waiting = [
            row for row in waiting if not (row.report == reports.ANNOUNCEMENT and row.is_draft)
        ]
    waiting.sort(key=lambda row: row.report != reports.ANNOUNCEMENT)
    return waiting[0] if waiting else None


def text_to_copy(table: TableContext, row: OutboxRow) -> tuple[str, int, int]:
    """Return the text of the part that is posted next, its number, and the number of parts.

    There are no parts if the report of a draft no longer exists.
    """
    first, post = row.first, row.current
    if not row.is_draft:
        return post.text, post.part, len(row.whole.parts)
    parts = reports.post_parts(first, table.seats, master_names(table), table.memberships)
    if not parts:
        return "", 1, 0
    return with_mark(parts[0].text, marker(table.campaign, first.number, 1)), 1, len(parts)


def picture_waits(post: Post) -> bool:
    """Return whether the picture in this post still has to be drawn."""
    number = post.entry.number if post.entry is not None else None
    return all_reports.picture_waits(post.campaign, post.kind, number, post.thread.language)
