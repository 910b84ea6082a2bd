"""Who stands in for a seat's holder at one contest. Who may name and end it, the room that knows contests asks before."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from campaign.models import Campaign, LogEntry, Membership
from campaign.services import acts

SUBSTITUTE = Membership.Role.SUBSTITUTE


def put(table: Campaign, actor: Any, user: Any, seat: str, launch: LogEntry, contest: int, at: datetime) -> Membership:
    """The user stands in from now on; on a locked table."""
    made = Membership.objects.create(
        campaign=table, user=user, role=SUBSTITUTE, seat=seat, launch=launch, contest=contest, since=at
    )
    _note(table, actor, made, "named", at)
    return made


def end(table: Campaign, actor: Any, held: Membership, at: datetime) -> None:
    """He stands in no more, before the contest has ended; on a locked table."""
    held.until = at
    held.save(update_fields=["until"])
    _note(table, actor, held, "ended", at)


def _note(table: Campaign, actor: Any, held: Membership, how: str, at: datetime) -> None:
    what = {"act": "substitute", "how": how, "battle": held.contest, "user": held.user_id}
    acts.append(table, actor, what, seat=held.seat, target=held.launch, now=at)
