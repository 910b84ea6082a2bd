"""The page that asks what happens with the free seats before a campaign starts."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.seats import seating
from engine.language import sentence
from web.forum.posts.page import outbox_state
from web.frame.table import TableContext
from web.lobby.questions import Choice
from web.practice.levels import USUAL, level_choices


@dataclass(frozen=True, slots=True)
class StartingSeat:
    """A seat before the start: its holder or its program, or the levels for a program."""

    key: str
    name: str
    about: str
    holder: str
    program: str
    level: str
    """The level that the form proposes for a program; empty if the seat is not free."""


@dataclass(frozen=True, slots=True)
class StartingPage:
    """The seats before the start, and the ways to start."""

    title: str
    lede: str
    seats: list[StartingSeat]
    levels: list[Choice]
    fill: str
    """The text of the button that gives the free seats to programs; empty if none can play."""
    without: str
    """A sentence about the game with free seats; empty if all seats are taken."""
    announcement: str
    """The page on which the announcement can be posted; empty if it need not be posted."""
    seats_url: str
    back_url: str
    seen: int


def starting_page(table: TableContext) -> StartingPage:
    """Return the page of a campaign that has not started."""
    players = seating.seat_players(table.campaign.title)
    may_play = seating.levels(table.campaign)
    levels = level_choices(players) if players is not None and may_play else []
    seats = [
        StartingSeat(
            key=seat.key,
            name=seat.name,
            about=seat.info.about,
            holder=seat.holder.username if seat.holder is not None else "",
            program=seat.program,
            level="" if seat.holder is not None or seat.program else usual_level(levels),
        )
        for seat in table.seats
    ]
    free = [seat.name for seat in seats if not seat.holder and not seat.program]
    return StartingPage(
        title=heading(free),
        lede=lede(free),
        seats=seats,
        levels=levels,
        fill=fill_text(len(free)) if free and levels else "",
        without=without_text(table, len(free)),
        announcement=announcement_url(table),
        seats_url=table.url("seats"),
        back_url=table.home,
        seen=table.seen,
    )


def usual_level(levels: list[Choice]) -> str:
    """Return the level that a form proposes; empty if the title has no programs."""
    keys = [level.key for level in levels]
    return USUAL if USUAL in keys else next(reversed(keys), "")


def heading(free: list[str]) -> str:
    """Return the heading with the number of free seats."""
    if not free:
        return pgettext("heading", "Start the game")
    text = ngettext("One seat is free", "%(n)s seats are free", len(free))
    return text % {"n": len(free)}


def lede(free: list[str]) -> str:
    """Return a sentence about what the reader has to choose."""
    if not free:
        return _("Every seat has a player. You can start.")
    if len(free) == 1:
        return sentence(_("Who plays {name:the}? You can change this during play."), name=free[0])
    return _("Who plays them? You can change this during play.")


def fill_text(free: int) -> str:
    """Return the text of the button that gives the free seats to programs."""
    return ngettext(
        "Give the free seat to a program and start",
        "Give the free seats to programs and start",
        free,
    )


def without_text(table: TableContext, free: int) -> str:
    """Return a sentence about a game that starts with free seats."""
    if not free:
        return ""
    if table.pages is None:
        return _(
            "You move for a free seat as game master until someone takes it. A program can take it "
            "at any time."
        )
    return _(
        "When it is the turn of a free seat, the game waits until someone takes it or you let a "
        "program play."
    )


def announcement_url(table: TableContext) -> str:
    """Return the page on which the announcement is still to be posted; empty if there is none."""
    state = outbox_state(table)
    if state is None or not state["announcement"]:
        return ""
    return state["new_url"] or state["url"]
