"""What a seat can say, and how it is played: copy at the door, mutate in the room, return a
receipt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, dataclass_transform

from engine.dice import Dice
from engine.effects import Effect, Roll

C = TypeVar("C", bound="type[Any]")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def frozen(cls: C) -> C:
    """The class as a dataclass that type checkers keep from changes. Python's own frozen ones take
    three times as long to make, and a replay makes one for each move.
    """
    enter: Any = dataclass(slots=True, kw_only=True, unsafe_hash=True)
    entered: C = enter(cls)
    return entered


@frozen
class Move:
    """Something a seat announces.

    `by` is who says it (a seat or `gm`), `seat` whose move it is (`gm` may speak for a seat).
    `admit` asks whether this seat may speak now, `check` whether the rules allow it: both only ask,
    and raise `IllegalMove`. `apply` does it to the position in place; whatever can be refused has
    been refused before its first die.
    """

    name: ClassVar[str]
    by: str
    seat: str

    def admit(self, position: Any) -> None:
        raise NotImplementedError(f"{type(self).__name__} does not say who may speak")

    def check(self, position: Any) -> None:
        """Nothing but the admission stands in the way of this move."""

    def apply(self, position: Any, dice: Dice) -> None:
        raise NotImplementedError(f"{type(self).__name__} does nothing")

    def to_json(self) -> dict[str, Any]:
        """The move as a record writes it."""
        raise NotImplementedError(f"{type(self).__name__} cannot be written")


# The least that a title's position offers the kernel.


class Position(Protocol):
    """The whole state at one point of the log. A title's own class has ordinary attributes beside
    these.
    """

    effects: list[Effect]
    """What the move being played has done so far; emptied by `play` before each move."""

    def copy(self) -> Self:
        """An independent position; written by hand, since deepcopy costs ten times as much."""
        ...

    def rest(self) -> None:
        """Called after each move: slots end, turns close, nothing is left half done."""
        ...

    def encode(self) -> dict[str, Any]:
        """All of it as JSON values; equal positions encode equally. Digests are made of this."""
        ...


P = TypeVar("P", bound=Position)


class Played(NamedTuple, Generic[P]):
    """The receipt: the move, the position after it, what it did, what was thrown for it."""

    move: Move
    after: P
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


def perform(position: Position, move: Move, dice: Dice) -> None:
    """Play the move on the position itself. After an `IllegalMove` from `apply` the position is
    spoilt.
    """
    move.admit(position)
    move.check(position)
    position.effects = []
    move.apply(position, dice)
    position.rest()


def play(position: P, move: Move, dice: Dice) -> Played[P]:
    """Play the move on a copy; the position given is never touched.

    Raises `IllegalMove` where a rule forbids it, with nothing thrown or changed.
    """
    after = position.copy()
    dice.take()
    try:
        perform(after, move, dice)
    except BaseException:
        dice.take()
        raise
    return Played(move, after, tuple(after.effects), dice.take())
