"""Clocks of claims: one that nobody opposes is confirmed by itself, where the game master has switched this on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from battles import services
from battles.projection import CLOSING, RESOLVED
from campaign.clocks.kinds import Wanted
from campaign.clocks.models import Clock
from campaign.clocks.terms import CLAIM
from campaign.models import Campaign, LogEntry


def of_claims(campaign: Campaign, position: Any) -> Iterable[Wanted]:
    """Claims that wait for the other side's confirmation, on battles that run.

    Read from the log, since the rows of claims are written after it has told of them. The launch in force is the
    battle's of now.
    """
    contests = campaign.game.rows(position).contests
    running = {number: facts for number, facts in contests.items() if facts["status"] != RESOLVED}
    if not running:
        return
    told = campaign.entries.filter(kind=LogEntry.Kind.TABLE, target__kind=LogEntry.Kind.MOVE, target__struck_by=None)
    told = told.filter(act__in=("claim", *CLOSING))
    live: dict[int | None, tuple[int, str, LogEntry]] = {}
    for entry in told.order_by("sequence"):
        act, said = entry.act, entry.said
        if act == "claim" and said["battle"] in running:
            live[entry.number] = (said["battle"], entry.seat, entry)
        elif act in CLOSING:
            live.pop(said["claim"], None)
    for number, claimant, entry in live.values():
        facts = running[number]
        sides = [str(facts.get("attacker") or ""), str(facts.get("defender") or facts.get("leader") or "")]
        other = next((seat for seat in sides if seat != claimant), "")
        if other:
            yield Wanted(CLAIM, other, number, entry.pk, waits=(other,))


def confirm(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """What a claim's clock does when its grace is over."""
    return services.confirm_unopposed(table, clock.entry, now=at)
