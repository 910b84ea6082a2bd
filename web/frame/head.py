"""The head of a campaign's pages: its state, the order of play, the tabs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

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
    """The hand-over page of a seat that the reader has just taken over."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class OpenSlot:
    """The deadline of an open slot, and the absences of its players."""

    seat: str
    name: str
    due: Due
    absent: list[str]


@dataclass(frozen=True, slots=True)
class Head:
    """The part above the content of every page of a campaign; `tab` is the key of the open page."""

    tab: str
    ribbon: list[RibbonSlot]
    tabs: list[Tab]
    state: str
    chip: Chip
    stopped: str
    turn: str
    """The number of the current turn in words."""
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
        turn=word(table.campaign.title, "turn_number").format(n=table.campaign.turn),
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
    name = "turn_of_turns" if turns else "turn_number"
    return word(table.campaign.title, name).format(n=table.campaign.turn, turns=turns)


CHIPS = {
    Campaign.Status.DRAFT: Chip(gettext_lazy("Not started")),
    Campaign.Status.SEATING: Chip(gettext_lazy("Seats open"), "mine"),
    Campaign.Status.RUNNING: Chip(pgettext_lazy("state", "Running"), "good"),
    Campaign.Status.PAUSED: Chip(gettext_lazy("Paused"), "warn"),
    Campaign.Status.FINISHED: Chip(gettext_lazy("Finished")),
    Campaign.Status.ABANDONED: Chip(gettext_lazy("Abandoned"), "bad"),
    Campaign.Status.ARCHIVED: Chip(gettext_lazy("Archived")),
    Campaign.Status.SUSPENDED: Chip(pgettext_lazy("state", "Suspended"), "bad"),
}


def chip(campaign: Campaign) -> Chip:
    """Return the status of a campaign as a chip."""
    return CHIPS[Campaign.Status(campaign.status)]


def stopped(table: TableContext) -> str:
    """Return the reason why no moves can be made, and how that ends; empty if moves can be made."""
    if table.campaign.archived:
        return _("This campaign has been archived. You can read everything, but no one can move.")
    if table.campaign.abandoned:
        return _(
            "This campaign has been abandoned. You can read everything, and the game master can "
            "resume it."
        )
    if table.campaign.paused:
        return _(
            "This campaign is paused. No one can move until the game master resumes it. Nothing "
            "is lost meanwhile."
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
    """Return the hand-over page that the reader has not read; None if this page has no link to it.

    The page of a seat links only to the hand-over of the same seat.
    """
    seat, match = table.notes.handed, table.request.resolver_match
    seat_of_page = match.kwargs.get("seat", seat) if match else None
    if not seat or seat != seat_of_page:
        return None
    return SeatPage(table.name_of(seat), table.url("handover", seat))
