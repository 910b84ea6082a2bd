"""Exact chances of battles, alliances and invasions, before they are announced and while legions
are committed.

Chances are `Fraction`s of whole-number weights: nothing is rounded before `percent`. Each is the
chance of a player who commits as `best` says, over initiative, the other general's die, the number
of segments and every roll in them.
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
"""Legions that add no more than this to the chance stay at home."""

YES_GENERAL, YES_PROCURATOR, YES_NATION = Fraction(1, 3), Fraction(5, 6), Fraction(1, 6)
"""5.4: a general who would not rule; a procurator; a people."""


# Battles ------------------------------------------------------------------------------------------


class Foe(NamedTuple):
    """The other side: its total, whether a general (generals devote by a die; others all they
    have), and the armies it gains by holding the initiative (option `barbarian_initiative`).
    """

    total: int
    general: bool = False
    extra: int = 0

    def brings(self, mine: int, initiative: bool) -> list[tuple[tuple[int, ...], int]]:
        """What it may devote against my total, by the values of its die; no values where it throws
        none.
        """
        if not self.general:
            return [((), self.total + (self.extra if initiative else 0))]
        by_legions: dict[int, tuple[int, ...]] = {}
        for die in range(1, 7):
            legions = devotes(die, self.total, mine, initiative)
            by_legions[legions] = (*by_legions.get(legions, ()), die)
        return [(dice, legions) for legions, dice in by_legions.items()]


class Split(NamedTuple):
    """A part of a commitment's chance: the values of the rival's die, what they bring on them, my
    chance then, X then.
    """

    dice: tuple[int, ...]
    brings: int
    win: Fraction
    x: int


Spread = Mapping[tuple[int, bool], Fraction]
"""Chances by (my legions afterwards, those at home too; whether I won)."""


def mean_left(spread: Spread, won: bool) -> Fraction | None:
    """The legions I have afterwards on the average of victories, or of defeats; None where there
    are none.
    """
    ends = [(legions, p) for (legions, good), p in spread.items() if good is won and p]
    return (
        sum((legions * p for legions, p in ends), Fraction(0)) / sum(p for _, p in ends)
        if ends
        else None
    )


class Commitment(NamedTuple):
    """One number of legions that may be devoted, and what comes of it. With 0 a defender gives the
    province up.
    """

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
    """`legions` of `mine` devoted against `foe`; `known` is the foe's number, if it has been said.
    `doomed`: in an invasion that is lost every legion devoted dies (6.1).
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
        for (left, his), weight in duel(legions, brings, first).items():
            won = left > his
            at = (mine - legions + (left if won or not doomed else 0), won)
            spread[at] = spread.get(at, 0) + weight * chance
    exact = {
        at: Fraction(weight, OF * faces) for at, weight in sorted(spread.items(), reverse=True)
    }
    win = Fraction(sum(weight for (_, won), weight in spread.items() if won), OF * faces)
    return Commitment(legions, win, tuple(splits), exact)


@lru_cache(4096)
def best(mine: int, foe: Foe, first: bool, known: int | None = None) -> int:
    """The fewest legions whose chance is within SPARE of the greatest there is; `mine` is at least
    1.
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
    """A battle before its initiative is thrown: my chance, and with or without the initiative; what
    may be left.

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
    """The battle of my `mine` against the foe, each side committing in its turn (4.4, 4.5), mine as
    `best` says.
    """
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
    first = sum((share * one.win for share, one in seen), Fraction(0))
    blind = commitment(mine, best(mine, foe, False), foe, False, None, doomed)
    spread = _sum(
        [*((share / 2, one.spread) for share, one in seen), (Fraction(1, 2), blind.spread)]
    )
    return Battle((first + blind.win) / 2, first, blind.win, spread)


