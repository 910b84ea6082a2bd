"""Threats to a seat, which a title may name in letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Phrase


class Threat(NamedTuple):
    """A danger for a seat: the phrase that names it, and the contest that it comes from, if any."""

    what: Phrase
    contest: int | None = None


@runtime_checkable
class WithThreats(Protocol):
    """A title that knows what threatens a seat."""

    def threats(self, position: Any, seat: str) -> Sequence[Threat]:
        """Return what threatens a seat now, the most pressing first.

        Everyone may know it, or at least the holder of the seat.
        """
        ...
