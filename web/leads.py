"""Where an address leads in a title that has a page of its own: most rooms of the table are on that page."""

from __future__ import annotations

from typing import Any

from games.registry import PAGES

PLAIN = frozenset({
    "story", "nation", "plan", "announce", "preview", "battles", "battle", "evidence", "desk", "remedies", "terms",
})  # fmt: skip
"""Addresses that are nowhere where the title has a page of its own."""


def leads(title: str, page: tuple[Any, ...]) -> tuple[Any, ...]:
    """The page, a name and its arguments after the campaign, or the table where the title has no such page."""
    return ("table",) if title in PAGES and page[0] in PLAIN else page
