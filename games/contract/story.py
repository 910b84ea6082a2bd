"""The story of a campaign for readers who do not play: turn by turn in a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect
from games.contract.plain import Known, Position, RawMove


class Chapter(NamedTuple):
    """A turn in a few sentences: its number, whether it is closed, paragraphs, the last of its
    entries.
    """

    turn: int
    closed: bool
    paragraphs: Sequence[str]
    entry: int


class Count(NamedTuple):
    """A number of the standings and how much of it is new since the turn before."""

    label: str
    now: int
    change: int


class Stand(NamedTuple):
    """A seat's line of the standings; `points` are what it had at the beginning and at the end of
    each turn.
    """

    seat: str
    name: str
    counts: Sequence[Count]
    points: Sequence[int]
    note: str


class Story(NamedTuple):
    """A story: chapters, the latest first, and standings, the best first."""

    chapters: Sequence[Chapter]
    stands: Sequence[Stand]


class MoveInForce(Protocol):
    """A move in force as the log has it."""

    @property
    def number(self) -> int | None:
        """Return its number; None if not everyone may see it."""
        ...

    @property
    def moves(self) -> int:
        """Return the number of moves up to this one."""
        ...

    @property
    def mark(self) -> str:
        """Return the hash of its entry."""
        ...

    @property
    def content(self) -> RawMove: ...
    @property
    def effects(self) -> tuple[Effect, ...]: ...


PositionAfter = Callable[[int], Position]
"""Returns the position after a number of moves."""
StorySummary = Any
"""What a title keeps of a log to tell its story, in no language; it is never changed."""


@runtime_checkable
class Storied(Protocol):
    """A title that tells the story of its campaigns."""

    def begin_story(self, start: Position) -> StorySummary:
        """Return the summary of a log without moves."""
        ...

    def continue_story(
        self, summary: StorySummary, moves: Iterable[MoveInForce], position_after: PositionAfter
    ) -> StorySummary:
        """Return the summary with further moves, which follow the known ones."""
        ...

    def tell_story(self, scenario: Any, summary: StorySummary) -> Story:
        """Return what everyone may see of the moves in force, in the current language."""
        ...

    def outcome_name(self, known: Known) -> str:
        """Return how a contest has ended, in two words."""
        ...
