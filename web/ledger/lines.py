"""Lines of the ledgers in words, and the holders of accounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaign.log.turn_times import RESUME
from campaign.models import LogEntry
from engine.effects import Effect
from engine.language import capitalize
from games.contract.move_words import MoveWords
from games.registry import word
from nations.projection import LedgerRow
from web.frame.table import TableContext
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A change of an account."""

    number: int | None
    url: str
    holder: str
    name: str
    account: str
    cause: str
    rule: str
    change: str
    balance: str
    cascade: bool
    """Whether the change followed because another account had crossed a threshold."""
    turn: str
    """The name of the turn, for its first line only."""


def ledger_lines(
    table: TableContext, words: MoveWords, rows: Sequence[LedgerRow]
) -> list[LedgerLine]:
    """Return lines in words; the first line of each turn names the turn."""
    turns = [None, *(row.turn for row in rows)]
    urls = entry_urls(table, {row.number for row in rows})
    return [
        ledger_line(
            table,
            words,
            row,
            url=urls[row.number],
            turn=turn_name(table, row.turn) if row.turn != before else "",
        )
        for row, before in zip(rows, turns, strict=False)
    ]


def entry_urls(table: TableContext, numbers: Iterable[int | None]) -> dict[int | None, str]:
    """Return the address of each entry; empty for entries without a number."""
    return {number: table.url("entry", number) if number is not None else "" for number in numbers}


def ledger_line(
    table: TableContext, words: MoveWords, row: LedgerRow, *, url: str, turn: str
) -> LedgerLine:
    cause = row.cause_said
    effect = Effect("account", row.holder, row.account, cause, row.change, row.balance)
    return LedgerLine(
        number=row.number,
        url=url,
        holder=row.holder,
        name=capitalize(table.name_of(row.holder)),
        account=words.account_name(row.account),
        cause=capitalize(table.sentence(cause)),
        rule=cause.rule,
        change=signed(words, row.account, row.change),
        balance=words.amount(row.account, row.balance),
        cascade=words.cascade(effect),
        turn=turn,
    )


def turn_name(table: TableContext, turn: int) -> str:
    if not turn:
        return word(table.campaign.title, "before_turns")
    return capitalize(word(table.campaign.title, "turn_number").format(n=turn))


def signed(words: MoveWords, account: str, change: int) -> str:
    """Return a change of an account with its sign."""
    return ("+" if change > 0 else "") + words.amount(account, change)


def account_holders(table: TableContext) -> list[str]:
    """Return all holders of accounts: the seats first, then others."""
    seats = [seat.key for seat in table.seats]
    others = {holder for holder, _account in table.rows.accounts} - set(seats)
    return [*seats, *sorted(others, key=lambda key: (len(key), key))]


def taken_over(table: TableContext) -> int:
    """Return the turn after which the campaign was taken over; 0 if it began here."""
    if not table.campaign.started or pages_of(table.title.key).resume is None:
        return 0
    moves = table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, act=RESUME, struck_by=None)
    move = moves.order_by("sequence").first()
    return int(move.content["turn"]) if move is not None else 0
