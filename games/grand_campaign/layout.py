"""A map for a scenario that has none: provinces placed so that neighbours lie together, then drawn as land.

The same scenario gives the same map on every machine: nothing is random, and of floating point only + - * / and
the square root are used, which every processor rounds alike; what is drawn is whole tenths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from math import sqrt

from games.grand_campaign import outlines
from games.grand_campaign.drawing_parts import Facts
from games.grand_campaign.layout_land import HEIGHT, REACH, WIDTH, Land, room_for

BORDER, ROUTE, APART = 10, 19, 24
# The golden angle as cosine and sine: turns that never repeat, without a call to either.
TURN = (-0.7373688780783198, 0.6754902942615237)
PATTERNS = ("solid", "diagonal-left", "zigzag", "dots", "crosshatch", "vertical", "horizontal")
# The stylesheet's own nations keep the pattern they have in swatch and ribbon.
HOUSE = {
    "hephtalites": "diagonal-left", "huns": "zigzag", "kushans": "dots", "romans": "solid", "sassanids": "crosshatch",
    "vandals": "vertical",
}  # fmt: skip
QUARTERS = (
    ("north-west", "North-west", 0.27, 0.27), ("north-east", "North-east", 0.73, 0.27),
    ("south-west", "South-west", 0.27, 0.73), ("south-east", "South-east", 0.73, 0.73),
)  # fmt: skip
WHOLE_UP_TO = 14

Spot = tuple[float, float]
Ends = tuple[int, int]


def lay_out(known: Facts) -> dict[str, object]:
    """The document of a drawing for these facts, in the form `drawing.parse` reads."""
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
            "label": label, "lines": lines, "size": size, "seat": {"name": known.provinces[key][0], "at": seat},
        }  # fmt: skip
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
        "land": "".join(outlines.path(line[:-1], closed=True) for line in land.coast()),
    }


def _ends(a: int, b: int) -> Ends:
    return (a, b) if a < b else (b, a)


def _pair(keys: Sequence[str], ends: tuple[int, int]) -> str:
    return "|".join(sorted((keys[ends[0]], keys[ends[1]])))


def regions(height: int = HEIGHT) -> list[dict[str, object]]:
    return [
        {"key": key, "name": name, "centre": [round(WIDTH * x), round(height * y)], "zoom": 1.9} for key, name, x, y in QUARTERS
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
        out[key] = {"adjective": name, "pattern": pattern, "text": "#2e2115", "label": labels[middle]}
    return out


def _distances(n: int, borders: Iterable[Ends], routes: Iterable[Ends]) -> list[list[int]]:
    """How far each province is from each other by land and sea; what cannot be reached lies beyond all that can."""
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
    """Of several beginnings the one that ends with the fewest crossing borders, then the least strain."""
    n = len(distance)
    rounds = max(20, min(160, 260_000 // (n * n)))
    starts = [_by_pivots(distance)]
    for first in range(0, n, max(1, n // 5)):
        order = sorted(range(n), key=lambda i, at=first: (distance[at][i], i))  # type: ignore[misc]
        starts.append(_spiral(order))
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
    """Four provinces far from each other span two axes."""
    n = len(distance)
    west = max(range(n), key=lambda i: (distance[0][i], -i))
    east = max(range(n), key=lambda i: (distance[west][i], -i))
    north = max(range(n), key=lambda i: (min(distance[west][i], distance[east][i]), -i))
    south = max(range(n), key=lambda i: (distance[north][i], -i))
    nudge = _spiral(range(n))
    return [
        ((distance[west][i] - distance[east][i]) / 2 + nudge[i][0] / 20,
         (distance[north][i] - distance[south][i]) / 2 + nudge[i][1] / 20)
        for i in range(n)
    ]  # fmt: skip


def _relaxed(spots: list[Spot], distance: list[list[int]], weight: list[list[float]], rounds: int) -> list[Spot]:
    """Stress majorization: every pair pulls towards its distance, near pairs harder."""
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
            gap = sqrt((x - spots[j][0]) * (x - spots[j][0]) + (y - spots[j][1]) * (y - spots[j][1])) - d
            total += gap * gap / (d * d)
    return total


def _crossings(spots: Sequence[Spot], borders: Sequence[Ends]) -> int:
    def left(a: Spot, b: Spot, c: Spot) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    count = 0
    placed = [(a, b, spots[a], spots[b]) for a, b in borders]
    for i, (a, b, p, q) in enumerate(placed):
        for c, d, r, s in placed[:i]:
            if a not in (c, d) and b not in (c, d) and left(p, q, r) != left(p, q, s) and left(r, s, p) != left(r, s, q):
                count += 1
    return count


def _margin(n: int) -> float:
    """How far spots keep from the frame, so that land and a lane of sea fit in between."""
    return room_for(n) * REACH * 1.12 + 45


def _framed(spots: list[Spot]) -> list[Spot]:
    """Turned so that the longest way lies level, and fitted to the sheet, stretched by at most a half."""
    n = len(spots)
    mx, my = sum(x for x, _ in spots) / n, sum(y for _, y in spots) / n
    around = [(x - mx, y - my) for x, y in spots]
    xx, yy = sum(x * x for x, _ in around), sum(y * y for _, y in around)
    xy = sum(x * y for x, y in around)
    # The first eigenvector of the covariance, without an angle.
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
    return [(WIDTH / 2 + (x - (left + right) / 2) * sx, HEIGHT / 2 + (y - (top + bottom) / 2) * sy) for x, y in turned]


def _spread(spots: list[Spot], borders: Sequence[Ends]) -> list[Spot]:
    """Pushed apart until each has room, borders holding neighbours together, all inside the frame."""
    n = len(spots)
    room, margin = room_for(n), _margin(n)
    joined: list[set[int]] = [set() for _ in spots]
    for a, b in borders:
        joined[b].add(a)  # the smaller number comes first
    beyond = (room * 1.13) ** 2
    for _ in range(70):
        push = [[0.0, 0.0] for _ in spots]
        for i, (xi, yi) in enumerate(spots):
            for j, (xj, yj) in enumerate(spots[:i]):
                dx, dy = xi - xj, yi - yj
                square, touch = dx * dx + dy * dy, j in joined[i]
                if square > beyond and not touch:
                    continue  # strangers so far apart do not push
                gap = sqrt(square) or 1.0
                # Neighbours want to touch; strangers want a strait between them.
                least = room * (0.92 if touch else 1.12)
                force = (least - gap) * 0.22 if gap < least else (least - gap) * 0.05 if touch else 0.0
                for k, axis in ((i, 1), (j, -1)):
                    push[k][0] += axis * force * dx / gap
                    push[k][1] += axis * force * dy / gap
        spots = [
            (min(WIDTH - margin, max(margin, x + px)), min(HEIGHT - margin, max(margin, y + py)))
            for (x, y), (px, py) in zip(spots, push, strict=True)
        ]
    return spots
