"""The view of the table: the position of the campaign and the members it waits for, or its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from web.board.views import show_board
from web.frame.campaign_page import campaign_page, show
from web.frame.parts import part_alone
from web.frame.table import TableContext
from web.table.ending import ending_page
from web.table.page import table_page
from web.titles.contract import pages_of


@require_safe
@campaign_page
def table(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the table, or the part of it that the browser requests with `HX-Target`."""
    if table.pages is not None:
        return show_board(request, table)
    ending = ending_page(table)
    if ending is not None:
        return show(request, table, "table/ending.html", {"page": ending}, tab="table")
    title = pages_of(table.title.key).table
    if title is not None and "HX-Target" in request.headers:
        part = title.part(table, request.headers["HX-Target"], request.GET)
        if part is not None:
            return part_alone(request, table, part.template, {"page": part.page})
    page = table_page(table, request.GET)
    scripts = page.own.scripts if page.own else ()
    context = {"page": page}
    answer = show(request, table, "table/table.html", context, tab="table", scripts=scripts)
    patch_vary_headers(answer, ["HX-Target"])
    return answer
