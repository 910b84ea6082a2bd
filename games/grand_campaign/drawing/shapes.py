"""A reader of shapes in SVG or GeoJSON files.

It reads only numbers and names, and each fault has the shape that it concerns. Neighbours do not
share their lines yet: `coverage` makes provinces of the shapes.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from time import process_time
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.errors import MalformedRecord
from engine.strict_json import is_printable, read
from games.grand_campaign.drawing import parts
from games.grand_campaign.drawing.parts import Spot
from games.grand_campaign.rules.numbers import Fault

LARGEST = 2_000_000
"""The most bytes of a file."""
MOST, MOST_POINTS, MOST_ELEMENTS, DEEPEST = 150, 40_000, 20_000, 40
"""The most shapes, points of all shapes, elements of a file, and levels of nested elements."""
LONGEST_NAME = 60
SECONDS = 10.0
"""The seconds of processor time that the reading of a file may take."""
ROUND = 48
"""The number of corners of a circle."""
FARTHEST = 1e9

Ring = tuple[Spot, ...]
Matrix = tuple[float, float, float, float, float, float]
STILL: Matrix = (1, 0, 0, 1, 0, 0)


class Outline(NamedTuple):
    """A shape of a file.

    `name` is "" for none. `number` counts in the file from 1. `rings` are in the file's units with
    y downward. `ground` says whether it looks like the ground on which the others are drawn.
    """

    name: str
    number: int
    rings: tuple[Ring, ...]
    ground: bool = False

    @property
    def place(self) -> str:
        return f"shapes.{self.number}"


class Shapes(NamedTuple):
    """The shapes of a file, which cannot be used if there are faults.

    `lines` counts open lines that are not land (rivers, roads); `copies` counts elements that only
    repeat another element.
    """

    outlines: tuple[Outline, ...] = ()
    faults: tuple[MalformedRecord, ...] = ()
    lines: int = 0
    copies: int = 0


def read_shapes(data: bytes, seconds: float = SECONDS) -> Shapes:
    """Return the shapes of a file, or all its faults."""
    reader = _Reader(process_time() + seconds)
    try:
        if len(data) > LARGEST:
            raise Fault("file", "file-too-large", most=LARGEST // 1_000_000)
        start = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if data[:2] in (b"\x1f\x8b", b"PK"):
            raise Fault("file", "file-packed")
        if start == b"<":
            reader.svg(data)
        elif start in (b"{", b"["):
            reader.geojson(data.removeprefix(b"\xef\xbb\xbf"))
        else:
            raise Fault("file", "file-unknown")
        if not reader.outlines and not reader.faults:
            raise Fault("file", "file-empty")
    except MalformedRecord as fault:
        reader.faults.append(fault)
    outlines = tuple(reader.outlines)
    return Shapes(_with_ground(outlines), tuple(reader.faults), reader.lines, reader.copies)


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:40])


def name_of(text: object) -> str:
    """Return a name that a province may have, or "" if the text is not a name."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    return words[:LONGEST_NAME].strip() if is_printable(words) else ""


