"""The last day on which somebody was seen: the one thing that is kept of his coming and going.

It is asked where a table waits for a game master who does not come: nobody reads it before he has been away for `AWAY` days.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from people.models import User

AWAY = 14
"""Days after which a game master's place may be taken by who is left (RULES, absence)."""


def day(now: datetime) -> date:
    """Days are counted in UTC: a person's own zone would say where he is."""
    return now.astimezone(UTC).date()


def note(user: Any, now: datetime) -> bool:
    """He asks for something today. At most one write a day; tells whether it was this one."""
    today = day(now)
    if user.seen_on >= today:
        return False
    user.seen_on = today
    return bool(User.objects.filter(pk=user.pk, seen_on__lt=today).update(seen_on=today))


def away(user: Any, now: datetime) -> int:
    """For how many days he has not been seen."""
    return max(0, (day(now) - user.seen_on).days)


def unseen(user: Any, now: datetime) -> bool:
    return away(user, now) >= AWAY
