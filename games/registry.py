"""The titles we host, by key and by record format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.pages import Founding, Pages
from engine.players import Players
from engine.report import Reporter
from engine.title import Title
from games.grand_campaign.report import Reports
from games.grand_campaign.title import GrandCampaign
from games.march_on_rome.founding import MarchFounding
from games.march_on_rome.players import MarchPlayers
from games.march_on_rome.report import MarchReports
from games.march_on_rome.title import MarchOnRome

TITLES: dict[str, Title] = {title.key: title for title in (GrandCampaign(), MarchOnRome())}
REPORTERS: dict[str, Reporter] = {GrandCampaign.key: Reports(), MarchOnRome.key: MarchReports()}
"""Who tells a title's reports, by its key; a title may have none."""
PLAYERS: dict[str, Players] = {MarchOnRome.key: MarchPlayers()}
"""The titles that programs can play."""
PAGES: dict[str, Pages] = {}
"""The titles that are played on a page of their own."""
FOUNDINGS: dict[str, Founding] = {MarchOnRome.key: MarchFounding()}
"""How a title is offered and founded, where that takes more than its scenario."""

DEMONSTRATIONS = sorted(Path(__file__).parent.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with people and moves, that `manage.py demo` plays through the table's door."""


def solo(title: Title) -> bool:
    """Is it played alone: has its first scenario one seat?"""
    first = next(iter(title.scenarios().values()))
    return len(title.seats(title.scenario(first), title.options({}))) == 1


def word(title: str, key: str) -> str:
    """What a title calls a `turn` or a `campaign`."""
    founding = FOUNDINGS.get(title)
    return founding.words.get(key, key) if founding else key


def by_format() -> Mapping[str, Title]:
    """The titles by the format of their records."""
    return {title.format: title for title in TITLES.values()}
