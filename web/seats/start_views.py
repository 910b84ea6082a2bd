"""The view that starts a campaign, and asks before what happens with its free seats."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import automatic_moves, services
from campaign.errors import TableError
from campaign.models import GAME_MASTER
from campaign.seats.seating import free_seats, must_have_same_seats
from engine.errors import IllegalMove
from web.board.playing_rights import voice
from web.board.views import play_on_now
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext
from web.practice.forms import PracticeForm
from web.seats.forms import StartForm
from web.seats.starting import starting_page


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def start(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Ask what happens with the free seats; a POST starts the campaign, with programs or without.

    Nothing changes if a move or an act has been made since the page was shown.
    """
    table.must_be_host()
    if table.campaign.started:
        return redirect(table.home)
    if request.method == "POST":
        try:
            return begin(request, table, StartForm(request.POST))
        except (TableError, IllegalMove) as refusal:
            if getattr(refusal, "status", 0) == 403:
                raise
            table.campaign.refresh_from_db()
            if table.campaign.started:  # The button was pressed twice.
                return redirect(table.home)
            why = table.why_not(refusal) if isinstance(refusal, IllegalMove) else str(refusal)
            messages.error(request, why)
            return see_other(table.url("start"))
    return show(request, table, "seats/start.html", {"page": starting_page(table)}, tab="seats")


def begin(request: HttpRequest, table: TableContext, form: StartForm) -> HttpResponse:
    """Let programs take the free seats, if the form asks for it, and start the campaign.

    If the start is refused, no program takes a seat. Raises `Refused` if the seats have changed
    since the page was shown.
    """
    with transaction.atomic():
        filled = fill_seats(request, table) if form.fills else []
        must_have_same_seats(table.campaign, request.user, form.seen_entry, len(filled))
        result = services.play(table.campaign, request.user, first_move(table), form.seen_entry)
    table.campaign = result.campaign
    if table.pages is None:
        messages.success(request, _("The campaign has started."))
        return see_other(table.url("desk"))
    play_on_now(request, table, automatic_moves.ON, asked=False)
    number = result.entries[0].number
    return see_other(table.home + (f"?told={number}" if number is not None else ""))


def fill_seats(request: HttpRequest, table: TableContext) -> list[str]:
    """Let programs of the posted levels take the free seats; return these seats."""
    given = PracticeForm(request.POST)
    chosen = {seat: given.level_of(seat) for seat in free_seats(table.campaign)}
    filled = services.fill_with_programs(
        table.campaign, request.user, {seat: level for seat, level in chosen.items() if level}
    )
    table.campaign.refresh_from_db()
    return filled


def first_move(table: TableContext) -> dict[str, Any]:
    """Return the move that starts the campaign, as the board or the desk would make it."""
    if table.pages is None:
        return {"by": GAME_MASTER, "move": "start"}
    return voice(table).speak(table.pages.read_move(table.position, {"do": "begin"}))
