"""The contents of charts and their tables: accounts over the log, as the reader may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import selectors
from engine.language import capitalize, inside_sentence
from games.contract.ending import TurnChart
from games.contract.move_words import MoveWords
from games.kit.move_words import move_words
from games.registry import word
from nations import projection as nations
from web.charts.drawing import DASHES, Course, Turn, draw
from web.frame.table import TableContext
from web.ledger.lines import account_holders

NAMED = 12
"""The number of lines with a name and a column in the table; seats always have them."""
WIDE, LARGE, NARROW = (560, 190), (1160, 340), (340, 210)
"""Width and height of a chart among others, of a single chart, and of a chart on a phone."""
FEW = 8
"""The number of steps that a table's cell shows at the beginning and at the end of a turn.

The ledger shows all steps.
"""


@dataclass(frozen=True, slots=True)
class ChartCell:
    """The balances of an account within a turn, in order."""

    steps: Sequence[str]
    """The changes of the balance within the turn; empty if it remained at `was`."""
    was: str

    @property
    def before(self) -> Sequence[str]:
        """Return all steps except the last; of very many steps only the first and the last ones."""
        steps = self.steps[:-1]
        return steps if len(steps) <= 2 * FEW else [*steps[:FEW], "…", *steps[-FEW:]]

    @property
    def last(self) -> str:
        return self.steps[-1] if self.steps else ""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A turn in the table of a chart, with a cell for each holder."""

    name: str
    cells: list[ChartCell]


@dataclass(frozen=True, slots=True)
class Chart:
    """An account's chart as SVG and as a table."""

    key: str
    label: str
    wide: SafeString
    narrow: SafeString
    """The drawing for a phone."""
    heads: list[tuple[str, str]]
    """Key and name of the holders in the table."""
    rows: list[ChartRow]
    ended: list[Course]
    """Lines with a column but without a name in the drawing, because their balance has dropped to
    zero.
    """
    others: int
    """The number of lines without a name."""


@dataclass(frozen=True, slots=True)
class Courses:
    """All accounts of a campaign, or a single account."""

    table: TableContext
    words: MoveWords
    focus: str
    """The seat whose lines are bold."""
    turns: list[tuple[int, int]]
    """Each turn with its first entry."""
    first: int
    last: int
    taken_over: bool
    """Whether the campaign was taken over in its course.

    The initial balances of the scenario then never existed in this campaign.
    """
    steps: Mapping[tuple[str, str], Sequence[nations.Step]]

    @property
    def empty(self) -> bool:
        return not self.turns

    def has(self, account: str) -> bool:
        """Return whether any holder has a line of the account; in some variants none has."""
        return any(self.has_line(holder, account) for holder in account_holders(self.table))

    def has_line(self, holder: str, account: str) -> bool:
        """Return whether a seat has the account, or a holder ever had a line of it."""
        if (holder, account) in self.steps:
            return True
        is_seat = any(holder == seat.key for seat in self.table.seats)
        return is_seat and (holder, account) in self.table.rows.accounts


def courses(table: TableContext, account: str = "", focus: str = "") -> Courses:
    """Return the accounts over the log, or a single account."""
    spans = selectors.turns(table.campaign)
    turns = [(turn, first) for turn, first, _last in spans if turn]
    entries = [number for _turn, first, last in spans for number in (first, last)]
    first, last = (min(entries) - 1, max(entries)) if entries else (0, 0)
    taken_over = bool(turns) and turns[0][0] > 1
    if taken_over:
        first = turns[0][1]
    return Courses(
        table=table,
        words=move_words(table.title, table.scenario, table.position),
        focus=focus,
        turns=turns,
        first=first,
        last=last,
        taken_over=taken_over,
        steps=nations.courses(table.campaign, table.access, account, first).steps,
    )


def chart(
    log: Courses, account: str, *, is_large: bool = False, marked_entry: int | None = None
) -> Chart:
    """Return an account's chart and table; `marked_entry` is an entry to be marked."""
    lines = lines_of(log, account)
    named = [line for line in lines if line.named]
    return Chart(
        key=account,
        label=label_of(log, account),
        wide=drawing(log, account, lines, LARGE if is_large else WIDE, marked_entry),
        narrow=drawing(log, account, lines, NARROW, marked_entry),
        heads=[(line.holder, line.name) for line in named],
        rows=table_rows(log, account, [line.holder for line in named]),
        ended=[line for line in named if line.ended],
        others=len(lines) - len(named),
    )


def small_chart(log: Courses, account: str) -> tuple[str, SafeString]:
    """Return the account's name, and its chart for a narrow column."""
    return label_of(log, account), drawing(log, account, lines_of(log, account), NARROW)


