"""Exact chances of battles, alliances and invasions, before and during them.

Chances are `Fraction`s of whole-number weights: nothing is rounded before `percent`. Each is the
chance of a player who commits as `best` returns, over initiative, the other general's die, the
number of segments and every roll in them. In this module `mine` are the player's legions, `theirs`
those of the other side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.shares import whole_percents
from games.march_on_rome.rules.battle import EXTRA, INVASION
from games.march_on_rome.rules.position import (
    BARBARIANS,
    LOST,
    OTHER,
    PC,
    SENATE,
    TABLES,
    Position,
    devotes,
    is_general,
    losses,
)

SPARE = Fraction(1, 200)
"""The least gain in chance for which more legions are devoted."""

# The chances that a general who would not rule, a procurator and a people say YES (5.4).
YES_GENERAL, YES_PROCURATOR, YES_NATION = Fraction(1, 3), Fraction(5, 6), Fraction(1, 6)


# Battles ------------------------------------------------------------------------------------------


class Foe(NamedTuple):
    """The other side of a battle.

    `total` are its legions. A `general` devotes by a die, others devote all they have. `extra` are
    the armies that it gains with the initiative (option `barbarian_initiative`).
    """

    total: int
    general: bool = False
    extra: int = 0

    def brings(self, mine: int, initiative: bool) -> list[tuple[tuple[int, ...], int]]:
        """Return the numbers that it may devote, each with the values of its die that lead to it.

        There are no values if it throws no die.
        """
        if not self.general:
            return [((), self.total + (self.extra if initiative else 0))]
        by_legions: dict[int, tuple[int, ...]] = {}
        for die in range(1, 7):
            legions = devotes(die, self.total, mine, initiative)
            by_legions[legions] = (*by_legions.get(legions, ()), die)
        return [(dice, legions) for legions, dice in by_legions.items()]


class Split(NamedTuple):
    """The part of a commitment's chance for some values of the rival's die.

    `brings` is what the rival devotes then, `win` the chance, `x` the loss number X.
    """

    dice: tuple[int, ...]
    brings: int
    win: Fraction
    x: int


Spread = Mapping[tuple[int, bool], Fraction]
"""Chances by the player's legions afterwards, with those at home, and whether they won."""


def mean_left(spread: Spread, won: bool) -> Fraction | None:
    """Return the mean number of legions after victories, or after defeats; None without any."""
    ends = [(legions, p) for (legions, good), p in spread.items() if good is won and p]
    return (
        sum((legions * p for legions, p in ends), Fraction(0)) / sum(p for _, p in ends)
        if ends
        else None
    )


class Commitment(NamedTuple):
    """A number of legions that may be devoted, and its chances. With 0 a defender gives up."""

    legions: int
    win: Fraction
    splits: tuple[Split, ...]
    spread: Spread

    @property
    def kept_won(self) -> Fraction | None:
        return mean_left(self.spread, True)

    @property
    def kept_lost(self) -> Fraction | None:
        return mean_left(self.spread, False)


@lru_cache(4096)
def commitment(
    mine: int, legions: int, foe: Foe, first: bool, known: int | None = None, doomed: bool = False
) -> Commitment:
    """Return the chances if `legions` of `mine` are devoted against `foe`.

    `known` is the foe's number, if it has already been devoted. `doomed`: in an invasion that is
    lost, every devoted legion dies (6.1).
    """
    if not legions:
        return Commitment(0, Fraction(0), (), {(mine, False): Fraction(1)})
    ways = [((), known)] if known is not None else foe.brings(mine, not first)
    splits, spread, faces = [], dict[tuple[int, bool], int](), 0
    for dice, brings in ways:
        chance = len(dice) or 1
        faces += chance
        splits.append(
            Split(
                dice,
                brings,
                Fraction(victory(legions, brings, first), OF),
                losses(legions + brings),
            )
        )
        for (left, other), weight in duel_ends(legions, brings, first).items():
            won = left > other
            at = (mine - legions + (left if won or not doomed else 0), won)
            spread[at] = spread.get(at, 0) + weight * chance
    exact = {
        at: Fraction(weight, OF * faces) for at, weight in sorted(spread.items(), reverse=True)
    }
    win = Fraction(sum(weight for (_, won), weight in spread.items() if won), OF * faces)
    return Commitment(legions, win, tuple(splits), exact)


