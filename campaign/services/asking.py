"""What a game master does for his own seat is said to be so in the log, and whoever may countersign it is asked.

The act stands at once, as any other: no campaign waits for somebody who is on holiday. Until somebody has countersigned
it, it is shown as not countersigned wherever it is shown (docs/decisions/0027).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from campaign import access, concerning, countersigned, positions
from campaign.audience import GAME_MASTER
from campaign.models import Campaign, LogEntry
from campaign.services import acts


def ask(
    table: Campaign, user: Any, entry: LogEntry, touched: Callable[[frozenset[str]], Iterable[str]], at: datetime
) -> LogEntry | None:
    """Ask for a countersignature under an entry just written, if `touched` tells any of its game master's own seats.

    Asks for a transaction that holds the campaign's row. `touched` is not called for who does not play.
    """
    if user is None or entry.number is None:
        return None
    seats = concerning.own(table, user, access.of(table, user))
    found = sorted(touched(seats)) if seats else []
    if not found:
        return None
    what = {"act": countersigned.OWN, "entry": entry.number, "seats": found}
    return acts.append(table, user, what, target=entry, now=at)


def of_moves(table: Campaign, user: Any, entries: Iterable[LogEntry], before: Any, after: Any, at: datetime) -> None:
    """The same for what a game master has announced: the moves among these entries, before and after all of them."""
    for entry in entries:
        said, effects = entry.said if entry.is_move else {}, entry.all_effects
        if said.get("by") != GAME_MASTER:  # a player's own: nobody's place is asked for
            continue
        ask(table, user, entry, lambda seats: concerning.of_move(table, said, effects, seats, before, after), at)  # noqa: B023


def of_contest(table: Campaign, user: Any, entry: LogEntry, number: int, at: datetime, position: Any = None) -> None:
    """The same for what a game master says at a contest."""
    position = positions.current(table) if position is None else position
    ask(table, user, entry, lambda seats: concerning.of_contest(table, number, seats, position), at)
