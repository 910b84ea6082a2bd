"""The interface of a title to resume a campaign from elsewhere, or to continue one elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from django.http import HttpRequest, HttpResponse

from web.frame.table import TableContext


class ResumeSheet(Protocol):
    """The sheet that describes the position of a campaign."""

    def page(self, request: HttpRequest, table: TableContext) -> HttpResponse:
        """Show the sheet to the game master, or apply what they typed on it."""
        ...

    def rows(self, table: TableContext) -> Sequence[Sequence[int | str]]:
        """Return the present sheet of the campaign, with the hands that the reader may see."""
        ...

    def move(self, table: TableContext) -> Mapping[str, object]:
        """Return the move that brings a new campaign to exactly this position."""
        ...
