"""The list of a reader's notices: of all campaigns, or of a single campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign.models import Campaign
from notices import selectors, webhooks
from notices.channels import services as channel_services
from notices.models import Channel, Webhook
from notices.wording import NoticeInWords, notices_in_words
from web.frame import requests
from web.frame.table import TableContext

NOTICES_ON_PAGE = 50


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice in the list."""

    pk: int
    title: str
    body: str
    url: str
    is_new: bool
    struck: str
    """The reason why the notice is no longer valid; empty if it is valid."""
    campaign: str
    """The name of the notice's campaign; empty on a page of that campaign."""
    at: datetime

    @property
    def read_label(self) -> str:
        return _("Mark as read: %(title)s") % {"title": self.title}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A channel or a webhook that was switched off because deliveries failed."""

    name: str
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class NoticesPage:
    """A page of notices."""

    troubles: list[Trouble]
    notices: list[NoticeRow]
    older_url: str
    empty_text: str
    can_mark_all: bool
    campaign_id: str
    """The public id of the campaign whose notices these are; empty for all."""
    back: str
    is_muted: bool = False


def notices_page(
    request: HttpRequest, before: int | None, table: TableContext | None = None
) -> NoticesPage:
    """Return the notices before this notice, the newest first, of a campaign or of all."""
    campaign = table.campaign if table else None
    memberships = table.memberships if table else None
    rows = selectors.notices(request.user, campaign)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    notices = notices_in_words(rows[: NOTICES_ON_PAGE + 1], memberships)
    shown = notices[:NOTICES_ON_PAGE]
    has_older = len(notices) > NOTICES_ON_PAGE
    return NoticesPage(
        troubles=troubles(request) if before is None else [],
        notices=[notice_row(notice, campaign) for notice in shown],
        older_url=f"?before={shown[-1].notice.pk}" if has_older else "",
        empty_text=_("You have no notices yet.")
        if before is None
        else _("There are no older notices."),
        can_mark_all=has_new(request, shown, campaign),
        campaign_id=campaign.public_id if campaign else "",
        back=request.get_full_path(),
        is_muted=campaign is not None and is_muted(request, campaign),
    )


def notice_row(notice: NoticeInWords, campaign: Campaign | None) -> NoticeRow:
    """Return a notice as a line of the list."""
    row = notice.notice
    return NoticeRow(
        pk=row.pk,
        title=notice.title,
        body=notice.body,
        url=reverse("notice", args=(row.pk,)),
        is_new=notice.new,
        struck=notice.struck,
        campaign=row.campaign.name if campaign is None else "",
        at=row.at,
    )


def has_new(
    request: HttpRequest, shown: Sequence[NoticeInWords], campaign: Campaign | None
) -> bool:
    """Return whether the reader has notices to mark as read, here or on another page."""
    if any(notice.new for notice in shown):
        return True
    if campaign is None:
        return bool(requests.news(request))
    return bool(requests.unread_of(request, campaign.public_id))


def is_muted(request: HttpRequest, campaign: Campaign) -> bool:
    """Return whether the reader has muted a campaign."""
    return selectors.mutes(request.user).filter(campaign=campaign).exists()


def troubles(request: HttpRequest) -> list[Trouble]:
    """Return the reader's channels and webhooks whose deliveries fail."""
    user = request.user
    places: list[Channel | Webhook] = [
        *channel_services.channels_off_by_failure(user),
        *webhooks.webhooks_off_by_failure(user),
    ]
    return [Trouble(place.called, place.off_why, settings_url(place)) for place in places]


def settings_url(place: Channel | Webhook) -> str:
    """Return the page on which a channel or a webhook can be switched on again."""
    if place.campaign is None:
        return reverse("told")
    page = "webhooks" if isinstance(place, Webhook) else "channels"
    return reverse(page, args=(place.campaign.address,))
