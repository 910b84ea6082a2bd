"""The contents of the files: ledgers, log and dice as the reader may see them, oldest first."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from campaign.log import selectors
from campaign.models import DiceRoll
from engine.language import capitalize
from games.contract.move_words import MoveWords
from games.kit.move_words import move_words
from nations import projection as nations
from nations.models import LedgerEntry
from web.frame.table import TableContext
from web.ledger.filters import LedgerForm, filters, query_of
from web.log.lines import Change, LogRow, RollInWords, rows
from web.sheets.csv_file import Cell, download, number

# The columns of each file
LEDGER = gettext_noop("Entry|Turn|Time (UTC)|Account|Cause|Rule|Change|Balance")
LEDGERS = gettext_noop("Entry|Turn|Time (UTC)|Holder|Account|Cause|Rule|Change|Balance")
LOG = gettext_noop("Entry|Turn|Time (UTC)|Seat|By|What|Changes|Notes|Rolls|Struck by")
DICE = gettext_noop("Entry|Turn|Purpose|Sides|Value|What it meant|Struck|Seen by some only")


def ledger_sheet(table: TableContext, seat: str, account: str = "") -> HttpResponse:
    """Return a seat's ledger, of a single account or of all; actions are in whole units."""
    words = move_words(table.title, table.scenario, table.position)
    lines = nations.ledger(table.campaign, table.user, seat, account=account)
    cells = ((*place(line), *account_cells(table, words, line)) for line in lines)
    return download(f"{table.ref}-{seat}-ledger.csv", _(LEDGER).split("|"), cells)


def ledgers_sheet(table: TableContext, form: LedgerForm) -> HttpResponse:
    """Return the lines of all ledgers, with the filters of their page."""
    words = move_words(table.title, table.scenario, table.position)
    causes = nations.sums(table.campaign, table.access).causes
    query = query_of(filters(table, words, causes, form))
    lines = nations.lines(table.campaign, table.access, query.wanted(words.purse))
    cells = (
        (*place(line), capitalize(table.name_of(line.holder)), *account_cells(table, words, line))
        for line in lines
    )
    return download(f"{table.ref}-ledger.csv", _(LEDGERS).split("|"), cells)


def place(line: LedgerEntry) -> tuple[Cell, ...]:
    return line.entry.number, line.turn, line.entry.at


def account_cells(table: TableContext, words: MoveWords, line: LedgerEntry) -> tuple[Cell, ...]:
    account, cause = table.accounts_by_key.get(line.account), line.cause_said
    scale = account.scale if account is not None else 1
    return (
        capitalize(words.account_name(line.account)),
        capitalize(table.sentence(cause)),
        f"§{cause.rule}" if cause.rule else "",
        number(line.change, scale),
        number(line.balance, scale),
    )


def log_sheet(table: TableContext) -> HttpResponse:
    """Return the whole log, including struck entries."""
    lines = rows(table, reversed(selectors.log(table.campaign, table.user)))
    return download(f"{table.ref}-log.csv", _(LOG).split("|"), map(log_cells, lines))


def log_cells(line: LogRow) -> tuple[Cell, ...]:
    return (
        line.number,
        line.turn,
        line.at,
        line.name,
        line.person,
        line.text,
        "; ".join(map(change_text, line.changes)),
        "; ".join(line.notes),
        "; ".join(map(roll_text, line.rolls)),
        struck_cell(line),
    )


def change_text(change: Change) -> str:
    return f"{change.holder_name} {change.label} {change.change} → {change.balance}".strip()


def roll_text(roll: RollInWords) -> str:
    return f"{roll.text}: {roll.value} (d{roll.sides})"


def struck_cell(line: LogRow) -> Cell:
    if line.struck_by is not None:
        return line.struck_by
    return pgettext("sheets", "yes") if line.struck else ""


def dice_sheet(table: TableContext) -> HttpResponse:
    """Return every roll, including those of struck moves."""
    rolls = reversed(selectors.rolls(table.campaign, table.user))
    cells = (roll_cells(table, roll) for roll in rolls)
    return download(f"{table.ref}-dice.csv", _(DICE).split("|"), cells)


def roll_cells(table: TableContext, roll: DiceRoll) -> tuple[Cell, ...]:
    return (
        roll.entry.number,
        roll.turn,
        roll.purpose,
        roll.sides,
        roll.value,
        table.title.roll_line(table.scenario, roll.roll),
        pgettext("sheets", "yes") if roll.entry.struck_by_id is not None else "",
        pgettext("sheets", "yes") if roll.audience_id is not None else "",
    )
