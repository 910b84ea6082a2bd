"""The list of all kinds of notices. To add one, see `docs/contribute/walks.md`."""

from __future__ import annotations

from collections.abc import Iterable

from notices.kinds import (
    absences,
    amendments,
    announcements,
    battles,
    countersigning,
    deadlines,
    dice,
    game_masters,
    lifecycle,
    messages,
    moderation,
    moves,
    seats,
    slots,
    standing_orders,
    truces,
    turns,
    undelivered,
)
from notices.kinds.kind import Group, Kind

DECLARED: tuple[Kind, ...] = (
    *slots.KINDS,
    *battles.KINDS,
    *deadlines.KINDS,
    *messages.KINDS,
    *turns.KINDS,
    *truces.KINDS,
    *dice.KINDS,
    *lifecycle.KINDS,
    *moves.KINDS,
    *standing_orders.KINDS,
    *seats.KINDS,
    *announcements.KINDS,
    *countersigning.KINDS,
    *absences.KINDS,
    *undelivered.KINDS,
    *moderation.KINDS,
    *game_masters.KINDS,
    *amendments.KINDS,
)
"""All kinds. Notices of the same entry are written in this order.

The page of settings lists the kinds of each group in this order too.
"""
KINDS = {kind.key: kind for kind in DECLARED}


def kinds_by_group(kinds: Iterable[Kind]) -> list[tuple[Group, list[Kind]]]:
    """Return these kinds by group, both in order, without empty groups."""
    wanted = {kind.key for kind in kinds}
    groups = [
        (group, [kind for kind in DECLARED if kind.group is group and kind.key in wanted])
        for group in Group
    ]
    return [(group, listed) for group, listed in groups if listed]


def urgent_kinds() -> list[str]:
    """Return the keys of the kinds that wait for an answer."""
    return [kind.key for kind in DECLARED if kind.is_urgent]
