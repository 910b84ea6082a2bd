"""A Grand Campaign and the five who ask for its pages: the game master, the Hun, the Roman, the
stranger, nobody.

A module imports the fixtures it wants. The seed is fixed, so that pages can be held to their words.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from tests.web import put_back

WHO = ("gm", "hun", "roman", "stranger", "nobody")
NAMES = {"gm": "Marozia", "hun": "Ingrid", "roman": "Benedetto", "stranger": "Sid"}
SEED = "0" * 64


class Five:
    """`get("hun", "log/")` asks for a page of the campaign as the Hun; `play("romans", "build", …)`
    as game master.
    """

    def __init__(self, campaign: Campaign, people: dict[str, Any]) -> None:
        self.campaign = campaign
        self.people = people
        self.clients = {who: Client() for who in WHO}
        for who, user in people.items():
            self.clients[who].force_login(user)

    @property
    def home(self) -> str:
        return f"/c/{self.campaign.address}/"

    def get(self, who: str, path: str = "", **query: str) -> Any:
        return self.clients[who].get(path if path.startswith("/") else self.home + path, query)

    def text(self, who: str, path: str = "", **query: str) -> str:
        return str(self.get(who, path, **query).content.decode())

    def post(self, who: str, path: str, follow: bool = False, **data: str) -> Any:
        return self.clients[who].post(
            path if path.startswith("/") else self.home + path, data, follow=follow
        )

    def statuses(self, path: str) -> dict[str, int]:
        """What each of the five is answered."""
        return {who: self.get(who, path).status_code for who in WHO}

    def play(self, seat: str, move: str, at: datetime | None = None, **given: Any) -> Any:
        """`at` is the moment of the move; none: now."""
        gm = self.people["gm"]
        raw: dict[str, Any] = {"by": "gm", "move": move, **given}
        if seat != "gm":
            raw["for"] = seat
        result = services.play(self.campaign, gm, raw, selectors.seen(self.campaign, gm), now=at)
        self.campaign = result.campaign
        return result

    def seen(self, who: str) -> int:
        """What a form of a fresh page would say."""
        return selectors.seen(self.campaign, self.people.get(who))

    def open_hands(self) -> None:
        """The game master looks at every hidden hand."""
        self.post("gm", "n/all/look/")

    @property
    def order(self) -> list[str]:
        """The order of play of this turn."""
        return list(selectors.view(self.campaign, None)["order"])

    def slot_to(self, seat: str, at: datetime | None = None) -> None:
        """End slots until it is this seat's."""
        while self.campaign.active_seat != seat:
            self.play(self.campaign.active_seat, "end-slot", at)


@pytest.fixture
def new_campaign(person: Callable[..., Any]) -> Callable[..., Five]:
    """`found(hands="hidden", visibility="members")`: founded, the Hun and the Roman seated, not
    started.
    """
    people = {who: person(name) for who, name in NAMES.items()}

    def make(
        visibility: str = "listed",
        name: str = "The Long Frontier",
        chance: str = "",
        **options: Any,
    ) -> Five:
        campaign = services.found_campaign(
            people["gm"],
            "grand_campaign",
            name,
            "420ad",
            options,
            "Europe/Rome",
            visibility,
            seed=SEED,
            chance=chance,
        )
        for who, seat in (("hun", "huns"), ("roman", "romans")):
            _, token = services.invite(campaign, people["gm"], seat)
            services.take_seat(people[who], token)
        campaign.refresh_from_db()
        return Five(campaign, people)

    make.people = people  # type: ignore[attr-defined]
    return make


@pytest.fixture
def draft(new_campaign: Callable[..., Five]) -> Five:
    return new_campaign()


@pytest.fixture
def five(new_campaign: Callable[..., Five]) -> Five:
    """Turn 1, the slot of the Huns."""
    return huns_slot(new_campaign)


def huns_slot(
    new_campaign: Callable[..., Five],
    name: str = "five",
    more: Callable[[Five], Any] = lambda five: None,
) -> Five:
    """Turn 1, the slot of the Huns, and what `more` plays; under a `name` always the same (see
    `put_back`).
    """

    def play() -> Campaign:
        table = new_campaign()
        table.play("gm", "start")
        table.slot_to("huns")
        more(table)
        table.campaign.refresh_from_db()
        return table.campaign

    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    return Five(put_back.played(name, tuple(user.pk for user in people.values()), play), people)
