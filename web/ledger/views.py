"""The view of the ledgers, filtered by holder, account, turn and cause."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext
from web.ledger.filters import LedgerForm
from web.ledger.page import ledger_page


@require_safe
@campaign_page
def ledger(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the lines that `?nation=&account=&turn=&cause=` select; `&page=` is the page."""
    page = ledger_page(table, LedgerForm(request.GET))
    return show(request, table, "ledger/ledger.html", {"page": page}, tab="charts")
