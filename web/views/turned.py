"""What an undo would strike and a restoration put back, told before it is confirmed: the moves, and each account then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campaign.models import LogEntry
from campaign.selectors import Line
from web.views.common import TableContext
from web.views.head import amount

LISTED = 20


class Move(NamedTuple):
    """A move that is struck or comes back; `number` is None, and `url` empty, where only some may see it."""

    number: int | None
    url: str
    seat: str
    name: str
    text: str


class Level(NamedTuple):
    """An account of a seat as it stands and as it will."""

    seat: str
    name: str
    label: str
    now: str
    then: str


class Turned(NamedTuple):
    """The newest `LISTED` moves, how many `more` there are, and every account that would stand otherwise."""

    moves: list[Move]
    more: int
    levels: list[Level]


def turned(table: TableContext, lines: Sequence[Line], older: Sequence[LogEntry] = (), *, back: bool = False) -> Turned:
    """Of the last moves in force, newest first, `older` those before the lines; with `back`, of what the last undo struck."""
    before = [[one for one in entry.all_effects if table.access.sees(one.audience)] for entry in reversed(older)]
    first: dict[tuple[str, str], int] = {}
    last: dict[tuple[str, str], int] = {}
    for effects in [*before, *(line.effects for line in reversed(lines))]:
        for effect in effects:
            if effect.kind == "account":
                key = (effect.holder or "", effect.subject)
                first.setdefault(key, effect.balance - effect.change)
                last[key] = effect.balance
    levels, order = [], list(table.accounts)
    for key in sorted(first, key=lambda one: (one[0], order.index(one[1]) if one[1] in table.accounts else len(order))):
        seat, subject = key
        now, then = (first[key], last[key]) if back else (last[key], first[key])
        if now != then:
            account = table.accounts.get(subject)
            label = account.label if account else subject
            levels.append(Level(seat, table.name_of(seat), label, amount(account, now), amount(account, then)))
    return Turned([_move(table, line) for line in lines[:LISTED]], max(len(lines) - LISTED, 0) + len(older), levels)


def _move(table: TableContext, line: Line) -> Move:
    number, seat = line.entry.number, line.entry.seat
    url = table.url("entry", number) if number is not None else ""
    return Move(number, url, seat, table.name_of(seat) if seat else "", line.text)
