"""The functions of higher packages that the forum and the API call for reports and posts.

`config.hooks` assigns all of them at the start; until then they do not exist. A caller reads the
name at the moment of the call (`hooks.report_notes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from campaign.log.selectors import Reading
from campaign.models import Campaign, LogEntry
from games.contract.report import Block, Contents, Report


class ReportNotes(Protocol):
    """A reading of what a report says of how its facts came about."""

    def __call__(self, campaign: Campaign, item: Contents, /) -> Sequence[Block]:
        """Return the paragraphs; none if there is nothing to say."""


class PostInTrouble(Protocol):
    """A function that is called when a post has failed or waits for a person."""

    def __call__(
        self,
        campaign: Campaign,
        entry: LogEntry,
        trouble: str,
        about: str,
        facts: Mapping[str, Any],
        at: datetime,
        /,
    ) -> None:
        """Notify the game masters.

        `trouble` is `post-failed`, `post-doubtful` or `thread-locked`; `about` identifies this time
        among others of the same entry; `forum.posts.sending.notify_stuck` lists the facts.
        """


# Reports
reports: Callable[[Reading], list[Contents]]
"""Return every report of a campaign, set-up sheets included, the latest turn first."""
report: Callable[[Reading, str], tuple[Contents, Report] | None]
"""Return the report of a key in the current language; None if there is none."""
report_parts: Callable[[Campaign, Contents, Report, str], Mapping[str, Sequence[Block]]]
"""Return the parts of a report that the site adds, by name; the text begins their addresses."""
report_notes: ReportNotes
"""Return the notes of the battles in a report."""
picture_waits: Callable[[Campaign, str, int | None, str], bool]
"""Return whether the picture of a report still has to be drawn, and have it drawn then: the
report's kind, its last entry, its language.
"""

# Posts
post_in_trouble: PostInTrouble
