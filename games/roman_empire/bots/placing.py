"""The choice of the placement with the best ratio of points to expected losses."""

from __future__ import annotations

from functools import cache
from itertools import product

from games.roman_empire.bots.preparing import damage, leaders
from games.roman_empire.bots.styles import Choice, Raw, Style
from games.roman_empire.rules import combat, placing
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.phases import difference
from games.roman_empire.rules.position import COLOURS, KINGDOMS, LANDS, WHOLE, Position


def place_army(position: Position, seat: str, style: Style) -> Choice | None:
    """Return the most profitable placement; None if none is worth an army."""
    if position.in_hand < 1 and not position.active_bonuses.get("revolt"):
        return None
    ahead = frozenset(leaders(position, seat)) if style.leader else frozenset()
    most, chosen, win = 0.0, None, 1.0
    for given in choices(position, MOVES["place"], seat, seat)[0]:
        gain, chance = _gain(position, seat, given, style, ahead)
        if gain > most:
            most, chosen, win = gain, given, chance
    if chosen is None:
        return None
    facts = {"land": LANDS[chosen["land"]].name, "chance": round(100 * win)}
    place = position.lands[chosen["land"]]
    why = "fights" if win < 1 else "guards" if place.who == position.current else "spreads"
    return Choice({"by": seat, "move": "place", **chosen}, why, facts)


def _gain(
    position: Position, seat: str, given: Raw, style: Style, ahead: frozenset[str]
) -> tuple[float, float]:
    """Return the value of a placement, and the chance to win its fight."""
    land, place = given["land"], position.lands[given["land"]]
    way = placing.judge(position, land, given["from"], False, given.get("fort"))
    if way == placing.STRENGTHEN:
        return style.guard / place.n + (style.guard if place.city == WHOLE else 0.0), 1.0
    if way == placing.OWN:
        return 0.05 if position.is_faction else 0.0, 1.0
    if given.get("fort") == "destroy":
        return 0.0, 1.0
    bounty = style.loot * combat.loot_dice(position, land) if given.get("loot") else 0.0
    if place.who in KINGDOMS and KINGDOMS[place.who].land == land and given.get("loot"):
        bounty += KINGDOMS[place.who].loot
    gain = _new_points(position, seat, land, bool(given.get("loot"))) + bounty + style.spread
    if position.is_faction and LANDS[land].resource:
        gain += style.resource
    if way == placing.CLAIM:
        return 50.0 + gain, 1.0
    if way != placing.ATTACK:
        return gain, 1.0
    hurt = style.hurt + style.leader * (position.seat_of(place.who) in ahead)
    gain += (
        hurt
        * damage(position, seat, place)
        * (position.player_of(place.who) != position.owners[seat])
    )
    win, cost = odds(position, land, given["from"], position.in_hand)
    if win < style.least and not (position.combat is not None and position.combat.land == land):
        return 0.0, win
    return win * gain - style.army * cost, min(win, 0.99)


def _new_points(position: Position, seat: str, land: str, looted: bool) -> float:
    """Return the points that the phase would score more with this land."""
    was = position.lands[land]
    place = was._replace(who=position.current, n=1, city="looted" if looted else was.city)
    return float(difference(position, seat, position.phase, land, place))


def odds(position: Position, land: str, source: str, armies: int) -> tuple[float, float]:
    """Return the chance to take a land with this many armies, and the mean losses.

    Retreats are not considered.
    """
    place, bonus = position.lands[land], position.active_bonuses
    overseas = (
        source == "sea"
        and place.who not in COLOURS
        and place.who not in KINGDOMS
        and place.who != "rebel"
    )
    walls = place.fort.level if place.fort is not None and not bonus.get("no_fort_bonus") else 0
    edge = int(bonus.get("attack_plus") or 0) - int(overseas)
    win = chance(
        3 if bonus.get("three_dice") else 2,
        2 if combat.is_hard(position, land, source) else 1,
        edge - (walls > 0),
        walls == combat.FORTRESS,
        bool(bonus.get("ties")),
    )
    return race(win, place.n + (place.fort is not None), armies)


@cache
def chance(mine: int, theirs: int, edge: int, fortress: bool, ties: bool) -> float:
    """Return the chance to win a round with these numbers of dice.

    Ties that are thrown again do not count.
    """
    won = lost = 0
    for dice in product(range(1, 7), repeat=mine + theirs):
        winner = combat.decide(max(dice[:mine]) + edge, max(dice[mine:]), fortress, ties)
        won += winner == "attacker"
        lost += winner == "defender"
    return won / (won + lost) if won + lost else 0.5


@cache
def race(win: float, need: int, armies: int) -> tuple[float, float]:
    """Return the chance of `need` wins before `armies` losses, and the mean losses."""
    if not need:
        return 1.0, 0.0
    if not armies:
        return 0.0, 0.0
    a, cost_a = race(win, need - 1, armies)
    b, cost_b = race(win, need, armies - 1)
    return win * a + (1 - win) * b, win * cost_a + (1 - win) * (1 + cost_b)
