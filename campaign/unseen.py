"""A game master who is seen no more: whether his place may be taken, and which seats ask for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from campaign.models import Campaign, LogEntry, Membership
from people import presence

ACT = "new-master"
"""The act by which a seat asks for a new game master (`asked`), or takes that back (`kept`)."""
CHIEF, SEAT = Membership.Role.GAME_MASTER, Membership.Role.SEAT


@dataclass(frozen=True, slots=True)
class Unseen:
    """The game master has not been seen for 14 days: since when, which seats ask for a new one, of how many that may."""

    chief: Any
    since: date
    days: int
    asked: tuple[str, ...]
    seats: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Does a majority ask? Then the host may name a new one."""
        return 2 * len(self.asked) > len(self.seats)

    @property
    def needed(self) -> int:
        """How many seats are a majority."""
        return len(self.seats) // 2 + 1


def look(campaign: Campaign, places: Iterable[Membership], now: datetime) -> Unseen | None:
    """None where he has been seen within 14 days, and where nothing waits for him any more. `places` as
    `campaign.selectors.held` has them. One query, and that only where he is away.

    The game master's own seats neither ask nor count. What was asked before he was seen last counts no more, nor what a
    seat's earlier holder asked.
    """
    places = list(places)
    chief = next((one.user for one in places if one.role == CHIEF), None)
    if chief is None or campaign.ended or campaign.abandoned or campaign.archived or not presence.unseen(chief, now):
        return None
    holders = {one.seat: one.user_id for one in places if one.role == SEAT and one.user_id != chief.pk}
    after = datetime.combine(chief.seen_on + timedelta(days=1), time.min, UTC)
    said = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=ACT, at__gte=after)
    asks: dict[str, bool] = {}
    for entry in said.order_by("sequence"):
        if holders.get(entry.seat) == entry.actor_id:
            asks[entry.seat] = entry.said["how"] == "asked"
    asked = tuple(seat for seat in holders if asks.get(seat))
    return Unseen(chief, chief.seen_on, presence.away(chief, now), asked, tuple(holders))
