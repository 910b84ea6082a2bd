"""The forecast as a chapter of the report of a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import shorten

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import forecasts
from campaign.forecast_words import bounds_text, last_percents, percent, points_text
from campaign.log import selectors
from campaign.models import Campaign
from forum.spans import filled_spans
from games.contract.report import Block, Bullets, Heading, Paragraph, Span


def chapter(campaign: Campaign, turn: int) -> Sequence[Block]:
    """Return the forecast of a turn as a chapter of its report; empty if there is none."""
    course = forecasts.course(campaign, turn) if campaign.forecasts else None
    if course is None:
        return ()
    names = {seat.key: seat.name for seat in selectors.seats(campaign)}
    shares = last_percents(course)
    opening = _(
        "The outlook if programs played on from here, from %(games)s simulated campaigns. Eight "
        "out of ten end with these points:"
    )
    blocks: list[Block] = [
        Heading((Span(_("Forecast")),), 2, "forecast"),
        Paragraph((Span(opening % {"games": course.games}),)),
        Bullets(
            tuple(
                (
                    Span(names[chance.seat], seat=chance.seat),
                    Span(f": {outlook(chance, shares[chance.seat])}"),
                )
                for chance in course.chances
            )
        ),
    ]
    if course.swings:
        lines = selectors.public_lines(campaign, [swing.entry for swing in course.swings])
        sentence = _("%(seat)s %(before)s → %(after)s (%(what)s)")
        swung = [
            filled_spans(
                sentence,
                what=event_text(lines.get(swing.entry), names),
                seat=Span(names[swing.seat], seat=swing.seat),
                before=percent(swing.before),
                after=percent(swing.after),
            )
            for swing in course.swings
        ]
        blocks += [Paragraph((Span(_("The events that changed it most:")),)), Bullets(tuple(swung))]
    return blocks


LONGEST_EVENT = 90
"""The maximum length of the words for an event."""


def event_text(line: selectors.Line | None, names: Mapping[str, str]) -> str:
    """Return an entry as the log words it, with its seat, short enough for brackets."""
    if line is None:
        return "…"
    seat = names.get(line.entry.seat, pgettext("report", "Game master"))
    text = line.text if line.origin else f"{seat}: {line.text}"
    return shorten(text, LONGEST_EVENT, placeholder=" …").rstrip(".")


def outlook(chance: forecasts.Chance, share: str) -> str:
    """Return the prospects of a seat, in words."""
    bounds = bounds_text(chance.won.low, chance.won.high)
    points = points_text(chance.low, chance.high)
    facts = {"chance": share, "bounds": bounds, "points": points}
    return _("%(chance)s chance of winning (%(bounds)s), %(points)s") % facts
