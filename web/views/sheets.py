"""A nation's ledger, the log and the dice as files for a spreadsheet, as their reader may see them, oldest line first."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from campaign import selectors
from nations import selectors as nations
from nations.models import LedgerEntry
from web import sheets
from web.sheets import Cell
from web.titles.talk import Talk, capital, talk
from web.views.common import GAME_MASTER, TableContext, campaign_page
from web.views.ledger import Ledger
from web.views.lines import Row, rows

# The columns of each file.
LEDGER = gettext_noop("Entry|Turn|Time (UTC)|Account|Cause|Rule|Change|Balance")
LEDGERS = gettext_noop("Entry|Turn|Time (UTC)|Holder|Account|Cause|Rule|Change|Balance")
LOG = gettext_noop("Entry|Turn|Time (UTC)|Seat|By|What|Changes|Notes|Rolls|Struck by")
DICE = gettext_noop("Entry|Turn|Purpose|Sides|Value|What it meant|Struck|Seen by some only")


@require_safe
@campaign_page
def ledger(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Every line of a seat's ledger, `?account=` those of one account; actions in whole ones."""
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    asked = request.GET.get("account", "")
    return of_ledger(table, seat, asked if asked in table.accounts else "")


def of_ledger(table: TableContext, seat: str, account: str = "") -> HttpResponse:
    """A seat's ledger, of one account or of all."""
    speaker = talk(table.title, table.scenario, table.position)
    found = nations.ledger(table.campaign, table.user, seat, account=account)
    lines = ((*_when(row), *_what(table, speaker, row)) for row in found)
    return sheets.download(f"{table.ref}-{seat}-ledger.csv", _(LEDGER).split("|"), lines)


@require_safe
@campaign_page
def ledgers(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The lines of all ledgers, with the filters of their page."""
    asked = Ledger(table, request.GET.dict())
    lines = ((*_when(row), capital(table.name_of(row.holder)), *_what(table, asked.talk, row)) for row in asked.found)
    return sheets.download(f"{table.ref}-ledger.csv", _(LEDGERS).split("|"), lines)


def _when(row: LedgerEntry) -> tuple[Cell, ...]:
    return row.entry.number, row.turn, row.entry.at


def _what(table: TableContext, speaker: Talk, row: LedgerEntry) -> tuple[Cell, ...]:
    scale, say = table.accounts[row.account].scale if row.account in table.accounts else 1, row.say
    return (
        capital(speaker.account_name(row.account)), capital(table.say(say)), f"§{say.rule}" if say.rule else "",
        sheets.number(row.change, scale), sheets.number(row.balance, scale),
    )  # fmt: skip


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The whole log, struck entries too."""
    return of_log(table)


def of_log(table: TableContext) -> HttpResponse:
    """The log as its reader may see it."""
    found = rows(table, reversed(selectors.log(table.campaign, table.user)))
    return sheets.download(f"{table.ref}-log.csv", _(LOG).split("|"), map(_entry, found))


def _entry(row: Row) -> tuple[Cell, ...]:
    changed = "; ".join(f"{one.who} {one.label} {one.change} → {one.balance}".strip() for one in row.changes)
    thrown = "; ".join(f"{one.text}: {one.value} (d{one.sides})" for one in row.rolls)
    struck: Cell = row.struck_by if row.struck_by is not None else _("yes") if row.struck else ""
    return row.number, row.turn, row.at, row.name, row.person, row.text, changed, "; ".join(row.notes), thrown, struck


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Every roll, of struck moves too."""
    return of_dice(table)


def of_dice(table: TableContext) -> HttpResponse:
    """The rolls as their reader may see them."""
    line = table.title.roll_line
    found = reversed(selectors.rolls(table.campaign, table.user))
    return sheets.download(
        f"{table.ref}-dice.csv",
        _(DICE).split("|"),
        (
            (
                row.entry.number, row.turn, row.purpose, row.sides, row.value, line(table.scenario, row.roll),
                _("yes") if row.entry.struck_by_id is not None else "", _("yes") if row.audience is not None else "",
            )
            for row in found
        ),
    )  # fmt: skip
