"""Functions for tests of the game master's desk, which send its forms and read the results."""

from __future__ import annotations

import re
from typing import Any

from campaign.log import selectors
from tests.web.grand_table import GrandTable

REASON = "The post of 4 March says so."


def post_to_desk(table: GrandTable, what: str, who: str = "gm", **typed: str) -> Any:
    """Send a form of the desk from a fresh page; `what` is the action of its button."""
    return table.post(
        who,
        "desk/",
        do=what,
        **{"seen": str(selectors.seen(table.campaign, table.people.get(who))), **typed},
    )


def post_undo(table: GrandTable, **typed: str) -> Any:
    """Send an undo or a restoration.

    `entry` is the last entry that stays, `undo` the entry of the undo to restore. The form is on
    the page that lists what it changes.
    """
    return table.post(
        "gm",
        "rewind/",
        **{"seen": str(selectors.seen(table.campaign, table.people["gm"])), **typed},
    )


def post_correction(table: GrandTable, fix: str, **typed: str) -> Any:
    """Send the desk's form for this kind of correction."""
    return post_to_desk(table, "correct", fix=fix, **typed)


def current_nation(table: GrandTable, key: str = "romans") -> Any:
    """Return a nation in the current position."""
    table.campaign.refresh_from_db()
    return selectors.position(table.campaign).nations[key]


def last_entry(table: GrandTable) -> Any:
    """Return the last entry of the log."""
    return table.campaign.entries.latest("sequence")


def invalid_field_ids(response: Any) -> list[str]:
    """Return the ids of invalid fields, and check that each has the focus and an error text."""
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
