"""Template, tone and own words about a report: what is typed is text, what happened is told
whatever they say.
"""

from __future__ import annotations

import pytest
from django.utils import translation

from forum.dialects import DIALECTS, Context
from forum.posts import reports
from forum.posts.reports import NAMES_OF_PARTS, NEEDED, OPTIONAL, PARTS, fill, taken_apart, wrong
from games.contract.report import Bullets, Heading, Paragraph, Report, Span, Table

VALUES = {
    "campaign": "The {turn} [b]Frontier",
    "game": "G",
    "report": "Turn 3",
    "turn": 3,
    "first": 4,
    "last": 9,
    "master": "Ada",
}


@pytest.mark.parametrize(
    "text",
    ["", "Hail.", "{campaign}: {report}", "{{not one}} {turn}", "{first}–{last} {master} {game}"],
)
def test_what_can_be_filled(text):
    assert wrong(text) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "{",
            (
                "A brace is alone. Placeholders are written {turn}; for the sign itself write {{"
                " or }}."
            ),
        ),
        (
            "a } b",
            (
                "A brace is alone. Placeholders are written {turn}; for the sign itself write {{"
                " or }}."
            ),
        ),
        (
            "{trun}",
            (
                "There is no placeholder {trun}. There are: {campaign}, {game}, {report}, {turn},"
                " {first}, {last}, {master}."
            ),
        ),
        (
            "{}",
            (
                "There is no placeholder {}. There are: {campaign}, {game}, {report}, {turn},"
                " {first}, {last}, {master}."
            ),
        ),
        ("{campaign.seed_sealed}", "There is no placeholder {campaign.seed_sealed}. There are: "),
        ("{turn!r}", "Write the placeholder {turn} separately."),
        ("{turn:>999999999}", "Write the placeholder {turn} separately."),
    ],
)
def test_what_cannot_is_said(text, why):
    assert wrong(text).startswith(why)
    assert fill(text, VALUES) == text


def test_what_fills_a_placeholder_is_not_read_again():
    assert fill("{campaign}, {turn} {{turn}}", VALUES) == "The {turn} [b]Frontier, 3 {turn}"


def test_every_placeholder_has_its_value():
    assert set(VALUES) == set(NAMES_OF_PARTS)


def test_the_dry_tone_says_nothing_and_the_chronicle_no_word_of_what_happened():
    assert reports.words("dry", "turn") == ("", "")
    assert reports.words("chronicle", "undo") == ("", "")
    for kind in reports.CHRONICLE:
        english = reports.words("chronicle", kind)
        assert english.before
        assert not any(sign.isdigit() for text in english for sign in text)
        assert all(wrong(text) == "" for text in english)
        with translation.override("it"):
            italian = reports.words("chronicle", kind)
        assert all(
            bool(it) == bool(en) and (it != en or not en)
            for it, en in zip(italian, english, strict=True)
        )
        assert all(wrong(text) == "" for text in italian)


def test_a_report_comes_apart_into_facts_and_what_can_be_left_out():
    fact, other = Paragraph((Span("fact"),)), Bullets(((Span("another"),),))
    ledger = Table(("", "a"), (("x", "1"),), "ledger")
    standings = Table(("", "a"), (("x", "1"),))
    waits, whom = Heading((Span("Waits"),), 2, "waits"), Bullets(((Span("Ada"),),))
    chapter = Heading((Span("After"),), 2)
    end = Paragraph((Span("Entries"),), small=True)
    title = Heading((Span("T"),))
    shown = Report(
        "T", (title, fact, ledger, waits, whom, chapter, other, standings, end), (), (), 1, 2
    )
    assert taken_apart(shown) == (
        title,
        {"facts": [fact, chapter, other, standings], "ledger": [ledger], "waits": [waits, whom]},
        [end],
    )


def test_results_and_dice_are_no_part_that_can_be_left_out():
    assert NEEDED == ("facts", "dice")
    assert set(OPTIONAL) | set(NEEDED) == set(PARTS)
    assert set(OPTIONAL) == {"ledger", "forecast", "waits", "rules", "picture", "address"}


def test_own_words_are_inert_in_each_dialect():
    typed = "[url=http://evil.example]x[/url] @everyone **b** <i>i</i>"
    shown = Report(
        "T", (Heading((Span("T"),)), Paragraph((Span(typed, italic=True),))), (), (), 1, 1
    )
    for dialect in DIALECTS.values():
        (post,) = dialect.render(shown, Context())
        assert "@everyone" not in post
        assert "://" not in post
        assert "<i>i</i>" not in post or dialect.key in ("phpbb", "mybb", "plain")
