"""The forecast on its pages: the chances over the log as a stacked area, likely points, what swung it, the switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign import access, forecasts
from campaign.forecasts import Course
from campaign.log import selectors
from campaign.log.texts import OFF
from campaign.models import Campaign, LogEntry
from games.contract.report import Block, Bullets, Heading, Paragraph, Span
from games.registry import word
from web.shell.campaign_page import TableContext, campaign_page, see_other
from web.tasks import ask_to_forecast
from web.titles import extras

SIZES = {"story": (760, 340), "charts": (1160, 360), "phone": (360, 300)}
"""Width and height of the picture by where it stands."""
TOP, BOTTOM, LEFT, RIGHT = 26, 30, 40, 150
LINE = 17
"""From one name to the next at the right edge."""
NAMED = 0.12
"""So high must an area be somewhere, of the whole, to have its name in it."""
LETTER = 7.0


def forecast_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """One of `hooks.tellers`: when a turn has closed, a forecast is made, once that is written."""
    if forecasts.note(campaign, entry, after):
        transaction.on_commit(partial(ask_to_forecast, campaign.pk))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def switch(request: HttpRequest, table: TableContext) -> HttpResponse:
    """POST is the game master's switch, `on` is 1 or 0; a GET leads to the forecast."""
    where = table.url("story") + "#forecast"
    if request.method != "POST":
        return HttpResponseRedirect(where)
    table.must_be_host()
    on = request.POST.get("on") == "1"
    if forecasts.forecaster(table.campaign.title) is None:
        raise Http404
    if forecasts.shown(table.campaign) != on:
        forecasts.switch(table.campaign, request.user, on)
        if on:
            ask_to_forecast(table.campaign.pk)
    return see_other(where)


def percent(chance: float) -> str:
    """A chance as it is read: whole hundredths, and no certainty before the end."""
    if chance < 0.005:
        return _("under 1%")
    if 0.995 <= chance < 1:
        return _("over 99%")
    return f"{100 * chance:.0f}%"


class Range(NamedTuple):
    """How a seat may end; `start`, `width`, `at` in hundredths of the bar, the rest as it is read."""

    seat: str
    name: str
    points: str
    chance: str
    bounds: str
    start: str
    width: str
    at: str
    label: str


class Swing(NamedTuple):
    """An entry that changed a chance, as it is read."""

    number: int
    entry: int
    seat: str
    name: str
    text: str
    chances: str


def context_of(table: TableContext, where: str) -> dict[str, Any]:
    """What `forecast/_forecast.html` shows, on the story page or on `charts`."""
    campaign = table.campaign
    players = forecasts.forecaster(campaign.title)
    if players is None or not table.campaign.started:
        return {"forecast": None}
    on = forecasts.shown(campaign)
    course = forecasts.course(campaign) if on and campaign.forecasts else None
    context: dict[str, Any] = {
        "forecast": course, "forecast_on": on, "forecast_off": campaign.forecast == OFF, "forecast_switch": table.host,
        "forecast_shown": on or table.host or campaign.forecast == OFF, "forecast_hides": access.hides(campaign),
    }  # fmt: skip
    if course is None:
        return context
    names = {seat.key: table.name_of(seat.key) for seat in table.seats}
    turn_word = word(campaign.title, "turn")
    swings = _swings(table, course, names)
    turns = [(first, f"{turn_word} {turn}") for turn, first, _last in selectors.turns(campaign) if turn]
    art = getattr(extras(campaign.title, "front"), "patterns", None)
    patterns = art(campaign) if art is not None else {}
    draw = partial(area, course, names, turns, patterns)
    marks = [one.entry for one in swings]
    certain = {one.seat: one.won for one in course.chances}
    context |= {
        "area": draw(marks, *SIZES[where], uid="f-wide"),
        "area_phone": draw(marks, *SIZES["phone"], uid="f-phone", names_right=False),
        "ranges": _ranges(course, names), "swings": swings, "forecast_heads": list(names.items()),
        "forecast_bounds": [_bounds(certain[seat].low, certain[seat].high) for seat in names],
        "forecast_rows": [
            (turn, entry, [percent(next(p for p in course.points if p.entry == entry).chances[seat]) for seat in names])
            for turn, entry in course.closes
        ],
    }  # fmt: skip
    return context


def _ranges(course: Course, names: Mapping[str, str]) -> list[Range]:
    least = min(one.low for one in course.chances) - 2
    span = max(one.high for one in course.chances) + 2 - least
    rows = []
    for one in course.chances:
        points = _points(one.low, one.high)
        label = _("%(points)s, half of them over %(middle)s") % {"points": points, "middle": f"{one.middle:.0f}"}
        start, wide, at = (f"{100 * part / span:.1f}" for part in (one.low - least, one.high - one.low, one.middle - least))
        bounds = _bounds(one.won.low, one.won.high)
        rows.append(Range(one.seat, names[one.seat], points, percent(one.won.share), bounds, start, wide, at, label))
    return rows


