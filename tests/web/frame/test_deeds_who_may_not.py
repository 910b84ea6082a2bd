"""Every act of a campaign's pages, sent by a user who may not do it.

Refused, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from forum.models import FollowedThread, Post, Thread
from notices.models import Channel
from tests.web.frame.test_who_may import guest_of
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

THREAD = {
    "transport": "clipboard",
    "name": "Thread",
    "dialect": "phpbb",
    "language": "en",
    "kinds": "turn",
}
DEEDS: list[tuple[str, dict[str, str]]] = [
    ("clocks/", {"do": "extend", "extend": "1", "to": "2030-01-01 12:00", "reason": "Asked."}),
    ("clocks/", {"do": "terms", "turn-length": "9", "turn-unit": "d", "turn-then": "remind"}),
    ("seats/", {"do": "program", "seat": "vandals", "level": "bold", "reason": "Nobody came."}),
    ("seats/", {"do": "take-program", "seat": "vandals"}),
    *(
        ("desk/away/huns/", {"do": do, "reason": "Ill."})
        for do in ("time-out", "replace", "solo", "both", "forfeit")
    ),
    *(("n/huns/standing/", {"do": do, "version": "0", "at": "0"}) for do in ("take-out", "clear")),
    ("n/huns/standing/", {"kind": "answer", "version": "0"}),
    ("n/huns/notes/", {"text": "Read me.", "version": "0"}),
    ("n/huns/handover/", {}),
    *(
        ("dice/by-hand/", {"do": do, "purpose": "start", "value": "4"})
        for do in ("on", "off", "ahead")
    ),
    ("orders/", {"text": "Huns: end the slot", "do": "announce"}),
    ("orders/", {"text": "Huns: end the slot", "do": "plan", "seat": "huns"}),
    ("e/3/link/", {"url": "https://forum.example/1"}),
    ("posts/", {"do": "draft", "thread": "1", "report": "slot-1-huns"}),
    *(("posts/1/", {"do": do}) for do in ("ready", "posted", "aside")),
    ("threads/new/", THREAD),
    *(("threads/1/", {"do": do}) for do in ("save", "test", "unlock", "remove")),
    *(("heard/", {"do": do, "thread": "1"}) for do in ("follow", "stop", "again")),
    *(
        ("channels/", {"do": do, "address": "https://ntfy.sh/x", "channel": "1"})
        for do in ("add", "test", "off", "remove")
    ),
    *(
        ("webhooks/", {"do": do, "address": "https://ntfy.sh/x", "webhook": "1"})
        for do in ("add", "secret", "off", "remove")
    ),
    ("reports/tone/", {"tone": "dry"}),
    ("about/", {"do": "take-over"}),
    ("about/", {"do": "ask-master", "seat": "huns"}),
    ("about/", {"do": "live", "how": "paused", "reason": "Ill."}),
]


def refused(grand_table: GrandTable, post: Callable[[str, dict[str, str]], Any]) -> set[int]:
    """Return the statuses of the answers, and check that nothing was written."""
    before = grand_table.campaign.entries.count()
    seen = str(grand_table.seen("gm"))
    result = {
        post(grand_table.home + path, data | {"seen": seen}).status_code for path, data in DEEDS
    }
    assert grand_table.campaign.entries.count() == before
    assert not any(model.objects.exists() for model in (Thread, Post, FollowedThread, Channel))
    grand_table.campaign.refresh_from_db()
    assert not grand_table.campaign.plans.exists()
    assert not grand_table.campaign.by_hand
    return result


@pytest.mark.parametrize("who", ["roman", "stranger", "nobody", "guest", "left", "suspended"])
def test_users_without_permission_are_refused(grand_table: GrandTable, who: str) -> None:
    """Send each act as users without permission.

    They hold another seat or none, are not signed in, are guests, have left their seat, or run a
    suspended campaign.
    """
    if who == "left":
        services.vacate(grand_table.campaign, grand_table.people["gm"], "huns")
    elif who == "suspended":
        type(grand_table.campaign).objects.filter(pk=grand_table.campaign.pk).update(suspended=True)
    client = (
        guest_of(grand_table)
        if who == "guest"
        else grand_table.clients[{"left": "hun", "suspended": "gm"}.get(who, who)]
    )
    # A seat's holder may write lines; the answer says which of them are not theirs.
    assert refused(grand_table, client.post) == {"nobody": {302}, "roman": {403, 422}}.get(
        who, {403}
    )
