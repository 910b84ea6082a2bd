"""What a clock does by itself when its grace is over: as any move through the door, with the clock as its actor. In the
record it stands as the game master's `for` the seat."""

from __future__ import annotations

from datetime import datetime

from campaign import positions
from campaign.clocks.kinds import waited_for
from campaign.clocks.models import Clock
from campaign.models import Campaign, LogEntry
from campaign.services import moving, parking
from engine.title import Lapsing


def lapse(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that the title gives for whose time is over; None where it gives none now.

    Asks for a transaction that holds the campaign's row. Raises `IllegalMove` where the rules forbid it.
    """
    game, position = table.game, positions.current(table)
    waiting = waited_for(table, position, clock.kind, clock.seat, clock.contest)
    raw = game.lapse(position, waiting) if isinstance(game, Lapsing) and waiting is not None else None
    if raw is None:
        return None
    move = moving.allowed(table, position, raw)
    entry, played = parking.say_or_park(table, None, position, move.to_json(), positions.dice(table, new=True), at)
    moving.keep(table, position if played is None else played.after)
    return entry