def _points(low: float, high: float) -> str:
    if round(low) == round(high):
        return ngettext("%(n)s point", "%(n)s points", round(low)) % {"n": f"{low:.0f}"}
    return _("%(low)s to %(high)s points") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}


def _bounds(low: float, high: float) -> str:
    return _("%(low)s to %(high)s%%") % {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}"}


def _swings(table: TableContext, course: Course, names: Mapping[str, str]) -> list[Swing]:
    numbers = [one.entry for one in course.swings]
    rows = LogEntry.objects.filter(campaign=table.campaign, number__in=numbers, audience=None).select_related(
        "actor", "struck_by"
    )
    texts = (
        {line.number: line.text for line in selectors.lines(table.campaign, None, rows.order_by("sequence"))} if numbers else {}
    )
    return [
        Swing(n, one.entry, one.seat, names[one.seat], texts.get(one.entry, ""),
              f"{percent(one.before)} → {percent(one.after)}")
        for n, one in enumerate(course.swings, 1)
    ]  # fmt: skip


# The picture. ----------------------------------------------------------------------------------------------------------------


def area(
    course: Course, names: Mapping[str, str], turns: Sequence[tuple[int, str]], patterns: Mapping[str, str], marks: Sequence[int],
    width: int, height: int, *, uid: str, names_right: bool = True,
) -> SafeString:  # fmt: skip
    """The chances of all seats upon each other over the entries, the first seat at the bottom; `marks` are numbered entries."""
    first, last = course.points[0].entry, course.points[-1].entry
    right, bottom = width - (RIGHT if names_right else 10), height - BOTTOM

    def x(entry: int) -> float:
        return LEFT + (right - LEFT) * (entry - first) / max(last - first, 1)

    def y(part: float) -> float:
        return TOP + (bottom - TOP) * (1 - part)

    label = _("Chance of victory over the log, if programs played on: %(chances)s") % {
        "chances": ", ".join(f"{names[one.seat]} {percent(one.won.share)}" for one in course.chances)
    }
    box = 'width="8" height="8" patternUnits="userSpaceOnUse" class="pat"'
    drawn = {seat: pattern for seat, pattern in patterns.items() if pattern and seat in names}
    parts = [
        f'<svg class="forecast__chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}"><defs>',
        *(f'<pattern id="{uid}-{escape(seat)}" {box}>{pattern}</pattern>' for seat, pattern in drawn.items()), "</defs>",
    ]  # fmt: skip
    spots = course.points if len(course.points) > 1 else [course.points[0], course.points[0]]
    places = [x(point.entry) for point in spots] if len(course.points) > 1 else [LEFT, right]
    base = [0.0] * len(spots)
    inside, edge = [], []
    for seat in names:
        tops = [low + point.chances[seat] for low, point in zip(base, spots, strict=True)]
        over = [f"{at:.1f} {y(top):.1f}" for at, top in zip(places, tops, strict=True)]
        under = [f"{at:.1f} {y(low):.1f}" for at, low in zip(places, base, strict=True)]
        shape = "M" + "L".join([*over, *reversed(under)]) + "z"
        parts.append(f'<g data-nation="{escape(seat)}"><path class="forecast__area" d="{shape}"/>')
        if seat in drawn:
            parts.append(f'<path class="forecast__pattern" d="{shape}" fill="url(#{uid}-{escape(seat)})"/>')
        parts.append("</g>")
        low, high = [y(one) for one in base], [y(one) for one in tops]
        inside.append(_inside(seat, names[seat], places, low, high, bottom - TOP, [x(entry) for entry in marks]))
        edge.append((y((base[-1] + tops[-1]) / 2), seat, spots[-1].chances[seat]))
        base = tops
    for part in (0.25, 0.5, 0.75):
        parts.append(
            f'<path class="chart__grid" d="M{LEFT} {y(part):.1f}H{right}"/>'
            f'<text class="chart__y" x="{LEFT - 6}" y="{y(part) + 4:.1f}">{100 * part:.0f}%</text>'
        )
    parts += _turn_marks(turns, first, last, x, bottom, height, right)
    parts += [*inside, *(_edge(edge, names, right, bottom) if names_right else ())]
    for n, entry in enumerate(marks, 1):
        parts.append(
            f'<path class="forecast__at" d="M{x(entry):.1f} {TOP}V{bottom}"/>'
            f'<circle class="forecast__mark" cx="{x(entry):.1f}" cy="{TOP - 10}" r="9"/>'
            f'<text class="forecast__n" x="{x(entry):.1f}" y="{TOP - 6}">{n}</text>'
        )
    return SafeString("".join([*parts, "</svg>"]))  # names are escaped where they are written, all else is ours


