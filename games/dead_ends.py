"""Games by programs that are checked for dead ends (`manage.py simulate TITLE --dead-ends`).

A game has a dead end if the rules refuse a program's move or fail at it, if the table waits for a
seat that has no move to make, or if the game does not end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.play import perform
from games.contract.players import WithGrades
from games.registry import TITLES

MOST_MOVES = 50_000
"""The most moves of a game, which is also the limit of a record."""
CHECKED = 12
"""One of this many positions is checked for an offered move, because offers take time."""


class Course(NamedTuple):
    """The course of a game: its seed, its number of moves, and its dead end, if it has one."""

    seed: str
    moves: int
    fault: str


def offers_a_move(key: str, position: Any, seat: str) -> bool:
    """Return whether a seat is offered a complete move."""
    return any(
        offer.refusal is None and next(offer.moves(), None) is not None
        for offer in TITLES[key].offers(position, seat)
    )


def course(
    key: str, programs: Sequence[str], seed: str, options: Mapping[str, Any], scenario: str = ""
) -> Course:
    """Play a game from its seed, with a program for each seat that the seed chooses."""
    title = TITLES[key]
    assert title.players is not None
    shipped, by_name = title.scenarios(), title.players.by_name
    known = title.scenario(shipped[scenario or next(iter(shipped))])
    position, rng = title.setup(known, title.options(options)), Random(seed)
    dice, held = Dice(title.last_link(known), seed=seed), dict[str, str]()
    for moves in range(MOST_MOVES):
        waiting = title.waiting(position)
        if not waiting:
            return Course(seed, moves, "")
        seat = waiting[0].seat
        program = held.setdefault(seat, rng.choice(programs))
        try:
            if rng.randrange(CHECKED) == 0 and not offers_a_move(key, position, seat):
                return Course(seed, moves, f"no move is offered to {seat}")
            raw = by_name[program](position, rng)
            if raw is None:
                return Course(seed, moves, f"{program} has no move for {seat}")
            perform(position, title.decode(raw, position), dice)
        except Exception as error:
            return Course(seed, moves, f"{program} for {seat}: {error!r}")
        dice.thrown.clear()
    return Course(seed, MOST_MOVES, "the game does not end")


def tables(key: str) -> list[Mapping[str, Any]]:
    """Return the options that the games of a title use in turn: one for each difficulty."""
    players = TITLES[key].players
    return list(players.grades.values()) if isinstance(players, WithGrades) else [{}]


def lines_of_courses(courses: Sequence[Course]) -> Iterator[str]:
    """Yield the number of moves of the games, and the seed of each dead end."""
    moves = sorted(course.moves for course in courses)
    faults = [course for course in courses if course.fault]
    yield f"{'games':<24}{len(courses):>8,}"
    yield f"{'dead ends':<24}{len(faults):>8,}"
    if moves:
        yield f"{'fewest moves':<24}{moves[0]:>8,}"
        yield f"{'median of the moves':<24}{moves[len(moves) // 2]:>8,}"
        yield f"{'most moves':<24}{moves[-1]:>8,}"
    for course in faults:
        yield f"seed “{course.seed}”, move {course.moves + 1:,}: {course.fault}"
