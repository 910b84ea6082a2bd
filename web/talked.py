"""What was said last at a table of several, for the page it is played on."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from campaign.models import LogEntry
from campaign.services.log import TALK
from campaign.services.talking import LONGEST
from web.views.common import TableContext

SHOWN = 12


def kept(table: TableContext) -> str:
    """Where a session keeps what could not be said."""
    return f"unsaid:{table.campaign.pk}"


def talked(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The last things said, oldest first, and whether the reader may speak; None where one plays alone. Asks once."""
    if table.solo:
        return None
    found = table.campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=TALK).order_by("-sequence")
    lines = [
        {"who": one.actor, "seat": one.seat, "name": table.name_of(one.seat), "text": one.said["text"], "at": one.at,
         "number": one.number}
        for one in reversed(found.select_related("actor")[:SHOWN])
    ]  # fmt: skip
    unsaid = request.session.pop(kept(table), "") if kept(table) in request.session else ""
    return {"lines": lines, "may": bool(table.access.voices) and not table.campaign.archived, "longest": LONGEST, "text": unsaid}