def _turn_marks(
    turns: Sequence[tuple[int, str]], first: int, last: int, x: Any, bottom: int, height: int, right: int
) -> list[str]:
    """A mark where each turn begins, and its name where there is room."""
    parts, free = [], 0.0
    for entry, name in turns:
        if not first - 1 <= entry <= last:
            continue
        at = x(max(entry, first))
        parts.append(f'<path class="chart__turn" d="M{at:.1f} {TOP}V{bottom}"/>')
        if at >= free and at + LETTER * len(name) <= right + 24:
            parts.append(f'<text class="chart__x" x="{at + 4:.1f}" y="{height - 8}">{escape(name)}</text>')
            free = at + 12 + LETTER * len(name)
    return parts


def _inside(
    seat: str,
    name: str,
    places: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    span: float,
    marks: Sequence[float],
) -> str:
    """The name in its area where that is highest and no mark stands; nothing where it has no room."""
    half = LETTER * len(name) / 2 + 4
    best, where, steps = 0.0, None, 60
    for free in (True, False):  # rather beside the marks than on them, rather on them than not at all
        for n in range(1, steps):
            at = places[0] + (places[-1] - places[0]) * n / steps
            if at - half < places[0] or at + half > places[-1] or (free and any(abs(mark - at) < half for mark in marks)):
                continue
            # Free over the whole name: between the lowest upper and the highest lower edge.
            spots = [at - half, at - half / 2, at, at + half / 2, at + half]
            top, bottom = max(_on(places, high, one) for one in spots), min(_on(places, low, one) for one in spots)
            if bottom - top > best:
                best, where = bottom - top, (at, (bottom + top) / 2)
        if best >= max(NAMED * span / 2, 18):
            break
    if where is None or best < max(NAMED * span / 2, 18):
        return ""
    x, y = where
    return f'<text class="forecast__name" data-nation="{escape(seat)}" x="{x:.1f}" y="{y + 4:.1f}">{escape(name)}</text>'


def _on(places: Sequence[float], values: Sequence[float], at: float) -> float:
    """The value of a line at this place."""
    for n in range(1, len(places)):
        if at <= places[n]:
            wide = places[n] - places[n - 1]
            part = (at - places[n - 1]) / wide if wide else 1.0
            return values[n - 1] + (values[n] - values[n - 1]) * part
    return values[-1]


def _edge(edge: Sequence[tuple[float, str, float]], names: Mapping[str, str], right: int, bottom: int) -> list[str]:
    """Names and chances at the right edge, each as near to its area as the others let it."""
    ordered = sorted(edge)
    places: list[float] = []
    for at, _seat, _chance in ordered:
        places.append(max(at, places[-1] + LINE) if places else max(at, TOP))
    lowest = float(bottom)
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], lowest)
        lowest = places[n] - LINE
    most = int((RIGHT - 62) / LETTER)
    return [
        f'<text class="forecast__end" data-nation="{escape(seat)}" x="{right + 8}" y="{at + 5:.1f}">'
        f"{escape(_cut(names[seat], most))} {escape(percent(chance))}</text>"
        for (_at, seat, chance), at in zip(ordered, places, strict=True)
    ]


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


# In the report of a turn. ----------------------------------------------------------------------------------------------------


def chapter(campaign: Campaign, turn: int) -> Sequence[Block]:
    """The forecast of a turn as a chapter of its report; nothing where there is none."""
    course = forecasts.course(campaign, turn) if campaign.forecasts else None
    if course is None:
        return ()
    names = {seat.key: seat.name for seat in selectors.seats(campaign)}
    opening = _("If programs played on from here, by %(games)s campaigns. Eight of ten end with these points:")
    blocks: list[Block] = [
        Heading((Span(_("Forecast")),), 2, "forecast"),
        Paragraph((Span(opening % {"games": course.games}),)),
        Bullets(tuple((Span(names[one.seat], seat=one.seat), Span(f": {_outlook(one)}")) for one in course.chances)),
    ]  # fmt: skip
    if course.swings:
        swung = [
            (Span(_("Entry %(entry)s: ") % {"entry": one.entry}), Span(names[one.seat], seat=one.seat),
             Span(f" {percent(one.before)} → {percent(one.after)}"))
            for one in course.swings
        ]  # fmt: skip
        blocks += [Paragraph((Span(_("What swung it:")),)), Bullets(tuple(swung))]
    return blocks


def _outlook(one: forecasts.Chance) -> str:
    bounds, points = _bounds(one.won.low, one.won.high), _points(one.low, one.high)
    facts = {"chance": percent(one.won.share), "bounds": bounds, "points": points}
    return _("%(chance)s to win (%(bounds)s), %(points)s") % facts
