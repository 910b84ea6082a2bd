"""The sensible program's plan of a turn: the value of each task, and the cost of getting there.

A plan is a sequence of tasks: go to a space, then subdue, secure or attack there; at the end the
Emperor stays somewhere. The planner takes the affordable sequence with the highest total value. The
values were tuned in thousands of games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from games.tetrarchia.bots.ways import FAR, Raw, chances, costs, distances, graph
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.position import (
    AMPHIBIOUS,
    BORDER,
    EMPERORS,
    LINKS,
    MARE,
    OF_REGION,
    ONWARD,
    OUTER,
    OUTSIDE,
    PRINTED,
    REVOLT,
    SPACES,
    TO_ROME,
    UNREST,
    Position,
)

SECURE = 60
"""The value of a secured border; six of them win."""
RISING = 6
"""The value of the removal of a Revolt, apart from its future effects."""
OPENS = 15
"""The additional value if its region has a border that is not secured yet."""
LAST = 12
"""The additional value if it was the last Revolt of that region."""
RESTLESS = 7
"""The value of the removal of Unrest."""
CATCHES = 14
"""The value of Unrest that a normal link to a Revolt would turn this turn.

A broken link counts half.
"""
CALMED = 9
"""The amount by which calming a Revolt is worth less than its removal."""
TOKEN = 4
"""The value of a token that keeps a province quiet."""
DANGER = (1200, 1200, 260, 160, 100, 90, 90, 75, 75, 75, 75, 75, 75)
"""The value of a beaten army, by the steps it has left to ROMA."""
HELP = 8
"""The value of a place beside the next space of an army, which doubles the Emperor who fights it.
"""
BEATEN = 45
"""The loss for an Emperor who leaves the board and loses the rest of the turn."""
STEP = 3
"""The value of a step towards the goal."""
KEEP = 2
"""The number of tokens kept for borders."""
CHAIN = (0, 20, 14, 10, 7, 5, 4, 3, 3, 3, 3, 3, 3)
"""The value of each Revolt less in the group that supports an army.

