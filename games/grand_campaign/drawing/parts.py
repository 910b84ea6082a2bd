"""Readers of the parts of a drawing, paths of SVG, and the facts of a scenario for its drawing.

The readers raise `Fault` with the key that is wrong.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from engine.language import LANGUAGES, PEOPLE, STATE, articles_of
from games.grand_campaign.rules.numbers import Fault

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object, and refuse a key that is given twice; a hook for `json.loads`."""
    out: dict[str, object] = {}
    for key, value in pairs:
        if key in out:
            raise Fault(key, "given-twice")
        out[key] = value
    return out


def as_object(
    value: object,
    at: str,
    required: Collection[str] | None = None,
    optional: Collection[str] = (),
    *,
    root: bool = False,
) -> Mapping[str, object]:
    """Return an object.

    With `required`, it must have these keys and may have the optional ones, but no others.
    """
    if not isinstance(value, Mapping):
        raise Fault(at, "object")
    if required is not None:
        within = "" if root else f"{at}."
        for key in required:
            if key not in value:
                raise Fault(f"{within}{key}", "missing")
        for key in value:
            if key not in required and key not in optional:
                raise Fault(f"{within}{key}", "not-known")
    return value


SPOKEN = ("spoken", "article", *LANGUAGES[1:])
"""The keys of a nation's grammar, which may be left out."""


def as_spoken(
    row: Mapping[str, object], at: str, text: Callable[[object, str], str]
) -> dict[str, Any]:
    """Return the grammar in a nation's row as it is kept; `text` reads a name."""
    out: dict[str, Any] = {key: row[key] for key in ("spoken", "article") if key in row}
    if out.get("spoken", PEOPLE) not in (PEOPLE, STATE):
        raise Fault(f"{at}.spoken", "one-of", values=(PEOPLE, STATE))
    if type(out.get("article", True)) is not bool:
        raise Fault(f"{at}.article", "boolean")
    for language in LANGUAGES[1:]:
        if language not in row:
            continue
        here, articles = f"{at}.{language}", articles_of(language)
        own = as_object(row[language], here, ("name",), ("article", "gender"))
        article = own.get("article", "")
        article = article.replace("'", "’") if isinstance(article, str) else article
        if article not in ("", *articles):
            raise Fault(f"{here}.article", "one-of", values=articles)
        if own.get("gender", "f") not in ("m", "f"):
            raise Fault(f"{here}.gender", "one-of", values=("m", "f"))
        out[language] = {
            **own,
            "name": text(own["name"], f"{here}.name"),
            **({"article": article} if "article" in own else {}),
        }
    return out


