"""Expected and actual distributions of dice: the count of each face, and its usual range.

A roll that was undone and made again is the same roll, with the same value, and counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.utils.formats import number_format

FACES = 12
"""Dice with at most this many sides are counted by face, others by ranges of equal size."""
MOST_RANGES = 10
LEAST = 5
"""With fewer expected rolls of each face, the counts prove nothing."""


class SeatRoll(NamedTuple):
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
    """The number of times that a range occurred."""

    times: int
    out: bool
    """Whether this number is rare with fair dice."""
    share: float
    """The number as a part of the highest bar."""

    @property
    def percent(self) -> int:
        return round(self.share * 100)


class Tally(NamedTuple):
    """The rolls of a seat; `low` to `high` is the usual count of each range."""

    seat: str
    """Empty for the whole table."""
    rolls: int
    counts: Sequence[Count]
    expected: str
    low: int
    high: int
    average: str


class Kind(NamedTuple):
    """All rolls of a kind of die."""

    sides: int
    ranges: Sequence[Range]
    whole: Tally
    seats: Sequence[Tally]
    line: float
    """The expected count of each range, as a part of the highest bar."""

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
    """Return every face, or at most ten ranges of equal size; for a large prime, every face."""
    count = sides
    if sides > FACES:
        count = next((n for n in range(MOST_RANGES, 1, -1) if sides % n == 0), sides)
    size = sides // count
    return [Range(1 + n * size, (n + 1) * size) for n in range(count)]


@lru_cache(maxsize=4096)
def usual(rolls: int, parts: int) -> tuple[int, int]:
    """Return the usual range of the count of one of `parts` equal parts, with 95% probability.

    The limits are exact: the count is lower in at most 25 of 1000 cases, and higher in at most 25.
    """
    if parts == 1:
        return rolls, rolls
    every = parts**rolls
    ways = (parts - 1) ** rolls  # the number of sequences with this part exactly `times` times
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


def kinds(thrown: Iterable[SeatRoll], order: Sequence[str] = ()) -> list[Kind]:
    """Return the dice by their sides, the most rolled first. Seats are in `order`."""
    once = {(roll.purpose, roll.sides): roll for roll in thrown}.values()
    by_sides: dict[int, list[SeatRoll]] = {}
    for roll in once:
        by_sides.setdefault(roll.sides, []).append(roll)
    return [
        _kind(sides, rolls, order)
        for sides, rolls in sorted(by_sides.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    ]


def _kind(sides: int, rolls: Sequence[SeatRoll], order: Sequence[str]) -> Kind:
    parts = ranges(sides)
    seats = {roll.seat for roll in rolls}
    placed = [seat for seat in order if seat in seats] + sorted(seats - set(order))
    whole = _row("", rolls, parts, sides)
    rows = [
        _row(seat, [roll for roll in rolls if roll.seat == seat], parts, sides) for seat in placed
    ]
    top = max(count.times for count in whole.counts)
    return Kind(sides, parts, whole, rows if len(rows) > 1 else (), len(rolls) / len(parts) / top)


def _row(seat: str, rolls: Sequence[SeatRoll], parts: Sequence[Range], sides: int) -> Tally:
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
    """Return a rounded number in the reader's language; `number_format` alone would truncate it."""
    return number_format(Decimal(f"{value:.1f}"), 1)
