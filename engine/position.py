"""The least that a title's position offers the kernel."""

from __future__ import annotations

from typing import Any, Protocol, Self

from engine.effects import Effect


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
