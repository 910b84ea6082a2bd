"""What follows from a move, for people: was → is for each account, cascades with their rule, odds
where a die decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.effects import Effect
from engine.shares import whole_percents
from games.contract.title import Branch
from web.titles.talk import Mark, Outcome, Talk, capital


class Cell(NamedTuple):
    """What a branch does to a row: `was` and `now` of an account (equal where it stays), or a
    `text`.
    """

    was: str = ""
    now: str = ""
    text: str = ""
    note: str = ""
    rule: str = ""

    @property
    def stays(self) -> bool:
        return self.was == self.now and not self.rule


class Row(NamedTuple):
    """A row of the table: `both` where all branches do the same, so that one cell serves."""

    label: str
    cells: tuple[Cell, ...]
    rule: str = ""
    cascade: bool = False
    account: str = ""
    account_label: str = ""

    @property
    def both(self) -> bool:
        return all(cell == self.cells[0] for cell in self.cells)


class Block(NamedTuple):
    """The rows of one seat, or of nobody's where `seat` is None."""

    seat: str | None
    name: str
    rows: tuple[Row, ...]

    @property
    def levels(self) -> list[Row]:
        """What comes of itself, of accounts."""
        return [row for row in self.rows if row.account and not row.cascade]

    @property
    def cascades(self) -> list[Row]:
        return [row for row in self.rows if row.cascade]

    @property
    def things(self) -> list[Row]:
        """What is no account: places, cards, contests …"""
        return [row for row in self.rows if not row.account]


class Column(NamedTuple):
    """A branch: its label, its chance as read, the rolls that bring it, its width in the bar."""

    label: str
    chance: str
    rolls: str
    percent: str
    favourable: int = 1
    of: int = 1


