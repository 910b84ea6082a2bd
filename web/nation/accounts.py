"""The accounts of a nation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.language import capitalize
from games.contract.move_words import MoveWords
from games.contract.nation import AccountNote, Gauge
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class AccountLine:
    """An account with its level; `text` is the level without its unit."""

    label: str
    text: str
    unit: str
    note: str
    rule: str
    is_warning: bool
    gauge: Gauge | None


def account_lines(
    table: TableContext, seat: str, words: MoveWords, notes: Mapping[str, AccountNote]
) -> list[AccountLine]:
    """Return the accounts of a seat, without the purse, with the title's notes on them."""
    lines = []
    for account in table.title.accounts:
        if account.key == words.purse:
            continue
        level = table.rows.accounts.get((seat, account.key), 0)
        note = notes.get(account.key, AccountNote())
        lines.append(
            AccountLine(
                label=note.label or capitalize(account.label),
                text=words.amount(account.key, level).removesuffix(account.unit),
                unit=account.unit,
                note=note.note,
                rule=note.rule,
                is_warning=note.is_warning,
                gauge=note.gauge,
            )
        )
    return lines
