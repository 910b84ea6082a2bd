"""A reader of drawings that users send.

It reads numbers, reports every fault, computes what is left out, and writes the drawing in our own
form. `viewBox` and an outline `d` for each province are enough. Any unit is scaled to a sheet 1,600
wide, and curves become lines; only parsed numbers and printable names are kept. A drawing in our
own form is read without change.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from math import dist, inf
from typing import Any

from engine.strict_json import is_printable
from games.grand_campaign.drawing import other_names, parts
from games.grand_campaign.drawing import parts as drawing_parts
from games.grand_campaign.drawing.drawing import PATTERNS, border_faults, parse
from games.grand_campaign.drawing.layout import HOUSE, WHOLE_UP_TO, broken, regions
from games.grand_campaign.drawing.parts import (
    SPOKEN,
    Facts,
    Line,
    Pair,
    Point,
    as_object,
    as_pair,
    as_spoken,
    facts,
)
from games.grand_campaign.rules.numbers import Fault

WIDTH = 1600
MOST_POINTS, LONGEST_OUTLINES = 60_000, 400_000
"""The most points of a drawing, and the greatest length of all its outlines in map units."""
LARGEST = 700_000
"""The most characters of a drawing that is kept, since every page with a map contains it."""
RATIO = (0.4, 3.0)
"""The least and the greatest ratio of a sheet's width to its height."""
MARGIN = 0.06
"""The distance that a path may lead beyond the sheet, as a part of the sheet's longer side."""
LONGEST_NAME = 60
MOST_ITEMS = 300
MOST_REGIONS = 12
TOP = (
    "scenario",
    "viewBox",
    "provinces",
    "nations",
    "aliases",
    "regions",
    "sea_routes",
    "straits",
    "links",
    "contacts",
    "rivers",
    "land",
    "wasteland",
    "lakes",
    "sea_names",
    "land_names",
    "sea",
    "land_labels",
)
"""The keys of a drawing; the last two are other names of the two before."""
PROVINCE_OPTIONS = ("label", "lines", "size", "seat", "port", other_names.FIELD)
VIEW_BOX = re.compile(r"[ ,]+")


