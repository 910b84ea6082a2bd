"""Which moves an undo struck, or a restoration put back, when it was said; later acts may have turned them again."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from campaign.models import Campaign, LogEntry

UNDO, RESTORE = '{"act":"undo"', '{"act":"restore"'


def acts(campaign: Campaign) -> list[LogEntry]:
    """Every undo and restoration with its target, a seat's own too, in order. One query."""
    found = campaign.entries.filter(Q(what__startswith=UNDO) | Q(what__startswith=RESTORE), kind=LogEntry.Kind.TABLE)
    return list(found.select_related("target", "actor").order_by("sequence"))


def turned(campaign: Campaign, entry: LogEntry, said: Sequence[LogEntry]) -> list[int]:
    """The rows of the moves that this undo or restoration turned, in their order; `said` are the campaign's `acts`."""
    moves = campaign.entries.filter(kind=LogEntry.Kind.MOVE, sequence__lt=entry.sequence).order_by("sequence")
    places = dict(moves.values_list("pk", "sequence"))
    struck: dict[int, list[int]] = {}
    gone: set[int] = set()
    found: list[int] = []
    for act in said:
        to = act.target
        if act.sequence > entry.sequence or to is None:
            break
        if act.act == "restore":
            found = struck.pop(to.pk, [])
            gone -= set(found)
        else:
            later = [row for row, place in places.items() if to.sequence < place < act.sequence and row not in gone]
            found = [to.pk] if act.said.get("own") else later
            struck[act.pk] = found
            gone |= set(found)
    return found
