"""A program chooses for a seat: said in the log before it does, so that nobody takes its moves for a player's own."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, life
from campaign.errors import NotAllowed, Refused
from campaign.models import Campaign, LogEntry
from campaign.services import acts, log
from campaign.services.seating import free_seats, seat_keys

HOW = ("now", "end")
"""For the turn that runs, or to the end."""


@transaction.atomic
def deputize(campaign: Campaign, user: Any, seat: str, how: str, seen: int, *, now: datetime | None = None) -> LogEntry:
    """Log that a program chooses the moves of the seat that follow: the user's own, any for the game master, for one who
    plays where hands are hidden any that nobody holds. It stays: an undo strikes the moves, not this.

    Raises `TableMovedOn`, `NotAllowed` and `NotNow` as `services.play` does.
    """
    table, at = log.lock(campaign), log.moment(now)
    who = access.of(table, user)
    others = seat_keys(table) if who.game_master else free_seats(table) if who.host else ()
    if seat not in (*who.seats, *others):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    if how not in HOW:
        raise Refused("unknown-act", _("A program chooses for now or to the end."))
    life.must_be_played(table, by_master=False)  # what follows are the seat's moves, whoever lets them be chosen
    log.must_be_current(table, who, seen)
    return acts.append(table, user, {"act": log.DEPUTY, "how": how}, seat=seat, now=at)
