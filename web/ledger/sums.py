"""Sums of the lines of the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.language import capitalize
from games.contract.move_words import MoveWords
from nations.projection import Sums, Wanted
from web.frame.table import TableContext
from web.ledger.lines import account_holders, signed


@dataclass(frozen=True, slots=True)
class Sum:
    """The number of lines, the sum of gains, and the total."""

    lines: int = 0
    up: int = 0
    total: int = 0

    def plus(self, lines: int, up: int, total: int) -> Sum:
        return Sum(self.lines + lines, self.up + up, self.total + total)


BySide = Mapping[tuple[str, str], Sum]
"""Sums by holder and account."""


@dataclass(frozen=True, slots=True)
class Total:
    """The sums of an account, in words."""

    account: str
    lines: int
    up: str
    down: str
    sum: str


@dataclass(frozen=True, slots=True)
class HolderSums:
    """The sums of a holder for each account of the totals; empty for an account without lines."""

    key: str
    name: str
    sums: list[str]


def sums_of(every: Sums, wanted: Wanted) -> BySide:
    """Return the sums of the filtered lines."""
    sums: dict[tuple[str, str], Sum] = defaultdict(Sum)
    for (holder, account, turn, cause), part in every.by.items():
        if (
            wanted.holder in ("", holder)
            and wanted.account in ("", account)
            and account != (wanted.without or None)
            and wanted.turn in (None, turn)
            and wanted.cause in ("", cause)
        ):
            key = holder, account
            sums[key] = sums[key].plus(part.lines, part.up, part.sum)
    return sums


def totals(table: TableContext, words: MoveWords, sums: BySide) -> list[Total]:
    """Return the sum of each account, in the title's order."""
    return [
        total(words, key, [part for (_holder, account), part in sums.items() if account == key])
        for key in accounts_with_lines(table, sums)
    ]


def accounts_with_lines(table: TableContext, sums: BySide) -> list[str]:
    used = {account for _holder, account in sums}
    return [key for key in table.accounts_by_key if key in used]


def total(words: MoveWords, account: str, parts: Iterable[Sum]) -> Total:
    whole = Sum()
    for part in parts:
        whole = whole.plus(part.lines, part.up, part.total)
    return Total(
        account=capitalize(words.account_name(account)),
        lines=whole.lines,
        up=signed(words, account, whole.up),
        down=signed(words, account, whole.total - whole.up),
        sum=signed(words, account, whole.total),
    )


def by_holder(table: TableContext, words: MoveWords, sums: BySide) -> list[HolderSums]:
    """Return the sums of each holder; an empty list if there is only one holder."""
    accounts = accounts_with_lines(table, sums)
    holders = {holder for holder, account in sums if account in accounts}
    shown = [holder for holder in account_holders(table) if holder in holders]
    if len(shown) < 2:
        return []
    return [
        HolderSums(
            key=holder,
            name=capitalize(table.name_of(holder)),
            sums=[
                signed(words, key, sums[holder, key].total) if (holder, key) in sums else ""
                for key in accounts
            ],
        )
        for holder in shown
    ]