It depends on the steps that the army has left to ROMA.
"""
HUNT = 3
"""The value of a step towards the next space of an army to which no other Emperor is nearer."""
DEPTH = 4
"""The most tasks of a plan."""
LAND = graph((), False)


class Step(NamedTuple):
    """The beginning of a plan: the space to go to, and the move to make there, if any."""

    at: str
    move: Raw | None

    def stays(self, here: str) -> bool:
        return self.at == here


class Plan(NamedTuple):
    """The value of a plan, and its beginning; None if the Emperor stays and ends the turn."""

    value: float
    first: Step | None


class Task(NamedTuple):
    """A task in a space: its price there, its value, its move, and the token afterwards."""

    at: str
    cost: int
    worth: float
    move: Raw
    token: str | None
    last: bool = False


class Stake(NamedTuple):
    """The value of the Emperor's last space with regard to an army.

    It depends on whether that space is apart from the army's next space, beside it, or on it.
    """

    army: str
    near: frozenset[str]
    apart: float
    beside: float
    fights: Mapping[str, float]
    hunt: float = 0
    distance: Mapping[str, Mapping[str, int]] = {}

    def value_at(self, space: str) -> float:
        if space in self.fights:
            return self.fights[space]
        value = self.beside if space in self.near else self.apart
        return value - self.hunt * self.distance[space][ONWARD[self.army]] if self.hunt else value


class Planner:
    """A planner for the Emperor whose turn it is."""

    def __init__(self, position: Position) -> None:
        self.position = position.copy()
        self.me = position.emperor
        seas = tuple(position.fleets), position.has_variant(MARE)
        self.graph, self.distance = graph(*seas), distances(*seas)
        self.tokens = dict(position.tokens)
        self.figures = dict(position.figures)
        self.armies = frozenset(position.barbarians)
        self.others = frozenset(
            where
            for emperor, where in position.figures.items()
            if emperor != self.me and where is not None
        )
        self.open = [region for region in OUTER if BORDER[region] not in position.tokens]
        self.mine = self._assigned()
        self.hunted = [army for army in self.armies if self._nearest(ONWARD[army])]
        self.amphibious = AMPHIBIOUS in position.options.extras

    def plan(self, at: str, ip: int) -> Plan:
        """Return the best plan from a space with these points."""
        return self._best(at, ip, self.tokens, self.position.supply[self.me], 0)

    # Sequences of tasks ---------------------------------------------------------------------------

    def _best(self, at: str, ip: int, tokens: dict[str, str], supply: int, depth: int) -> Plan:
        revolts = frozenset(key for key, token in tokens.items() if token == REVOLT)
        reach = costs(self.graph, at, ip, revolts, self.armies)
        best = self._stop(at, ip, tokens, supply, revolts, reach)
        if depth == DEPTH:
            return best
        for task in self._tasks(tokens, supply, revolts, reach, ip):
            left = ip - reach[task.at] - task.cost
            value = task.worth
            if task.last:
                value += self._after(task, tokens, revolts)
            else:
                now = dict(tokens)
                if task.token is None:
                    now.pop(task.at, None)
                else:
                    now[task.at] = task.token
                value += self._best(
                    task.at, left, now, supply - (task.token == self.me), depth + 1
                ).value
            if value > best.value:
                best = Plan(value, Step(task.at, task.move))
        return best

    def _tasks(
        self,
        tokens: dict[str, str],
        supply: int,
        revolts: frozenset[str],
        reach: Mapping[str, int],
        ip: int,
    ) -> Iterator[Task]:
        for key, token in tokens.items():
            cost = reach.get(key)
            if cost is None or cost >= ip or key in self.others:
                continue
            if token == REVOLT:
                worth = self._revolt(key, tokens, revolts)
                if cost + 2 <= ip:
                    yield Task(key, 2, worth, REMOVE, None)
                yield Task(
                    key, 1, worth - CALMED - self._catches(key, revolts - {key}), CALM, UNREST
                )
            elif token == UNREST:
                yield Task(key, 1, RESTLESS + self._catches(key, revolts), REMOVE, None)
        if supply:
            for region in self.open:
                key = BORDER[region]
                quiet = key not in tokens and not any(
                    tokens.get(province) == REVOLT for province in OF_REGION[region]
                )
                if quiet and reach.get(key, FAR) + 2 <= ip and key not in self.others:
                    yield Task(key, 2, SECURE, PLACE, self.me)
        yield from self._attacks(tokens, reach, ip)

    def _attacks(self, tokens: dict[str, str], reach: Mapping[str, int], ip: int) -> Iterator[Task]:
        for army in self.armies:
            for key, price in self.graph[army] if self.amphibious else LAND[army]:
                cost = price + (tokens.get(army) == REVOLT)
                if key in reach and key not in self.others and reach[key] + cost <= ip:
                    won, lost = self.odds(key, army, tokens)
                    worth = won * DANGER[TO_ROME[army]] - lost * BEATEN
                    yield Task(
                        key, cost, worth, {"move": "attack", "target": army}, None, last=True
                    )

    def odds(self, at: str, army: str, tokens: dict[str, str]) -> tuple[float, float]:
        """Return the chances to win and to lose a battle against an army from a space.

        `tokens` are those on the board.
        """
        position = self.position
        position.figures[self.me], position.tokens = at, tokens
        rome, foe = (
            battle.roman_value(position, self.me, at, army),
            battle.barbarian_value(position, at, army),
        )
        return chances(rome, foe)

    # Values ---------------------------------------------------------------------------------------

    def _revolt(self, key: str, tokens: dict[str, str], revolts: frozenset[str]) -> float:
        """Return the value of the removal of a Revolt."""
        worth = float(RISING)
        region = SPACES[key].region
        if region in self.open:
            worth += OPENS
            if sum(province in revolts for province in OF_REGION[region]) == 1:
                worth += LAST
        for other, broken in LINKS[key].items():
            if tokens.get(other) == UNREST:
                worth += CATCHES / (2 if broken else 1)
        return worth

    def _catches(self, key: str, revolts: frozenset[str]) -> float:
        """Return the value of the removal of Unrest that may become Revolt."""
        near = [broken for other, broken in LINKS[key].items() if other in revolts]
        if not near:
            return 0
        return CATCHES if not all(near) else CATCHES / 2

    def _stop(
        self,
        at: str,
        ip: int,
        tokens: dict[str, str],
        supply: int,
        revolts: frozenset[str],
        reach: Mapping[str, int],
    ) -> Plan:
        """Return the best space to end the turn in, with a token there if there are points left."""
        targets = self._targets(tokens, revolts)
        stakes = [self._stake(army, tokens) for army in self.armies]
        best = Plan(-1e9, None)
        for key, cost in reach.items():
            if key in self.others:
                continue
            value = (
                self._standing(key, tokens, revolts, targets)
                - 0.01 * cost
                + sum(stake.value_at(key) for stake in stakes)
            )
            move = None
            if (
                key not in tokens
                and key not in PRINTED
                and cost < ip
                and supply > KEEP
                and key not in OUTSIDE
            ):
                value += TOKEN
                move = PLACE
            if value > best.value:
                step = None if key == at and move is None else Step(key, move)
                best = Plan(value, step)
        return best

    def _standing(
        self,
        key: str,
        tokens: dict[str, str],
        revolts: frozenset[str],
        targets: list[tuple[str, int]],
    ) -> float:
        """Return the value of a space at the end of the turn.

        It depends on the distance to the next tasks and on the safety of the space.
        """
        value = 0.0
        if targets:
            value -= STEP * min(self.distance[key][goal] + more for goal, more in targets)
        token = tokens.get(key)
        if token == REVOLT:
            value -= BEATEN
        elif token == UNREST and any(other in revolts for other in LINKS[key]):
            value -= BEATEN / 2
        return value

    def _after(self, task: Task, tokens: dict[str, str], revolts: frozenset[str]) -> float:
        """Return the value of the end of a plan with an attack, as if the Emperor stayed there."""
        rest = [self._stake(army, tokens) for army in self.armies if army != task.move["target"]]
        return self._standing(task.at, tokens, revolts, self._targets(tokens, revolts)) + sum(
            s.value_at(task.at) for s in rest
        )

    def _stake(self, army: str, tokens: dict[str, str]) -> Stake:
        """Return the values of the Emperor's last space with regard to this army."""
        position, onward = self.position, ONWARD[army]
        position.tokens, position.figures[self.me] = tokens, None
        comes = 0.5 if LINKS[army][onward] else 1.0
        foe = battle.barbarian_value(position, onward, army)
        shared = -CHAIN[TO_ROME[army]] * foe.support
        there = next(
            (emperor for emperor, where in position.figures.items() if where == onward), None
        )
        if there is not None:
            rome = battle.roman_value(position, there, onward, army)
            alone, helped = (
                comes * self._worth(army, *chances(value, foe))
                for value in (rome, rome._replace(helpers=(*rome.helpers, self.me)))
            )
            return Stake(army, frozenset(LINKS[army]), shared + alone, shared + helped, {})
        fights = {}
        if onward not in self.others:
            position.figures[self.me] = onward
            rome = battle.roman_value(position, self.me, onward, army)
            fights[onward] = shared + comes * self._worth(army, *chances(rome, foe))
        return Stake(
            army,
            frozenset(LINKS[onward]),
            shared,
            shared + HELP,
            fights,
            HUNT * (army in self.hunted),
            self.distance,
        )

    def _worth(self, army: str, won: float, lost: float) -> float:
        """Return the value of a battle that the army begins.

        A defeat at the last space before ROMA loses the game.
        """
        return won * DANGER[TO_ROME[army]] - lost * (BEATEN if TO_ROME[army] > 1 else DANGER[1])

    def _targets(self, tokens: dict[str, str], revolts: frozenset[str]) -> list[tuple[str, int]]:
        """Return the spaces of the next tasks for borders, each with its additional distance.

        The Emperor's own border comes first.
        """
        targets = []
        for region in self.open:
            border = BORDER[region]
            if border in tokens:
                continue
            more = 0 if region == self.mine else 5
            rising = [key for key in OF_REGION[region] if key in revolts]
            targets += [(key, more) for key in rising or (border,)]
        return targets

    def _assigned(self) -> str:
        """Return the region whose border this Emperor should secure.

        Each of the four Emperors gets another region.
        """
        tokens = self.tokens
        work = {
            region: sum(3 for key in OF_REGION[region] if tokens.get(key) == REVOLT)
            for region in self.open
        }
        price = {
            emperor: {
                region: self.distance[self._start(emperor)][BORDER[region]] + work[region]
                for region in self.open
            }
            for emperor in EMPERORS
        }
        able = [emperor for emperor in EMPERORS if self.position.supply[emperor]]
        if self.me not in able or not self.open:
            return ""
        if len(able) > len(self.open):
            # There are fewer borders than Emperors: each goes to the nearest.
            return min(self.open, key=lambda region: price[self.me][region])
        best = min(
            permutations(self.open, len(able)),
            key=lambda row: sum(
                price[emperor][region] for emperor, region in zip(able, row, strict=True)
            ),
        )
        return best[able.index(self.me)]

    def _nearest(self, space: str) -> bool:
        """Return whether no other Emperor is nearer to a space."""
        mine = self.distance[self._start(self.me)][space]
        return all(mine <= self.distance[self._start(emperor)][space] for emperor in EMPERORS)

    def _start(self, emperor: str) -> str:
        return self.figures[emperor] or EMPERORS[emperor].capital


REMOVE: Raw = {"move": "subdue", "how": "remove"}
CALM: Raw = {"move": "subdue", "how": "calm"}
PLACE: Raw = {"move": "secure"}
