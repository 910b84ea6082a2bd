"""Fill the files: ledgers, log and dice as their reader may see them, the oldest line first."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log import selectors
from campaign.models import DiceRoll
from engine.language import capital
from games.contract.move_words import MoveWords
from games.kit.move_words import move_words
from nations import projection as nations
from nations.models import LedgerEntry
from web.frame.table import TableContext
from web.ledger.filters import LedgerForm, filters, query_of
from web.log.lines import Change, Row, Thrown, rows
from web.sheets.csv_file import Cell, download, number

# The columns of each file.
LEDGER = gettext_noop("Entry|Turn|Time (UTC)|Account|Cause|Rule|Change|Balance")
LEDGERS = gettext_noop("Entry|Turn|Time (UTC)|Holder|Account|Cause|Rule|Change|Balance")
LOG = gettext_noop("Entry|Turn|Time (UTC)|Seat|By|What|Changes|Notes|Rolls|Struck by")
DICE = gettext_noop("Entry|Turn|Purpose|Sides|Value|What it meant|Struck|Seen by some only")


def ledger_sheet(table: TableContext, seat: str, account: str = "") -> HttpResponse:
    """Return a seat's ledger, of one account or of all; actions in whole ones."""
    speaker = move_words(table.title, table.scenario, table.position)
    lines = nations.ledger(table.campaign, table.user, seat, account=account)
    cells = ((*place(line), *account_cells(table, speaker, line)) for line in lines)
    return download(f"{table.ref}-{seat}-ledger.csv", _(LEDGER).split("|"), cells)


def ledgers_sheet(table: TableContext, asked: LedgerForm) -> HttpResponse:
    """Return the lines of all ledgers, with the filters of their page."""
    speaker = move_words(table.title, table.scenario, table.position)
    causes = nations.sums(table.campaign, table.access).causes
    query = query_of(filters(table, speaker, causes, asked))
    lines = nations.lines(table.campaign, table.access, query.wanted(speaker.purse))
    cells = (
        (*place(line), capital(table.name_of(line.holder)), *account_cells(table, speaker, line))
        for line in lines
    )
    return download(f"{table.ref}-ledger.csv", _(LEDGERS).split("|"), cells)


def place(line: LedgerEntry) -> tuple[Cell, ...]:
    return line.entry.number, line.turn, line.entry.at


def account_cells(table: TableContext, speaker: MoveWords, line: LedgerEntry) -> tuple[Cell, ...]:
    account, cause = table.accounts_by_key.get(line.account), line.cause_said
    scale = account.scale if account is not None else 1
    return (
        capital(speaker.account_name(line.account)),
        capital(table.sentence(cause)),
        f"§{cause.rule}" if cause.rule else "",
        number(line.change, scale),
        number(line.balance, scale),
    )


def log_sheet(table: TableContext) -> HttpResponse:
    """Return the whole log, struck entries too."""
    lines = rows(table, reversed(selectors.log(table.campaign, table.user)))
    return download(f"{table.ref}-log.csv", _(LOG).split("|"), map(log_cells, lines))


def log_cells(line: Row) -> tuple[Cell, ...]:
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


def roll_text(roll: Thrown) -> str:
    return f"{roll.text}: {roll.value} (d{roll.sides})"


def struck_cell(line: Row) -> Cell:
    if line.struck_by is not None:
        return line.struck_by
    return _("yes") if line.struck else ""


def dice_sheet(table: TableContext) -> HttpResponse:
    """Return every roll, also of struck moves."""
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
        _("yes") if roll.entry.struck_by_id is not None else "",
        _("yes") if roll.audience is not None else "",
    )
