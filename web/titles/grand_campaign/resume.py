"""The page that takes over a campaign from elsewhere: it shows the sheet, checks it, and starts."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, services
from campaign.errors import TableError
from campaign.models import AccessLogEntry
from games.contract.title import WithResumeSheet
from games.grand_campaign.text import resume_sheet
from web.frame.campaign_page import show
from web.frame.table import TableContext
from web.moves import actions
from web.titles.grand_campaign.resume_form import ResumeForm
from web.titles.grand_campaign.resume_page import resume_page
from web.titles.grand_campaign.resume_reading import JudgedSheet, judge, read_within_limits


def rows(table: TableContext) -> list[list[int | str]]:
    """Return the present sheet of the campaign, with the hands that the reader may see."""
    cells, _move = sheet_and_move(table)
    return [[int(cell) if cell.lstrip("-").isdecimal() else cell for cell in row] for row in cells]


def move(table: TableContext) -> Mapping[str, object]:
    """Return the move `resume` that brings a new campaign to this position."""
    return sheet_and_move(table)[1]


def sheet_and_move(table: TableContext) -> tuple[list[list[str]], Mapping[str, object]]:
    """Return the sheet of the campaign as rows of cells, and as a move."""
    hidden, title, reader = access.hides(table.campaign), table.title, table.access
    assert isinstance(title, WithResumeSheet)
    if hidden and reader.game_master:
        services.log_access_to_all(table.campaign, table.user, AccessLogEntry.Way.RECORD)
    address = table.request.build_absolute_uri(table.home)
    reason = pgettext("resume", "Taken over from %(address)s") % {"address": address}

    def sees_hand(seat: str) -> bool:
        return not hidden or reader.game_master or reader.opens(seat)

    return title.sheet(table.position, sees_hand, reason)


def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the sheet of the campaign's start.

    A POST checks what was typed, reads a table into the sheet, or takes the campaign over.
    """
    table.must_be_game_master()
    if table.campaign.started:
        messages.error(
            request,
            _(
                "This campaign has already begun. You can only take over a campaign from "
                "elsewhere before the start."
            ),
        )
        return redirect(table.home)
    form = posted_form(request, table)
    judged = judged_sheet(table, form)
    if form is not None and form.takes_over and judged.after is not None:
        refusal = take_over(table, judged, form)
        if not refusal:
            return redirect(table.home)
        judged = judged.refused(refusal)
    context = {"page": resume_page(table, judged, is_new=form is None)}
    return show(request, table, "titles/grand_campaign/resume.html", context, tab="table")


def posted_form(request: HttpRequest, table: TableContext) -> ResumeForm | None:
    """Return the form that was posted, if any."""
    if request.method != "POST":
        return None
    return ResumeForm(request.POST, request.FILES, nations=list(table.position.nations))


def judged_sheet(table: TableContext, form: ResumeForm | None) -> JudgedSheet:
    """Return the typed sheet, or that of the campaign's start, with its faults."""
    if form is None:
        sheet, pasted = resume_sheet.starting(table.scenario, table.position), None
    else:
        sheet, pasted = form.sheet(), form.pasted_table()
    return judge(table, read_within_limits(sheet, pasted, table.position))


def take_over(table: TableContext, judged: JudgedSheet, form: ResumeForm) -> str:
    """Make the move of a sheet; return why it is refused, or an empty text if it is made."""
    try:
        outcome = actions.make_move(table, judged.sheet.move, form.data)
    except TableError as refusal:
        return str(refusal)
    return "" if outcome.done else outcome.wrong
