"""The rulings of a campaign, read from its log: public to all who see the campaign."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaign.models import Campaign, LogEntry


@dataclass(frozen=True)
class Ruling:
    """One reading of a rule. `entry` is the log's number of it, `about` the entry that gave rise to it, if any."""

    number: int
    rule: str
    text: str
    entry: int | None
    about: int | None
    at: datetime
    by: str
    older: tuple[Ruling, ...] = ()


def book(campaign: Campaign) -> list[Ruling]:
    """Those in force by number, each with what it replaced, the latest first. One query."""
    found: dict[int, Ruling] = {}
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act="ruling")
    for entry in acts.select_related("actor").order_by("sequence"):
        said: dict[str, Any] = entry.said
        before = found.get(said["ruling"])
        older = (before, *before.older) if before else ()
        by = entry.actor.username if entry.actor else ""
        found[said["ruling"]] = Ruling(
            said["ruling"], said["rule"], said["text"], entry.number, said["entry"], entry.at, by, older
        )
    return [found[number] for number in sorted(found)]


def by_rule(campaign: Campaign) -> dict[str, list[Ruling]]:
    """The rulings in force by the paragraph they read."""
    found: dict[str, list[Ruling]] = {}
    for one in book(campaign):
        found.setdefault(one.rule, []).append(one)
    return found
