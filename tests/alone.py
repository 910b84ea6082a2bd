"""Fixtures of a campaign for one player: Patience (tests/solo.py), its player, another user.

A module imports those that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.log import positions, selectors
from campaign.models import Campaign
from games import registry
from tests.solo import Patience

SEED = "1" * 64
"""With this seed the first gold is 5."""


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Patience]:
    """Register Patience, which has its own page."""
    created = Patience()
    monkeypatch.setitem(registry.TITLES, created.key, created)
    own = str(Path(__file__).parent / "templates")
    settings.TEMPLATES = [
        {**engine, "DIRS": [*engine["DIRS"], own]} for engine in settings.TEMPLATES
    ]
    positions.memory.clear()
    yield created
    positions.memory.clear()


class Alone:
    """A campaign and its player's window.

    `post("act/", do="dig", depth="2")` is sent from a fresh page.
    """

    def __init__(self, campaign: Campaign, user: Any) -> None:
        self.campaign, self.user, self.client = campaign, user, Client()
        self.client.force_login(user)

    @property
    def home(self) -> str:
        return f"/c/{self.campaign.address}/"

    @property
    def seen(self) -> int:
        return selectors.seen(self.reload(), self.user)

    def reload(self) -> Campaign:
        self.campaign.refresh_from_db()
        return self.campaign

    def text(self, path: str = "", **query: str) -> str:
        return str(self.client.get(self.home + path, query).content.decode())

    def post(self, path: str, *, seen: int | None = None, **data: str) -> Any:
        return self.client.post(
            self.home + path, {"seen": str(self.seen if seen is None else seen), **data}
        )

    def content(self) -> list[str]:
        """Return the moves in force, by name."""
        return [entry.content["move"] for entry in positions.moves_in_force(self.campaign)]


@pytest.fixture
def alone(patience: Patience, person: Callable[..., Any]) -> Alone:
    """Return a new campaign, which begins at once: year 1, five gold."""
    user = person("Marozia")
    return Alone(services.found_campaign(user, "patience", "The Hill", "hill", seed=SEED), user)