@lru_cache(4096)
def best(mine: int, foe: Foe, first: bool, known: int | None = None) -> int:
    """Return the fewest legions with a chance within SPARE of the greatest.

    `mine` is at least 1.
    """
    ways = [((), known)] if known is not None else foe.brings(mine, not first)
    faces = sum(len(dice) or 1 for dice, _ in ways)
    chances = [
        sum((len(dice) or 1) * victory(n, brings, first) for dice, brings in ways)
        for n in range(1, mine + 1)
    ]
    least = max(chances) * SPARE.denominator - faces * OF * SPARE.numerator
    return next(n for n, chance in enumerate(chances, 1) if chance * SPARE.denominator >= least)


class Battle(NamedTuple):
    """A battle before its initiative is thrown: its chances, with the initiative and without.

    `walkover`: it is settled without dice (4.3).
    """

    win: Fraction
    first: Fraction
    second: Fraction
    spread: Spread
    walkover: bool = False

    @property
    def kept_won(self) -> Fraction | None:
        return mean_left(self.spread, True)

    @property
    def kept_lost(self) -> Fraction | None:
        return mean_left(self.spread, False)


def _sum(parts: Iterable[tuple[Fraction, Spread]]) -> Spread:
    whole: dict[tuple[int, bool], Fraction] = {}
    for share, spread in parts:
        for at, chance in spread.items():
            whole[at] = whole.get(at, Fraction(0)) + share * chance
    return dict(sorted(whole.items(), reverse=True))


@lru_cache(4096)
def battle(mine: int, foe: Foe, attacking: bool = True, doomed: bool = False) -> Battle:
    """Return the chances of a battle in which the player commits as `best` returns (4.4, 4.5)."""
    if not mine or not foe.total:
        won = mine > 0 or (not foe.total and not attacking)
        sure = Fraction(won)
        return Battle(sure, sure, sure, {(mine, won): Fraction(1)}, True)
    ways = foe.brings(mine, False)
    faces = sum(len(dice) or 1 for dice, _ in ways)
    seen = [
        (
            Fraction(len(dice) or 1, faces),
            commitment(mine, best(mine, foe, True, n), foe, True, n, doomed),
        )
        for dice, n in ways
    ]
    first = sum((share * choice.win for share, choice in seen), Fraction(0))
    blind = commitment(mine, best(mine, foe, False), foe, False, None, doomed)
    spread = _sum(
        [*((share / 2, choice.spread) for share, choice in seen), (Fraction(1, 2), blind.spread)]
    )
    return Battle((first + blind.win) / 2, first, blind.win, spread)


@lru_cache(1024)
def battle_of_unknown_strength(
    mine: int, extra: int = 0, attacking: bool = True, doomed: bool = False
) -> Battle:
    """Return the chances against barbarians whose 2 + d6 armies are not known yet (4.2)."""
    base, sides = int(TABLES["barbarians"]["base"]), int(TABLES["barbarians"]["sides"])
    every = [
        battle(mine, Foe(base + die, extra=extra), attacking, doomed) for die in range(1, sides + 1)
    ]
    share = Fraction(1, sides)

    def mean(chances: Iterable[Fraction]) -> Fraction:
        return sum(chances, Fraction(0)) / sides

    return Battle(
        mean(fought.win for fought in every),
        mean(fought.first for fought in every),
        mean(fought.second for fought in every),
        _sum((share, fought.spread) for fought in every),
        not mine,
    )


# Positions ----------------------------------------------------------------------------------------


def bonus(position: Position) -> int:
    """Return the armies that barbarians gain by the initiative, with the optional rule (7.2)."""
    return EXTRA if position.options.barbarian_initiative else 0


def attack(position: Position, target: str) -> Battle:
    """Return the chances of the player's attack on a province, before they announce it."""
    mine, owner = position.legions[PC], position.owner[target]
    if owner == SENATE:
        return battle(mine, Foe(position.garrison[target]))
    if owner != LOST:
        return battle(mine, Foe(position.legions[owner], True))
    strength, more = position.barbarians.get(target), bonus(position)
    return (
        battle_of_unknown_strength(mine, more)
        if strength is None
        else battle(mine, Foe(strength, extra=more))
    )


class Alliance(NamedTuple):
    """The chances of the player's offer: of YES, of the battle after NO, of the province.

    `absorbed`: the general who receives the offer would rule and says YES, which ends the reign
    (5.6).
    """

    yes: Fraction
    refused: Battle
    win: Fraction
    absorbed: bool = False