@lru_cache(1024)
def unknown(mine: int, extra: int = 0, attacking: bool = True, doomed: bool = False) -> Battle:
    """The battle against barbarians whose 2 + d6 armies nobody has counted yet (4.2)."""
    base, sides = int(TABLES["barbarians"]["base"]), int(TABLES["barbarians"]["sides"])
    every = [
        battle(mine, Foe(base + die, extra=extra), attacking, doomed) for die in range(1, sides + 1)
    ]
    share = Fraction(1, sides)

    def mean(chances: Iterable[Fraction]) -> Fraction:
        return sum(chances, Fraction(0)) / sides

    return Battle(
        mean(one.win for one in every),
        mean(one.first for one in every),
        mean(one.second for one in every),
        _sum((share, one.spread) for one in every),
        not mine,
    )


# Positions ----------------------------------------------------------------------------------------


def bonus(position: Position) -> int:
    """Armies that barbarians gain by the initiative, where the option is on (7.2)."""
    return EXTRA if position.options.barbarian_initiative else 0


def attack(position: Position, target: str) -> Battle:
    """The player's attack on a province, before they announce it."""
    mine, owner = position.legions[PC], position.owner[target]
    if owner == SENATE:
        return battle(mine, Foe(position.garrison[target]))
    if owner != LOST:
        return battle(mine, Foe(position.legions[owner], True))
    strength, more = position.barbarians.get(target), bonus(position)
    return unknown(mine, more) if strength is None else battle(mine, Foe(strength, extra=more))


class Alliance(NamedTuple):
    """The player's offer: the chance of YES, the battle on NO, the chance to gain the province
    either way.

    `absorbed`: the one who is asked would rule and says YES, which ends the reign (5.6).
    """

    yes: Fraction
    refused: Battle
    win: Fraction
    absorbed: bool = False


def ally(position: Position, target: str) -> Alliance:
    """The player's offer to the holder of a province, before they make it (5.4)."""
    owner, refused = position.owner[target], attack(position, target)
    if is_general(owner) and position.dominates(owner, PC, offered=owner):
        return Alliance(Fraction(1), refused, Fraction(0), True)
    yes = YES_PROCURATOR if owner == SENATE else YES_NATION if owner == LOST else YES_GENERAL
    return Alliance(yes, refused, yes + (1 - yes) * refused.win)


def invasion(position: Position, horde: int | None = None) -> Battle:
    """The player's defence against an invasion of one of their provinces, its strength known or
    not.
    """
    mine, more = position.legions[PC], bonus(position)
    return (
        unknown(mine, more, False, True)
        if horde is None
        else battle(mine, Foe(horde, extra=more), False, True)
    )


def defence(position: Position, attacker: str) -> Battle:
    """The player's defence against a rival's attack: what refusing the rival's offer leads to
    (5.1).
    """
    return battle(position.legions[PC], Foe(position.legions[attacker], True), False)


class Question(NamedTuple):
    """The battle that waits for the player's number: their legions, the fewest they may devote, the
    foe, whether they have the initiative, the foe's number if it has been said, whether defeat
    kills all they devote.
    """

    mine: int
    least: int
    foe: Foe
    first: bool
    known: int | None
    doomed: bool


def question(position: Position) -> Question:
    """What `pending` of kind `devote` asks."""
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


def pending(position: Position) -> list[Commitment]:
    """Every commitment the player may make now, the largest first."""
    asked = question(position)
    return [
        commitment(asked.mine, n, asked.foe, asked.first, asked.known, asked.doomed)
        for n in range(asked.mine, asked.least - 1, -1)
    ]


def advised(position: Position) -> int:
    """What `best` says now; the chances shown before the battle counted on it."""
    asked = question(position)
    return best(asked.mine, asked.foe, asked.first, asked.known)


def percent(chance: Fraction) -> str:
    """A chance for people: whole per cent, halves up; never 0 or 100 unless certain."""
    if chance in (0, 1):
        return f"{chance * 100}%"
    if chance < Fraction(1, 100):
        return "<1%"
    if chance > Fraction(99, 100):
        return ">99%"
    return f"{int(chance * 100 + Fraction(1, 2))}%"


