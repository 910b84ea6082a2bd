"""The outbox by turns: posts, reports that a turn's report covers, and reports without a post."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from forum.posts import reports
from forum.posts.all_reports import SETUP_KEY
from games.contract.report import Contents
from web.forum.posts.rows import OutboxRow
from web.forum.reports.page import turn_heading
from web.frame.table import TableContext

COVERED_KINDS = frozenset({"slot", "challenge", "result", "trade", "standings"})
"""Kinds of reports whose content is also in the report of a whole turn."""
MOST_UNFOLDED = 8
"""A longer list of covered reports is folded."""
EVERYTHING = "all"


class Filter(NamedTuple):
    """A filter of the posts on the page."""

    name: Promise
    accepts: Callable[[OutboxRow], bool]


FILTERS: dict[str, Filter] = {
    EVERYTHING: Filter(pgettext_lazy("posts", "All"), lambda row: True),
    "todo": Filter(pgettext_lazy("posts", "To do"), lambda row: row.asks),
    "drafts": Filter(pgettext_lazy("posts", "Drafts"), lambda row: row.key == "draft"),
    "posted": Filter(pgettext_lazy("posts", "Posted"), lambda row: row.is_posted),
}


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A report without a post of its own."""

    key: str
    name: str
    is_complete: bool
    is_covered: bool
    """Whether the report of the turn has the same content."""
    can_be_drafted: bool
    url: str

    @property
    def state(self) -> str:
        if not self.is_complete:
            return pgettext("state", "still running")
        return _("not drafted") if self.can_be_drafted else ""

    @property
    def is_offered(self) -> bool:
        """Whether the page has a link that drafts the report."""
        return self.can_be_drafted and self.is_complete


@dataclass(frozen=True, slots=True)
class TurnOfPosts:
    """The posts of a turn, and its reports without a post."""

    number: int
    heading: str
    whole_report: OutboxRow | None
    """The post of the report of the whole turn, if there is one."""
    rows: list[OutboxRow]
    over: list[OutboxRow]
    announcement: list[ReportItem]
    items: list[ReportItem]
    covered: list[ReportItem]
    to_do: int
    posted_count: int
    is_open: bool

    @property
    def is_shown(self) -> bool:
        return bool(self.rows or self.announcement or self.items or self.covered or self.over)

    @property
    def first_row(self) -> OutboxRow | None:
        """Return the post of the whole turn, under which its covered reports are listed."""
        return self.rows[0] if self.rows and self.rows[0] is self.whole_report else None

    @property
    def other_rows(self) -> list[OutboxRow]:
        return self.rows[1:] if self.first_row else self.rows

    @property
    def covered_text(self) -> str:
        """The number of reports that the report of the turn covers."""
        number = len(self.covered)
        if self.whole_report:
            text = ngettext(
                "%(n)s event is covered by this report",
                "%(n)s events are covered by this report",
                number,
            )
        else:
            text = ngettext(
                "%(n)s event is kept for the report of the turn",
                "%(n)s events are kept for the report of the turn",
                number,
            )
        return text % {"n": number}

    @property
    def covered_is_open(self) -> bool:
        return self.is_open and len(self.covered) <= MOST_UNFOLDED

    @property
    def over_text(self) -> str:
        number = len(self.over)
        text = ngettext("%(n)s skipped or superseded", "%(n)s skipped or superseded", number)
        return text % {"n": number}

    @property
    def summary(self) -> str:
        """The text for a folded turn: numbers of tasks or posts, and of covered reports."""
        if self.to_do:
            number, text = self.to_do, ngettext("%(n)s to do", "%(n)s to do", self.to_do)
        else:
            number = self.posted_count
            text = ngettext("%(n)s posted", "%(n)s posted", number)
        parts = [text % {"n": number}]
        if covered := len(self.covered):
            text = ngettext("%(n)s in the report", "%(n)s in the report", covered)
            parts.append(text % {"n": covered})
        return ", ".join(parts)


def turns_of_posts(
    table: TableContext,
    rows: Sequence[OutboxRow],
    contents: Sequence[Contents],
    shown: str,
    *,
    has_threads: bool,
) -> list[TurnOfPosts]:
    """Return the turns of the outbox, the latest first. `shown` is the key of a filter."""
    rows_by_turn = group_rows(rows, contents)
    items_by_turn = group_contents(rows, contents)
    turns: list[TurnOfPosts] = []
    for number in sorted({*rows_by_turn, *items_by_turn}, reverse=True):
        posts, items = rows_by_turn[number], items_by_turn[number]
        turn = turn_of_posts(
            turn_heading(table, number),
            number,
            posts,
            report_items(table, items, has_threads=has_threads) if shown == EVERYTHING else [],
            FILTERS[shown],
            is_open=not turns or any(row.asks for row in posts),
        )
        if turn.is_shown:
            turns.append(turn)
    return turns


def group_rows(
    rows: Sequence[OutboxRow], contents: Sequence[Contents]
) -> Mapping[int, list[OutboxRow]]:
    """Return the posts by the turns of their reports or of their entries; 0 is before the start."""
    turn_of_report = {item.key: item.turn for item in contents}
    groups: dict[int, list[OutboxRow]] = defaultdict(list)
    for row in rows:
        entry = row.first.entry
        turn_of_entry = entry.turn if entry is not None else 0
        groups[turn_of_report.get(row.report, turn_of_entry)].append(row)
    return groups


def group_contents(
    rows: Sequence[OutboxRow], contents: Sequence[Contents]
) -> Mapping[int, list[Contents]]:
    """Return the reports without a post, grouped by turn."""
    has_post = {row.report for row in rows if not row.is_over}
    groups: dict[int, list[Contents]] = defaultdict(list)
    for item in contents:
        if item.key not in has_post and item.kind != "battle":
            groups[item.turn].append(item)
    return groups


def report_items(
    table: TableContext, items: Sequence[Contents], *, has_threads: bool
) -> list[ReportItem]:
    """Return the reports of a turn as lines of the outbox."""
    return [
        ReportItem(
            key=item.key,
            name=item.name,
            is_complete=item.complete,
            is_covered=has_threads and item.kind in COVERED_KINDS,
            can_be_drafted=has_threads and SETUP_KEY.fullmatch(item.key) is None,
            url=table.url("report", item.key),
        )
        for item in items
    ]


def turn_of_posts(
    heading: str,
    number: int,
    posts: Sequence[OutboxRow],
    items: Sequence[ReportItem],
    chosen: Filter,
    *,
    is_open: bool,
) -> TurnOfPosts:
    """Return one turn of the outbox. Its own report comes first, then the announcement."""
    whole = next((row for row in posts if row.reports_whole_turn and not row.is_over), None)
    accepted = [row for row in posts if chosen.accepts(row)]
    rows = [row for row in accepted if not row.is_over]
    own_items = [item for item in items if not item.is_covered]
    return TurnOfPosts(
        number=number,
        heading=heading,
        whole_report=whole,
        rows=sorted(rows, key=lambda row: (row is not whole, row.report != reports.ANNOUNCEMENT)),
        over=[row for row in accepted if row.is_over],
        announcement=[item for item in own_items if item.key == reports.ANNOUNCEMENT],
        items=[item for item in own_items if item.key != reports.ANNOUNCEMENT],
        covered=[item for item in items if item.is_covered],
        to_do=sum(row.asks for row in posts),
        posted_count=sum(row.is_posted for row in posts),
        is_open=is_open,
    )
