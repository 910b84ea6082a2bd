"""What is kept of somebody to tell him things, when he is erased."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from notices.models import Channel, Feed, Notice


def erase(user: Any, at: datetime) -> list[str]:
    """His channels with their wishes and deliveries, his feeds, his notices. A campaign's channel stays the campaign's."""
    told = []
    for what, rows in (
        ("channels", Channel.objects.filter(user=user, campaign=None)),
        ("feeds", Feed.objects.filter(user=user)),
        ("notices", Notice.objects.filter(user=user)),
    ):
        told.append(f"{rows.count()} {what}")
        rows.delete()
    return told
