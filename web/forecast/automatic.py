"""The automatic forecast after each turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from campaign import forecasts
from campaign.models import Campaign, LogEntry
from web.tasks import ask_to_forecast


def forecast_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Request a forecast when a turn has closed. This is one of `hooks.entry_written`."""
    if forecasts.note(campaign, entry, after):
        transaction.on_commit(partial(ask_to_forecast, campaign.pk))
