"""Arrows of attacks: from seat to seat in the attacker's colour, out of the battle's number, around the names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import product
from typing import Any, NamedTuple

from games.grand_campaign import outlines
from games.grand_campaign.drawing import Drawing

Spot = tuple[float, float]
Box = tuple[float, float, float, float]

BENDS = (0.2, -0.2, 0.32, -0.32, 0.08, -0.08, 0.46, -0.46, 0.62, -0.62)
# Starts about the source's seat: how far round from straight behind it, and how much farther than need be.
ROUND = (0, 25, -25, 50, -50, 80, -80, 110, -110, 140, -140)
STARTS = tuple((turn, more) for more in (0, 8, 16, 28) for turn in ROUND)
# Ends about the seat, the seat first: it may lie under its own province's name.
ROSE = [(math.cos(a * math.pi / 4), math.sin(a * math.pi / 4)) for a in range(8)]
ENDS = ((0.0, 0.0), *((r * x, r * y) for r in (8.0, 14.0, 21.0) for x, y in ROSE))
# The simplest first: least out of the way, bent as the design bends, ending at the seat.
CHOICES = sorted(
    product(range(len(STARTS)), range(len(BENDS)), range(len(ENDS))),
    key=lambda c: (c[0] // len(ROUND) * 2 + c[0] % len(ROUND) + c[1] + (c[2] + 7) // 8 * 3, c),
)
SHAFT, HEAD, TOKEN = 2.5, 1.5, 7.5
"""How near a name, in units of the drawing, an arrow's line, its head's corners and the middle of its number may come."""


class Way(NamedTuple):
    """Where an arrow starts, the point it bends about, and where its point is."""

    start: Spot
    bend: Spot
    end: Spot

    def at(self, t: float) -> Spot:
        (ax, ay), (mx, my), (zx, zy) = self
        s = 1 - t
        return s * s * ax + 2 * s * t * mx + t * t * zx, s * s * ay + 2 * s * t * my + t * t * zy

    @property
    def head(self) -> tuple[Spot, ...]:
        """The arrowhead's corners, its point first."""
        (mx, my), (zx, zy) = self.bend, self.end
        t = math.atan2(zy - my, zx - mx)
        corners = ((1, 0.0), (15, math.pi - 0.46), (10, math.pi), (15, math.pi + 0.46))
        return tuple((zx + r * math.cos(t + o), zy + r * math.sin(t + o)) for r, o in corners)


@lru_cache(maxsize=64)
def names(drawing: Drawing) -> tuple[Box, ...]:
    """The boxes of the provinces' names as they are set on the whole map."""
    made = []
    for p in drawing.provinces.values():
        w, h = max(map(len, p.lines)) * p.size * 0.235, len(p.lines) * p.size * 0.5
        made.append((p.label[0] - w, p.label[1] - h, p.label[0] + w, p.label[1] + h))
    return tuple(made)


def within(box: Box, at: Spot, about: float = 0) -> bool:
    return box[0] - about < at[0] < box[2] + about and box[1] - about < at[1] < box[3] + about


@lru_cache(maxsize=4096)
def way(drawing: Drawing, source: str | None, target: str, taken: tuple[Spot, ...] = ()) -> Way:
    """The simplest way of an attack that covers no name; where there is none, the one that covers fewest.

    `taken` are the numbers set so far. Without a source (an insurrection) it comes from just outside the seat.
    """
    goal = drawing.provinces[target].seat.at
    start = drawing.provinces[source].seat.at if source else (goal[0] + 30.0, goal[1] - 34.0)
    d = math.dist(start, goal) or 1.0
    reach = d * 0.5 + 90
    middle = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    near = [b for b in names(drawing) if b[0] - reach < middle[0] < b[2] + reach and b[1] - reach < middle[1] < b[3] + reach]
    # The number must not seem to belong to another province's seat, nor hide its own.
    seats = [p.seat.at for p in drawing.provinces.values() if math.dist(p.seat.at, start) < 90]
    best, least = None, math.inf
    begun: dict[Spot, float] = {}
    for one in _ways(drawing, start, goal, target, bool(source)):
        a = one.start
        if a not in begun:
            begun[a] = 3 * sum(within(box, a, TOKEN) for box in near)
            begun[a] += 9 * any(math.dist(a, t) < 21 for t in taken) + 4 * any(math.dist(a, s) < 13.5 for s in seats)
        cost = begun[a]
        if cost >= least:
            continue
        points, head = [one.at(k / 40) for k in range(1, 40)], one.head
        for box in near:
            cost += 2.0 * any(within(box, p, HEAD) for p in head) + any(within(box, p, SHAFT) for p in points)
            if cost >= least:
                break
        if cost < least:
            best, least = one, cost
            if not cost:
                break
    assert best is not None
    return best


