"""Lengths of time as people say them: whole days, which end at the same local time, or whole hours.

Written `3d` or `36h`, in terms, rows and the log.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

LENGTH = re.compile(r"([1-9][0-9]{0,3})([dh])|0h", re.ASCII)
MOST_DAYS, MOST_HOURS = 365, 24 * 60
MORNING = time(8)
HASTE = timedelta(hours=2)
"""How long before a deadline of the early morning its day's reminder comes."""


def is_length(text: object, *, none: bool = False) -> bool:
    """Is it a length of at most a year of days, or sixty days of hours? `none`: may it be `0h`?"""
    if not isinstance(text, str) or LENGTH.fullmatch(text) is None:
        return False
    amount = int(text[:-1])
    return (none or amount > 0) and amount <= (MOST_DAYS if text.endswith("d") else MOST_HOURS)


def local(at: datetime, zone: ZoneInfo) -> datetime:
    """The instant of a local time, in UTC. One that is there twice is the later; one that is left out, as the clocks go
    forward, is as long after midnight as it would have been: nobody loses an hour to either."""
    naive = at.replace(tzinfo=None)
    return max(naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def add(at: datetime, length: str, zone: str, times: int = 1) -> datetime:
    """The instant so many lengths later, in UTC."""
    amount = int(length[:-1]) * times
    if length.endswith("h"):
        return at.astimezone(UTC) + timedelta(hours=amount)
    if not amount:
        return at.astimezone(UTC)
    where = ZoneInfo(zone)
    return local(at.astimezone(where) + timedelta(days=amount), where)


def day_of(due: datetime, zone: str) -> datetime:
    """When one is reminded on the day of a deadline: at eight in the morning there; two hours before an earlier one, but
    not before midnight."""
    where = ZoneInfo(zone)
    day = due.astimezone(where).date()
    morning, midnight = (local(datetime.combine(day, at), where) for at in (MORNING, time(0)))
    return max(midnight, min(morning, due.astimezone(UTC) - HASTE))
