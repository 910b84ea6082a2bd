"""Fixtures of a table with five readers: game master, two players, stranger, anonymous reader.

The anonymous reader is None or `AnonymousUser`. A folder's conftest imports those that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from campaign import services
from campaign.log import positions, selectors
from games import registry
from tests.toy import Toy


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    """Register Heap as a title."""
    created = Toy()
    monkeypatch.setitem(registry.TITLES, created.key, created)
    positions.memory.clear()
    yield created
    positions.memory.clear()


class Table:
    """A campaign and its users.

    `play("ant", "add", stones=2)` makes a move on a fresh page.
    """

    def __init__(self, campaign: Any, people: dict[str, Any]) -> None:
        self.campaign = campaign
        self.people = people
        self.gm, self.stranger = people["gm"], people["stranger"]

    def seen(self, who: str) -> int:
        return selectors.seen(self.campaign, self.people[who])

    def play(self, who: str, move: str, *, seen: int | None = None, **given: Any) -> Any:
        raw = {"by": who, "move": move, **given}
        result = services.play(
            self.campaign, self.people[who], raw, self.seen(who) if seen is None else seen
        )
        self.campaign = result.campaign
        return result

    def reload(self) -> Any:
        self.campaign.refresh_from_db()
        return self.campaign

    def undo(self, number: int, reason: str = "A slip") -> Any:
        entry = services.undo_to(self.campaign, self.gm, number, reason, self.seen("gm"))
        self.reload()
        return entry


@pytest.fixture
def people(person: Callable[..., Any]) -> dict[str, Any]:
    return {key: person(key.title()) for key in ("gm", "ant", "bee", "stranger")}


@pytest.fixture
def table(people: dict[str, Any]) -> Table:
    """Return a campaign of Heap with all seats taken, not started."""
    campaign = services.found_campaign(people["gm"], "heap", "The Heap", "small", seed="5eed" * 16)
    for seat in ("ant", "bee"):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[seat], token)
    campaign.refresh_from_db()
    return Table(campaign, people)


@pytest.fixture
def running(table: Table) -> Table:
    """Return a campaign of Heap in its first turns, in the slot of the bee."""
    table.play("gm", "start")
    if table.campaign.active_seat == "ant":
        table.play("ant", "end")
    return table


@pytest.fixture
def grand(people: dict[str, Any]) -> SimpleNamespace:
    """Return a Grand Campaign with its first two seats taken."""
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", "The Grand One", "420ad", seed="5eed" * 16
    )
    seats = selectors.seats(campaign)
    for user, seat in zip((people["ant"], people["bee"]), seats, strict=False):
        _, token = services.invite(campaign, people["gm"], seat.key)
        services.take_seat(user, token)
    campaign.refresh_from_db()
    return SimpleNamespace(campaign=campaign, people=people, seats=seats)
