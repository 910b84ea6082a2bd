"""The functions of higher packages that the forum and the API call for reports and posts.

`config.hooks` fills each in once, at the start; until then there is none. A caller reads the name
at the moment of the call (`hooks.report_notes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from campaign.log.selectors import Reading
from campaign.models import Campaign, LogEntry
from games.contract.report import Block, Contents, Report

# Reports
reports: Callable[[Reading], list[Contents]]
"""Return every report of a campaign, set-up sheets included, the latest turn first."""
report: Callable[[Reading, str], tuple[Contents, Report] | None]
"""Return the report of a key in the current language; None if there is none."""
report_parts: Callable[[Campaign, Contents, Report, str], Mapping[str, Sequence[Block]]]
"""Return the parts of a report that the site adds, by name; the text begins their addresses."""
report_notes: Sequence[Callable[[Campaign, Contents], Sequence[Block]]]
"""Return what a report says of how the facts in it came about."""
picture_waits: Callable[[Campaign, str, int | None, str], bool]
"""Return whether the picture of a report still has to be drawn, and have it drawn then: the
report's kind, its last entry, its language.
"""

# Posts
tell_of_post: Callable[[Campaign, LogEntry, str, str, Mapping[str, Any], datetime], None]
"""Notify of a post that failed or waits for a person: its entry, what happened, which time, facts
(`forum.posts.sending`).
"""
