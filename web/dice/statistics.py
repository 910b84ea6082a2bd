"""Dice expected against rolled: how often each face came up, and how often it does with fair dice.

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
"""If fewer rolls are expected of each face, they prove nothing."""


class Thrown(NamedTuple):
    """A roll, and the seat for which it was thrown."""

    purpose: str
    sides: int
    value: int
    seat: str


class Range(NamedTuple):
    """Faces that are counted together, from the first to the last."""

    first: int
    last: int

    @property
    def name(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


class Count(NamedTuple):
    """How often a range came up."""

    times: int
    out: bool
    """Whether fair dice seldom come to that."""
    share: float
    """The part of the highest bar."""

    @property
    def percent(self) -> int:
        return round(self.share * 100)


class Tally(NamedTuple):
    """The rolls of a seat; of each range `low` to `high` is usual."""

    seat: str
    """Empty for the whole table."""
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
    whole: Tally
    seats: Sequence[Tally]
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
        return sum(not count.out for count in self.whole.counts)

    @property
    def faces(self) -> bool:
        return len(self.ranges) == self.sides


def ranges(sides: int) -> list[Range]:
    """Return every face, or at most ten ranges of equal size; of a large prime every face."""
    count = sides
    if sides > FACES:
        count = next((n for n in range(MOST_RANGES, 1, -1) if sides % n == 0), sides)
    size = sides // count
    return [Range(1 + n * size, (n + 1) * size) for n in range(count)]


@lru_cache(maxsize=4096)
def usual(rolls: int, parts: int) -> tuple[int, int]:
    """Return how often one of `parts` equal parts comes up in at least 95 of 100 cases.

    The numbers are exact: it is less in at most 25 of 1000 cases, and more in at most 25.
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
    """Return the dice by their sides, the most rolled first. Seats are in `order`."""
    once = {(roll.purpose, roll.sides): roll for roll in thrown}.values()
    by_sides: dict[int, list[Thrown]] = {}
    for roll in once:
        by_sides.setdefault(roll.sides, []).append(roll)
    return [
        _kind(sides, rolls, order)
        for sides, rolls in sorted(by_sides.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    ]


def _kind(sides: int, rolls: Sequence[Thrown], order: Sequence[str]) -> Kind:
    parts = ranges(sides)
    seats = {roll.seat for roll in rolls}
    placed = [seat for seat in order if seat in seats] + sorted(seats - set(order))
    whole = _row("", rolls, parts, sides)
    rows = [
        _row(seat, [roll for roll in rolls if roll.seat == seat], parts, sides) for seat in placed
    ]
    top = max(count.times for count in whole.counts)
    return Kind(sides, parts, whole, rows if len(rows) > 1 else (), len(rolls) / len(parts) / top)


def _row(seat: str, rolls: Sequence[Thrown], parts: Sequence[Range], sides: int) -> Tally:
    size = sides // len(parts)
    times = [0] * len(parts)
    for roll in rolls:
        times[(roll.value - 1) // size] += 1
    low, high = usual(len(rolls), len(parts))
    counts = [Count(n, not low <= n <= high, n / max(times)) for n in times]
    average = sum(roll.value for roll in rolls) / len(rolls)
    return Tally(
        seat, len(rolls), counts, _tenth(len(rolls) / len(parts)), low, high, _tenth(average)
    )


def _tenth(value: float) -> str:
    """Return a rounded number in the reader's language; `number_format` alone would cut it off."""
    return number_format(Decimal(f"{value:.1f}"), 1)
