"""Paths as drawing programs write them, read into plain lines: the alphabet is M L H V C S Q T A Z and numbers.

Curves become lines. What comes out is points; the text that came in goes nowhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from games.grand_campaign.faults import Fault

Spot = tuple[float, float]
LONGEST = 200_000
"""Characters of one path."""
MOST_POINTS = 40_000
"""Points of one path, curves resolved."""
FARTHEST = 1_000_000.0
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
TOKEN = re.compile(r"[ \t\r\n,]*([MmLlHhVvCcSsQqTtAaZz]|[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,3})?)", re.ASCII)
FLAG = re.compile(r"[ \t\r\n,]*([01])", re.ASCII)
BLANK = " \t\r\n,"


def read(d: str) -> list[tuple[list[Spot], bool]]:
    """The parts of a path: their points in its own units, and whether each is closed. Raises `Fault`."""
    if len(d) > LONGEST:
        raise Fault("", "path-too-long", most=LONGEST)
    pen = _Pen()
    for letter, numbers in _commands(d):
        pen.draw(letter, numbers)
    if not pen.parts:
        raise Fault("", "no-path")
    return [(points, closed) for points, closed in pen.parts if len(points) > 1 or closed]


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with the numbers of one time; a letter may be followed by numbers for many."""
    at, letter, fresh, end = 0, "", False, len(d.rstrip(BLANK))
    while at < end:
        found = TOKEN.match(d, at)
        if found is None:
            raise Fault("", "path-sign", at=at + 1)
        if found[1].isalpha():
            letter, at, fresh = found[1], found.end(), True
            if letter in "Zz":
                yield letter, []
                fresh = False
                continue
        if not letter or (letter in "Zz" and not fresh):
            raise Fault("", "path-number-alone" if letter else "path-begins", at=at + 1)
        numbers, at = _numbers(d, at, letter)
        yield letter, numbers
        fresh = False
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _numbers(d: str, at: int, letter: str) -> tuple[list[float], int]:
    made: list[float] = []
    for n in range(ARGUMENTS[letter.upper()]):
        found = (FLAG if letter in "Aa" and n in (3, 4) else TOKEN).match(d, at)
        if found is None or found[1].isalpha():
            raise Fault("", "path-too-few", letter=letter, at=at + 1)
        value = float(found[1])
        if not math.isfinite(value) or abs(value) > FARTHEST:
            raise Fault("", "path-number", at=at + 1)
        made.append(value)
        at = found.end()
    return made, at


class _Pen:
    """Follows the commands."""

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
            if self.parts[-1][1]:  # after z a part goes on from where it began
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
        self._curve((self.at, (n[0] + dx, n[1] + dy), (n[2] + dx, n[3] + dy), (n[4] + dx, n[5] + dy)))

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
        self._arc(abs(n[0]), abs(n[1]), math.radians(n[2]), bool(n[3]), bool(n[4]), (n[5] + dx, n[6] + dy))

    def _along(self, where: Callable[[float], Spot], steps: int, end: Spot) -> None:
        for i in range(1, steps):
            self._to(where(i / steps))
        self._to(end)

    def _arc(self, rx: float, ry: float, turn: float, large: bool, sweep: bool, end: Spot) -> None:
        """By its centre, as the specification of SVG reckons it (appendix on elliptical arcs)."""
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
"""Lines in place of one curve: the same for whoever draws it from the other end, so that neighbours' lines meet."""


def _bezier(points: tuple[Spot, ...], t: float) -> Spot:
    while len(points) > 1:
        points = tuple((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points))
    return points[0]
