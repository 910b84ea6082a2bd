"""Costs of ways and chances of battles, fast enough for thousands of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from games.tetrarchia.rules import battle
from games.tetrarchia.rules.battle import Value
from games.tetrarchia.rules.position import COASTS, LINKS, SPACES, ZONES

Raw = Mapping[str, Any]


Graph = Mapping[str, tuple[tuple[str, int], ...]]
"""The steps from each space with their prices, without those for Revolts."""
FAR = 99


@lru_cache(64)
def graph(fleets: tuple[str, ...], joined: bool) -> Graph:
    """Return the possible steps with these fleets.

    `joined`: adjacent zones with fleets count as one zone (7.2).
    """
    routes: dict[str, dict[str, int]] = {
        key: {other: battle.BROKEN if broken else battle.NORMAL for other, broken in near.items()}
        for key, near in LINKS.items()
    }
    for zone in fleets:
        for other in _one_sea(zone, fleets) if joined else (zone,):
            for key in COASTS[zone]:
                routes[key].update({there: battle.SEA for there in COASTS[other] if there != key})
    return {key: tuple(near.items()) for key, near in routes.items()}


def _one_sea(zone: str, fleets: tuple[str, ...]) -> Iterator[str]:
    row = list(ZONES)
    for other in fleets:
        low, high = sorted((row.index(zone), row.index(other)))
        if all(between in fleets for between in row[low : high + 1]):
            yield other


@lru_cache(64)
def distances(fleets: tuple[str, ...], joined: bool) -> Mapping[str, Mapping[str, int]]:
    """Return the cost from each space to each other, without Revolts and armies."""
    steps = graph(fleets, joined)
    return {key: costs(steps, key, FAR, frozenset(), frozenset()) for key in SPACES}


def costs(
    steps: Graph, start: str, most: int, revolts: frozenset[str], armies: frozenset[str]
) -> dict[str, int]:
    """Return the cost of each space that can be reached for at most `most`."""
    cheapest, wave = {start: 0}, {0: [start]}
    cost = 0
    while wave and cost <= most:
        for here in wave.pop(cost, ()):
            if cheapest[here] < cost:
                continue
            for other, price in steps[here]:
                total = cost + price + (other in revolts)
                if total <= most and total < cheapest.get(other, FAR + 1) and other not in armies:
                    cheapest[other] = total
                    wave.setdefault(total, []).append(other)
        cost += 1
    return cheapest


def chances(rome: Value, foe: Value) -> tuple[float, float]:
    """Return the Emperor's chances to win and to lose."""
    return _chances(rome.support, len(rome.helpers), foe.support, len(foe.helpers))


@lru_cache(None)
def _chances(support: int, helpers: int, revolts: int, armies: int) -> tuple[float, float]:
    odds = battle.odds_between(
        Value(support, (), ("",) * helpers), Value(revolts, (), ("",) * armies)
    )
    return odds.won / battle.PAIRS, odds.lost / battle.PAIRS
