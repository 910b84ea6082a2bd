"""The titles we host, by key and by record format."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from engine.language import Texts
from games.contract.pages import Founding, Pages
from games.contract.players import Players
from games.contract.report import Reporter
from games.contract.title import Title
from games.grand_campaign.text.report import Reports
from games.grand_campaign.title import GrandCampaign
from games.march_on_rome.bots import MarchPlayers
from games.march_on_rome.text.report import MarchReports
from games.march_on_rome.title import MarchOnRome
from games.march_on_rome.ui.page import MarchFounding, MarchPages
from games.roman_empire.bots import EmpirePlayers
from games.roman_empire.text.report import EmpireReports
from games.roman_empire.title import RomanEmpire
from games.roman_empire.ui.page import EmpireFounding, EmpirePages
from games.tetrarchia.bots import TetrarchiaPlayers
from games.tetrarchia.text.report import TetrarchiaReports
from games.tetrarchia.title import Tetrarchia
from games.tetrarchia.ui.page import TetrarchyFounding, TetrarchyPages

HERE = Path(__file__).parent
TITLES: dict[str, Title] = {title.key: title for title in (GrandCampaign(), MarchOnRome(), Tetrarchia(), RomanEmpire())}
"""What is offered and played here."""
RULES_ONLY: dict[str, Title] = {}
"""Titles whose pages are still to come: `replay`, `situations` and `simulate` know them, nothing on the site does."""
KNOWN: MutableMapping[str, Title] = ChainMap(TITLES, RULES_ONLY)
REPORTERS: dict[str, Reporter] = {
    GrandCampaign.key: Reports(), MarchOnRome.key: MarchReports(), Tetrarchia.key: TetrarchiaReports(),
    RomanEmpire.key: EmpireReports(),
}  # fmt: skip
"""Who tells a title's reports, by its key; a title may have none."""
PLAYERS: dict[str, Players] = {
    MarchOnRome.key: MarchPlayers(),
    Tetrarchia.key: TetrarchiaPlayers(),
    RomanEmpire.key: EmpirePlayers(),
}
"""The titles that programs can play."""
PAGES: dict[str, Pages] = {
    MarchOnRome.key: MarchPages(),
    Tetrarchia.key: TetrarchyPages(),
    RomanEmpire.key: EmpirePages(),
}
"""The titles that are played on a page of their own."""
FOUNDINGS: dict[str, Founding] = {
    MarchOnRome.key: MarchFounding(),
    Tetrarchia.key: TetrarchyFounding(),
    RomanEmpire.key: EmpireFounding(),
}
"""How a title is offered and founded, where that takes more than its scenario."""

DEMONSTRATIONS = sorted(HERE.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with people and moves, that `manage.py demo` plays through the table's door."""


def solo(title: Title) -> bool:
    """Is it played alone: has its first scenario one seat?"""
    first = next(iter(title.scenarios().values()))
    return len(title.seats(title.scenario(first), title.options({}))) == 1


def together(title: Title) -> bool:
    """May several play it at one table?"""
    founding = FOUNDINGS.get(title.key)
    return not solo(title) or (founding is not None and founding.together)


WORDS = Texts(
    "games.words",
    {
        "table": {
            "turn": "turn",
            "turns": "turns",
            "campaign": "campaign",
            "active": "{seat} to move",
            "idle": "nobody to move",
            "start": "The start throws the first dice.",
        },
        "titles": {
            "grand_campaign": {
                "active": "the slot of the {seat}",
                "idle": "between slots",
                "start": "The start throws the first dice: who opens turn 1, and a card for each.",
            }
        },
    },
)
"""What is said of any title's campaigns, and of one title's where its founding does not say it."""


def words(title: str) -> dict[str, str]:
    """What is said of a title's campaigns in the reader's language: by its founding, its own words, the table's."""
    said, founding = WORDS.read(), FOUNDINGS.get(title)
    return {**said["table"], **said["titles"].get(title, {}), **(founding.words if founding else {})}


def word(title: str, key: str) -> str:
    """One of `words`."""
    return words(title)[key]


def by_format() -> Mapping[str, Title]:
    """The titles by the format of their records."""
    return {title.format: title for title in KNOWN.values()}
