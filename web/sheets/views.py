"""Views of the files for spreadsheets: ledgers, log and dice."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign.models import GAME_MASTER
from web.frame.campaign_page import campaign_page
from web.frame.table import TableContext
from web.ledger.filters import LedgerForm
from web.sheets.page import dice_sheet, ledger_sheet, ledgers_sheet, log_sheet


@require_safe
@campaign_page
def nation_ledger(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Send every line of a seat's ledger; with `?account=` only those of this account."""
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    account = request.GET.get("account", "")
    return ledger_sheet(table, seat, account if account in table.accounts_by_key else "")


@require_safe
@campaign_page
def ledgers(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the lines of all ledgers, with the filters of their page."""
    return ledgers_sheet(table, LedgerForm(request.GET))


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the whole log."""
    return log_sheet(table)


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send every roll."""
    return dice_sheet(table)