def as_list(value: object, at: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise Fault(at, "list")
    return list(value)


def as_text(value: object, at: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Fault(at, "text-not-empty")
    return value


def as_hex(value: object, at: str) -> str:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Fault(at, "colour")
    return value.lower()


def as_number(value: object, at: str, least: float, most: float) -> float:
    # True is an `int` in Python. The chained comparison refuses NaN.
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise Fault(at, "number-from-to", least=least, most=most)
    return value


def as_point(value: object, at: str, width: int, height: int) -> tuple[float, float]:
    items = as_list(value, at)
    if len(items) != 2:
        raise Fault(at, "point")
    return as_number(items[0], f"{at}.0", 0, width), as_number(items[1], f"{at}.1", 0, height)


def as_path(value: object, at: str, *, closed: bool = False, empty: bool = False) -> str:
    """Return a path in our own form; if `closed`, every part is a ring of at least three points."""
    if empty and value == "":
        return ""
    if not isinstance(value, str) or not is_path(value):
        raise Fault(at, "no-path")
    if closed and (value.count("M") != value.count("z") or min(map(len, path_parts(value))) < 3):
        raise Fault(at, "no-ring")
    return value


def as_pair(key: str, where: str) -> Pair:
    """Return the two keys of `a|b`, which must be in alphabetical order."""
    a, bar, b = key.partition("|")
    if not bar or not a < b:
        raise Fault(f"{where}.{key}", "pair-order")
    return a, b


def same_keys(drawn: Collection[str], known: Collection[str], where: str) -> None:
    for key in known:
        if key not in drawn:
            raise Fault(f"{where}.{key}", "not-drawn")
    for key in drawn:
        if key not in known:
            raise Fault(f"{where}.{key}", "only-drawn")


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a scenario that a drawing needs, in the scenario's order."""

    key: str
    nations: dict[str, tuple[str, str]]  # name, capital
    provinces: dict[str, tuple[str, str, str | None]]  # name, kind, owner
    borders: frozenset[Pair]
    routes: frozenset[Pair]
    maritime: frozenset[str]
    armies: frozenset[str]


def facts(scenario: Mapping[str, object]) -> Facts:
    """Return the facts of a scenario object.

    Raises `Fault` at `scenario.…` for what would break a drawing; scenarios are checked completely
    where they are loaded.
    """
    top = as_object(scenario, "scenario")
    for key in ("key", "nations", "provinces", "borders", "sea_routes"):
        if key not in top:
            raise Fault(f"scenario.{key}", "missing")
    nations: dict[str, tuple[str, str]] = {}
    provinces: dict[str, tuple[str, str, str | None]] = {}
    armies, maritime = set(), set()
    for i, item in enumerate(as_list(top["nations"], "scenario.nations")):
        key, row = _row(item, f"scenario.nations.{i}", nations)
        at = f"scenario.nations.{key}"
        nations[key] = (
            as_text(row.get("name"), f"{at}.name"),
            as_text(row.get("capital"), f"{at}.capital"),
        )
        armies.add(as_text(row.get("army"), f"{at}.army"))
    for i, item in enumerate(as_list(top["provinces"], "scenario.provinces")):
        key, row = _row(item, f"scenario.provinces.{i}", provinces)
        at, kind, owner = f"scenario.provinces.{key}", row.get("kind"), row.get("owner")
        if kind not in ("nation", "independent", "external"):
            raise Fault(f"{at}.kind", "kind")
        if owner is not None and owner not in nations:
            raise Fault(f"{at}.owner", "no-nation")
        provinces[key] = (
            as_text(row.get("name"), f"{at}.name"),
            str(kind),
            None if owner is None else str(owner),
        )
        armies.add(as_text(row.get("army"), f"{at}.army"))
        if row.get("maritime") is True:
            maritime.add(key)
    for key, (_, capital) in nations.items():
        if capital not in provinces:
            raise Fault(f"scenario.nations.{key}.capital", "no-province")
    borders = _scenario_pairs(top["borders"], "scenario.borders", provinces)
    routes = _scenario_pairs(top["sea_routes"], "scenario.sea_routes", provinces)
    maritime.update(key for pair in routes for key in pair)
    return Facts(
        as_text(top["key"], "scenario.key"),
        nations,
        provinces,
        borders,
        routes,
        frozenset(maritime),
        frozenset(armies),
    )


def _row(item: object, at: str, known: Collection[str]) -> tuple[str, Mapping[str, object]]:
    row = as_object(item, at)
    key = as_text(row.get("key"), f"{at}.key")
    if key in known:
        raise Fault(f"{at}.key", "key-given-twice", key=key)
    return key, row


def _scenario_pairs(value: object, where: str, provinces: Collection[str]) -> frozenset[Pair]:
    out: set[Pair] = set()
    for i, item in enumerate(as_list(value, where)):
        ends = as_list(item, f"{where}.{i}")
        if len(ends) != 2 or ends[0] == ends[1]:
            raise Fault(f"{where}.{i}", "joins-two")
        for end in ends:
            if end not in provinces:
                raise Fault(f"{where}.{i}", "no-such-province", key=str(end))
        a, b = sorted(map(str, ends))
        if (a, b) in out:
            raise Fault(f"{where}.{i}", "given-twice")
        out.add((a, b))
    return frozenset(out)


# Outlines of provinces: paths read and written, and the lines along which two provinces touch.
#
# A path here has the form that the map's makers write: an absolute start, relative steps, and one
# decimal (`M1 2l3 0.5-1 2z`). Points are whole numbers in tenths of a map unit, so that shared
# lines are exactly equal.

Point: TypeAlias = tuple[int, int]
Line: TypeAlias = tuple[Point, ...]
Pair: TypeAlias = tuple[str, str]

_NUMBER = r"-?(?:\d{1,5}(?:\.\d)?|\.\d)"
_STEP = rf"(?:[ ,]?{_NUMBER})"
PATH = re.compile(rf"(?:M{_NUMBER}[ ,]?{_NUMBER}(?:l(?:{_STEP}{_STEP})+)?z?)+")
_PART = re.compile(r"M([^M]+)")
_FIND = re.compile(_NUMBER)


def is_path(d: str) -> bool:
    """Return whether the text is a path of this form."""
    return PATH.fullmatch(d) is not None


def _tenths(text: str) -> int:
    whole, _, decimal = text.partition(".")
    value = int(whole.lstrip("-") or 0) * 10 + int(decimal or 0)
    return -value if text.startswith("-") else value


def path_parts(d: str) -> tuple[Line, ...]:
    """Return the parts of a path without repeated points; `d` must be a path."""
    out = []
    for part in _PART.findall(d):
        numbers = [_tenths(v) for v in _FIND.findall(part)]
        x, y = numbers[0], numbers[1]
        points = [(x, y)]
        for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
            if dx or dy:
                x, y = x + dx, y + dy
                points.append((x, y))
        out.append(tuple(points))
    return tuple(out)


def _decimal(tenths: int) -> str:
    sign, (whole, decimal) = "-" if tenths < 0 else "", divmod(abs(tenths), 10)
    return f"{sign}{whole}.{decimal}" if decimal else f"{sign}{whole}"


def path(line: Sequence[Point], *, closed: bool = False) -> str:
    """Return the path of a line."""
    (x, y), steps = line[0], []
    for nx, ny in line[1:]:
        steps.append(f"{_decimal(nx - x)} {_decimal(ny - y)}")
        x, y = nx, ny
    start = f"M{_decimal(line[0][0])} {_decimal(line[0][1])}"
    body = f"l{' '.join(steps)}".replace(" -", "-") if steps else ""
    return start + body + ("z" if closed else "")


def inside(rings: Iterable[Line], x: float, y: float) -> bool:
    """Return whether a point (in map units) is in an outline, by the even-odd rule."""
    px, py, odd = x * 10, y * 10, False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > py) != (by > py) and px < (bx - ax) * (py - ay) / (by - ay) + ax:
                odd = not odd
            ax, ay = bx, by
    return odd


def length(line: Line) -> float:
    """Return the length of a line in map units."""
    total = 0.0
    for (ax, ay), (bx, by) in pairwise(line):
        total += float(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
    return total / 10


def contacts(outlines: Mapping[str, Iterable[Line]]) -> dict[Pair, tuple[Line, ...]]:
    """Return the shared lines of each two provinces that touch, in alphabetical order."""
    seen: dict[tuple[Point, Point], list[str]] = defaultdict(list)
    for key, rings in outlines.items():
        for segment in _segments(rings):
            seen[segment].append(key)
    shared: dict[Pair, list[tuple[Point, Point]]] = defaultdict(list)
    for segment, keys in seen.items():
        if len(keys) == 2 and keys[0] != keys[1]:
            first, second = sorted(keys)
            shared[first, second].append(segment)
    return {pair: _chained(segments) for pair, segments in sorted(shared.items())}


def outer(outlines: Mapping[str, Iterable[Line]]) -> tuple[Line, ...]:
    """Return the lines that only a single province has, which are the coast of all together."""
    seen: dict[tuple[Point, Point], int] = defaultdict(int)
    for rings in outlines.values():
        for segment in _segments(rings):
            seen[segment] += 1
    return _chained([segment for segment, times in seen.items() if times == 1])


def area(ring: Line) -> float:
    """Return the area of a ring, in square tenths."""
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]))) / 2


