"""The functions of higher packages that the forum and the API call for reports and posts.

`config.hooks` assigns all of them at the start; until then they do not exist. A caller reads the
name at the moment of the call (`hooks.report_notes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from campaign.models import Campaign, LogEntry
from games.contract.report import Block, Contents


class ReportNotes(Protocol):
    """A function that returns the notes of a report about the origin of its facts."""

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

        `trouble` is `post-failed`, `post-doubtful` or `thread-locked`; `about` distinguishes this
        notice from others of the same entry; `forum.posts.sending.notify_stuck` lists the facts.
        """


# Reports
report_notes: ReportNotes
"""Return the notes of the battles in a report."""

# Posts
post_in_trouble: PostInTrouble
