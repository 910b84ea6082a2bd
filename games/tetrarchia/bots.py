"""Players by program: one that plans each turn for all four Emperors, and one that says anything.

Chance that they need for themselves comes from a `random.Random` given to them. The game's own dice
are thrown by `engine.dice` alone: a player by program chooses as people do, and what it chose
stands in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from engine.effects import Effect
from games.contract.players import End, Player
from games.tetrarchia.rules import barbarians, battle
from games.tetrarchia.rules.battle import Value
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import (
    AMPHIBIOUS,
    BORDER,
    COASTS,
    EMPERORS,
    IMPERIUM,
    LINKS,
    MARE,
    OF_REGION,
    ONWARD,
    OUTER,
    OUTSIDE,
    PRINTED,
    REVOLT,
    ROMA,
    SPACES,
    TO_ROME,
    UNREST,
    ZONES,
    Position,
)
from games.tetrarchia.rules.view import choices
from games.tetrarchia.text.english import BOTS

Raw = Mapping[str, Any]
FLEETS = ("internum", "aegaeum", "atlanticum")
"""The zones it puts its fleets into, the most useful first."""
SPARE, WORTH = 1, 20
"""Tokens it never gives up for points (7.1), and what a point must bring for which it does."""
LEVELS = ("5300", "5200", "4300", "4200", "4100", "4210", "4201", "4211", "3211", "4222", "3122")
"""The levels that are simulated, by how hard they look: the easiest, the one to begin with, the
normal one, the hardest.
"""
EAGER = 0.85
"""How often the random player does something else than end a turn."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when
    all is over.
    """
    if position.phase == "over":
        return None
    seat = position.options.player(position.emperor)
    kinds = {}
    for name, cls in MOVES.items():
        if (
            cls.phase == position.phase
            and (not cls.variant or position.on(cls.variant))
            and name not in ("begin", "end_turn")
        ):
            ways, _ = choices(position, cls, seat, seat)
            if ways:
                kinds[name] = ways
    if not kinds or (position.phase == "roman" and not position.can_enter and rng.random() > EAGER):
        return {"move": "begin" if position.phase == "setup" else "end_turn"}
    name = rng.choice(list(kinds))
    return {"move": name, **rng.choice(kinds[name])}


def sensible(position: Position, rng: Random | None = None) -> Raw | None:
    """The first step of the plan that promises most; None when all is over. It needs no chance."""
    if position.phase == "over":
        return None
    if position.phase == "setup":
        return {"move": "begin"}
    if position.phase == "fleets":
        return {"move": "place_fleets", "zones": list(FLEETS[: position.options.level[1]])}
    if position.can_enter:
        return _enter(position)
    if position.at is None:
        return {"move": "end_turn"}
    planner = Planner(position)
    best = planner.plan(position.at, position.ip)
    if (
        position.on(IMPERIUM)
        and position.supply[position.emperor] > SPARE
        and not position.sharing()
    ):
        more = planner.plan(position.at, position.ip + 1)
        if more.value > best.value + WORTH:
            return {"move": "imperium", "tokens": 1}
    step = best.first
    if step is None or step.stays(position.at):
        return {"move": "end_turn"} if step is None or step.move is None else step.move
    way = battle.reach(position, position.at, position.ip)[step.at]
    return {"move": "move", "path": list(way.path)}


def _enter(position: Position) -> Raw:
    """Where the better plan begins."""
    capital = EMPERORS[position.emperor].capital
    free = (
        capital not in position.tokens
        and capital not in position.barbarians
        and not position.standing(capital)
    )
    planner = Planner(position)
    best = max(
        (capital, ROMA) if free else (ROMA,),
        key=lambda space: planner.plan(space, position.ip).value,
    )
    return {"move": "enter", "at": best}


# What simulations ask -----------------------------------------------------------------------------


LEVELS_OF_PROGRAMS = ("random", "sensible")
"""The programs that may hold an Emperor beside people, the weakest first."""


class TetrarchiaPlayers:
    """See `games.contract.players.Players`, `Graded`, `Opponents` and `Measured`."""

    grades: Mapping[str, Mapping[str, Any]] = {level: {"level": level} for level in LEVELS}
    games = 200

    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
    labels: Mapping[str, str] = {
        "rounds": "rounds",
        "rome": "barbarians in ROMA",
        "no_revolt": "no Revolt token left",
        "no_unrest": "no Unrest token left",
        "secured": "borders secured",
        "score": "score (6.3)",
    }

    @property
    def levels(self) -> Mapping[str, str]:
        return {level: BOTS.text(level) for level in LEVELS_OF_PROGRAMS}

    @property
    def manners(self) -> Mapping[str, str]:
        """What each level is like, in a few words of the language of now."""
        return {level: BOTS.text(f"{level}-about") for level in LEVELS_OF_PROGRAMS}

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Programs make the moves of their Emperors; the beginning is the table's, and nothing is
        fought by hand.
        """
        seat = (
            None
            if position.phase in ("setup", "over")
            else position.options.player(position.emperor)
        )
        return (
            partial(self._move, position, seat, seats[seat])
            if seat is not None and seat in seats
            else None
        )

    def _move(self, position: Position, seat: str, level: str, rng: Random) -> dict[str, Any]:
        move = self.by_name[level](position, rng)
        assert move is not None
        return {"by": seat, **move}

    def measure(self, position: Position, whole: bool) -> tuple[int, int]:
        """By the borders that are secured, six of which win (6.1); a round by its Emperors."""
        if whole:
            return len(position.secured()), len(BORDER)
        return list(EMPERORS).index(position.emperor), len(EMPERORS)

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Won or lost, why it was lost (6.2), and what it came to; `unfinished` if nothing had
        ended.
        """
        numbers = {
            "rounds": position.round,
            "secured": len(position.secured()),
            "score": barbarians.score(position).points,
        }
        return End(position.result or "unfinished", position.reason or "", numbers)


# What a player by program reckons with, made to be asked thousands of times: ways with their
# prices, chances.

Graph = Mapping[str, tuple[tuple[str, int], ...]]
"""The steps from each space with their prices, Revolts not counted."""
FAR = 99


@lru_cache(64)
def graph(fleets: tuple[str, ...], joined: bool) -> Graph:
    """The steps there are with these fleets; `joined` where adjacent zones with fleets are one
    (7.2).
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
    """What it costs to come from each space to each, Revolts and armies not counted."""
    steps = graph(fleets, joined)
    return {key: costs(steps, key, FAR, frozenset(), frozenset()) for key in SPACES}


def costs(
    steps: Graph, start: str, most: int, revolts: frozenset[str], armies: frozenset[str]
) -> dict[str, int]:
    """What it costs to come to each space for at most so much."""
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


def chances(ours: Value, theirs: Value) -> tuple[float, float]:
    """The Emperor's chances to win and to lose."""
    return _chances(ours.support, len(ours.helpers), theirs.support, len(theirs.helpers))


@lru_cache(None)
def _chances(support: int, helpers: int, revolts: int, armies: int) -> tuple[float, float]:
    odds = battle.between(Value(support, (), ("",) * helpers), Value(revolts, (), ("",) * armies))
    return odds.won / battle.PAIRS, odds.lost / battle.PAIRS


# How the sensible player plans a turn: by what each deed is worth and what it costs to come there.
#
# A plan is a row of deeds: go to a space, then subdue, secure or attack there; at the end the
# Emperor stands somewhere. Of all rows that the points allow, the one with the highest sum of
# worths is taken. Worths were tuned by thousands of games.

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
