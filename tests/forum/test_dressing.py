"""Templates, tones and own words in reports: typed text is inert, the facts are always there."""

from __future__ import annotations

import pytest
from django.utils import translation

from forum.dialects import DIALECTS, Context
from forum.posts import reports
from forum.posts.reports import (
    NEEDED,
    OPTIONAL,
    PARTS,
    PLACEHOLDERS,
    fill_placeholders,
    placeholder_error,
    split_report,
)
from games.contract.report import Bullets, Fold, Heading, Paragraph, Report, Span, Table

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
    assert placeholder_error(text) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "{",
            (
                "A brace has no partner. Placeholders are written {turn}; for the sign itself "
                "write {{ or }}."
            ),
        ),
        (
            "a } b",
            (
                "A brace has no partner. Placeholders are written {turn}; for the sign itself"
                " write {{ or }}."
            ),
        ),
        (
            "{trun}",
            (
                "There is no placeholder {trun}. You can use: {campaign}, {game}, {report}, {turn},"
                " {first}, {last}, {master}."
            ),
        ),
        (
            "{}",
            (
                "There is no placeholder {}. You can use: {campaign}, {game}, {report}, {turn},"
                " {first}, {last}, {master}."
            ),
        ),
        ("{campaign.seed_sealed}", "There is no placeholder {campaign.seed_sealed}. You can use: "),
        (
            "{turn!r}",
            "Write the placeholder exactly as {turn}, with nothing else between the braces.",
        ),
        (
            "{turn:>999999999}",
            "Write the placeholder exactly as {turn}, with nothing else between the braces.",
        ),
    ],
)
def test_what_cannot_is_said(text, why):
    assert placeholder_error(text).startswith(why)
    assert fill_placeholders(text, VALUES) == text


def test_what_fills_a_placeholder_is_not_read_again():
    assert (
        fill_placeholders("{campaign}, {turn} {{turn}}", VALUES)
        == "The {turn} [b]Frontier, 3 {turn}"
    )


def test_every_placeholder_has_its_value():
    assert set(VALUES) == set(PLACEHOLDERS)


def test_the_dry_tone_says_nothing_and_the_chronicle_no_word_of_what_happened():
    assert reports.framing("dry", "turn") == ("", "")
    assert reports.framing("chronicle", "undo") == ("", "")
    for kind in reports.CHRONICLE:
        english = reports.framing("chronicle", kind)
        assert english.before
        assert not any(sign.isdigit() for text in english for sign in text)
        assert all(placeholder_error(text) == "" for text in english)
        with translation.override("it"):
            italian = reports.framing("chronicle", kind)
        assert all(
            bool(it) == bool(en) and (it != en or not en)
            for it, en in zip(italian, english, strict=True)
        )
        assert all(placeholder_error(text) == "" for text in italian)


def test_a_report_comes_apart_into_facts_and_what_can_be_left_out():
    fact, other = Paragraph((Span("fact"),)), Bullets(((Span("another"),),))
    ledger = Table(("", "a"), (("x", "1"),), "ledger")
    standings = Table(("", "a"), (("x", "1"),))
    waits, whom = Heading((Span("Waits"),), 2, "waits"), Bullets(((Span("Ada"),),))
    chapter = Heading((Span("After"),), 2)
    end = Paragraph((Span("Entries"),), small=True)
    title, headline = Heading((Span("T"),)), Paragraph((Span("The Huns win."),), part="headline")
    fold = Fold((Span("Details"),), (fact,))
    blocks = (title, headline, fact, ledger, waits, whom, chapter, other, standings, fold, end)
    assert split_report(Report("T", blocks, (), (), 1, 2)) == (
        title,
        [headline],
        {
            "facts": [fact, chapter, other, standings, fold],
            "ledger": [ledger],
            "waits": [waits, whom],
        },
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
