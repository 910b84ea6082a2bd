"""The sensible player's plan of a turn: what each deed is worth, and what it costs to come there.

A plan is a row of deeds: go to a space, then subdue, secure or attack there; at the end the Emperor
stays somewhere. The planner takes the row with the highest sum of worths that the points allow.
Thousands of games tuned the worths.
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
"""A border: six of them win."""
RISING = 6
"""A Revolt that is gone; beside it whatever it would do."""
OPENS = 15
"""That it stood in a region whose border is still to be secured."""
LAST = 12
"""That it was the last one there."""
RESTLESS = 7
"""Unrest that is gone."""
CATCHES = 14
"""Unrest that a normal link to a Revolt would turn this very turn; a broken one half of it."""
CALMED = 9
"""What is left of a Revolt's worth where it is only calmed: so much less."""
TOKEN = 4
"""A token that keeps a province quiet."""
DANGER = (1200, 1200, 260, 160, 100, 90, 90, 75, 75, 75, 75, 75, 75)
"""A beaten army, by the steps it has left to ROMA."""
HELP = 8
"""To stand beside where an army will be, so that whoever fights it there counts double."""
BEATEN = 45
"""An Emperor who is off the board, his space and turn lost."""
STEP = 3
"""A step nearer to the goal."""
KEEP = 2
"""Tokens kept for borders."""
CHAIN = (0, 20, 14, 10, 7, 5, 4, 3, 3, 3, 3, 3, 3)
"""A Revolt less in the group that supports an army, by the steps the army has left to ROMA."""
HUNT = 3
"""A step nearer to where an army will be that nobody is nearer to."""
DEPTH = 4
"""Deeds of a plan."""
LAND = graph((), False)


class Step(NamedTuple):
    """The beginning of a plan: the space to go to, and the move to make there, if there is one."""

    at: str
    move: Raw | None

    def stays(self, here: str) -> bool:
        return self.at == here


class Plan(NamedTuple):
    """What a plan is worth, and how it begins; nothing where he stays and ends his turn."""

    value: float
    first: Step | None


class Deed(NamedTuple):
    """Something to do in a space: where, its price there, worth, move, the token that lies there
    afterwards.
    """

    at: str
    cost: int
    worth: float
    move: Raw
    token: str | None
    last: bool = False


