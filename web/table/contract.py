"""What a title adds to the table of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.http import QueryDict

from web.frame.table import TableContext


class OwnPage(Protocol):
    """What a title adds to the table: its map and the parts beside and below it, by their
    templates.
    """

    @property
    def seat_word(self) -> str: ...
    @property
    def scripts(self) -> Sequence[str]: ...
    @property
    def map_template(self) -> str: ...
    @property
    def rail_template(self) -> str: ...
    @property
    def below_template(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of the page that a browser asks for by itself."""

    template: str
    page: object
    """What the template shows."""


class OwnTable(Protocol):
    """A title that has a table of its own: its module `table`."""

    def own_page(self, table: TableContext, asked: QueryDict) -> OwnPage: ...
    def part(self, table: TableContext, name: str, asked: QueryDict) -> PagePart | None: ...
