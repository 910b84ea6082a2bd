"""The list of a campaign's reports."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.language import capitalize
from forum.posts import reports
from forum.posts.all_reports import KIND_NAMES, contents
from games.contract.report import Contents
from games.registry import word
from web.frame.table import TableContext
from web.frame.tabs import posts


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report in the list."""

    name: str
    kind: str
    is_complete: bool
    url: str


@dataclass(frozen=True, slots=True)
class TurnOfReports:
    """The reports of a turn."""

    number: int
    heading: str
    reports: list[ReportLine]


@dataclass(frozen=True, slots=True)
class EmptyNote:
    """The text for a page with nothing to list."""

    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class ReportsPage:
    """All reports, the latest turn first."""

    turns: list[TurnOfReports]
    empty: EmptyNote
    replies_url: str
    """The address of the replies; empty if this reader cannot read them."""


def reports_page(table: TableContext) -> ReportsPage:
    """Return the list of reports."""
    turns = turns_of_reports(table)
    reads_replies = turns and table.access.member and not table.solo
    return ReportsPage(
        turns=turns,
        empty=empty_note(table),
        replies_url=table.url("heard") if reads_replies else "",
    )


def turns_of_reports(table: TableContext) -> list[TurnOfReports]:
    """Return the turns with their reports, the latest first."""
    return [
        TurnOfReports(
            number=number,
            heading=turn_heading(table, number),
            reports=[report_line(table, item) for item in items],
        )
        for number, items in groupby(contents(table), key=lambda item: item.turn)
    ]


def turn_heading(table: TableContext, number: int) -> str:
    """Return "Turn 3", with the title's word for a turn."""
    if not number:
        return pgettext("heading", "Before the start")
    return capitalize(word(table.campaign.title, "turn_number").format(n=number))


def report_line(table: TableContext, item: Contents) -> ReportLine:
    """Return a report as a line of the list."""
    return ReportLine(
        name=item.name,
        kind=KIND_NAMES.get(item.kind, item.kind),
        is_complete=item.complete,
        url=table.url("report", item.key),
    )


def empty_note(table: TableContext) -> EmptyNote:
    """Return the reason why there are no reports."""
    if reports.reporter(table.campaign) is not None:
        return EmptyNote(
            _("No reports yet."),
            _("The start of the campaign opens turn 1 and creates its report."),
        )
    return no_reports(table)


def no_reports(table: TableContext) -> EmptyNote:
    """Return the note that the title has no reports."""
    text = _("%(title)s has no reports.") % {"title": table.title.name}
    return EmptyNote(text, pgettext("forum", "The log shows everything."))


def nothing_to_post() -> EmptyNote:
    """Return the note for an empty outbox."""
    return EmptyNote(
        _("There is nothing to post."),
        _("Drafts appear here automatically when a turn opens and when it closes."),
    )


def has_outbox(table: TableContext) -> bool:
    """Return whether this reader posts the campaign's reports."""
    return posts(table) and bool(reports.reporter(table.campaign))
