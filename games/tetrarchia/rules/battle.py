"""Battles (5): support, multipliers, outcome, chances; and the ways over land and sea."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Phrase
from engine.shares import whole_percents
from games.tetrarchia.rules.position import (
    AMPHIBIOUS,
    COASTS,
    EMPERORS,
    GREAT,
    IMPERIUM,
    LINKS,
    MARE,
    REVOLT,
    SPACES,
    UNREST,
    ZONES,
    Position,
    ordered,
)

D6 = 6


class Value(NamedTuple):
    """The terms of a side's value: support by its spaces, and the doubling helpers (5.2, 5.3)."""

    support: int
    group: tuple[str, ...]
    helpers: tuple[str, ...]

    @property
    def times(self) -> int:
        return int(2 ** len(self.helpers))

    def value_with(self, die: int) -> int:
        """Return the side's value with this die."""
        return (die + self.support) * self.times


def group(space: str, counts: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the largest connected group with the space or one linked to it, in board order.

    Of groups of the same size it is the first.
    """
    best: set[str] = set()
    seen: set[str] = set()
    for start in (space, *LINKS[space]):
        if start in seen or not counts(start):
            continue
        spaces, todo = {start}, [start]
        while todo:
            for key in LINKS[todo.pop()]:
                if key not in spaces and counts(key):
                    spaces.add(key)
                    todo.append(key)
        seen |= spaces
        if len(spaces) > len(best):
            best = spaces
    return tuple(ordered(best))


def roman_value(position: Position, emperor: str, at: str, army: str) -> Value:
    """Return the side of an Emperor who is `at` a space (5.2, 5.3)."""
    mine = group(at, lambda key: position.supports(key, emperor))
    helpers = tuple(
        e
        for e, where in position.figures.items()
        if e != emperor and where is not None and army in LINKS[where]
    )
    return Value(len(mine), mine, helpers)


def barbarian_value(position: Position, at: str, army: str) -> Value:
    """Return the army's side against an Emperor `at` a space."""
    revolts = group(army, lambda key: position.tokens.get(key) == REVOLT)
    return Value(
        len(revolts),
        revolts,
        tuple(other for other in position.barbarians if other != army and at in LINKS[other]),
    )


def fight(
    position: Position, dice: Dice, emperor: str, army: str, purpose: str, attacks: bool
) -> str:
    """Fight a battle; return `victory`, `defeat` or `draw` of the Emperor.

    `attacks`: the Emperor attacks. All consequences are carried out, except that a victorious army
    has still to enter (5.6).
    """
    at = str(position.figures[emperor])
    rome, foe = roman_value(position, emperor, at, army), barbarian_value(position, at, army)
    rolls = {
        side: dice.roll(f"{purpose}/{side}", D6, position.round) for side in ("roman", "barbarian")
    }
    values = {
        "roman": rome.value_with(rolls["roman"]),
        "barbarian": foe.value_with(rolls["barbarian"]),
    }
    outcome = (
        "draw"
        if values["roman"] == values["barbarian"]
        else ("victory" if values["roman"] > values["barbarian"] else "defeat")
    )
    facts: dict[str, Any] = {
        "emperor": emperor,
        "space": at,
        "army": army,
        "attacker": emperor if attacks else "barbarians",
    }
    position.note(
        "attack",
        emperor,
        army,
        "5.1",
        **facts,
        no=position.attack_no if attacks else 0,
        rolls=rolls,
        values=values,
        roman=battle_facts(rome),
        barbarian=battle_facts(foe),
    )
    rule = "5.4" if outcome == "draw" else "5.5" if attacks else "5.6"
    position.note(outcome, emperor, army, rule, **facts, values=values)
    if outcome == "victory":
        position.remove_army(army, Phrase("beaten", rule, {"emperor": emperor, "army": army}))
        if attacks:
            position.move_figure(emperor, army)
            position.note("moved_in", emperor, army, "5.5", emperor=emperor, space=at, to=army)
        honour(position, emperor)
    elif outcome == "defeat":
        position.remove_figure(emperor, "defeat", rule)
        if attacks and position.tokens.get(at) in EMPERORS:
            position.set_token(at, None, Phrase("fled", "5.5", {"emperor": emperor}))
        shame(position, emperor)
    return outcome


def battle_facts(value: Value) -> dict[str, Any]:
    return {
        "support": value.support,
        "group": list(value.group),
        "helpers": list(value.helpers),
        "times": value.times,
    }


def honour(position: Position, emperor: str) -> None:
    """Give the Emperor the gains of a victory with the variants: a token back, glory (7.1, 7.5)."""
    regain(position, emperor)
    if position.has_variant(GREAT) and position.reserve[UNREST]:
        cause = Phrase("glory", "7.5", {"emperor": emperor})
        position.change_reserve(UNREST, -1, cause)
        position.account(emperor, "glory", position.glory, emperor, 1, cause)


def shame(position: Position, emperor: str) -> None:
    """Take the glory that a defeat costs with the variant (7.5)."""
    if position.has_variant(GREAT) and position.glory[emperor]:
        cause = Phrase("shame", "7.5", {"emperor": emperor})
        position.account(emperor, "glory", position.glory, emperor, -1, cause)
        position.change_reserve(UNREST, 1, cause)


def regain(position: Position, emperor: str) -> None:
    """Return a token that was given up in an earlier turn (7.1)."""
    now = position.removed_now if emperor == position.emperor else 0
    if position.has_variant(IMPERIUM) and position.removed[emperor] > now:
        cause = Phrase("regained", "7.1", {"emperor": emperor})
        position.account(emperor, "removed", position.removed, emperor, -1, cause)
        position.change_supply(emperor, 1, cause)


# Exact chances of a battle: all 36 pairs of the two dice (5).

FACES = range(1, 7)
PAIRS = 36


class Odds(NamedTuple):
    """The values of both sides with every pair of dice.

    `rows[r][b]` is (Rome, barbarians) with the dice r + 1 and b + 1.
    """

    rome: Value
    foe: Value
    rows: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def won(self) -> int:
        """Return the number of pairs, of 36, with which Rome has the higher value."""
        return sum(rome > foe for row in self.rows for rome, foe in row)

    @property
    def level(self) -> int:
        return sum(rome == foe for row in self.rows for rome, foe in row)

    @property
    def lost(self) -> int:
        return PAIRS - self.won - self.level


def odds_between(rome: Value, foe: Value) -> Odds:
    """Return the chances of these two sides."""
    return Odds(
        rome,
        foe,
        tuple(tuple((rome.value_with(r), foe.value_with(b)) for b in FACES) for r in FACES),
    )


def odds_against(position: Position, emperor: str, at: str, army: str) -> Odds:
    """Return the chances of a battle between an Emperor `at` a space and an army."""
    return odds_between(
        roman_value(position, emperor, at, army), barbarian_value(position, at, army)
    )


def percent(pairs: int) -> str:
    """Return pairs of 36 in whole per cent, 0% and 100% only if it is exact."""
    share = round(pairs * 100 / PAIRS)
    if 0 < pairs < PAIRS:
        share = min(max(share, 1), 99)
    return f"{share}%"


def percents(pairs: Sequence[int]) -> list[str]:
    """Return the chances of all outcomes, `pairs` of 36, in whole per cents that add up to 100."""
    return [f"{share}%" for share in whole_percents([Fraction(n, PAIRS) for n in pairs])]


def share(pairs: int) -> str:
    """Return the length of a bar, in per cent."""
    return f"{pairs * 100 / PAIRS:.1f}"


# Ways over land and sea, and their cost (4.2a, 7.2, 7.6).

# The cost of a step (4.2a).
NORMAL, BROKEN, SEA, INTO_REVOLT = 1, 2, 1, 1
FAR = 10**6


class Way(NamedTuple):
    """The cheapest way to a space: its steps, and their total cost."""

    cost: int
    path: tuple[str, ...]


def waters(position: Position, zone: str) -> list[str]:
    """Return the zones where a figure from this zone may land.

    These are the zone itself if it has a fleet, and the zones that are one with it (7.2).
    """
    if zone not in position.fleets:
        return []
    row = list(ZONES)
    zones = [zone]
    if position.has_variant(MARE):
        at = row.index(zone)
        for part in (row[at + 1 :], row[:at][::-1]):
            for other in part:
                if other not in position.fleets:
                    break
                zones.append(other)
    return zones


def sea_linked(position: Position, a: str, b: str) -> bool:
    """Return whether an Emperor may sail from a province to another in one step."""
    here, there = SPACES[a].zone, SPACES[b].zone
    return bool(here and there) and a != b and there in waters(position, here)


def step(position: Position, a: str, b: str) -> int | None:
    """Return the cost of a step, the cheaper of land and sea; None if there is neither (4.2a)."""
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
    """Return the cost of an attack by the link, or None without one (4.2e).

    With the option `amphibious` the sea counts too (7.6).
    """
    if AMPHIBIOUS in position.options.extras:
        return step(position, a, b)
    broken = LINKS[a].get(b)
    if broken is None:
        return None
    return (BROKEN if broken else NORMAL) + (INTO_REVOLT if position.tokens.get(b) == REVOLT else 0)


def reach(position: Position, start: str, most: int) -> Mapping[str, Way]:
    """Return every space within a cost of `most`, including the start, with its cheapest way.

    Of ways with the same cost it is the one with the fewest steps, then the first in board order.
    Other Emperors may be in these spaces.
    """
    armies, tokens = position.barbarians, position.tokens
    overseas = {
        zone: [key for other in waters(position, zone) for key in COASTS[other]] for zone in ZONES
    }
    ways: dict[str, Way] = {}
    todo: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, start, ())]
    while todo:
        cost, steps, here, path = heappop(todo)
        if here in ways:
            continue
        ways[here] = Way(cost, path)
        zone = SPACES[here].zone
        near = {key: BROKEN if broken else NORMAL for key, broken in LINKS[here].items()}
        if zone:
            near.update(dict.fromkeys(overseas[zone], SEA))
        for key, price in near.items():
            total = cost + price + (tokens.get(key) == REVOLT)
            if total <= most and key not in ways and key not in armies:
                heappush(todo, (total, steps + 1, key, (*path, key)))
    return ways
