"""The titles we host, by key and by record format."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine.language import Texts

if TYPE_CHECKING:
    from games.contract.pages import Founding, Pages
    from games.contract.players import Lesson, Players
    from games.contract.report import Reporter
    from games.contract.title import Title

HERE = Path(__file__).parent
T = TypeVar("T")


class Loaded(MutableMapping[str, T]):
    """Parts of titles by key, each imported when it is first asked for: a record needs the rules of
    one title, nothing else.
    """

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __setitem__(self, key: str, value: T) -> None:
        self._makers[key] = lambda: value
        self._made[key] = value

    def __delitem__(self, key: str) -> None:
        del self._makers[key]
        self._made.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _grand_campaign() -> Title:
    from games.grand_campaign.title import GrandCampaign

    return GrandCampaign()


def _march_on_rome() -> Title:
    from games.march_on_rome.title import MarchOnRome

    return MarchOnRome()


def _tetrarchia() -> Title:
    from games.tetrarchia.title import Tetrarchia

    return Tetrarchia()


def _roman_empire() -> Title:
    from games.roman_empire.title import RomanEmpire

    return RomanEmpire()


def _grand_reports() -> Reporter:
    from games.grand_campaign.text.report import Reports

    return Reports()


def _march_reports() -> Reporter:
    from games.march_on_rome.text.report import MarchReports

    return MarchReports()


def _tetrarchia_reports() -> Reporter:
    from games.tetrarchia.text.report import TetrarchiaReports

    return TetrarchiaReports()


def _empire_reports() -> Reporter:
    from games.roman_empire.text.report import EmpireReports

    return EmpireReports()


def _grand_players() -> Players:
    from games.grand_campaign.bots.players import GrandPlayers

    return GrandPlayers()


def _march_players() -> Players:
    from games.march_on_rome.bots.players import MarchPlayers

    return MarchPlayers()


def _tetrarchia_players() -> Players:
    from games.tetrarchia.bots.players import TetrarchiaPlayers

    return TetrarchiaPlayers()


def _empire_players() -> Players:
    from games.roman_empire.bots.players import EmpirePlayers

    return EmpirePlayers()


def _march_pages() -> Pages:
    from games.march_on_rome.page.pages import MarchPages

    return MarchPages()


def _tetrarchia_pages() -> Pages:
    from games.tetrarchia.page.pages import TetrarchyPages

    return TetrarchyPages()


def _empire_pages() -> Pages:
    from games.roman_empire.page.pages import EmpirePages

    return EmpirePages()


def _march_founding() -> Founding:
    from games.march_on_rome.page.founding import MarchFounding

    return MarchFounding()


def _tetrarchia_founding() -> Founding:
    from games.tetrarchia.page.founding import TetrarchyFounding

    return TetrarchyFounding()


def _empire_founding() -> Founding:
    from games.roman_empire.page.founding import EmpireFounding

    return EmpireFounding()


def _grand_lesson() -> Lesson:
    from games.grand_campaign.title import LESSON

    return LESSON


def _march_lesson() -> Lesson:
    from games.march_on_rome.title import LESSON

    return LESSON


def _tetrarchia_lesson() -> Lesson:
    from games.tetrarchia.title import LESSON

    return LESSON


def _empire_lesson() -> Lesson:
    from games.roman_empire.title import LESSON

    return LESSON


GRAND, MARCH, TETRARCHIA, EMPIRE = "grand_campaign", "march_on_rome", "tetrarchia", "roman_empire"
FORMATS = {
    "grand-campaign/1": GRAND,
    "march_on_rome/1": MARCH,
    "tetrarchia/1": TETRARCHIA,
    "roman_empire/1": EMPIRE,
}
"""The titles by the format of their records."""
TITLES: MutableMapping[str, Title] = Loaded(
    {GRAND: _grand_campaign, MARCH: _march_on_rome, TETRARCHIA: _tetrarchia, EMPIRE: _roman_empire}
)
"""What is offered and played here."""
RULES_ONLY: dict[str, Title] = {}
"""Titles whose pages are still to come: `replay`, `situations` and `simulate` know them, nothing on
the site does.
"""
KNOWN: MutableMapping[str, Title] = ChainMap(TITLES, RULES_ONLY)
REPORTERS: MutableMapping[str, Reporter] = Loaded(
    {
        GRAND: _grand_reports,
        MARCH: _march_reports,
        TETRARCHIA: _tetrarchia_reports,
        EMPIRE: _empire_reports,
    }
)
"""Who tells a title's reports, by its key; a title may have none."""
PLAYERS: MutableMapping[str, Players] = Loaded(
    {
        GRAND: _grand_players,
        MARCH: _march_players,
        TETRARCHIA: _tetrarchia_players,
        EMPIRE: _empire_players,
    }
)
"""The titles that programs can play."""
RATED = (GRAND,)
"""The titles whose battles between people and whose final ranks make ratings
(`games.contract.players.Rated`).
"""
PAGES: MutableMapping[str, Pages] = Loaded(
    {MARCH: _march_pages, TETRARCHIA: _tetrarchia_pages, EMPIRE: _empire_pages}
)
"""The titles that are played on a page of their own."""
FOUNDINGS: MutableMapping[str, Founding] = Loaded(
    {MARCH: _march_founding, TETRARCHIA: _tetrarchia_founding, EMPIRE: _empire_founding}
)
"""How a title is offered and founded, where that takes more than its scenario."""
LESSONS: MutableMapping[str, Lesson] = Loaded(
    {
        GRAND: _grand_lesson,
        MARCH: _march_lesson,
        TETRARCHIA: _tetrarchia_lesson,
        EMPIRE: _empire_lesson,
    }
)
"""The guided first games of the titles."""

DEMONSTRATIONS = sorted(HERE.glob("*/demo/*.json"))
"""Campaigns in the middle of a turn, with people and moves, that `manage.py demo` plays through the
table's door.
"""


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
                "active": "the slot of {seat:the}",
                "idle": "between slots",
                "start": "The start throws the first dice: who opens turn 1, and a card for each.",
            }
        },
    },
)
"""What is said of any title's campaigns, and of one title's where its founding does not say it."""


def words(title: str) -> dict[str, str]:
    """What is said of a title's campaigns in the reader's language: by its founding, its own words,
    the table's.
    """
    book, founding = WORDS.read(), FOUNDINGS.get(title)
    return {
        **book["table"],
        **book["titles"].get(title, {}),
        **(founding.words if founding else {}),
    }


def word(title: str, key: str) -> str:
    """One of `words`."""
    return words(title)[key]


def by_format() -> Mapping[str, Title]:
    """The titles by the format of their records. One is imported when its format is asked for."""
    titles = {
        form: partial(KNOWN.__getitem__, key) for form, key in FORMATS.items() if key in KNOWN
    }
    more = [KNOWN[key] for key in KNOWN if key not in FORMATS.values()]
    return Loaded(
        {**titles, **{title.format: partial(KNOWN.__getitem__, title.key) for title in more}}
    )
