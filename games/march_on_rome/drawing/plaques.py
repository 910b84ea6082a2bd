"""Places of the plaques on the map: standards, garrisons and chances beside the names.

A plaque has the size of the names: both are `k` times as large as on a map of 1600 units, where `k`
keeps them readable at each zoom. Its place is an offset from the middle of the province's name, in
units that grow with `k`. The places are chosen so that plaques cover neither names nor each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import dist
from typing import NamedTuple

from games.march_on_rome.rules.position import PROVINCES, data
from games.march_on_rome.text.words import province_name

SCALES = (1.45, 1.9)
"""The `k` of a whole map on a desktop, and the largest `k`, on a phone."""
LETTER = 0.5
"""The width of a letter of a name, as a share of the font size."""
TALL = 0.85
"""The height of a name, as a share of the font size."""
GAP = 2.0
"""The least distance between two plaques."""
COVERED, OUTSIDE, BORDER, FAR = 100.0, 20.0, 3.0, 0.02
"""The cost of a covered name or plaque, of a middle outside the province, of a border behind a
plaque, and of a unit of distance."""

Point = tuple[float, float]


class Size(NamedTuple):
    """The width and height of a plaque at `k` = 1."""

    width: float
    height: float


class Box(NamedTuple):
    """A rectangle of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether two rectangles overlap or nearly touch."""
        return (
            self.left < other.right + GAP
            and other.left < self.right + GAP
            and self.top < other.bottom + GAP
            and other.top < self.bottom + GAP
        )

    def contains(self, point: Point) -> bool:
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom


class Plaque(NamedTuple):
    """A plaque in its place: its province, the offset of its middle from the name, its size."""

    province: str
    offset: Point
    size: Size

    def box(self, k: float) -> Box:
        """Return its rectangle on a map with names of this scale."""
        x, y = anchor(self.province)
        x, y = x + k * self.offset[0], y + k * self.offset[1]
        width, height = k * self.size.width / 2, k * self.size.height / 2
        return Box(x - width, y - height, x + width, y + height)


def standard_size(text: str) -> Size:
    """Return the size of the standard of a general with this text."""
    return Size(21 + 8 * len(text), 24)


def chance_size(text: str) -> Size:
    """Return the size of the plaque of a chance with this text."""
    return Size(14 + 8 * len(text), 22)


GARRISON = Size(20, 20)


class Plaques:
    """The plaques of a map, placed one after the other."""

    def __init__(self) -> None:
        self.placed: list[Plaque] = []
        self.boxes = [[name_box(key, k) for key in PROVINCES] for k in SCALES]

    def place(self, provinces: Iterable[str], size: Size) -> Plaque:
        """Place a plaque at the best free place of these provinces; earlier ones are preferred."""
        ways = [
            (self.cost(Plaque(key, offset, size)) + 2 * rank, Plaque(key, offset, size))
            for rank, key in enumerate(provinces)
            for offset in offsets(key, size)
        ]
        best = min(ways, key=lambda way: way[0])[1]
        self.placed.append(best)
        for k, boxes in zip(SCALES, self.boxes, strict=True):
            boxes.append(best.box(k))
        return best

    def cost(self, plaque: Plaque) -> float:
        """Return how bad a place is: what it covers, the borders behind it, its distance."""
        covered = sum(
            box.meets(other)
            for box, boxes in zip(shown(plaque), self.boxes, strict=True)
            for other in boxes
        )
        return COVERED * covered + cost_alone(plaque)


@cache
def shown(plaque: Plaque) -> tuple[Box, ...]:
    """Return the rectangles of a plaque at all scales."""
    return tuple(plaque.box(k) for k in SCALES)


@cache
def cost_alone(plaque: Plaque) -> float:
    """Return how bad a place is without other plaques: its borders, its distance."""
    cost = FAR * dist(plaque.offset, (0, 0))
    for box in shown(plaque):
        inside = (
            SHEET.left < box.left
            and box.right < SHEET.right
            and SHEET.top < box.top
            and box.bottom < SHEET.bottom
        )
        cost += COVERED * (not inside)
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        cost += OUTSIDE * (not lies_in(plaque.province, middle))
        cost += BORDER * any(box.contains(point) for point in border(plaque.province))
    return cost


SHEET = Box(0, 6, 1600, 1130)
"""The part of the drawing that is shown."""


def anchor(province: str) -> Point:
    """Return the middle of a province's name."""
    x, y = data("drawing")["provinces"][province]["label"]
    return x, y


