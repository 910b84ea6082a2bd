"""The table at an earlier position, and the places that changed."""

from __future__ import annotations

from campaign.log import history
from campaign.log.history import Trail
from engine.language import plain_name
from games.contract.history import ChangedPlace, Owner, WithComparisons
from games.contract.pages import WithPastPages
from games.contract.plain import HoldingFacts, Position
from web.frame.table import TableContext


def table_as_of(table: TableContext, moves: int, road: Trail | None = None) -> TableContext:
    """Return the table after `moves` moves, for the same reader; `road` is the trail of a branch.

    The holders of the seats are left out, because only the present holders are known.
    """
    past_table = at_position(table, history.after(table.campaign, moves, road))
    past_table.mark = (history.trail(table.campaign) if road is None else road).keys[moves]
    return past_table


def at_position(table: TableContext, position: Position) -> TableContext:
    """Return the table with another position of its log."""
    past_table = TableContext(
        table.request, table.campaign, table.access, past=True, notes=table.notes
    )
    past_table.position = position
    past_table.places = []
    return past_table


def changed_places(past_table: TableContext, before: TableContext) -> list[ChangedPlace]:
    """Return the places that changed between two positions."""
    title = past_table.title
    if isinstance(title, WithComparisons):
        return list(title.changed_places(before.position, past_table.position))
    old, new = before.rows.holdings, past_table.rows.holdings
    return [
        ChangedPlace(
            key=key,
            name=place_name(past_table, key),
            was=owner_of(past_table, old.get(key, {})),
            now=owner_of(past_table, facts),
        )
        for key, facts in new.items()
        if facts.get("owner") != old.get(key, {}).get("owner")
    ]


def place_name(table: TableContext, key: str) -> str:
    return table.pages.place(key) if isinstance(table.pages, WithPastPages) else plain_name(key)


def owner_of(table: TableContext, facts: HoldingFacts) -> Owner:
    owner = facts.get("owner")
    return Owner(owner, table.name_of(owner)) if owner else Owner()
