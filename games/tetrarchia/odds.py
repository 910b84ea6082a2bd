"""Exact chances of a battle: all 36 pairs of the two dice (5)."""

from __future__ import annotations

from typing import NamedTuple

from games.tetrarchia import battle
from games.tetrarchia.battle import Value
from games.tetrarchia.position import Position

FACES = range(1, 7)
PAIRS = 36


class Odds(NamedTuple):
    """Both sides' values with every pair of dice: `rows[r][b]` is (Rome, barbarians) with r + 1 and b + 1."""

    ours: Value
    theirs: Value
    rows: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def won(self) -> int:
        """Pairs of 36 with which Rome is higher."""
        return sum(ours > theirs for row in self.rows for ours, theirs in row)

    @property
    def level(self) -> int:
        return sum(ours == theirs for row in self.rows for ours, theirs in row)

    @property
    def lost(self) -> int:
        return PAIRS - self.won - self.level


def between(ours: Value, theirs: Value) -> Odds:
    """The chances of these two sides."""
    return Odds(ours, theirs, tuple(tuple((ours.of(r), theirs.of(b)) for b in FACES) for r in FACES))


def against(position: Position, emperor: str, at: str, army: str) -> Odds:
    """The chances of a battle of an Emperor who stands `at` a space and an army."""
    return between(battle.roman(position, emperor, at, army), battle.barbarian(position, at, army))


def percent(pairs: int) -> str:
    """Pairs of 36 as a whole per cent; what may happen is never 0%, what may not never 100%."""
    share = round(pairs * 100 / PAIRS)
    if 0 < pairs < PAIRS:
        share = min(max(share, 1), 99)
    return f"{share}%"


def share(pairs: int) -> str:
    """The length of a bar, in per cent."""
    return f"{pairs * 100 / PAIRS:.1f}"
