"""The announcement of typed moves that were understood, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import npgettext

from campaign import services
from campaign.errors import TableError
from campaign.log import selectors
from campaign.models import GAME_MASTER, AccessLogEntry
from engine.errors import IllegalMove
from web.frame.table import TableContext
from web.typed_moves.reader import ReadLine


def note_access(table: TableContext, readings: Sequence[ReadLine]) -> None:
    """Log the seats for which the game master speaks: their possible moves reveal their hands."""
    seats = {line.reading.seat for line in readings if line.by == GAME_MASTER != line.reading.seat}
    for seat in sorted(seats):
        services.log_access(table.campaign, table.user, seat, AccessLogEntry.Way.MOVE)


@dataclass(frozen=True, slots=True)
class Announced:
    """The number of announced moves, and why the next move was refused."""

    count: int
    why: str = ""


def announce_moves(
    table: TableContext,
    readings: Sequence[ReadLine],
    seen: int,
    shown: services.PagePosition | None,
) -> Announced:
    """Announce the moves, beginning with the first.

    `seen` is the last entry that the page had shown, `shown` the position there if the table has
    moved on since.
    """
    count = 0
    for line in readings:
        if not line.is_possible or line.reading.raw is None:
            break
        try:
            result = services.play(table.campaign, table.user, line.reading.raw, seen, shown=shown)
        except (TableError, IllegalMove) as error:
            return Announced(count, refusal_text(table, error))
        count += 1
        seen = selectors.seen_after(result.campaign, table.user)
        shown = services.page_position_after(shown, result.entries)
        if result.rolls:
            break
    return Announced(count)


def refusal_text(table: TableContext, error: TableError | IllegalMove) -> str:
    return table.why_not(error) if isinstance(error, IllegalMove) else str(error)


def confirm_count(request: HttpRequest, count: int) -> None:
    text = npgettext(
        "typed moves", "%(count)d move announced.", "%(count)d moves announced.", count
    )
    messages.success(request, text % {"count": count})
