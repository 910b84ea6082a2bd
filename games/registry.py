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
"""The titles by their keys. The title of a campaign may no longer be hosted."""
DEMONSTRATIONS = sorted(Path(__file__).parent.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with users and moves, for `manage.py demo`."""


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
        "idle": "no one to move",
        "start": "Starting the campaign rolls the first dice.",
        "turn_number": "turn {n}",
        "turn_of_turns": "turn {n} of {turns}",
        "before_turns": "Before turn 1",
        "turn_back": "Back by one turn",
        "turn_forward": "Forward by one turn",
        "turn_closed": "turn {n} has closed",
        "turn_elsewhere": "turn {n} was played elsewhere",
        "turn_closes": "until turn {n} closes",
        "values_by_turn": "The values of an account in the course of each turn, in order.",
        "fame_lost": (
            "Dice have been rolled: if you do this, this campaign cannot enter the hall of fame."
        ),
    },
)
"""The words of pages for campaigns of a title without words of its own."""


def words(key: str) -> dict[str, str]:
    """Return the words of pages for campaigns of a title, in the reader's language."""
    return {**WORDS.read(), **(TITLES[key].own_words if key in TITLES else {})}


def word(key: str, name: str) -> str:
    """Return a single entry of `words`."""
    return words(key)[name]
