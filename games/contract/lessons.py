"""A lesson: a guided first game of a title, on a fixed seed. The title gives the steps, the table leads through them.

A step is done when a move says so, never when a button "Next" is pressed. Where the learner stands follows from the moves of
the log and from those that are only planned, so that a move taken back takes its step back, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.language import Texts

Moved = Callable[[Mapping[str, Any]], bool]
"""Does this move, in record form, do what the step asks?"""


class Step(NamedTuple):
    """What is asked next. `beside` is the thing on the page that the note stands beside, as a CSS selector; `done` judges each
    move since the step before; `page` is the name of a page whose opening does the step where no move does. `possible` asks
    the position whether it can still be done; where it cannot, the note says so and names the way on. A step with neither
    `done` nor `page` is the last: it says what comes next. `ahead`: may it be done before it is asked, so that the steps before
    are left out? Not where its move is made in an earlier step, too."""

    key: str
    beside: str
    done: Moved | None = None
    page: str = ""
    possible: Callable[[Any], bool] = lambda position: True
    ahead: bool = True


class Lesson(NamedTuple):
    """A lesson of a title (`games.registry.LESSONS`). The texts of its steps stand in `texts`: for each key `head`, `text` and,
    where the move may come too late, `late`; and of the whole lesson `name` and `about`.

    `chosen` are the names of the moves that a learner chooses: what else goes on by itself is no answer to a step.
    `seat` is the learner's where programs of the level `level` hold the others; empty where the title is played alone.
    """

    texts: Texts
    steps: Sequence[Step]
    seed: str
    scenario: str
    options: Mapping[str, Any] = {}
    seat: str = ""
    level: str = ""
    chosen: frozenset[str] = frozenset()
    minutes: int = 5


class Progress(NamedTuple):
    """How far a learner is: the number of the step that is asked, from 0; the steps that were passed over because a later
    one was done first; whether the newest move did something else; whether the step can still be done."""

    at: int
    left_out: frozenset[int]
    otherwise: bool
    possible: bool


def progress(lesson: Lesson, moves: Sequence[Mapping[str, Any]], position: Any, page: str = "") -> Progress:
    """Where these moves, the learner's own and those planned behind them, have brought the learner."""
    at, left_out, otherwise = 0, set[int](), False
    last = len(lesson.steps) - 1
    for move in moves:
        done = next((n for n in range(at, last) if (n == at or lesson.steps[n].ahead) and _does(lesson.steps[n], move)), None)
        otherwise = (otherwise and done is None) or (done is None and move["move"] in lesson.chosen)
        if done is not None:
            left_out |= {n for n in range(at, done) if not lesson.steps[n].page}
            at = done + 1
    if lesson.steps[at].page and lesson.steps[at].page == page:
        at += 1
    return Progress(at, frozenset(left_out), otherwise, lesson.steps[at].possible(position))


def _does(step: Step, move: Mapping[str, Any]) -> bool:
    return step.done is not None and step.done(move)
