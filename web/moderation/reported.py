"""Reports as their makers and as game masters read them."""

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
    """What the moderators say to who reported it."""
    chip: Chip


@dataclass(frozen=True, slots=True)
class OwnReportsPage:
    """What the reader has reported, and what came of it."""

    reports: list[OwnReport]


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """A report of a campaign's text, as its game masters read it."""

    pk: int
    source: str
    path: str
    text: str
    origin: str
    chip: Chip | None
    """What was done; None if nothing was done yet."""
    done_at: datetime | None


@dataclass(frozen=True, slots=True)
class CampaignReportsPage:
    """The reports of a campaign's texts."""

    reports: list[CampaignReport]


def own_reports_page(user: User) -> OwnReportsPage:
    """Return what a user has reported."""
    reports = list(services.made_by(user)[:ON_PAGE])
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
    """Return what came of a report."""
    if report.settled_at:
        tone = "" if report.outcome == Outcome.DISMISSED else "good"
        return Chip(report.get_outcome_display(), tone)
    if report.masters_at:
        return Chip(_("seen by the game master"))
    return Chip(pgettext("report", "waits"), "mine")


def campaign_reports_page(campaign: Campaign, user: User) -> CampaignReportsPage:
    """Return the reports that this game master reads."""
    reports = services.of_campaign(campaign, user)
    return CampaignReportsPage(list(campaign_reports(reports)))


def campaign_reports(reports: Iterable[AbuseReport]) -> Iterable[CampaignReport]:
    """Yield reports as game masters read them."""
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
    """Return what was done about a report."""
    if report.settled_at:
        return Chip(report.get_outcome_display(), "good")
    return Chip(_("settled")) if report.masters_at else None


def source_of(report: AbuseReport) -> str:
    """Return the kind of a text and its author."""
    kind = report.get_kind_display()
    if not report.author:
        return kind
    author = _("by %(name)s") % {"name": report.author.username}
    return f"{kind} {author}"


def origin_of(report: AbuseReport) -> str:
    """Return who reported a text, when and why."""
    text = _("Reported by %(by)s, %(at)s.")
    origin = with_times(text, by=report.by.username, at=when(report.at))
    if not report.reason:
        return origin
    return with_times("%(origin)s “%(reason)s”", origin=origin, reason=report.reason)


def path_of(report: AbuseReport) -> str:
    """Return where a text is read; empty if it is gone."""
    try:
        return targets.target(report.kind, report.ref).path
    except NoSuchText:
        return ""
