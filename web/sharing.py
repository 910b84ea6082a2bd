"""What a page says of itself to whoever shows a link to it elsewhere: title, sentence, picture, one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _

from campaign.models import Campaign
from web import pictures

if TYPE_CHECKING:
    from web.views.common import TableContext


class Share(NamedTuple):
    """`url` and `picture` are absolute; a picture is 1600 pixels wide, or there is none."""

    title: str
    text: str
    url: str
    picture: str = ""
    alt: str = ""


def of_campaign(table: TableContext, state: str) -> Share | None:
    """Of a campaign's page, the same for every reader; nothing of a campaign that is for its members only."""
    campaign = table.campaign
    if campaign.visibility == Campaign.Visibility.MEMBERS:
        return None
    request, picture, alt = table.request, "", ""
    if pictures.draws(campaign):
        picture = request.build_absolute_uri(table.url("map_picture"))
        alt = _("Map of {campaign}").format(campaign=campaign.name)
    text = _("{title}: {state}. Map, standings and battles as they stand, and the story so far.")
    return Share(campaign.name, text.format(title=table.title.name, state=state), own_address(request), picture, alt)


def own_address(request: HttpRequest) -> str:
    """Where a page is, whatever was asked of it."""
    return request.build_absolute_uri(request.path)
