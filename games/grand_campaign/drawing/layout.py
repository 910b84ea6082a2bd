"""A map for a scenario without a drawing: provinces placed near their neighbours and drawn as land.

The same scenario gives the same map on every machine: nothing is random, and the only operations on
floating-point numbers are + - * / and the square root, which every processor rounds in the same
way. The drawing is in whole tenths.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from math import inf, sqrt

from games.grand_campaign.drawing import parts
from games.grand_campaign.drawing import parts as drawing_parts
from games.grand_campaign.drawing.parts import Facts, Line, Point

# Land around given spots: a fine grid of hexagons shared out among provinces, with smoothed
# outlines.
#
# Provinces with a border touch; there is water between those without. A border that cannot be drawn
# gets a link.

WIDTH, HEIGHT = 1600, 964
HEXES = 4600
# The distance that land reaches from its spot, in rooms.
REACH = 0.64
SEA = -1
# Squares that differ by less than this factor may have equal roots.
CLOSE = 1.000000001

Hex = tuple[int, int]
Spot = tuple[float, float]
Ends = tuple[int, int]

# Corners of a hexagon in (half widths, quarter heights), clockwise from the top; side k is between
# corners k and k + 1.
_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_SIDES = (
    ((0, -1), (1, -1)),
    ((1, 0), (1, 0)),
    ((0, 1), (1, 1)),
    ((-1, 1), (0, 1)),
    ((-1, 0), (-1, 0)),
    ((-1, -1), (0, -1)),
)


def room_for(n: int) -> float:
    """Return the distance of neighbours if there are n provinces."""
    return sqrt(WIDTH * HEIGHT * 0.54 / n)


def _noise(q: int, r: int) -> float:
    """Return a gentle wave of -1 to 1 over the grid, for bays and capes.

    It is the same on every machine.
    """

    def knot(i: int, k: int) -> int:
        v = (i * 374761393 + k * 668265263) & 0xFFFFFFFF
        v = (v ^ (v >> 13)) * 1274126177 & 0xFFFFFFFF
        return (v ^ (v >> 16)) % 2001 - 1000

    (i, x), (k, y) = divmod(q, 5), divmod(r, 5)
    rows = [knot(i, k + s) * (5 - x) + knot(i + 1, k + s) * x for s in (0, 1)]
    return (rows[0] * (5 - y) + rows[1] * y) / 25_000


class Land:
    """The land of a layout; provinces are numbered in the order of their spots."""

    def __init__(self, spots: Sequence[Spot], borders: Sequence[Ends]) -> None:
        self.spots = spots
        self.borders = {(min(b), max(b)) for b in borders}
        count = max(HEXES, 70 * len(spots))
        # Quarter height and half width of a hexagon, in tenths.
        self.u = max(20, round(10 * sqrt(WIDTH * HEIGHT / count / 10.392)))
        self.h = round(self.u * 1.732)
        self.columns, self.rows = WIDTH * 10 // (2 * self.h) + 1, HEIGHT * 10 // (3 * self.u) + 1
        self.owner: dict[Hex, int] = {}
        self._share_out()
        self._part()
        self._keep_whole()
        self.corners = self._smoothed()

    # The grid
    def centre(self, cell: Hex) -> Point:
        q, r = cell
        return self.h * (2 * q + (r & 1)), 3 * self.u * r

    def around(self, cell: Hex) -> list[Hex]:
        """Return the six neighbours, in the order of the sides."""
        q, r = cell
        return [(q + step[r & 1][0], r + step[0][1]) for step in _SIDES]

    def cell_at(self, x: float, y: float) -> Hex:
        """Return the cell whose centre is nearest to a point in map units."""
        r = round(y * 10 / (3 * self.u))
        rows = ((round((x * 10 / self.h - (row & 1)) / 2), row) for row in (r - 1, r, r + 1))
        return min(rows, key=lambda c: (self._gap(c, (x, y)), c))

    def _gap(self, cell: Hex, spot: Spot) -> float:
        x, y = self.centre(cell)
        dx, dy = x / 10 - spot[0], y / 10 - spot[1]
        return sqrt(dx * dx + dy * dy)

    # The owners of cells
    def _share_out(self) -> None:
        """Give each cell to the nearest spot, if it is near enough or on the way to a neighbour."""
        n = len(self.spots)
        reach = room_for(n) * REACH
        joined: dict[int, list[int]] = defaultdict(list)
        for a, b in sorted(self.borders):
            joined[a].append(b)
            joined[b].append(a)
        for r in range(1, self.rows - 1):
            level = self._by_height(r)
            for q in range(1, self.columns - 1):
                cell = (q, r)
                gap, mine = self._nearest(cell, level)
                if gap <= reach * (1 + 0.11 * _noise(q, r)) or any(
                    self._off(cell, mine, other) < reach * 0.42 for other in joined[mine]
                ):
                    self.owner[cell] = mine

    def _by_height(self, r: int) -> list[tuple[float, float, int]]:
        """Return facts about each spot, those in the nearest rows first.

        They are the square of its vertical distance from this row, its horizontal place, and its
        number.
        """
        y = self.centre((0, r))[1] / 10
        return sorted(
            ((y - spot[1]) * (y - spot[1]), spot[0], i) for i, spot in enumerate(self.spots)
        )

    def _nearest(self, cell: Hex, level: Sequence[tuple[float, float, int]]) -> tuple[float, int]:
        """Return the distance and number of the nearest spot; of equally near spots the first.

        Spots that are too far above or below are skipped.
        """
        x, nearest, best = self.centre(cell)[0] / 10, inf, (inf, 0)
        for height, across, i in level:
            if height > nearest:
                break
            dx = x - across
            square = dx * dx + height
            if square <= nearest:
                nearest = square * CLOSE
                best = min(best, (sqrt(square), i))
        return best

    def _off(self, cell: Hex, a: int, b: int) -> float:
        """Return the distance of a cell from the line between two spots."""
        x, y = self.centre(cell)
        (ax, ay), (bx, by) = self.spots[a], self.spots[b]
        dx, dy, px, py = bx - ax, by - ay, x / 10 - ax, y / 10 - ay
        t = max(0.0, min(1.0, (px * dx + py * dy) / (dx * dx + dy * dy or 1.0)))
        ex, ey = px - t * dx, py - t * dy
        return sqrt(ex * ex + ey * ey)

    def _part(self) -> None:
        """Put water between provinces without a border.

        The cell that is farther from its spot gives way.
        """
        for i, spot in enumerate(self.spots):
            self.owner[self.cell_at(*spot)] = i
        for cell in sorted(self.owner):
            mine = self.owner.get(cell, SEA)
            if mine == SEA:
                continue
            for other in self.around(cell):
                theirs = self.owner.get(other, SEA)
                if theirs in (SEA, mine) or (min(mine, theirs), max(mine, theirs)) in self.borders:
                    continue
                if (self._gap(cell, self.spots[mine]), cell) > (
                    self._gap(other, self.spots[theirs]),
                    other,
                ):
                    del self.owner[cell]
                    break
                del self.owner[other]

    def _keep_whole(self) -> None:
        """Keep only cells connected with their spot, and fill puddles among neighbours."""
        kept: dict[Hex, int] = {}
        for i, spot in enumerate(self.spots):
            start = self.cell_at(*spot)
            todo, kept[start] = deque([start]), i
            while todo:
                for other in self.around(todo.popleft()):
                    if other not in kept and self.owner.get(other, SEA) == i:
                        kept[other] = i
                        todo.append(other)
        for cell in sorted({c for k in kept for c in self.around(k)} - set(kept)):
            rim = {kept.get(c, SEA) for c in self.around(cell)}
            if SEA not in rim and all((a, b) in self.borders for a in rim for b in rim if a < b):
                kept[cell] = min(rim)
        self.owner = kept

    # Outlines
    def _sides(self, cell: Hex) -> list[tuple[Point, Point, int]]:
        """Return the sides of a cell where the owner changes, with the owner beyond."""
        x, y = self.centre(cell)
        corners = [(x + cx * self.h, y + cy * self.u) for cx, cy in _CORNERS]
        mine = self.owner[cell]
        beyond = [self.owner.get(c, SEA) for c in self.around(cell)]
        return [
            (corners[k], corners[(k + 1) % 6], beyond[k]) for k in range(6) if beyond[k] != mine
        ]

    def _smoothed(self) -> dict[Point, Point]:
        """Return the drawn place of each corner, smoothed three times with its neighbours."""
        near: dict[Point, set[Point]] = defaultdict(set)
        for cell in self.owner:
            for a, b, _ in self._sides(cell):
                near[a].add(b)
                near[b].add(a)
        jog = self.u // 2
        span = 2 * jog + 1
        place = {
            (x, y): (x + (x * 31 + y * 17) % span - jog, y + (x * 13 + y * 29) % span - jog)
            for x, y in near
        }
        for _ in range(3):
            place = {
                (x, y): (
                    (place[x, y][0] * len(ps) + sum(place[o][0] for o in ps)) // (2 * len(ps)),
                    (place[x, y][1] * len(ps) + sum(place[o][1] for o in ps)) // (2 * len(ps)),
                )
                for (x, y), ps in near.items()
            }
        return place

    def rings(self, i: int) -> list[Line]:
        """Return the outline of a province; on this grid no outline meets itself."""
        after = {
            a: b for cell, mine in self.owner.items() if mine == i for a, b, _ in self._sides(cell)
        }
        out = []
        while after:
            start = at = min(after)
            ring = []
            while at in after:
                ring.append(self.corners[at])
                at = after.pop(at)
            assert at == start
            out.append(tuple(ring))
        return out

    def outline(self, i: int) -> str:
        return "".join(drawing_parts.path(ring, closed=True) for ring in self.rings(i))

    def coast(self) -> tuple[Line, ...]:
        return drawing_parts.outer({str(i): self.rings(i) for i in range(len(self.spots))})

    def touching(self) -> dict[Ends, int]:
        """Return the number of sides that each two provinces share."""
        out: dict[Ends, int] = defaultdict(int)
        for cell, mine in self.owner.items():
            for _, _, theirs in self._sides(cell):
                if theirs > mine:
                    out[mine, theirs] += 1
        return out

    # Names, ports and ways
    def set_name(self, i: int, name: str) -> tuple[list[float], list[float], list[str], float]:
        """Return the places of a province's name and seat, and the lines and size of the name.

        The name is in the widest part, as large as fits.
        """
        mine = {cell for cell, owner in self.owner.items() if owner == i}
        depth = {cell: 1 for cell in mine if any(c not in mine for c in self.around(cell))}
        todo = deque(sorted(depth))
        while todo:
            cell = todo.popleft()
            for other in self.around(cell):
                if other in mine and other not in depth:
                    depth[other] = depth[cell] + 1
                    todo.append(other)
        middle = min(mine, key=lambda c: (-depth[c], self._gap(c, self.spots[i]), c))
        wide = depth[middle] * self.h * 0.2 * 1.65
        lines = broken(name)
        size = max(11.0, min(30.0, round(wide / max(map(len, lines)) / 0.5 * 2) / 2))
        x, y = (v / 10 for v in self.centre(middle))
        above = self.cell_at(x, y - len(lines) * size * 0.5 - 14)
        seat = (
            above
            if self.owner.get(above) == i
            else self.cell_at(x, y + len(lines) * size * 0.5 + 14)
        )
        if self.owner.get(seat) != i:
            seat = middle
        return [x, y], [v / 10 for v in self.centre(seat)], lines, size

    def _waters(self) -> set[Hex]:
        """Return the cells that ships may cross: neither land nor the edge under the frame."""
        cells = ((q, r) for q in range(1, self.columns - 1) for r in range(1, self.rows - 1))
        return {cell for cell in cells if cell not in self.owner}

    def ports(self, maritime: Collection[int], routes: Sequence[Ends]) -> dict[int, list[float]]:
        """Return the ports: water by the coast, towards the ends of a province's routes.

        A province without a coast has its port at its spot.
        """
        goals: dict[int, list[Spot]] = defaultdict(list)
        for a, b in routes:
            goals[a].append(self.spots[b])
            goals[b].append(self.spots[a])
        water = self._open()
        coasts: dict[int, set[Hex]] = defaultdict(set)
        for cell, owner in self.owner.items():
            coasts[owner].update(c for c in self.around(cell) if c in water)
        out = {}
        for i in sorted(maritime):
            ends = goals[i] or [(self.spots[i][0], HEIGHT)]

            def cost(
                cell: Hex, ends: list[Spot] = ends, spot: Spot = self.spots[i]
            ) -> tuple[float, Hex]:
                return (
                    sum(self._gap(cell, end) for end in ends) / len(ends)
                    + self._gap(cell, spot) * 0.4,
                    cell,
                )

            place = (
                self.centre(min(coasts[i], key=cost))
                if coasts[i]
                else self.centre(self.cell_at(*self.spots[i]))
            )
            out[i] = [v / 10 for v in place]
        return out

    def _open(self) -> set[Hex]:
        """Return the sea that reaches the edge of the sheet."""
        waters = self._waters()
        seen = {(1, 1)}
        todo = deque(seen)
        while todo:
            for other in self.around(todo.popleft()):
                if other in waters and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def route(self, a: Sequence[float], b: Sequence[float]) -> str:
        """Return the shortest way over water, away from the coast if there is room.

        It is a straight line if there is no way.
        """
        start, goal = self.cell_at(*a), self.cell_at(*b)
        waters = self._waters()
        best, before, heap = {start: 0}, {start: start}, [(0, start)]
        while heap:
            d, at = heappop(heap)
            if at == goal:
                break
            if d > best[at]:
                continue
            for other in self.around(at):
                if other in waters:
                    cost = d + 10 + 5 * sum(c in self.owner for c in self.around(other))
                    if cost < best.get(other, 1 << 60):
                        best[other], before[other] = cost, at
                        heappush(heap, (cost, other))
        way = [goal]
        while way[-1] != start and way[-1] in before:
            way.append(before[way[-1]])
        if way[-1] != start:
            way = [goal, start]
        return drawing_parts.path([self.centre(c) for c in self._pulled(way[::-1])])

    def _pulled(self, way: list[Hex]) -> list[Hex]:
        """Return the way without unnecessary corners."""
        out, at = [way[0]], 0
        while at < len(way) - 1:
            ahead = next(
                (k for k in range(len(way) - 1, at + 1, -1) if self._clear(way[at], way[k])), at + 1
            )
            out.append(way[ahead])
            at = ahead
        return out

    def _clear(self, a: Hex, b: Hex) -> bool:
        (ax, ay), (bx, by) = self.centre(a), self.centre(b)
        steps = max(abs(bx - ax), abs(by - ay)) // self.u + 1
        points = (
            ((ax + (bx - ax) * k / steps) / 10, (ay + (by - ay) * k / steps) / 10)
            for k in range(steps + 1)
        )
        return not any(self.cell_at(x, y) in self.owner for x, y in points)

    def link(self, a: int, b: int) -> str:
        """Return a causeway from coast to coast, for a border that could not be drawn."""
        (ax, ay), (bx, by) = self.spots[a], self.spots[b]
        line = [(ax + (bx - ax) * k / 60, ay + (by - ay) * k / 60) for k in range(61)]
        whose = [self.owner.get(self.cell_at(*p)) for p in line]
        first = max(k for k in range(61) if whose[k] == a)
        last = min(k for k in range(61) if whose[k] == b)
        first, last = (max(0, first - 1), min(60, last + 1)) if first < last else (0, 60)
        return drawing_parts.path(
            [(round(x * 10), round(y * 10)) for x, y in (line[first], line[last])]
        )


def broken(name: str) -> list[str]:
    """Return a name in at most three lines, broken at spaces if it is long."""
    if len(name) <= 10:
        return [name]
    parts = 2 if len(name) <= 24 else 3
    out, width = [""], -(-len(name) // parts)
    for word in name.split():
        if out[-1] and len(out[-1]) + len(word) > width and len(out) < 3:
            out.append("")
        out[-1] = f"{out[-1]} {word}".strip()
    return [line for line in out if line] or [name]


BORDER, ROUTE, APART = 10, 19, 24
# The golden angle as cosine and sine gives turns that never repeat, without calls of either.
TURN = (-0.7373688780783198, 0.6754902942615237)
PATTERNS = ("solid", "diagonal-left", "zigzag", "dots", "crosshatch", "vertical", "horizontal")
# The nations of the stylesheet keep their patterns in swatch and ribbon.
HOUSE = {
    "hephtalites": "diagonal-left",
    "huns": "zigzag",
    "kushans": "dots",
    "romans": "solid",
    "sassanids": "crosshatch",
    "vandals": "vertical",
}
QUARTERS = (
    ("north-west", "North-west", 0.27, 0.27),
    ("north-east", "North-east", 0.73, 0.27),
    ("south-west", "South-west", 0.27, 0.73),
    ("south-east", "South-east", 0.73, 0.73),
)
WHOLE_UP_TO = 14


def lay_out(known: Facts) -> dict[str, object]:
    """Return the document of a drawing for these facts, in the form that `drawing.parse` reads."""
    keys = list(known.provinces)
    index = {key: i for i, key in enumerate(keys)}
    borders = sorted(_ends(index[a], index[b]) for a, b in known.borders)
    routes = sorted(_ends(index[a], index[b]) for a, b in known.routes)
    spots = _spread(_framed(_best(_distances(len(keys), borders, routes), borders)), borders)
    land = Land(spots, borders)
    maritime = {index[key] for key in known.maritime}
    ports = land.ports(maritime, routes)
    names = {i: land.set_name(i, known.provinces[key][0]) for i, key in enumerate(keys)}
    provinces: dict[str, object] = {}
    for i, key in enumerate(keys):
        label, seat, lines, size = names[i]
        row: dict[str, object] = {
            "label": label,
            "lines": lines,
            "size": size,
            "seat": {"name": known.provinces[key][0], "at": seat},
        }
        if i in maritime:
            row["port"] = {"name": known.provinces[key][0], "at": ports[i]}
        provinces[key] = {**row, "d": land.outline(i)}
    touching = land.touching()
    return {
        "scenario": known.key,
        "viewBox": [0, 0, WIDTH, HEIGHT],
        "nations": _nations(known, {key: names[i][0] for key, i in index.items()}),
        "aliases": {army: [army] for army in sorted(known.armies)},
        "regions": regions() if len(keys) > WHOLE_UP_TO else [],
        "provinces": provinces,
        "sea_routes": {_pair(keys, r): land.route(ports[r[0]], ports[r[1]]) for r in routes},
        "straits": {},
        "links": {_pair(keys, b): land.link(*b) for b in borders if touching.get(b, 0) < 2},
        "sea_names": [],
        "land_names": [],
        "rivers": [],
        "lakes": "",
        "wasteland": "",
        "land": "".join(parts.path(line[:-1], closed=True) for line in land.coast()),
    }


def _ends(a: int, b: int) -> Ends:
    return (a, b) if a < b else (b, a)


def _pair(keys: Sequence[str], ends: tuple[int, int]) -> str:
    return "|".join(sorted((keys[ends[0]], keys[ends[1]])))


def regions(height: int = HEIGHT) -> list[dict[str, object]]:
    return [
        {"key": key, "name": name, "centre": [round(WIDTH * x), round(height * y)], "zoom": 1.9}
        for key, name, x, y in QUARTERS
    ]


def _nations(known: Facts, labels: dict[str, list[float]]) -> dict[str, object]:
    out: dict[str, object] = {}
    taken = {HOUSE[key] for key in known.nations if key in HOUSE}
    free = [p for p in PATTERNS if p not in taken] or list(PATTERNS)
    for i, (key, (name, capital)) in enumerate(known.nations.items()):
        own = [p for p, (_, _, owner) in known.provinces.items() if owner == key] or [capital]
        x, y = (sum(labels[p][axis] for p in own) / len(own) for axis in (0, 1))
        middle = min(own, key=lambda p: ((labels[p][0] - x) ** 2 + (labels[p][1] - y) ** 2, p))
        pattern = HOUSE.get(key) or free[i % len(free)]
        out[key] = {
            "adjective": name,
            "pattern": pattern,
            "text": "#2e2115",
            "label": labels[middle],
        }
    return out


def _distances(n: int, borders: Iterable[Ends], routes: Iterable[Ends]) -> list[list[int]]:
    """Return the distances of all provinces from each other by land and sea.

    Provinces that cannot be reached are farther away than all that can.
    """
    near: list[dict[int, int]] = [{} for _ in range(n)]
    for pairs, cost in ((routes, ROUTE), (borders, BORDER)):
        for a, b in pairs:
            near[a][b] = near[b][a] = cost
    far = -1
    table = [[far] * n for _ in range(n)]
    for start in range(n):
        row, heap = table[start], [(0, start)]
        while heap:
            d, at = heappop(heap)
            if row[at] != far:
                continue
            row[at] = d
            for other, cost in near[at].items():
                if row[other] == far:
                    heappush(heap, (d + cost, other))
    beyond = max(map(max, table)) + APART
    return [[beyond if d == far else d for d in row] for row in table]


def _best(distance: list[list[int]], borders: Sequence[Ends]) -> list[Spot]:
    """Return the best result of several beginnings.

    It has the fewest crossing borders, then the least strain.
    """
    n = len(distance)
    rounds = max(20, min(160, 260_000 // (n * n)))
    starts = [_by_pivots(distance)]
    for first in range(0, n, max(1, n // 5)):
        order = sorted(zip(distance[first], range(n), strict=True))
        starts.append(_spiral([i for _distance, i in order]))
    ended = []
    weight = [[1 / (d * d) if d else 0.0 for d in row] for row in distance]
    for i, start in enumerate(starts):
        spots = _relaxed(start, distance, weight, rounds)
        ended.append((_crossings(spots, borders), _strain(spots, distance), i, spots))
    return min(ended)[3]


def _spiral(order: Sequence[int]) -> list[Spot]:
    spots = [(0.0, 0.0)] * len(order)
    x, y = 1.0, 0.0
    for i, key in enumerate(order):
        r = 9 * sqrt(i)
        spots[key] = (x * r, y * r)
        x, y = x * TURN[0] - y * TURN[1], x * TURN[1] + y * TURN[0]
    return spots


def _by_pivots(distance: list[list[int]]) -> list[Spot]:
    """Return spots on two axes that four provinces far from each other span."""
    n = len(distance)
    west = max(range(n), key=lambda i: (distance[0][i], -i))
    east = max(range(n), key=lambda i: (distance[west][i], -i))
    north = max(range(n), key=lambda i: (min(distance[west][i], distance[east][i]), -i))
    south = max(range(n), key=lambda i: (distance[north][i], -i))
    nudge = _spiral(range(n))
    return [
        (
            (distance[west][i] - distance[east][i]) / 2 + nudge[i][0] / 20,
            (distance[north][i] - distance[south][i]) / 2 + nudge[i][1] / 20,
        )
        for i in range(n)
    ]


def _relaxed(
    spots: list[Spot], distance: list[list[int]], weight: list[list[float]], rounds: int
) -> list[Spot]:
    """Return the spots after stress majorization.

    Every pair pulls towards its distance, near pairs harder.
    """
    total = [sum(row) or 1.0 for row in weight]
    for _ in range(rounds):
        moved = []
        for (xi, yi), lengths, weights, whole in zip(spots, distance, weight, total, strict=True):
            x = y = 0.0
            for (xj, yj), length, w in zip(spots, lengths, weights, strict=True):
                if w:
                    dx, dy = xi - xj, yi - yj
                    pull = length / (sqrt(dx * dx + dy * dy) or 1.0)
                    x += w * (xj + dx * pull)
                    y += w * (yj + dy * pull)
            moved.append((x / whole, y / whole))
        spots = moved
    return spots


def _strain(spots: Sequence[Spot], distance: list[list[int]]) -> float:
    total = 0.0
    for i, (x, y) in enumerate(spots):
        for j in range(i):
            d = distance[i][j]
            gap = (
                sqrt((x - spots[j][0]) * (x - spots[j][0]) + (y - spots[j][1]) * (y - spots[j][1]))
                - d
            )
            total += gap * gap / (d * d)
    return total


def _crossings(spots: Sequence[Spot], borders: Sequence[Ends]) -> int:
    def left(a: Spot, b: Spot, c: Spot) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    count = 0
    placed = [(a, b, spots[a], spots[b]) for a, b in borders]
    for i, (a, b, p, q) in enumerate(placed):
        for c, d, r, s in placed[:i]:
            if (
                a not in (c, d)
                and b not in (c, d)
                and left(p, q, r) != left(p, q, s)
                and left(r, s, p) != left(r, s, q)
            ):
                count += 1
    return count


def _margin(n: int) -> float:
    """Return the distance of spots from the frame, with room for land and a lane of sea."""
    return room_for(n) * REACH * 1.12 + 45


def _framed(spots: list[Spot]) -> list[Spot]:
    """Return the spots turned so that the longest axis is level, and fitted to the sheet.

    They are stretched by at most a half.
    """
    n = len(spots)
    mx, my = sum(x for x, _ in spots) / n, sum(y for _, y in spots) / n
    around = [(x - mx, y - my) for x, y in spots]
    xx, yy = sum(x * x for x, _ in around), sum(y * y for _, y in around)
    xy = sum(x * y for x, y in around)
    # The first eigenvector of the covariance, computed without an angle.
    large = (xx + yy) / 2 + sqrt((xx - yy) * (xx - yy) / 4 + xy * xy)
    ux, uy = (large - yy, xy) if xx >= yy else (xy, large - xx)
    size = sqrt(ux * ux + uy * uy)
    ux, uy = (ux / size, uy / size) if size > 1e-9 else (1.0, 0.0)
    turned = [(x * ux + y * uy, y * ux - x * uy) for x, y in around]
    left, right = min(x for x, _ in turned), max(x for x, _ in turned)
    top, bottom = min(y for _, y in turned), max(y for _, y in turned)
    margin = _margin(n)
    sx = (WIDTH - 2 * margin) / ((right - left) or 1.0)
    sy = (HEIGHT - 2 * margin) / ((bottom - top) or 1.0)
    sx, sy = min(sx, sy * 1.5), min(sy, sx * 1.5)
    return [
        (WIDTH / 2 + (x - (left + right) / 2) * sx, HEIGHT / 2 + (y - (top + bottom) / 2) * sy)
        for x, y in turned
    ]


def _spread(spots: list[Spot], borders: Sequence[Ends]) -> list[Spot]:
    """Return the spots pushed apart until each has room, inside the frame.

    Borders hold neighbours together.
    """
    n = len(spots)
    room, margin = room_for(n), _margin(n)
    joined: list[set[int]] = [set() for _ in spots]
    for a, b in borders:
        joined[b].add(a)  # The smaller number comes first.
    beyond = (room * 1.13) ** 2
    for _ in range(70):
        push = [[0.0, 0.0] for _ in spots]
        for i, (xi, yi) in enumerate(spots):
            for j, (xj, yj) in enumerate(spots[:i]):
                dx, dy = xi - xj, yi - yj
                square, touch = dx * dx + dy * dy, j in joined[i]
                if square > beyond and not touch:
                    # Provinces without a border that are so far apart do not push each other.
                    continue
                gap = sqrt(square) or 1.0
                # Neighbours are to touch; provinces without a border are to have a strait between
                # them.
                least = room * (0.92 if touch else 1.12)
                force = (
                    (least - gap) * 0.22 if gap < least else (least - gap) * 0.05 if touch else 0.0
                )
                for k, axis in ((i, 1), (j, -1)):
                    push[k][0] += axis * force * dx / gap
                    push[k][1] += axis * force * dy / gap
        spots = [
            (min(WIDTH - margin, max(margin, x + px)), min(HEIGHT - margin, max(margin, y + py)))
            for (x, y), (px, py) in zip(spots, push, strict=True)
        ]
    return spots
