"""How battles end, exactly: the race of hits that segments are (4.7), whatever the number of legions.

A one kills X legions, so each side falls at a number of hits (legions over X, rounded up), and all that legions matter
beside is whether both can ever be level. A few hundred races therefore answer for every size of army, and sixty legions
cost no more than six. Weights are whole numbers, of OF; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.march_on_rome.board import losses

ONES = (125, 75, 15, 1)
"""Ways, of 216, that three dice show 0, 1, 2 or 3 ones."""
THROW = 216
SEGMENT = THROW * THROW
PARTED = SEGMENT - ONES[0] * ONES[0]
"""Ways of a segment in which somebody is hit."""
SEGMENTS = 6
DEEPEST = 7
"""Sides that are level fall at seven hits each at most, as X is a thirteenth of both together (4.6)."""
OF = SEGMENTS * SEGMENT**SEGMENTS * PARTED**DEEPEST
"""What the weights of every race are parts of."""

Race = Mapping[tuple[int, int], int]


@lru_cache(None)
def _level(falls: int) -> Race:
    """Level sides that fall at `falls` hits each fight on till they differ: weights, of PARTED ** falls, by hits taken."""
    out: dict[tuple[int, int], int] = {}
    for struck, p in enumerate(ONES):
        if struck >= falls:
            out[0, falls] = out.get((0, falls), 0) + p * THROW * PARTED ** (falls - 1)
            continue
        for taken, q in enumerate(ONES):
            if taken != struck:
                at = (min(taken, falls), struck)
                out[at] = out.get(at, 0) + p * q * PARTED ** (falls - 1)
            elif taken:
                for (i, j), weight in _level(falls - taken).items():
                    at = (i + taken, j + taken)
                    out[at] = out.get(at, 0) + p * q * weight * PARTED ** (taken - 1)
    return out


def _onward(live: Race, mine: int, theirs: int) -> Race:
    """One segment more, those with the initiative striking first (4.7); weights grow by SEGMENT."""
    out: dict[tuple[int, int], int] = {}
    for (i, j), weight in live.items():
        if i == mine or j == theirs:
            out[i, j] = out.get((i, j), 0) + weight * SEGMENT
            continue
        for struck, p in enumerate(ONES):
            if j + struck >= theirs:
                out[i, theirs] = out.get((i, theirs), 0) + weight * p * THROW
                continue
            for taken, q in enumerate(ONES):
                at = (min(mine, i + taken), j + struck)
                out[at] = out.get(at, 0) + weight * p * q
    return out


@lru_cache(None)
def _race(mine: int, theirs: int, level: bool) -> Race:
    """How a battle ends between sides that fall at so many hits, mine striking first: weights, of OF, by hits taken.

    `level` is whether the sides are level when each has as many hits left to it as the other.
    """
    out: dict[tuple[int, int], int] = {}
    live: Race = {(0, 0): 1}
    for fought in range(1, SEGMENTS + 1):
        live = _onward(live, mine, theirs)
        rest = SEGMENT ** (SEGMENTS - fought)
        for (i, j), weight in live.items():
            falls = mine - i
            if level and 0 < falls == theirs - j:
                for (more, less), part in _level(falls).items():
                    at = (i + more, j + less)
                    out[at] = out.get(at, 0) + weight * rest * part * PARTED ** (DEEPEST - falls)
            else:
                out[i, j] = out.get((i, j), 0) + weight * rest * PARTED**DEEPEST
    return out


@lru_cache(None)
def _won(mine: int, theirs: int, level: bool, most: int) -> int:
    """The weight of the ends in which I have at most `most` more hits than he."""
    return sum(weight for (i, j), weight in _race(mine, theirs, level).items() if i - j <= most)


@lru_cache(4096)
def _first(mine: int, theirs: int) -> tuple[int, int]:
    """Of two devoted armies, mine striking first: the weights of victory and of defeat."""
    x = losses(mine + theirs)
    more = mine - theirs
    won = _won(-(-mine // x), -(-theirs // x), more % x == 0, -(-more // x) - 1)
    return won, OF - won


def victory(mine: int, theirs: int, first: bool) -> int:
    """The weight, of OF, of my victory with these devoted; `first`: I have the initiative."""
    return _first(mine, theirs)[0] if first else _first(theirs, mine)[1]


def duel(mine: int, theirs: int, first: bool) -> dict[tuple[int, int], int]:
    """The weights, of OF, of what is left of mine and of theirs; both are at least 1 before."""
    one, two = (mine, theirs) if first else (theirs, mine)
    x = losses(mine + theirs)
    out: dict[tuple[int, int], int] = {}
    for (i, j), weight in _race(-(-one // x), -(-two // x), (one - two) % x == 0).items():
        left = (max(0, one - i * x), max(0, two - j * x))
        at = left if first else left[::-1]
        out[at] = out.get(at, 0) + weight
    return out


@lru_cache(None)
def means(mine: int, theirs: int, first: bool) -> tuple[int, int, int]:
    """Of two devoted armies, in parts of OF: victories; my legions left; those left in victories."""
    ends = duel(mine, theirs, first).items()
    left_won = sum(left * weight for (left, his), weight in ends if left > his)
    return victory(mine, theirs, first), left_won + sum(left * w for (left, his), w in ends if left < his), left_won
