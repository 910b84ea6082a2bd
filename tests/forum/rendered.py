"""Functions that render a report for tests."""

from __future__ import annotations

from collections.abc import Mapping

from forum.dialects import DIALECTS, Context
from games.contract.report import Report


def render_bbcode(
    report: Report, colours: Mapping[str, str], limit: int | None = None
) -> list[str]:
    """Return the posts of a report for phpBB."""
    return DIALECTS["phpbb"].render(report, Context(colours), limit)


def render_plain_text(report: Report) -> str:
    """Return the whole report as plain text."""
    return DIALECTS["plain"].text(report, Context()) + "\n"
