"""Previews of links to pages: title, sentence, picture, and one address."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import positions
from campaign.models import Campaign
from games.contract.maps import WithMaps
from web.frame.table import TableContext


class Share(NamedTuple):
    """The preview of a link.

    `url` and `picture` are absolute. A picture is 1600 pixels wide.
    """

    title: str
    text: str
    url: str
    picture: str = ""
    alt: str = ""


def share(table: TableContext, state: str) -> Share | None:
    """Return the preview of a link to a campaign's page, the same for every reader.

    None if the campaign is for its members only.
    """
    campaign = table.campaign
    if campaign.visibility == Campaign.Visibility.MEMBERS:
        return None
    request, picture, alt = table.request, "", ""
    if isinstance(campaign.game, WithMaps):
        picture = request.build_absolute_uri(table.url("map_picture"))
        alt = pgettext("sharing", "Map of {campaign}").format(campaign=campaign.name)
    text = _(
        "{title}: {state}. The map, the standings and the battles as they are now, and the story "
        "so far."
    )
    return Share(
        campaign.name,
        text.format(title=positions.plays(campaign), state=state),
        own_address(request),
        picture,
        alt,
    )


def own_address(request: HttpRequest) -> str:
    """Return the address of a page without its query."""
    return request.build_absolute_uri(request.path)