def alliance(position: Position, target: str) -> Alliance:
    """Return the chances of an offer to the holder of a province, before it is made (5.4)."""
    owner, refused = position.owner[target], attack(position, target)
    if is_general(owner) and position.dominates(owner, PC, offered=owner):
        return Alliance(Fraction(1), refused, Fraction(0), True)
    yes = YES_PROCURATOR if owner == SENATE else YES_NATION if owner == LOST else YES_GENERAL
    return Alliance(yes, refused, yes + (1 - yes) * refused.win)


def invasion(position: Position, horde: int | None = None) -> Battle:
    """Return the chances against an invasion of a province of the player.

    `horde` is its strength, None if it is not known.
    """
    mine, more = position.legions[PC], bonus(position)
    return (
        battle_of_unknown_strength(mine, more, False, True)
        if horde is None
        else battle(mine, Foe(horde, extra=more), False, True)
    )


def defence(position: Position, attacker: str) -> Battle:
    """Return the chances against a rival's attack, which follows a refused offer (5.1)."""
    return battle(position.legions[PC], Foe(position.legions[attacker], True), False)


class Question(NamedTuple):
    """The battle that waits for the player's number.

    - mine: the player's legions
    - least: the fewest that they may devote
    - foe: the other side
    - first: whether the player has the initiative
    - known: the foe's number, if it has already been devoted
    - doomed: whether defeat kills all devoted legions
    """

    mine: int
    least: int
    foe: Foe
    first: bool
    known: int | None
    doomed: bool


def question(position: Position) -> Question:
    """Return the question of a `pending` decision of kind `devote`."""
    fought, pending = position.battle, position.pending
    assert fought is not None
    assert pending is not None
    side = pending["side"]
    holder = fought["attacker"] if side == "defender" else fought["defender"]
    foe = Foe(
        position.total(OTHER[side], fought),
        is_general(holder),
        bonus(position) if holder in (LOST, BARBARIANS) else 0,
    )
    least = 1 if side == "attacker" else 0
    known = fought["devoted"][OTHER[side]]
    return Question(
        position.legions[PC],
        least,
        foe,
        fought["initiative"] == side,
        known,
        fought["cause"] == INVASION,
    )


def commitments(position: Position) -> list[Commitment]:
    """Return every commitment that the player may make now, the largest first."""
    asked = question(position)
    return [
        commitment(asked.mine, n, asked.foe, asked.first, asked.known, asked.doomed)
        for n in range(asked.mine, asked.least - 1, -1)
    ]


def advised_commitment(position: Position) -> int:
    """Return the best commitment now, on which the chances shown before the battle were based."""
    asked = question(position)
    return best(asked.mine, asked.foe, asked.first, asked.known)


def percent(chance: Fraction) -> str:
    """Return a chance in whole per cent, halves rounded up; 0 or 100 only if it is certain."""
    if chance in (0, 1):
        return f"{chance * 100}%"
    if chance < Fraction(1, 100):
        return "<1%"
    if chance > Fraction(99, 100):
        return ">99%"
    return f"{int(chance * 100 + Fraction(1, 2))}%"


def percents(chances: Sequence[Fraction]) -> list[str]:
    """Return chances, of which exactly one comes true, as whole per cents that add up to 100.

    As with `percent`, a chance below 1% is "<1%", and a chance above 99% is ">99%".
    """
    shares = zip(chances, whole_percents(chances, least=0), strict=True)
    return [
        percent(chance) if min(chance, 1 - chance) < Fraction(1, 100) else f"{share}%"
        for chance, share in shares
    ]


# How battles end, exactly: segments are a race of hits (4.7), whatever the number of legions.
#
# A one kills X legions, so each side falls at a number of hits (legions over X, rounded up). Apart
# from these numbers, legions only matter because both sides may become level. A few hundred races
# therefore cover every size of army, and sixty legions take no longer than six. Weights are whole
# numbers, parts of OF; nothing is rounded.

ONES = (125, 75, 15, 1)
"""The number of ways, of 216, in which three dice show 0, 1, 2 or 3 ones."""
THROW = 216
SEGMENT = THROW * THROW
PARTED = SEGMENT - ONES[0] * ONES[0]
"""The number of ways of a segment in which a side is hit."""
SEGMENTS = 6
DEEPEST = 7
"""The most hits at which level sides fall.

It is seven because X is a thirteenth of both sides together (4.6).
"""
OF = SEGMENTS * SEGMENT**SEGMENTS * PARTED**DEEPEST
"""The sum of the weights of every race."""

Race = Mapping[tuple[int, int], int]


