"""What is kept of somebody to tell him things, when he is erased."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from notices.models import Channel, Feed, Mute, Notice, Service
from notices.services import webhooks


def erase(user: Any, at: datetime) -> list[str]:
    """His channels with their wishes and deliveries, his feeds, his notices. A campaign's channel stays the campaign's; of its
    webhooks those go that he set up, which lead to a place of his own."""
    told = []
    for what, rows in (
        ("channels", Channel.objects.filter(user=user, campaign=None)),
        ("feeds", Feed.objects.filter(user=user)),
        ("muted campaigns", Mute.objects.filter(user=user)),
        ("notices", Notice.objects.filter(user=user)),
    ):
        told.append(f"{rows.count()} {what}")
        rows.delete()
    told.append(f"{webhooks.forget(user, at)} webhooks")
    return told


def end_unproven(user: Any, at: datetime) -> None:
    """Channels, feeds and webhooks that were set up before the person's address was proven: they may lead to somebody else.
    Letters go to the proven address and stay."""
    Channel.objects.filter(user=user, campaign=None).exclude(service=Service.EMAIL).delete()
    Feed.objects.filter(user=user).delete()
    webhooks.forget(user, at)
