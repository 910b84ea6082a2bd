"""Players by program: who plays a title's seats where no person does, and how one of their games is
told in numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect, Say
from engine.language import Texts


class Player(Protocol):
    """A player by program. It chooses as people do: its own chance comes from `rng`, never from the
    game's dice.
    """

    def __call__(self, position: Any, rng: Random) -> Mapping[str, Any] | None:
        """The next move in record form, whoever's it is; None where the campaign is over."""
        ...


class End(NamedTuple):
    """How a game ended: its result (`won`, `lost` …), the cause, numbers to be compared, by their
    names, and what was made by whom (`kind-…`), whose shares of all that their kind made are to be
    compared.
    """

    result: str
    cause: str
    numbers: Mapping[str, int]
    shares: Mapping[str, int] = {}


class Players(Protocol):
    """What a title gives to be played by program (`Title.players`)."""

    by_name: Mapping[str, Player]
    """The players, the best first."""
    labels: Mapping[str, str]
    """Words for results, causes and numbers."""

    def end(self, position: Any, effects: Sequence[Effect]) -> End:
        """How the game ended, from its last position and what the last move did."""
        ...


class Rank(NamedTuple):
    """Of one program in many games among others: how often it came first, shared places counted in
    full, and its mean rank.
    """

    campaigns: int
    first: float
    mean: float


