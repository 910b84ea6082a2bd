"""The prospects of a game (4.2c, 6): tokens in reserve, and games that are lost for certain.

Tokens alone never make a game hopeless: a Revolt, an army or a defeat returns them to their Emperor
(8.16), and dice can always bring one of these. A game is hopeless only if the next barbarian phase
loses it with all dice, whatever the Emperor does before.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import combinations

from games.tetrarchia.rules import battle
from games.tetrarchia.rules.moves import CALM, SAIL, SECURE_BORDER
from games.tetrarchia.rules.position import (
    EMPERORS,
    IMPERIUM,
    LINKS,
    ONWARD,
    OUTSIDE,
    PATRES,
    REVOLT,
    ROMA,
    SPACES,
    UNREST,
    WHY_LOST,
    ZONES,
    Position,
)

Afloat = tuple[str, ...]


def open_borders(position: Position) -> int:
    """Return the number of borders that are not secured."""
    return len(OUTSIDE) - len(position.secured())


def tokens_left(position: Position) -> int:
    """Return the number of tokens that all Emperors have in reserve."""
    return sum(position.supply.values())


def is_stalled(position: Position) -> bool:
    """Return whether no Emperor has a token: no border can be secured until one comes back."""
    return position.phase == "roman" and not tokens_left(position)


def revolts_behind(position: Position, space: str) -> list[str]:
    """Return the provinces in Revolt that keep the border at this outside space open (4.2c)."""
    return [
        key
        for key, token in sorted(position.tokens.items())
        if token == REVOLT and SPACES[key].region == SPACES[space].region
    ]


def certain_loss(position: Position) -> str | None:
    """Return why the next barbarian phase loses the game with all dice; None if it may not (6.2).

    The reason is that of `Position.reason`. The Emperor whose turn it is cannot prevent the loss.
    """
    if position.phase != "roman":
        return None
    if any(unstoppable(position, army) for army in position.barbarians if ONWARD[army] == ROMA):
        return "rome"
    return WHY_LOST[REVOLT] if not can_act(position) and short_of_revolts(position) else None


def most_points(position: Position) -> int:
    """Return the most Imperium Points that the Emperor can spend in this turn (4.2, 7.1, 7.4)."""
    emperor = position.emperor
    given_up = possible_tokens(position) if position.has_variant(IMPERIUM) else 0
    taken = (
        position.has_variant(PATRES)
        and emperor == "diocletian"
        and emperor not in position.patres_done
    )
    return position.ip + given_up + taken


def possible_tokens(position: Position) -> int:
    """Return the most tokens that the Emperor may have in this turn.

    With the variant `imperium` victories may bring back those that were given up (7.1).
    """
    emperor = position.emperor
    return position.supply[emperor] + position.removed[emperor]


def can_act(position: Position) -> bool:
    """Return whether the Emperor can do anything besides ending the turn."""
    return position.can_enter or (position.at is not None and most_points(position) > 0)


def unstoppable(position: Position, army: str) -> bool:
    """Return whether an army beside ROMA enters it in the next phase, with all dice."""
    if not can_act(position):
        return not may_hold(position, army)
    others = [emperor for emperor in position.standing(ROMA) if emperor != position.emperor]
    if position.can_enter or others:
        return False
    in_revolt = position.tokens.get(ROMA) == REVOLT
    costs, points = cheapest(position), most_points(position)
    into_rome = costs[ROMA] + (CALM if in_revolt else 0)
    return min(into_rome, costs[army], cost_of_winning(position, costs)) > points


def may_hold(position: Position, army: str) -> bool:
    """Return whether an Emperor in ROMA may stop this army (5.4, 5.6).

    A second army beside ROMA makes the answer uncertain; then it is true.
    """
    if position.tokens.get(ROMA) == REVOLT:
        return False
    standing = [
        emperor
        for emperor in position.standing(ROMA)
        if not (emperor == position.emperor and position.sharing())
    ]
    if len([other for other in position.barbarians if ONWARD[other] == ROMA]) > 1:
        return bool(standing)
    return any(
        battle.odds_against(position, emperor, ROMA, army).lost < battle.PAIRS
        for emperor in standing
    )


def cost_of_winning(position: Position, costs: Mapping[str, int]) -> int:
    """Return the least cost with which the Emperor may secure the last border now (6.1)."""
    still_open = [key for key in OUTSIDE if position.tokens.get(key) not in EMPERORS]
    if len(still_open) > 1 or not possible_tokens(position):
        return battle.FAR
    return costs[still_open[0]] + SECURE_BORDER


def cheapest(position: Position) -> dict[str, int]:
    """Return the least cost of reaching each space, or of attacking the army in it (4.2).

    Fleets may sail first, and every attack on the way is won.
    """
    seas = {
        afloat: with_fleets(position, afloat)
        for afloat in combinations(ZONES, len(position.fleets))
    }
    costs: dict[str, int] = dict.fromkeys(SPACES, battle.FAR)
    seen: set[tuple[str, Afloat]] = set()
    start = tuple(zone for zone in ZONES if zone in position.fleets)
    todo: list[tuple[int, str, Afloat]] = [(0, str(position.at), start)]
    while todo:
        cost, here, afloat = heappop(todo)
        if (here, afloat) in seen:
            continue
        seen.add((here, afloat))
        costs[here] = min(costs[here], cost)
        for other in seas:
            if len(set(other) - set(afloat)) == 1:
                heappush(todo, (cost + SAIL, here, other))
        for to in SPACES:
            price = step_or_attack(seas[afloat], here, to)
            if price is not None:
                heappush(todo, (cost + price, to, afloat))
    return costs


def with_fleets(position: Position, afloat: Afloat) -> Position:
    """Return the position with the fleets in these zones."""
    sailed = position.copy()
    sailed.set_fleets(list(afloat))
    return sailed


def step_or_attack(position: Position, here: str, to: str) -> int | None:
    """Return the cost of a step, or of an attack if there is an army."""
    if to in position.barbarians:
        return battle.attack_cost(position, here, to)
    return battle.step(position, here, to)


def short_of_revolts(position: Position) -> bool:
    """Return whether the next phase needs more Revolt tokens than there are, with all dice (6.2).

    It counts the Unrest with a normal link to a Revolt, and the advance of a single army.
    """
    tokens = position.tokens
    rising = {
        key
        for key, token in tokens.items()
        if token == UNREST
        and any(not broken and tokens.get(to) == REVOLT for to, broken in LINKS[key].items())
    }
    left = position.reserve[REVOLT] - len(rising)
    if left < 0 or len(position.barbarians) != 1:
        return left < 0
    army = position.barbarians[0]
    to = ONWARD[army]
    enters = not LINKS[army].get(to) and not position.standing(to)
    return left == 0 and enters and to not in rising and tokens.get(to) != REVOLT
