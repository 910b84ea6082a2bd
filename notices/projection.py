"""Notices, written after each entry. Told twice, they are written once; of what is struck they are read as struck."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Q

from campaign.audience import GAME_MASTER
from campaign.models import Campaign, LogEntry, Membership
from engine.log import canonical
from notices import boards, kinds, kinds_away, kinds_signed  # noqa: F401  they register the kinds
from notices.models import Notice
from notices.registry import KINDS, Happening

MASTERS = ("game_master", "co_game_master")


def tell(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Write to each whom the entry concerns, except who said it."""
    boards.touch(campaign, entry.at)
    happening = Happening(campaign, entry, before, after)
    calls = [(kind.key, to) for kind in KINDS.values() for to in kind.find(happening)]
    if not calls:
        return
    sitting = holders(campaign, entry.at)
    Notice.objects.bulk_create(
        [
            Notice(
                user_id=user, campaign=campaign, entry=entry, kind=kind, about=to.about, seat=to.seat,
                facts=canonical(to.facts), at=entry.at,
            )
            for kind, to in calls
            for user in ([to.person] if to.person is not None else sitting[to.seat])
            if user != entry.actor_id
        ],
        ignore_conflicts=True,
    )  # fmt: skip


def holders(campaign: Campaign, at: datetime) -> dict[str, list[int]]:
    """The user ids behind each seat at a moment, the game masters under `gm`."""
    held = Membership.objects.filter(Q(until=None) | Q(until__gt=at), campaign=campaign, since__lte=at)
    found: dict[str, list[int]] = defaultdict(list)
    for user, role, seat in held.order_by("since", "pk").values_list("user_id", "role", "seat"):
        if role in MASTERS:
            found[GAME_MASTER].append(user)
        elif role == Membership.Role.SEAT:
            found[seat].append(user)
    return found