def _segments(rings: Iterable[Line]) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of rings, each from its lesser end."""
    for ring in rings:
        for a, b in pairwise([ring[-1], *ring]):
            if a != b:
                yield (a, b) if a < b else (b, a)


def _chained(segments: Iterable[tuple[Point, Point]]) -> tuple[Line, ...]:
    ends: dict[Point, list[Point]] = defaultdict(list)
    for a, b in segments:
        ends[a].append(b)
        ends[b].append(a)
    used: set[tuple[Point, Point]] = set()
    out = []
    # Open ends come first, so that only rings are cut at an arbitrary point.
    for start in sorted(ends, key=lambda p: (len(ends[p]) == 2, p)):
        for after in ends[start]:
            line, a, b = [start], start, after
            while (min(a, b), max(a, b)) not in used:
                used.add((min(a, b), max(a, b)))
                line.append(b)
                go = [c for c in ends[b] if (min(b, c), max(b, c)) not in used]
                if len(ends[b]) != 2 or not go:
                    break
                a, b = b, go[0]
            if len(line) > 1:
                out.append(tuple(line))
    return tuple(out)


# Paths of drawing programs, read into plain lines: the alphabet is M L H V C S Q T A Z and numbers.
#
# Curves become lines. The result consists of points; none of the original text remains.

Spot = tuple[float, float]
LONGEST = 200_000
"""The most characters of a path."""
MOST_POINTS = 40_000
"""The most points of a path, with its curves as lines."""
FARTHEST = 1_000_000.0
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
TOKEN = re.compile(
    r"[ \t\r\n,]*([MmLlHhVvCcSsQqTtAaZz]"
    r"|[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,3})?)",
    re.ASCII,
)
FLAG = re.compile(r"[ \t\r\n,]*([01])", re.ASCII)
BLANK = " \t\r\n,"


def read(d: str) -> list[tuple[list[Spot], bool]]:
    """Return the parts of a path: their points in its own units, and whether each is closed.

    Raises `Fault`.
    """
    if len(d) > LONGEST:
        raise Fault("", "path-too-long", most=LONGEST)
    pen = _Pen()
    for letter, numbers in _commands(d):
        pen.draw(letter, numbers)
    if not pen.parts:
        raise Fault("", "no-path")
    return [(points, closed) for points, closed in pen.parts if len(points) > 1 or closed]


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command with its numbers.

    A letter may be followed by numbers for several commands.
    """
    at, letter, is_new_letter, end = 0, "", False, len(d.rstrip(BLANK))
    while at < end:
        match = TOKEN.match(d, at)
        if match is None:
            raise Fault("", "path-sign", at=at + 1)
        if match[1].isalpha():
            letter, at, is_new_letter = match[1], match.end(), True
            if letter in "Zz":
                yield letter, []
                is_new_letter = False
                continue
        if not letter or (letter in "Zz" and not is_new_letter):
            raise Fault("", "path-number-alone" if letter else "path-begins", at=at + 1)
        numbers, at = _numbers(d, at, letter)
        yield letter, numbers
        is_new_letter = False
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _numbers(d: str, at: int, letter: str) -> tuple[list[float], int]:
    numbers: list[float] = []
    for n in range(ARGUMENTS[letter.upper()]):
        match = (FLAG if letter in "Aa" and n in (3, 4) else TOKEN).match(d, at)
        if match is None or match[1].isalpha():
            raise Fault("", "path-too-few", letter=letter, at=at + 1)
        value = float(match[1])
        if not math.isfinite(value) or abs(value) > FARTHEST:
            raise Fault("", "path-number", at=at + 1)
        numbers.append(value)
        at = match.end()
    return numbers, at


