"""The rules page in the reader's language, with the English text beside it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from campaign.rulebook import chapters, numbers, translated
from engine.language import use_language
from tests.table import people, running, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401

TITLES = ("grand_campaign", "march_on_rome")
ANCHOR = re.compile(r'id="(r-[\d.]+)"')


def reader(language: str) -> Client:
    return Client(headers={"accept-language": language})


def main(client: Client, address: str) -> str:
    page = client.get(address)
    assert page.status_code == 200
    return page.content.decode().split("<main")[1].split("</main>")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("title", TITLES)
def test_readers_get_their_language_with_equal_anchors(title: str) -> None:
    english, italian = (main(reader(language), f"/rules/{title}/") for language in ("en", "it"))
    assert ANCHOR.findall(english) == ANCHOR.findall(italian)
    assert len(ANCHOR.findall(italian)) > 40
    assert 'lang="' not in english
    assert "hreflang" not in english
    assert '<em class="ruling">Decisione</em>' in italian
    assert not re.search(r'<p>[^<]*<em class="ruling">Ruling', italian)
    assert '<a href="?text=en" hreflang="en">' in italian


@pytest.mark.django_db
def test_the_order_of_readers_changes_nothing() -> None:
    seen = [
        main(reader(language), "/rules/march_on_rome/") for language in ("it", "en", "it", "en")
    ]
    assert seen[0] == seen[2] != seen[1] == seen[3]
    assert "Guidi un generale fra rivali" in seen[0]
    assert "You play one general among rivals" in seen[1]
    assert "mor-01" not in seen[0]


@pytest.mark.django_db
def test_an_italian_reader_can_read_the_english_text() -> None:
    page = main(reader("it"), "/rules/grand_campaign/?text=en")
    assert '<h1 lang="en">420 AD Grand Campaign: the rules, numbered</h1>' in page
    assert '<p lang="en">Stability falls from above 3' in page
    assert '<a href="?">' in page
    assert '<input type="hidden" name="text" value="en">' in page
    assert main(reader("it"), "/rules/grand_campaign/?text=xx") == main(
        reader("it"), "/rules/grand_campaign/"
    )
    assert main(reader("en"), "/rules/grand_campaign/?text=en") == main(
        reader("en"), "/rules/grand_campaign/"
    )


@pytest.mark.django_db
def test_the_search_uses_the_language_of_the_text() -> None:
    italian = reader("it")
    assert "<mark>" not in main(italian, "/rules/grand_campaign/?q=wrecked")
    assert "<mark>d&#x27;assedio</mark>" in main(italian, "/rules/grand_campaign/?q=d%27assedio")
    page = main(italian, "/rules/grand_campaign/?q=wrecked&text=en")
    assert "<mark>wrecked</mark>" in page
    assert '<a class="small" href="?text=en">' in page
    assert '<a href="?text=en#r-9">' in page


@pytest.mark.django_db
def test_a_campaign_s_rules_are_in_the_reader_s_language_with_its_rulings(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    assert (
        grand_table.post("gm", "rulings/", text="A word of the table.", rule="3.12").status_code
        == 303
    )
    for address, begins in (
        ("rules/", "Ciò che una nazione fa"),
        ("rules/?text=en", "What a nation does this turn"),
    ):
        page = main(reader("it"), grand_table.home + address)
        paragraph = page.split('id="r-3.12"')[1].split('id="r-3.13"')[0]
        assert begins in paragraph
        assert "A word of the table." in paragraph


def test_the_same_paragraphs_can_be_cited_in_every_language() -> None:
    for title in TITLES:
        english, name = numbers(title), chapters(title)[0]
        assert not translated(title)
        with use_language("it"):
            assert translated(title)
            assert numbers(title) == english
            assert chapters(title)[0] != name
