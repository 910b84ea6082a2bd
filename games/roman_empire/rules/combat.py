"""Combat: rounds, retreat, conquest, looting (8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from engine.dice import Dice
from engine.effects import Phrase
from engine.shares import whole_percents
from games.roman_empire.rules.position import (
    COLOURS,
    COUNTERS,
    KINGDOMS,
    LOOTED,
    MINORS,
    NEAR,
    PEOPLES,
    REBEL,
    STACK,
    WHOLE,
    Combat,
    F,
    Fort,
    P,
    Pending,
    Place,
    Position,
    is_capital,
)

D6 = 6
FORTRESS = 2


def throw(
    dice: Dice, period: int, key: str, sides: dict[str, int], reroll: int
) -> dict[str, list[int]]:
    """Throw the dice of both sides, and return them, the attacker's first."""
    again = f"/reroll-{reroll}" if reroll else ""
    return {
        side: dice.roll_several(f"{key}/{side}{again}", D6, count, period)
        for side, count in sides.items()
    }


def is_hard(position: Position, land: str, source: str) -> bool:
    """Return whether the terrain helps the defender of a land against an attack from `source`.

    Rules 1.5, 6.4, 8.2, 9.3.
    """
    if position.active_bonuses.get("surprise") == land:
        return False
    if source == "sea":
        return True
    return (
        source in NEAR
        and bool(NEAR[source][land])
        and not position.active_bonuses.get("ignore_terrain")
    )


def engage(position: Position, dice: Dice, land: str, source: str, loot: bool) -> None:
    """Place an army as attacker in a new combat, or in the one in progress there (8.1, 8.4)."""
    place, old = position.lands[land], position.combat
    overseas = source == "sea" and (place.who in PEOPLES or place.who in MINORS)
    attacker = Combat(land, 0, None, source, is_hard(position, land, source), int(overseas), loot)
    if old is not None and old.land == land:
        position.combat = attacker._replace(
            no=old.no, holder=place.who or old.holder, round=old.round, hold=old.hold
        )
    else:
        position.combat_no += 1
        holder = place.who or (place.fort.who if place.fort else None)
        position.combat = attacker._replace(no=position.combat_no, holder=holder)
        if may_offer(position, place):
            seat = str(position.seat_of(place.who))
            position.pending = Pending("offer", seat, land)
            position.note(
                "asked_offer", seat, land, "12", seat=seat, land=land, group=position.current
            )
            return
    go_on(position, dice)


def may_offer(position: Position, place: Place) -> bool:
    """Return whether the attacked Faction may offer gold before the first round (12)."""
    seat = position.seat_of(place.who) if place.who in COLOURS else None
    return (
        "bribe_barbarians" in position.options.flags
        and position.current in PEOPLES
        and seat is not None
        and position.vp[seat][F] > 0
    )


def go_on(position: Position, dice: Dice, asked: bool = False) -> None:
    """Fight rounds until the attacker is lost, the land is empty, or the defender may retreat.

    `asked`: the defender has already decided before this round.
    """
    while position.combat is not None:
        combat = position.combat
        place = position.lands[combat.land]
        if not place.n and place.fort is None:
            conquer(position, dice)
            return
        to = () if asked else retreats(position)
        asked = False
        if to:
            seat = str(position.seat_of(place.who))
            position.pending = Pending("retreat", seat, combat.land, to)
            position.note(
                "asked_retreat", seat, combat.land, "8.5", seat=seat, land=combat.land, n=place.n
            )
            return
        if not fight(position, dice):
            return


def retreats(position: Position) -> tuple[str, ...]:
    """Return where the defender may retreat before the next round; empty if they may not (8.5)."""
    combat = position.combat
    if (
        combat is None
        or not combat.round
        or combat.hold
        or position.active_bonuses.get("surprise") == combat.land
    ):
        return ()
    return shelters_near(position, combat.land)


def shelters_near(position: Position, land: str) -> tuple[str, ...]:
    """Return the lands to which the Faction in a land may retreat (8.5)."""
    place = position.lands[land]
    if not place.n or place.who not in COLOURS or position.seat_of(place.who) is None:
        return ()
    return tuple(other for other in NEAR[land] if shelters(position.lands[other], str(place.who)))