class _Pen:
    """A pen that follows the commands."""

    def __init__(self) -> None:
        self.parts: list[tuple[list[Spot], bool]] = []
        self.at: Spot = (0.0, 0.0)
        self.control: Spot | None = None
        self.last = ""
        self.count = 0

    def draw(self, letter: str, n: list[float]) -> None:
        upper, (x, y) = letter.upper(), self.at
        if not self.parts and upper != "M":
            raise Fault("", "path-begins")
        dx, dy = (x, y) if letter.islower() else (0.0, 0.0)
        if upper == "M":
            self._open((n[0] + dx, n[1] + dy))
        elif upper == "Z":
            self.parts[-1] = (self.parts[-1][0], True)
            self.at = self.parts[-1][0][0]
        else:
            if self.parts[-1][1]:  # After z a part goes on from where the last one began.
                self._open(self.at)
            getattr(self, f"_{upper.lower()}")(n, dx, dy)
        self.last = upper

    def _open(self, at: Spot) -> None:
        self.parts.append(([], False))
        self._to(at)

    def _to(self, at: Spot) -> None:
        self.count += 1
        if self.count > MOST_POINTS:
            raise Fault("", "path-points", most=MOST_POINTS)
        if max(abs(at[0]), abs(at[1])) > FARTHEST:
            raise Fault("", "path-far")
        self.parts[-1][0].append(at)
        self.at = at

    def _l(self, n: list[float], dx: float, dy: float) -> None:
        self._to((n[0] + dx, n[1] + dy))

    def _h(self, n: list[float], dx: float, dy: float) -> None:
        self._to((n[0] + dx, self.at[1]))

    def _v(self, n: list[float], dx: float, dy: float) -> None:
        self._to((self.at[0], n[0] + dy))

    def _c(self, n: list[float], dx: float, dy: float) -> None:
        self._curve(
            (self.at, (n[0] + dx, n[1] + dy), (n[2] + dx, n[3] + dy), (n[4] + dx, n[5] + dy))
        )

    def _s(self, n: list[float], dx: float, dy: float) -> None:
        self._curve((self.at, self._mirror("CS"), (n[0] + dx, n[1] + dy), (n[2] + dx, n[3] + dy)))

    def _q(self, n: list[float], dx: float, dy: float) -> None:
        self._curve((self.at, (n[0] + dx, n[1] + dy), (n[2] + dx, n[3] + dy)))

    def _t(self, n: list[float], dx: float, dy: float) -> None:
        self._curve((self.at, self._mirror("QT"), (n[0] + dx, n[1] + dy)))

    def _mirror(self, after: str) -> Spot:
        if self.control is None or self.last not in after:
            return self.at
        return 2 * self.at[0] - self.control[0], 2 * self.at[1] - self.control[1]

    def _curve(self, points: tuple[Spot, ...]) -> None:
        self.control = points[-2]
        self._along(lambda t: _bezier(points, t), STEPS, points[-1])

    def _a(self, n: list[float], dx: float, dy: float) -> None:
        self._arc(
            abs(n[0]), abs(n[1]), math.radians(n[2]), bool(n[3]), bool(n[4]), (n[5] + dx, n[6] + dy)
        )

    def _along(self, where: Callable[[float], Spot], steps: int, end: Spot) -> None:
        for i in range(1, steps):
            self._to(where(i / steps))
        self._to(end)

    def _arc(self, rx: float, ry: float, turn: float, large: bool, sweep: bool, end: Spot) -> None:
        """Draw an arc by its centre, with the formulas in the appendix of the SVG specification."""
        (x1, y1), (x2, y2) = self.at, end
        if (x1, y1) == (x2, y2):
            return
        if not rx or not ry:
            self._to(end)
            return
        cos, sin = math.cos(turn), math.sin(turn)
        hx, hy = (x1 - x2) / 2, (y1 - y2) / 2
        px, py = cos * hx + sin * hy, cos * hy - sin * hx
        if (over := (px / rx) ** 2 + (py / ry) ** 2) > 1:
            rx, ry = rx * math.sqrt(over), ry * math.sqrt(over)
        below = (rx * py) ** 2 + (ry * px) ** 2
        root = math.sqrt(max(0.0, ((rx * ry) ** 2 - below) / below)) if below else 0.0
        root = -root if large == sweep else root
        qx, qy = root * rx * py / ry, -root * ry * px / rx
        cx, cy = cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2
        first = math.atan2((py - qy) / ry, (px - qx) / rx)
        span = math.atan2((-py - qy) / ry, (-px - qx) / rx) - first
        if sweep and span < 0:
            span += 2 * math.pi
        elif not sweep and span > 0:
            span -= 2 * math.pi

        def where(t: float) -> Spot:
            a = first + span * t
            ex, ey = rx * math.cos(a), ry * math.sin(a)
            return cx + cos * ex - sin * ey, cy + sin * ex + cos * ey

        self._along(where, max(2, math.ceil(STEPS * 2 * abs(span) / math.pi)), end)


