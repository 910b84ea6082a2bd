"""Reigns at the table: founded, and played by the sensible player to a chosen position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from games.march_on_rome.bots.players import sensible


def founded(
    user: Any, seed: int, there: Callable[[Any], bool], general: str = "Albinus"
) -> Campaign:
    """Return the campaign of this user, played until its position is `there`."""
    scenario = {"key": "standard", "general": general}
    campaign = services.found_campaign(
        user, "march_on_rome", "The reign", scenario, seed=f"{seed:064x}"
    )
    while not there(position := selectors.position(campaign)):
        raw = sensible(position)
        assert raw is not None
        campaign = services.play(
            campaign, user, {"by": "pc", **raw}, selectors.seen(campaign, user)
        ).campaign
    return campaign
