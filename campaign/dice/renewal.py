"""New dice in the course of a campaign (RECORD, Renewed dice).

Dice that nobody has thrown yet must be known to nobody. They are renewed by an undo behind a published link, by the import of
a record that has not finished, whose seed somebody may know, and by the game master in public. What was thrown keeps its value
and its chain for good, struck or not.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.dice.selectors import RENEW
from campaign.errors import NotNow
from campaign.lifecycle import status
from campaign.log import entries, positions
from campaign.models import Campaign, DiceRenewal, LogEntry
from engine.dice import commitment
from games import registry

IMPORT = "import"


class Fresh(NamedTuple):
    """A chain that nobody has seen: its seed, and what is published of it."""

    seed: str
    commitment: str


def fresh(table: Campaign) -> Fresh:
    seed = keys.new_secret()
    return Fresh(seed, commitment(seed, table.game.last_link(positions.scenario(table))))


def promise(table: Campaign, new: Fresh, user: Any, reason: str, position: Any, at: datetime, how: str = "") -> LogEntry:
    """The public entry that holds the commitment, where no undo's own entry does."""
    what = {"act": RENEW, "commitment": new.commitment, **({"how": how} if how else {}), **({"reason": reason} if reason else {})}
    return entries.append(table, what, position, actor=user, at=at)


def begin(table: Campaign, new: Fresh, entry: LogEntry, published: int) -> None:
    """From this entry on every purpose that was not thrown before comes from the new chain. `published` links of the chains
    before it were published; they stay so. Asks for a transaction that holds the row; the caller saves `Campaign.COPIES`."""
    table.dice_renewals.update(links_published=Greatest(F("links_published"), published))
    table.links_published = max(table.links_published, published)
    table.renewals += 1
    DiceRenewal.objects.create(
        campaign=table, number=table.renewals, entry=entry, seed_sealed=keys.seal(new.seed), commitment=new.commitment
    )


def on_import(table: Campaign, position: Any, at: datetime) -> None:
    """The dice of a record that has not finished: whoever brought it may know its seed."""
    new = fresh(table)
    begin(table, new, promise(table, new, None, "", position, at, IMPORT), table.game.links_due(position))
    table.save(update_fields=Campaign.COPIES)


@transaction.atomic
def renew_dice(campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None) -> LogEntry:
    """The game master renews the dice in public, between turns: after a leak, or where somebody doubts them.

    Raises `NotNow` in a slot, while an announcement waits for a die, before the start and after the end.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    reason = entries.a_reason(reason)
    if not may_renew(table):
        raise NotNow(
            "not-now", _("Dice are renewed between turns: wait until no slot is open and no announcement waits for a die.")
        )
    position, new = positions.current(table), fresh(table)
    entry = promise(table, new, user, reason, position, at)
    begin(table, new, entry, table.game.links_due(position))
    table.save(update_fields=Campaign.COPIES)
    return entry


def may_renew(campaign: Campaign) -> bool:
    """Between turns; in titles with a page of their own, where every die falls within a move, at any time."""
    if not campaign.started or campaign.ended or campaign.parked:
        return False
    return not campaign.active_seat or campaign.title in registry.PAGES
