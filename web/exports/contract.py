"""What a title adds to take over a campaign that runs elsewhere, and to let one continue there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from django.http import HttpRequest, HttpResponse

from web.frame.table import TableContext


class ResumeSheet(Protocol):
    """The sheet that says how a campaign stands."""

    def page(self, request: HttpRequest, table: TableContext) -> HttpResponse:
        """Show the sheet to the game master, or take over what was typed on it."""
        ...

    def rows(self, table: TableContext) -> Sequence[Sequence[int | str]]:
        """Return the present sheet of the campaign, with the hands that the reader may see."""
        ...

    def move(self, table: TableContext) -> Mapping[str, object]:
        """Return the move that brings a new campaign to just this position."""
        ...
