"""Every page and every answer of the interface, for the five people in both languages, held to one file of hashes.

Chance and time are fixed, so that equal pages are equal texts. Words that change on purpose are written anew:
`TABULA_FREEZE=1 script/test tests/web/test_frozen.py` and a line in the commit that says which.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from campaign import services
from engine.strict_json import read
from games.replay import replay
from people import tokens
from tests.api.test_reads import READS
from tests.conftest import confirm
from tests.web.contests import covert_attack
from tests.web.five import SEED, WHO, Five, huns_slot, new_campaign  # noqa: F401
from tests.web.shell.test_who_may import PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.nightly]
FILE = Path(__file__).with_name("frozen.json")
NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
CASES = Path(__file__).resolve().parents[1] / "grand_campaign" / "cases"
OPTIONS: dict[str, dict[str, Any]] = {"roman_empire": {"players": 3}}
COMPANIONS = {"march_on_rome": "standard", "tetrarchia": "standard", "roman_empire": "standard"}
COMPANION_PAGES = [
    "",
    "log/",
    "history/",
    "ledger/",
    "charts/",
    "dice/",
    "reports/",
    "rules/",
    "seats/",
    "desk/",
    "record.json",
    "story/",
]


class Stream:
    """Bytes that look like chance and are the same each time."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(str(self.count).encode()).digest(size)


STREAM = Stream()


@pytest.fixture(autouse=True)
def _no_chance(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(random, "_urandom", STREAM)
    monkeypatch.setattr(os, "urandom", STREAM)
    random.seed(420)
    with time_machine.travel(NOW, tick=False):
        yield


MARKS = (
    (re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken&quot;: &quot;|X-CSRFToken": ")\w+'), r"\1T"),
    (re.compile(r"/static/([\w./-]+?)\.[0-9a-f]{12}\."), r"/static/\1."),
    (re.compile(r'(data-at="\d+\.)[0-9a-f]{16}'), r"\1"),
    (re.compile(r'nonce="[^"]+"'), "nonce"),
)


def digest(response: Any) -> str:
    """Status, target and body; without what differs from request to request."""
    text = getattr(response, "content", None)
    body = (b"".join(response.streaming_content) if text is None else text).decode("utf-8", "replace")
    for mark, by in MARKS:
        body = mark.sub(by, body)
    whole = f"{response.status_code} {response.headers.get('Location', '')} {response.headers.get('Content-Type', '')}\n{body}"
    if folder := os.environ.get("TABULA_FROZEN_TEXTS"):
        name = hashlib.sha256(whole.encode()).hexdigest()[:16]
        (Path(folder) / name).write_text(whole)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def sweep(clients: dict[str, Client], paths: dict[str, str], **headers: dict[str, str]) -> dict[str, str]:
    """A line for each address, person and language."""
    answers = {}
    for language in ("en", "it"):
        for who, client in clients.items():
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            for name, path in paths.items():
                extra = {"accept-language": language, **headers.get(who, {})}
                answers[f"{name} {who} {language}"] = digest(client.get(path, headers=extra))
    return answers


def whole(new_campaign: Callable[..., Five]) -> Five:  # noqa: F811
    """Turn 1 with the Hun's slot open, something built and undone, and a covert attack of the Hun running."""

    STREAM.count = 0

    def play(table: Five) -> None:
        table.play("huns", "build", structure="hamlets")
        services.undo_to(table.campaign, table.people["gm"], table.campaign.last_number - 1, "A slip", table.seen("gm"))
        table.campaign.refresh_from_db()
        covert_attack(table)

    return huns_slot(new_campaign, "frozen", play)


def pages(new_campaign: Callable[..., Five]) -> dict[str, str]:  # noqa: F811
    five = whole(new_campaign)
    paths = {name: path if path.startswith("/") else five.home + path for name, (path, _) in PAGES.items()}
    left_out = {"pack", "pack_waits"}  # a pack holds its own moment
    return sweep(five.clients, {name: path for name, path in paths.items() if name not in left_out})


def answers(new_campaign: Callable[..., Five]) -> dict[str, str]:  # noqa: F811
    five = whole(new_campaign)
    home = f"/api/v1/campaigns/{five.campaign.address}/"
    paths = {name: path if path.startswith("/") else home + path for name, (path, _, _) in READS.items()}
    headers = {}
    for who in WHO:
        if who != "nobody":
            secret = tokens.make(confirm(five.people[who]), who, "play", NOW)[1]
            headers[who] = {"authorization": f"Bearer {secret}"}
    return sweep({who: Client(raise_request_exception=False) for who in WHO}, paths, **headers)


def companions(new_campaign: Callable[..., Five]) -> dict[str, str]:  # noqa: F811
    """The other titles just after they began, for who plays and for nobody."""
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    user, stranger = people["gm"], people["stranger"]
    shown = {}
    for number, (title, scenario) in enumerate(COMPANIONS.items(), 1):
        STREAM.count = number * 1_000_000  # what was asked for before changes no address
        campaign = services.found_campaign(
            user, title, "The reign", scenario, OPTIONS.get(title, {}), visibility="listed", seed=SEED
        )
        clients = {"gm": Client(), "stranger": Client(), "nobody": Client()}
        clients["gm"].force_login(user)
        clients["stranger"].force_login(stranger)
        paths = {f"{title} {path}": f"/c/{campaign.address}/{path}" for path in COMPANION_PAGES}
        shown |= sweep(clients, paths | {f"{title} rulebook": f"/rules/{title}/", f"{title} front": f"/play/{title}/"})
    return shown


def replays() -> dict[str, str]:
    """What each record of the samples comes to, entry by entry in its digests."""
    shown = {}
    for path in sorted(CASES.glob("*.json")):
        case = read(path.read_text("utf-8"))
        if "record" not in case:
            continue
        text = json.dumps(replay(case["record"]), sort_keys=True, ensure_ascii=False, default=str)
        shown[path.name] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return shown


@pytest.mark.parametrize("part", ["pages", "answers", "companions", "replays"])
def test_nothing_has_changed(part: str, new_campaign: Callable[..., Five]) -> None:  # noqa: F811
    created = {
        "pages": lambda: pages(new_campaign),
        "answers": lambda: answers(new_campaign),
        "companions": lambda: companions(new_campaign),
    }
    shown = created[part]() if part in created else replays()
    frozen = json.loads(FILE.read_text()) if FILE.exists() else {}
    if os.environ.get("TABULA_FREEZE"):
        FILE.write_text(json.dumps({**frozen, part: shown}, indent=0, sort_keys=True) + "\n")
        return
    changed = {name for name in shown | frozen[part] if shown.get(name) != frozen[part].get(name)}
    assert changed == set()