STEPS = 10
"""The number of lines in place of a curve.

They are the same if the curve is drawn from the other end, so that neighbours' lines meet.
"""


def _bezier(points: tuple[Spot, ...], t: float) -> Spot:
    while len(points) > 1:
        points = tuple(
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)
        )
    return points[0]


def thinned(paths: Sequence[str], far: float, grid: int = 1) -> list[str]:
    """Return the paths with fewer points, at most `far` from the old lines, on a grid.

    Both are in tenths. Lines of several paths that coincide still coincide: each stretch between
    two meetings is thinned once.
    """
    read = [
        [(line, d.endswith("z", 0, end)) for line, end in zip(path_parts(d), _ends(d), strict=True)]
        for d in paths
    ]
    beside: defaultdict[Point, set[Point]] = defaultdict(set)
    meetings: set[Point] = set()
    for line, closed in (line for path_read in read for line in path_read):
        meetings.update(() if closed else (line[0], line[-1]))
        for a, b in pairwise([*line, line[0]] if closed else line):
            beside[a].add(b)
            beside[b].add(a)
    meetings |= {point for point, others in beside.items() if len(others) != 2}
    return [
        "".join(
            path(_on(grid, _thin(line, closed, meetings, far)), closed=closed)
            for line, closed in lines
        )
        for lines in read
    ]


