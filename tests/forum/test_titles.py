"""Every kind of report of every title, in each dialect and language, within the board's limit."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from engine.language import LANGUAGES, use_language
from forum.dialects import DIALECTS, Context, clean
from forum.posts.reports import split_report
from games.contract.report import (
    HEADLINE,
    Block,
    Bullets,
    Code,
    Fold,
    Heading,
    Paragraph,
    Report,
    ReportEntry,
    Table,
)
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


def text_pieces(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield every piece of text in these blocks."""
    for block in blocks:
        if isinstance(block, Fold):
            yield from (span.text for span in block.heading)
            yield from text_pieces(block.blocks)
        elif isinstance(block, Code):
            yield from block.lines
        elif isinstance(block, Table):
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
                context = Context(folds=True)
                whole = dialect.text(shown, context)
                if dialect.key == "html":
                    whole = html.unescape(re.sub(r"<[^>]*>", "", whole))
                if dialect.key in ("phpbb", "mybb"):
                    whole = re.sub(
                        r"\[/?(?:b|i|list|code|size|color|spoiler|\*)[^\]\u2060]*\]", "", whole
                    )
                whole, at = without_spaces(whole), 0
                blocks = shown.blocks[1:] if dialect.subject else shown.blocks
                for piece in map(without_spaces, map(clean, text_pieces(blocks))):
                    result = whole.find(piece, at)
                    assert result >= 0, (dialect.key, kind, piece)
                    at = result + len(piece)
                parts = dialect.parts(shown, context)
                posts = [dialect.text(part, context) for part in parts]
                assert all(0 < dialect.weight(post) <= dialect.limit for post in posts)
                assert len(posts) == 1 or all(
                    f"({n} " in part.title for n, part in enumerate(parts, 1)
                )
    assert len(kinds) >= {"grand_campaign": 9}.get(title, 2)


def tables(blocks: Iterable[Block]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Fold):
            yield from tables(block.blocks)


@pytest.mark.parametrize("title", GAMES)
def test_a_table_survives_a_board_that_trims_leading_blanks(title: str) -> None:
    for language in LANGUAGES:
        with translation.override(language), use_language(language):
            for _kind, shown in first_of_each_kind(title):
                for table in tables(shown.blocks):
                    assert all(row[0].strip() for row in (table.head, *table.rows)), table
                    for key in ("phpbb", "mybb", "discord", "plain"):
                        text = DIALECTS[key].block(table, Context())
                        assert not re.search(r"^(\[code\])? ", text, re.MULTILINE)


@pytest.mark.parametrize("title", GAMES)
def test_a_report_of_a_turn_begins_with_the_news_and_ends_with_the_details(title: str) -> None:
    whole = ("turn", "year", "round", "period")
    reports = [shown for kind, shown in first_of_each_kind(title) if kind in whole]
    assert len(reports) == 1
    for shown in reports:
        heading, news, *rest = shown.blocks
        assert isinstance(heading, Heading)
        assert isinstance(news, Paragraph)
        assert news.part == HEADLINE
        assert any(isinstance(block, Table) for block in rest), "standings"
        folds = [n for n, block in enumerate(rest) if isinstance(block, Fold)]
        assert len(folds) == 1
        assert not any(isinstance(block, Table) for block in rest[folds[0] :])
        short = DIALECTS["phpbb"].text(
            shown._replace(
                blocks=tuple(
                    block._replace(page="https://tabula.example/")
                    if isinstance(block, Fold)
                    else block
                    for block in shown.blocks
                )
            ),
            Context(),
        )
        assert len(short) < 4500


LITTER = {
    "two stops": r"\.\.(?!\.)|\.[”“»]\.|[!?][”“»]\.",
    "a blank before a stop": r"\w [.,;](?!\d)",
    "an empty pair of brackets": r"\(\)|\(§\)|§\)\)",
    "an entry's number as prose": r"\b(?:Entry|Eintrag|Entrada|Voce) \d+[.:]",
    "two blank lines": r"\n\n\n",
}


@pytest.mark.parametrize("title", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_report_has_litter(title: str, language: str) -> None:
    with translation.override(language), use_language(language):
        for kind, shown in first_of_each_kind(title):
            title, _headline, parts, _foot = split_report(shown)
            shown_blocks = tuple(block for blocks in parts.values() for block in blocks)
            text = DIALECTS["plain"].text(shown._replace(blocks=(title, *shown_blocks)), Context())
            for name, pattern in LITTER.items():
                found_at = re.search(f".{{0,60}}(?:{pattern}).{{0,30}}", text)
                assert found_at is None, (kind, name, found_at and found_at[0])
