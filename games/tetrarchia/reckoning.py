"""What a player by program reckons with, made to be asked thousands of times: ways with their prices, chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from games.tetrarchia import odds, roads
from games.tetrarchia.battle import Value
from games.tetrarchia.board import COASTS, LINKS, SPACES, ZONES

Graph = Mapping[str, tuple[tuple[str, int], ...]]
"""The steps from each space with their prices, Revolts not counted."""
FAR = 99


@lru_cache(64)
def graph(fleets: tuple[str, ...], joined: bool) -> Graph:
    """The steps there are with these fleets; `joined` where adjacent zones with fleets are one (7.2)."""
    made: dict[str, dict[str, int]] = {
        key: {other: roads.BROKEN if broken else roads.NORMAL for other, broken in near.items()} for key, near in LINKS.items()
    }
    for zone in fleets:
        for other in _one_sea(zone, fleets) if joined else (zone,):
            for key in COASTS[zone]:
                made[key].update({there: roads.SEA for there in COASTS[other] if there != key})
    return {key: tuple(near.items()) for key, near in made.items()}


def _one_sea(zone: str, fleets: tuple[str, ...]) -> Iterator[str]:
    row = list(ZONES)
    for other in fleets:
        low, high = sorted((row.index(zone), row.index(other)))
        if all(between in fleets for between in row[low : high + 1]):
            yield other


@lru_cache(64)
def distances(fleets: tuple[str, ...], joined: bool) -> Mapping[str, Mapping[str, int]]:
    """What it costs to come from each space to each, Revolts and armies not counted."""
    steps = graph(fleets, joined)
    return {key: costs(steps, key, FAR, frozenset(), frozenset()) for key in SPACES}


def costs(steps: Graph, start: str, most: int, revolts: frozenset[str], armies: frozenset[str]) -> dict[str, int]:
    """What it costs to come to each space for at most so much."""
    found, wave = {start: 0}, {0: [start]}
    cost = 0
    while wave and cost <= most:
        for here in wave.pop(cost, ()):
            if found[here] < cost:
                continue
            for other, price in steps[here]:
                total = cost + price + (other in revolts)
                if total <= most and total < found.get(other, FAR + 1) and other not in armies:
                    found[other] = total
                    wave.setdefault(total, []).append(other)
        cost += 1
    return found


def chances(ours: Value, theirs: Value) -> tuple[float, float]:
    """The Emperor's chances to win and to lose."""
    return _chances(ours.support, len(ours.helpers), theirs.support, len(theirs.helpers))


@lru_cache(None)
def _chances(support: int, helpers: int, revolts: int, armies: int) -> tuple[float, float]:
    found = odds.between(Value(support, (), ("",) * helpers), Value(revolts, (), ("",) * armies))
    return found.won / odds.PAIRS, found.lost / odds.PAIRS
