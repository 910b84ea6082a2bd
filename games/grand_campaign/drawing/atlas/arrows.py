"""The arrows of attacks.

An arrow leads from seat to seat in the attacker's colour, begins at the battle's number, and avoids
the names.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import product
from typing import NamedTuple

from games.grand_campaign.drawing import parts
from games.grand_campaign.drawing.atlas.outlines import Box
from games.grand_campaign.drawing.atlas.state import Attack
from games.grand_campaign.drawing.drawing import Drawing

Spot = tuple[float, float]

BENDS = (0.2, -0.2, 0.32, -0.32, 0.08, -0.08, 0.46, -0.46, 0.62, -0.62)
# Starting points around the source's seat: the angle from straight behind it, and the additional
# distance.
ROUND = (0, 25, -25, 50, -50, 80, -80, 110, -110, 140, -140)
STARTS = tuple((turn, more) for more in (0, 8, 16, 28) for turn in ROUND)
# End points around the seat, the seat first, which may lie under its own province's name.
ROSE = [(math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8)]
ENDS = ((0.0, 0.0), *((r * x, r * y) for r in (8.0, 14.0, 21.0) for x, y in ROSE))
# The simplest choices first: the shortest detour, the usual bend, and an end at the seat.
CHOICES = sorted(
    product(range(len(STARTS)), range(len(BENDS)), range(len(ENDS))),
    key=lambda c: (c[0] // len(ROUND) * 2 + c[0] % len(ROUND) + c[1] + (c[2] + 7) // 8 * 3, c),
)
SHAFT, HEAD, TOKEN = 2.5, 1.5, 7.5
"""The least distances from a name, in units of the drawing.

They are those of an arrow's line, the corners of its head, and the centre of its number.
"""
FARTHEST = 90 + 21
"""The distance from the source's seat at which another number may be in the way.