@lru_cache(None)
def _level(falls: int) -> Race:
    """Return the race of level sides that fall at `falls` hits each and fight until they differ.

    Weights are parts of PARTED ** falls, by hits taken.
    """
    out: dict[tuple[int, int], int] = {}
    for struck, p in enumerate(ONES):
        if struck >= falls:
            out[0, falls] = out.get((0, falls), 0) + p * THROW * PARTED ** (falls - 1)
            continue
        for taken, q in enumerate(ONES):
            if taken != struck:
                at = (min(taken, falls), struck)
                out[at] = out.get(at, 0) + p * q * PARTED ** (falls - 1)
            elif taken:
                for (i, j), weight in _level(falls - taken).items():
                    at = (i + taken, j + taken)
                    out[at] = out.get(at, 0) + p * q * weight * PARTED ** (taken - 1)
    return out


def _next_segment(live: Race, mine: int, theirs: int) -> Race:
    """Return the race after a further segment, in which `mine` strikes first (4.7).

    The weights grow by the factor SEGMENT.
    """
    out: dict[tuple[int, int], int] = {}
    for (i, j), weight in live.items():
        if i == mine or j == theirs:
            out[i, j] = out.get((i, j), 0) + weight * SEGMENT
            continue
        for struck, p in enumerate(ONES):
            if j + struck >= theirs:
                out[i, theirs] = out.get((i, theirs), 0) + weight * p * THROW
                continue
            for taken, q in enumerate(ONES):
                at = (min(mine, i + taken), j + struck)
                out[at] = out.get(at, 0) + weight * p * q
    return out


@lru_cache(None)
def _race(mine: int, theirs: int, level: bool) -> Race:
    """Return the race of sides that fall at these numbers of hits, `mine` striking first.

    Weights are parts of OF, by hits taken. `level` is whether the sides are level when each has as
    many hits left as the other.
    """
    out: dict[tuple[int, int], int] = {}
    live: Race = {(0, 0): 1}
    for fought in range(1, SEGMENTS + 1):
        live = _next_segment(live, mine, theirs)
        rest = SEGMENT ** (SEGMENTS - fought)
        for (i, j), weight in live.items():
            falls = mine - i
            if level and 0 < falls == theirs - j:
                for (more, less), part in _level(falls).items():
                    at = (i + more, j + less)
                    out[at] = out.get(at, 0) + weight * rest * part * PARTED ** (DEEPEST - falls)
            else:
                out[i, j] = out.get((i, j), 0) + weight * rest * PARTED**DEEPEST
    return out


@lru_cache(None)
def _won(mine: int, theirs: int, level: bool, most: int) -> int:
    """Return the weight of the ends in which `mine` took at most `most` more hits than `theirs`."""
    return sum(weight for (i, j), weight in _race(mine, theirs, level).items() if i - j <= most)


@lru_cache(4096)
def _first(mine: int, theirs: int) -> tuple[int, int]:
    """Return the weights of victory and defeat for two armies, `mine` striking first."""
    x = losses(mine + theirs)
    more = mine - theirs
    won = _won(-(-mine // x), -(-theirs // x), more % x == 0, -(-more // x) - 1)
    return won, OF - won


def victory(mine: int, theirs: int, first: bool) -> int:
    """Return the weight, of OF, of a victory; `first`: `mine` has the initiative."""
    return _first(mine, theirs)[0] if first else _first(theirs, mine)[1]


def duel_ends(mine: int, theirs: int, first: bool) -> dict[tuple[int, int], int]:
    """Return the weights, of OF, of the legions left on both sides; both begin with at least 1."""
    striker, other = (mine, theirs) if first else (theirs, mine)
    x = losses(mine + theirs)
    out: dict[tuple[int, int], int] = {}
    for (i, j), weight in _race(
        -(-striker // x), -(-other // x), (striker - other) % x == 0
    ).items():
        left = (max(0, striker - i * x), max(0, other - j * x))
        at = left if first else left[::-1]
        out[at] = out.get(at, 0) + weight
    return out


@lru_cache(None)
def weighted_sums(mine: int, theirs: int, first: bool) -> tuple[int, int, int]:
    """Return the weight of victories, and sums of the legions left, in parts of OF.

    The sums are over all ends and over victories.
    """
    ends = duel_ends(mine, theirs, first).items()
    left_won = sum(left * weight for (left, other), weight in ends if left > other)
    return (
        victory(mine, theirs, first),
        left_won + sum(left * w for (left, other), w in ends if left < other),
        left_won,
    )
