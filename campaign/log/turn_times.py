"""The times at which the moves of the open turn were made, as the campaign's row copies them.

Pages show a few of these times, and a turn can have hundreds of moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from engine.effects import Effect
from engine.strict_json import read

RESUME = "resume"
"""The name of the move that takes over a campaign that began elsewhere, in place of the start."""

Times = Mapping[str, datetime]


class TimedMove(NamedTuple):
    """The facts of a move that the times of its turn need. `effects` is the stored text."""

    turn: int
    at: datetime
    name: str
    public: bool
    """Whether everyone sees the move."""
    effects: str


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The times of a turn. They include hidden moves, except the times of slots."""

    turn: int = 0
    first: datetime | None = None
    """When the first move was made."""
    last: datetime | None = None
    taken_over: bool = False
    """Whether the campaign was taken over from elsewhere in this turn."""
    opened: Times = field(default_factory=dict)
    """When the slot of each seat was opened."""
    ended: Times = field(default_factory=dict)
    contests: Times = field(default_factory=dict)
    """The time of the last change of each contest, by its number as a text."""

    def after(self, move: TimedMove) -> TurnTimes:
        """Return the times after another move, which may belong to another turn."""
        times = self if self.turn == move.turn else TurnTimes(turn=move.turn)
        effects = [Effect.from_json(effect) for effect in read(move.effects)]
        slots = [effect for effect in effects if effect.kind == "slot" and move.public]
        opened = {slot.holder: move.at for slot in slots if slot.holder and slot.subject == OPENED}
        ended = {slot.holder: move.at for slot in slots if slot.holder and slot.subject == ENDED}
        contests = {effect.subject: move.at for effect in effects if effect.kind == "attack"}
        return replace(
            times,
            first=times.first or move.at,
            last=move.at,
            taken_over=times.taken_over or move.name == RESUME,
            opened={**times.opened, **opened},
            ended={**times.ended, **ended},
            contests={**times.contests, **contests},
        )

    @property
    def stored(self) -> dict[str, Any] | None:
        """The times as the campaign's row has them; None before the first move of the turn."""
        if self.first is None or self.last is None:
            return None
        facts: dict[str, Any] = {"turn": self.turn, "taken_over": self.taken_over}
        facts |= texts_of({"first": self.first, "last": self.last})
        times = {"opened": self.opened, "ended": self.ended, "contests": self.contests}
        return facts | {name: texts_of(known) for name, known in times.items()}


OPENED, ENDED = "opened", "ended"
"""The values of a slot effect: the slot opens or ends."""


def from_stored(facts: Mapping[str, Any] | None) -> TurnTimes:
    """Return the times that a campaign's row has stored."""
    if facts is None:
        return TurnTimes()
    return TurnTimes(
        turn=facts["turn"],
        first=datetime.fromisoformat(facts["first"]),
        last=datetime.fromisoformat(facts["last"]),
        taken_over=facts["taken_over"],
        opened=times_of(facts["opened"]),
        ended=times_of(facts["ended"]),
        contests=times_of(facts["contests"]),
    )


def of_moves(turn: int, moves: Iterable[TimedMove]) -> TurnTimes:
    """Return the times of a turn; moves of other turns are ignored.

    `moves` are in force, the oldest first.
    """
    times = TurnTimes(turn=turn)
    for move in moves:
        if move.turn == turn:
            times = times.after(move)
    return times


def texts_of(times: Times) -> dict[str, str]:
    """Return times as the campaign's row stores them, in UTC."""
    return {key: at.astimezone(UTC).isoformat(timespec="microseconds") for key, at in times.items()}


def times_of(texts: Mapping[str, str]) -> dict[str, datetime]:
    """Return stored times as instants."""
    return {key: datetime.fromisoformat(text) for key, text in texts.items()}