def shelters(place: Place, colour: str) -> bool:
    """Return whether a land can take a Faction's Legions: it has room or only their Fort (8.5)."""
    if place.who == colour:
        return place.n < STACK
    return place.who is None and place.fort is not None and place.fort.who == colour


def fight(position: Position, dice: Dice) -> bool:
    """Fight a round; return whether the attacker wins it."""
    assert position.combat is not None
    combat = position.combat._replace(round=position.combat.round + 1)
    position.combat = combat
    place = position.lands[combat.land]
    key = f"{position.roll_prefix}/combat-{combat.no}/round-{combat.round}"
    bonus = position.active_bonuses
    walls = place.fort.level if place.fort and not bonus.get("no_fort_bonus") else 0
    reroll = 0
    while True:
        sides = {
            "attacker": 3 if bonus.get("three_dice") else 2,
            "defender": 2 if combat.terrain else 1,
        }
        thrown = throw(dice, position.period, key, sides, reroll)
        mine = max(thrown["attacker"]) + int(bonus.get("attack_plus") or 0)
        theirs = max(thrown["defender"]) + combat.plus + (1 if walls else 0)
        if sides["attacker"] == 3 and len(set(thrown["attacker"])) == 1:
            del bonus["three_dice"]
            position.note(
                "leader_killed", position.active, str(position.current), "7", group=position.current
            )
        winner = decide(mine, theirs, walls == FORTRESS, bool(bonus.get("ties")))
        position.note(
            "round",
            position.active,
            combat.land,
            "8.1",
            land=combat.land,
            no=combat.no,
            round=combat.round,
            group=position.current,
            defender=place.who,
            alone=not place.n,
            attacker=thrown["attacker"],
            thrown=thrown["defender"],
            mine=mine,
            his=theirs,
            winner=winner,
        )
        if winner:
            break
        reroll += 1
    if winner == "defender":
        lose_attacker(position)
        return False
    if place.n:
        position.note(
            "army_lost",
            position.seat_of(place.who),
            combat.land,
            "8.1",
            land=combat.land,
            group=place.who,
            side=winner,
        )
        position.kill(combat.land, 1, Phrase("killed", "8.1", {"group": place.who}))
    else:
        lose_fort(position, combat.land, "8.3")
    return True


def decide(mine: int, theirs: int, fortress: bool, ties: bool) -> str:
    """Return `attacker`, `defender`, or "" if both throw again (8.1, 8.3, R12)."""
    if mine != theirs:
        return "attacker" if mine > theirs else "defender"
    if fortress:
        return "" if ties else "defender"
    return "attacker" if ties else ""


def lose_attacker(position: Position) -> None:
    """Remove the attacking army, or return it to the hand if Elite Troops save it (8.4, 9.3)."""
    assert position.combat is not None
    combat = position.combat._replace(standing=False)
    position.combat = combat
    saved = int(position.active_bonuses.get("save_losses") or 0) > 0
    if saved:
        position.bonus["save_losses"] -= 1
        position.in_hand += 1
    elif position.current in position.losses:
        position.losses[position.current] += 1
    position.note(
        "army_lost",
        position.active,
        combat.land,
        "8.4",
        land=combat.land,
        group=position.current,
        side="defender",
        saved=saved,
    )


def lose_fort(position: Position, land: str, rule: str) -> None:
    fort = position.lands[land].fort
    if fort is not None:
        position.note(
            "fort_lost",
            position.seat_of(fort.who),
            land,
            rule,
            land=land,
            colour=fort.who,
            level=fort.level,
        )
        position.settle(
            land, Phrase("fort_lost", rule, {"colour": fort.who, "level": fort.level}), fort=None
        )


def conquer(position: Position, dice: Dice) -> None:
    """Move the winning army into the land (8.9)."""
    assert position.combat is not None
    combat = position.combat
    leave(position)
    win(position, dice, combat.land, combat.holder, combat.loot)


def leave(position: Position) -> None:
    """End the combat, and the Surprise that belongs to it (8.4, 9.3)."""
    combat, position.combat = position.combat, None
    if combat is not None and position.active_bonuses.get("surprise") == combat.land:
        del position.bonus["surprise"]


