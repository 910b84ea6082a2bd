"""The table before the start: the seats, the missing players, the next steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import access
from campaign.log.selectors import Seat
from campaign.models import GAME_MASTER
from forum.posts import outbox
from web.frame.table import TableContext
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class MasterSteps:
    """The game master's possible steps before the start.

    An empty text or address leaves the step out. `invitation` has the number of free seats.
    `thread_url` leads to the thread, or to the form for a new thread.
    """

    invitation: str
    lobby_text: str
    announcement_url: str
    resume_url: str
    thread_url: str
    has_thread: bool


@dataclass(frozen=True, slots=True)
class PlayerSteps:
    """The text for all other readers before the start.

    `asks_for_seat` is true if the reader could take a seat.
    """

    text: str
    own_seats: Sequence[str]
    asks_for_seat: bool
    game_masters: str


@dataclass(frozen=True, slots=True)
class BeforeStart:
    """The page of a campaign that has not started."""

    seats_text: str
    seats: Sequence[Seat]
    master: MasterSteps | None
    player: PlayerSteps | None


def before_start(table: TableContext) -> BeforeStart | None:
    """Return the sheet before the start; None once the campaign has started."""
    if table.campaign.started:
        return None
    free = sum(1 for seat in table.seats if seat.holder is None)
    return BeforeStart(
        seats_text=seats_text(len(table.seats), free),
        seats=table.seats,
        master=master_steps(table, free) if table.game_master else None,
        player=None if table.game_master else player_steps(table, free),
    )


def seats_text(seats: int, free: int) -> str:
    """Return the number of seats, and how many of them are free, in words."""
    if not free:
        return _("%(seats)s seats, all taken") % {"seats": seats}
    text = ngettext("%(seats)s seats, %(free)s free", "%(seats)s seats, %(free)s free", free)
    return text % {"seats": seats, "free": free}


def master_steps(table: TableContext, free: int) -> MasterSteps:
    """Return the game master's possible steps before the start."""
    campaign = table.campaign
    can_resume = pages_of(table.title.key).resume is not None and not access.hides(campaign)
    has_reports = table.title.reporter is not None
    has_thread = has_reports and bool(outbox.threads(campaign))
    thread_url = table.url("posts" if has_thread else "new_thread") if has_reports else ""
    return MasterSteps(
        invitation=invitation_text(free) if free else "",
        lobby_text=pgettext("table", "Open the lobby page")
        if campaign.lobby_open
        else pgettext("table", "Open the lobby…"),
        announcement_url=table.url("report", "announcement") if has_reports else "",
        resume_url=table.url("resume") if can_resume else "",
        thread_url=thread_url,
        has_thread=has_thread,
    )


def invitation_text(free: int) -> str:
    """Return the number of seats that the game master has to fill, in words."""
    text = ngettext(
        "One seat is free. Create an invitation link for it, and send it.",
        "%(n)s seats are free. Create an invitation link for each, and send them.",
        free,
    )
    return text % {"n": free}


def player_steps(table: TableContext, free: int) -> PlayerSteps:
    """Return the text for a player or a spectator before the start."""
    name = ", ".join(table.holders(GAME_MASTER)) or _("the game master")
    text = (
        _("Not all seats are taken. %(name)s decides when the campaign starts.")
        if free
        else _("All seats are taken. %(name)s starts the campaign.")
    ) % {"name": name}
    seated = _("You have your seat.")
    return PlayerSteps(
        text=f"{seated} {text}" if table.own_seats else text,
        own_seats=table.own_seats,
        asks_for_seat=bool(free) and not table.own_seats,
        game_masters=name,
    )
