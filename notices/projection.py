"""The notices of an entry, written after it. Writing them is idempotent. A notice of a struck entry
is shown as struck.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Q

from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from engine.strict_json import as_stored
from notices.boards import STOPPED
from notices.models import Channel, Notice
from notices.registry import KINDS, Happening, write

MASTERS = ("game_master", "co_game_master")


def notify_members(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Write a notice to everyone whom the entry concerns, except its author."""
    board_is_due(campaign, entry.at)
    if campaign.programs or campaign.lesson:  # whoever practises or learns is at the table
        return
    happening = Happening(campaign, entry, before, after)
    calls = [(kind.key, to) for kind in KINDS.values() for to in kind.find(happening)]
    if not calls:
        return
    sitting = holders(campaign, entry.at)
    write(
        [
            Notice(
                user_id=user,
                campaign=campaign,
                entry=entry,
                kind=kind,
                about=to.about,
                seat=to.seat,
                facts=as_stored(to.facts),
                at=entry.at,
            )
            for kind, to in calls
            for user in ([to.person] if to.person is not None else sitting[to.seat])
            if user != entry.actor_id
        ]
    )


def holders(campaign: Campaign, at: datetime) -> dict[str, list[int]]:
    """The user ids behind each seat at a moment, the game masters under `gm`."""
    people: dict[str, list[int]] = defaultdict(list)
    held = Membership.objects.filter(
        Q(until=None) | Q(until__gt=at), campaign=campaign, since__lte=at
    )
    places = held.order_by("since", "pk").values_list("user_id", "role", "seat")
    for user, role, seat in places:
        if role in MASTERS:
            people[GAME_MASTER].append(user)
        elif role == Membership.Role.SEAT:
            people[seat].append(user)
    return people


def board_is_due(campaign: Campaign, at: datetime) -> None:
    """After an entry: its boards may say something else now."""
    boards = Channel.objects.filter(
        campaign=campaign, board=True, active=True, board_tries__lt=STOPPED
    )
    boards.update(board_due=at)
