"""A game master's move that the table itself enters: what both sides of a contest agreed on, or what was judged."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from campaign import positions
from campaign.audience import GAME_MASTER
from campaign.errors import Refused
from campaign.models import Campaign, LogEntry
from campaign.services import moving, parking
from engine.moves import Move


def heard(table: Campaign, raw: Mapping[str, Any]) -> Move:
    """The move as it will be read from the log, if nothing forbids it now. Raises `IllegalMove` with its `sentence`."""
    move = moving.allowed(table, positions.current(table), dict(raw))
    if move.seat != GAME_MASTER:
        raise Refused("no-result", _("Only the game master's own moves enter a result."))
    return move


def enter(table: Campaign, actor: Any, move: Move, at: datetime) -> LogEntry:
    """Play it at once. Asks for a transaction that holds the campaign's row, and for who may to be asked before.

    The record knows it as the game master's; the entry's actor is who brought it about, and the act before says how.
    """
    before = positions.current(table)
    if len(table.game.expand(before, move)) > 1:
        raise Refused("two-moves", _("Something must be said before: this result makes two entries."))
    parking.must_not_wait(table)
    entry, played = parking.say_or_park(table, actor, before, move.to_json(), positions.dice(table, new=True), at)
    moving.keep(table, before if played is None else played.after)
    return entry
