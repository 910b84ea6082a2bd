"""No page shows a sentence that is the same in English and another language: what is alike is a
name, or a catalogue says so.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from config.management.commands import messages as commands_messages
from games.registry import TITLES
from people.validators import zones
from tests.addresses import names
from tests.translated import TRANSLATED
from tests.web.contests import covert_attack
from tests.web.five import NAMES, WHO, Five, huns_slot, new_campaign  # noqa: F401
from tests.web.frame.test_every_address import address, asked_by
from tests.web.frame.test_languages import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

SAID = ("aria-label", "title", "placeholder", "alt", "data-confirm", "aria-description")
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
"""Numbers that a machine reads: the comma of a decimal would spoil them."""
COMMA = re.compile(r"^\S+ (?!style)\S+ .*\d,\d|style .*:\s*-?\d+,\d")
SILENT = {"script", "style", "code", "pre", "time", "text"}
"""What is no language, or the names on a map, which are Latin."""
KEYS = re.compile(r"\S*[/@]\S*|\b[0-9a-f]{12,}\b|\b\w+\.py\b|\{\w+\}")
BOARDS = {"phpBB", "MyBB", "Markdown", "Discord", "HTML", "mod"}
"""What is called so in every language."""
LINE = "Anna Hunnic (Western) 376-454 AD (1600) beats Ben Roman 425-492 AD (1570) 46-23"
"""How a result is posted on the forum, shown as it is."""
LETTERS = re.compile(r"[^\W\d_]{3,}")
OPEN = {"input", "br", "img", "meta", "link", "hr", "path", "use", "circle", "rect", "line"}


class Read(HTMLParser):
    """The texts of a page as people read or hear them, and the values that machines read."""

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
            if name in SAID and value:
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
    """What a catalogue says is the same word in English and in this language."""
    created = set()
    for area in commands_messages.AREAS:
        for one in commands_messages.read(ROOT / "locale" / language / f"{area}.po", language):
            pairs = (
                [(one.id, one.string)]
                if isinstance(one.id, str)
                else zip(one.id, one.string, strict=True)
            )
            created |= {english for english, other in pairs if english and english == other}
    return created


def given(five: Five) -> set[str]:
    """What people and the scenario named."""
    scenario = json.loads(Client().get("/scenarios/grand_campaign/420ad.json").content)
    created = {one["name"] for one in scenario["nations"] + scenario["provinces"]}
    created |= {one["key"] for one in scenario["nations"] + scenario["provinces"]}
    drawn = json.loads(Client().get("/scenarios/grand_campaign/420ad/drawing.json").content)[
        "provinces"
    ].values()
    created |= {
        row[place]["name"] for row in drawn for place in ("seat", "port") if place in row
    } | {
        "three_peoples.json",
        "240 BC: Nine Powers",
    }
    created |= {one["name"][:3] for one in scenario["nations"]} | {
        one["army"] for one in scenario["nations"] + scenario["provinces"]
    }
    created |= (
        {title.name for title in TITLES.values()} | {"https://", LINE, "start", "Province"} | BOARDS
    )
    return (
        created
        | set(NAMES.values())
        | {five.campaign.name, "Tabula", "English", "Deutsch", "Español", "Italiano"}
    )


def without(allowed: set[str]) -> Callable[[str], str]:
    """Takes those out of a text, the longest first; pages say the same again and again, so that
    each text is looked at once.
    """
    given = [
        re.compile(rf"(?<!\w){re.escape(one)}(?!\w)")
        for one in sorted(allowed, key=len, reverse=True)
    ]

    @cache
    def left(text: str) -> str:
        text = KEYS.sub("", text)
        for one in given:
            text = one.sub("", text)
        return text

    return left


@pytest.fixture
def five(new_campaign: Any) -> Five:  # noqa: F811
    return huns_slot(new_campaign, "covert attack", covert_attack)


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
def test_no_page_is_alike_in_two_languages(
    five: Five, people: tuple[str, ...], language: str
) -> None:
    left = without(given(five) | alike_on_purpose(language))
    zoned = {name.replace("_", " ") for name in zones()} | set(zones())
    found_alike: set[str] = set()
    clients = {
        (who, spoken): Client(headers={"accept-language": spoken})
        for who in WHO
        for spoken in ("en", language)
    }
    for (who, _), client in clients.items():
        client.raise_request_exception = False
        if who in five.people:
            client.force_login(five.people[who])
    # A guide is a file a language; the terms and the privacy page are the host's own file, or ours,
    # which is in English.
    for name in sorted(
        names()
        - {"account_logout", "mfa_download_recovery_codes", "guide", "privacy", "terms_of_site"}
    ):
        path = address(name)
        whole = path if path.startswith("/") else five.home + path
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