class _Reader:
    """A reader that collects shapes and their faults."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.outlines: list[Outline] = []
        self.faults: list[MalformedRecord] = []
        self.lines = self.copies = self.points = self.count = 0

    def in_time(self) -> None:
        if process_time() > self.end:
            raise Fault("file", "file-slow")

    def shape(self, name: str, rings: Iterable[Iterable[Spot]]) -> None:
        """Add a shape; raises `Fault` if a limit is exceeded."""
        self.in_time()
        whole = tuple(ring for ring in map(tuple, rings) if len(set(ring)) > 2)
        self.points += sum(map(len, whole))
        if self.points > MOST_POINTS:
            raise Fault("file", "too-many-points", most=MOST_POINTS)
        if len(self.outlines) >= MOST:
            raise Fault("file", "too-many-shapes", most=MOST)
        if not whole or not any(_area(ring) for ring in whole):
            raise Fault(self.place(name), "shape-flat")
        if any(
            not math.isfinite(v) or abs(v) > FARTHEST
            for ring in whole
            for spot in ring
            for v in spot
        ):
            raise Fault(self.place(name), "path-far")
        self.outlines.append(Outline(name, self.count, whole))

    def place(self, name: str) -> str:
        return f"shapes.{self.count}" + (f" ({name})" if name else "")

    # SVG ------------------------------------------------------------------------------------------
    def svg(self, data: bytes) -> None:
        try:
            root = fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
        except DefusedXmlException:
            raise Fault("file", "file-entities") from None
        except (ParseError, ValueError, LookupError) as error:
            line, column = getattr(error, "position", (1, 0))
            raise Fault("file", "file-no-xml", line=line, column=column + 1) from None
        if _tag(root) != "svg":
            raise Fault("file", "file-no-svg", tag=_shown(_tag(root)))
        lonely: dict[int, list[int]] = {}
        names: dict[int, str] = {}
        for element, matrix, fill, group in _walked(root):
            self.in_time()
            if _tag(element) == "use":
                self.copies += 1
                continue
            self.count += 1
            name = _svg_name(element)
            try:
                rings = _svg_rings(element, fill)
                if rings is None:
                    self.lines += 1
                    self.count -= 1
                    continue
                self.shape(name, [[_moved(matrix, spot) for spot in ring] for ring in rings])
                lonely.setdefault(id(group), []).append(len(self.outlines) - 1)
                if id(group) not in names:
                    names[id(group)] = _svg_name(group) if group is not None else ""
            except Fault as fault:
                if fault.where.startswith("file"):
                    raise
                if fault.message == "shape-flat" and not name:
                    self.lines += 1  # Drawing programs leave paths of a single point behind.
                    self.count -= 1
                else:
                    self.faults.append(fault.at(self.place(name)))
        for group_id, rows in lonely.items():
            # If a shape is alone in its group, drawing programs give the name to the group.
            if len(rows) == 1 and not self.outlines[rows[0]].name:
                self.outlines[rows[0]] = self.outlines[rows[0]]._replace(name=names[group_id])

    # GeoJSON --------------------------------------------------------------------------------------
    def geojson(self, data: bytes) -> None:
        rows = self._geojson_rows(data)
        self.count = self.points = 0
        spots = [spot for _name, rings in rows for ring in rings for spot in ring]
        if not spots:
            return
        narrow = _narrowing(spots)
        for name, rings in rows:
            self.count += 1
            try:
                self.shape(name, [[(x * narrow, -y) for x, y in ring] for ring in rings])
            except Fault as fault:
                if fault.where == "file":
                    raise
                self.faults.append(fault)

    def _geojson_rows(self, data: bytes) -> list[tuple[str, list[list[Spot]]]]:
        """Return the areas of the file with their names; lines and points are only counted."""
        top = read(data)
        if isinstance(top, Mapping) and top.get("type") == "Topology":
            raise Fault("file", "file-topojson")
        rows: list[tuple[str, list[list[Spot]]]] = []
        for name, geometry in _features(top):
            if geometry.get("type") in ("LineString", "MultiLineString", "Point", "MultiPoint"):
                self.lines += 1
                continue
            self.count += 1
            self.in_time()
            try:
                rows.append((name, _geojson_rings(geometry)))
                self.points += sum(map(len, rows[-1][1]))
            except Fault as fault:
                self.faults.append(fault.at(self.place(name)))
            if self.count > MOST:
                raise Fault("file", "too-many-shapes", most=MOST)
            if self.points > MOST_POINTS:
                raise Fault("file", "too-many-points", most=MOST_POINTS)
        return rows


def _narrowing(spots: Sequence[Spot]) -> float:
    """Return the factor for longitudes, which become narrower towards the poles.

    The proportions are right at the middle latitude. Coordinates that are not degrees stay
    unchanged.
    """
    north, south = max(y for _x, y in spots), min(y for _x, y in spots)
    are_degrees = max(abs(x) for x, _y in spots) <= 360 and max(abs(north), abs(south)) <= 90
    return math.cos(math.radians(min(80.0, abs(north + south) / 2))) if are_degrees else 1.0


def _area(ring: Ring) -> float:
    return (
        abs(
            sum(
                ax * by - bx * ay
                for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True)
            )
        )
        / 2
    )


def _with_ground(outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    """Return the outlines with a mark on the shape under all others: a sheet, a sea, a frame."""
    if len(outlines) < 3:
        return outlines
    boxes = [_box(outline.rings) for outline in outlines]
    out = []
    for outline, box in zip(outlines, boxes, strict=True):
        full = max(map(_area, outline.rings)) >= 0.85 * (box[2] - box[0]) * (box[3] - box[1])
        under = full and all(
            box[0] <= b[0] and box[1] <= b[1] and box[2] >= b[2] and box[3] >= b[3]
            for b in boxes
            if b is not box
        )
        out.append(outline._replace(ground=under))
    return tuple(out)


def _box(rings: Iterable[Ring]) -> tuple[float, float, float, float]:
    xs, ys = zip(*(spot for ring in rings for spot in ring), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


# SVG: elements, styles, transforms

UNSEEN = {
    "defs",
    "clipPath",
    "mask",
    "symbol",
    "pattern",
    "marker",
    "linearGradient",
    "radialGradient",
    "filter",
    "metadata",
    "script",
    "style",
    "foreignObject",
    "title",
    "desc",
}
DRAWN = {"path", "polygon", "polyline", "rect", "circle", "ellipse", "use"}
STYLES, HIDING, LONGEST_STYLE = ("fill", "display", "visibility"), ("hidden", "collapse"), 2000
"""The style properties that are read, the values that hide an element, and the longest style."""
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
NUMBERS = re.compile(r"[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,3})?", re.ASCII)
LENGTH = re.compile(
    r"\s*([+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,3})?)\s*(?:px)?\s*", re.ASCII
)
TRANSFORM = re.compile(
    r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]{0,400})\)", re.ASCII
)
BY_PROGRAM = re.compile(
    r"(?:path|rect|polygon|polyline|circle|ellipse|shape|g|group|svg|layer|object|element|vector|image|use|text|tspan|feature)"
    r"[-_ .]?\d*(?:[-_.]\d+)*|xmlid[-_ ]?\d+_?|[-_]?\d+|id\d+",
    re.IGNORECASE | re.ASCII,
)
"""Ids that a program has written."""
ESCAPED = re.compile("_x([0-9A-Fa-f]{2,4})_")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class _Group(NamedTuple):
    """A group above the current element: its children and their common properties.

    Only the fill of its style is kept.
    """

    children: Iterator[Element]
    matrix: Matrix
    fill: str
    element: Element | None


def _walked(root: Element) -> Iterator[tuple[Element, Matrix, str, Element | None]]:
    """Yield the elements that draw an outline, each with its transform, its fill and its group.

    Elements are counted on the way, and only the groups above the current element are kept, so
    memory grows with the depth of the file and not with depth times children. Raises `Fault`.
    """
    groups = [_Group(iter((root,)), STILL, "", None)]
    count = 0
    while groups:
        group = groups[-1]
        element = next(group.children, None)
        if element is None:
            groups.pop()
            continue
        count += 1
        if count > MOST_ELEMENTS:
            raise Fault("file", "too-many-elements", most=MOST_ELEMENTS)
        if len(groups) - 1 > DEEPEST:
            raise Fault("file", "file-too-deep", most=DEEPEST)
        tag, style = _tag(element), _style(element)
        if (
            tag in UNSEEN
            or not tag
            or style.get("display") == "none"
            or style.get("visibility") in HIDING
        ):
            continue
        matrix = _times(group.matrix, transform(element.get("transform", "")))
        fill = style.get("fill", group.fill)
        if tag in DRAWN:
            yield element, matrix, fill, group.element
        else:
            groups.append(_Group(iter(element), matrix, fill, element))


def _style(element: Element) -> dict[str, str]:
    """Return `fill`, `display` and `visibility` of an element's own style."""
    written = dict(
        part.split(":", 1)
        for part in element.get("style", "")[:LONGEST_STYLE].split(";")
        if ":" in part
    )
    known = {key.strip(): value.strip() for key, value in written.items()}
    return {key: value for key in STYLES if (value := known.get(key, element.get(key, "")))}