@dataclass(frozen=True, slots=True)
class TurnDrawing:
    """A chart of a number turn by turn, as SVG and as a table."""

    chart: TurnChart
    wide: SafeString
    narrow: SafeString


def turn_drawing(chart: TurnChart, focus: str) -> TurnDrawing:
    """Return a chart of a number turn by turn; the line of the seat `focus` is bold.

    A value is drawn at the end of its turn.
    """
    lines = [
        Course(
            holder=line.seat,
            name=capitalize(line.name),
            dash=place % DASHES,
            steps=list(enumerate(line.values)),
            focus=line.seat == focus,
        )
        for place, line in enumerate(chart.seats)
    ]
    marks = [Turn(place, mark) for place, mark in enumerate(chart.marks)]

    def text(value: int) -> str:
        return f"{value}{chart.unit}".replace("-", "−")

    spoken = ", ".join(
        f"{line.name} {text(line.steps[0][1])} → {text(line.last)}" for line in lines
    )
    label = _("%(account)s over time: %(courses)s") % {"account": chart.label, "courses": spoken}
    wide, narrow = (
        draw(lines, marks, 0, len(marks), label=label, text=text, width=size[0], height=size[1])
        for size in (WIDE, NARROW)
    )
    return TurnDrawing(chart, wide, narrow)


def label_of(log: Courses, account: str) -> str:
    return capitalize(log.table.accounts_by_key[account].label)


def drawing(
    log: Courses,
    account: str,
    lines: Sequence[Course],
    size: tuple[int, int],
    marked_entry: int | None = None,
) -> SafeString:
    def text(value: int) -> str:
        return log.words.amount(account, value)

    spoken = ", ".join(
        f"{line.name} {text(line.steps[0][1])} → {text(line.last)}" for line in lines if line.named
    )
    label = _("%(account)s over time: %(courses)s") % {
        "account": label_of(log, account),
        "courses": spoken,
    }
    return draw(
        lines,
        [Turn(first, inside_sentence(turn_name(log, turn))) for turn, first in log.turns],
        log.first,
        log.last,
        label=label,
        text=text,
        scale=log.table.accounts_by_key[account].scale,
        width=size[0],
        height=size[1],
        marked_entry=marked_entry,
    )


def lines_of(log: Courses, account: str) -> list[Course]:
    """Return the line of each holder of the account; a holder's place decides the line's style."""
    seats = {seat.key for seat in log.table.seats}
    lines = [
        line_of(log, account, holder, place, is_seat=holder in seats)
        for place, holder in enumerate(account_holders(log.table))
        if log.has_line(holder, account)
    ]
    most_important = sorted(
        lines,
        key=lambda line: (
            line.holder not in seats,
            line.ended,
            -max(value for _entry, value in line.steps),
        ),
    )
    kept = {line.holder for line in most_important[: max(NAMED, len(seats))]}
    return [replace(line, named=line.holder in kept) for line in lines]


def line_of(log: Courses, account: str, holder: str, place: int, *, is_seat: bool) -> Course:
    steps = log.steps.get((holder, account), ())
    line = [(entry, balance) for _turn, entry, balance in steps]
    if is_seat and (not steps or steps[0][0]):
        line.insert(0, (log.first, 0))
    return Course(
        holder=holder,
        name=capitalize(log.table.name_of(holder)),
        dash=place % DASHES,
        steps=line,
        ended=not is_seat and not line[-1][1],
        focus=holder == log.focus,
    )


def turn_name(log: Courses, turn: int) -> str:
    return capitalize(word(log.table.campaign.title, "turn_number").format(n=turn))


def table_rows(log: Courses, account: str, holders: Sequence[str]) -> list[ChartRow]:
    """Return a row for each turn; the first row has the initial balances."""
    seats = {seat.key for seat in log.table.seats}
    columns = {
        holder: column(
            log, account, holder, log.words.amount(account, 0) if holder in seats else ""
        )
        for holder in holders
    }
    turns = [0, *(turn for turn, _first in log.turns)]
    return [
        ChartRow(
            name=turn_name(log, turn) if turn else pgettext("charts", "At the start"),
            cells=[columns[holder][turn] for holder in holders],
        )
        for turn in turns
        if turn or not log.taken_over
    ]


def column(log: Courses, account: str, holder: str, first: str) -> dict[int, ChartCell]:
    """Return a holder's cells by turn; `first` is the text before the first step."""
    balances: dict[int, list[int]] = {}
    for turn, _entry, balance in log.steps.get((holder, account), ()):
        balances.setdefault(turn, []).append(balance)
    cells, now = {}, first
    for turn in [0, *(turn for turn, _first in log.turns)]:
        steps = [log.words.amount(account, balance) for balance in balances.get(turn, ())]
        cells[turn] = ChartCell(steps, now)
        now = steps[-1] if steps else now
    return cells
