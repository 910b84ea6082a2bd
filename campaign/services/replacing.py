"""A player replaced for good (RULES 11): his unfinished battles attributed, his seat freed or given to who waits for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from campaign import access
from campaign.models import Campaign, Membership
from campaign.services import door, log, reserve, seating


@transaction.atomic
def replace(
    campaign: Campaign,
    user: Any,
    seat: str,
    successor: int | None,
    moves: Sequence[Mapping[str, Any]],
    seen: int,
    *,
    now: datetime | None = None,
) -> Membership | None:
    """The game master makes these moves of his own, each through the door, then frees the seat and seats `successor`, a
    user's number who waits for one (None: nobody yet). All of it, or nothing. Raises what the door and the seats raise."""
    table, at = log.lock(campaign), log.moment(now)
    who = access.must_be_game_master(table, user)
    seating.held_seat(table, user, seat)
    log.must_be_current(table, who, seen)
    for raw in moves:
        last = log.visible_entries(table, who).count() - 1
        table = door.play(table, user, dict(raw), last, now=at).campaign
    seating.vacate(table, user, seat, now=at)
    return None if successor is None else reserve.seat_reserve(table, user, successor, seat, now=at)
