"""What the game master reads of the messages between seats: chosen at founding, in the log, changed only before everybody's eyes.

A message is read by the rule under which it was written, so that a change opens nothing of before (`talk.models.Message`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.log import entries
from campaign.log.texts import SIGHTS
from campaign.models import Campaign, LogEntry

ALL, REPORTED, ADDRESSED = "all", "reported", "addressed"
USUAL = REPORTED


def a_sight(sight: str) -> str:
    """The rule of this name. Raises `Refused` where there is none."""
    if sight not in SIGHTS:
        raise Refused("bad-sight", _("Choose what the game master reads of the messages."))
    return sight


@transaction.atomic
def change_sight(campaign: Campaign, user: Any, sight: str, *, now: datetime | None = None) -> LogEntry:
    """Another rule from now on, as an act of the log that everybody at the table is notified of. The game master's alone."""
    table = entries.lock(campaign)
    if not access.must_be_host(table, user).chief:
        raise NotAllowed("game-master-only", _("Only the game master may do this, not a co-game-master."))
    if table.archived:
        raise NotNow("archived", _("This campaign is in the archive. Everything can be read; nothing can be added."))
    if a_sight(sight) == table.sight:
        raise NotNow("so-already", _("This is the rule already."))
    table.sight = sight
    table.save(update_fields=["sight"])
    campaign.sight = sight
    return entries.append_act(table, user, {"act": entries.SIGHT, "how": sight}, now=now)
