"""A campaign of a title with its own page, and the windows of its users."""

from __future__ import annotations

from typing import Any

from django.test import Client

from campaign.log import selectors
from campaign.models import Campaign


class Table:
    """A campaign and the windows of its users.

    `post("east", do="secure")` is sent from a fresh page.
    """

    def __init__(self, campaign: Campaign, people: dict[str, Any]) -> None:
        self.campaign, self.people = campaign, people
        self.clients = {who: Client() for who in people} | {"nobody": Client()}
        for who, user in people.items():
            self.clients[who].force_login(user)

    @property
    def home(self) -> str:
        return f"/c/{self.campaign.address}/"

    @property
    def position(self) -> Any:
        self.campaign.refresh_from_db()
        return selectors.position(self.campaign)

    def text(self, who: str, path: str = "") -> str:
        answer = self.clients[who].get(self.home + path)
        assert answer.status_code == 200
        return str(answer.content.decode())

    def post(self, who: str, where: str = "act/", **data: str) -> Any:
        self.campaign.refresh_from_db()
        seen = str(selectors.seen(self.campaign, self.people[who]))
        return self.clients[who].post(self.home + where, {"seen": seen, **data})
