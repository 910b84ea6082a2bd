"""Reigns at the table: founded, and played by the sensible player up to a moment."""

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
    """The campaign of this user, where its position is first `there`."""
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
