"""Standing orders at the clock: heard when what waits for a seat has run out of time, before the clock itself does anything."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from campaign import hand
from campaign.clocks.acting import lapse
from campaign.clocks.models import MISSED, Clock
from campaign.clocks.terms import ANSWER, SLOT
from campaign.models import Campaign, LogEntry
from campaign.services import ordering

ASKED = (ANSWER, SLOT)


def tell(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """A teller of clocks: time is up, and orders may speak."""
    if what == MISSED and clock.kind in ASKED:
        _speak(clock.campaign, clock, at)


def answer(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """What the clock of an answer does by itself: what orders say, else what the title gives for whose time is over."""
    return _speak(table, clock, at) or lapse(table, clock, at)


def _speak(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """The move that orders said, or the act that parks it."""
    if not ordering.when_time_is_up(table, clock.entry, clock.seats, clock.contest, at):
        return None
    parked = Q(kind=LogEntry.Kind.TABLE, act=hand.ACT, how="parked")
    return table.entries.filter(Q(kind=LogEntry.Kind.MOVE) | parked, actor=None).order_by("sequence").last()
