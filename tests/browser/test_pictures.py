"""The pictures of the documents, taken from the pages that they show.

`docs/pictures/NAME.png` is a picture, and `docs/pictures/pages.json` has a digest of the text of
each page. The tests fail if a page no longer has the text that it had when its picture was taken.
This takes all pictures again:

    TABULA_PICTURES=1 TABULA_TEST_DB=sqlite .venv/bin/python -m pytest -n 0 -m browser \
        tests/browser/test_pictures.py
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from campaign.log import selectors
from tests.browser.steady import wait_until
from tests.frozen import companions, grand
from tests.frozen.grand import Founder
from tests.frozen.scene import Scene
from tests.frozen.still import NOW, still
from tests.frozen.test_shots import steady_shot
from tests.web.grand_table import new_campaign
from tests.web.scenarios.test_editor import Author

__all__ = ["new_campaign", "still"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
PAGES = FOLDER / "pages.json"
NAMES = {"Gm": "Marozia", "Hun": "Ingrid", "Roman": "Benedetto", "Third": "Shirin"}
"""Names in the pictures for users whom the states of frozen pages name after their roles."""
COLOURS = 256


@dataclass(frozen=True)
class Picture:
    """A window on a page, scrolled to the element `top`."""

    reader: str
    address: str = ""
    top: str = ""
    width: int = 1280
    height: int = 960
    motion: str = "reduce"


def tetrarchs(founder: Founder) -> Scene:
    """Return a campaign of Tetrarchia in its second round, in the turn of the first player."""
    campaign, people = companions.pair(founder)
    built = companions.scene(campaign, people)
    companions.post(built, campaign, "gm", people["gm"], do="begin")
    companions.post(
        built, campaign, "hun", people["hun"], do="place_fleets", zones="internum-aegaeum"
    )
    while selectors.position(campaign).round == 1:
        companions.post(built, campaign, "gm", people["gm"], "onward/", how="deputy")
    return companions.scene(campaign, people)


def draft(founder: Founder) -> Scene:
    """Return a draft of a scenario that begins as a copy of 420 AD."""
    author = Author(founder.person("Ingrid"))
    author.begin()
    return Scene({"gm": author.client}, author.home)


STATES: dict[str, tuple[Callable[[Founder], Scene], dict[str, Picture]]] = {
    "The Long Frontier": (
        grand.demonstration,
        {
            "table": Picture("hun"),
            "nation": Picture("roman", "n/romans/?open=attack-land", "#g-military"),
            "battle": Picture("hun", "b/6/?by=shares&attacker=31&defender=46", "#report"),
            "history": Picture("nobody", "history/?at=43", motion="no-preference"),
            "phone": Picture("hun", width=390, height=844),
        },
    ),
    "March on Rome": (companions.choose, {"march": Picture("gm")}),
    "Tetrarchia": (tetrarchs, {"tetrarchia": Picture("hun")}),
    "History of the Roman Empire": (companions.faction_phase, {"empire": Picture("hun")}),
    "Editor": (draft, {"editor": Picture("gm", "?province=dalmatia", height=840)}),
}


@pytest.mark.parametrize("state", STATES)
def test_pictures_show_the_pages_as_they_are(
    state: str,
    still: Any,
    request: Any,
    new_page: Any,
    live_server: Any,
    person: Any,
    monkeypatch: Any,
    settings: Any,
) -> None:
    build, pictures = STATES[state]

    def named(name: str, **fields: Any) -> Any:
        return person(NAMES.get(name, name), **fields)

    built = build(Founder(request, named, monkeypatch, settings))
    digests = {}
    for name, picture in pictures.items():
        page = new_page(width=picture.width, height=picture.height)
        page.emulate_media(reduced_motion=picture.motion)
        page.clock.set_fixed_time(NOW)
        if cookie := built.clients[picture.reader].cookies.get("sessionid"):
            value = {"name": "sessionid", "value": cookie.value, "url": live_server.url}
            page.context.add_cookies([value])
        page.goto(built.path(picture.address))
        if picture.top:
            page.locator(picture.top).evaluate("(element) => element.scrollIntoView()")
        wait_until(page, "[...document.images].every((image) => image.complete)")
        digests[name] = digest(page.inner_text("body"))
        if os.environ.get("TABULA_PICTURES"):
            keep(name, steady_shot(page, full_page=False))
    if os.environ.get("TABULA_PICTURES"):
        store(digests)
    known = json.loads(PAGES.read_text(encoding="utf-8"))
    old = [name for name in digests if digests[name] != known.get(name)]
    assert old == [], "Take these pictures again, as the head of this file describes."


def digest(text: str) -> str:
    """Return the first ten hexadecimal digits of the hash of a text; white space does not count."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:10]


def keep(name: str, shot: bytes) -> None:
    """Write a picture with few colours, which makes it a third as large."""
    with Image.open(io.BytesIO(shot)) as image:
        reduced = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    reduced.save(FOLDER / f"{name}.png", optimize=True)


def store(digests: dict[str, str]) -> None:
    """Add digests of pages to the stored ones."""
    known = json.loads(PAGES.read_text(encoding="utf-8")) if PAGES.exists() else {}
    text = json.dumps(known | digests, indent=0, sort_keys=True)
    PAGES.write_text(text + "\n", encoding="utf-8")
