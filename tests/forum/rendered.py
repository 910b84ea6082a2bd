"""A report as its tests read it."""

from __future__ import annotations

from collections.abc import Mapping

from forum.dialects import DIALECTS, Context
from games.contract.report import Report


def bbcode(report: Report, colours: Mapping[str, str], limit: int | None = None) -> list[str]:
    """Posts for phpBB."""
    return DIALECTS["phpbb"].render(report, Context(colours), limit)


def plain(report: Report) -> str:
    """The whole as plain text."""
    return DIALECTS["plain"].text(report, Context()) + "\n"