def _on(grid: int, line: Line) -> Line:
    """Return the line on the grid's points, or unchanged if nothing would be left of it."""
    moved = tuple(
        point
        for point, _same in groupby(
            (round(x / grid) * grid, round(y / grid) * grid) for x, y in line
        )
    )
    return moved if len(set(moved)) > 2 or len(set(moved)) == len(line) else line


def _ends(d: str) -> Iterator[int]:
    return (part.end() for part in _PART.finditer(d))


def _thin(line: Line, closed: bool, meetings: Collection[Point], far: float) -> Line:
    """Return a line with fewer points.

    A ring that meets no other line is cut at the same two points, wherever it begins.
    """
    if closed:
        at = next((n for n, point in enumerate(line) if point in meetings), line.index(min(line)))
        line = (*line[at:], *line[:at], line[at])
    cuts = sorted({0, len(line) - 1, *(n for n, point in enumerate(line) if point in meetings)})
    out = [line[0]]
    for a, b in pairwise(cuts):
        stretch = line[a : b + 1]
        if stretch[0] == stretch[-1]:
            middle = _farthest(stretch)
            out += _straightened(stretch[: middle + 1], far)[1:]
            stretch = stretch[middle:]
        out += _straightened(stretch, far)[1:]
    if closed:
        out.pop()
        return tuple(out) if len(out) > 2 else line[:-1]
    return tuple(out)


def _farthest(line: Line) -> int:
    """Return the index of the point that is farthest from the first."""
    return max(range(len(line)), key=lambda n: (math.dist(line[0], line[n]), line[n]))


def _straightened(stretch: Line, far: float) -> Line:
    """Return the stretch without points nearer to it than `far`; it is the same from either end."""
    # Shapely takes longer to load than all titles, and few maps need it.
    from shapely import LineString

    if len(stretch) < 3:
        return stretch
    turned = stretch[-1] < stretch[0]
    points = (
        LineString(stretch[::-1] if turned else stretch)
        .simplify(far, preserve_topology=False)
        .coords
    )
    out = tuple((round(x), round(y)) for x, y in points)
    return out[::-1] if turned else out