def transform(text: str) -> Matrix:
    """Return the matrix of a list of transforms; raises `Fault` for unknown ones."""
    matrix, at = STILL, 0
    while at < len(text.rstrip()):
        match = TRANSFORM.match(text, at)
        if match is None:
            raise Fault("file.transform", "transform", text=_shown(text[at:]))
        name, n, at = match[1], [float(value) for value in NUMBERS.findall(match[2])], match.end()
        known = {"matrix": (6,), "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3)}.get(
            name, (1,)
        )
        if len(n) not in known or any(abs(value) > FARTHEST for value in n):
            raise Fault("file.transform", "transform", text=_shown(match[0].strip()))
        matrix = _times(matrix, _matrix_of(name, n))
    return matrix


def _matrix_of(name: str, n: list[float]) -> Matrix:
    if name == "matrix":
        return n[0], n[1], n[2], n[3], n[4], n[5]
    if name == "translate":
        return 1, 0, 0, 1, n[0], n[1] if len(n) > 1 else 0
    if name == "scale":
        return n[0], 0, 0, n[-1], 0, 0
    turn = math.radians(n[0])
    if name == "rotate":
        cos, sin = math.cos(turn), math.sin(turn)
        about = (n[1], n[2]) if len(n) == 3 else (0.0, 0.0)
        there, back = (1, 0, 0, 1, *about), (1, 0, 0, 1, -about[0], -about[1])
        return _times(_times(there, (cos, sin, -sin, cos, 0, 0)), back)
    lean = math.tan(turn)
    return (1, 0, lean, 1, 0, 0) if name == "skewX" else (1, lean, 0, 1, 0, 0)


