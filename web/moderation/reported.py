"""Reports as shown to the users who made them and to game masters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import Campaign
from moderation import services, targets
from moderation.models import AbuseReport
from moderation.targets import NoSuchText
from people.models import User
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.templatetags.tabula import when

ON_PAGE = 30
Outcome = AbuseReport.Outcome


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report that the reader has made."""

    kind: str
    campaign: str
    at: datetime
    text: str
    reason: str
    answer: str
    """The answer of the moderators to the user who made the report."""
    chip: Chip


@dataclass(frozen=True, slots=True)
class OwnReportsPage:
    """The reader's own reports, and their outcomes."""

    reports: list[OwnReport]


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """A report of a campaign's text, as shown to its game masters."""

    pk: int
    source: str
    path: str
    text: str
    origin: str
    chip: Chip | None
    """The outcome; None if nothing has been done yet."""
    done_at: datetime | None


@dataclass(frozen=True, slots=True)
class CampaignReportsPage:
    """The reports of a campaign's texts."""

    reports: list[CampaignReport]


def own_reports_page(user: User) -> OwnReportsPage:
    """Return the reports that a user has made."""
    reports = list(services.reports_by(user)[:ON_PAGE])
    texts = services.shown_texts(reports)
    return OwnReportsPage(
        [
            OwnReport(
                kind=report.get_kind_display(),
                campaign=report.campaign.name if report.campaign else "",
                at=report.at,
                text=texts[report.pk],
                reason=report.reason,
                answer=report.words if report.outcome == Outcome.DISMISSED else "",
                chip=own_chip(report),
            )
            for report in reports
        ]
    )


def own_chip(report: AbuseReport) -> Chip:
    """Return the state of a report, for the user who made it."""
    if report.settled_at:
        tone = "" if report.outcome == Outcome.DISMISSED else "good"
        return Chip(report.get_outcome_display(), tone)
    if report.masters_at:
        return Chip(_("seen by the game master"))
    return Chip(pgettext("report", "open"), "mine")


def campaign_reports_page(campaign: Campaign, user: User) -> CampaignReportsPage:
    """Return the reports that this game master may read."""
    reports = services.reports_for_game_master(campaign, user)
    return CampaignReportsPage(list(campaign_reports(reports)))


def campaign_reports(reports: Iterable[AbuseReport]) -> Iterable[CampaignReport]:
    """Yield reports as shown to game masters."""
    reports = list(reports)
    texts = services.shown_texts(reports)
    for report in reports:
        yield CampaignReport(
            pk=report.pk,
            source=source_of(report),
            path=path_of(report),
            text=texts[report.pk],
            origin=origin_of(report),
            chip=campaign_chip(report),
            done_at=report.settled_at or report.masters_at,
        )


def campaign_chip(report: AbuseReport) -> Chip | None:
    """Return the outcome of a report, for game masters; None if nothing has been done yet."""
    if report.settled_at:
        return Chip(report.get_outcome_display(), "good")
    return Chip(_("settled")) if report.masters_at else None


def source_of(report: AbuseReport) -> str:
    """Return the kind of a text and its author."""
    kind = report.get_kind_display()
    if not report.author:
        return kind
    author = pgettext("moderation", "by %(name)s") % {"name": report.author.username}
    return f"{kind} {author}"


def origin_of(report: AbuseReport) -> str:
    """Return a sentence on who reported a text, when and why."""
    text = _("Reported by %(by)s, %(at)s.")
    origin = with_times(text, by=report.by.username, at=when(report.at))
    if not report.reason:
        return origin
    return with_times("%(origin)s “%(reason)s”", origin=origin, reason=report.reason)


def path_of(report: AbuseReport) -> str:
    """Return the page of a text; empty if the text is gone."""
    try:
        return targets.find_target(report.kind, report.ref).path
    except NoSuchText:
        return ""