def read(
    document: object, scenario: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, list[Fault]]:
    """Return the document in our own form, or its faults, each with its key.

    `scenario` must be valid.
    """
    reader = _Reader(facts(scenario))
    try:
        drawing = reader.whole(document)
    except Fault as fault:
        return None, [*reader.faults, fault]
    if reader.faults or drawing is None:
        return None, reader.faults
    try:
        parse(drawing, scenario)  # The checks are those of our own drawings.
    except Fault as fault:
        return None, [fault]
    if len(written(drawing)) > LARGEST:
        return None, [Fault("drawing", "drawing-too-large", most=LARGEST // 1000)]
    return drawing, []


def written(document: Mapping[str, Any]) -> str:
    """Return the canonical text of a drawing, which is kept, sent and hashed."""
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def number(value: object, at: str, least: float = -1e6, most: float = 1e6) -> float:
    """Return a finite number; fractions in JSON come as decimals."""
    if not isinstance(value, int | float | Decimal) or isinstance(value, bool):
        raise Fault(at, "a-number")
    amount = float(value)
    if not math.isfinite(amount) or not least <= amount <= most:
        raise Fault(at, "number-from-to", least=least, most=most)
    return amount


def tidy(value: float) -> float | int:
    """Return a coordinate in whole tenths, as it is kept."""
    rounded = round(value, 1)
    return int(rounded) if rounded.is_integer() else rounded


class _Reader:
    """A reader of a document that collects all faults, to report them together."""

    def __init__(self, known: Facts) -> None:
        self.known = known
        self.faults: list[Fault] = []
        self.left = self.top = 0.0
        self.scale, self.height = 1.0, 0
        self.points = 0

    def attempt(self, default: Any, reader: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Return the result of a reader, or `default` and collect the fault."""
        try:
            return reader(*args, **options)
        except Fault as fault:
            self.faults.append(fault)
            return default

    def whole(self, document: object) -> dict[str, Any] | None:
        top = as_object(document, "drawing")
        for key in sorted(set(map(str, top)) - set(TOP)):
            self.faults.append(Fault(_quoted_key(key), "not-known"))
        for key in ("viewBox", "provinces"):
            if key not in top:
                self.faults.append(Fault(key, "missing"))
        if "viewBox" not in top or "provinces" not in top:
            return None
        self._view_box(top["viewBox"])
        shapes = self._shapes(top["provinces"])
        if self.faults:
            self._rest(top, shapes)
            return None
        if (
            sum(drawing_parts.length(ring) for shape in shapes.values() for ring in shape.rings)
            > LONGEST_OUTLINES
        ):
            raise Fault("provinces", "outlines-too-long")
        drawing = self._rest(top, shapes)
        return None if self.faults else drawing

    def _view_box(self, value: object) -> None:
        """Read four finite numbers, as SVG writes them or as a list.

        A fault is raised at once, because everything else needs the view box.
        """
        parts: list[object] = []
        if isinstance(value, str):
            try:
                parts = (
                    [float(part) for part in VIEW_BOX.split(value.strip())]
                    if len(value) < 100
                    else []
                )
            except ValueError:
                parts = []
        elif isinstance(value, list):
            parts = list(value)
        if len(parts) != 4:
            raise Fault("viewBox", "view-box")
        self.left, self.top, width, height = (number(part, "viewBox") for part in parts)
        if width < 1 or height < 1:
            raise Fault("viewBox", "view-box-small")
        if not RATIO[0] <= width / height <= RATIO[1]:
            raise Fault("viewBox", "view-box-ratio", least=RATIO[0], most=RATIO[1])
        self.scale = WIDTH / width
        self.height = round(height * self.scale)

    # Coordinates
    def spot(self, value: object, at: str) -> Spot:
        """Return a point within the sheet."""
        if not isinstance(value, list) or len(value) != 2:
            raise Fault(at, "point")
        x, y = self._placed(number(value[0], at), number(value[1], at))
        if not (0 <= x <= WIDTH and 0 <= y <= self.height):
            raise Fault(at, "outside")
        return x, y

    def _placed(self, x: float, y: float) -> Spot:
        return round((x - self.left) * self.scale, 1), round((y - self.top) * self.scale, 1)

    def lines(
        self, value: object, at: str, *, closed: bool = False
    ) -> list[tuple[drawing_parts.Line, bool]]:
        """Return the parts of a path in tenths of map units, and whether each is closed."""
        if not isinstance(value, str):
            raise Fault(at, "a-path")
        try:
            parts = drawing_parts.read(value)
        except Fault as fault:
            raise fault.at(at) from None
        slack, drawn = MARGIN * max(WIDTH, self.height), []
        for points, shut in parts:
            line: list[drawing_parts.Point] = []
            for point in points:
                x, y = self._placed(*point)
                if not (-slack <= x <= WIDTH + slack and -slack <= y <= self.height + slack):
                    raise Fault(at, "leaves", x=float(point[0]), y=float(point[1]))
                here = (round(x * 10), round(y * 10))
                if not line or line[-1] != here:
                    line.append(here)
            if closed and len(line) > 1 and line[0] == line[-1]:
                line.pop()
            if closed and len(set(line)) < 3:
                continue  # Rounding has made this speck a point.
            drawn.append((tuple(line), closed or shut))
        self.points += sum(len(line) for line, _shut in drawn)
        if self.points > MOST_POINTS:
            raise Fault(at, "too-many-points", most=MOST_POINTS)
        if not drawn:
            raise Fault(at, "no-outline")
        return drawn

    def path(self, value: object, at: str, *, closed: bool = False, empty: bool = False) -> str:
        """Return a path in our own form, written from its numbers."""
        if empty and (value == "" or value is None):
            return ""
        return "".join(
            drawing_parts.path(line, closed=shut)
            for line, shut in self.lines(value, at, closed=closed)
        )

    # Provinces
    def _shapes(self, value: object) -> dict[str, Shape]:
        rows, shapes = as_object(value, "provinces"), {}
        self._same_keys(rows, self.known.provinces, "provinces")
        for key in self.known.provinces:
            if key not in rows:
                continue
            at = f"provinces.{key}"
            shape = self.attempt(None, self._shape, at, rows[key])
            if shape is not None:
                shapes[key] = shape
        return shapes

    def _shape(self, at: str, value: object) -> Shape:
        row = as_object(value, at, ("d",), PROVINCE_OPTIONS)
        rings = [line for line, _shut in self.lines(row["d"], f"{at}.d", closed=True)]
        return Shape(rings, row, (WIDTH, self.height))

    def _same_keys(
        self, drawn: Mapping[str, object], known: Mapping[str, object], where: str
    ) -> None:
        self.faults += [Fault(f"{where}.{key}", "not-drawn") for key in known if key not in drawn]
        self.faults += [
            Fault(f"{where}.{_quoted_key(key)}", "only-drawn") for key in drawn if key not in known
        ]

    def _province(self, key: str, shape: Shape, ends: Mapping[str, Spot]) -> dict[str, Any]:
        row, at, name = shape.row, f"provinces.{key}", self.known.provinces[key][0]
        label = self.spot(row["label"], f"{at}.label") if "label" in row else shape.middle()
        lines = (
            [
                self.text(line, f"{at}.lines.{i}")
                for i, line in enumerate(_list(row["lines"], f"{at}.lines", 4))
            ]
            if ("lines" in row)
            else broken(name)
        )
        if not lines:
            raise Fault(f"{at}.lines", "no-line")
        size = number(row["size"], f"{at}.size", 4, 80) if "size" in row else shape.type_size(lines)
        seat = (
            self._place(row["seat"], f"{at}.seat", name)
            if "seat" in row
            else (name, shape.below(label, size * len(lines)))
        )
        for what, spot in (("label", label), ("seat", seat[1])):
            if not drawing_parts.inside(shape.rings, *spot):
                raise Fault(f"{at}.{what}", "outside-province")
        province: dict[str, Any] = {
            "d": "".join(drawing_parts.path(ring, closed=True) for ring in shape.rings),
            "label": _pair(label),
            "lines": lines,
            "size": tidy(size),
            "seat": {"name": seat[0], "at": _pair(seat[1])},
        }
        if key in self.known.maritime:
            port = (
                self._place(row["port"], f"{at}.port", name)
                if "port" in row
                else (name, shape.nearest(ends.get(key, label)))
            )
            province["port"] = {"name": port[0], "at": _pair(port[1])}
        elif "port" in row:
            raise Fault(f"{at}.port", "not-maritime")
        return province | self._other_names(row, at)

    def _other_names(self, row: Mapping[str, Any], at: str) -> dict[str, list[str]]:
        """Return the other names of a province or nation under their key, if it has any."""
        if other_names.FIELD not in row:
            return {}
        names = other_names.as_other_names(row[other_names.FIELD], f"{at}.{other_names.FIELD}")
        return {other_names.FIELD: names}

    def _place(self, value: object, at: str, name: str) -> tuple[str, Spot]:
        """Return a point with its name, or a point alone with this name."""
        if isinstance(value, Mapping):
            row = as_object(value, at, ("at",), ("name",))
            return self.text(row["name"], f"{at}.name") if "name" in row else name, self.spot(
                row["at"], f"{at}.at"
            )
        return name, self.spot(value, at)

    def text(self, value: object, at: str) -> str:
        if (
            not isinstance(value, str)
            or not value.strip()
            or len(value) > LONGEST_NAME
            or not is_printable(value)
        ):
            raise Fault(at, "printable-name", most=LONGEST_NAME)
        return value

    # The rest
    def _rest(self, top: Mapping[str, Any], shapes: Mapping[str, Shape]) -> dict[str, Any]:
        """Return everything else; if shapes are missing, it is read only for its faults."""
        whole = not self.faults
        middles = {key: shape.middle() for key, shape in shapes.items()}
        ends = {
            a: middles[b]
            for pair in sorted(self.known.routes)
            for a, b in (pair, pair[::-1])
            if b in middles
        }
        provinces = {
            key: self.attempt({}, self._province, key, shape, ends) for key, shape in shapes.items()
        }
        drawing: dict[str, Any] = {
            "scenario": self.known.key,
            "viewBox": [0, 0, WIDTH, self.height],
            "provinces": provinces,
            "nations": self._nations(top.get("nations", {}), middles),
            "aliases": self._aliases(top.get("aliases", {})),
            "regions": (
                self.attempt([], self._regions, top["regions"])
                if "regions" in top
                else self._quarters()
            ),
            "rivers": self.attempt([], self._rivers, top.get("rivers", [])),
            "sea_names": self._names(top, "sea_names", "sea"),
            "land_names": self._names(top, "land_names", "land_labels"),
        }
        for key in ("wasteland", "lakes"):
            drawing[key] = self.attempt(
                "", self.path, top.get(key, ""), key, closed=True, empty=True
            )
        land = self.attempt("", self.path, top.get("land", ""), "land", closed=True, empty=True)
        drawing["land"] = land or "".join(row.get("d", "") for row in provinces.values())
        for key in ("sea_routes", "links", "contacts"):
            drawing[key] = self._ways(top, key)
        drawing["straits"] = {
            "|".join(pair): _pair(
                self.attempt((0.0, 0.0), self.spot, value, f"straits.{'|'.join(pair)}")
            )
            for pair, value in self._pairs(top, "straits")
        }
        self.faults += other_names.twice_used(drawing, other_names.own_names(self.known))
        if whole and not self.faults:
            self._joined(drawing, shapes)
        return drawing

    def _pairs(self, top: Mapping[str, Any], key: str) -> list[tuple[drawing_parts.Pair, object]]:
        table: Mapping[str, object] = self.attempt({}, as_object, top.get(key, {}), key)
        pairs = [
            (self.attempt(None, as_pair, _quoted_key(name), key), value)
            for name, value in table.items()
        ]
        return [(pair, value) for pair, value in pairs if pair is not None]

    def _ways(self, top: Mapping[str, Any], key: str) -> dict[str, str]:
        wanted = self.known.routes if key == "sea_routes" else self.known.borders
        ways = {}
        for pair, value in self._pairs(top, key):
            name = "|".join(pair)
            if pair not in wanted:
                self.faults.append(Fault(f"{key}.{name}", "not-in-scenario"))
            ways[name] = self.attempt("", self.path, value, f"{key}.{name}")
        return ways

    def _joined(self, drawing: dict[str, Any], shapes: Mapping[str, Shape]) -> None:
        """Add the ways that are not drawn.

        Routes are straight lines. Borders that nearly touch get their line, borders across water a
        mark.
        """
        for a, b in sorted(self.known.routes):
            if f"{a}|{b}" not in drawing["sea_routes"]:
                ends = [drawing["provinces"][key]["port"]["at"] for key in (a, b)]
                drawing["sea_routes"][f"{a}|{b}"] = drawing_parts.path(
                    [(round(x * 10), round(y * 10)) for x, y in ends]
                )
        rings = {key: tuple(shape.rings) for key, shape in shapes.items()}
        touching = drawing_parts.contacts(rings)
        marked = {
            as_pair(name, key) for key in ("straits", "links", "contacts") for name in drawing[key]
        }
        for pair in apart(self.known.borders - set(touching) - marked):
            first, second = (shapes[key] for key in pair)
            near = along(first, second)
            if near:
                drawing["contacts"]["|".join(pair)] = "".join(
                    drawing_parts.path(line) for line in near
                )
            else:
                drawing["straits"]["|".join(pair)] = _pair(between(first, second))
        self.faults += border_faults(touching, self.known)

    def _nations(self, value: object, middles: Mapping[str, Spot]) -> dict[str, Any]:
        rows: Mapping[str, object] = self.attempt({}, as_object, value, "nations")
        nations, strange = {}, [key for key in rows if key not in self.known.nations]
        self.faults += [Fault(f"nations.{_quoted_key(key)}", "only-drawn") for key in strange]
        taken = {HOUSE[key] for key in self.known.nations if key in HOUSE}
        free = [pattern for pattern in PATTERNS if pattern not in taken] or list(PATTERNS)
        for i, (key, (name, capital)) in enumerate(self.known.nations.items()):
            usual = {
                "adjective": name,
                "pattern": HOUSE.get(key) or free[i % len(free)],
                "text": "#2e2115",
                "label": middles.get(capital, (0.0, 0.0)),
            }
            nations[key] = self.attempt(
                {}, self._nation, f"nations.{key}", rows.get(key, {}), usual
            )
        return nations

    def _nation(self, at: str, value: object, usual: Mapping[str, Any]) -> dict[str, Any]:
        row = as_object(value, at, (), (*usual, *SPOKEN, other_names.FIELD))
        if row.get("pattern", usual["pattern"]) not in PATTERNS:
            raise Fault(f"{at}.pattern", "one-of", values=PATTERNS)
        ink = row.get("text", usual["text"])
        if not isinstance(ink, str) or not re.fullmatch("#[0-9a-fA-F]{6}", ink):
            raise Fault(f"{at}.text", "colour")
        return {
            "adjective": self.text(row.get("adjective", usual["adjective"]), f"{at}.adjective"),
            "pattern": row.get("pattern", usual["pattern"]),
            "text": ink.lower(),
            "label": _pair(
                self.spot(row["label"], f"{at}.label") if "label" in row else usual["label"]
            ),
            **as_spoken(row, at, self.text),
            **self._other_names(row, at),
        }

    def _aliases(self, value: object) -> dict[str, list[str]]:
        rows: Mapping[str, object] = self.attempt({}, as_object, value, "aliases")
        aliases: dict[str, list[str]] = {}
        self.faults += [
            Fault(f"aliases.{_quoted_key(key)}", "no-army")
            for key in rows
            if key not in self.known.armies
        ]
        for army in sorted(self.known.armies):
            at = f"aliases.{army}"
            spellings = self.attempt([], _list, rows.get(army, [army]), at, 20)
            aliases[army] = [
                self.attempt(army, self.text, spelling, at) for spelling in spellings
            ] or [army]
        return aliases

    def _regions(self, value: object) -> list[dict[str, Any]]:
        regions = []
        for i, item in enumerate(_list(value, "regions", MOST_REGIONS)):
            at = f"regions.{i}"
            row = as_object(item, at, ("key", "name", "centre", "zoom"))
            regions.append(
                {
                    "key": self.text(row["key"], f"{at}.key"),
                    "name": self.text(row["name"], f"{at}.name"),
                    "centre": _pair(self.spot(row["centre"], f"{at}.centre")),
                    "zoom": tidy(number(row["zoom"], f"{at}.zoom", 1, 8)),
                }
            )
        return regions

    def _quarters(self) -> list[dict[str, Any]]:
        """Return the sheets of a map that is too crowded for a telephone."""
        return regions(self.height) if len(self.known.provinces) > WHOLE_UP_TO else []

    def _rivers(self, value: object) -> list[dict[str, Any]]:
        rivers = []
        for i, item in enumerate(_list(value, "rivers", MOST_ITEMS)):
            at = f"rivers.{i}"
            row = as_object(item, at, ("name", "d"), ("class",))
            width = next((kind for kind in (1, 2, 3) if kind == row.get("class", 1)), None)
            if width is None:
                raise Fault(f"{at}.class", "river-class")
            rivers.append(
                {
                    "name": self.text(row["name"], f"{at}.name"),
                    "class": width,
                    "d": self.path(row["d"], f"{at}.d"),
                }
            )
        return rivers

    def _names(self, top: Mapping[str, Any], key: str, other: str) -> list[dict[str, Any]]:
        where = other if other in top and key not in top else key
        rows = self.attempt([], _list, top.get(where, []), where, MOST_ITEMS)
        names = [self.attempt({}, self._name, row, f"{where}.{i}") for i, row in enumerate(rows)]
        return [name for name in names if name]

    def _name(self, value: object, at: str) -> dict[str, Any]:
        row = as_object(value, at, ("name", "x", "y"), ("size", "rotate"))
        x, y = self.spot([row["x"], row["y"]], at)
        return {
            "name": self.text(row["name"], f"{at}.name"),
            "x": tidy(x),
            "y": tidy(y),
            "size": tidy(number(row.get("size", 11), f"{at}.size", 4, 80)),
            "rotate": tidy(number(row.get("rotate", 0), f"{at}.rotate", -360, 360)),
        }


def _list(value: object, at: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise Fault(at, "list")
    if len(value) > most:
        raise Fault(at, "too-many-entries", most=most)
    return value


def _pair(spot: Spot) -> list[float | int]:
    return [tidy(spot[0]), tidy(spot[1])]


def _quoted_key(key: str) -> str:
    """Return a key that a user typed in a form that an error may show."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in key[:40])


# The parts that a drawing leaves out, computed from its outlines: the places of names, the borders,
# the ports.

__all__ = ["Shape", "Spot", "along", "apart", "between", "broken"]

Spot = tuple[float, float]
Cells = dict[Point, list[Point]]
NEAR = 30
"""The distance in tenths at which two outlines are the same border, drawn twice."""
STEP = 20
"""The distance in tenths between the points that are checked along an outline."""
LEAST = 60
"""The length in tenths below which a line is a corner and not a border."""
GRAIN = 5
"""The distance in tenths at which a single point represents several."""
MOST_APART = 600
"""The most borders that are checked: 150 provinces side by side have at most 444 borders."""
MANIFOLD = 10
GRID = 12
FEW = 240


class Shape:
    """A province's outline in tenths of map units, its row, and the sheet's size in map units."""

    def __init__(
        self, rings: Sequence[Line], row: Mapping[str, Any], sheet: tuple[int, int]
    ) -> None:
        self.rings, self.row, self.sheet = list(rings), row, sheet

    def on_sheet(self, spot: Spot) -> bool:
        return 0 <= spot[0] <= self.sheet[0] and 0 <= spot[1] <= self.sheet[1]

    def _here(self, spot: Spot) -> bool:
        return self.on_sheet(spot) and parts.inside(self.rings, *spot)

    @cached_property
    def largest(self) -> Line:
        return max(self.rings, key=lambda ring: abs(_area(ring)))

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of its largest part."""
        xs, ys = [x for x, _ in self.largest], [y for _, y in self.largest]
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def walked(self) -> list[Point]:
        return list(_walked(self.rings))

    @cached_property
    def few(self) -> list[Point]:
        """Points of its outlines, few enough to compare with each other."""
        return self.walked[:: max(1, len(self.walked) // FEW)]

    @cached_property
    def cells(self) -> Cells:
        """The points of its outlines by squares, with a single point for each `GRAIN`."""
        kept = {(x // GRAIN, y // GRAIN): (x, y) for x, y in reversed(self.walked)}
        points_by_cell: Cells = {}
        for x, y in kept.values():
            points_by_cell.setdefault((x // NEAR, y // NEAR), []).append((x, y))
        return points_by_cell

    def middle(self) -> Spot:
        """Return the point of a grid inside the shape that is farthest from the outline."""
        return self._middle

    @cached_property
    def _middle(self) -> Spot:
        left, top, right, bottom = self.box
        # Names are wide, so distances to the sides count less than those above and below.
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
        """Return the middle of a line across the shape, which the grid missed."""
        ring, (left, top, right, bottom) = self.largest, self.box
        for i in range(1, 40):
            y = top + (bottom - top) * i / 40
            across = sorted(
                ax + (y - ay) * (bx - ax) / (by - ay)
                for (ax, ay), (bx, by) in pairwise((*ring, ring[0]))
                if (ay > y) != (by > y)
            )
            for first, second in zip(across[::2], across[1::2], strict=False):
                spot = round((first + second) / 20, 1), round(y / 10, 1)
                if self._here(spot):
                    return spot
        return (left + right) / 20, (top + bottom) / 20

    def type_size(self, lines: Sequence[str]) -> float:
        """Return the size at which a name fits its land, in map units."""
        left, top, right, bottom = self.box
        wide = (right - left) / 10 * 0.8 / (0.52 * max(map(len, lines)))
        return round(2 * max(7.0, min(20.0, wide, (bottom - top) / 10 * 0.4 / len(lines)))) / 2

    def below(self, label: Spot, room: float) -> Spot:
        """Return the place of the seat: below the name, above it, or at the name."""
        x, y = label
        spots = [(x, round(y + sign * (room / 2 + 9), 1)) for sign in (1, -1)]
        return next((spot for spot in spots if self._here(spot)), label)

    def nearest(self, goal: Spot) -> Spot:
        """Return the point of its outlines on the sheet that is nearest to another point."""
        every = [(x / 10, y / 10) for ring in self.rings for x, y in ring]
        spots = filter(self.on_sheet, every)
        return min(spots, key=lambda spot: (dist(spot, goal), spot), default=self.middle())


def _farther(spot: Spot, points: Iterable[Spot], than: float) -> float:
    """Return the distance of the nearest of these points, or -1 if it is at most `than`."""
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
    """Return the borders whose provinces do not touch in the drawing, in order.

    Raises `Fault` if there are more than any map has.
    """
    ordered = sorted(pairs)
    if len(ordered) > MOST_APART:
        raise Fault("provinces", "too-many-apart", most=MOST_APART)
    return ordered


def along(a: Shape, b: Shape) -> list[Line]:
    """Return the lines where the outlines of two shapes run close: a border drawn twice.

    They are lines of `a`, unless `b` has far fewer points; that limits the work for a hostile
    drawing.
    """
    if len(b.walked) * MANIFOLD < len(a.walked):
        a, b = b, a
    known: dict[Point, bool] = {}
    lines: list[Line] = []
    line: list[Point] = []
    for ring in a.rings:
        for point in _walked([ring]):
            grain = point[0] // GRAIN, point[1] // GRAIN
            if grain not in known:
                known[grain] = _close(point, b.cells)
            if known[grain]:
                line.append(point)
                continue
            lines, line = _cleaned_line(lines, line), []
        lines, line = _cleaned_line(lines, line), []
    return lines


def _cleaned_line(lines: list[Line], line: list[Point]) -> list[Line]:
    whole = tuple(line)
    return [*lines, whole] if len(line) > 1 and parts.length(whole) * 10 >= LEAST else lines


def _close(point: Point, cells: Mapping[Point, Iterable[Point]]) -> bool:
    column, row = point[0] // NEAR, point[1] // NEAR
    return any(
        dist(point, other) <= NEAR
        for i in (-1, 0, 1)
        for k in (-1, 0, 1)
        for other in cells.get((column + i, row + k), ())
    )


def _walked(rings: Iterable[Line]) -> Iterator[Point]:
    """Yield the outlines' points, with additional points between those that are far apart."""
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            steps = max(1, round(dist((ax, ay), (bx, by)) / STEP))
            for i in range(steps):
                yield ax + (bx - ax) * i // steps, ay + (by - ay) * i // steps
        yield ring[0]


def between(a: Shape, b: Shape) -> Spot:
    """Return the middle of the shortest way between two shapes."""
    _far, (ax, ay), (bx, by) = min(
        (dist(point, other), point, other) for point in a.few for other in b.few
    )
    return round((ax + bx) / 20, 1), round((ay + by) / 20, 1)
