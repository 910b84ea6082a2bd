"""Which entries ask for a countersignature, and which have one."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.db.models import QuerySet, Value

from campaign.audience import GAME_MASTER
from campaign.models import Campaign, LogEntry

ACTS = frozenset({"undo", "restore", "judge", "unagreed"})


def concerns(entry: LogEntry) -> bool:
    """Is this a game master's correction, undo, restoration or judgment, for everybody to see?

    What has an audience has no number by which a countersigner could find it.
    """
    if entry.number is None or entry.seat != GAME_MASTER:
        return False
    return "reason" in entry.said if entry.is_move else entry.act in ACTS


def asks(entry: LogEntry) -> bool:
    """May it be countersigned, that is, does it stand still?"""
    return entry.struck_by_id is None and concerns(entry)


def under(campaign: Campaign, rows: Iterable[int | None]) -> QuerySet[LogEntry]:
    """The countersignatures under these entries, which are named by their rows."""
    return campaign.entries.filter(kind=LogEntry.Kind.TABLE, target__in=list(rows), what__startswith='{"act":"countersign",')


def names(campaign: Campaign, entries: Iterable[LogEntry], people: Iterable[int]) -> tuple[dict[int, list[str]], dict[int, str]]:
    """Who has countersigned which entry, by its row, and the names of these people; both in one query, for pages have few."""
    rows = [entry.pk for entry in entries if concerns(entry)]
    called: dict[int, str] = {}
    signed: dict[int, list[str]] = {row: [] for row in rows}
    users = get_user_model().objects.filter(pk__in=list(people)).annotate(what=Value("name"))
    marks = under(campaign, rows).order_by().annotate(under=Value("mark"))
    asked = users.values_list("what", "pk", "username")
    for what, row, name in asked.union(marks.values_list("under", "target_id", "actor__username"), all=True):
        if what == "name":
            called[row] = name
        else:
            signed[row].append(name)
    return {row: sorted(found) for row, found in signed.items()}, called
