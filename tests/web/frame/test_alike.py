"""Sentences that are equal in English and another language: only names and exemptions.

Catalogues list the exemptions.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from config.message_catalogues import read
from config.message_sources import AREAS
from games.registry import TITLES
from people.validators import zones
from tests.addresses import names
from tests.translated import TRANSLATED
from tests.web.contests import attack_independents
from tests.web.frame.test_every_address import address, asked_by
from tests.web.frame.test_languages import ROOT
from tests.web.grand_table import NAMES, WHO, GrandTable, campaign_in_huns_slot, new_campaign  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

TEXT_ATTRIBUTES = ("aria-label", "title", "placeholder", "alt", "data-confirm", "aria-description")
DRAWN = (
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "cx",
    "cy",
    "r",
    "width",
    "height",
    "style",
    "offset",
    "max",
    "min",
    "step",
)
"""Numbers that a machine reads, which a decimal comma would break."""
COMMA = re.compile(r"^\S+ (?!style)\S+ .*\d,\d|style .*:\s*-?\d+,\d")
SILENT = {"script", "style", "code", "pre", "time", "text"}
"""Texts in no language, and the names on a map, which are Latin."""
KEYS = re.compile(r"\S*[/@]\S*|\b[0-9a-f]{12,}\b|\b\w+\.py\b|\{\w+\}")
BOARDS = {"phpBB", "MyBB", "Markdown", "Discord", "HTML", "mod"}
"""Names that are equal in every language."""
LINE = "Anna Hunnic (Western) 376-454 AD (1600) beats Ben Roman 425-492 AD (1570) 46-23"
"""The form of a result on the forum, which is shown unchanged."""
LETTERS = re.compile(r"[^\W\d_]{3,}")
OPEN = {"input", "br", "img", "meta", "link", "hr", "path", "use", "circle", "rect", "line"}


class Read(HTMLParser):
    """The texts of a page for readers and screen readers, and the values for machines."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.drawn: list[str] = []
        self.within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in OPEN:
            self.within.append(tag)
        for name, value in attrs:
            if name in TEXT_ATTRIBUTES and value:
                self.texts.append(" ".join(value.split()))
            elif name in DRAWN and value:
                self.drawn.append(f"{tag} {name} {value}")

    def handle_endtag(self, tag: str) -> None:
        while tag in self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not SILENT & set(self.within):
            self.texts.append(" ".join(data.split()))


def alike_on_purpose(language: str) -> set[str]:
    """Return the texts that a catalogue lists as equal in English and this language."""
    created = set()
    for area in AREAS:
        for message in read(ROOT / "locale" / language / f"{area}.po", language):
            pairs = (
                [(message.id, message.string)]
                if isinstance(message.id, str)
                else zip(message.id, message.string, strict=True)
            )
            created |= {english for english, other in pairs if english and english == other}
    return created


def given(grand_table: GrandTable) -> set[str]:
    """Return the names that people and the scenario have given."""
    scenario = json.loads(Client().get("/scenarios/grand_campaign/420ad.json").content)
    created = {place["name"] for place in scenario["nations"] + scenario["provinces"]}
    created |= {place["key"] for place in scenario["nations"] + scenario["provinces"]}
    drawn = json.loads(Client().get("/scenarios/grand_campaign/420ad/drawing.json").content)[
        "provinces"
    ].values()
    created |= {
        row[place]["name"] for row in drawn for place in ("seat", "port") if place in row
    } | {
        "three_peoples.json",
        "240 BC: Nine Powers",
    }
    created |= {nation["name"][:3] for nation in scenario["nations"]} | {
        place["army"] for place in scenario["nations"] + scenario["provinces"]
    }
    created |= (
        {title.name for title in TITLES.values()} | {"https://", LINE, "start", "Province"} | BOARDS
    )
    return (
        created
        | set(NAMES.values())
        | {grand_table.campaign.name, "Tabula", "English", "Deutsch", "Español", "Italiano"}
    )


def without(allowed: set[str]) -> Callable[[str], str]:
    """Return a function that removes these texts from a text, the longest first.

    Results are cached, because pages repeat their texts.
    """
    given = [
        re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        for word in sorted(allowed, key=len, reverse=True)
    ]

    @cache
    def left(text: str) -> str:
        text = KEYS.sub("", text)
        for name in given:
            text = name.sub("", text)
        return text

    return left


@pytest.fixture
def grand_table(new_campaign: Any) -> GrandTable:  # noqa: F811
    return campaign_in_huns_slot(new_campaign, "covert attack", attack_independents)


@pytest.mark.parametrize(
    "language",
    [
        language if language == "de" else pytest.param(language, marks=pytest.mark.long)
        for language in TRANSLATED
    ],
)
@pytest.mark.parametrize(
    "people", [("hun",), pytest.param(WHO, marks=pytest.mark.nightly)], ids=["one", "all"]
)
def test_no_page_has_equal_sentences_in_two_languages(
    grand_table: GrandTable, people: tuple[str, ...], language: str
) -> None:
    left = without(given(grand_table) | alike_on_purpose(language))
    zoned = {name.replace("_", " ") for name in zones()} | set(zones())
    found_alike: set[str] = set()
    clients = {
        (who, spoken): Client(headers={"accept-language": spoken})
        for who in WHO
        for spoken in ("en", language)
    }
    for (who, _), client in clients.items():
        client.raise_request_exception = False
        if who in grand_table.people:
            client.force_login(grand_table.people[who])
    # Each language has its own files of the guide. The terms and the privacy page are the host's
    # own file, or the default one, which is in English.
    for name in sorted(
        names()
        - {"account_logout", "mfa_download_recovery_codes", "guide", "privacy", "terms_of_site"}
    ):
        path = address(name)
        whole = path if path.startswith("/") else grand_table.home + path
        for who in set(asked_by(path)) & set(people):
            pages = []
            for spoken in ("en", language):
                answer = clients[who, spoken].get(whole)
                pages.append(
                    answer.content.decode()
                    if answer["Content-Type"].startswith("text/html")
                    else ""
                )
            english, other = Read(pages[0]), Read(pages[1])
            both = set(english.texts) & set(other.texts) - zoned
            found_alike |= {f"{name}: {text}" for text in both if LETTERS.search(left(text))}
            found_alike |= {f"{name}: {text}" for text in other.drawn if COMMA.search(text)}
    assert not found_alike, "\n".join(sorted(found_alike))
