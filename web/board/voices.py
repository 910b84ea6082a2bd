"""Who may play on a title's own page, and as whom."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from campaign import plans, playing_on
from campaign.models import Plan
from campaign.seats.seating import program_seats
from engine.errors import IllegalMove
from games.contract.pages import Announcing, Pages, Reader
from web.frame.table import TableContext
from web.plan.page import may_plan
from web.seats import hidden_hands

Refusal = dict[str, str]
"""Why a move was refused, as the page shows it and scripts read it: `sentence`, `rule`, `code`."""


def refusal_of(table: TableContext, refusal: IllegalMove) -> Refusal:
    """Return why the rules refuse a move."""
    return {"sentence": table.why_not(refusal), "rule": refusal.rule, "code": refusal.code}


def own_pages(table: TableContext) -> Pages:
    """Return the title's own pages. Raises `Http404` if it has none."""
    if table.pages is None:
        raise Http404
    return table.pages


def voice(table: TableContext) -> playing_on.Voice:
    """Return as whom the reader speaks at this table."""
    seats = tuple(seat.key for seat in table.seats)
    return playing_on.Voice(table.access, table.solo, seats, lambda: free_seats(table))


def voices(table: TableContext) -> tuple[str, ...]:
    """Return the seats for which the reader may speak; a game master's own voice counts where
    several play.
    """
    return voice(table).own


def free_seats(table: TableContext) -> tuple[str, ...]:
    """Return the seats that neither a person nor a program of its own holds."""
    programs = program_seats(table.campaign)
    return tuple(
        seat.key for seat in table.seats if seat.holder is None and seat.key not in programs
    )


def plays(table: TableContext) -> bool:
    """Return whether the reader may move at all, no matter whose turn it is."""
    campaign = table.campaign
    is_running = not campaign.ended and not campaign.stopped and not campaign.onward
    return is_running and bool(voices(table))


def must_play(table: TableContext) -> None:
    """Raise `PermissionDenied` for people who hold no seat."""
    if not voices(table):
        raise PermissionDenied(_("Only people who hold a seat at this table play here."))


def own_list(table: TableContext) -> Plan | None:
    """Return the reader's list of moves for the seat that may have one now; None if the seat is not
    theirs.
    """
    seat = table.pages.announcer(table.position) if isinstance(table.pages, Announcing) else None
    if seat is None or not may_plan(table, seat):
        return None
    return plans.plan_of_user(table.campaign, table.user, seat, table.access)


def reader_of(
    request: HttpRequest,
    table: TableContext,
    asked: Mapping[str, str],
    typed: Mapping[str, str] | None = None,
    kept: Plan | None = None,
) -> Reader:
    """Return the reader as the title's pages ask for it.

    Args:
        request: whose user reads.
        table: the campaign.
        asked: the choices in the address.
        typed: what a form that was refused had posted.
        kept: the reader's list of moves.
    """
    hands_are_closed = hidden_hands.closed_hands(table) is not None
    return Reader(
        seats=table.own_seats if hands_are_closed else voices(table),
        asked=asked,
        plays=plays(table),
        typed=typed or {},
        name=request.user.get_username(),
        plan=None if kept is None else kept.moves,
        opened=tuple(sorted(table.access.eyes or ())) if hands_are_closed else (),
        host=table.host,
        deputes=voice(table).deputes,
    )