class Stake(NamedTuple):
    """What an army makes of the space in which the Emperor ends: if he stands apart, beside it, or
    in its way.
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
    """What the Emperor whose turn it is can make of it."""

    def __init__(self, position: Position) -> None:
        self.position = position.copy()
        self.me = position.emperor
        seas = tuple(position.fleets), position.on(MARE)
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
        """The best plan from a space with so many points."""
        return self._best(at, ip, self.tokens, self.position.supply[self.me], 0)

    # The rows of deeds ----------------------------------------------------------------------------

    def _best(self, at: str, ip: int, tokens: dict[str, str], supply: int, depth: int) -> Plan:
        revolts = frozenset(key for key, token in tokens.items() if token == REVOLT)
        reach = costs(self.graph, at, ip, revolts, self.armies)
        best = self._stop(at, ip, tokens, supply, revolts, reach)
        if depth == DEPTH:
            return best
        for deed in self._deeds(tokens, supply, revolts, reach, ip):
            left = ip - reach[deed.at] - deed.cost
            value = deed.worth
            if deed.last:
                value += self._after(deed, tokens, revolts)
            else:
                now = dict(tokens)
                if deed.token is None:
                    now.pop(deed.at, None)
                else:
                    now[deed.at] = deed.token
                value += self._best(
                    deed.at, left, now, supply - (deed.token == self.me), depth + 1
                ).value
            if value > best.value:
                best = Plan(value, Step(deed.at, deed.move))
        return best

    def _deeds(
        self,
        tokens: dict[str, str],
        supply: int,
        revolts: frozenset[str],
        reach: Mapping[str, int],
        ip: int,
    ) -> Iterator[Deed]:
        for key, token in tokens.items():
            cost = reach.get(key)
            if cost is None or cost >= ip or key in self.others:
                continue
            if token == REVOLT:
                worth = self._revolt(key, tokens, revolts)
                if cost + 2 <= ip:
                    yield Deed(key, 2, worth, REMOVE, None)
                yield Deed(
                    key, 1, worth - CALMED - self._catches(key, revolts - {key}), CALM, UNREST
                )
            elif token == UNREST:
                yield Deed(key, 1, RESTLESS + self._catches(key, revolts), REMOVE, None)
        if supply:
            for region in self.open:
                key = BORDER[region]
                quiet = key not in tokens and not any(
                    tokens.get(one) == REVOLT for one in OF_REGION[region]
                )
                if quiet and reach.get(key, FAR) + 2 <= ip and key not in self.others:
                    yield Deed(key, 2, SECURE, PLACE, self.me)
        yield from self._attacks(tokens, reach, ip)

    def _attacks(self, tokens: dict[str, str], reach: Mapping[str, int], ip: int) -> Iterator[Deed]:
        for army in self.armies:
            for key, price in self.graph[army] if self.amphibious else LAND[army]:
                cost = price + (tokens.get(army) == REVOLT)
                if key in reach and key not in self.others and reach[key] + cost <= ip:
                    won, lost = self.odds(key, army, tokens)
                    worth = won * DANGER[TO_ROME[army]] - lost * BEATEN
                    yield Deed(
                        key, cost, worth, {"move": "attack", "target": army}, None, last=True
                    )

    def odds(self, at: str, army: str, tokens: dict[str, str]) -> tuple[float, float]:
        """The chances to win and to lose a battle against an army from a space, these tokens on the
        board.
        """
        position = self.position
        position.figures[self.me], position.tokens = at, tokens
        ours, theirs = (
            battle.roman(position, self.me, at, army),
            battle.barbarian(position, at, army),
        )
        return chances(ours, theirs)

    # Worths ---------------------------------------------------------------------------------------

    def _revolt(self, key: str, tokens: dict[str, str], revolts: frozenset[str]) -> float:
        """What it is worth that a Revolt is gone."""
        worth = float(RISING)
        region = SPACES[key].region
        if region in self.open:
            worth += OPENS
            if sum(one in revolts for one in OF_REGION[region]) == 1:
                worth += LAST
        for other, broken in LINKS[key].items():
            if tokens.get(other) == UNREST:
                worth += CATCHES / (2 if broken else 1)
        return worth

    def _catches(self, key: str, revolts: frozenset[str]) -> float:
        """What it is worth that Unrest there cannot rise."""
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
        """The best space to end in, a token put there with what is left."""
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
        """What it is worth to stand in a space at the end: how far from what is to be done, how
        safe.
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

    def _after(self, deed: Deed, tokens: dict[str, str], revolts: frozenset[str]) -> float:
        """What is left to be said of a plan that ends in an attack: as if he stayed where he
        attacked from.
        """
        rest = [self._stake(army, tokens) for army in self.armies if army != deed.move["target"]]
        return self._standing(deed.at, tokens, revolts, self._targets(tokens, revolts)) + sum(
            s.value_at(deed.at) for s in rest
        )

    def _stake(self, army: str, tokens: dict[str, str]) -> Stake:
        """What this army makes of the space in which he ends."""
        position, onward = self.position, ONWARD[army]
        position.tokens, position.figures[self.me] = tokens, None
        comes = 0.5 if LINKS[army][onward] else 1.0
        theirs = battle.barbarian(position, onward, army)
        shared = -CHAIN[TO_ROME[army]] * theirs.support
        there = next((one for one, where in position.figures.items() if where == onward), None)
        if there is not None:
            ours = battle.roman(position, there, onward, army)
            alone, helped = (
                comes * self._worth(army, *chances(value, theirs))
                for value in (ours, ours._replace(helpers=(*ours.helpers, self.me)))
            )
            return Stake(army, frozenset(LINKS[army]), shared + alone, shared + helped, {})
        fights = {}
        if onward not in self.others:
            position.figures[self.me] = onward
            ours = battle.roman(position, self.me, onward, army)
            fights[onward] = shared + comes * self._worth(army, *chances(ours, theirs))
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
        """What a battle is worth that the army begins: beaten before ROMA's gates, all is lost."""
        return won * DANGER[TO_ROME[army]] - lost * (BEATEN if TO_ROME[army] > 1 else DANGER[1])

    def _targets(self, tokens: dict[str, str], revolts: frozenset[str]) -> list[tuple[str, int]]:
        """The spaces he would go to next: what is to be done for a border, his own first."""
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
        """The region whose border is this Emperor's to secure, if each of the four takes
        another.
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
            # Fewer borders than Emperors: each goes to the nearest.
            return min(self.open, key=lambda region: price[self.me][region])
        best = min(
            permutations(self.open, len(able)),
            key=lambda row: sum(
                price[emperor][region] for emperor, region in zip(able, row, strict=True)
            ),
        )
        return best[able.index(self.me)]

    def _nearest(self, space: str) -> bool:
        """Is no other Emperor nearer to a space?"""
        mine = self.distance[self._start(self.me)][space]
        return all(mine <= self.distance[self._start(emperor)][space] for emperor in EMPERORS)

    def _start(self, emperor: str) -> str:
        return self.figures[emperor] or EMPERORS[emperor].capital


REMOVE: Raw = {"move": "subdue", "how": "remove"}
CALM: Raw = {"move": "subdue", "how": "calm"}
PLACE: Raw = {"move": "secure"}
