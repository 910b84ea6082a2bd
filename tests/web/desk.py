"""What the tests of the game master's desk share: its forms, and what became of them."""

from __future__ import annotations

import re
from typing import Any

from campaign.log import selectors
from tests.web.five import Five

REASON = "The post of 4 March says so."


def do(table: Five, what: str, who: str = "gm", **typed: str) -> Any:
    return table.post(
        who,
        "desk/",
        do=what,
        **{"seen": str(selectors.seen(table.campaign, table.people.get(who))), **typed},
    )


def undo(table: Five, **typed: str) -> Any:
    """`entry` the last that stays, or `undo` the entry whose moves come back: said on the page that
    lists what it changes.
    """
    return table.post(
        "gm",
        "rewind/",
        **{"seen": str(selectors.seen(table.campaign, table.people["gm"])), **typed},
    )


def correct(table: Five, fix: str, **typed: str) -> Any:
    return do(table, "correct", fix=fix, **typed)


def nation(table: Five, key: str = "romans") -> Any:
    table.campaign.refresh_from_db()
    return selectors.position(table.campaign).nations[key]


def last(table: Five) -> Any:
    return table.campaign.entries.latest("sequence")


def invalid(response: Any) -> list[str]:
    """The fields marked as wrong: their ids; each has the focus and its error beside it."""
    page = response.content.decode()
    match = re.findall(
        r'<(?:select|textarea|input)[^>]* id="([^"]+)"[^>]*aria-invalid="true"[^>]*>', page
    )
    for ident in match:
        (tag,) = re.findall(rf'<[^>]* id="{ident}"[^>]*>', page)
        assert "autofocus" in tag
        assert f"{ident}-error" in tag
        assert f'id="{ident}-error"' in page
    return match