It is that of the farthest start, and the space between two numbers.
"""


class Way(NamedTuple):
    """The start of an arrow, the point around which it bends, and its tip."""

    start: Spot
    bend: Spot
    end: Spot

    def at(self, t: float) -> Spot:
        """Return a point of the curve; `t` runs from 0 at the start to 1 at the tip."""
        (ax, ay), (mx, my), (zx, zy) = self
        s = 1 - t
        return s * s * ax + 2 * s * t * mx + t * t * zx, s * s * ay + 2 * s * t * my + t * t * zy

    @property
    def head(self) -> tuple[Spot, ...]:
        """Return the arrowhead's corners, its tip first."""
        (mx, my), (zx, zy) = self.bend, self.end
        t = math.atan2(zy - my, zx - mx)
        corners = ((1, 0.0), (15, math.pi - 0.46), (10, math.pi), (15, math.pi + 0.46))
        return tuple((zx + r * math.cos(t + o), zy + r * math.sin(t + o)) for r, o in corners)

    @property
    def box(self) -> Box:
        """Return the box of the three points that define the curve, which contains it."""
        xs, ys = zip(*self, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def head_box(self) -> Box:
        x, y = self.end
        return x - 15, y - 15, x + 15, y + 15


@lru_cache(maxsize=64)
def names(drawing: Drawing) -> tuple[Box, ...]:
    """Return the boxes of the provinces' names on the whole map."""
    boxes = []
    for province in drawing.provinces.values():
        (x, y), lines = province.label, province.lines
        wide, high = max(map(len, lines)) * province.size * 0.235, len(lines) * province.size * 0.5
        boxes.append((x - wide, y - high, x + wide, y + high))
    return tuple(boxes)


def within(box: Box, spot: Spot, about: float = 0) -> bool:
    """Return whether a point is in a box, or nearer to it than `about`."""
    x, y = spot
    return box[0] - about < x < box[2] + about and box[1] - about < y < box[3] + about


def meet(box: Box, other: Box, about: float) -> bool:
    """Return whether two boxes meet if one of them is wider by `about` on each side."""
    return (
        box[0] - about <= other[2]
        and other[0] <= box[2] + about
        and box[1] - about <= other[3]
        and other[1] <= box[3] + about
    )


def origin(drawing: Drawing, source: str | None, target: str) -> Spot:
    """Return the place from which an attack comes.

    It is the source's seat, or for an insurrection a point just outside the target's seat.
    """
    x, y = drawing.provinces[target].seat.at
    return drawing.provinces[source].seat.at if source else (x + 30.0, y - 34.0)


@lru_cache(maxsize=4096)
def attack_path(
    drawing: Drawing, source: str | None, target: str, taken: tuple[Spot, ...] = ()
) -> Way:
    """Return the simplest way of an attack that covers no name, or the one that covers fewest.

    `taken` has the places of numbers that are already drawn.
    """
    start, goal = origin(drawing, source, target), drawing.provinces[target].seat.at
    near = names_near(drawing, start, goal)
    best, least = None, math.inf
    begun: dict[Spot, float] = {}
    for way in ways(drawing, start, goal, target, is_sourced=bool(source)):
        if way.start not in begun:
            begun[way.start] = cost_of_start(drawing, start, way.start, near, taken)
        cost = begun[way.start]
        if cost < least:
            cost += cost_of_line(way, near, most=least - cost)
        if cost < least:
            best, least = way, cost
            if not cost:
                break
    assert best is not None
    return best


def names_near(drawing: Drawing, start: Spot, goal: Spot) -> list[Box]:
    """Return the names that an arrow between two seats may touch."""
    reach = (math.dist(start, goal) or 1.0) * 0.5 + 90
    middle = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    return [box for box in names(drawing) if within(box, middle, reach)]


def cost_of_start(
    drawing: Drawing, seat: Spot, start: Spot, near: list[Box], taken: tuple[Spot, ...]
) -> float:
    """Return how much the number at the start is in the way.

    It must neither seem to belong to another province's seat nor hide its own.
    """
    seats = [p.seat.at for p in drawing.provinces.values() if math.dist(p.seat.at, seat) < 90]
    cost = 3.0 * sum(within(box, start, TOKEN) for box in near)
    cost += 9 * any(math.dist(start, number) < 21 for number in taken)
    return cost + 4 * any(math.dist(start, other) < 13.5 for other in seats)


def cost_of_line(way: Way, near: list[Box], most: float) -> float:
    """Return how many names the line and the head touch, counting no further than `most`."""
    cost = 0.0
    line, head = way.box, way.head_box
    points: list[Spot] = []
    for box in near:
        # Most names are far away: only those that the boxes meet are examined closely.
        if meet(box, head, HEAD):
            cost += 2.0 * any(within(box, corner, HEAD) for corner in way.head)
        if meet(box, line, SHAFT):
            points = points or [way.at(k / 40) for k in range(1, 40)]
            cost += any(within(box, point, SHAFT) for point in points)
        if cost >= most:
            break
    return cost


def ways(
    drawing: Drawing, start: Spot, goal: Spot, target: str, *, is_sourced: bool
) -> Iterator[Way]:
    """Yield every possible way, the simplest first; all end inside the target."""
    distance = math.dist(start, goal) or 1.0
    ux, uy = (goal[0] - start[0]) / distance, (goal[1] - start[1]) / distance
    tip = (goal[0] - ux * 5, goal[1] - uy * 5)
    ends = [(tip[0] + x, tip[1] + y) for x, y in ENDS]
    inside = [k == 0 or contains(drawing, target, spot) for k, spot in enumerate(ends)]
    # Short ways start farther back, long ones beside the seat, which may be a capital's star.
    least = max(26 if drawing.laid_out else 14, int(62 - distance)) if is_sourced else 0
    starts = []
    for turn, more in STARTS if is_sourced else STARTS[:1]:
        # A short way that starts beside the seat needs no additional distance.
        back = (least if abs(turn) < 60 else min(least, 22)) + more * is_sourced
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        starts.append((start[0] - (ux * c - uy * s) * back, start[1] - (uy * c + ux * s) * back))
    for place, bend, end in CHOICES:
        if not inside[end] or place >= len(starts):
            continue
        a, z = starts[place], ends[end]
        long, lean = math.dist(a, z), BENDS[bend]
        middle = ((a[0] + z[0]) / 2 - uy * long * lean, (a[1] + z[1]) / 2 + ux * long * lean)
        yield Way(a, middle, z)


@lru_cache(maxsize=1024)
def outline(drawing: Drawing, key: str) -> tuple[tuple[Spot, ...], ...]:
    """Return the lines of a province."""
    return tuple(
        tuple((x / 10, y / 10) for x, y in line)
        for line in parts.path_parts(drawing.provinces[key].d)
    )


def contains(drawing: Drawing, key: str, spot: Spot) -> bool:
    """Return whether a point is in a province, by the even-odd rule with which it is painted."""
    x, y = spot
    odd = False
    for line in outline(drawing, key):
        for (xa, ya), (xb, yb) in zip(line, (*line[1:], line[0]), strict=True):
            if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
                odd = not odd
    return odd


def arrow(attack: Attack, drawing: Drawing, tokens: list[Spot], attributes: str) -> str:
    """Return the arrow of an attack.

    `tokens` has the places of the numbers drawn so far; the arrow adds its own.
    """
    source, target = attack.get("from"), attack["target"]
    start = origin(drawing, source, target)
    taken = tuple(token for token in tokens if math.dist(token, start) < FARTHEST)
    way = attack_path(drawing, source, target, taken)
    a, m, z = way
    tokens.append(a)
    t = math.atan2(z[1] - m[1], z[0] - m[0])
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in way.head)
    path = (
        f"M{a[0]:.1f} {a[1]:.1f}Q{m[0]:.1f} {m[1]:.1f} {z[0] - 9 * math.cos(t):.1f}"
        f" {z[1] - 9 * math.sin(t):.1f}"
    )
    number = escape(str(attack["number"]))
    return (
        f'<g class="arrow" {attributes} data-kind="{escape(attack["kind"])}"'
        f' data-status="{escape(attack["status"])}"><path class="arrow__halo" d="{path}"/><polygon'
        f' class="arrow__halo" points="{head}"/><path class="arrow__shaft" d="{path}"/><polygon'
        f' class="arrow__head" points="{head}"/><g class="arrow__no"><circle cx="{a[0]:.1f}"'
        f' cy="{a[1]:.1f}" r="9.5"/><text x="{a[0]:.1f}" y="{a[1]:.1f}">{number}</text></g></g>'
    )
