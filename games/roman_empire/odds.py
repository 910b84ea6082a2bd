"""Exact chances of a combat: every throw of both sides, rounds until it is over (8)."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from games.roman_empire import combat
from games.roman_empire.board import MINORS, PEOPLES
from games.roman_empire.position import Position

FACES = range(1, 7)


class Sides(NamedTuple):
    """What counts in a throw: three dice or two for the attacker, what he adds, whether he wins ties; the defender's dice,
    what he adds, whether he holds a Fortress."""

    three: bool
    mine: int
    ties: bool
    dice: int
    his: int
    fortress: bool


class Odds(NamedTuple):
    """A combat about a land: `defenders` to beat (a Fort is one), chance that one army takes it, and that all in hand do."""

    sides: Sides
    defenders: int
    one: float
    all: float
    armies: int


@cache
def throw(sides: Sides) -> dict[tuple[str, bool], float]:
    """The chances of one throw: who wins ("" for a tie thrown again), and whether three equal dice fell."""
    found: dict[tuple[str, bool], float] = {}
    mine = list(product(FACES, repeat=3 if sides.three else 2))
    his = list(product(FACES, repeat=sides.dice))
    each = 1 / (len(mine) * len(his))
    for ours in mine:
        triple = sides.three and len(set(ours)) == 1
        for theirs in his:
            winner = combat.decide(max(ours) + sides.mine, max(theirs) + sides.his, sides.fortress, sides.ties)
            found[winner, triple] = found.get((winner, triple), 0.0) + each
    return found


@cache
def taken(sides: Sides, armies: int, defenders: int) -> float:
    """The chance that so many armies, one after the other, beat all defenders; three equal dice kill the leader (7.1)."""
    if not defenders:
        return 1.0
    if not armies:
        return 0.0
    once, again = throw(sides), 0.0
    without = sides._replace(three=False)
    total = 0.0
    for (winner, triple), chance in once.items():
        after = without if triple else sides
        if winner == "attacker":
            total += chance * taken(after, armies, defenders - 1)
        elif winner == "defender":
            total += chance * taken(after, armies - 1, defenders)
        elif triple:
            total += chance * taken(after, armies, defenders)
        else:
            again += chance
    return total / (1 - again)


def attack(position: Position, land: str, source: str) -> Odds:
    """The chances of an attack on a land, if its defenders stand."""
    place, bonus = position.lands[land], position.working
    walls = place.fort.level if place.fort is not None and not bonus.get("no_fort_bonus") else 0
    overseas = source == "sea" and (place.who in PEOPLES or place.who in MINORS)
    sides = Sides(
        bool(bonus.get("three_dice")), int(bonus.get("attack_plus") or 0), bool(bonus.get("ties")),
        2 if combat.hard(position, land, source) else 1, int(overseas) + (1 if walls else 0), walls == combat.FORTRESS,
    )  # fmt: skip
    revolt = bonus.get("revolt")
    armies = int(revolt["n"]) if source == "revolt" and revolt else position.in_hand
    defenders = place.n + (place.fort is not None)
    return Odds(sides, defenders, taken(sides, 1, defenders), taken(sides, armies, defenders), armies)


def percent(chance: float) -> str:
    """A chance as a whole per cent; what may happen is never 0%, what may not never 100%."""
    share = round(chance * 100)
    if 0 < chance < 1:
        share = min(max(share, 1), 99)
    return f"{share}%"
