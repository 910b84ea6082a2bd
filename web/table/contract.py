"""What a title adds to the table of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.http import QueryDict

from games.contract.plain import Known
from games.contract.title import Offer
from web.frame.table import TableContext
from web.table.standings import Place

RuleText = tuple[str, str]
"""A sentence and the paragraph of the rules that says so."""


@dataclass(frozen=True, slots=True)
class BattleText:
    """A title's words for a battle. If `defender` is empty, the defending seat is shown."""

    where: str
    kind: str
    state: str
    tone: str
    defender: str = ""
    defender_name: str = ""


class BattleTeller(Protocol):
    """A title with words of its own for its battles."""

    def contest(self, table: TableContext, facts: Known) -> BattleText: ...


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


class OwnTable(BattleTeller, Protocol):
    """A title that has a table of its own: its module `table`."""

    def own_page(self, table: TableContext, asked: QueryDict) -> OwnPage: ...
    def standings(self, table: TableContext) -> list[Place]: ...
    def part(self, table: TableContext, name: str, asked: QueryDict) -> PagePart | None: ...
    def opening(self, table: TableContext) -> list[RuleText]:
        """Return what the next turn throws and opens."""
        ...

    def corrections(self, table: TableContext, typed: QueryDict) -> Sequence[Offer]:
        """Return the game master's corrections on the title's own sheets."""
        ...
