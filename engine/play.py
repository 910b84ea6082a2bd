"""Copy at the door, mutate in the room, return a receipt."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from engine.dice import Dice
from engine.effects import Effect, Roll
from engine.moves import Move

# The least that a title's position offers the kernel.


class Position(Protocol):
    """The whole state at one point of the log. A title's own class has ordinary attributes beside these."""

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
    """Play the move on the position itself. After an `IllegalMove` from `apply` the position is spoilt."""
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
