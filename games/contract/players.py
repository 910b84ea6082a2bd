"""Programs that play a title's seats, and the results of their games in numbers.

It also has lessons, guided first games of a title.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect, Phrase
from engine.language import Texts


class Player(Protocol):
    """A program that plays a seat.

    Its own chance comes from `rng`, never from the game's dice, as the decisions of people do.
    """

    def __call__(self, position: Any, rng: Random) -> Mapping[str, Any] | None:
        """Return the next move in record form, of any seat; None if the campaign is over."""
        ...


class End(NamedTuple):
    """The end of a game: its result (`won`, `lost` …), the cause, and numbers by their names.

    `shares` say how much each source (`kind-…`) has made; they are compared as parts of everything
    that this kind made.
    """

    result: str
    cause: str
    numbers: Mapping[str, int]
    shares: Mapping[str, int] = {}


class Players(Protocol):
    """The programs that can play a title (`Title.players`)."""

    by_name: Mapping[str, Player]
    """The players, the best first."""
    labels: Mapping[str, str]
    """Words for results, causes and numbers."""

    def end(self, position: Any, effects: Sequence[Effect]) -> End:
        """Return the end of the game, from its last position and the effects of the last move."""
        ...


class Rank(NamedTuple):
    """The rank of a program in many games among others.

    It has the share of first places, with shared ones counted in full, and the mean rank.
    """

    campaigns: int
    first: float
    mean: float


@runtime_checkable
class Opponents(Protocol):
    """Players of a title whose programs can hold seats beside a single person."""

    levels: Mapping[str, str]
    """The programs to choose from, the weakest first, each as a word in the current language."""

    def asks(
        self, position: Any, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Return a function that makes the next move in record form, if a program is to make it.

        It is None if the table waits for the person or the game is over. `seats` are those of
        programs. `by_hand` leaves battles between programs to the person.
        """
        ...


