"""The functions of higher packages that the campaign calls, each under the event it serves.

`config.hooks` assigns all of them at the start; until then they do not exist. A caller reads the
name at the moment of the call (`hooks.entry_written`), so that a test can replace the function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from campaign.log.positions import History
    from campaign.models import Campaign, Clock, LogEntry, StandingOrderResult
    from engine.play import MoveResult
    from people.models import User


class Projection(Protocol):
    """A module whose rows are read from the log."""

    def project(self, campaign: Campaign, entry: LogEntry, played: MoveResult[Any]) -> None:
        """Write what one move changed."""

    def rebuild(self, campaign: Campaign, history: History) -> None:
        """Write all rows again from the log."""

    def differences(self, campaign: Campaign, history: History) -> Iterator[str]:
        """Yield where the rows differ from the log, in words."""


class EntryWritten(Protocol):
    """A function that is called after every log entry, in the transaction that writes it."""

    def __call__(self, campaign: Campaign, entry: LogEntry, before: Any, after: Any, /) -> None:
        """Act on the entry.

        `before` and `after` are the positions around a move; `before` is None for an act.
        """


class ProgramsChanged(Protocol):
    """A function that is called when a program has taken or left a seat among people."""

    def __call__(self, campaign: Campaign, at: datetime, /) -> None:
        """Let the opponents of seats with programs play battles solo, and no others.

        The caller holds the campaign's row.
        """


class WantedClock(NamedTuple):
    """A clock that should run.

    `entry` is the entry that opened it; None for a clock of the position, which `followup_key`
    distinguishes from earlier ones. `waits` are the seats for which it waits.
    """

    kind: str
    seat: str = ""
    contest: int | None = None
    entry: int | None = None
    followup_key: str = ""
    waits: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int | None, str]:
        """The key that no two running clocks of a campaign share."""
        return self.kind, self.seat, self.contest, self.followup_key


class ClockReading(NamedTuple):
    """The function that returns the clocks of some kinds which a position needs."""

    kinds: Collection[str]
    read: Callable[[Campaign, Any], Iterable[WantedClock]]


class ClockExpired(Protocol):
    """The automatic act of a kind of clock, if the game master has switched it on."""

    def __call__(self, campaign: Campaign, clock: Clock, at: datetime, /) -> LogEntry | None:
        """Act, and return the entry; None if nothing could be done."""


class ClockEvent(Protocol):
    """A function that is called in the transaction in which something happens to a clock."""

    def __call__(self, clock: Clock, event: str, at: datetime, facts: Mapping[str, Any], /) -> None:
        """Notify of the event: `soon`, `today`, `missed`, `acted` or `moved`.

        `facts` are the entry of `acted`, and of `moved` was, to, reason and entry.
        """


class DrawFallen(Protocol):
    """A function that is called when a public draw has fallen which a person has to enter."""

    def __call__(self, campaign: Campaign, named: LogEntry, turn: int, at: datetime, /) -> None:
        """Notify of the draw; `named` is the entry that named it."""


class OrderRefused(Protocol):
    """A function that is called when the rules have forbidden a standing order."""

    def __call__(self, order: StandingOrderResult, at: datetime, /) -> None:
        """Notify the owner of the order."""


class Tick(Protocol):
    """The work of one kind in `settings.TICKS`."""

    def __call__(self, now: datetime, limit: int, /) -> int:
        """Do at most `limit` things that are due, and return how many were done."""


class UserErased(Protocol):
    """A function that is called when a user is erased."""

    def __call__(self, user: User, at: datetime, /) -> list[str]:
        """Erase what a package keeps of the user, and return what was done, for the host."""


class ResultOrigins(Protocol):
    """A function that returns the origins of results that players claimed."""

    def __call__(self, campaign: Campaign, /) -> Mapping[int, str]:
        """Return sentences in the current language by the number of the result's entry.

        Results that the game master entered without a claim are missing.
        """


class MessagePosted(Protocol):
    """A function that is called when a message between seats has been posted."""

    def __call__(
        self,
        campaign: Campaign,
        readers: Mapping[int, str],
        facts: Mapping[str, Any],
        at: datetime,
        /,
    ) -> None:
        """Notify the readers, given as user ids with the seat as which each reads.

        `facts` are the thread and the seat of the author, never the text.
        """


class MessageRead(Protocol):
    """A function that is called when a user has read a thread."""

    def __call__(self, campaign: Campaign, user: User, thread: str, /) -> None:
        """Mark the notices about the thread of this key as read."""


# The log
projections: Sequence[Projection]
"""The rows that are read from the log, in this order."""
entry_written: Sequence[EntryWritten]
programs_changed: ProgramsChanged
result_origins: ResultOrigins

# Clocks
clock_readings: Sequence[ClockReading]
"""The readings of clocks that belong to higher packages."""
clock_expired: Mapping[str, ClockExpired]
"""The acts of expired clocks, by kind, besides those of `campaign.clocks.services.ACTS`."""
clock_event: ClockEvent
draw_fallen: DrawFallen
order_refused: OrderRefused

# The pulse
ticks: Mapping[str, Tick]
"""The work of each kind, in the order of `settings.TICKS`."""

# Users and messages
user_erased: Sequence[UserErased]
"""The functions in the order in which they are called."""
message_posted: MessagePosted
message_read: MessageRead
