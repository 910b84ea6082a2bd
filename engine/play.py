"""Copy at the door, mutate in the room, return a receipt."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from engine.dice import Dice
from engine.effects import Effect, Roll
from engine.moves import Move
from engine.position import Position

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