def _ways(drawing: Drawing, start: Spot, goal: Spot, target: str, sourced: bool) -> Iterator[Way]:
    """Every way there is, the simplest first; all end inside the target."""
    d = math.dist(start, goal) or 1.0
    ux, uy = (goal[0] - start[0]) / d, (goal[1] - start[1]) / d
    # Short ways start farther back, long ones beside the seat, which may be a capital's star.
    least = max(26 if drawing.laid_out else 14, int(62 - d)) if sourced else 0
    tip = (goal[0] - ux * 5, goal[1] - uy * 5)
    ends = [(tip[0] + x, tip[1] + y) for x, y in ENDS]
    inside = [k == 0 or _inside(drawing, target, spot) for k, spot in enumerate(ends)]
    starts = []
    for turn, more in STARTS if sourced else STARTS[:1]:
        # Beside the seat a short way needs no run-up.
        back = (least if abs(turn) < 60 else min(least, 22)) + more * sourced
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        starts.append((start[0] - (ux * c - uy * s) * back, start[1] - (uy * c + ux * s) * back))
    for place, bend, end in CHOICES:
        if not inside[end] or place >= len(starts):
            continue
        a = starts[place]
        z = ends[end]
        long, lean = math.dist(a, z), BENDS[bend]
        yield Way(a, ((a[0] + z[0]) / 2 - uy * long * lean, (a[1] + z[1]) / 2 + ux * long * lean), z)


@lru_cache(maxsize=1024)
def _outline(drawing: Drawing, key: str) -> tuple[tuple[Spot, ...], ...]:
    return tuple(tuple((x / 10, y / 10) for x, y in line) for line in outlines.lines(drawing.provinces[key].d))


def _inside(drawing: Drawing, key: str, at: Spot) -> bool:
    """Does the province have this point? By the even-odd rule, as its outline is painted."""
    x, y = at
    odd = False
    for line in _outline(drawing, key):
        for (xa, ya), (xb, yb) in zip(line, (*line[1:], line[0]), strict=True):
            if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
                odd = not odd
    return odd


def arrow(attack: Mapping[str, Any], drawing: Drawing, tokens: list[Spot], attributes: str) -> str:
    """One attack as it is drawn. `tokens` are the numbers set so far; this one is added."""
    found = way(drawing, attack.get("from"), attack["target"], tuple(tokens))
    a, m, z = found
    tokens.append(a)
    t = math.atan2(z[1] - m[1], z[0] - m[0])
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in found.head)
    path = f"M{a[0]:.1f} {a[1]:.1f}Q{m[0]:.1f} {m[1]:.1f} {z[0] - 9 * math.cos(t):.1f} {z[1] - 9 * math.sin(t):.1f}"
    number = escape(str(attack["number"]))
    return (
        f'<g class="arrow" {attributes} data-kind="{escape(attack["kind"])}" data-status="{escape(attack["status"])}">'
        f'<path class="arrow__halo" d="{path}"/><polygon class="arrow__halo" points="{head}"/>'
        f'<path class="arrow__shaft" d="{path}"/><polygon class="arrow__head" points="{head}"/>'
        f'<g class="arrow__no"><circle cx="{a[0]:.1f}" cy="{a[1]:.1f}" r="9.5"/>'
        f'<text x="{a[0]:.1f}" y="{a[1]:.1f}">{number}</text></g></g>'
    )
