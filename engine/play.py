"""Moves and how they are played: copy the position, change the copy, return a receipt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, dataclass_transform

from engine.dice import Dice
from engine.effects import Effect, Roll

C = TypeVar("C", bound="type[Any]")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def frozen(cls: C) -> C:
    """Return the class as a dataclass that type checkers treat as frozen.

    Frozen dataclasses of Python take three times as long to create, and a replay creates one for
    each move.
    """
    enter: Any = dataclass(slots=True, kw_only=True, unsafe_hash=True)
    entered: C = enter(cls)
    return entered


@frozen
class Move:
    """A move that a seat announces.

    `by` is the speaker (a seat or `gm`), `seat` the seat whose move it is (`gm` may speak for a
    seat). `admit` checks whether this seat may speak now, `check` whether the rules allow the move:
    both change nothing, and raise `IllegalMove`. `apply` changes the position in place; every
    refusal comes before its first die.
    """

    name: ClassVar[str]
    by: str
    seat: str

    def admit(self, position: Any) -> None:
        """Raise `IllegalMove` unless the seat may speak now."""
        raise NotImplementedError(f"{type(self).__name__} does not say who may speak")

    def check(self, position: Any) -> None:
        """Raise `IllegalMove` if a rule forbids the move; by default no rule does."""

    def apply(self, position: Any, dice: Dice) -> None:
        """Change the position by this move, which `admit` and `check` have allowed."""
        raise NotImplementedError(f"{type(self).__name__} does nothing")

    def to_json(self) -> dict[str, Any]:
        """Return the move in record form."""
        raise NotImplementedError(f"{type(self).__name__} cannot be written")


# The attributes of a title's position that the kernel needs.


class Position(Protocol):
    """The whole state at one point of the log. A title's own class has further attributes."""

    effects: list[Effect]
    """The effects so far of the move that is being played; `play` empties the list before each
    move.
    """

    def copy(self) -> Self:
        """Return an independent copy.

        It is written by hand, since deepcopy takes ten times as long.
        """
        ...

    def finish_move(self) -> None:
        """Finish what a move has left open: end slots and close turns.

        It is called after each move.
        """
        ...

    def encode(self) -> dict[str, Any]:
        """Return all of it as JSON values; equal positions encode equally.

        Digests are made from this.
        """
        ...


P = TypeVar("P", bound=Position)


class MoveResult(NamedTuple, Generic[P]):
    """The receipt of a move: the position after it, its effects and its rolls."""

    move: Move
    after: P
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


def perform(position: Position, move: Move, dice: Dice) -> None:
    """Play the move on the position itself.

    After an `IllegalMove` from `apply` the position is invalid.
    """
    move.admit(position)
    move.check(position)
    position.effects = []
    move.apply(position, dice)
    position.finish_move()


def play(position: P, move: Move, dice: Dice) -> MoveResult[P]:
    """Play the move on a copy; the given position is never changed.

    Raises `IllegalMove` if a rule forbids it; then no die has been thrown and no position changed.
    """
    after = position.copy()
    dice.take_rolls()
    try:
        perform(after, move, dice)
    except BaseException:
        dice.take_rolls()
        raise
    return MoveResult(move, after, tuple(after.effects), dice.take_rolls())
