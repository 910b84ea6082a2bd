"""The queue of moderators: waiting reports, decisions, removed texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.log.acts.registry import BINDS_TEXTS
from moderation import services, targets
from moderation.models import AbuseReport, Kind, Removal
from moderation.targets import NoSuchText, Target
from people.models import User
from web.moderation.reported import ON_PAGE, origin_of

CLOSE_ACCOUNT = "close-account"


class Refusal(NamedTuple):
    """A refused decision, with the typed data."""

    do: str = ""
    report: int | None = None
    """The key of the report that was to be decided; None if the decision concerns no report."""
    words: str = ""
    name: str = ""
    error: str = ""


NO_REFUSAL = Refusal()


class ReportNote(NamedTuple):
    """A report of a text."""

    text: str
    is_seen: bool
    """Whether a game master has dealt with the report."""


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A reported text, as it was when it was first reported."""

    pk: int
    kind: str
    author: str
    campaign: str
    path: str
    is_gone: bool
    others: str
    """A text with the number of other reports about its author."""
    text: str
    changed_text: str
    """The present text, if it has changed."""
    reports: list[ReportNote]
    is_party: bool
    """Whether this moderator wrote or reported the text."""
    can_remove: bool
    can_close: bool
    words: str
    error: str

    @property
    def by_author(self) -> str:
        return pgettext("moderation", "by %(name)s") % {"name": self.author} if self.author else ""

    @property
    def close_text(self) -> str:
        """Return the consequences of closing the account of its author."""
        text = _(
            "%(name)s is signed out everywhere at once and cannot sign up again with the same "
            "address. Their seats become free. We e-mail them your reason. The text remains, so "
            "remove it first if necessary."
        )
        return text % {"name": self.author}

    @property
    def is_bound(self) -> bool:
        """Return whether it cannot be removed because it is part of the dice."""
        return not self.is_gone and not self.can_remove


class DecidedReport(NamedTuple):
    """A report that was decided."""

    kind: str
    author: str
    at: datetime
    by: str
    words: str
    outcome: str


class RemovedText(NamedTuple):
    """A text that was removed."""

    source: str
    at: datetime
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class QueuePage:
    """The reports for moderators to decide."""

    waiting: list[WaitingText]
    error: str
    decided: list[DecidedReport]
    newer_url: str
    older_url: str
    removed: list[RemovedText]
    moderators: list[str]
    closing: Refusal | None
    """The typed data of a refused request to close an account."""
    longest_words: int = services.LONGEST_WORDS

    @property
    def has_pages(self) -> bool:
        return bool(self.newer_url or self.older_url)


def queue_page(moderator: User, number: str | None, refusal: Refusal = NO_REFUSAL) -> QueuePage:
    """Return the reports. `number` is the page of the decided reports."""
    past: Page[AbuseReport] = Paginator(services.settled_reports(), ON_PAGE).get_page(number)
    return QueuePage(
        waiting=waiting_texts(moderator, refusal),
        error="" if refusal.report else refusal.error,
        decided=[decided_report(report) for report in past],
        newer_url=f"?page={past.previous_page_number()}" if past.has_previous() else "",
        older_url=f"?page={past.next_page_number()}" if past.has_next() else "",
        removed=removed_texts(),
        moderators=[user.username for user in services.moderators()],
        closing=refusal if refusal.do == CLOSE_ACCOUNT else None,
    )


def waiting_texts(moderator: User, refusal: Refusal) -> list[WaitingText]:
    """Return the texts that wait for a decision, each once, the oldest first."""
    return [
        waiting_text(reports, moderator, refusal)
        for reports in group_by_text(services.open_reports()).values()
    ]


def group_by_text(reports: Iterable[AbuseReport]) -> Mapping[tuple[str, str], list[AbuseReport]]:
    """Return the reports of each text."""
    groups: dict[tuple[str, str], list[AbuseReport]] = {}
    for report in reports:
        groups.setdefault((report.kind, report.ref), []).append(report)
    return groups


def waiting_text(reports: Sequence[AbuseReport], moderator: User, refusal: Refusal) -> WaitingText:
    """Return a reported text with all its reports."""
    first, author = reports[0], reports[0].author
    now = text_now(first)
    parties = (first.author_id, *(report.by_id for report in reports))
    is_refused = refusal.report == first.pk
    return WaitingText(
        pk=first.pk,
        kind=first.get_kind_display(),
        author=author.username if author else "",
        campaign=first.campaign.name if first.campaign else "",
        path=now.path if now else "",
        is_gone=now is None,
        others=other_reports(author, reports) if author else "",
        text=first.text,
        changed_text=now.text if now and now.text != first.text else "",
        reports=[ReportNote(origin_of(report), bool(report.masters_at)) for report in reports],
        is_party=moderator.pk in parties,
        can_remove=now is not None and not is_bound(now),
        can_close=bool(author and author.closed_at is None and author.erased_at is None),
        words=refusal.words if is_refused else "",
        error=refusal.error if is_refused else "",
    )


def text_now(report: AbuseReport) -> Target | None:
    """Return the present version of the reported text; None if it is gone."""
    try:
        return targets.find_target(report.kind, report.ref)
    except NoSuchText:
        return None


def is_bound(target: Target) -> bool:
    """Return whether a text is part of the dice, so that it cannot be removed."""
    return bool(target.kind == Kind.ENTRY and target.row.act in BINDS_TEXTS)


def other_reports(author: User, reports: Sequence[AbuseReport]) -> str:
    """Return a text with the number of other reports about an author."""
    own = [report.pk for report in reports]
    number = services.reports_about(author).exclude(pk__in=own).count()
    if not number:
        return ""
    text = ngettext(
        "%(n)s other report about this person", "%(n)s other reports about this person", number
    )
    return text % {"n": number}


def decided_report(report: AbuseReport) -> DecidedReport:
    """Return a report that was decided."""
    assert report.settled_at is not None
    author = report.author
    return DecidedReport(
        kind=report.get_kind_display(),
        author=pgettext("moderation", "by %(name)s") % {"name": author.username} if author else "",
        at=report.settled_at,
        by=report.settled_by.username if report.settled_by else "",
        words=report.words,
        outcome=report.get_outcome_display(),
    )


def removed_texts() -> list[RemovedText]:
    """Return the most recently removed texts."""
    removals = Removal.objects.select_related("campaign", "author", "by")
    return [
        RemovedText(source_of_removal(removal), removal.at, removal.text, removal.reason)
        for removal in removals[:ON_PAGE]
    ]


def source_of_removal(removal: Removal) -> str:
    """Return the kind of a removed text and its author."""
    kind = removal.get_kind_display()
    if not removal.author:
        return kind
    author = pgettext("moderation", "by %(name)s") % {"name": removal.author.username}
    return f"{kind} {author}"
