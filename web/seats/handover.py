"""What passes with a seat: its holder's notes, and the page on which the next one finds his way in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles import selectors as battle_selectors
from campaign import services
from campaign.errors import NoteChanged, Refused
from campaign.log import selectors
from campaign.seats import selectors as seats_selectors
from engine.strict_json import whole
from web.battles import summary
from web.clocks import deadlines
from web.log.lines import rows
from web.play.nation import Desk, accounts
from web.shell.campaign_page import GAME_MASTER, TableContext, campaign_page, show
from web.shell.head import waits
from web.titles import extras

LINES = 60


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def notes(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """A seat's notes for who holds it; POST writes them."""
    must_be_seat(table, seat)
    kept = seats_selectors.note_of(table.campaign, request.user, seat)
    wrong, status = "", 200
    if request.method == "POST":
        version = whole(request.POST.get("version", ""))
        left, text = "left" in request.POST, request.POST.get("text", "")
        try:
            read = -1 if version is None else version
            services.write_note(table.campaign, request.user, seat, text, left=left, version=read)
        except (Refused, NoteChanged) as error:
            wrong, status = str(error), error.status if error.status == 409 else 422
        else:
            messages.success(request, _("Saved."))
            return redirect(table.url("seat_notes", seat))
    context: dict[str, Any] = {
        "seat": seat,
        "name": table.name_of(seat),
        "text": seats_selectors.text_of(kept),
        "left": kept.left,
        "version": kept.version,
        "changed_at": kept.changed_at if kept.pk else None,
        "most": seats_selectors.LONGEST_NOTE,
        "wrong": wrong,
        "there": "",
        "back_url": seat_url(table, seat),
    }
    if wrong:
        # What was typed stays in its field; what another window wrote stands below it.
        context |= {"there": context["text"] if status == 409 else "", "text": text, "left": left}
    return show(request, table, "seats/seat_notes.html", context, here=f"nation-{seat}", status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def handover(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """What the holder of a seat found when it came to him; POST dismisses it. `?turn=N`: what happened since turn N."""
    must_be_seat(table, seat)
    given = seats_selectors.handed(table.campaign, request.user, seat)
    if request.method == "POST":
        services.dismiss_handover(table.campaign, request.user, seat)
        return redirect(seat_url(table, seat))
    if given is None:
        return redirect(seat_url(table, seat))
    turns = selectors.turns(table.campaign)
    asked = whole(request.GET.get("turn", ""))
    last = given.last_said
    chosen = next((one for one in turns if one[0] == asked), None)
    if chosen is None and last is None:
        chosen = turns[-1] if turns else None
    after = chosen[1] - 1 if chosen is not None else last
    lines = selectors.log(table.campaign, table.access, limit=LINES + 1) if after is not None else []
    newer = [line for line in lines if line.number is None or line.number > (after or 0)]
    shown = rows(table, newer[:LINES])
    oldest = min((row.number for row in shown if row.number is not None), default=None)
    context: dict[str, Any] = {
        "seat": seat, "name": table.name_of(seat), "found": given, "note": seats_selectors.text_of(given.note),
        "note_number": given.note_id,
        "leaver": given.leaver.username if given.leaver else "", "seat_url": seat_url(table, seat),
        "notes_url": table.url("seat_notes", seat), "turns": [one[0] for one in turns if one[0]],
        "turn": chosen[0] if chosen is not None else None, "lines": shown, "last": last,
        "earlier": oldest if len(newer) > LINES else None, "plain": table.pages is None,
        "waits": [one for one in waits(table) if seat in [each["key"] for each in one["seats"]]],
        "clocks": clocks_of(table, seat), "ordered": seats_selectors.ended_with(table.campaign, given), **position(table, seat),
    }  # fmt: skip
    return show(request, table, "seats/handover.html", context, here=f"nation-{seat}")


def must_be_seat(table: TableContext, seat: str) -> None:
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404


def seat_url(table: TableContext, seat: str) -> str:
    """Where a seat is played: its nation's page, or the title's own page of the table."""
    return table.home if table.pages is not None or not table.campaign.started else table.url("nation", seat)


def position(table: TableContext, seat: str) -> dict[str, Any]:
    """How the seat stands: its accounts, hand and battles; where the title has a page of its own, that page shows it."""
    if table.pages is not None or not table.campaign.started:
        return {}
    desk = Desk(table, seat)
    facts: dict[str, Any] = {"accounts": accounts(desk), "battles": battles(table, seat)}
    own = extras(table.campaign.title, "nation")
    if own is not None:
        facts |= own.context(table, seat, desk, {**facts, "challenges": [], "blocks": [], "here_url": table.url("nation", seat)})
    return facts


def battles(table: TableContext, seat: str) -> list[dict[str, Any]]:
    """Its battles that run, challenges among them, the oldest first."""
    running = battle_selectors.running(table.campaign)
    return [summary(table, one) for one in running if seat in one.parties]


def clocks_of(table: TableContext, seat: str) -> list[dict[str, Any]]:
    """The clocks that wait for this seat: what, when it is due, where one does it."""
    rows = []
    for one in deadlines.clocks(table):
        if seat in (one.seat, *one.seats):
            url = table.url("battle", one.contest) if one.contest is not None and table.pages is None else ""
            facts = {"what": one.get_kind_display(), "contest": one.contest, "url": url}
            rows.append({**facts, "due_at": one.due_at, "held": one.held})
    return rows