def win(position: Position, dice: Dice, land: str, holder: str | None, loot: bool) -> None:
    """Place an army of the acting group in a land that it conquered from `holder` (8.9, 8.10)."""
    group = str(position.current)
    position.settle(land, Phrase("conquered", "8.9", {"group": group}), who=group, n=1, of=None)
    position.note("conquered", position.active, land, "8.9", land=land, group=group, of=holder)
    if loot and lootable(position, land, holder):
        sack(position, dice, land, holder)


def lootable(position: Position, land: str, holder: str | None) -> bool:
    """Return whether the acting group may loot the City of a land that `holder` held (8.10)."""
    if position.lands[land].city != WHOLE:
        return False
    return not (position.is_faction and (holder in COLOURS or holder == REBEL))


def loot_dice(position: Position, land: str) -> int:
    """Return how many dice the acting group rolls for the City.

    A Faction never rolls two (8.10). Under the first edition of the rules it rolls two, like a
    People.
    """
    one_die = position.is_faction and position.options.edition > 1
    return 2 if is_capital(land, position.period) and not one_die else 1


def sack(position: Position, dice: Dice, land: str, holder: str | None) -> None:
    """Loot the City (8.10)."""
    count = loot_dice(position, land)
    points = sum(
        dice.roll_several(f"{position.roll_prefix}/loot/{land}", D6, count, position.period)
    )
    if holder in KINGDOMS and KINGDOMS[holder].land == land:
        points += KINGDOMS[holder].loot
    seat, track = str(position.active), F if position.is_faction else P
    cause = Phrase("looted", "8.10", {"land": land, "group": position.current, "points": points})
    position.settle(land, cause, city=LOOTED)
    position.note(
        "looted", seat, land, "8.10", land=land, group=position.current, points=points, of=holder
    )
    position.score(seat, track, points, cause)


def retreat(position: Position, land: str, to: str) -> None:
    """Move all Legions to a neighbouring land; those beyond three in it are lost (8.5)."""
    place, there = position.lands[land], position.lands[to]
    moved = min(place.n, STACK - there.n)
    cause = Phrase("retreated", "8.5", {"group": place.who, "to": to})
    lost = place.n - moved
    if place.who in position.losses:
        position.losses[place.who] += lost
    position.settle(land, cause, n=0)
    position.settle(to, cause, who=place.who, n=there.n + moved)
    position.note(
        "retreated",
        position.seat_of(place.who),
        land,
        "8.5",
        land=land,
        to=to,
        group=place.who,
        n=moved,
        lost=lost,
    )


def ways_out(position: Position, land: str) -> list[str]:
    """Return the neighbours of a start land that have room for its armies (8.6).

    Rebels never move (R17).
    """
    who = position.lands[land].who
    return [
        other
        for other in NEAR[land]
        if position.lands[other].who == who != REBEL and position.lands[other].n < STACK
    ]


def open_ways(position: Position, land: str) -> tuple[str, ...]:
    """Return the neighbours among which a seat can choose (12.5).

    It is empty without that optional rule, or if there is nothing to choose.
    """
    room = ways_out(position, land)
    total = sum(STACK - position.lands[other].n for other in room)
    chooses = (
        "choose_retreat" in position.options.flags
        and len(room) > 1
        and total > position.lands[land].n
    )
    return tuple(room) if chooses else ()


def scatter(position: Position, land: str, goals: Sequence[str] = ()) -> None:
    """Move the armies of a start land to the chosen lands (8.6).

    Without a choice an army goes to the emptiest neighbour of its group; without room it dies.
    """
    place = position.lands[land]
    moved = 0
    for at in range(place.n):
        room = ways_out(position, land)
        if not room:
            break
        chosen = goals[at] if at < len(goals) and goals[at] in room else None
        to = chosen or min(room, key=lambda other: position.lands[other].n)
        cause = Phrase("scattered", "8.6", {"group": place.who, "to": to})
        position.settle(to, cause, n=position.lands[to].n + 1)
        position.settle(land, cause, n=position.lands[land].n - 1)
        moved += 1
    lost = place.n - moved
    position.kill(land, lost, Phrase("displaced", "8.6", {"group": place.who}))
    position.note(
        "displaced",
        position.seat_of(place.who),
        land,
        "8.6",
        land=land,
        group=place.who,
        n=moved,
        lost=lost,
    )


