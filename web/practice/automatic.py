"""Automatic play of programs after a user's move."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from campaign import practice
from campaign.models import Campaign, LogEntry
from campaign.seats.selectors import program_levels
from web.tasks import ask_to_play_on


def play_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Let the programs play on once an entry is written. This is one of `hooks.entry_written`."""
    if (campaign.programs or program_levels(campaign)) and not practice.playing.get():
        transaction.on_commit(partial(ask_to_play_on, campaign.pk))
