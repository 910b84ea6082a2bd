"""The function of another page that the frame calls.

`config.hooks` assigns it at the start; until then it does not exist.
"""

from __future__ import annotations

from typing import Protocol

from web.frame.table import TableContext


class LessonPageShown(Protocol):
    """A function that is called when a page of a lesson's campaign is shown."""

    def __call__(self, table: TableContext, page: str, /) -> object | None:
        """Return the note of the lesson for the page of a name; None if there is none."""


lesson_note: LessonPageShown
