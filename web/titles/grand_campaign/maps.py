"""The drawing of a campaign's map, and the address of its outlines."""

from __future__ import annotations

from campaign import scenarios
from campaign.log import positions
from campaign.models import Campaign
from games.grand_campaign.drawing.atlas import outlines
from games.grand_campaign.drawing.drawing import Drawing, drawing_of
from web.frame.outlines import outlines_url


def drawing_for(campaign: Campaign) -> Drawing:
    """Return the campaign's own drawing, or the title's drawing for its scenario."""
    return drawing_of(positions.scenario(campaign).raw, scenarios.text_of(campaign))


def outlines_address(drawing: Drawing, campaign: Campaign | None = None) -> str:
    """Return the address of the outlines of a drawing, empty if there are none."""
    return outlines_url(outlines(drawing).name, campaign)