def _times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def _moved(m: Matrix, spot: Spot) -> Spot:
    return m[0] * spot[0] + m[2] * spot[1] + m[4], m[1] * spot[0] + m[3] * spot[1] + m[5]


def _svg_name(element: Element) -> str:
    """Return an element's label, data-name or title, or an id that a person has written."""
    title = next((child.text for child in element if _tag(child) == "title"), "")
    for text in (element.get(LABEL), element.get("data-name"), title):
        if name := name_of(text):
            return name
    key = ESCAPED.sub(lambda match: chr(int(match[1], 16)), element.get("id", "")[:200])
    if not key or BY_PROGRAM.fullmatch(key):
        return ""
    return name_of(key if " " in key else key.replace("_", " "))


def _svg_rings(element: Element, fill: str) -> list[list[Spot]] | None:
    """Return the rings of an element in its own units, or None for a line that is not land."""
    tag = _tag(element)
    if tag == "path":
        drawn = parts.read(element.get("d", ""))
        if fill == "none" and not any(closed for _points, closed in drawn):
            return None
        return [points for points, _closed in drawn]
    if tag in ("polygon", "polyline"):
        if tag == "polyline" and fill == "none":
            return None
        text = element.get("points", "")
        if len(text) > parts.LONGEST:
            raise Fault("", "path-too-long", most=parts.LONGEST)
        n = [float(value) for value in NUMBERS.findall(text)]
        return [list(zip(n[::2], n[1::2], strict=False))]
    x, y, cx, cy, wide, high, r = (
        _length(element, key) for key in ("x", "y", "cx", "cy", "width", "height", "r")
    )
    if tag == "rect":
        return [[(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]]
    rx, ry = (r, r) if tag == "circle" else (_length(element, "rx"), _length(element, "ry"))
    angles = [2 * math.pi * i / ROUND for i in range(ROUND)]
    return [[(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]]


def _length(element: Element, key: str) -> float:
    match = LENGTH.fullmatch(element.get(key, "0")[:60])
    if match is None:
        raise Fault("", "shape-length", key=key)
    return float(match[1])


# GeoJSON ------------------------------------------------------------------------------------------

NAMED = (
    "name",
    "Name",
    "NAME",
    "title",
    "label",
    "key",
    "NAME_EN",
    "name_en",
    "ADMIN",
    "admin",
    "NAME_1",
    "NAME_2",
    "NAME_0",
    "id",
)


def _features(top: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield names with geometries of any kind of GeoJSON document."""
    kind = top.get("type") if isinstance(top, Mapping) else None
    if not isinstance(top, Mapping):
        raise Fault("file", "file-no-geojson")
    if kind == "FeatureCollection":
        rows = top.get("features")
        if not isinstance(rows, list):
            raise Fault("file", "file-no-geojson")
        if len(rows) > MOST_ELEMENTS:
            raise Fault("file", "too-many-elements", most=MOST_ELEMENTS)
        for row in rows:
            if not isinstance(row, Mapping) or row.get("type") != "Feature":
                raise Fault("file", "file-no-geojson")
            if isinstance(row.get("geometry"), Mapping):
                yield _feature_name(row), row["geometry"]
    elif kind == "Feature":
        if isinstance(top.get("geometry"), Mapping):
            yield _feature_name(top), top["geometry"]
    elif kind == "GeometryCollection":
        for row in top.get("geometries") or ():
            if isinstance(row, Mapping):
                yield "", row
    elif kind in ("Polygon", "MultiPolygon"):
        yield "", top
    else:
        raise Fault("file", "file-no-geojson")


def _feature_name(row: Mapping[str, Any]) -> str:
    given = row.get("properties")
    properties = given if isinstance(given, Mapping) else {}
    for text in (*(properties.get(key) for key in NAMED), row.get("id")):
        if name := name_of(text):
            return name
    return ""


def _geojson_rings(geometry: Mapping[str, Any]) -> list[list[Spot]]:
    kind, given = geometry.get("type"), geometry.get("coordinates")
    if kind == "GeometryCollection":
        raise Fault("", "shape-collection")
    polygons = [given] if kind == "Polygon" else given if kind == "MultiPolygon" else None
    if not isinstance(polygons, list):
        raise Fault("", "shape-kind", kind=_shown(str(kind)))
    rings: list[list[Spot]] = []
    for polygon in polygons:
        if not isinstance(polygon, list):
            raise Fault("", "shape-coordinates")
        rings += [[_coordinate(point) for point in ring] for ring in map(_as_ring, polygon)]
    return rings


def _as_ring(ring: object) -> list[object]:
    if not isinstance(ring, list):
        raise Fault("", "shape-coordinates")
    return ring


def _coordinate(point: object) -> Spot:
    if not isinstance(point, list) or not 2 <= len(point) <= 4:
        raise Fault("", "shape-coordinates")
    if any(type(value) not in (int, float, Decimal) for value in point[:2]):
        raise Fault("", "shape-coordinates")
    x, y = float(point[0]), float(point[1])
    if not (math.isfinite(x) and math.isfinite(y)) or max(abs(x), abs(y)) > FARTHEST:
        raise Fault("", "path-far")
    return x, y


def key_of(name: str, taken: Iterable[str]) -> str:
    """Return a key made of a name without accents, different from those that are taken."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    base = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:30].strip("-") or "province"
    key, n, known = base, 2, {*taken, "gm"}
    while key in known:
        key, n = f"{base}-{n}", n + 1
    return key
