"""The announcement: what a campaign says of itself before its first move, so that what was promised of its dice stands in
the thread before the first is thrown. Its commitment is among what proves the dice (`forum.dressing`)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from campaign.models import Campaign
from campaign.selectors import Seat
from engine.report import Bullets, Contents, Heading, Paragraph, Report, Span

KEY = "announcement"
"""Of the report, and its kind."""


def stands(campaign: Campaign) -> bool:
    """Is there anything to announce still? Not after the start: then the reports tell."""
    return not campaign.started


def contents() -> Contents:
    return Contents(KEY, KEY, _("Announcement"), 0, True)


def report(campaign: Campaign, seats: Sequence[Seat]) -> Report:
    """Who plays what, and that it has not begun."""
    title = _("{name}: before the start").format(name=campaign.name)
    said = _("{title} is about to begin.").format(title=campaign.game.name)
    lines = tuple(
        (Span(seat.name, bold=True, seat=seat.key), Span(f": {seat.holder.username}" if seat.holder is not None else _(": free")))
        for seat in seats
    )
    return Report(
        title,
        (Heading((Span(title),)), Paragraph((Span(said),)), Heading((Span(_("Seats")),), 2), Bullets(lines)),
        (), (), 0, 0,
    )  # fmt: skip
