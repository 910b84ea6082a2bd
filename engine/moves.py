"""What a seat can say. A title's moves are frozen dataclasses that derive from `Move`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.dice import Dice


@dataclass(frozen=True, slots=True, kw_only=True)
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
