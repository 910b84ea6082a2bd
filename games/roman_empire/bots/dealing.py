"""The choice of a program when the counters of a period are dealt."""

from __future__ import annotations

from functools import partial

from games.roman_empire.bots.styles import Choice, Style
from games.roman_empire.rules import view
from games.roman_empire.rules.position import PEOPLE, Position

PEOPLE_POINTS: tuple[tuple[int, ...], ...] = (
    (25, 25, 25, 20, 14),
    (20, 18, 23, 18, 22),
    (30, 30, 23, 25, 15),
    (32, 30, 29, 21, 26),
    (33, 29, 30, 20, 25),
    (38, 37, 33, 25, 24),
    (35, 39, 22, 28, 32),
)
EMPEROR_POINTS: tuple[tuple[int, ...], ...] = (
    (40, 31, 28, 26, 24, 27),
    (18, 15, 15, 11, 12, 12),
    (15, 16, 16, 13, 11, 10),
    (10, 6, 7, 2, 5, 3),
    (6, 3, 3, 4, -1, 0),
    (8, 6, 3, 6, 5, 6),
    (14, 8, 10, 7, 6, 6),
)
"""The mean points of the phases of each counter, by period: 60 games of four seats by `sensible`.
"""


def counter_points(what: str, period: int, n: int) -> int:
    """Return the value of a counter in points."""
    return (PEOPLE_POINTS if what == PEOPLE else EMPEROR_POINTS)[period - 1][n - 1]


def choose_counter(position: Position, seat: str, style: Style) -> Choice:
    """Return the move that draws, keeps or passes on a counter (4.2).

    It passes on a counter that is much worse than the mean of those that may be left. It does not
    know the hidden counters of other seats.
    """
    now = position.draw
    assert now is not None
    if now.open is None:
        return Choice({"by": seat, "move": "draw"}, "draws")
    seen = {
        n
        for holder in position.seats
        if view.knows(position, seat, holder, now.what)
        and (n := position.counters[holder][now.what]) is not None
    }
    numbers = range(1, len((PEOPLE_POINTS if now.what == PEOPLE else EMPEROR_POINTS)[0]) + 1)
    unknown = [
        counter_points(now.what, position.period, n)
        for n in numbers
        if n not in seen and n != now.open
    ]
    free = [
        other
        for other in position.seats
        if position.counters[other][now.what] is None and not are_friends(position, other, seat)
    ]
    mine = counter_points(now.what, position.period, now.open)
    if free and unknown and sum(unknown) / len(unknown) - mine > style.trade:
        return Choice(
            {"by": seat, "move": "pass_counter", "to": max(free, key=partial(points_of, position))},
            "passes",
        )
    return Choice({"by": seat, "move": "keep"}, "keeps")


def are_friends(position: Position, seat: str, other: str | None) -> bool:
    """Return whether two seats belong to the same player (12)."""
    return other is not None and position.owners[seat] == position.owners[other]


def points_of(position: Position, seat: str) -> int:
    """Return the points of a seat's player."""
    return sum(
        sum(position.vp[other].values())
        for other in position.seats
        if are_friends(position, other, seat)
    )
