"""Truces between seats, which a title may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable


class Truce(NamedTuple):
    """Two seats that do not attack each other until the end of turn `until`."""

    seats: tuple[str, str]
    until: int


@runtime_checkable
class WithTruces(Protocol):
    """A title whose seats may have truces. Everyone may know them."""

    def truces(self, position: Any) -> Sequence[Truce]:
        """Return the truces that are in force."""
        ...
