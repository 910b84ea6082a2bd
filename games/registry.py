"""The titles we host, by key and by record format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.report import Reporter
from engine.title import Title
from games.grand_campaign.report import Reports
from games.grand_campaign.title import GrandCampaign

TITLES: dict[str, Title] = {title.key: title for title in (GrandCampaign(),)}
REPORTERS: dict[str, Reporter] = {GrandCampaign.key: Reports()}
"""Who tells a title's reports, by its key; a title may have none."""

DEMONSTRATIONS = sorted(Path(__file__).parent.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with people and moves, that `manage.py demo` plays through the table's door."""


def by_format() -> Mapping[str, Title]:
    """The titles by the format of their records."""
    return {title.format: title for title in TITLES.values()}