@runtime_checkable
class Opponents(Protocol):
    """What `Players` give beside, where programs can hold seats beside people."""

    levels: Mapping[str, str]
    """The programs to choose from, the weakest first, each in a word of the language of now."""

    def asks(
        self, position: Any, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """What makes the next move, in record form, where that is not the person's; None where the
        table waits for them or the game is over. `seats` are those of programs; `by_hand`: battles
        of the others are left to them.
        """
        ...


@runtime_checkable
class SeatPlayers(Opponents, Protocol):
    """What `Players` give beside, where programs can hold seats among people."""

    def plays(
        self, position: Any, seats: Mapping[str, str]
    ) -> Callable[[Random], dict[str, Any]] | None:
        """What makes the next move of one of these seats among people, and nothing else: no battle
        is decided, no turn opened. None where the table waits for somebody else.
        """
        ...

    def suggests(self, position: Any, seat: str, level: str, rng: Random) -> dict[str, Any]:
        """A standing order in record form, as this program would give it to the seat now. It reads
        the seat's own hand.
        """
        ...


@runtime_checkable
class Explaining(Protocol):
    """What `Players` give beside, where programs can say why they make a move."""

    def reason(self, position: Any, raw: Mapping[str, Any]) -> Say | None:
        """Why a program makes this move in this position, in words of what everybody may see; None
        where the move says it.
        """
        ...


@runtime_checkable
class Measured(Protocol):
    """What `Players` give beside, where it can be said how far a campaign, or its turn, has
    come.
    """

    def measure(self, position: Any, whole: bool) -> tuple[int, int] | None:
        """How far, and of how much: of the whole campaign, else of the turn that runs; None where
        no number says.
        """
        ...


@runtime_checkable
class Contested(Protocol):
    """What `Players` give beside, where several play against each other."""

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """One program among those of another, by their names."""
        ...


@runtime_checkable
class Graded(Protocol):
    """What `Players` give beside, where a title is played at several difficulties."""

    grades: Mapping[str, Mapping[str, Any]]
    """Options by difficulty, the easiest first: what is simulated, one after another, unless
    options are asked for.
    """
    games: int
    """How many games of each are enough."""


@runtime_checkable
class Balanced(Protocol):
    """What `Players` give beside, where the balance of a scenario that somebody writes can be
    tried.
    """

    def balance(self, scenario: Mapping[str, Any], player: str, seed: str) -> list[Any] | None:
        """One campaign of a scenario, all seats by one program: the number of its battles, then for
        each nation in the order of their keys points, rank, provinces at the end, whether it fell,
        its opening place. None where it did not end.
        """
        ...


class Fought(NamedTuple):
    """A contest that people fought out, as ratings count it. `winner` is `attacker`, `defender` or
    `draw`.

    In standard deviations of a battle's luck: `edge` is what the attacker had before it began; by
    `lead` at least the winner was better, of a draw neither side by more. `lost`: the share of each
    side's army in percent, attacker first, where known.
    """

    winner: str
    edge: float
    lead: float
    lost: tuple[float, float] | None = None


@runtime_checkable
class Rated(Protocol):
    """What `Players` give beside, where people are rated by their battles."""

    def contest_fought(self, known: Mapping[str, Any], result: Mapping[str, Any]) -> Fought | None:
        """A resolved contest, by its facts (`Rows.contests`) and the move in record form that
        entered its result; None where nothing was fought that tells of the skill of the two.
        """
        ...


@runtime_checkable
class Forecaster(Protocol):
    """What `Players` give beside, where programs can play on from any position, for a forecast of
    how it may end.
    """

    def forecasts(self, options: Any) -> bool:
        """Is a forecast shown, unless the game master says otherwise?"""
        ...

    def closes(self, effects: Sequence[Effect]) -> bool:
        """Did a turn, or the whole, end with this move?"""
        ...

    def decides(self, effects: Sequence[Effect]) -> bool:
        """Did a battle end with this move?"""
        ...

    def public(self, position: Any) -> Any:
        """A copy of the position without what only some may know."""
        ...

    def play_on(self, public: Any, seed: str) -> list[list[int]] | None:
        """One campaign from there to its end by a mix of programs: for each seat in the order of
        their keys its points and its rank. What is unknown is dealt anew. None where it did not
        end.
        """
        ...

    def course(self, seed: str) -> list[Any]:
        """A whole campaign by a mix of programs: the position after each turn, the last of them at
        the end.
        """
        ...


# A lesson: a guided first game of a title, on a fixed seed. The title gives the steps, the table
# leads through them.
#
# A step is done when a move says so, never when a button "Next" is pressed. Where the learner
# stands follows from the moves of the log and from those that are only planned, so that a move
# taken back takes its step back, too.

Moved = Callable[[Mapping[str, Any]], bool]
"""Does this move, in record form, do what the step asks?"""


class Step(NamedTuple):
    """What is asked next. `beside` is the thing on the page that the note stands beside, as a CSS
    selector; `done` judges each move since the step before; `page` is the name of a page whose
    opening does the step where no move does. `possible` asks the position whether it can still be
    done; where it cannot, the note says so and names the way on. A step with neither `done` nor
    `page` is the last: it says what comes next. `ahead`: may it be done before it is asked, so that
    the steps before are left out? Not where its move is made in an earlier step, too.
    """

    key: str
    beside: str
    done: Moved | None = None
    page: str = ""
    possible: Callable[[Any], bool] = lambda position: True
    ahead: bool = True


class Lesson(NamedTuple):
    """A lesson of a title (`Title.lesson`). The texts of its steps stand in `texts`: for
    each key `head`, `text` and, where the move may come too late, `late`; and of the whole lesson
    `name` and `about`.

    `chosen` are the names of the moves that a learner chooses: what else goes on by itself is no
    answer to a step. `seat` is the learner's where programs of the level `level` hold the others;
    empty where the title is played alone.
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
    """How far a learner is: the number of the step that is asked, from 0; the steps that were
    passed over because a later one was done first; whether the newest move did something else;
    whether the step can still be done.
    """

    at: int
    left_out: frozenset[int]
    otherwise: bool
    possible: bool


def progress(
    lesson: Lesson, moves: Sequence[Mapping[str, Any]], position: Any, page: str = ""
) -> Progress:
    """Where these moves, the learner's own and those planned behind them, have brought the
    learner.
    """
    at, left_out, otherwise = 0, set[int](), False
    last = len(lesson.steps) - 1
    for move in moves:
        done = next(
            (
                n
                for n in range(at, last)
                if (n == at or lesson.steps[n].ahead) and _does(lesson.steps[n], move)
            ),
            None,
        )
        otherwise = (otherwise and done is None) or (done is None and move["move"] in lesson.chosen)
        if done is not None:
            left_out |= {n for n in range(at, done) if not lesson.steps[n].page}
            at = done + 1
    if lesson.steps[at].page and lesson.steps[at].page == page:
        at += 1
    return Progress(at, frozenset(left_out), otherwise, lesson.steps[at].possible(position))


def _does(step: Step, move: Mapping[str, Any]) -> bool:
    return step.done is not None and step.done(move)
