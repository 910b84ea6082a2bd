"""The map that a campaign brings with it, as its title wrote it down."""

from __future__ import annotations

from functools import lru_cache

from campaign.models import Campaign
from campaign.models_scenarios import Drawing


def text_of(campaign: Campaign) -> str:
    """The text of the campaign's own drawing; empty where it has none, and the title knows how to draw its map."""
    return text(campaign.drawing_id) if campaign.drawing_id else ""


@lru_cache(32)
def text(digest: str) -> str:
    """A drawing by its name, which is the digest of it: once read, it stands."""
    return Drawing.objects.values_list("text", flat=True).get(digest=digest)
