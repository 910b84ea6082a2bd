"""What a page of the frame asks of other pages. They register themselves when they are imported."""

from __future__ import annotations

from typing import Protocol

from web.frame.table import TableContext


class LessonNote(Protocol):
    """Return the note of a lesson for the page of a name; None if the lesson has none there."""

    def __call__(self, table: TableContext, page: str) -> object | None: ...


def no_note(table: TableContext, page: str) -> None:
    """Return no note, as long as no module teaches."""


lesson_note: LessonNote = no_note
