"""Consequences of a move: changes of accounts, cascades with their rule, odds of dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log.undo import reveals
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.language import capitalize
from engine.shares import whole_percents
from games.contract.move_words import Mark, MoveWords, Outcome
from games.contract.title import Branch
from web.moves.chances import ChanceReader, OwnChance


class Cell(NamedTuple):
    """The effect of a branch on a row: an account's levels `was` and `now`, or a `text`."""

    was: str = ""
    now: str = ""
    text: str = ""
    note: str = ""
    rule: str = ""

    @property
    def stays(self) -> bool:
        return self.was == self.now and not self.rule


class PreviewRow(NamedTuple):
    """A row of the preview with a cell for each branch."""

    label: str
    cells: tuple[Cell, ...]
    rule: str = ""
    cascade: bool = False
    account: str = ""
    account_label: str = ""

    @property
    def both(self) -> bool:
        """Return whether all branches have the same effect, so that one cell is enough."""
        return all(cell == self.cells[0] for cell in self.cells)

    @property
    def rule_beside_label(self) -> str:
        """Return the rule, unless the only cell of the row shows it."""
        return "" if self.both else self.rule

    def rule_of_cell(self, cell: Cell) -> str:
        """Return the rule to show in a cell; empty if the row's label shows it."""
        return cell.rule if self.both or not self.rule else ""


class Block(NamedTuple):
    """The rows of a seat; `seat` is None for rows that concern no seat."""

    seat: str | None
    name: str
    rows: tuple[PreviewRow, ...]

    @property
    def levels(self) -> list[PreviewRow]:
        """Return the direct changes of accounts."""
        return [row for row in self.rows if row.account and not row.cascade]

    @property
    def cascades(self) -> list[PreviewRow]:
        return [row for row in self.rows if row.cascade]

    @property
    def things(self) -> list[PreviewRow]:
        """Return the rows that are not accounts: places, cards, contests."""
        return [row for row in self.rows if not row.account]

    def is_named_beside(self, own: str) -> bool:
        """Return whether a preview for the seat `own` names this seat beside its rows."""
        return bool(self.seat) and self.seat != own


class Column(NamedTuple):
    """A branch: its label, its chance as text, its rolls, its width in the bar of odds."""

    label: str
    chance: str
    rolls: str
    percent: str
    favourable: int = 1
    of: int = 1

    @property
    def rolls_or_chance(self) -> str:
        return self.rolls or self.chance


