"""A pseudo-language with every sentence between ⟦ and ⟧, to find texts without translation."""

from __future__ import annotations

import functools
import gc
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings as configured
from django.test import Client

from campaign.founding import found_campaign
from config import catalogues
from config.message_sources import template_catalogues
from engine.language import use_catalogues
from games.grand_campaign.text.words import shipped_forms
from games.roman_empire.rules import position as roman_empire
from games.tetrarchia.rules import position as tetrarchia
from people.validators import zones
from tests.web.contests import attack_independents
from tests.web.frame.test_alike import LETTERS, OPEN, SILENT, TEXT_ATTRIBUTES, given, without
from tests.web.frame.test_languages import ROOT
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import SEED, GrandTable, campaign_in_huns_slot, new_campaign  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "br",
    "cite",
    "code",
    "data",
    "em",
    "i",
    "kbd",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "time",
}
"""Elements within which a sentence may continue; all others end it."""
TITLES: dict[str, dict[str, Any]] = {
    "march_on_rome": {},
    "tetrarchia": {},
    "roman_empire": {"players": 3},
}
TITLES_PAGES = (
    "",
    "log/",
    "history/",
    "ledger/",
    "charts/",
    "dice/",
    "reports/",
    "reports/chronicle/",
    "seats/",
)
LEFT_OUT = {"rules", "rulebook", "campaign_rules", "language", "guide", "privacy", "terms_of_site"}
"""Pages of whole files: rules in each language, and the host's terms and privacy page, which have
English defaults.
"""


def pseudo() -> Catalog:
    """Return every message of the program between its marks."""
    created = Catalog(locale="it", charset="utf-8")
    for template in template_catalogues(ROOT).values():
        for message in template:
            if message.pluralizable:
                created.add(
                    message.id, tuple(f"⟦{text}⟧" for text in message.id), context=message.context
                )
            elif message.id:
                created.add(message.id, f"⟦{message.id}⟧", context=message.context)
    return created


class Unmarked(HTMLParser):
    """The texts of a page that are outside the marks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.within: list[str] = []
        self.depth = 0
        self.feed(page)

    def take(self, text: str) -> None:
        outside = ""
        for sign in text:
            if sign == "⟧":
                self.depth = max(0, self.depth - 1)
            elif sign == "⟦":
                self.depth += 1
                outside += " "
            elif not self.depth:
                outside += sign
        if outside.strip():
            self.texts.append(" ".join(outside.split()))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in OPEN:
            self.within.append(tag)
        if tag not in INLINE:
            self.depth = 0
        outer = self.depth
        for name, value in attrs:
            if name in TEXT_ATTRIBUTES and value:
                self.depth = 0
                self.take(value)
        self.depth = outer

    def handle_endtag(self, tag: str) -> None:
        while tag in self.within and self.within.pop() != tag:
            pass
        if tag not in INLINE:
            self.depth = 0

    def handle_data(self, data: str) -> None:
        if not SILENT & set(self.within):
            self.take(data)


def forget() -> None:
    """Empty the caches in which the program keeps texts by language."""
    rooms = {
        path.name for path in Path(configured.BASE_DIR).iterdir() if (path / "__init__.py").exists()
    }
    for thing in gc.get_objects():
        # `type`, not `isinstance`, which would ask a proxy for the class of an object that is gone.
        if (
            type(thing) is functools._lru_cache_wrapper
            and (thing.__module__ or "").split(".")[0] in rooms
        ):
            thing.cache_clear()


@pytest.fixture
def marked(tmp_path: Path, settings: Any) -> Iterator[None]:
    """Replace Italian by the pseudo-language."""
    compiled = configured.LOCALE_PATHS[0]
    catalogues.write(pseudo(), "it", tmp_path)
    settings.LOCALE_PATHS = [tmp_path]
    try:
        use_catalogues(tmp_path)
        forget()
        yield
    finally:
        use_catalogues(compiled)
        forget()


NAMES = {
    "grand_campaign": (
        {"HMAC-SHA256"}
        | {forms["it"]["name"] for forms in shipped_forms().values()}
        | {forms["it"]["name"][:3] for forms in shipped_forms().values()}
    ),
    "march_on_rome": {"HMAC-SHA256", "Albinus", "Alb", "pseudo"},
    "tetrarchia": (
        {"HMAC-SHA256", "pseudo", "III"}
        | {space.name for space in tetrarchia.SPACES.values()}
        | {*tetrarchia.ZONES.values(), *tetrarchia.REGIONS.values()}
    ),
    "roman_empire": (
        {
            "HMAC-SHA256",
            "pseudo",
            *roman_empire.AREAS.values(),
            *roman_empire.PEOPLES.values(),
        }
        | {
            text.name
            for table in (
                roman_empire.LANDS,
                roman_empire.STATES,
                roman_empire.EMPERORS,
                roman_empire.CARDS,
            )
            for text in table.values()
        }
    ),
}
"""Names, which maps and counters have in Latin, and words that are equal in every language."""
SHORTENED = re.compile(r"[0-9a-f]{8}…[0-9a-f]{6}")


@pytest.mark.long
@pytest.mark.parametrize("title", ["grand_campaign", *TITLES])
def test_every_sentence_of_a_page_can_be_translated(
    title: str,
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    marked: None,
) -> None:
    grand_table = campaign_in_huns_slot(new_campaign, "pseudo", attack_independents)
    if title == "grand_campaign":
        paths = {
            name: path if path.startswith("/") else grand_table.home + path
            for name, (path, _) in PAGES.items()
            if name not in LEFT_OUT
        }
        clients = [grand_table.clients["gm"], grand_table.clients["hun"]]
    else:
        campaign = found_campaign(
            grand_table.people["gm"],
            title,
            "pseudo",
            "standard",
            TITLES[title],
            visibility="listed",
            seed=SEED,
        )
        paths = {path: f"/c/{campaign.address}/{path}" for path in TITLES_PAGES}
        clients = [Client()]
        clients[0].force_login(grand_table.people["gm"])
    left = without(given(grand_table) | NAMES[title])
    zoned = {name.replace("_", " ") for name in zones()} | set(zones())
    unmarked = set()
    for client in clients:
        client.cookies[configured.LANGUAGE_COOKIE_NAME] = "it"
        client.raise_request_exception = False
        for name, path in paths.items():
            answer = client.get(path, headers={"accept-language": "it"})
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                texts = Unmarked(answer.content.decode()).texts
                unmarked |= {
                    f"{name}: {text}"
                    for text in set(texts) - zoned
                    if LETTERS.search(SHORTENED.sub("", left(text)))
                }
    assert not unmarked, "\n".join(sorted(unmarked))
