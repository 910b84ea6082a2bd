"""Every kind of report of every title, in each dialect and language, within the board's limit."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from engine.language import LANGUAGES, use_language
from forum.dialects import DIALECTS, Context, clean
from games.contract.report import Bullets, Report, ReportEntry, Table
from games.registry import TITLES

pytestmark = pytest.mark.thorough

PEOPLE = {"huns": "Ingrid", "pc": "Ann_a", "A": "Ada *", "diocletian": "Bo"}


def grand_campaign() -> tuple[Any, Any, list[ReportEntry]]:
    from tests.playthroughs.notation import read
    from tests.playthroughs.test_playthroughs import FILES, run

    return run(read(FILES[0]), FILES[0].stem)


def march_on_rome() -> tuple[Any, Any, list[ReportEntry]]:
    from games.march_on_rome.rules.position import Scenario
    from tests.march_on_rome.test_report import game

    return Scenario(), None, game("random", "Albinus")


def tetrarchia() -> tuple[Any, Any, list[ReportEntry]]:
    from tests.tetrarchia.table import SCENARIO
    from tests.tetrarchia.test_report import worked

    return SCENARIO, None, worked()


def roman_empire() -> tuple[Any, Any, list[ReportEntry]]:
    from tests.roman_empire.table import SCENARIO
    from tests.roman_empire.test_report import log

    return SCENARIO, None, log()


GAMES: dict[str, Callable[[], tuple[Any, Any, list[ReportEntry]]]] = {
    made.__name__: made for made in (grand_campaign, march_on_rome, tetrarchia, roman_empire)
}


def first_of_each_kind(title: str) -> Iterator[tuple[str, Report]]:
    """Return the first report of each kind in the current language."""
    scenario, start, lines = GAMES[title]()
    seen = set[str]()
    for item in reversed(TITLES[title].reporter.contents(scenario, lines)):
        if item.kind not in seen:
            seen.add(item.kind)
            shown = TITLES[title].reporter.report(
                scenario, start, lines, item.key, "The [b]Table[/b]", PEOPLE
            )
            assert shown is not None
            yield item.kind, shown


def without_spaces(text: str) -> str:
    return re.sub(r"[\s\\*\u2060\u200e]", "", text)


def text_pieces(shown: Report) -> Iterator[str]:
    """Yield every piece of text in a report."""
    for block in shown.blocks:
        if isinstance(block, Table):
            yield from (cell for row in (block.head, *block.rows) for cell in row)
        else:
            lines = block.items if isinstance(block, Bullets) else (block.spans,)
            yield from (span.text for line in lines for span in line)


def test_every_title_that_tells_is_here() -> None:
    games = Path(__file__).parents[2] / "games"
    assert set(GAMES) | {"contract", "kit"} == {
        path.relative_to(games).parts[0] for path in games.rglob("report.py")
    }


@pytest.mark.long
@pytest.mark.parametrize("title", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_is_whole_in_each_dialect(title: str, language: str) -> None:
    kinds = []
    with translation.override(language), use_language(language):
        for kind, shown in first_of_each_kind(title):
            kinds.append(kind)
            for dialect in DIALECTS.values():
                whole = dialect.text(shown, Context())
                if dialect.key == "html":
                    whole = html.unescape(re.sub(r"<[^>]*>", "", whole))
                if dialect.key in ("phpbb", "mybb"):
                    whole = re.sub(r"\[/?(?:b|i|list|code|size|color|\*)[^\]\u2060]*\]", "", whole)
                whole, at = without_spaces(whole), 0
                for piece in map(without_spaces, map(clean, text_pieces(shown))):
                    result = whole.find(piece, at)
                    assert result >= 0, (dialect.key, kind, piece)
                    at = result + len(piece)
                posts = dialect.render(shown, Context())
                assert all(0 < dialect.weight(post) <= dialect.limit for post in posts)
                assert len(posts) == 1 or all(
                    f"({n} " in post.splitlines()[0] for n, post in enumerate(posts, 1)
                )
    assert len(kinds) >= {"grand_campaign": 9}.get(title, 2)
