"""Writing anew what the log gives: the readings of other rooms, and what the campaign's row copies."""

from __future__ import annotations

from django.db import transaction

from campaign import audit, positions, projections
from campaign.clocks import running
from campaign.models import Campaign
from campaign.services import log


@transaction.atomic
def rebuild(campaign: Campaign) -> Campaign:
    """Says nothing in the log and changes nothing of it. Raises what a replay raises where the log cannot be replayed."""
    table = log.lock(campaign)
    for field, value in audit.copied(table).items():
        setattr(table, field, value)
    table.save(update_fields=Campaign.COPIES)
    history = positions.history(table)
    projections.rebuild(table, history)
    running.reconcile(table, history.after, table.entries.latest("sequence").at)
    return table
