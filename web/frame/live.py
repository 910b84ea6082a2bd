"""The mark by which an open page learns that something has changed (`static/js/live.js`)."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac

from web.frame import requests
from web.frame.table import TableContext

FRESH = frozenset({"table", "nation", "battles", "battle", "desk", "log"})
"""The pages whose parts are fetched again. Other pages fetch only their head again, and show the
reader what has changed.
"""


class Live(NamedTuple):
    """The addresses and the mark with which an open page learns of changes."""

    url: str
    """The address that the page asks."""
    at: str
    """The mark of the state that the page shows."""
    parts: bool
    """Whether parts of the page may be fetched again."""
    stream: str
    """The address that says when to ask (`web.frame.stream`); empty if the page polls."""


def live(table: TableContext, name: str, status: int) -> Live | None:
    """Return how a page learns of changes; None if no one but the reader can change anything."""
    plays_on = bool(table.campaign.onward)
    if table.campaign.archived or (table.solo and table.own_seats and not plays_on):
        return None
    parts = (
        name in FRESH
        and status == 200
        and table.request.method == "GET"
        and (plays_on or not table.solo)
    )
    stream = reverse("stream", args=[table.campaign.public_id]) if settings.LIVE else ""
    return Live(table.url("live"), mark(table), parts, stream)


def mark(table: TableContext) -> str:
    """Return the mark of the state that the reader sees.

    It covers their last entry, and what changes without an entry: their place, their notices, the
    campaign's name.
    """
    campaign = table.campaign
    bell, played_on = requests.count(table.request), bool(campaign.onward)
    known = (
        f"{table.user.pk} {table.access} {bell} {campaign.name} {campaign.visibility} {played_on}"
    )
    digest = salted_hmac("web.log.views", known, algorithm="sha256").hexdigest()
    return f"{table.seen}.{digest[:16]}"
