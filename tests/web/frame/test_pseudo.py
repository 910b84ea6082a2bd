"""A language that has every sentence between ⟦ and ⟧: what a page shows without these, no catalogue
was asked for.
"""

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
from config.management.commands import messages as commands_messages
from engine.language import use_catalogues
from games.grand_campaign.text.words import shipped_forms
from games.roman_empire.rules import position as roman_empire
from games.tetrarchia.rules import position as tetrarchia
from people.validators import zones
from tests.web.contests import covert_attack
from tests.web.five import SEED, Five, huns_slot, new_campaign  # noqa: F401
from tests.web.frame.test_alike import LETTERS, OPEN, SAID, SILENT, given, without
from tests.web.frame.test_languages import ROOT
from tests.web.frame.test_who_may import PAGES

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
"""A sentence may go on within and behind these; all else ends it."""
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
"""Rules are whole files in each language; the terms and the privacy page are the host's, or ours in
English.
"""


def pseudo() -> Catalog:
    """Every message of the program between its marks."""
    created = Catalog(locale="it", charset="utf-8")
    for asked in commands_messages.wanted_messages(ROOT).values():
        for one in asked.values():
            texts = [f"⟦{text}⟧" for text in (one.single, one.plural) if text]
            created.add(
                (one.single, one.plural) if one.plural else one.single,
                texts if one.plural else texts[0],
                context=one.context or None,
            )
    return created


class Unmarked(HTMLParser):
    """What of a page's texts stands outside the marks."""

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
            if name in SAID and value:
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
    """Texts that our code keeps by language are made anew."""
    rooms = {
        path.name for path in Path(configured.BASE_DIR).iterdir() if (path / "__init__.py").exists()
    }
    for one in gc.get_objects():
        # `type`, not `isinstance`: a proxy whose object is gone would be asked for its class.
        if (
            type(one) is functools._lru_cache_wrapper
            and (one.__module__ or "").split(".")[0] in rooms
        ):
            one.cache_clear()


@pytest.fixture
def marked(tmp_path: Path, settings: Any) -> Iterator[None]:
    """The marks take the place of Italian."""
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
        | {one.name for one in tetrarchia.SPACES.values()}
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
            one.name
            for table in (
                roman_empire.LANDS,
                roman_empire.STATES,
                roman_empire.EMPERORS,
                roman_empire.CARDS,
            )
            for one in table.values()
        }
    ),
}
"""What is a name, as maps and counters have them in Latin, or called so in every language."""
SHORTENED = re.compile(r"[0-9a-f]{8}…[0-9a-f]{6}")


@pytest.mark.long
@pytest.mark.parametrize("title", ["grand_campaign", *TITLES])
def test_every_sentence_of_a_page_was_asked_of_a_catalogue(
    title: str,
    new_campaign: Callable[..., Five],  # noqa: F811
    marked: None,
) -> None:
    five = huns_slot(new_campaign, "pseudo", covert_attack)
    if title == "grand_campaign":
        paths = {
            name: path if path.startswith("/") else five.home + path
            for name, (path, _) in PAGES.items()
            if name not in LEFT_OUT
        }
        clients = [five.clients["gm"], five.clients["hun"]]
    else:
        campaign = found_campaign(
            five.people["gm"],
            title,
            "pseudo",
            "standard",
            TITLES[title],
            visibility="listed",
            seed=SEED,
        )
        paths = {path: f"/c/{campaign.address}/{path}" for path in TITLES_PAGES}
        clients = [Client()]
        clients[0].force_login(five.people["gm"])
    left = without(given(five) | NAMES[title])
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
