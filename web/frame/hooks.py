"""The hook through which the frame calls a function of another page.

`config.hooks` assigns the function at the start; before that it does not exist.
"""

from __future__ import annotations

from typing import Protocol

from web.frame.table import TableContext


class LessonPageShown(Protocol):
    """A function that is called when a page of a lesson's campaign is shown."""

    def __call__(self, table: TableContext, page: str, /) -> object | None:
        """Return the note of the lesson for the page of this name; None if there is none."""


lesson_note: LessonPageShown
