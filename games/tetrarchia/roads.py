"""Ways over land and sea, and what they cost (4.2a, 7.2, 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from games.tetrarchia.board import COASTS, LINKS, REVOLT, SPACES, ZONES
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import AMPHIBIOUS, MARE

NORMAL, BROKEN, SEA, INTO_REVOLT = 1, 2, 1, 1
"""What a step costs (4.2a)."""
FAR = 10**6


class Way(NamedTuple):
    """The cheapest way to a space: its steps, and what they cost together."""

    cost: int
    path: tuple[str, ...]


def waters(position: Position, zone: str) -> list[str]:
    """The zones that one may land in from a zone: itself if a fleet is there, and those that are one with it (7.2)."""
    if zone not in position.fleets:
        return []
    row = list(ZONES)
    found = [zone]
    if position.on(MARE):
        at = row.index(zone)
        for part in (row[at + 1 :], row[:at][::-1]):
            for other in part:
                if other not in position.fleets:
                    break
                found.append(other)
    return found


def sea_linked(position: Position, a: str, b: str) -> bool:
    """May one sail from a province to another in one step?"""
    here, there = SPACES[a].zone, SPACES[b].zone
    return bool(here and there) and a != b and there in waters(position, here)


def step(position: Position, a: str, b: str) -> int | None:
    """What a step costs, the cheaper of land and sea; None where there is neither (4.2a)."""
    cost = FAR
    broken = LINKS[a].get(b)
    if broken is not None:
        cost = BROKEN if broken else NORMAL
    if cost > SEA and sea_linked(position, a, b):
        cost = SEA
    if cost == FAR:
        return None
    return cost + INTO_REVOLT if position.tokens.get(b) == REVOLT else cost


def attack_cost(position: Position, a: str, b: str) -> int | None:
    """What an attack costs: the link, and with the option `amphibious` the sea too (4.2e, 7.6); None where there is none."""
    if AMPHIBIOUS in position.options.extras:
        return step(position, a, b)
    broken = LINKS[a].get(b)
    if broken is None:
        return None
    return (BROKEN if broken else NORMAL) + (INTO_REVOLT if position.tokens.get(b) == REVOLT else 0)


def reach(position: Position, start: str, most: int) -> Mapping[str, Way]:
    """Every space that can be come to for at most so much, the start too, by its cheapest way; of ways that cost the
    same the one with the fewest steps, then the first in board order. Other Emperors may stand where a way leads."""
    armies, tokens = position.barbarians, position.tokens
    overseas = {zone: [key for other in waters(position, zone) for key in COASTS[other]] for zone in ZONES}
    found: dict[str, Way] = {}
    todo: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, start, ())]
    while todo:
        cost, steps, here, path = heappop(todo)
        if here in found:
            continue
        found[here] = Way(cost, path)
        zone = SPACES[here].zone
        near = {key: BROKEN if broken else NORMAL for key, broken in LINKS[here].items()}
        if zone:
            near.update(dict.fromkeys(overseas[zone], SEA))
        for key, price in near.items():
            total = cost + price + (tokens.get(key) == REVOLT)
            if total <= most and key not in found and key not in armies:
                heappush(todo, (total, steps + 1, key, (*path, key)))
    return found
