"""Provinces from shapes, with a scenario and its drawing.

Lines of neighbours are joined, and gaps and overlaps are found. Lengths are tenths of map units on
a sheet 1,600 wide, and whole numbers where they are kept; reports use map units.
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

from games.grand_campaign.drawing import own_drawing, parts
from games.grand_campaign.drawing.drawing import BORDER_LENGTH
from games.grand_campaign.drawing.parts import Line, Pair, Spot
from games.grand_campaign.drawing.shapes import MOST, SECONDS, Outline, Shapes, key_of
from games.grand_campaign.rules.numbers import Fault

WIDTH = own_drawing.WIDTH * 10
MARGIN = 0.04
TOLERANCE = 30
"""The largest distance at which points of neighbours become the same point."""
NEAR = 120
"""The largest distance at which shapes that run side by side without touching are reported."""
LARGEST_HOLE = 800
"""The size above which a hole is a sea or a lake and is not reported."""
GRAIN = 5
"""The largest distance at which points of a shape become the same point."""
SPECK = 400
"""The area in square tenths below which parts are dropped and holes are filled."""
CROSSED = 300_000
"""The estimated number of crossings of lines above which a file is refused."""
MOST_KEPT = 15_000
"""The most points of all outlines that are kept; outlines with more are simplified."""
TURNS = 6

Areas = dict[str, MultiPolygon]


class ShapeFault(NamedTuple):
    """A gap or an overlap of shapes.

    It has the shapes by name, its centre, width and height in map units. A gap is `open` (two
    shapes run side by side and do not touch) or a `hole` (with land all around, perhaps a lake).
    """

    kind: str
    names: tuple[str, ...]
    x: float
    y: float
    wide: float
    high: float


class Words(NamedTuple):
    """The words of a new scenario that the user has not named yet."""

    nations: tuple[str, str] = ("First nation", "Second nation")
    army: str = "Army to be chosen"


class ProvinceMap(NamedTuple):
    """Shapes as provinces, by name.

    `areas` has their areas, `height` is that of the sheet in map units, `borders` has the pairs
    that touch, and `troubles` what is reported. `covered` has the names of shapes of which nothing
    is left, because other shapes cover them or they are too small.
    """

    areas: Areas
    height: int
    borders: tuple[Pair, ...]
    troubles: tuple[ShapeFault, ...] = ()
    covered: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """Return the outline of a province in the form of a drawing."""
        return "".join(parts.path(ring, closed=True) for ring in rings_of(self.areas[name]))


def rings_of(area: MultiPolygon) -> list[Line]:
    """Return the rings of an area, with islands and lakes, the largest first."""
    rings = []
    for polygon in sorted(area.geoms, key=lambda part: -part.area):
        for ring in (polygon.exterior, *polygon.interiors):
            rings.append(_without_twins([(round(x), round(y)) for x, y in ring.coords[:-1]]))
    return [ring for ring in rings if len(set(ring)) > 2]


def _without_twins(ring: Sequence[tuple[int, int]]) -> Line:
    return tuple(point for n, point in enumerate(ring) if point != ring[n - 1])


def neighbours(outlines: Mapping[str, Iterable[Line]]) -> tuple[Pair, ...]:
    """Return the pairs that share a line longer than a corner, in alphabetical order."""
    touching = parts.contacts(outlines)
    return tuple(
        pair for pair, lines in touching.items() if sum(map(parts.length, lines)) >= BORDER_LENGTH
    )


def lay(
    shapes: Shapes, names: Sequence[str] | None = None, seconds: float = SECONDS
) -> ProvinceMap:
    """Return the shapes of a file as provinces of a sheet.

    `names` has a name for each shape; an empty name leaves a shape out, and shapes with the same
    name become a single province. Raises `Fault`; covered shapes raise it only in `as_bundle`.
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
        sorted(
            troubles,
            key=lambda shape_fault: (shape_fault.kind, -shape_fault.wide * shape_fault.high),
        )
    )
    lost = tuple(name for name in names_now if name not in by_name)
    return ProvinceMap(by_name, height, borders, shown, lost)


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
    """Return the areas of the rings; rings that do not meet exactly are moved onto each other."""
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
    """Return the rings of each outline in whole tenths of a sheet, and the height of the sheet.

    There is water around them. The height is in map units.
    """
    xs, ys = zip(
        *(spot for outline in outlines for ring in outline.rings for spot in ring), strict=True
    )
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    if not wide or not high:
        raise Fault("file", "file-flat")
    pad = MARGIN * max(wide, high)
    least, most = own_drawing.RATIO
    whole_wide = max(wide + 2 * pad, (high + 2 * pad) * least * 1.01)
    whole_high = max(high + 2 * pad, whole_wide / most * 1.01)
    scale = WIDTH / whole_wide
    dx, dy = (whole_wide - wide) / 2 - left, (whole_high - high) / 2 - top
    placed = []
    for outline in outlines:
        lines = []
        for ring in outline.rings:
            line = _without_twins(
                [(round((x + dx) * scale), round((y + dy) * scale)) for x, y in ring]
            )
            if len(set(line)) > 2:
                lines.append(line)
        placed.append(lines)
    total = sum(parts.length((*line, line[0])) for lines in placed for line in lines)
    if total > own_drawing.LONGEST_OUTLINES / 2:
        raise Fault("file", "outlines-too-long")
    return placed, ceil(whole_high * scale / 10)


