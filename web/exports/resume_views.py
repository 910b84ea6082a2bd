"""Views of the sheet with which a campaign from elsewhere continues here, and the reverse.

Only some titles have such a sheet.
"""

from __future__ import annotations

from json import dumps

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
)
from django.views.decorators.http import require_http_methods, require_safe

from web.exports.contract import ResumeSheet
from web.frame.campaign_page import campaign_page
from web.frame.table import TableContext
from web.sheets.csv_file import download
from web.titles.contract import pages_of


def sheet_of_title(table: TableContext) -> ResumeSheet:
    """Return the title's own sheet. Raise `Http404` if it has none."""
    part = pages_of(table.title.key).resume
    if part is None:
        raise Http404
    return part


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def resume(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the sheet to the game master of a campaign that has not begun."""
    return sheet_of_title(table).page(request, table)


@require_safe
@campaign_page
def sheet(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the position of the campaign as a table that the sheet can read."""
    first, *rows = sheet_of_title(table).rows(table)
    return download(f"{table.ref}-sheet.csv", first, rows)


@require_safe
@campaign_page
def move(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the position as a move in record form, for another campaign or a program."""
    text = dumps(sheet_of_title(table).move(table), ensure_ascii=False, indent=1)
    named = {
        "Content-Disposition": f'attachment; filename="{table.ref}-resume.json"',
        "Cache-Control": "private",
    }
    return HttpResponse(text, content_type="application/json", headers=named)
