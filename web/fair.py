"""Dice expected against rolled: how often each face came up, and how often it does with honest dice.

A roll that was undone and made again is the same roll, with the same value: it counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.utils.formats import number_format

FACES = 12
"""Up to so many sides each face is counted by itself, else ranges of equal size."""
MOST_RANGES = 10
LEAST = 5
"""Where less is expected of each face, nothing can be said."""


class Thrown(NamedTuple):
    """A roll: what it was for, of how many sides, what came, on whose behalf."""

    purpose: str
    sides: int
    value: int
    seat: str


class Range(NamedTuple):
    """Faces that are counted together, both ends among them."""

    first: int
    last: int

    @property
    def name(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


class Count(NamedTuple):
    """How often a range came up; `out` where honest dice seldom come to that, `share` of the highest for a bar."""

    times: int
    out: bool
    share: float


class Row(NamedTuple):
    """The rolls of a seat, or of the whole table where `seat` is empty; of each range `low` to `high` is usual."""

    seat: str
    rolls: int
    counts: Sequence[Count]
    expected: str
    low: int
    high: int
    average: str


class Kind(NamedTuple):
    """All rolls of one kind of die."""

    sides: int
    ranges: Sequence[Range]
    whole: Row
    seats: Sequence[Row]
    line: float
    """What is expected of each range, as a share of the highest bar."""

    @property
    def average(self) -> str:
        mean = Decimal(self.sides + 1) / 2
        return number_format(mean.normalize() if mean % 1 else int(mean))

    @property
    def few(self) -> bool:
        return self.whole.rolls < LEAST * len(self.ranges)

    @property
    def within(self) -> int:
        return sum(not one.out for one in self.whole.counts)

    @property
    def faces(self) -> bool:
        return len(self.ranges) == self.sides


def ranges(sides: int) -> list[Range]:
    """Every face, or the most ranges of equal size up to ten; of a large prime every face again."""
    count = sides
    if sides > FACES:
        count = next((n for n in range(MOST_RANGES, 1, -1) if sides % n == 0), sides)
    size = sides // count
    return [Range(1 + n * size, (n + 1) * size) for n in range(count)]


@lru_cache(maxsize=4096)
def usual(rolls: int, parts: int) -> tuple[int, int]:
    """Between which numbers one of `parts` equal parts comes up in at least 95 of 100 times that so many are rolled.

    Exact: at most 25 of 1000 times it is less, at most 25 of 1000 times it is more.
    """
    if parts == 1:
        return rolls, rolls
    every = parts**rolls
    ways = (parts - 1) ** rolls  # in which it comes up `times` times
    times, so_far = 0, ways
    while 40 * so_far <= every:
        ways = ways * (rolls - times) // ((times + 1) * (parts - 1))
        times += 1
        so_far += ways
    low = times
    while 40 * (every - so_far) > every:
        ways = ways * (rolls - times) // ((times + 1) * (parts - 1))
        times += 1
        so_far += ways
    return low, times


def kinds(thrown: Iterable[Thrown], order: Sequence[str] = ()) -> list[Kind]:
    """The dice by their sides, the most rolled first; who threw in `order`, others after them."""
    once = {(roll.purpose, roll.sides): roll for roll in thrown}.values()
    by_sides: dict[int, list[Thrown]] = {}
    for roll in once:
        by_sides.setdefault(roll.sides, []).append(roll)
    return [_kind(sides, rolls, order) for sides, rolls in sorted(by_sides.items(), key=lambda one: (-len(one[1]), one[0]))]


def _kind(sides: int, rolls: Sequence[Thrown], order: Sequence[str]) -> Kind:
    parts = ranges(sides)
    seats = {roll.seat for roll in rolls}
    placed = [seat for seat in order if seat in seats] + sorted(seats - set(order))
    whole = _row("", rolls, parts, sides)
    rows = [_row(seat, [roll for roll in rolls if roll.seat == seat], parts, sides) for seat in placed]
    top = max(count.times for count in whole.counts)
    return Kind(sides, parts, whole, rows if len(rows) > 1 else (), len(rolls) / len(parts) / top)


def _row(seat: str, rolls: Sequence[Thrown], parts: Sequence[Range], sides: int) -> Row:
    size = sides // len(parts)
    times = [0] * len(parts)
    for roll in rolls:
        times[(roll.value - 1) // size] += 1
    low, high = usual(len(rolls), len(parts))
    counts = [Count(n, not low <= n <= high, n / max(times)) for n in times]
    average = sum(roll.value for roll in rolls) / len(rolls)
    return Row(seat, len(rolls), counts, _tenth(len(rolls) / len(parts)), low, high, _tenth(average))


def _tenth(value: float) -> str:
    """As the reader's language writes it, rounded: `number_format` alone would cut it off."""
    return number_format(Decimal(f"{value:.1f}"), 1)
