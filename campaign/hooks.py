"""What rooms above are called for, by purpose: `config.hooks` fills each in once, at start. Empty
until then.

A room that is called reads the name at the moment of the call (`hooks.tellers`), so that tests may
put others in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from campaign.log.positions import History
    from campaign.models import Campaign, Clock, Heeded, LogEntry
    from engine.errors import MalformedRecord
    from engine.play import Played
    from games.contract.title import Title


class Projection(Protocol):
    """A module whose rows are read from the log."""

    def project(self, campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
        """Writes what one move changed."""

    def rebuild(self, campaign: Campaign, history: History) -> None:
        """Writes everything anew."""

    def differences(self, campaign: Campaign, history: History) -> Iterator[str]:
        """What the rows and the log say differently, in words."""


class JudgedScenario(NamedTuple):
    """A scenario that was read, with the text of its drawing (empty without one), or every fault
    with its key.
    """

    scenario: dict[str, Any]
    drawing: str
    faults: list[MalformedRecord]


class JudgeScenario(Protocol):
    """A function that reads a scenario of a user."""

    def __call__(
        self, title: Title, text: str, drawn: str = "", *, mapped: bool = True
    ) -> JudgedScenario:
        """Return the scenario and its drawing, or every fault. Without `mapped` the map is not
        read.
        """


@dataclass(frozen=True)
class ShapesRead:
    """A file with shapes as the worker read it.

    `sheet` is what the page shows, as JSON; None if the file has `faults`. `bundle` is the scenario
    of `title` that begins from it, with its drawing; None if the user did not ask for it, or if the
    names have `errors`.
    """

    sheet: Mapping[str, Any] | None = None
    faults: Sequence[str] = ()
    errors: Sequence[str] = ()
    title: str = ""
    bundle: Mapping[str, Any] | None = None


class ReadShapes(Protocol):
    """A function that reads a file with shapes in a child process."""

    def __call__(
        self, data: bytes, names: Sequence[str] | None, name: str, *, begin: bool
    ) -> ShapesRead:
        """Return the shapes with the given names as the page shows them; if `begin`, the scenario
        from them.

        Raises `LimitExceeded`.
        """


Tick = Callable[[datetime, int], int]
"""Does at most so many things that are due at the moment, and answers how many it did."""

# The log
projections: Sequence[Projection]
"""What is read from the log, in this order."""
tellers: Sequence[Callable[[Campaign, LogEntry, Any, Any], None]]
"""Hear each entry, acts too, in its transaction, with the positions before and after it; None
before an act.
"""
must_at_the_door: Callable[[Campaign, Mapping[str, Any]], None]
"""Raises `Refused` where a move that the rules allow lacks what another room asks for."""

solo_of_programs: Callable[[Campaign, datetime], None]
"""Says of the battles of seats that programs hold among people that the opponent plays them solo,
and of those whose program has left that both play again. Asks for a transaction that holds the
campaign's row.
"""


# Clocks
class WantedClock(NamedTuple):
    """A clock that should run.

    `entry` is the entry that opened it; None for a clock of the position, which `mark` tells apart
    from earlier ones. `waits` are the seats for which it waits.
    """

    kind: str
    seat: str = ""
    contest: int | None = None
    entry: int | None = None
    mark: str = ""
    waits: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int | None, str]:
        """Return what no two running clocks of a campaign share."""
        return self.kind, self.seat, self.contest, self.mark


class ClockReading(NamedTuple):
    """Which clocks of some kinds a position wants to run."""

    kinds: Collection[str]
    read: Callable[[Campaign, Any], Iterable[WantedClock]]


wanted_clocks: Sequence[ClockReading]
clock_acts: Mapping[str, Callable[[Campaign, Clock, datetime], LogEntry | None]]
"""What a kind of clock does by itself where the game master has switched it on; None: nothing could
be done.
"""
clock_tellers: Sequence[Callable[[Clock, str, datetime, Mapping[str, Any]], None]]
"""Hear of a clock, in the same transaction: `soon`, `today`, `missed`, `acted` (facts: entry),
`moved` (was, to, reason, entry).
"""
dice_renewed: Callable[[Campaign, LogEntry, Any], None]
"""Called when a renewal is in force: the entry that holds its commitment, and the position."""
tell_of_draw: Callable[[Campaign, LogEntry, int, datetime], None]
"""Hears that a public draw has fallen which a person has to enter: the entry that named it, its
turn.
"""
tell_of_order: Callable[[Heeded, datetime], None]
"""Hears of a standing order that the rules forbade."""

# The pulse
ticks: Mapping[str, Tick]
"""What does the work of each kind in `settings.TICKS`."""

# People and what they send
erasers: Sequence[Callable[[Any, datetime], list[str]]]
"""Forget an erased user, each in its room, in this order; what each did, in words for the host."""
judge_scenario: JudgeScenario
"""Reads a scenario that somebody brings: the title, its text, its drawing."""
read_shapes: ReadShapes
"""Reads a file with shapes from which a scenario begins."""

# Results
origins: Callable[[Campaign], Mapping[int, str]]
"""How results came about that the game master did not simply enter: entry -> sentences, in the
language of now.
"""

# Messages between seats
tell_of_message: Callable[[Campaign, Mapping[int, str], Mapping[str, Any], datetime], None]
"""Hears of a message: whom it is for, each with the seat as which, and its facts (thread, seat).
Never its text.
"""
message_read: Callable[[Campaign, Any, str], None]
"""Hears that somebody has the thread of this key before their eyes."""

# What the pages of a title know, for programs
house_rules: Callable[[Campaign], list[tuple[str, str, str, str]]]
"""What is played otherwise: which rule, how it is here, how it is usually, its paragraph."""
scenario_drawing: Callable[[Title, Mapping[str, Any]], str]
"""The drawing that is shipped with a scenario, as JSON; "" where none is."""
