"""What a seat can say. A title's moves are dataclasses that derive from `Move` and never change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, dataclass_transform

from engine.dice import Dice

C = TypeVar("C", bound="type[Any]")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def frozen(cls: C) -> C:
    """The class as a dataclass that type checkers keep from changes. Python's own frozen ones take three times as long to make,
    and a replay makes one for each move."""
    enter: Any = dataclass(slots=True, kw_only=True, unsafe_hash=True)
    entered: C = enter(cls)
    return entered


@frozen
class Move:
    """Something a seat announces.

    `by` is who says it (a seat or `gm`), `seat` whose move it is (`gm` may speak for a seat). `admit` asks
    whether this seat may speak now, `check` whether the rules allow it: both only ask, and raise `IllegalMove`.
    `apply` does it to the position in place; whatever can be refused has been refused before its first die.
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
