"""The rights of the reader on a title's own page: whether they may play, and for which seats."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from campaign import automatic_moves, plans
from campaign.models import Plan
from campaign.seats.seating import program_seats
from engine.errors import IllegalMove
from games.contract.pages import Pages, Reader, WithMoveList
from web.frame.table import TableContext
from web.plan.page import may_plan
from web.seats import hidden_hands

Refusal = dict[str, str]
"""The refusal of a move, for the page and for scripts: `sentence`, `rule`, `code`."""


def refusal_of(table: TableContext, refusal: IllegalMove) -> Refusal:
    """Return why the rules refuse a move."""
    return {"sentence": table.why_not(refusal), "rule": refusal.rule, "code": refusal.code}


def own_pages(table: TableContext) -> Pages:
    """Return the title's own pages. Raise `Http404` if it has none."""
    if table.pages is None:
        raise Http404
    return table.pages


def voice(table: TableContext) -> automatic_moves.Voice:
    """Return the reader's right to speak for seats (`automatic_moves.Voice`) at this table."""
    seats = tuple(seat.key for seat in table.seats)
    return automatic_moves.Voice(table.access, table.solo, seats, lambda: free_seats(table))


def voices(table: TableContext) -> tuple[str, ...]:
    """Return the seats for which the reader may speak.

    In a campaign with several players, this includes a game master's own voice.
    """
    return voice(table).own


def free_seats(table: TableContext) -> tuple[str, ...]:
    """Return the seats that are held neither by a person nor by a program."""
    programs = program_seats(table.campaign)
    return tuple(
        seat.key
        for seat in table.seats
        if seat.holder is None and not seat.program and seat.key not in programs
    )


def plays(table: TableContext) -> bool:
    """Return whether the reader may make moves in this campaign, no matter whose turn it is."""
    campaign = table.campaign
    is_running = not campaign.ended and not campaign.stopped and not campaign.onward
    return is_running and bool(voices(table))


def must_play(table: TableContext) -> None:
    """Raise `PermissionDenied` for users who hold no seat."""
    if not voices(table):
        raise PermissionDenied(_("Only people who hold a seat at this table can play here."))


def own_list(table: TableContext) -> Plan | None:
    """Return the reader's list of moves for the seat that may announce a list now.

    Return None if there is no such seat, or if the reader may not plan for it.
    """
    seat = table.pages.announcer(table.position) if isinstance(table.pages, WithMoveList) else None
    if seat is None or not may_plan(table, seat):
        return None
    return plans.plan_of_user(table.campaign, table.user, seat, table.access)


def reader_of(
    request: HttpRequest,
    table: TableContext,
    query: Mapping[str, str],
    form_values: Mapping[str, str] | None = None,
    kept: Plan | None = None,
) -> Reader:
    """Return the reader in the form that the title's pages need.

    Args:
        request: The request of the user who reads.
        table: The campaign.
        query: The choices in the address.
        form_values: The posted data of a refused form.
        kept: The reader's list of moves.
    """
    hands_are_closed = hidden_hands.closed_hands(table) is not None
    return Reader(
        seats=table.own_seats if hands_are_closed else voices(table),
        query=query,
        plays=plays(table),
        form_values=form_values or {},
        name=request.user.get_username(),
        plan=None if kept is None else kept.moves,
        opened=tuple(sorted(table.access.open_hands or ())) if hands_are_closed else (),
        host=table.host,
        deputes=voice(table).deputes,
    )