@dataclass(frozen=True)
class Follow:
    """Everything a template needs. Empty `columns`: it cannot be told beforehand (cards and
    events).
    """

    columns: tuple[Column, ...] = ()
    blocks: tuple[Block, ...] = ()
    label: str = ""
    outcomes: tuple[Follow, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    effects: tuple[tuple[Effect, ...], ...] = field(default=(), repr=False)

    @property
    def odds(self) -> bool:
        """Does a die decide?"""
        return len(self.columns) > 1

    @property
    def cascades(self) -> bool:
        return any(row.cascade for block in self.blocks for row in block.rows)

    def mine(self, seat: str) -> tuple[Row, ...]:
        """The rows of one seat."""
        return next((block.rows for block in self.blocks if block.seat == seat), ())


Sees = Callable[[tuple[str, ...] | None], bool]


def everybody(audience: tuple[str, ...] | None) -> bool:
    """The eyes of a stranger."""
    return audience is None


def outcome_columns(
    talk: Talk,
    branches: Sequence[Branch],
    *,
    sees: Sees = everybody,
    first: str | None = None,
    label: str = "",
    purse: bool = False,
) -> Follow:
    """The branches as rows; the seat `first` stands first. `purse`: tell what the move costs, too,
    not only what it gives.
    """
    shown = [tuple(e for e in branch.effects if sees(e.audience)) for branch in branches]
    parts = [
        _Branch(talk, branch, effects, purse)
        for branch, effects in zip(branches, shown, strict=True)
    ]
    order: dict[tuple[str | None, str], None] = {}
    for one in parts:
        order.update(dict.fromkeys(one.cells))
    seats = list(dict.fromkeys(seat for seat, _ in order))
    seats.sort(key=lambda seat: (seat != first, seat is None))
    blocks = []
    for seat in seats:
        rows = [_row(talk, parts, seat, key) for holder, key in order if holder == seat]
        # A cascade stands under what brought it about; what is no account comes last.
        rows = [*(r for r in rows if r.account), *(r for r in rows if not r.account)]
        blocks.append(Block(seat, capital(talk.seat_name(seat)) if seat else "", tuple(rows)))
    percents = whole_percents([Fraction(*branch.chance) for branch in branches])
    columns = tuple(
        _column(talk, branch, percent) for branch, percent in zip(branches, percents, strict=True)
    )
    return Follow(columns, tuple(blocks), label, effects=tuple(shown))


def with_outcomes(
    talk: Talk, follow: Follow, raw: dict[str, Any], branches: Sequence[Branch], sees: Sees
) -> Follow:
    """The same, with how the contest that the move begins or answers may end, where a die does not
    end it first.
    """
    seat = raw.get("for", raw["by"])
    ends: Sequence[Outcome] = ()
    for branch in branches:
        ends = talk.outcomes(raw, branch.after)
        if ends:
            break
    notes = tuple(talk.notes(raw, branches[0].after)) if branches else ()
    outcomes = tuple(
        outcome_columns(talk, end.branches, sees=sees, first=seat, label=end.label) for end in ends
    )
    return Follow(follow.columns, follow.blocks, follow.label, outcomes, notes, follow.effects)


class _Branch:
    """One branch read: cells by (seat, row key), and where each account ended."""

    def __init__(self, talk: Talk, branch: Branch, effects: Sequence[Effect], purse: bool) -> None:
        self.talk, self.after = talk, branch.after
        self.cells: dict[tuple[str | None, str], Cell] = {}
        self.labels: dict[tuple[str | None, str], tuple[str, str, bool, str]] = {}
        changes: dict[tuple[str | None, str, str], list[int]] = {}
        start: dict[tuple[str | None, str], int] = {}
        for effect in effects:
            if effect.kind != "account":
                self._mark(talk.mark(effect))
                continue
            if effect.subject == talk.purse and effect.change < 0 and not purse:
                continue
            where = (effect.holder, effect.subject)
            start.setdefault(where, effect.balance - effect.change)
            cause = effect.cause.id if talk.cascade(effect) else ""
            if cause:
                reason = (talk.title.speak(talk.scenario, effect.cause), effect.cause.rule)
                self.labels[effect.holder, f"{effect.subject}/{cause}"] = (
                    *reason,
                    True,
                    effect.subject,
                )
            changes.setdefault((*where, cause), []).append(effect.change)
        self._accounts(changes, start)

    def _accounts(
        self,
        changes: dict[tuple[str | None, str, str], list[int]],
        start: dict[tuple[str | None, str], int],
    ) -> None:
        last = {(holder, account): key for key in changes for holder, account in [key[:2]]}
        # What comes of itself first, then the cascades in the order in which they fired.
        for holder, account, cause in sorted(changes, key=lambda key: key[2] != ""):
            key = (holder, f"{account}/{cause}" if cause else account)
            was = start[holder, account]
            now = start[holder, account] = was + sum(changes[holder, account, cause])
            note = (
                self.talk.hint(self.after, holder, account)
                if holder and last[holder, account][2] == cause
                else ""
            )
            self.cells[key] = Cell(
                self.talk.amount(account, was), self.talk.amount(account, now), "", note
            )
            self.labels.setdefault(
                key, (capital(self.talk.account_name(account)), "", False, account)
            )

    def _mark(self, mark: Mark | None) -> None:
        if mark is None:
            return
        key = (mark.holder, mark.key)
        before = self.cells.get(key)
        text = f"{before.text}, {mark.text}" if before and before.text != mark.text else mark.text
        self.cells[key] = Cell(text=text, rule=mark.rule)
        self.labels[key] = (mark.label, mark.rule, False, "")


def _row(talk: Talk, branches: Sequence[_Branch], seat: str | None, key: str) -> Row:
    label, rule, cascade, account = next(
        one.labels[seat, key] for one in branches if (seat, key) in one.labels
    )
    whole = [one.cells.get((seat, key)) for one in branches]
    level = next(cell for cell in whole if cell is not None).was
    absent = (
        Cell("", "", "")
        if cascade
        else Cell(level, level)
        if account
        else Cell(text=talk.untouched(key))
    )
    cells = tuple(absent if cell is None else cell for cell in whole)
    if not account:
        rules = {cell.rule for cell in cells if cell is not absent}
        rule = rule if len(rules) == 1 else ""
    return Row(label, cells, rule, cascade, account, talk.account_name(account) if account else "")


def _column(talk: Talk, branch: Branch, percent: int) -> Column:
    """Return a branch as a column. `percent` is its chance, rounded so that all columns add up to
    100.
    """
    label, rolls = talk.branch(branch)
    favourable, of = branch.chance
    share = Fraction(favourable, of)
    exact = share * 100 == percent
    text = f"{percent}%" if exact else _("about %(percent)s%%") % {"percent": percent}
    return Column(label, text, rolls, f"{float(share * 100):.3f}%", favourable, of)
