"""The words of a title about the end of a campaign: winner, story, and the course of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from games.contract.plain import Position
from games.contract.story import StorySummary


class EndChapter(NamedTuple):
    """A turn of the story in one paragraph. `entry` is the number of its last log entry."""

    turn: int
    text: str
    entry: int


class SeatCourse(NamedTuple):
    """The course of a seat in a few lines, with its place in the final standings.

    `points` has the points at the start and at the end of each turn, before the final scoring.
    """

    seat: str
    name: str
    rank: int
    final: int
    note: str
    lines: Sequence[str]
    points: Sequence[int]


class SeatValues(NamedTuple):
    """The values of a seat at the start and at the end of each turn."""

    seat: str
    name: str
    values: Sequence[int]


class TurnChart(NamedTuple):
    """A number of every seat, turn by turn.

    `marks` are the names of the spans between two values; `unit` follows a number.
    """

    label: str
    unit: str
    marks: Sequence[str]
    seats: Sequence[SeatValues]


class EndNumber(NamedTuple):
    """A number that sums up the campaign, and what it counts."""

    number: int
    label: str


class CampaignEnding(NamedTuple):
    """The end of a campaign for a reader who has the seat `seat`, or none.

    `won` says whether this seat has won; it is None without a seat. `prologue` is the beginning
    of the story.
    """

    seat: str
    won: bool | None
    eyebrow: str
    heading: str
    lede: Sequence[str]
    numbers: Sequence[EndNumber]
    prologue: str
    story: Sequence[EndChapter]
    courses: Sequence[SeatCourse]
    charts: Sequence[TurnChart]


@runtime_checkable
class WithEnding(Protocol):
    """A title that describes the end of its campaigns."""

    def tell_ending(self, position: Position, summary: StorySummary, seat: str) -> CampaignEnding:
        """Return the end of a finished campaign for the reader in this seat; "" without a seat.

        `summary` is that of the story (`WithStory`). The texts are in the current language.
        """
        ...
