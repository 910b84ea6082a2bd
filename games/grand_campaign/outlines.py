"""Outlines of provinces: paths read and written, and the lines along which two of them touch.

A path here is what the map's makers write: an absolute start, relative steps, one decimal (`M1 2l3 0.5-1 2z`).
Points are whole numbers, tenths of a map unit, so that shared lines are equal and not nearly so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

Point: TypeAlias = tuple[int, int]
Line: TypeAlias = tuple[Point, ...]
Pair: TypeAlias = tuple[str, str]

_NUMBER = r"-?(?:\d{1,5}(?:\.\d)?|\.\d)"
_STEP = rf"(?:[ ,]?{_NUMBER})"
PATH = re.compile(rf"(?:M{_NUMBER}[ ,]?{_NUMBER}(?:l(?:{_STEP}{_STEP})+)?z?)+")
_PART = re.compile(r"M([^M]+)")
_FIND = re.compile(_NUMBER)


def is_path(d: str) -> bool:
    """Whether the text is a path of this kind and nothing else."""
    return PATH.fullmatch(d) is not None


def _tenths(text: str) -> int:
    whole, _, decimal = text.partition(".")
    value = int(whole.lstrip("-") or 0) * 10 + int(decimal or 0)
    return -value if text.startswith("-") else value


def lines(d: str) -> tuple[Line, ...]:
    """The parts of a path, without repeated points; `d` must be a path."""
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
    """The path of one line."""
    (x, y), steps = line[0], []
    for nx, ny in line[1:]:
        steps.append(f"{_decimal(nx - x)} {_decimal(ny - y)}")
        x, y = nx, ny
    start = f"M{_decimal(line[0][0])} {_decimal(line[0][1])}"
    body = f"l{' '.join(steps)}".replace(" -", "-") if steps else ""
    return start + body + ("z" if closed else "")


def inside(rings: Iterable[Line], x: float, y: float) -> bool:
    """Whether a point (in map units) lies in an outline, by the even-odd rule."""
    px, py, odd = x * 10, y * 10, False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > py) != (by > py) and px < (bx - ax) * (py - ay) / (by - ay) + ax:
                odd = not odd
            ax, ay = bx, by
    return odd


def length(line: Line) -> float:
    """The length of a line in map units."""
    total = 0.0
    for (ax, ay), (bx, by) in pairwise(line):
        total += float(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
    return total / 10


def contacts(outlines: Mapping[str, Iterable[Line]]) -> dict[Pair, tuple[Line, ...]]:
    """For each two provinces that touch, in alphabetical order, the lines they share."""
    seen: dict[tuple[Point, Point], list[str]] = defaultdict(list)
    for key, rings in outlines.items():
        for ring in rings:
            a = ring[-1]
            for b in ring:
                if a != b:
                    seen[(a, b) if a < b else (b, a)].append(key)
                a = b
    shared: dict[Pair, list[tuple[Point, Point]]] = defaultdict(list)
    for segment, keys in seen.items():
        if len(keys) == 2 and keys[0] != keys[1]:
            first, second = sorted(keys)
            shared[first, second].append(segment)
    return {pair: _chained(segments) for pair, segments in sorted(shared.items())}


def outer(outlines: Mapping[str, Iterable[Line]]) -> tuple[Line, ...]:
    """The lines that only one province has: the coast of them all."""
    seen: dict[tuple[Point, Point], int] = defaultdict(int)
    for rings in outlines.values():
        for ring in rings:
            a = ring[-1]
            for b in ring:
                if a != b:
                    seen[(a, b) if a < b else (b, a)] += 1
                a = b
    return _chained([segment for segment, times in seen.items() if times == 1])


def _chained(segments: Iterable[tuple[Point, Point]]) -> tuple[Line, ...]:
    ends: dict[Point, list[Point]] = defaultdict(list)
    for a, b in segments:
        ends[a].append(b)
        ends[b].append(a)
    used: set[tuple[Point, Point]] = set()
    out = []
    # Open ends first, so that only rings are cut anywhere.
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
