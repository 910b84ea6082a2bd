"""Who may see a row: `|huns|romans|` in the database, None for everybody, `||` for the game master alone.

A text, so that both databases filter by it with LIKE; keys of seats hold no `|`, `%` or `_`.
"""

from collections.abc import Iterable

from django.db.models import Q

GAME_MASTER = "gm"


def pack(audience: Iterable[str] | None) -> str | None:
    """The column's text of a kernel audience."""
    return None if audience is None else "|" + "|".join(sorted(audience)) + "|"


def unpack(text: str | None) -> tuple[str, ...] | None:
    """The kernel audience of a column's text."""
    return None if text is None else tuple(seat for seat in text.split("|") if seat)


def seen_by(audience: tuple[str, ...] | None, viewers: Iterable[str]) -> bool:
    """May any of these seats (the game master sees all) see it?"""
    return audience is None or any(viewer == GAME_MASTER or viewer in audience for viewer in viewers)


def visible(viewers: Iterable[str], column: str = "audience") -> Q:
    """The filter for rows that any of these seats may see."""
    named = tuple(viewers)
    if GAME_MASTER in named:
        return Q()
    condition = Q(**{f"{column}__isnull": True})
    for viewer in named:
        condition |= Q(**{f"{column}__contains": f"|{viewer}|"})
    return condition
