"""The chances of all seats over the log, drawn as stacked areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.forecast_words import last_percents
from campaign.forecasts import Course

TOP, BOTTOM, LEFT, RIGHT = 26, 30, 40, 150
LINE = 17
"""The vertical distance of two names at the right edge."""
NAMED = 0.12
"""The height that an area must have to contain its name, as a part of the whole."""
LETTER = 7.0
STEPS = 60
"""The number of places that are tried for a name."""


class Area(NamedTuple):
    """The size of a picture, the prefix of its ids, and whether names are at its right edge."""

    width: int
    height: int
    uid: str
    names_right: bool = True


class SeatName(NamedTuple):
    """A seat and its name."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The positions of entries and chances in the picture."""

    area: Area
    first: int
    last: int

    @property
    def right(self) -> int:
        """Return the right edge of the areas."""
        return self.area.width - (RIGHT if self.area.names_right else 10)

    @property
    def bottom(self) -> int:
        """Return the lower edge of the areas."""
        return self.area.height - BOTTOM

    def x(self, entry: int) -> float:
        """Return the horizontal position of an entry."""
        return LEFT + (self.right - LEFT) * (entry - self.first) / max(self.last - self.first, 1)

    def y(self, part: float) -> float:
        """Return the vertical position of a sum of chances."""
        return TOP + (self.bottom - TOP) * (1 - part)


class Layer(NamedTuple):
    """The area of a seat: its markup, its name inside, and its name at the right edge."""

    markup: str
    inside: str
    edge: tuple[float, str, str]


def area_chart(
    course: Course,
    names: Mapping[str, str],
    turns: Sequence[tuple[int, str]],
    patterns: Mapping[str, str],
    marks: Sequence[int],
    area: Area,
) -> SafeString:
    """Return the picture, with the first seat at the bottom; `marks` are numbered entries.

    Names are escaped where they are written.
    """
    scale = Scale(area, course.points[0].entry, course.points[-1].entry)
    used = {seat: pattern for seat, pattern in patterns.items() if pattern and seat in names}
    layers = layers_of(course, names, used, marks, scale)
    edge = [layer.edge for layer in layers]
    parts = [
        head(course, names, used, area),
        *(layer.markup for layer in layers),
        *(grid_line(part, scale) for part in (0.25, 0.5, 0.75)),
        *turn_marks(turns, scale),
        *(layer.inside for layer in layers),
        *(edge_names(edge, names, scale.right, scale.bottom) if area.names_right else ()),
        *(numbered_mark(number, scale.x(entry), scale) for number, entry in enumerate(marks, 1)),
        "</svg>",
    ]
    return SafeString("".join(parts))


def head(course: Course, names: Mapping[str, str], patterns: Mapping[str, str], area: Area) -> str:
    """Return the opening tags of the picture, with its patterns."""
    shares = last_percents(course)
    chances = ", ".join(f"{names[chance.seat]} {shares[chance.seat]}" for chance in course.chances)
    label = _("Chance of victory over time, if programs played on: %(chances)s")
    box = 'width="8" height="8" patternUnits="userSpaceOnUse" class="pat"'
    drawn = "".join(
        f'<pattern id="{area.uid}-{escape(seat)}" {box}>{pattern}</pattern>'
        for seat, pattern in patterns.items()
    )
    return (
        f'<svg class="forecast__chart" viewBox="0 0 {area.width} {area.height}" role="img"'
        f' aria-label="{escape(label % {"chances": chances})}"><defs>{drawn}</defs>'
    )


def layers_of(
    course: Course,
    names: Mapping[str, str],
    patterns: Mapping[str, str],
    marks: Sequence[int],
    scale: Scale,
) -> list[Layer]:
    """Return the areas of all seats, stacked in their order."""
    is_line = len(course.points) > 1
    points = course.points if is_line else [course.points[0], course.points[0]]
    places = [scale.x(point.entry) for point in points] if is_line else [LEFT, scale.right]
    shares, layers = last_percents(course), []
    base = [0.0] * len(points)
    for seat, name in names.items():
        tops = [low + point.chances[seat] for low, point in zip(base, points, strict=True)]
        low, high = [scale.y(part) for part in base], [scale.y(part) for part in tops]
        pattern = f"{scale.area.uid}-{escape(seat)}" if seat in patterns else ""
        span, at_marks = scale.bottom - TOP, [scale.x(entry) for entry in marks]
        inside = inside_name(SeatName(seat, name), places, (low, high), span, at_marks)
        edge = (scale.y((base[-1] + tops[-1]) / 2), seat, shares[seat])
        layers.append(Layer(layer_markup(seat, places, low, high, pattern), inside, edge))
        base = tops
    return layers


