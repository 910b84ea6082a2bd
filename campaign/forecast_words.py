"""Write the chances of a forecast as texts."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.forecasts import Course
from engine.shares import whole_percents


def percents(chances: Mapping[str, float]) -> dict[str, str]:
    """Return the chances of all seats as texts that add up to 100%.

    Stored chances are rounded to 1/10,000, so their sum can differ a little from 1. Equal chances
    are rounded in the order of the seats' keys: the chart, the list and the table show the same
    numbers.
    """
    seats = sorted(chances)
    total = sum(chances.values()) or 1.0
    shares = whole_percents([chances[seat] / total for seat in seats])
    return {
        seat: f"{share}%" if share else _("under 1%")
        for seat, share in zip(seats, shares, strict=True)
    }


def percent(chance: float) -> str:
    """Return one chance as text: whole per cent, and no certainty before the end."""
    if chance < 0.005:
        return _("under 1%")
    if 0.995 <= chance < 1:
        return _("over 99%")
    return f"{100 * chance:.0f}%"


def last_percents(course: Course) -> dict[str, str]:
    """Return the chances of all seats after the last turn that has a forecast."""
    return percents({chance.seat: chance.won.share for chance in course.chances})


def points_text(low: float, high: float) -> str:
    """Return points from one number to another."""
    if round(low) == round(high):
        return ngettext("%(n)s point", "%(n)s points", round(low)) % {"n": f"{low:.0f}"}
    return _("%(low)s to %(high)s points") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}


def bounds_text(low: float, high: float) -> str:
    """Return the bounds of a chance."""
    return _("%(low)s to %(high)s%%") % {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}"}
