"""The head of a campaign's pages: its state, the order of play, the tabs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.clocks.selectors import SLOT, TURN
from campaign.models import GAME_MASTER, Campaign
from games.registry import word, words
from web.frame.absences import absence_chips
from web.frame.chip import Chip
from web.frame.deadlines import Due, deadline_of, read_deadline
from web.frame.ribbon import RibbonSlot, ribbon
from web.frame.table import TableContext
from web.frame.tabs import Tab, tabs


class SeatPage(NamedTuple):
    """The page of a seat that was handed over to the reader."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class OpenSlot:
    """The deadline of an open slot, and which of its people are away."""

    seat: str
    name: str
    due: Due
    absent: list[str]


@dataclass(frozen=True, slots=True)
class Head:
    """What is above every page of a campaign; `tab` is the key of the open page."""

    tab: str
    ribbon: list[RibbonSlot]
    tabs: list[Tab]
    state: str
    chip: Chip
    stopped: str
    words: Mapping[str, str]
    until: Due | None
    slots: list[OpenSlot]
    handed: SeatPage | None
    game_masters: str


def head(table: TableContext, tab: str) -> Head:
    """Return the head of a page; `tab` is the key of the open page."""
    return Head(
        tab=tab,
        ribbon=ribbon(table),
        tabs=tabs(table, tab),
        state=state_line(table),
        chip=chip(table.campaign),
        stopped=stopped(table),
        words=words(table.campaign.title),
        until=deadline_of(table, TURN),
        slots=open_slots(table),
        handed=handed(table),
        game_masters=", ".join(table.holders(GAME_MASTER)),
    )


def state_line(table: TableContext) -> str:
    """Return the state of the campaign in two or three words."""
    if not table.campaign.started:
        return _("not started")
    if table.campaign.ended:
        return _("finished")
    turns = table.view.get("turns")
    text = _("%(turn)s %(number)s of %(turns)s") if turns else _("%(turn)s %(number)s")
    turn = word(table.campaign.title, "turn")
    return text % {"turn": turn, "number": table.campaign.turn, "turns": turns}


CHIPS = {
    Campaign.Status.DRAFT: Chip(gettext_lazy("Not started")),
    Campaign.Status.SEATING: Chip(gettext_lazy("Seats open"), "mine"),
    Campaign.Status.RUNNING: Chip(gettext_lazy("Running"), "good"),
    Campaign.Status.PAUSED: Chip(gettext_lazy("Paused"), "warn"),
    Campaign.Status.FINISHED: Chip(gettext_lazy("Finished")),
    Campaign.Status.ABANDONED: Chip(gettext_lazy("Abandoned"), "bad"),
    Campaign.Status.ARCHIVED: Chip(gettext_lazy("Archived")),
    Campaign.Status.SUSPENDED: Chip(gettext_lazy("Suspended"), "bad"),
}


def chip(campaign: Campaign) -> Chip:
    """Return the status of a campaign as a chip."""
    return CHIPS[Campaign.Status(campaign.status)]


def stopped(table: TableContext) -> str:
    """Return why no moves are made at present and what ends that; empty while moves are made."""
    if table.campaign.archived:
        return _("This campaign is in the archive. Everything can be read; no moves are made.")
    if table.campaign.abandoned:
        return _(
            "This campaign is abandoned. Everything can be read; the game master can resume it."
        )
    if table.campaign.paused:
        return _(
            "This campaign is paused. Nobody moves until the game master resumes it; nothing is"
            " lost meanwhile."
        )
    return ""


def open_slots(table: TableContext) -> list[OpenSlot]:
    """Return the deadlines of the open slots; empty if the order of play shows them."""
    if table.pages is None:
        return []
    return [
        OpenSlot(
            seat=clock.seat,
            name=table.name_of(clock.seat),
            due=read_deadline(clock),
            absent=absence_chips(table, clock.seat),
        )
        for clock in table.clocks
        if clock.kind == SLOT
    ]


def handed(table: TableContext) -> SeatPage | None:
    """Return the reader's seat whose hand-over page waits for them, on the pages that lead there;
    the page of another nation does not.
    """
    seat, match = table.notes.handed, table.request.resolver_match
    seat_of_page = match.kwargs.get("seat", seat) if match else None
    if not seat or seat != seat_of_page:
        return None
    return SeatPage(table.name_of(seat), table.url("handover", seat))