def percents(chances: Sequence[Fraction]) -> list[str]:
    """Return chances of which exactly one comes true as texts. Their whole per cents add up to 100.

    As with `percent`, a chance below 1% is "<1%", and one above 99% is ">99%".
    """
    shares = zip(chances, whole_percents(chances, least=0), strict=True)
    return [
        percent(chance) if min(chance, 1 - chance) < Fraction(1, 100) else f"{share}%"
        for chance, share in shares
    ]


# How battles end, exactly: the race of hits that segments are (4.7), whatever the number of
# legions.
#
# A one kills X legions, so each side falls at a number of hits (legions over X, rounded up), and
# all that legions matter beside is whether both can ever be level. A few hundred races therefore
# answer for every size of army, and sixty legions cost no more than six. Weights are whole numbers,
# of OF; nothing is rounded.

ONES = (125, 75, 15, 1)
"""Ways, of 216, that three dice show 0, 1, 2 or 3 ones."""
THROW = 216
SEGMENT = THROW * THROW
PARTED = SEGMENT - ONES[0] * ONES[0]
"""Ways of a segment in which somebody is hit."""
SEGMENTS = 6
DEEPEST = 7
"""Sides that are level fall at seven hits each at most, as X is a thirteenth of both together
(4.6).
"""
OF = SEGMENTS * SEGMENT**SEGMENTS * PARTED**DEEPEST
"""What the weights of every race are parts of."""

Race = Mapping[tuple[int, int], int]


@lru_cache(None)
def _level(falls: int) -> Race:
    """Level sides that fall at `falls` hits each fight on till they differ: weights, of PARTED **
    falls, by hits taken.
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
    """One segment more, those with the initiative striking first (4.7); weights grow by SEGMENT."""
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
    """How a battle ends between sides that fall at so many hits, mine striking first: weights, of
    OF, by hits taken.

    `level` is whether the sides are level when each has as many hits left to it as the other.
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
    """The weight of the ends in which I have at most `most` more hits than the foe."""
    return sum(weight for (i, j), weight in _race(mine, theirs, level).items() if i - j <= most)


@lru_cache(4096)
def _first(mine: int, theirs: int) -> tuple[int, int]:
    """Of two devoted armies, mine striking first: the weights of victory and of defeat."""
    x = losses(mine + theirs)
    more = mine - theirs
    won = _won(-(-mine // x), -(-theirs // x), more % x == 0, -(-more // x) - 1)
    return won, OF - won


def victory(mine: int, theirs: int, first: bool) -> int:
    """The weight, of OF, of my victory with these devoted; `first`: I have the initiative."""
    return _first(mine, theirs)[0] if first else _first(theirs, mine)[1]


def duel(mine: int, theirs: int, first: bool) -> dict[tuple[int, int], int]:
    """The weights, of OF, of what is left of mine and of theirs; both are at least 1 before."""
    one, two = (mine, theirs) if first else (theirs, mine)
    x = losses(mine + theirs)
    out: dict[tuple[int, int], int] = {}
    for (i, j), weight in _race(-(-one // x), -(-two // x), (one - two) % x == 0).items():
        left = (max(0, one - i * x), max(0, two - j * x))
        at = left if first else left[::-1]
        out[at] = out.get(at, 0) + weight
    return out


@lru_cache(None)
def means(mine: int, theirs: int, first: bool) -> tuple[int, int, int]:
    """Of two devoted armies, in parts of OF: victories; my legions left; those left in
    victories.
    """
    ends = duel(mine, theirs, first).items()
    left_won = sum(left * weight for (left, his), weight in ends if left > his)
    return (
        victory(mine, theirs, first),
        left_won + sum(left * w for (left, his), w in ends if left < his),
        left_won,
    )
