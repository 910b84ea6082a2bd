"""What a drawing leaves out, reckoned from its outlines: where a name stands, where two provinces meet, where a ship lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import dist, inf
from typing import Any

from games.grand_campaign import outlines
from games.grand_campaign.faults import Fault
from games.grand_campaign.layout_land import broken
from games.grand_campaign.outlines import Line, Pair, Point

__all__ = ["Shape", "Spot", "along", "apart", "between", "broken"]

Spot = tuple[float, float]
Cells = dict[Point, list[Point]]
NEAR = 30
"""Tenths: outlines that run so close are one border, drawn twice."""
STEP = 20
"""Tenths between the points that are looked at along an outline."""
LEAST = 60
"""Tenths: a shorter line is a corner, no border."""
GRAIN = 5
"""Tenths: of points that lie closer together one is enough."""
MOST_APART = 600
"""150 provinces that lie side by side have no more than 444 borders."""
MANIFOLD = 10
GRID = 12
FEW = 240


class Shape:
    """A province's outline in tenths of map units, the row it came with, and how large the sheet is, in map units."""

    def __init__(self, rings: Sequence[Line], row: Mapping[str, Any], sheet: tuple[int, int]) -> None:
        self.rings, self.row, self.sheet = list(rings), row, sheet

    def on_sheet(self, spot: Spot) -> bool:
        return 0 <= spot[0] <= self.sheet[0] and 0 <= spot[1] <= self.sheet[1]

    def _here(self, spot: Spot) -> bool:
        return self.on_sheet(spot) and outlines.inside(self.rings, *spot)

    @cached_property
    def largest(self) -> Line:
        return max(self.rings, key=lambda ring: abs(_area(ring)))

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of its largest part."""
        xs, ys = [x for x, _ in self.largest], [y for _, y in self.largest]
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def walked(self) -> list[Point]:
        return list(_walked(self.rings))

    @cached_property
    def few(self) -> list[Point]:
        """Points of its outlines, not too many to compare with each other."""
        return self.walked[:: max(1, len(self.walked) // FEW)]

    @cached_property
    def cells(self) -> Cells:
        """The points of its outlines by the squares they lie in, however dense they are: one of each `GRAIN`."""
        kept = {(x // GRAIN, y // GRAIN): (x, y) for x, y in reversed(self.walked)}
        made: Cells = {}
        for x, y in kept.values():
            made.setdefault((x // NEAR, y // NEAR), []).append((x, y))
        return made

    def middle(self) -> Spot:
        """A point inside, far from the outline: the best of a grid."""
        return self._middle

    @cached_property
    def _middle(self) -> Spot:
        left, top, right, bottom = self.box
        # Names are wide: what lies beside counts less than what lies above and below.
        few = [(px / 1.6, py) for px, py in self.few]
        farthest, best = -1.0, None
        for i in range(1, GRID):
            for k in range(1, GRID):
                x, y = left + (right - left) * i / GRID, top + (bottom - top) * k / GRID
                spot = round(x / 10, 1), round(y / 10, 1)
                away = _farther((x / 1.6, y), few, farthest)
                if away > farthest and self._here(spot):
                    farthest, best = away, spot
        return best or self._sliver()

    def _sliver(self) -> Spot:
        """For a shape that the grid misses: the middle of a line across it."""
        ring, (left, top, right, bottom) = self.largest, self.box
        for i in range(1, 40):
            y = top + (bottom - top) * i / 40
            across = sorted(
                ax + (y - ay) * (bx - ax) / (by - ay) for (ax, ay), (bx, by) in pairwise((*ring, ring[0])) if (ay > y) != (by > y)
            )
            for first, second in zip(across[::2], across[1::2], strict=False):
                spot = round((first + second) / 20, 1), round(y / 10, 1)
                if self._here(spot):
                    return spot
        return (left + right) / 20, (top + bottom) / 20

    def type_size(self, lines: Sequence[str]) -> float:
        """How large a name is set to fit its land, in map units."""
        left, top, right, bottom = self.box
        wide = (right - left) / 10 * 0.8 / (0.52 * max(map(len, lines)))
        return round(2 * max(7.0, min(20.0, wide, (bottom - top) / 10 * 0.4 / len(lines)))) / 2

    def below(self, label: Spot, room: float) -> Spot:
        """Where the seat stands: under the name, above it, or where the name is."""
        x, y = label
        spots = [(x, round(y + sign * (room / 2 + 9), 1)) for sign in (1, -1)]
        return next((spot for spot in spots if self._here(spot)), label)

    def nearest(self, goal: Spot) -> Spot:
        """The point of its outlines on the sheet that is nearest to another."""
        every = [(x / 10, y / 10) for ring in self.rings for x, y in ring]
        spots = filter(self.on_sheet, every)
        return min(spots, key=lambda spot: (dist(spot, goal), spot), default=self.middle())


def _farther(spot: Spot, points: Iterable[Spot], than: float) -> float:
    """How far the nearest of these points is; -1 as soon as one is no farther than that."""
    nearest = inf
    for point in points:
        away = dist(spot, point)
        if away <= than:
            return -1.0
        if away < nearest:
            nearest = away
    return nearest


def _area(ring: Line) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0]))) / 2


def apart(pairs: Iterable[Pair]) -> list[Pair]:
    """Borders whose provinces do not touch as they are drawn, in order. Raises `Fault` for more than any map has."""
    found = sorted(pairs)
    if len(found) > MOST_APART:
        raise Fault("provinces", "too-many-apart", most=MOST_APART)
    return found


def along(a: Shape, b: Shape) -> list[Line]:
    """The lines along which the outline of one runs close to that of the other: a border that was drawn twice. They are `a`'s,
    unless `b` has far fewer points: somebody may send the worst there is."""
    if len(b.walked) * MANIFOLD < len(a.walked):
        a, b = b, a
    known: dict[Point, bool] = {}
    made: list[Line] = []
    line: list[Point] = []
    for ring in a.rings:
        for point in _walked([ring]):
            grain = point[0] // GRAIN, point[1] // GRAIN
            if grain not in known:
                known[grain] = _close(point, b.cells)
            if known[grain]:
                line.append(point)
                continue
            made, line = _kept(made, line), []
        made, line = _kept(made, line), []
    return made


def _kept(made: list[Line], line: list[Point]) -> list[Line]:
    whole = tuple(line)
    return [*made, whole] if len(line) > 1 and outlines.length(whole) * 10 >= LEAST else made


def _close(point: Point, cells: Mapping[Point, Iterable[Point]]) -> bool:
    column, row = point[0] // NEAR, point[1] // NEAR
    return any(
        dist(point, other) <= NEAR for i in (-1, 0, 1) for k in (-1, 0, 1) for other in cells.get((column + i, row + k), ())
    )


def _walked(rings: Iterable[Line]) -> Iterator[Point]:
    """The outlines' points, with others between those that are far apart."""
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            steps = max(1, round(dist((ax, ay), (bx, by)) / STEP))
            for i in range(steps):
                yield ax + (bx - ax) * i // steps, ay + (by - ay) * i // steps
        yield ring[0]


def between(a: Shape, b: Shape) -> Spot:
    """The middle of the way from one to the other, where it is shortest."""
    _far, (ax, ay), (bx, by) = min((dist(one, other), one, other) for one in a.few for other in b.few)
    return round((ax + bx) / 20, 1), round((ay + by) / 20, 1)
