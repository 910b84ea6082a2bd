"""The titles that the site hosts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.language import Texts
from games.contract.title import Title
from games.grand_campaign.title import GrandCampaign
from games.march_on_rome.title import MarchOnRome
from games.roman_empire.title import RomanEmpire
from games.tetrarchia.title import Tetrarchia

HOSTED: tuple[Title, ...] = (GrandCampaign(), MarchOnRome(), Tetrarchia(), RomanEmpire())
"""The titles in the order in which pages list them."""
TITLES = {title.key: title for title in HOSTED}
"""The titles by their keys. A campaign may have a title that is not hosted any more."""
DEMONSTRATIONS = sorted(Path(__file__).parent.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with users and moves, that `manage.py demo` plays."""


def by_format() -> Mapping[str, Title]:
    """Return the titles by the format of their records."""
    return {title.format: title for title in TITLES.values()}


def has_board(key: str) -> bool:
    """Return whether the title of this key is played on a page of its own."""
    return key in TITLES and TITLES[key].pages is not None


def solo(title: Title) -> bool:
    """Return whether one user plays the title alone: its first scenario has one seat."""
    first = next(iter(title.scenarios().values()))
    return len(title.seats(title.scenario(first), title.options({}))) == 1


def together(title: Title) -> bool:
    """Return whether several users can play the title at one table."""
    return not solo(title) or (title.founding is not None and title.founding.together)


WORDS = Texts(
    "games.words",
    {
        "turn": "turn",
        "turns": "turns",
        "campaign": "campaign",
        "active": "{seat} to move",
        "idle": "nobody to move",
        "start": "The start throws the first dice.",
    },
)
"""What pages call the campaigns of a title that has no own words for them."""


def words(key: str) -> dict[str, str]:
    """Return what pages call the campaigns of a title, in the reader's language."""
    return {**WORDS.read(), **(TITLES[key].own_words if key in TITLES else {})}


def word(key: str, name: str) -> str:
    """Return one of `words`."""
    return words(key)[name]
