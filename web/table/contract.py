"""The interface of a title to the table of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.http import QueryDict

from web.frame.table import TableContext


class OwnPage(Protocol):
    """The title's parts of the table: templates for its map and the parts beside and below it."""

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
    """A part of the page that a browser can request separately."""

    template: str
    page: object
    """The object that the template shows."""


class OwnTable(Protocol):
    """The part `table` of a title that has a table of its own."""

    def own_page(self, table: TableContext, query: QueryDict) -> OwnPage: ...
    def part(self, table: TableContext, name: str, query: QueryDict) -> PagePart | None: ...
