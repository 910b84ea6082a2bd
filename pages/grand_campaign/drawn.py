"""Which drawing a campaign's map is: the one it brings with it, else the one that the title has for its scenario."""

from __future__ import annotations

from campaign import drawings, positions
from campaign.models import Campaign
from games.grand_campaign.drawing import Drawing, for_scenario, own


def of(campaign: Campaign) -> Drawing:
    raw = positions.scenario(campaign).raw
    text = drawings.text_of(campaign)
    return own(text, raw) if text else for_scenario(raw)
