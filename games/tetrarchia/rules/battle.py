"""Battles: support, multipliers, outcome (5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Say
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
    """What is added to a side's die, by which spaces, and who doubles it (5.2, 5.3)."""

    support: int
    group: tuple[str, ...]
    helpers: tuple[str, ...]

    @property
    def times(self) -> int:
        return int(2 ** len(self.helpers))

    def value_with(self, die: int) -> int:
        """The side's value with this die."""
        return (die + self.support) * self.times


def group(space: str, counts: Callable[[str], bool]) -> tuple[str, ...]:
    """The largest connected group that includes the space or one linked to it, in board order; of
    equal ones the first.
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


def roman(position: Position, emperor: str, at: str, army: str) -> Value:
    """The Emperor's side in a battle where he stands `at` a space (5.2, 5.3)."""
    mine = group(at, lambda key: position.supports(key, emperor))
    helpers = tuple(
        e
        for e, where in position.figures.items()
        if e != emperor and where is not None and army in LINKS[where]
    )
    return Value(len(mine), mine, helpers)


def barbarian(position: Position, at: str, army: str) -> Value:
    """The army's side against an Emperor `at` a space."""
    theirs = group(army, lambda key: position.tokens.get(key) == REVOLT)
    return Value(
        len(theirs),
        theirs,
        tuple(other for other in position.barbarians if other != army and at in LINKS[other]),
    )


def fight(
    position: Position, dice: Dice, emperor: str, army: str, purpose: str, attacks: bool
) -> str:
    """Throw and resolve: `victory`, `defeat` or `draw`, of the Emperor; `attacks` is whether he
    does. What follows for whoever moves is done; an army that wins has still to enter (5.6).
    """
    at = str(position.figures[emperor])
    ours, theirs = roman(position, emperor, at, army), barbarian(position, at, army)
    rolls = {
        side: dice.roll(f"{purpose}/{side}", D6, position.round) for side in ("roman", "barbarian")
    }
    values = {
        "roman": ours.value_with(rolls["roman"]),
        "barbarian": theirs.value_with(rolls["barbarian"]),
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
        roman=battle_facts(ours),
        barbarian=battle_facts(theirs),
    )
    rule = "5.4" if outcome == "draw" else "5.5" if attacks else "5.6"
    position.note(outcome, emperor, army, rule, **facts, values=values)
    if outcome == "victory":
        position.remove_army(army, Say("beaten", rule, {"emperor": emperor, "army": army}))
        if attacks:
            position.move_figure(emperor, army)
            position.note("moved_in", emperor, army, "5.5", emperor=emperor, space=at, to=army)
        honours(position, emperor)
    elif outcome == "defeat":
        position.remove_figure(emperor, "defeat", rule)
        if attacks and position.tokens.get(at) in EMPERORS:
            position.set_token(at, None, Say("fled", "5.5", {"emperor": emperor}))
        shame(position, emperor)
    return outcome


def battle_facts(value: Value) -> dict[str, Any]:
    return {
        "support": value.support,
        "group": list(value.group),
        "helpers": list(value.helpers),
        "times": value.times,
    }


def honours(position: Position, emperor: str) -> None:
    """What a victory brings with the variants: a token back, glory (7.1, 7.5)."""
    regain(position, emperor)
    if position.on(GREAT) and position.reserve[UNREST]:
        cause = Say("glory", "7.5", {"emperor": emperor})
        position.change_reserve(UNREST, -1, cause)
        position.account(emperor, "glory", position.glory, emperor, 1, cause)


def shame(position: Position, emperor: str) -> None:
    """What a defeat costs with the variant: glory (7.5)."""
    if position.on(GREAT) and position.glory[emperor]:
        cause = Say("shame", "7.5", {"emperor": emperor})
        position.account(emperor, "glory", position.glory, emperor, -1, cause)
        position.change_reserve(UNREST, 1, cause)


def regain(position: Position, emperor: str) -> None:
    """A token given up in an earlier turn comes back (7.1)."""
    now = position.removed_now if emperor == position.emperor else 0
    if position.on(IMPERIUM) and position.removed[emperor] > now:
        cause = Say("regained", "7.1", {"emperor": emperor})
        position.account(emperor, "removed", position.removed, emperor, -1, cause)
        position.change_supply(emperor, 1, cause)


# Exact chances of a battle: all 36 pairs of the two dice (5).

FACES = range(1, 7)
PAIRS = 36


class Odds(NamedTuple):
    """Both sides' values with every pair of dice: `rows[r][b]` is (Rome, barbarians) with r + 1 and
    b + 1.
    """

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
    return Odds(
        ours,
        theirs,
        tuple(tuple((ours.value_with(r), theirs.value_with(b)) for b in FACES) for r in FACES),
    )


def against(position: Position, emperor: str, at: str, army: str) -> Odds:
    """The chances of a battle of an Emperor who stands `at` a space and an army."""
    return between(roman(position, emperor, at, army), barbarian(position, at, army))


def percent(pairs: int) -> str:
    """Pairs of 36 as a whole per cent; what may happen is never 0%, what may not never 100%."""
    share = round(pairs * 100 / PAIRS)
    if 0 < pairs < PAIRS:
        share = min(max(share, 1), 99)
    return f"{share}%"


def percents(pairs: Sequence[int]) -> list[str]:
    """Return the chances of all outcomes, `pairs` of 36, in whole per cents that add up to 100."""
    return [f"{share}%" for share in whole_percents([Fraction(n, PAIRS) for n in pairs])]


def share(pairs: int) -> str:
    """The length of a bar, in per cent."""
    return f"{pairs * 100 / PAIRS:.1f}"


# Ways over land and sea, and what they cost (4.2a, 7.2, 7.6).

NORMAL, BROKEN, SEA, INTO_REVOLT = 1, 2, 1, 1
"""What a step costs (4.2a)."""
FAR = 10**6


class Way(NamedTuple):
    """The cheapest way to a space: its steps, and what they cost together."""

    cost: int
    path: tuple[str, ...]


def waters(position: Position, zone: str) -> list[str]:
    """The zones that one may land in from a zone: itself if a fleet is there, and those that are
    one with it (7.2).
    """
    if zone not in position.fleets:
        return []
    row = list(ZONES)
    zones = [zone]
    if position.on(MARE):
        at = row.index(zone)
        for part in (row[at + 1 :], row[:at][::-1]):
            for other in part:
                if other not in position.fleets:
                    break
                zones.append(other)
    return zones


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
    """What an attack costs: the link, and with the option `amphibious` the sea too (4.2e, 7.6);
    None where there is none.
    """
    if AMPHIBIOUS in position.options.extras:
        return step(position, a, b)
    broken = LINKS[a].get(b)
    if broken is None:
        return None
    return (BROKEN if broken else NORMAL) + (INTO_REVOLT if position.tokens.get(b) == REVOLT else 0)


def reach(position: Position, start: str, most: int) -> Mapping[str, Way]:
    """Every space that can be come to for at most so much, the start too, by its cheapest way; of
    ways that cost the same the one with the fewest steps, then the first in board order. Other
    Emperors may stand where a way leads.
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
