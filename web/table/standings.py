"""The standings of a campaign, during the game and at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.contract.standings import WithStandings
from web.frame.amounts import amount
from web.frame.table import TableContext

PURSE = "actions"
"""The account that standings leave out."""


class Cell(NamedTuple):
    """A number of the standings.

    `warn` is a warning in words; `was` is the previous number.
    """

    label: str
    text: str
    warn: str = ""
    was: str = ""


class Place(NamedTuple):
    """A seat's row of the standings."""

    seat: str
    name: str
    holder: str
    mine: bool
    url: str
    cells: Sequence[Cell]
    rank: int = 0
    note: str = ""


def places(
    table: TableContext, order: Iterable[str], cells: Mapping[str, Sequence[Cell]]
) -> list[Place]:
    """Return the rows of the standings in this order."""
    return [
        Place(
            seat=seat,
            name=table.name_of(seat),
            holder=", ".join(table.holders(seat)),
            mine=seat in table.own_seats,
            url=table.url("nation", seat),
            cells=cells[seat],
        )
        for seat in order
    ]


def standings(table: TableContext) -> list[Place]:
    """Return the title's own standings, by default the plain ones."""
    if not isinstance(table.title, WithStandings):
        return plain_standings(table)
    lines = {line.seat: line for line in table.title.standings(table.position)}
    cells = {seat: [Cell(*number) for number in line.numbers] for seat, line in lines.items()}
    return [place._replace(note=lines[place.seat].note) for place in places(table, lines, cells)]


def plain_standings(table: TableContext) -> list[Place]:
    """Return the accounts of every seat except the purse, sorted by the first account."""
    accounts = [account for account in table.title.accounts if account.key != PURSE]
    balances = table.rows.accounts
    keys = [seat.key for seat in table.seats]
    keys.sort(key=lambda key: [-balances.get((key, account.key), 0) for account in accounts])
    cells = {
        key: [
            Cell(account.label, amount(account, balances.get((key, account.key), 0)))
            for account in accounts
        ]
        for key in keys
    }
    return places(table, keys, cells)


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A seat's row of the final standings."""

    rank: int
    seat: str
    name: str
    points: int
    holder: str
    mine: bool
    facts: str

    @property
    def is_winner(self) -> bool:
        return self.rank == 1


def final(table: TableContext) -> list[FinalPlace]:
    """Return the final standings; empty while the campaign runs."""
    return [
        FinalPlace(
            rank=score.rank,
            seat=score.seat,
            name=table.name_of(score.seat),
            points=score.points,
            holder=", ".join(table.holders(score.seat)),
            mine=score.seat in table.own_seats,
            facts=", ".join(fact_text(table, key, value) for key, value in score.facts.items()),
        )
        for score in table.final_standings or ()
    ]


def fact_text(table: TableContext, key: str, value: int) -> str:
    """Return a further fact that decided a place, in words."""
    account = table.accounts_by_key.get(key)
    return f"{account.label} {amount(account, value)}" if account else f"{key} {value}"
