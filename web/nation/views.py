"""The page of a nation."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from campaign.models import GAME_MASTER
from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext
from web.moves.offers import OpenForm
from web.nation.forms import LedgerFilter
from web.nation.page import nation_page


@campaign_page
def nation(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the page of a seat; `?open=KEY` opens an offer with the values of the query."""
    return show_nation(table, seat, OpenForm.of_address(request.GET))


def show_nation(
    table: TableContext, seat: str, opened: OpenForm, status: int = 200
) -> HttpResponse:
    """Show the page of a seat, with the form of an offer as it was posted or requested."""
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    page = nation_page(table, seat, opened, LedgerFilter(table.request.GET))
    return show(
        table.request,
        table,
        "nation/nation.html",
        {"page": page},
        tab=f"nation-{seat}",
        status=status,
        scripts=page.title_part.scripts,
    )