def _polygons(shape: Geometry) -> list[Polygon]:
    every = shapely.get_parts(
        shapely.get_parts(shape)
    )  # A collection may hold several geometries with several parts each.
    return [part for part in every if isinstance(part, Polygon) and part.area >= 1]


def _evenly(rings: Iterable[Line]) -> MultiPolygon:
    """Return the area of rings by the even-odd rule.

    A ring within another is a hole, and a ring within a hole is an island.
    """
    whole: Geometry = MultiPolygon()
    for ring in sorted(rings, key=lambda line: -abs(Polygon(line).area) if len(line) > 2 else 0):
        if len(set(ring)) > 2:
            whole = whole.symmetric_difference(
                MultiPolygon(_polygons(shapely.make_valid(Polygon(ring))))
            )
    return MultiPolygon(_polygons(whole))


def _clean(areas: Sequence[MultiPolygon]) -> bool:
    """Return whether neighbours already share their lines point by point."""
    return bool(shapely.coverage_is_valid(areas, gap_width=TOLERANCE))


def _segments(drawn: Iterable[Iterable[Line]]) -> list[LineString]:
    return [
        LineString(two) for lines in drawn for line in lines for two in pairwise((*line, line[0]))
    ]


def _not_tangled(drawn: Sequence[Sequence[Line]]) -> None:
    """Refuse lines with so many crossings that cutting them would never end, such as hatching."""
    segments = _segments(drawn)
    some = segments[:: max(1, len(segments) // 400)]
    crossings = len(STRtree(segments).query(some, predicate="intersects")[0])
    if crossings / len(some) * len(segments) / 2 > CROSSED:
        raise Fault("file", "file-tangled")


# Snapping


def _snapped(drawn: Sequence[Sequence[Line]], in_time: Any) -> list[list[Line]]:
    """Return the rings with the points of neighbours brought together.

    Each line is led through the points that lie on it.
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


# Division of the land


def _shared_out(
    areas: Sequence[MultiPolygon], names: Sequence[str], in_time: Callable[[], None]
) -> tuple[list[MultiPolygon], list[ShapeFault]]:
    """Give each piece of land to a single shape.

    Of shapes that lie over one another the smallest gets it. A narrow gap goes to the neighbour
    with the longest side along it.
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
"""The pieces on which several shapes lie."""


def _owners(
    areas: Sequence[MultiPolygon], faces: Sequence[Polygon], in_time: Callable[[], None]
) -> tuple[dict[int, int], Overlaps]:
    """Return the shape that gets each piece, and the pieces on which several shapes lie."""
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
            continue  # This is a lake, or another part of the sheet.
        sides: dict[int, float] = defaultdict(float)
        for other in map(int, beside.query(face)):
            if other != n and whose.get(other, -1) >= 0:
                sides[whose[other]] += face.boundary.intersection(faces[other].boundary).length
        if any(sides.values()):
            whose[n] = max(sorted(sides), key=sides.__getitem__)


def _overlaps(over: Overlaps, names: Sequence[str]) -> list[ShapeFault]:
    """Return the overlaps that are wide enough to be seen."""
    return [
        _shape_fault("overlap", [names[owner] for owner in owners], piece)
        for owners, pieces in over.items()
        for piece in _polygons(shapely.unary_union(pieces))
        if not piece.buffer(-TOLERANCE / 2).is_empty
    ]


def _without_specks(areas: list[MultiPolygon]) -> list[MultiPolygon]:
    """Return the areas without tiny parts, which go to a neighbour if there is one."""
    kept, specks = [], []
    for n, area in enumerate(areas):
        largest = max((part.area for part in area.geoms), default=0)
        kept.append(
            MultiPolygon(
                [part for part in area.geoms if part.area >= SPECK or part.area == largest]
            )
        )
        specks += [(n, part) for part in area.geoms if part.area < SPECK and part.area != largest]
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
    """Return the areas with fewer points if there are too many; shared lines stay shared."""
    grain = float(GRAIN)
    while sum(map(shapely.get_num_coordinates, areas)) > MOST_KEPT and grain < 500:
        areas = [MultiPolygon(_polygons(area)) for area in shapely.coverage_simplify(areas, grain)]
        grain *= 2
    return areas


def _shape_fault(kind: str, names: Iterable[str], piece: Geometry) -> ShapeFault:
    left, top, right, bottom = piece.bounds
    middle = piece.representative_point()
    tenths = (round(value / 10, 1) for value in (middle.x, middle.y, right - left, bottom - top))
    return ShapeFault(kind, tuple(sorted(names)), *tenths)


def _gaps(areas: Areas, borders: set[Pair]) -> list[ShapeFault]:
    names, shapes = list(areas), list(areas.values())
    tree = STRtree(shapes)
    whole = shapely.unary_union(shapes)
    troubles = []
    for polygon in _polygons(whole):
        for ring in polygon.interiors:
            hole = Polygon(ring)
            if max(hole.bounds[2] - hole.bounds[0], hole.bounds[3] - hole.bounds[1]) > LARGEST_HOLE:
                continue
            troubles.append(
                _shape_fault(
                    "hole", [names[int(n)] for n in tree.query(hole, predicate="touches")], hole
                )
            )
    holes = shapely.unary_union(
        [Polygon(ring) for polygon in _polygons(whole) for ring in polygon.interiors]
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
            troubles.append(_shape_fault("open", beside, piece))
    return troubles


# Scenarios ----------------------------------------------------------------------------------------


def as_bundle(laid: ProvinceMap, title: str, words: Words | None = None) -> dict[str, Any]:
    """Return a scenario of independent provinces, with its drawing.

    Two nations start in homes far from each other. Provinces that touch have a border, and a sea
    route leads to land that cannot be reached otherwise. Raises `Fault` if a shape is covered.
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
        "viewBox": f"0 0 {own_drawing.WIDTH} {laid.height}",
        "provinces": {keys[name]: {"d": laid.path(name)} for name in laid.areas},
    }
    return {"scenario": scenario, "drawing": drawing}


PLACED = (("first", "#3d5a80", "civilized"), ("second", "#7a4a2b", "barbarian"))
"""Key, colour and culture of the two nations."""


def _parts_of(names: Iterable[str], pairs: Iterable[Pair]) -> list[set[str]]:
    """Return the groups of provinces that can be reached from each other."""
    group = {name: {name} for name in names}
    for a, b in pairs:
        if group[a] is not group[b]:
            joined = group[a] | group[b]
            group.update(dict.fromkeys(joined, joined))
    return list({id(names): names for names in group.values()}.values())


def _routes(laid: ProvinceMap) -> list[Pair]:
    """Return the shortest sea routes by which all land can be reached."""
    names = list(laid.areas)
    groups = _parts_of(names, laid.borders)
    routes: list[Pair] = []
    while len(groups) > 1:
        small = min(groups, key=lambda group: (len(group), min(group)))
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
    """Return the two provinces that are farthest from each other."""
    middles = {name: area.centroid for name, area in sorted(areas.items())}
    return max(combinations(middles, 2), key=lambda two: middles[two[0]].distance(middles[two[1]]))


# A sheet of hexagons

HALF, CAP = 26, 15
"""Half the width of a hexagon, and the height of the slope above its upright side.

The upright side is twice as high as the slope.
"""
ROUNDED = 2


def hexagon(q: int, r: int) -> list[tuple[int, int]]:
    """Return the corners of the hexagon in column q and row r.

    Odd rows are half a hexagon to the right.
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
    """Return the bundle of a sheet of hexagons with the name of a province for each column and row.

    Lines are rounded. Raises `Fault`.
    """
    return as_bundle(lay_hexes(cells), title, words)


def lay_hexes(cells: Mapping[tuple[int, int], str]) -> ProvinceMap:
    by_name: dict[str, list[Polygon]] = defaultdict(list)
    for (q, r), name in sorted(cells.items(), key=lambda item: (item[0][1], item[0][0])):
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
    """Return the line with its corners cut; its ends stay, and a ring stays a ring."""
    for _time in range(ROUNDED):
        ring = line[0] == line[-1]
        cut = list(_cut(line))
        line = [*cut, cut[0]] if ring else [line[0], *cut[1:-1], line[-1]]
    return line


def _cut(line: list[Spot]) -> Iterator[Spot]:
    for (ax, ay), (bx, by) in pairwise(line):
        yield ax + (bx - ax) / 4, ay + (by - ay) / 4
        yield ax + 3 * (bx - ax) / 4, ay + 3 * (by - ay) / 4


# Other starting points of a scenario

SEA = ".-_~ "
MOST_ACROSS, MOST_DOWN = 60, 40


def cells_of(rows: str, names: Mapping[str, str]) -> dict[tuple[int, int], str]:
    """Return the hexagons of a text, with a line for each row and a sign for each hexagon.

    Equal signs are the same province. Raises `Fault`.
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
    """Return a map without its scenario, on which two nations have a home each.

    Names, kinds, borders, routes and army lists stay.
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
    """Return the shapes as SVG, which a form carries from a step to the next.

    Names are kept separately.
    """
    boxes = [_extent(outline) for outline in shapes.outlines]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    scale = (
        WIDTH * 10 / max(max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)
    )
    paths = []
    for outline in shapes.outlines:
        rings = (
            " ".join(f"{round((x - left) * scale)} {round((y - top) * scale)}" for x, y in ring)
            for ring in outline.rings
        )
        paths.append(f'<path d="{"".join(f"M{ring}z" for ring in rings)}"/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(paths)}</svg>'


def _extent(outline: Outline) -> tuple[float, float, float, float]:
    xs, ys = zip(*(spot for ring in outline.rings for spot in ring), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
