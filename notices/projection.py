"""The projection that writes the notices of an entry. It is idempotent.

A notice of a struck entry remains, and is shown as struck.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Q

from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from engine.strict_json import as_stored
from notices.events import LoggedEvent
from notices.models import Channel, Notice
from notices.registry import DECLARED
from notices.waiting_message import STOPPED
from notices.writing import write_notices


def notify_members(
    campaign: Campaign, entry: LogEntry, position_before: Any, position_after: Any
) -> None:
    """Write a notice to everyone whom the entry concerns, except its author."""
    board_is_due(campaign, entry.at)
    # A player who practises or learns is at the table already.
    if campaign.programs or campaign.lesson:
        return
    event = LoggedEvent(campaign, entry, position_before, position_after)
    called = [(kind.key, recipient) for kind in DECLARED for recipient in kind.recipients(event)]
    if not called:
        return
    holders = users_by_seat(campaign, entry.at)
    write_notices(
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
            for kind, to in called
            for user in ([to.user] if to.user is not None else holders[to.seat])
            if user != entry.actor_id
        ]
    )


def users_by_seat(campaign: Campaign, at: datetime) -> dict[str, list[int]]:
    """Return the ids of the users who held each seat at a moment, with game masters under `gm`."""
    users: dict[str, list[int]] = defaultdict(list)
    held = Membership.objects.filter(
        Q(until=None) | Q(until__gt=at), campaign=campaign, since__lte=at
    )
    places = held.order_by("since", "pk").values_list("user_id", "role", "seat")
    for user, role, seat in places:
        if role in Membership.MASTERS:
            users[GAME_MASTER].append(user)
        elif role == Membership.Role.SEAT:
            users[seat].append(user)
    return users


def board_is_due(campaign: Campaign, at: datetime) -> None:
    """Mark the boards of a campaign as due, because an entry may change their text."""
    boards = Channel.objects.filter(
        campaign=campaign, board=True, active=True, board_tries__lt=STOPPED
    )
    boards.update(board_due=at)
