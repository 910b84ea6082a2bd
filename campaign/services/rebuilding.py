"""Writing anew what the log gives: the readings of other rooms, and what the campaign's row copies."""

from __future__ import annotations

from django.db import transaction

from campaign import audit, positions, projections
from campaign.clocks import running
from campaign.models import Campaign
from campaign.services import log


@transaction.atomic
def rebuild(campaign: Campaign) -> Campaign:
    """Says nothing in the log and changes of it only the columns that repeat its texts. Raises what a replay raises where the
    log cannot be replayed."""
    table = log.lock(campaign)
    _mend_entries(table)
    for field, value in audit.copied(table).items():
        setattr(table, field, value)
    table.save(update_fields=Campaign.COPIES)
    history = positions.history(table)
    projections.rebuild(table, history)
    running.reconcile(table, history.after, table.entries.latest("sequence").at)
    return table


def _mend_entries(table: Campaign) -> None:
    """Writes what the columns of the entries have to say where they say something else."""
    for entry in list(table.entries.order_by("sequence")):
        right = entry.facts()
        if any(getattr(entry, field) != value for field, value in right.items()):
            table.entries.filter(pk=entry.pk).update(**right)
