"""A Grand Campaign and five readers: game master, Hun, Roman, stranger, and an anonymous reader.

A module imports the fixtures that it needs. The seed is fixed, so that tests can compare pages
literally.
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


class GrandTable:
    """A campaign and the clients of its five readers.

    `get("hun", "log/")` requests a page of the campaign as the Hun; `play("romans", "build", …)`
    makes a move as game master.
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
        """Return the status that each of the five readers gets."""
        return {who: self.get(who, path).status_code for who in WHO}

    def play(self, seat: str, move: str, at: datetime | None = None, **given: Any) -> Any:
        """Make a move at the time `at`, or now."""
        gm = self.people["gm"]
        raw: dict[str, Any] = {"by": "gm", "move": move, **given}
        if seat != "gm":
            raw["for"] = seat
        result = services.play(self.campaign, gm, raw, selectors.seen(self.campaign, gm), now=at)
        self.campaign = result.campaign
        return result

    def seen(self, who: str) -> int:
        """Return the entry number that a form of a fresh page contains."""
        return selectors.seen(self.campaign, self.people.get(who))

    def open_hands(self) -> None:
        """Let the game master open every hidden hand."""
        self.post("gm", "n/all/look/")

    @property
    def order(self) -> list[str]:
        """Return the order of play of this turn."""
        return list(selectors.view(self.campaign, None)["order"])

    def slot_to(self, seat: str, at: datetime | None = None) -> None:
        """End slots until it is this seat's slot."""
        while self.campaign.active_seat != seat:
            self.play(self.campaign.active_seat, "end-slot", at)


@pytest.fixture
def new_campaign(person: Callable[..., Any]) -> Callable[..., GrandTable]:
    """Return a function that founds a campaign with the Hun and the Roman seated, not started.

    For example `found(hands="hidden", visibility="members")`.
    """
    people = {who: person(name) for who, name in NAMES.items()}

    def make(
        visibility: str = "listed",
        name: str = "The Long Frontier",
        chance: str = "",
        **options: Any,
    ) -> GrandTable:
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
        return GrandTable(campaign, people)

    make.people = people  # type: ignore[attr-defined]
    return make


@pytest.fixture
def draft(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    return new_campaign()


@pytest.fixture
def grand_table(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign in turn 1, in the slot of the Huns."""
    return campaign_in_huns_slot(new_campaign)


def campaign_in_huns_slot(
    new_campaign: Callable[..., GrandTable],
    name: str = "grand table",
    more: Callable[[GrandTable], Any] = lambda grand_table: None,
) -> GrandTable:
    """Return a campaign in the slot of the Huns in turn 1, after the moves of `more`.

    Campaigns of equal `name` are always equal (see `put_back`).
    """

    def play() -> Campaign:
        table = new_campaign()
        table.play("gm", "start")
        table.slot_to("huns")
        more(table)
        table.campaign.refresh_from_db()
        return table.campaign

    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    return GrandTable(
        put_back.play_or_restore(name, tuple(user.pk for user in people.values()), play), people
    )
