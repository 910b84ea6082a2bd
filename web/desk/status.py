"""The status of the campaign as a line, with the game master's acts for the whole campaign."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.clocks.selectors import TURN
from web.clocks import turn_timeline
from web.frame.head import chip, state_line
from web.frame.table import TableContext
from web.lobby.life import life
from web.seats.page import lobby_url

NOW = ("paused", "resumed", "revived", "unarchived")
"""The acts that the status line shows; its menu has the others."""
LATER = ("abandoned", "archived")


class NationLink(NamedTuple):
    key: str
    name: str
    url: str


class LifeAct(NamedTuple):
    """An act of the game master for the whole campaign, such as a pause."""

    key: str
    verb: str
    effect: str
    needs_reason: bool

    @property
    def is_pause(self) -> bool:
        return self.key == "paused"

    @property
    def asks(self) -> bool:
        return self.needs_reason or self.is_pause

    @property
    def reason_label(self) -> str:
        return (
            pgettext("field", "Reason, visible to everyone")
            if self.needs_reason
            else pgettext("field", "Comment (optional)")
        )


@dataclass(frozen=True, slots=True)
class StatusLine:
    """The status of the campaign, and the game master's acts for the whole campaign."""

    chip: str
    tone: str
    state: str
    day: str
    closes: datetime | None
    acts: list[LifeAct]
    later_acts: list[LifeAct]
    nations: list[NationLink]
    about_url: str
    clocks_url: str
    seats_url: str
    lobby_url: str
    lobby_open: bool
    record_url: str


def status_line(table: TableContext, path: turn_timeline.Path | None) -> StatusLine:
    """Return the status. It includes day, close and nations while the campaign runs."""
    campaign = table.campaign
    is_running = campaign.started and not campaign.ended
    status = chip(campaign)
    acts = [LifeAct(key, str(verb), text, why) for key, verb, text, why in life(table)]
    return StatusLine(
        chip=str(status.text),
        tone=status.tone,
        state=capfirst(state_line(table)),
        day=day_of_turn(table) if is_running else "",
        closes=path.latest if path and is_running else None,
        acts=[act for act in acts if act.key in NOW],
        later_acts=[act for act in acts if act.key in LATER],
        nations=nation_links(table) if is_running else [],
        about_url=table.url("about"),
        clocks_url="" if table.solo else table.url("clocks"),
        seats_url="" if table.solo else table.url("seats"),
        lobby_url=lobby_url(table),
        lobby_open=campaign.lobby_open,
        record_url=table.url("record"),
    )


def nation_links(table: TableContext) -> list[NationLink]:
    return [NationLink(seat.key, seat.name, table.url("nation", seat.key)) for seat in table.seats]


def day_of_turn(table: TableContext) -> str:
    """Return the day of the turn, and the number of its days if it has a deadline, in words."""
    clock = next((clock for clock in table.clocks if clock.kind == TURN), None)
    if clock is not None:
        day, days = day_of(clock.started_at, clock.due_at)
    else:
        began = table.turn_times.first or timezone.now()
        day, days = day_of(began, None)
    if not days:
        return _("day %(day)s") % {"day": day}
    return _("day %(day)s of %(days)s") % {"day": day, "days": days}


def day_of(began: datetime, due: datetime | None) -> tuple[int, int]:
    """Return today's number in a turn and the number of its days; 0 days without a deadline.

    The day of the deadline does not count as an extra day: a turn of 28 days that begins at noon
    ends at noon of the 28th day after it. The number of an overdue turn's day continues to rise.
    """
    today, first = timezone.localdate(), timezone.localdate(began)
    day = (today - first).days + 1
    if due is None:
        return day, 0
    days = max((timezone.localdate(due) - first).days, 1)
    return (day if timezone.now() > due else min(day, days)), days
