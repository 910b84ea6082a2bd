"""The permissions of writing requests with a meaningful body; test_reads.py covers reading."""

from __future__ import annotations

from typing import Any

# gm, hun, roman, stranger, anonymous
FORBIDDEN = (422, 422, 422, 403, 401)
ANYBODY = (200, 200, 200, 200, 200)

OWN: dict[str, tuple[str, tuple[int, ...]]] = {
    "root": ("/api/v1/", ANYBODY),
    "schema": ("/api/v1/schema/", ANYBODY),
    "docs": ("/api/docs/", ANYBODY),
    "text_reports": ("/api/v1/reports/", (200, 200, 200, 200, 401)),
    "me": ("/api/v1/me/", (200, 200, 200, 200, 401)),
    "campaigns": ("/api/v1/campaigns/", ANYBODY),
    "campaign": ("", ANYBODY),
    "offers": ("offers/?seat=huns", (200, 200, 403, 403, 401)),
    "undo": ("undo/", ANYBODY),
    "rulings": ("rulings/", ANYBODY),
    "amendments": ("amendments/", ANYBODY),
    "messages": ("messages/", (200, 200, 200, 403, 401)),
    "messages_of": ("messages/abcdefgh/", (404, 404, 404, 403, 401)),
    "press": ("press/", ANYBODY),
    "sheet": ("sheet/", ANYBODY),
    "invitations": ("invitations/", (200, 403, 403, 403, 401)),
    "import": ("/api/v1/imports/999999/", (404, 404, 404, 404, 401)),
    "nowhere": ("/api/v1/nothing/", (404,) * 5),
}
"""Reading requests of the entry point and of moves."""

LATE: dict[str, Any] = {"move": {"move": "no-such-move"}, "seen": 0}
REQUESTS: dict[str, tuple[str, Any, tuple[int, ...]]] = {
    "preview": ("preview/", LATE, FORBIDDEN),
    "moves": ("moves/", LATE, (409, 409, 409, 403, 401)),
    "undo": ("undo/", {"seen": 0}, (403, 409, 409, 403, 401)),
    "restore": ("restore/", {"entry": 1, "reason": "A.", "seen": 0}, (409, 403, 403, 403, 401)),
    "battle_acts": ("battles/1/acts/", {"act": "set-up"}, (403, 201, 400, 403, 401)),
    "countersign": ("log/2/countersign/", {}, (403, 403, 403, 403, 401)),
    "link": ("log/2/link/", {"url": "nothing"}, (400, 403, 400, 403, 401)),  # the Roman said it
    "extend": (
        "clocks/extend/",
        {"kind": "slot", "entry": 1, "to": "2030-01-01T00:00:00Z", "reason": "A.", "seen": 0},
        (409, 403, 403, 403, 401),
    ),
    "die": ("dice/given/", {"purpose": "nothing", "value": 1}, (400, 403, 403, 403, 401)),
    "by_hand": ("dice/by-hand/", {"by_hand": False}, (409, 403, 403, 403, 401)),
    "mixing": ("dice/mixing/", {"act": "close"}, (409, 403, 403, 403, 401)),
    "drop": ("dice/dropped/", {}, (409,) * 4 + (401,)),
    "talk": ("talk/", {"text": "Ave"}, (404,) * 4 + (401,)),
    "messages": (
        "messages/",
        {"to": ["vandals"], "text": "Ave"},
        (400, 400, 400, 403, 401),
    ),  # the seat is free
    "message_acts": ("messages/abcdefgh/acts/", {"act": "read"}, (404, 404, 404, 403, 401)),
    "press": ("press/", {"headline": "", "text": "Ave"}, (400,) * 4 + (401,)),
    "rulings": ("rulings/", {"text": "So it is.", "rule": "99.9"}, (400, 403, 403, 403, 401)),
    "amendments": ("amendments/", {"rules": {}, "reason": "R."}, (422, 403, 403, 403, 401)),
    "amendment": ("amendments/9/", {"agrees": True}, (403, 404, 404, 403, 401)),
    "sheet": ("sheet/", {"move": {}, "seen": 0}, (422, 403, 403, 403, 401)),
    "sheet_check": ("sheet/check/", {"move": {}}, (200, 403, 403, 403, 401)),
    "clock_terms": (
        "clocks/terms/",
        {"terms": {"turn": {"length": "9y"}}},
        (400, 403, 403, 403, 401),
    ),
    "life": ("life/", {"how": "resumed"}, (409, 403, 403, 403, 401)),
    "people_acts": (
        "people/acts/",
        {"act": "countersigner", "person": "Nobody"},
        (400, 403, 403, 403, 401),
    ),
    "lobby_acts": ("lobby/acts/", {"act": "draw"}, (409, 403, 403, 403, 401)),
    "posts": ("posts/", {"thread": 1, "report": "turn-1"}, (400, 403, 403, 403, 401)),
    "post_acts": ("posts/1/acts/", {"act": "ready"}, (404, 403, 403, 403, 401)),
    "notes": ("seats/huns/notes/", {"text": "Mind it.", "version": 0}, (403, 200, 403, 403, 401)),
    "plan": ("seats/huns/plan/", {"act": "clear", "version": 0}, (403, 200, 403, 403, 401)),
    "plan_announce": (
        "seats/huns/plan/announce/",
        {"version": 9, "seen": 0},
        (403, 409, 403, 403, 401),
    ),
    "orders": ("seats/huns/orders/", {"act": "clear", "version": 0}, (403, 200, 403, 403, 401)),
    "campaigns": ("/api/v1/campaigns/", {"title": "chess"}, (400, 400, 400, 400, 401)),
    "scenarios": ("/api/v1/scenarios/", {"title": "chess"}, (400, 400, 400, 400, 401)),
    "imports": ("/api/v1/imports/", {"record": {}}, (400, 400, 400, 400, 401)),
    "invitations": ("invitations/", {"seat": "gauls"}, (400, 403, 403, 403, 401)),
    "revoke": ("invitations/999999/revoke/", {}, (404, 403, 403, 403, 401)),
    "take": ("/api/v1/invitations/", {"token": "none"}, (410, 410, 410, 410, 401)),
    "text_reports": (
        "/api/v1/reports/",
        {"kind": "entry", "ref": "abcdefgh.1"},
        (404, 404, 404, 404, 401),
    ),
    "notices_read": ("/api/v1/notices/read/", {}, (200, 200, 200, 200, 401)),
}
"""Writing requests: a user with permission is refused by the state of the table or succeeds."""
