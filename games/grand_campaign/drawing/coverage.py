"""Provinces from shapes: neighbours brought to one line, gaps and overlaps found, a scenario with
its drawing made of them.

Lengths are tenths of map units, of a sheet 1,600 wide, and whole where they are kept; only what is
told is in map units.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from math import ceil, dist
from time import process_time
from typing import Any, NamedTuple

import shapely
from shapely import Geometry, LineString, MultiPolygon, Point, Polygon, STRtree
from shapely.ops import polygonize

from games.grand_campaign.drawing import own, parts
from games.grand_campaign.drawing.drawing import BORDER_LENGTH
from games.grand_campaign.drawing.parts import Line, Pair, Spot
from games.grand_campaign.drawing.shapes import MOST, SECONDS, Outline, Shapes, key_of
from games.grand_campaign.rules.numbers import Fault

WIDTH = own.WIDTH * 10
MARGIN = 0.04
TOLERANCE = 30
"""Points of neighbours that lie no farther apart become one."""
NEAR = 120
"""Shapes that run side by side no farther apart without touching are told."""
LARGEST_HOLE = 800
"""What is larger is a sea or a lake, and is not told."""
GRAIN = 5
"""Points of one shape that lie closer together are one."""
SPECK = 400
"""Square tenths: smaller parts are dropped, smaller holes filled."""
CROSSED = 300_000
"""Lines that cross each other more often than this, as estimated, are not worked at."""
MOST_KEPT = 15_000
"""Points of all outlines that are kept: what has more is drawn more simply."""
TURNS = 6

Areas = dict[str, MultiPolygon]


class Trouble(NamedTuple):
    """A gap or an overlap: the shapes by name, where its middle is and how wide and high it is, in
    map units. A gap is `open` (two shapes run side by side and do not touch) or a `hole` (land all
    around, a lake perhaps).
    """

    kind: str
    names: tuple[str, ...]
    x: float
    y: float
    wide: float
    high: float


class Words(NamedTuple):
    """What a scenario that is begun says where nobody has said anything yet."""

    nations: tuple[str, str] = ("First nation", "Second nation")
    army: str = "Army to be chosen"


class Laid(NamedTuple):
    """Shapes as provinces, by name: their areas, how high the sheet is in map units, who borders on
    whom, what is told; the names of those of which nothing is left, for others cover them or they
    are too small.
    """

    areas: Areas
    height: int
    borders: tuple[Pair, ...]
    troubles: tuple[Trouble, ...] = ()
    covered: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """The outline of a province as a drawing has it."""
        return "".join(parts.path(ring, closed=True) for ring in rings_of(self.areas[name]))


def rings_of(area: MultiPolygon) -> list[Line]:
    """The rings of an area, islands and lakes, the largest first."""
    rings = []
    for one in sorted(area.geoms, key=lambda part: -part.area):
        for ring in (one.exterior, *one.interiors):
            rings.append(_without_twins([(round(x), round(y)) for x, y in ring.coords[:-1]]))
    return [ring for ring in rings if len(set(ring)) > 2]


def _without_twins(ring: Sequence[tuple[int, int]]) -> Line:
    return tuple(point for n, point in enumerate(ring) if point != ring[n - 1])


def neighbours(outlines: Mapping[str, Iterable[Line]]) -> tuple[Pair, ...]:
    """Who shares a line with whom, and more of it than a corner, in alphabetical order."""
    touching = parts.contacts(outlines)
    return tuple(
        pair for pair, lines in touching.items() if sum(map(parts.length, lines)) >= BORDER_LENGTH
    )


def lay(shapes: Shapes, names: Sequence[str] | None = None, seconds: float = SECONDS) -> Laid:
    """Return the shapes of a file as provinces of one sheet.

    `names` has a name for each shape; an empty name leaves a shape out, and shapes of one name
    become one province. Raises `Fault`; `as_bundle` does for what is covered.
    """
    if shapes.faults:
        raise shapes.faults[0]
    in_time = partial(_in_time, process_time() + seconds)
    rings, height = _rings_by_name(shapes, names)
    names_now, drawn = list(rings), list(rings.values())
    areas, troubles = _shared_out(_areas(drawn, in_time), names_now, in_time)
    areas = _simple(areas)
    in_time()
    by_name = {name: area for name, area in zip(names_now, areas, strict=True) if not area.is_empty}
    if len(by_name) < 2:
        raise Fault("file", "too-few-shapes")
    borders = neighbours({name: rings_of(area) for name, area in by_name.items()})
    troubles += _gaps(by_name, set(borders))
    shown = tuple(
        sorted(troubles, key=lambda trouble: (trouble.kind, -trouble.wide * trouble.high))
    )
    lost = tuple(name for name in names_now if name not in by_name)
    return Laid(by_name, height, borders, shown, lost)


def _rings_by_name(
    shapes: Shapes, names: Sequence[str] | None
) -> tuple[dict[str, list[Line]], int]:
    """Return the rings of each province on the sheet, and the height of the sheet."""
    given = [outline.name for outline in shapes.outlines] if names is None else list(names)
    kept = [(name, outline) for name, outline in zip(given, shapes.outlines, strict=True) if name]
    number = len({name for name, _outline in kept})
    if number < 2:
        raise Fault("file", "too-few-shapes")
    if number > MOST:
        raise Fault("file", "too-many-shapes", most=MOST)
    placed, height = _placed([outline for _name, outline in kept])
    rings: dict[str, list[Line]] = defaultdict(list)
    for (name, _outline), lines in zip(kept, placed, strict=True):
        rings[name] += lines
    return rings, height


def _areas(drawn: list[list[Line]], in_time: Callable[[], None]) -> list[MultiPolygon]:
    """Return what the rings hold; rings that do not meet exactly are moved onto each other."""
    _not_tangled(drawn)
    areas = [_evenly(lines) for lines in drawn]
    if not _clean(areas):
        areas = [_evenly(lines) for lines in _snapped(drawn, in_time)]
    in_time()
    return areas


def _in_time(end: float) -> None:
    if process_time() > end:
        raise Fault("file", "file-slow")


def _placed(outlines: Sequence[Outline]) -> tuple[list[list[Line]], int]:
    """The rings of each in whole tenths of a sheet, with water around; and how high the sheet is,
    in map units.
    """
    xs, ys = zip(*(spot for one in outlines for ring in one.rings for spot in ring), strict=True)
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    if not wide or not high:
        raise Fault("file", "file-flat")
    pad = MARGIN * max(wide, high)
    least, most = own.RATIO
    whole_wide = max(wide + 2 * pad, (high + 2 * pad) * least * 1.01)
    whole_high = max(high + 2 * pad, whole_wide / most * 1.01)
    scale = WIDTH / whole_wide
    dx, dy = (whole_wide - wide) / 2 - left, (whole_high - high) / 2 - top
    placed = []
    for one in outlines:
        lines = []
        for ring in one.rings:
            line = _without_twins(
                [(round((x + dx) * scale), round((y + dy) * scale)) for x, y in ring]
            )
            if len(set(line)) > 2:
                lines.append(line)
        placed.append(lines)
    total = sum(parts.length((*line, line[0])) for lines in placed for line in lines)
    if total > own.LONGEST_OUTLINES / 2:
        raise Fault("file", "outlines-too-long")
    return placed, ceil(whole_high * scale / 10)


def _polygons(shape: Geometry) -> list[Polygon]:
    every = shapely.get_parts(
        shapely.get_parts(shape)
    )  # a collection may hold several that are of several parts
    return [one for one in every if isinstance(one, Polygon) and one.area >= 1]


def _evenly(rings: Iterable[Line]) -> MultiPolygon:
    """What rings hold by the even-odd rule: a ring within another is a hole, one within that an
    island.
    """
    whole: Geometry = MultiPolygon()
    for ring in sorted(rings, key=lambda line: -abs(Polygon(line).area) if len(line) > 2 else 0):
        if len(set(ring)) > 2:
            whole = whole.symmetric_difference(
                MultiPolygon(_polygons(shapely.make_valid(Polygon(ring))))
            )
    return MultiPolygon(_polygons(whole))


def _clean(areas: Sequence[MultiPolygon]) -> bool:
    """Do neighbours share their lines point by point already?"""
    return bool(shapely.coverage_is_valid(areas, gap_width=TOLERANCE))


def _segments(drawn: Iterable[Iterable[Line]]) -> list[LineString]:
    return [
        LineString(two) for lines in drawn for line in lines for two in pairwise((*line, line[0]))
    ]


def _not_tangled(drawn: Sequence[Sequence[Line]]) -> None:
    """Raises `Fault` where lines cross each other so often that cutting them would never end: a
    scribble, hatching.
    """
    segments = _segments(drawn)
    some = segments[:: max(1, len(segments) // 400)]
    crossings = len(STRtree(segments).query(some, predicate="intersects")[0])
    if crossings / len(some) * len(segments) / 2 > CROSSED:
        raise Fault("file", "file-tangled")


# Snapping. ----------------------------------------------------------------------------------------


def _snapped(drawn: Sequence[Sequence[Line]], in_time: Any) -> list[list[Line]]:
    """The rings with the points of neighbours brought together, and each line led through the
    points that lie on it.
    """
    points: dict[tuple[int, int], set[int]] = {}
    cells: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)

    def nearest(point: tuple[int, int], shape: int) -> tuple[int, int]:
        if point in points:
            return point
        column, row = point[0] // TOLERANCE, point[1] // TOLERANCE
        best, least = None, TOLERANCE + 0.5
        for i in (-1, 0, 1):
            for k in (-1, 0, 1):
                for other in cells.get((column + i, row + k), ()):
                    far = dist(point, other)
                    if far < least and (far <= GRAIN or points[other] != {shape}):
                        best, least = other, far
        if best is None:
            cells[column, row].append(point)
            points[point] = set()
            return point
        return best

    moved: list[list[Line]] = []
    for shape, lines in enumerate(drawn):
        in_time()
        mine: list[Line] = []
        for line in lines:
            new = []
            for point in line:
                new.append(nearest(point, shape))
                points[new[-1]].add(shape)
            mine.append(_without_twins(new))
        moved.append(mine)
    return _led_through(moved, points, in_time)


def _led_through(
    drawn: list[list[Line]], points: Mapping[tuple[int, int], set[int]], in_time: Any
) -> list[list[Line]]:
    spots = list(points)
    tree = STRtree([Point(spot) for spot in spots])
    out = []
    for shape, lines in enumerate(drawn):
        in_time()
        mine = []
        for line in lines:
            if len(set(line)) < 3:
                continue
            edges = list(pairwise((*line, line[0])))
            near: dict[int, list[tuple[float, tuple[int, int]]]] = defaultdict(list)
            found_edges, found_spots = tree.query(
                [LineString(edge) for edge in edges], predicate="dwithin", distance=TOLERANCE
            )
            for n, at in zip(found_edges.tolist(), found_spots.tolist(), strict=True):
                spot, (a, b) = spots[at], edges[n]
                if points[spot] == {shape}:
                    continue
                along = ((spot[0] - a[0]) * (b[0] - a[0]) + (spot[1] - a[1]) * (b[1] - a[1])) / (
                    dist(a, b) ** 2
                )
                if 0 < along < 1 and spot not in (a, b):
                    near[n].append((along, spot))
            new: list[tuple[int, int]] = []
            for n, (a, _b) in enumerate(edges):
                new += [a, *(spot for _along, spot in sorted(near[n]))]
            mine.append(_without_twins(new))
        out.append(mine)
    return out


# Who has which land. ------------------------------------------------------------------------------


def _shared_out(
    areas: Sequence[MultiPolygon], names: Sequence[str], in_time: Callable[[], None]
) -> tuple[list[MultiPolygon], list[Trouble]]:
    """Give each piece of land to one shape.

    Of shapes that lie over one another the smallest has it. A narrow gap goes to the neighbour with
    the longest side along it.
    """
    lines = shapely.unary_union([area.boundary for area in areas], grid_size=1.0)
    in_time()
    faces = list(polygonize(shapely.get_parts(lines)))
    whose, over = _owners(areas, faces, in_time)
    _give_gaps(faces, whose)
    of_shape: dict[int, list[Polygon]] = defaultdict(list)
    for n, owner in whose.items():
        of_shape[owner].append(faces[n])
    whole = [MultiPolygon(_polygons(shapely.unary_union(of_shape[n]))) for n in range(len(areas))]
    return _without_specks(whole), _overlaps(over, names)


Overlaps = Mapping[tuple[int, ...], list[Polygon]]
"""The pieces over which several shapes lie."""


def _owners(
    areas: Sequence[MultiPolygon], faces: Sequence[Polygon], in_time: Callable[[], None]
) -> tuple[dict[int, int], Overlaps]:
    """Return the shape that has each piece, and the pieces over which several shapes lie."""
    tree = STRtree(areas)
    whose: dict[int, int] = {}
    over: dict[tuple[int, ...], list[Polygon]] = defaultdict(list)
    for n, face in enumerate(faces):
        if n % 500 == 0:
            in_time()
        under = tree.query(face.representative_point(), predicate="intersects")
        owners = sorted(int(owner) for owner in under)
        if owners:
            whose[n] = min(owners, key=lambda owner: (areas[owner].area, owner))
        if len(owners) > 1:
            over[tuple(owners)].append(face)
    return whose, over


def _give_gaps(faces: Sequence[Polygon], whose: dict[int, int]) -> None:
    """Give each narrow gap to the neighbour with the longest side along it."""
    beside = STRtree(faces)
    for n, face in enumerate(faces):
        if n in whose:
            continue
        if face.area >= SPECK and not face.buffer(-TOLERANCE / 2).is_empty:
            continue  # a lake, or another part of the sheet
        sides: dict[int, float] = defaultdict(float)
        for other in map(int, beside.query(face)):
            if other != n and whose.get(other, -1) >= 0:
                sides[whose[other]] += face.boundary.intersection(faces[other].boundary).length
        if any(sides.values()):
            whose[n] = max(sorted(sides), key=sides.__getitem__)


def _overlaps(over: Overlaps, names: Sequence[str]) -> list[Trouble]:
    """Return the overlaps that are wide enough to be seen."""
    return [
        _trouble("overlap", [names[owner] for owner in owners], piece)
        for owners, pieces in over.items()
        for piece in _polygons(shapely.unary_union(pieces))
        if not piece.buffer(-TOLERANCE / 2).is_empty
    ]


def _without_specks(areas: list[MultiPolygon]) -> list[MultiPolygon]:
    """Without tiny parts: the neighbour has them, if there is one."""
    kept, specks = [], []
    for n, area in enumerate(areas):
        largest = max((one.area for one in area.geoms), default=0)
        kept.append(
            MultiPolygon([one for one in area.geoms if one.area >= SPECK or one.area == largest])
        )
        specks += [(n, one) for one in area.geoms if one.area < SPECK and one.area != largest]
    for whose, speck in specks:
        sides = [
            (speck.boundary.intersection(kept[n].boundary).length, -n)
            for n in range(len(kept))
            if n != whose
        ]
        length, n = max(sides, default=(0, 0))
        if length:
            kept[-n] = MultiPolygon(_polygons(kept[-n].union(speck)))
    return kept


def _simple(areas: list[MultiPolygon]) -> list[MultiPolygon]:
    """With fewer points, shared lines staying shared, where there are more than are kept."""
    grain = float(GRAIN)
    while sum(map(shapely.get_num_coordinates, areas)) > MOST_KEPT and grain < 500:
        areas = [MultiPolygon(_polygons(one)) for one in shapely.coverage_simplify(areas, grain)]
        grain *= 2
    return areas


def _trouble(kind: str, names: Iterable[str], piece: Geometry) -> Trouble:
    left, top, right, bottom = piece.bounds
    middle = piece.representative_point()
    tenths = (round(value / 10, 1) for value in (middle.x, middle.y, right - left, bottom - top))
    return Trouble(kind, tuple(sorted(names)), *tenths)


def _gaps(areas: Areas, borders: set[Pair]) -> list[Trouble]:
    names, shapes = list(areas), list(areas.values())
    tree = STRtree(shapes)
    whole = shapely.unary_union(shapes)
    troubles = []
    for one in _polygons(whole):
        for ring in one.interiors:
            hole = Polygon(ring)
            if max(hole.bounds[2] - hole.bounds[0], hole.bounds[3] - hole.bounds[1]) > LARGEST_HOLE:
                continue
            troubles.append(
                _trouble(
                    "hole", [names[int(n)] for n in tree.query(hole, predicate="touches")], hole
                )
            )
    holes = shapely.unary_union(
        [Polygon(ring) for one in _polygons(whole) for ring in one.interiors]
    )
    between = (
        whole.buffer(NEAR / 2, quad_segs=2)
        .buffer(-NEAR / 2, quad_segs=2)
        .difference(whole)
        .difference(holes)
    )
    for piece in _polygons(between):
        if piece.area < SPECK * 5:
            continue
        around = piece.buffer(2)
        sides = {
            names[int(n)]: around.intersection(shapes[int(n)].boundary).length
            for n in tree.query(around, "intersects")
        }
        beside = sorted(name for name, length in sides.items() if length >= NEAR)
        if any(pair not in borders for pair in combinations(beside, 2)):
            troubles.append(_trouble("open", beside, piece))
    return troubles


# Scenarios ----------------------------------------------------------------------------------------


def as_bundle(laid: Laid, title: str, words: Words | None = None) -> dict[str, Any]:
    """A scenario of independent provinces, with two nations for a beginning, each with a home far
    from the other's; its borders where provinces touch, a sea route to whatever no land leads to;
    its drawing.
    """
    for name in laid.covered:
        raise Fault(f"shapes ({name})", "shape-covered")
    words = words or Words()
    keys: dict[str, str] = {}
    for name in laid.areas:
        keys[name] = key_of(name, keys.values())
    routes = _routes(laid)
    homes = _homes(laid.areas)
    nations = []
    for name, home, (key, colour, culture) in zip(words.nations, homes, PLACED, strict=True):
        nations.append(
            {
                "key": key,
                "name": name,
                "culture": culture,
                "army": words.army,
                "capital": keys[home],
                "colour": colour,
                "escort": False,
            }
        )
    owner = dict(zip(homes, (row["key"] for row in nations), strict=True))
    scenario = {
        "key": key_of(title, ()),
        "name": title,
        "turns": TURNS,
        "nations": nations,
        "provinces": [
            {
                "key": keys[name],
                "name": name,
                "kind": "nation" if name in owner else "independent",
                "owner": owner.get(name),
                "army": words.army,
            }
            for name in laid.areas
        ],
        "borders": sorted(sorted((keys[a], keys[b])) for a, b in laid.borders),
        "sea_routes": sorted(sorted((keys[a], keys[b])) for a, b in routes),
    }
    drawing = {
        "viewBox": f"0 0 {own.WIDTH} {laid.height}",
        "provinces": {keys[name]: {"d": laid.path(name)} for name in laid.areas},
    }
    return {"scenario": scenario, "drawing": drawing}


PLACED = (("first", "#3d5a80", "civilized"), ("second", "#7a4a2b", "barbarian"))
"""Key, colour and culture of the two nations."""


def _parts_of(names: Iterable[str], pairs: Iterable[Pair]) -> list[set[str]]:
    """Provinces that can be reached from each other, as groups."""
    group = {name: {name} for name in names}
    for a, b in pairs:
        if group[a] is not group[b]:
            joined = group[a] | group[b]
            group.update(dict.fromkeys(joined, joined))
    return list({id(one): one for one in group.values()}.values())


def _routes(laid: Laid) -> list[Pair]:
    """The shortest sea routes by which all land can be reached."""
    names = list(laid.areas)
    groups = _parts_of(names, laid.borders)
    routes: list[Pair] = []
    while len(groups) > 1:
        small = min(groups, key=lambda one: (len(one), min(one)))
        others = [name for name in names if name not in small]
        tree = STRtree([laid.areas[name] for name in others])
        ways = []
        for name in sorted(small):
            at, far = tree.query_nearest(laid.areas[name], return_distance=True, all_matches=False)
            other = others[int(at[0])]
            ways.append((float(far[0]), min(name, other), max(name, other)))
        _far, a, b = min(ways)
        routes.append((a, b))
        groups = _parts_of(names, (*laid.borders, *routes))
    return routes


def _homes(areas: Areas) -> tuple[str, str]:
    """The two provinces that lie farthest from each other."""
    middles = {name: area.centroid for name, area in sorted(areas.items())}
    return max(combinations(middles, 2), key=lambda two: middles[two[0]].distance(middles[two[1]]))


# A sheet of hexagons. -----------------------------------------------------------------------------

HALF, CAP = 26, 15
"""Half the width of a hexagon, and how high the slope above its upright side is; these are twice
the slope's.
"""
ROUNDED = 2


def hexagon(q: int, r: int) -> list[tuple[int, int]]:
    """The corners of the hexagon in column q and row r; odd rows lie half a hexagon to the
    right.
    """
    x, y = 2 * HALF * q + HALF * (r & 1), 3 * CAP * r
    return [
        (x, y - 2 * CAP),
        (x + HALF, y - CAP),
        (x + HALF, y + CAP),
        (x, y + 2 * CAP),
        (x - HALF, y + CAP),
        (x - HALF, y - CAP),
    ]


def from_hexes(
    cells: Mapping[tuple[int, int], str], title: str, words: Words | None = None
) -> dict[str, Any]:
    """A bundle of a sheet of hexagons painted into provinces: the name of each by column and row.
    Lines are rounded. Raises `Fault`.
    """
    return as_bundle(lay_hexes(cells), title, words)


def lay_hexes(cells: Mapping[tuple[int, int], str]) -> Laid:
    by_name: dict[str, list[Polygon]] = defaultdict(list)
    for (q, r), name in sorted(cells.items(), key=lambda one: (one[0][1], one[0][0])):
        if name:
            by_name[name].append(Polygon(hexagon(q, r)))
    areas = {name: shapely.unary_union(cells_of) for name, cells_of in by_name.items()}
    chains = shapely.line_merge(shapely.unary_union([area.boundary for area in areas.values()]))
    faces = list(
        polygonize(
            [LineString(_rounded(list(chain.coords))) for chain in shapely.get_parts(chains)]
        )
    )
    tree, names = STRtree(faces), list(areas)
    rings: dict[str, list[tuple[Spot, ...]]] = defaultdict(list)
    for name in names:
        for n in tree.query(areas[name]):
            if faces[int(n)].intersection(areas[name]).area > faces[int(n)].area / 2:
                rings[name] += [
                    tuple(ring.coords[:-1])
                    for ring in (faces[int(n)].exterior, *faces[int(n)].interiors)
                ]
    outlines = tuple(Outline(name, n + 1, tuple(rings[name])) for n, name in enumerate(names))
    return lay(Shapes(outlines))


def _rounded(line: list[Spot]) -> list[Spot]:
    """The line with its corners cut; its ends stay, a ring stays a ring."""
    for _time in range(ROUNDED):
        ring = line[0] == line[-1]
        cut = list(_cut(line))
        line = [*cut, cut[0]] if ring else [line[0], *cut[1:-1], line[-1]]
    return line


def _cut(line: list[Spot]) -> Iterator[Spot]:
    for (ax, ay), (bx, by) in pairwise(line):
        yield ax + (bx - ax) / 4, ay + (by - ay) / 4
        yield ax + 3 * (bx - ax) / 4, ay + 3 * (by - ay) / 4


# What else a scenario begins from. ----------------------------------------------------------------

SEA = ".-_~ "
MOST_ACROSS, MOST_DOWN = 60, 40


def cells_of(rows: str, names: Mapping[str, str]) -> dict[tuple[int, int], str]:
    """The hexagons of a text: a line a row, a sign a hexagon, the same sign the same province.
    Raises `Fault`.
    """
    cells: dict[tuple[int, int], str] = {}
    lines = rows.rstrip().splitlines()
    if len(lines) > MOST_DOWN or any(len(line.rstrip()) > MOST_ACROSS for line in lines):
        raise Fault("rows", "grid-too-large", across=MOST_ACROSS, down=MOST_DOWN)
    for r, line in enumerate(lines):
        for q, sign in enumerate(line.rstrip()):
            if sign in SEA:
                continue
            if not sign.isalnum():
                raise Fault(
                    "rows", "grid-sign", sign=sign if sign.isprintable() else "\ufffd", line=r + 1
                )
            cells[q, r] = names.get(sign, sign)
    return cells


def emptied(bundle: Mapping[str, Any], title: str, words: Words | None = None) -> dict[str, Any]:
    """A map without its scenario: names, kinds, borders, routes and army lists stay; two nations
    have a home each.
    """
    words = words or Words()
    old, drawing = bundle["scenario"], bundle["drawing"]
    kinds = {
        row["key"]: "external" if row["kind"] == "external" else "independent"
        for row in old["provinces"]
    }
    spots = {
        key: drawing["provinces"][key]["label"]
        for key in sorted(kinds)
        if kinds[key] == "independent"
    }
    homes = max(combinations(spots, 2), key=lambda two: dist(spots[two[0]], spots[two[1]]))
    owner = {home: key for home, (key, _colour, _culture) in zip(homes, PLACED, strict=True)}
    nations = [
        {
            "key": key,
            "name": name,
            "culture": culture,
            "army": words.army,
            "capital": home,
            "colour": colour,
            "escort": False,
        }
        for name, home, (key, colour, culture) in zip(words.nations, homes, PLACED, strict=True)
    ]
    provinces = [
        {
            "key": row["key"],
            "name": row["name"],
            "kind": "nation" if row["key"] in owner else kinds[row["key"]],
            "owner": owner.get(row["key"]),
            "army": row["army"],
            **({"maritime": True} if row.get("maritime") else {}),
        }
        for row in old["provinces"]
    ]
    scenario = {
        "key": key_of(title, ()),
        "name": title,
        "turns": old["turns"],
        "nations": nations,
        "provinces": provinces,
        "borders": old["borders"],
        "sea_routes": old["sea_routes"],
    }
    armies = {words.army, *(row["army"] for row in provinces)}
    kept = {key: value for key, value in drawing.items() if key not in ("nations", "scenario")}
    kept["aliases"] = {
        army: ways for army, ways in drawing.get("aliases", {}).items() if army in armies
    }
    return {"scenario": scenario, "drawing": kept}


def as_svg(shapes: Shapes) -> str:
    """The shapes written anew: what a form carries from one step to the next. Names are kept beside
    it.
    """
    boxes = [_extent(one) for one in shapes.outlines]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    scale = (
        WIDTH * 10 / max(max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)
    )
    paths = []
    for one in shapes.outlines:
        rings = (
            " ".join(f"{round((x - left) * scale)} {round((y - top) * scale)}" for x, y in ring)
            for ring in one.rings
        )
        paths.append(f'<path d="{"".join(f"M{ring}z" for ring in rings)}"/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(paths)}</svg>'


def _extent(outline: Outline) -> tuple[float, float, float, float]:
    xs, ys = zip(*(spot for ring in outline.rings for spot in ring), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
