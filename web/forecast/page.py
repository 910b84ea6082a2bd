"""The forecast of the end of a campaign, for the story and for the charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign import access, forecasts, scenarios
from campaign.forecast_words import bounds_text, last_percents, percent, percents, points_text
from campaign.forecasts import Course
from campaign.log import selectors
from campaign.log.acts.programs import OFF
from games.contract.maps import WithMaps
from games.registry import word
from web.forecast.chart import Area, area_chart
from web.frame.table import TableContext

SIZES = {"story": (760, 340), "charts": (1160, 360), "phone": (360, 300)}
"""Width and height of the picture, by page; `phone` is for narrow screens."""


class SeatName(NamedTuple):
    """A seat's key and name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Range:
    """The likely final points of a seat. `start`, `width` and `at` are in per cent of the bar."""

    seat: str
    name: str
    points: str
    chance: str
    start: str
    width: str
    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Swing:
    """An entry that changed a chance."""

    number: int
    entry: int
    seat: str
    name: str
    text: str
    chances: str


class TurnChances(NamedTuple):
    """The chances of all seats after a turn."""

    turn: int
    entry: int
    chances: list[str]


@dataclass(frozen=True, slots=True)
class ForecastResult:
    """The chances over the log, and the likely results."""

    games: int
    to_come: bool
    area: SafeString
    area_phone: SafeString
    ranges: list[Range]
    swings: list[Swing]
    seats: list[SeatName]
    rows: list[TurnChances]
    bounds: list[str]

    @property
    def next_text(self) -> str:
        """Return a sentence on when the next forecast will be made."""
        if self.to_come:
            return _("The forecast of the last turn is being computed.")
        return _("A new forecast is made when a turn closes. Earlier forecasts do not change.")


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast, or why there is none."""

    result: ForecastResult | None
    empty_text: str
    is_on: bool
    can_be_switched: bool
    hides_hands: bool
    stopped_text: str
    """The reason why the forecast has stopped; empty if it has not."""


def forecast(table: TableContext, page: str) -> Forecast | None:
    """Return the forecast for a page; None if it is not shown."""
    campaign = table.campaign
    if forecasts.forecaster(campaign.title) is None or not campaign.started:
        return None
    is_on, is_off = forecasts.shown(campaign), campaign.forecast == OFF
    if not (is_on or table.host or is_off):
        return None
    has_any = is_on and bool(campaign.forecasts)
    course = forecasts.course(campaign) if has_any else None
    return Forecast(
        result=result(table, course, page) if course is not None else None,
        empty_text=empty_text(is_on=is_on, is_off=is_off),
        is_on=is_on,
        can_be_switched=table.host,
        hides_hands=access.hides(campaign),
        stopped_text=forecasts.why_stopped(campaign) if has_any else "",
    )


def empty_text(*, is_on: bool, is_off: bool) -> str:
    """Return why there is no forecast."""
    if is_on:
        return _(
            "A forecast is made when a turn closes: programs then play the campaign to its end "
            "many times."
        )
    if is_off:
        return _("The game master has switched the forecast off for this campaign.")
    return _("No forecast is made for this campaign.")


def result(table: TableContext, course: Course, page: str) -> ForecastResult:
    """Return the chances over the log."""
    names = {seat.key: table.name_of(seat.key) for seat in table.seats}
    swings = swings_of(table, course, names)
    marks = [swing.entry for swing in swings]
    turns, patterns = turn_names(table), patterns_of(table)
    certain = {chance.seat: chance.won for chance in course.chances}
    wide = Area(*SIZES[page], uid="f-wide")
    narrow = Area(*SIZES["phone"], uid="f-phone", names_right=False)
    return ForecastResult(
        games=course.games,
        to_come=course.to_come,
        area=area_chart(course, names, turns, patterns, marks, wide),
        area_phone=area_chart(course, names, turns, patterns, marks, narrow),
        ranges=ranges(course, names),
        swings=swings,
        seats=[SeatName(key, name) for key, name in names.items()],
        rows=[turn_chances(course, turn, entry, names) for turn, entry in course.closes],
        bounds=[bounds_text(certain[seat].low, certain[seat].high) for seat in names],
    )


def turn_names(table: TableContext) -> list[tuple[int, str]]:
    """Return the first entry of each turn, with the name of the turn."""
    campaign = table.campaign
    name = word(campaign.title, "turn_number")
    return [
        (first, name.format(n=turn)) for turn, first, _last in selectors.turns(campaign) if turn
    ]


def patterns_of(table: TableContext) -> Mapping[str, str]:
    """Return the patterns of the title's seats."""
    title = table.title
    if not isinstance(title, WithMaps):
        return {}
    return title.maps.patterns(table.scenario, scenarios.text_of(table.campaign))


def turn_chances(course: Course, turn: int, entry: int, names: Mapping[str, str]) -> TurnChances:
    """Return the chances of all seats at the end of a turn."""
    point = next(point for point in course.points if point.entry == entry)
    shares = percents(point.chances)
    return TurnChances(turn, entry, [shares[seat] for seat in names])


def ranges(course: Course, names: Mapping[str, str]) -> list[Range]:
    """Return the likely final points of each seat."""
    least = min(chance.low for chance in course.chances) - 2
    span = max(chance.high for chance in course.chances) + 2 - least
    shares = last_percents(course)
    return [
        range_of(chance, names[chance.seat], shares[chance.seat], (least, span))
        for chance in course.chances
    ]


def range_of(chance: forecasts.Chance, name: str, share: str, scale: tuple[float, float]) -> Range:
    """Return the likely final points of a seat; `scale` is the start of the bar and its length."""
    least, span = scale
    points = points_text(chance.low, chance.high)
    facts = {"points": points, "middle": f"{chance.middle:.0f}"}
    return Range(
        seat=chance.seat,
        name=name,
        points=points,
        chance=share,
        start=f"{100 * (chance.low - least) / span:.1f}",
        width=f"{100 * (chance.high - chance.low) / span:.1f}",
        at=f"{100 * (chance.middle - least) / span:.1f}",
        label=_("%(points)s; half of the campaigns end above %(middle)s") % facts,
    )


def swings_of(table: TableContext, course: Course, names: Mapping[str, str]) -> list[Swing]:
    """Return the entries that changed a chance most, in the order of the log."""
    lines = selectors.public_lines(table.campaign, [swing.entry for swing in course.swings])
    return [
        Swing(
            number=number,
            entry=swing.entry,
            seat=swing.seat,
            name=names[swing.seat],
            text=lines[swing.entry].text if swing.entry in lines else "",
            chances=f"{percent(swing.before)} → {percent(swing.after)}",
        )
        for number, swing in enumerate(course.swings, 1)
    ]
