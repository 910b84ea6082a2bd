"""A whole campaign in each dialect and language; tests/forum/golden.py says how to renew it."""

from __future__ import annotations

from typing import Any

import pytest

from forum.dialects import DIALECTS, Context
from tests.forum import golden

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def produced() -> dict[str, str]:
    return golden.generate_files()


def test_the_campaign_is_told_letter_by_letter(produced: dict[str, str]) -> None:
    kept = golden.stored_files()
    assert sorted(produced) == sorted(kept), golden.RENEW
    changed = [where for where in sorted(produced) if produced[where] != kept[where]]
    assert not changed, golden.RENEW
    assert {where.rsplit("/", 1)[0] for where in kept} == {
        f"{key}/{language}" for key in DIALECTS for language in golden.LANGUAGES
    }


def test_every_post_is_within_its_boards_limit(produced: dict[str, str]) -> None:
    several: dict[str, int] = {}
    for key, dialect in DIALECTS.items():
        for language in golden.LANGUAGES:
            lines = produced[f"{key}/{language}/campaign.txt"].splitlines()
            weights = [[int(part) for part in line.split()[1].split("+")] for line in lines]
            assert max(max(weight) for weight in weights) <= dialect.limit
            several[key] = sum(len(weight) > 1 for weight in weights)
            assert len(weights) > 100
    assert several["discord"] >= 6
    assert [several[key] for key in DIALECTS if key != "discord"] == [0] * 5


def test_each_part_says_which_it_is(produced: dict[str, str]) -> None:
    posts = produced["discord/it/turn-1.txt"].split(golden.CUT)
    assert [post.splitlines()[0] for post in posts] == [
        f"## The Long Frontier, giro 1 di 6 ({n} di {len(posts)})" for n in range(1, len(posts) + 1)
    ]


def test_the_difference_would_be_found(produced: dict[str, str]) -> None:
    kept: dict[str, Any] = golden.stored_files()
    assert len(kept) == len(DIALECTS) * 2 * (len(golden.KINDS) + 1)


def test_the_reports_of_turns_are_those_that_were_read_aloud() -> None:
    created, kept = golden.reports_to_read(), golden.stored_reports_to_read()
    assert sorted(created) == sorted(kept), golden.RENEW
    changed = [where for where in sorted(created) if created[where] != kept[where]]
    assert not changed, golden.RENEW
    assert len(kept) == 48


@pytest.mark.parametrize("tone", ["dry", "chronicle"])
def test_a_turn_of_six_nations_is_short_before_its_details(tone: str) -> None:
    context = Context(golden.nation_colours())
    lengths = [
        len(DIALECTS["phpbb"].text(golden.without_details(report), context))
        for language, _, report in golden.turn_reports(tone)
        if language == "en"
    ]
    assert len(lengths) == 6
    assert min(lengths) > 2300
    assert max(lengths) < 4000


def test_six_chronicles_do_not_repeat_their_sentences() -> None:
    """A sentence with a number or two names may recur, but not a whole paragraph."""
    paragraphs = [
        line
        for where, text in golden.reports_to_read().items()
        if where.endswith("chronicle.md")
        for line in text.splitlines()
        if len(line) > 120 and not line.startswith("|")
    ]
    assert len(paragraphs) == len(set(paragraphs))