@runtime_checkable
class SeatPlayers(Opponents, Protocol):
    """Players of a title whose programs can hold seats among several people."""

    def plays(
        self, position: Any, seats: Mapping[str, str]
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Return a function that makes the next move of one of these seats.

        Unlike `asks` it decides no battle and opens no turn. It is None if the table waits for
        another seat.
        """
        ...

    def suggest_order(self, position: Any, seat: str, level: str, rng: Random) -> dict[str, Any]:
        """Return a standing order in record form that this program would give to the seat now.

        The program reads the hand of the seat.
        """
        ...


@runtime_checkable
class WithReasons(Protocol):
    """Players of a title whose programs can give a reason for a move."""

    def reason(self, position: Any, raw: Mapping[str, Any]) -> Phrase | None:
        """Return why a program makes this move in this position.

        The reason names only public facts. It is None if the move explains itself.
        """
        ...


@runtime_checkable
class WithProgress(Protocol):
    """Players of a title that can measure the progress of a campaign or of its turn."""

    def measure(self, position: Any, whole: bool) -> tuple[int, int] | None:
        """Return the progress and its goal: of the whole campaign, or of the current turn.

        It is None if there is no such number.
        """
        ...


@runtime_checkable
class WithTournaments(Protocol):
    """Players of a title whose programs can play against each other."""

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """Return the rank of a program among those of another one, by their names."""
        ...


@runtime_checkable
class WithGrades(Protocol):
    """Players of a title that has several difficulties."""

    grades: Mapping[str, Mapping[str, Any]]
    """Options by difficulty, the easiest first.

    Simulations run them all, unless options are given.
    """
    games: int
    """The number of games of each difficulty that is enough for a simulation."""


@runtime_checkable
class WithBalance(Protocol):
    """Players of a title whose programs can test the balance of a scenario."""

    def balance(self, scenario: Mapping[str, Any], player: str, seed: str) -> list[Any] | None:
        """Return the result of a campaign of a scenario whose seats one program plays.

        It has the number of battles, then for each nation in the order of their keys: points, rank,
        provinces at the end, whether it fell, its opening place. It is None if the campaign did not
        end.
        """
        ...


class RatedBattle(NamedTuple):
    """A contest that people fought out, as ratings count it.

    `winner` is `attacker`, `defender` or `draw`. `edge` and `lead` are in standard deviations of a
    battle's luck: `edge` is the attacker's advantage before the battle; the winner was better by at
    least `lead`, and in a draw neither side was better by more. `lost` is the lost share of each
    side's army in per cent, attacker first, if known.
    """

    winner: str
    edge: float
    lead: float
    lost: tuple[float, float] | None = None


class BattleChances(NamedTuple):
    """The chances of a side in a contest. They add up to 1."""

    win: float
    draw: float
    lose: float


@runtime_checkable
class WithBattleChances(Protocol):
    """Players of a title whose model decides contests that no one fights."""

    def battle_chances(self, position: Any, contest: int, seat: str) -> BattleChances | None:
        """Return the chances that the model gives to this seat's side in a contest.

        They follow from facts that both sides see. They are None if the contest has ended.
        """
        ...


@runtime_checkable
class WithRatedBattles(Protocol):
    """Players of a title whose users are rated by their battles."""

    def contest_fought(
        self, known: Mapping[str, Any], result: Mapping[str, Any]
    ) -> RatedBattle | None:
        """Return a resolved contest for the ratings.

        `known` are its facts (`Rows.contests`), `result` is the move in record form that entered
        its result. It is None if the contest shows nothing about the skill of the two players.
        """
        ...


@runtime_checkable
class Forecaster(Protocol):
    """Players of a title whose programs can play on from any position, to forecast its end."""

    def forecasts(self, options: Any) -> bool:
        """Return whether a forecast is shown, unless the game master decides differently."""
        ...

    def closes(self, effects: Sequence[Effect]) -> bool:
        """Return whether a turn or the campaign ended with this move."""
        ...

    def decides(self, effects: Sequence[Effect]) -> bool:
        """Return whether a battle ended with this move."""
        ...

    def public(self, position: Any) -> Any:
        """Return a copy of the position without hidden facts."""
        ...

    def play_on(self, public: Any, seed: str) -> list[list[int]] | None:
        """Return the end of a campaign that a mix of programs plays from a public position.

        It has points and rank of each seat in the order of their keys. Unknown cards are dealt
        anew. It is None if the campaign did not end.
        """
        ...

    def course(self, seed: str) -> list[Any]:
        """Return the positions of a campaign that a mix of programs plays: one after each turn.

        The last position is the end.
        """
        ...


# A lesson is a guided first game of a title with a fixed seed. The title gives the steps, the table
# leads the learner through them.
#
# A move completes a step; there is no button "Next". The current step follows from the moves of the
# log and from planned moves, so that taking back a move takes back its step, too.

Moved = Callable[[Mapping[str, Any]], bool]
"""A function that returns whether a move, in record form, does what a step asks."""


class Passage(NamedTuple):
    """Words of the rules on which statements of a step rest.

    `rule` is the number of the paragraph in the title's RULES.md; `words` occur there literally, so
    that a test finds the steps that a change of the rule concerns.
    """

    rule: str
    words: str


class Step(NamedTuple):
    """A step of a lesson.

    `beside` is the element of the page beside which the note is shown, as a CSS selector. `done`
    judges each move since the previous step. `page` is the name of a page; opening it completes a
    step that no move completes. `possible` says whether the step can still be done in a position;
    if not, the note says so and names the way on. A step with neither `done` nor `page` is the
    last: it says what comes next. `ahead` allows a later step to be done early, which skips the
    steps before it; it is false if an earlier step asks for the same move. `rests_on` are the
    passages of the rules on which the statements of its text rest.
    """

    key: str
    beside: str
    done: Moved | None = None
    page: str = ""
    possible: Callable[[Any], bool] = lambda position: True
    ahead: bool = True
    rests_on: tuple[Passage, ...] = ()


class Lesson(NamedTuple):
    """A lesson of a title (`Title.lesson`).

    `texts` has the texts of its steps: `head`, `text` and, if the move may come too late, `late`
    for each key; and `name` and `about` of the whole lesson.

    `chosen` are the names of the moves that a learner chooses: other moves, which happen
    automatically, do not answer a step. `seat` is the learner's if programs of the level `level`
    hold the other seats; it is empty if the title is played alone.
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
    """The progress of a learner.

    `at` is the number of the current step, from 0; `left_out` are the steps that were skipped
    because a later one was done first; `otherwise` says whether the newest move did something else;
    `possible` whether the step can still be done.
    """

    at: int
    left_out: frozenset[int]
    otherwise: bool
    possible: bool


def progress(
    lesson: Lesson, moves: Sequence[Mapping[str, Any]], position: Any, page: str = ""
) -> Progress:
    """Return the progress of a learner after their moves and the moves that they plan."""
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