def layer_markup(
    seat: str, places: Sequence[float], low: Sequence[float], high: Sequence[float], pattern: str
) -> str:
    """Return the area of a seat, with its pattern if it has one."""
    over = [f"{at:.1f} {top:.1f}" for at, top in zip(places, high, strict=True)]
    under = [f"{at:.1f} {bottom:.1f}" for at, bottom in zip(places, low, strict=True)]
    shape = "M" + "L".join([*over, *reversed(under)]) + "z"
    filled = (
        f'<path class="forecast__pattern" d="{shape}" fill="url(#{pattern})"/>' if pattern else ""
    )
    return f'<g data-nation="{escape(seat)}"><path class="forecast__area" d="{shape}"/>{filled}</g>'


def grid_line(part: float, scale: Scale) -> str:
    """Return a horizontal line with its chance."""
    y = scale.y(part)
    return (
        f'<path class="chart__grid" d="M{LEFT} {y:.1f}H{scale.right}"/>'
        f'<text class="chart__y" x="{LEFT - 6}" y="{y + 4:.1f}">{100 * part:.0f}%</text>'
    )


def numbered_mark(number: int, x: float, scale: Scale) -> str:
    """Return the mark of a numbered entry."""
    return (
        f'<path class="forecast__at" d="M{x:.1f} {TOP}V{scale.bottom}"/>'
        f'<circle class="forecast__mark" cx="{x:.1f}" cy="{TOP - 10}" r="9"/>'
        f'<text class="forecast__n" x="{x:.1f}" y="{TOP - 6}">{number}</text>'
    )


def turn_marks(turns: Sequence[tuple[int, str]], scale: Scale) -> list[str]:
    """Return a mark for the beginning of each turn, and its name if there is room."""
    parts, free = [], 0.0
    for entry, name in turns:
        if not scale.first - 1 <= entry <= scale.last:
            continue
        at = scale.x(max(entry, scale.first))
        parts.append(f'<path class="chart__turn" d="M{at:.1f} {TOP}V{scale.bottom}"/>')
        if at >= free and at + LETTER * len(name) <= scale.right + 24:
            parts.append(
                f'<text class="chart__x" x="{at + 4:.1f}" y="{scale.area.height - 8}">'
                f"{escape(name)}</text>"
            )
            free = at + 12 + LETTER * len(name)
    return parts


def inside_name(
    name: SeatName,
    places: Sequence[float],
    edges: tuple[Sequence[float], Sequence[float]],
    span: float,
    marks: Sequence[float],
) -> str:
    """Return the name of a seat in its area, at the highest place without a mark.

    It is empty if there is no room. `edges` are the lower and the upper edge of the area.
    """
    half = LETTER * len(name.name) / 2 + 4
    least = max(NAMED * span / 2, 18)
    # Prefer a place without a mark, but accept a place with a mark rather than omit the name.
    for avoided in (marks, ()):
        room, at, middle = best_place(places, edges, half, avoided)
        if room >= least:
            return (
                f'<text class="forecast__name" data-nation="{escape(name.seat)}" x="{at:.1f}"'
                f' y="{middle + 4:.1f}">{escape(name.name)}</text>'
            )
    return ""


def best_place(
    places: Sequence[float],
    edges: tuple[Sequence[float], Sequence[float]],
    half: float,
    avoided: Sequence[float],
) -> tuple[float, float, float]:
    """Return the height of the highest place of an area, and its position."""
    low, high = edges
    best = (0.0, 0.0, 0.0)
    for step in range(1, STEPS):
        at = places[0] + (places[-1] - places[0]) * step / STEPS
        if at - half < places[0] or at + half > places[-1]:
            continue
        if any(abs(mark - at) < half for mark in avoided):
            continue
        # The whole name must fit between the lowest upper and the highest lower edge.
        spots = [at - half, at - half / 2, at, at + half / 2, at + half]
        top = max(value_on(places, high, spot) for spot in spots)
        bottom = min(value_on(places, low, spot) for spot in spots)
        if bottom - top > best[0]:
            best = (bottom - top, at, (bottom + top) / 2)
    return best


def value_on(places: Sequence[float], values: Sequence[float], at: float) -> float:
    """Return the value of a polyline at a position."""
    for n in range(1, len(places)):
        if at <= places[n]:
            wide = places[n] - places[n - 1]
            part = (at - places[n - 1]) / wide if wide else 1.0
            return values[n - 1] + (values[n] - values[n - 1]) * part
    return values[-1]


def edge_names(
    edge: Sequence[tuple[float, str, str]], names: Mapping[str, str], right: int, bottom: int
) -> list[str]:
    """Return names and chances at the right edge, each as close to its area as possible."""
    ordered = sorted(edge)
    places: list[float] = []
    for at, _seat, _share in ordered:
        places.append(max(at, places[-1] + LINE) if places else max(at, TOP))
    lowest = float(bottom)
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], lowest)
        lowest = places[n] - LINE
    most = int((RIGHT - 62) / LETTER)
    return [
        f'<text class="forecast__end" data-nation="{escape(seat)}" x="{right + 8}"'
        f' y="{at + 5:.1f}">{escape(shortened(names[seat], most))} {escape(share)}</text>'
        for (_at, seat, share), at in zip(ordered, places, strict=True)
    ]


def shortened(name: str, most: int) -> str:
    """Return a name with at most this many letters."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"
