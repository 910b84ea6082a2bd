"""A campaign that runs elsewhere goes on here, and one that runs here may go on elsewhere: the sheet, of titles that have one."""

from __future__ import annotations

from json import dumps
from types import ModuleType

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from web.ledger import download
from web.shell.campaign_page import TableContext, campaign_page
from web.titles import extras


def _sheet(table: TableContext) -> ModuleType:
    part = extras(table.title.key, "resume")
    if part is None:
        raise Http404
    return part


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """For the game master of a campaign that has not begun."""
    answer: HttpResponse = _sheet(table).page(request, table)
    return answer


@require_safe
@campaign_page
def sheet(request: HttpRequest, table: TableContext) -> HttpResponse:
    """How the campaign stands, as a table that the page above reads."""
    first, *rows = _sheet(table).rows(table)
    return download(f"{table.ref}-sheet.csv", first, rows)


@require_safe
@campaign_page
def move(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The same as a move in the form of the record: exact, for another campaign here or for a program."""
    text = dumps(_sheet(table).move(table), ensure_ascii=False, indent=1)
    named = {"Content-Disposition": f'attachment; filename="{table.ref}-resume.json"', "Cache-Control": "private"}
    return HttpResponse(text, content_type="application/json", headers=named)