def name_box(province: str, k: float) -> Box:
    """Return the rectangle of a province's name."""
    (x, y), size = anchor(province), k * data("drawing")["provinces"][province]["size"]
    width, height = LETTER * size * len(province_name(province)) / 2, TALL * size / 2
    return Box(x - width, y - height, x + width, y + height)


def offsets(province: str, size: Size) -> Iterator[Point]:
    """Yield the places around the name of a province: below, above, and at its sides."""
    name = name_box(province, 1)
    half, side = (name.bottom - name.top) / 2, (name.right - name.left) / 2
    rows = half + size.height / 2 + GAP, half + size.height * 1.5 + 3 * GAP
    beside = side + size.width / 2 + 2 * GAP
    for row in rows:
        for shift in (0.0, -0.35, 0.35, -0.7, 0.7, -1.05, 1.05):
            yield shift * size.width, row
            yield shift * size.width, -row
    for row in (0.0, -half - size.height / 2, half + size.height / 2):
        yield beside, row
        yield -beside, row


@cache
def border(province: str) -> tuple[Point, ...]:
    """Return points of the border of a province, close enough to see whether a plaque meets it."""
    return tuple(
        (x + (to[0] - x) * part / 2, y + (to[1] - y) * part / 2)
        for ring in rings(province)
        for (x, y), to in pairwise(ring)
        for part in (1, 2)
    )


def lies_in(province: str, point: Point) -> bool:
    """Return whether a point is in a province.

    A ray from a point inside crosses the border an odd number of times.
    """
    x, y = point
    crossed = sum(
        (a[1] > y) != (b[1] > y) and x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
        for ring in rings(province)
        for a, b in pairwise([*ring, ring[0]])
    )
    return crossed % 2 == 1


@cache
def rings(province: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of the parts of a province."""
    return tuple(ring(part) for part in data("drawing")["provinces"][province]["d"].split("M")[1:])


def ring(path: str) -> tuple[Point, ...]:
    """Return the corners of a part, from its path of relative lines."""
    start, _, moves = path.rstrip("z").partition("l")
    x, y = map(float, start.split())
    corners = [(x, y)]
    steps = [float(number) for number in moves.replace("-", " -").split()]
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + dx, y + dy
        corners.append((x, y))
    return tuple(corners)


class Armies(NamedTuple):
    """The plaques of all armies: the standards of generals, and the garrisons of provinces."""

    plaques: Plaques
    standards: Mapping[str, Plaque]
    garrisons: Mapping[str, Plaque]


def armies(
    owner: Mapping[str, str], garrison: Iterable[str], standards: Mapping[str, str]
) -> Armies:
    """Place the standards of generals, whose texts are given, and the garrisons of provinces."""
    plaques = Plaques()
    return Armies(
        plaques,
        {
            general: plaques.place(seats(owner, general)[:3], standard_size(text))
            for general, text in standards.items()
        },
        {key: plaques.place([key], GARRISON) for key in garrison},
    )


def chances(placed: Armies, texts: Mapping[str, str]) -> dict[str, Plaque]:
    """Place the chances of provinces beside their armies; small provinces come first."""
    drawn = data("drawing")["provinces"]
    return {
        key: placed.plaques.place([key], chance_size(texts[key]))
        for key in sorted(texts, key=lambda key: (drawn[key]["size"], PROVINCES[key].n))
    }


def seats(owner: Mapping[str, str], general: str) -> list[str]:
    """Return the provinces of a general, the one nearest to the middle of their land first."""
    own = [key for key in PROVINCES if owner[key] == general]
    middle = tuple(sum(anchor(key)[axis] for key in own) / len(own) for axis in (0, 1))
    return sorted(own, key=lambda key: dist(anchor(key), middle))