@dataclass(frozen=True)
class Follow:
    """All consequences of a move.

    It has no `columns` if dice of cards or events decide.
    """

    columns: tuple[Column, ...] = ()
    blocks: tuple[Block, ...] = ()
    label: str = ""
    outcomes: tuple[Follow, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    chance: OwnChance | None = None
    """The chances of the reader's side in the contest that a model decides."""
    effects: tuple[tuple[Effect, ...], ...] = field(default=(), repr=False)

    @property
    def odds(self) -> bool:
        """Return whether a die decides."""
        return len(self.columns) > 1

    @property
    def odds_label(self) -> str:
        """Return the branches with their chances as a single text, for screen readers."""
        return ", ".join(f"{column.label} {column.chance}" for column in self.columns)

    @property
    def cascades(self) -> bool:
        return any(row.cascade for block in self.blocks for row in block.rows)

    def mine(self, seat: str) -> tuple[PreviewRow, ...]:
        """Return the rows of a seat."""
        return next((block.rows for block in self.blocks if block.seat == seat), ())


Sees = Callable[[tuple[str, ...] | None], bool]
"""Whether a reader may see an effect with this audience."""


def is_public(audience: tuple[str, ...] | None) -> bool:
    """Return whether an effect is public."""
    return audience is None


def outcome_columns(
    words: MoveWords,
    branches: Sequence[Branch],
    *,
    sees: Sees = is_public,
    first: str | None = None,
    label: str = "",
    purse: bool = False,
) -> Follow:
    """Return the branches as a preview.

    Args:
        words: The words of the title for the position of the move.
        branches: The possible results of the move.
        sees: Decides which effects the reader may see.
        first: The seat whose block comes first.
        label: The label of the preview.
        purse: Whether to show the costs of the move, not only its gains.
    """
    shown = [tuple(e for e in branch.effects if sees(e.audience)) for branch in branches]
    parts = [
        BranchCells(words, branch, effects, purse=purse)
        for branch, effects in zip(branches, shown, strict=True)
    ]
    order = list(dict.fromkeys(key for part in parts for key in part.cells))
    seats = list(dict.fromkeys(seat for seat, _key in order))
    seats.sort(key=lambda seat: (seat != first, seat is None))
    blocks = tuple(block_of(words, parts, seat, order) for seat in seats)
    percents = whole_percents([Fraction(*branch.chance) for branch in branches])
    columns = tuple(
        column_of(words, branch, percent)
        for branch, percent in zip(branches, percents, strict=True)
    )
    return Follow(columns, blocks, label, effects=tuple(shown))


def block_of(
    words: MoveWords,
    parts: Sequence[BranchCells],
    seat: str | None,
    order: Sequence[tuple[str | None, str]],
) -> Block:
    """Return the rows of a seat: accounts with their cascades, then everything else."""
    rows = [row_of(words, parts, seat, key) for holder, key in order if holder == seat]
    rows = [*(row for row in rows if row.account), *(row for row in rows if not row.account)]
    return Block(seat, capitalize(words.seat_name(seat)) if seat else "", tuple(rows))


def with_outcomes(
    words: MoveWords,
    follow: Follow,
    raw: Mapping[str, object],
    branches: Sequence[Branch],
    sees: Sees,
) -> Follow:
    """Add the possible ends of the contest that the move begins or answers.

    There are none if a die ends the contest first.
    """
    ends: Sequence[Outcome] = ()
    for branch in branches:
        ends = words.outcomes(raw, branch.after)
        if ends:
            break
    seat = mover(raw)
    outcomes = tuple(
        outcome_columns(words, end.branches, sees=sees, first=seat, label=end.label) for end in ends
    )
    notes = tuple(words.notes(raw, branches[0].after)) if branches else ()
    return replace(follow, outcomes=outcomes, notes=notes)


def mover(raw: Mapping[str, object]) -> str:
    """Return the seat that a move is made for."""
    return str(raw.get("for", raw["by"]))


class Label(NamedTuple):
    """The head of a row: its text, its rule, whether it is a cascade, its account."""

    text: str
    rule: str
    cascade: bool
    account: str


class BranchCells:
    """The cells of a branch by seat and row, with the heads of their rows."""

    def __init__(
        self, words: MoveWords, branch: Branch, effects: Sequence[Effect], *, purse: bool
    ) -> None:
        self.words, self.after = words, branch.after
        self.cells: dict[tuple[str | None, str], Cell] = {}
        self.labels: dict[tuple[str | None, str], Label] = {}
        changes: dict[tuple[str | None, str, str], list[int]] = {}
        start: dict[tuple[str | None, str], int] = {}
        for effect in effects:
            if effect.kind != "account":
                self._add_mark(words.mark(effect))
                continue
            if effect.subject == words.purse and effect.change < 0 and not purse:
                continue
            start.setdefault((effect.holder, effect.subject), effect.balance - effect.change)
            cause = self._add_cascade(effect)
            changes.setdefault((effect.holder, effect.subject, cause), []).append(effect.change)
        self._add_accounts(changes, start)

    def _add_cascade(self, effect: Effect) -> str:
        """Add the label of a cascade and return its cause; empty for every other effect."""
        if not self.words.cascade(effect):
            return ""
        cause = effect.cause
        text = self.words.title.speak(self.words.scenario, cause)
        self.labels[effect.holder, f"{effect.subject}/{cause.id}"] = Label(
            text, cause.rule, cascade=True, account=effect.subject
        )
        return cause.id

    def _add_accounts(
        self,
        changes: Mapping[tuple[str | None, str, str], list[int]],
        start: dict[tuple[str | None, str], int],
    ) -> None:
        last_cause = {(holder, account): cause for holder, account, cause in changes}
        # Direct changes come first, then the cascades in the order in which they occurred.
        for holder, account, cause in sorted(changes, key=lambda key: key[2] != ""):
            key = (holder, f"{account}/{cause}" if cause else account)
            was = start[holder, account]
            now = start[holder, account] = was + sum(changes[holder, account, cause])
            is_last = last_cause[holder, account] == cause
            self.cells[key] = Cell(
                was=self.words.amount(account, was),
                now=self.words.amount(account, now),
                note=self.words.hint(self.after, holder, account) if holder and is_last else "",
            )
            name = capitalize(self.words.account_name(account))
            self.labels.setdefault(key, Label(name, "", cascade=False, account=account))

    def _add_mark(self, mark: Mark | None) -> None:
        if mark is None:
            return
        key = (mark.holder, mark.key)
        before = self.cells.get(key)
        text = f"{before.text}, {mark.text}" if before and before.text != mark.text else mark.text
        self.cells[key] = Cell(text=text, rule=mark.rule)
        self.labels[key] = Label(mark.label, mark.rule, cascade=False, account="")


def row_of(
    words: MoveWords, branches: Sequence[BranchCells], seat: str | None, key: str
) -> PreviewRow:
    """Return a row with a cell for each branch, including branches that do not touch it."""
    label = next(branch.labels[seat, key] for branch in branches if (seat, key) in branch.labels)
    known = [branch.cells.get((seat, key)) for branch in branches]
    cells = [cell for cell in known if cell is not None]
    absent = absent_cell(words, key, label, cells[0])
    rule = label.rule
    if not label.account and len({cell.rule for cell in cells}) != 1:
        rule = ""
    return PreviewRow(
        label=label.text,
        cells=tuple(absent if cell is None else cell for cell in known),
        rule=rule,
        cascade=label.cascade,
        account=label.account,
        account_label=words.account_name(label.account) if label.account else "",
    )


def absent_cell(words: MoveWords, key: str, label: Label, first: Cell) -> Cell:
    """Return the cell of a branch that does not touch the row."""
    if label.cascade:
        return Cell()
    if label.account:
        return Cell(was=first.was, now=first.was)
    return Cell(text=words.unchanged_text(key))


def column_of(words: MoveWords, branch: Branch, percent: int) -> Column:
    """Return a branch as a column. `percent` is its chance, rounded so that all add up to 100."""
    label, rolls = words.branch(branch)
    favourable, of = branch.chance
    share = Fraction(favourable, of)
    exact = share * 100 == percent
    text = (
        f"{percent}%" if exact else pgettext("moves", "about %(percent)s%%") % {"percent": percent}
    )
    return Column(label, text, rolls, f"{float(share * 100):.3f}%", favourable, of)


# The preview of a future move


def branches_of(words: MoveWords, raw: Mapping[str, object]) -> Sequence[Branch]:
    """Return the possible results of the move; empty if its dice cannot be predicted.

    Raise the refusal of a move that is not possible.
    """
    try:
        return words.title.branches(words.position, words.title.decode(dict(raw), words.position))
    except IllegalMove as refusal:
        if refusal.code == "no-dice":
            return ()
        raise


def preview_move(
    words: MoveWords,
    raw: Mapping[str, object],
    sees: Sees = is_public,
    chances: ChanceReader | None = None,
) -> tuple[Follow, str]:
    """Return the consequences of a move, and why it needs a confirmation (empty: it does not).

    With `chances`, they include those of the contest that the move begins or answers.
    """
    branches = branches_of(words, raw)
    follow = outcome_columns(words, branches, sees=sees, first=mover(raw))
    follow = with_outcomes(words, follow, raw, branches, sees)
    if chances is not None:
        follow = replace(follow, chance=chances.of_branches(raw, branches))
    return follow, confirmation_text(words, raw, branches, follow)


def confirmation_text(
    words: MoveWords, raw: Mapping[str, object], branches: Sequence[Branch], follow: Follow
) -> str:
    """Return why a move needs a confirmation; empty if one click is enough."""
    text = final_text(words, raw, branches, follow)
    if not text and follow.cascades:
        return _("Thresholds are crossed, as shown.")
    return text


def final_text(
    words: MoveWords, raw: Mapping[str, object], branches: Sequence[Branch], follow: Follow
) -> str:
    """Return why a move cannot be taken back; empty if it can.

    It depends only on what the reader may see, because it must not reveal the presence of a hidden
    card.
    """
    own = words.why_final(raw, words.position)
    if not branches or any(branch.what.id != "certain" for branch in branches):
        thrown = _(
            "Dice are thrown at once. Only the game master can undo this, and the dice would be "
            "the same again."
        )
        return f"{own} {thrown}".strip()
    if any(reveals(effects) for effects in follow.effects):
        shown = _("A card changes hands or is shown: only the game master can undo this.")
        return f"{own} {shown}".strip()
    return own