def keep_fort(position: Position, fort: Fort | None) -> Fort | None:
    """Return the Fort as the acting Faction takes it over (2, 8.7, 8.8).

    It is in the Faction's colour, or None without a counter left.
    """
    if fort is None or fort.who == position.colour:
        return fort
    return Fort(position.colour, fort.level) if has_fort(position) else None


def has_fort(position: Position) -> bool:
    """Return whether the acting Faction has a Fort counter left (2)."""
    return position.forts(position.colour) < COUNTERS["forts_per_faction"]


# Exact chances of a combat, over every throw of both sides and all rounds (8).

FACES = range(1, 7)


class Sides(NamedTuple):
    """The terms of a throw.

    For the attacker: whether they throw three dice, what they add, whether they win ties. For the
    defender: their dice, what they add, whether they hold a Fortress.
    """

    three: bool
    mine: int
    ties: bool
    dice: int
    theirs: int
    fortress: bool


class Odds(NamedTuple):
    """The chances of a combat for a land.

    `defenders` is the number to beat, in which a Fort counts as one. `one` is the chance that one
    army takes the land, `all` the chance of all armies in hand.
    """

    sides: Sides
    defenders: int
    one: float
    all: float
    armies: int


@cache
def throw_chances(sides: Sides) -> dict[tuple[str, bool], float]:
    """Return the chance of each result of a throw.

    A result is the winner ("" for a tie thrown again), and whether the attacker threw three equal
    dice.
    """
    chances: dict[tuple[str, bool], float] = {}
    mine = list(product(FACES, repeat=3 if sides.three else 2))
    theirs = list(product(FACES, repeat=sides.dice))
    each = 1 / (len(mine) * len(theirs))
    for attacking in mine:
        triple = sides.three and len(set(attacking)) == 1
        for defending in theirs:
            winner = decide(
                max(attacking) + sides.mine,
                max(defending) + sides.theirs,
                sides.fortress,
                sides.ties,
            )
            chances[winner, triple] = chances.get((winner, triple), 0.0) + each
    return chances


@cache
def conquest_chance(sides: Sides, armies: int, defenders: int) -> float:
    """Return the chance that these armies, one after another, beat all defenders.

    Three equal dice kill the leader (7.1).
    """
    if not defenders:
        return 1.0
    if not armies:
        return 0.0
    once, again = throw_chances(sides), 0.0
    without = sides._replace(three=False)
    total = 0.0
    for (winner, triple), chance in once.items():
        after = without if triple else sides
        if winner == "attacker":
            total += chance * conquest_chance(after, armies, defenders - 1)
        elif winner == "defender":
            total += chance * conquest_chance(after, armies - 1, defenders)
        elif triple:
            total += chance * conquest_chance(after, armies, defenders)
        else:
            again += chance
    return total / (1 - again)


def attack(position: Position, land: str, source: str) -> Odds:
    """Return the chances of an attack on a land, if its defenders do not retreat."""
    place, bonus = position.lands[land], position.active_bonuses
    walls = place.fort.level if place.fort is not None and not bonus.get("no_fort_bonus") else 0
    overseas = source == "sea" and (place.who in PEOPLES or place.who in MINORS)
    sides = Sides(
        bool(bonus.get("three_dice")),
        int(bonus.get("attack_plus") or 0),
        bool(bonus.get("ties")),
        2 if is_hard(position, land, source) else 1,
        int(overseas) + (1 if walls else 0),
        walls == FORTRESS,
    )
    revolt = bonus.get("revolt")
    armies = int(revolt["n"]) if source == "revolt" and revolt else position.in_hand
    defenders = place.n + (place.fort is not None)
    return Odds(
        sides,
        defenders,
        conquest_chance(sides, 1, defenders),
        conquest_chance(sides, armies, defenders),
        armies,
    )


def percent(chance: float) -> str:
    """Return a chance in whole per cent, 0% and 100% only if it is exact."""
    return percents(chance)[0]


def percents(chance: float) -> tuple[str, str]:
    """Return a chance and its complement, in whole per cents that add up to 100."""
    happens, fails = whole_percents([chance, 1 - chance])
    return f"{happens}%", f"{fails}%"
