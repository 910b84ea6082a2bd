"""The files with the outlines of maps, and their addresses.

The name of a file is derived from its content, so a file never changes.
"""

from __future__ import annotations

from django.urls import reverse

from campaign import scenarios
from campaign.log import positions
from campaign.models import Campaign
from games.contract.maps import Outlines, WithMaps
from games.registry import TITLES


def shipped_outlines(name: str) -> str | None:
    """Return the outlines of this name that come with a title; None if there are none."""
    for title in TITLES.values():
        if isinstance(title, WithMaps) and name in (known := title.maps.shipped_outlines()):
            return known[name]
    return None


def outlines_of(campaign: Campaign) -> Outlines | None:
    """Return the outlines of a campaign's map; None if its title draws no maps."""
    if not isinstance(campaign.game, WithMaps):
        return None
    drawing = scenarios.text_of(campaign)
    return campaign.game.maps.outlines(positions.scenario(campaign), drawing)


def outlines_url(name: str, campaign: Campaign | None = None) -> str:
    """Return the address at which a page finds the outlines of this name.

    All pages share the outlines of a drawing that comes with a title. Those of a drawing that a
    campaign brings are at the campaign, for its readers. The address is empty if there is neither.
    """
    if shipped_outlines(name) is not None:
        return reverse("outlines", args=[name])
    if campaign is None:
        return ""
    return reverse("campaign_outlines", args=[campaign.address, name])
