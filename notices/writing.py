"""The only code that writes notices. The bell of the recipients' open pages rings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from campaign import open_pages
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from notices.models import Notice


def write_notices(notices: Iterable[Notice], *, again: bool = False) -> list[Notice]:
    """Write notices.

    A notice that exists already (same user, entry, kind and `about`) is not written again. If
    `again` is true, the caller guarantees that all are new.
    """
    rows = Notice.objects.bulk_create(notices, ignore_conflicts=not again)
    open_pages.changed_for(row.user_id for row in rows)
    return rows


def notify(
    kind: str,
    entry: LogEntry,
    users: Mapping[int, str],
    facts: Mapping[str, Any],
    at: datetime,
    about: str = "",
    *,
    again: bool = False,
) -> list[Notice]:
    """Write a notice of this kind to each of these users.

    `users` maps the id of each user to the seat as whose holder they are notified (`gm` for a game
    master, empty for a user as such).
    """
    return write_notices(
        [
            Notice(
                user_id=user,
                campaign_id=entry.campaign_id,
                entry=entry,
                kind=kind,
                about=about,
                seat=seat,
                facts=dict(facts),
                at=at,
            )
            for user, seat in sorted(users.items())
        ],
        again=again,
    )


def game_masters(campaign: Campaign) -> dict[int, str]:
    """Return the game masters of a campaign as users to notify."""
    masters = Membership.objects.filter(campaign=campaign, role__in=Membership.MASTERS, until=None)
    return dict.fromkeys(masters.values_list("user_id", flat=True), GAME_MASTER)


def first_entry(campaign: Campaign) -> LogEntry:
    """Return the first entry of a campaign, which no one can strike.

    Notices that are not caused by an entry belong to it.
    """
    return campaign.entries.earliest("sequence")
