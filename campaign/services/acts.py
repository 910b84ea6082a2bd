"""The table's own acts: what is said there and is no move. An act changes no position."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from campaign import positions
from campaign.models import Campaign, LogEntry
from campaign.services import log


def append(
    table: Campaign,
    user: Any,
    what: Mapping[str, Any],
    *,
    seat: str = "",
    audience: tuple[str, ...] | None = None,
    target: LogEntry | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """Log an act: `what` has its name under `act`, people as user ids, no sentence; `campaign/words.py` says it.

    Asks for a transaction that holds the campaign's row (`log.lock`), and for who may do it to be asked before. An act
    that makes nobody's page stale belongs into `log.QUIET`. `target` is the entry it concerns.
    """
    at = log.moment(now)
    entry = log.append(table, what, positions.current(table), actor=user, seat=seat, audience=audience, target=target, at=at)
    table.save(update_fields=Campaign.COPIES)
    return entry
