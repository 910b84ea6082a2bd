"""Numbers as the chronicle writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Facts = Mapping[str, Any]


class Count(str):
    """A number in words. A sentence may ask for it with its unit, `{n:legions}`, in the masculine, `{n:m}`, or in
    digits, `{n:d}`."""

    def __new__(cls, n: int, book: Facts) -> Count:
        numbers: Sequence[str] = book["numbers"]
        return super().__new__(cls, numbers[n] if 0 <= n < len(numbers) else str(n))

    def __init__(self, n: int, book: Facts) -> None:
        self.n, self.book = n, book

    def of(self, unit: str) -> str:
        """So many of a unit: its forms are for one, for more, for none."""
        one, more, none = self.book["units"][unit]
        return str(one if self.n == 1 else more if self.n else none).format(n=self)

    def __format__(self, spec: str) -> str:
        if spec in self.book["units"]:
            return self.of(spec)
        if spec == "m" and self.n == 1:
            return str(self.book["masculine"])
        return str(self.n) if spec == "d" else str(self)
