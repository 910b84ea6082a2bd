"""The story of a campaign for readers who do not play: each turn in a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect
from games.contract.plain import Known, Position, RawMove


class Chapter(NamedTuple):
    """A turn in a few sentences: its number, its paragraphs, and whether it is closed.

    `entry` is the number of its last log entry.
    """

    turn: int
    closed: bool
    paragraphs: Sequence[str]
    entry: int


class Count(NamedTuple):
    """A number of the standings and its change since the previous turn."""

    label: str
    now: int
    change: int


class StoryStanding(NamedTuple):
    """A seat's line of the standings.

    `points` has the points at the beginning and at the end of each turn.
    """

    seat: str
    name: str
    counts: Sequence[Count]
    points: Sequence[int]
    note: str


class Story(NamedTuple):
    """A story: chapters, the latest first, and standings, the leader first."""

    chapters: Sequence[Chapter]
    stands: Sequence[StoryStanding]


class MoveInForce(Protocol):
    """A move in force, with its facts from the log."""

    @property
    def number(self) -> int | None:
        """The number of the move's entry; None if not everyone may see the move."""
        ...

    @property
    def moves(self) -> int:
        """The number of moves up to and including this one."""
        ...

    @property
    def mark(self) -> str:
        """The hash of the move's entry."""
        ...

    @property
    def content(self) -> RawMove:
        """The move in record form."""
        ...

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of the move."""
        ...


PositionAfter = Callable[[int], Position]
"""A function that returns the position after a number of moves."""
StorySummary = Any
"""The facts of a log from which a title writes its story.

It is in no language and never changed.
"""


@runtime_checkable
class WithStory(Protocol):
    """A title that writes the story of its campaigns."""

    def begin_story(self, start: Position) -> StorySummary:
        """Return the summary of a log without moves."""
        ...

    def continue_story(
        self, summary: StorySummary, moves: Iterable[MoveInForce], position_after: PositionAfter
    ) -> StorySummary:
        """Return the summary with further moves, which follow the known ones."""
        ...

    def tell_story(self, scenario: Any, summary: StorySummary) -> Story:
        """Return the story that everyone may see of the moves in force, in the current language."""
        ...

    def outcome_name(self, known: Known) -> str:
        """Return the outcome of a contest in two words."""
        ...
