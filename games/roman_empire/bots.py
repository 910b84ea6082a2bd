"""Players by program: one that weighs points against armies, and one that says anything.

Chance that they need for themselves comes from a `random.Random` given to them. The game's own dice are thrown by
`engine.dice` alone: a player by program chooses as people do, and what he chose stands in the log. Both read the whole
position, hands of others included, and use of it only what their seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

from engine.effects import Effect
from games.contract.players import End, Player
from games.roman_empire.rules import combat, events, phases, placing, view
from games.roman_empire.rules.board import (
    CARDS,
    CHART,
    COLOURS,
    EMPERORS,
    KINGDOMS,
    LANDS,
    NEAR,
    STARTS,
    STATES,
    WHOLE,
    is_capital,
)
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.factions import recruitable
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.phases import difference
from games.roman_empire.rules.position import FACTION, SEATS, START, F, P, Place, Position
from games.roman_empire.text.words import numeral

# A player who counts: where the next army brings most points for what it may cost.

Raw = Mapping[str, Any]
ARMY = 0.9
"""What an army is worth in points: it holds on for the phases to come."""
LOOT = 3.5
SPREAD = 0.35
"""What a new land is worth beside its points of now."""
GUARD = 0.15
"""What a second army in a land is worth."""
HURT = 0.45
"""What a point is worth that another player will not get."""
RESOURCE = 0.8
"""What a Faction's resource symbol is worth: half a City."""


def sensible(position: Position, rng: object = None) -> Raw | None:
    """The move that promises most; None when all is over. He keeps every counter and needs no chance."""
    going = view.automatic(position)
    if going is not None:
        return {"move": going}
    seat = view.mover(position)
    if seat is None:
        return None
    if position.pending is not None:
        return _decide(position)
    if position.draw is not None:
        return {"by": seat, "move": "draw" if position.draw.open is None else "keep"}
    return _prepare(position, seat) or _place(position, seat) or _end(position, seat)


def _decide(position: Position) -> Raw:
    """Retreats with one Legion left where walls and ground do not help; takes gold for half a loot, offers none."""
    asked = position.pending
    assert asked is not None
    if asked.kind == "offer":
        return {"by": asked.seat, "move": "offer", "amount": 0}
    if asked.kind == "answer":
        return {"by": asked.seat, "move": "answer", "accept": asked.amount > 2}
    place = position.lands[asked.land]
    weak = place.fort is None and not (position.combat and position.combat.terrain)
    if weak and place.n == 1:
        return {"by": asked.seat, "move": "retreat", "to": min(asked.to, key=lambda land: position.lands[land].n)}
    return {"by": asked.seat, "move": "retreat", "to": None, "hold": True}


# Before placing -------------------------------------------------------------------------------------------------------


def _prepare(position: Position, seat: str) -> Raw | None:
    """A start land, armies taken up, Legions recruited, Cities rebuilt, a card."""
    if position.step == START:
        if position.is_faction:
            move = _faction(position, seat)
            if move is not None:
                return move
        else:
            move = _gather(position, seat)
            if move is not None:
                return move
    return _card(position, seat)


def _faction(position: Position, seat: str) -> Raw | None:
    if position.period == 1 and seat not in position.start:
        free = [land for land in STARTS if land not in position.start.values()]
        return {"by": seat, "move": "choose_start", "land": max(free, key=lambda land: _room(position, land))}
    for land in position.held(position.colour):
        place = position.lands[land]
        if place.city == "looted" and position.vp[seat][F]:
            return {"by": seat, "move": "rebuild", "land": land}
        if place.n > 1:
            return {"by": seat, "move": "take_up", "land": land, "n": place.n - 1}
    if position.period < 7 and recruitable(position) > 0 and position.vp[seat][F] >= 12:
        return {"by": seat, "move": "recruit", "n": 1}
    return None


def _gather(position: Position, seat: str) -> Raw | None:
    for land in position.held(position.current):
        n = position.lands[land].n
        if n > 1:
            return {"by": seat, "move": "take_up", "land": land, "n": n - 1}
    return None


def _room(position: Position, land: str) -> float:
    """What lies around a start land."""
    return sum(LANDS[other].resource + (position.lands[other].who is None) for other in NEAR[land]) - 2 * position.lands[land].n


def _card(position: Position, seat: str) -> Raw | None:
    """The first card that helps: a people of its own, dice, fort points; harm to the strongest rival."""
    if position.resume is not None or sum(position.played[seat].values()) >= events.LIMIT:
        return None
    ways = choices(position, MOVES["play_event"], seat, seat)[0]
    best, chosen = 0.0, None
    for given in ways:
        worth = _worth(position, seat, given)
        if worth > best:
            best, chosen = worth, given
    return None if chosen is None else {"by": seat, "move": "play_event", **chosen}


def _worth(position: Position, seat: str, given: Raw) -> float:
    """What a card does, roughly in points."""
    card = CARDS[given["card"]]
    if card.kind in ("kingdom", "minor"):
        return 6.0 if position.seat_of(position.lands[STATES[card.effect["key"]].land].who) != seat else 0.0
    if card.kind == "revive":
        return 5.0
    if card.kind in ("three_dice", "attack_plus", "ties", "save_losses", "no_fort_bonus"):
        return 2.0 if position.in_hand >= 4 and (card.kind != "no_fort_bonus" or _walls(position)) else 0.0
    if card.kind in ("revolt", "rebellion", "land_strip", "treachery"):
        return _damage(position, seat, position.lands[given["land"]]) - (2.0 if card.kind != "revolt" else 1.0)
    return 0.0


def _walls(position: Position) -> int:
    return sum(
        any(position.lands[other].who == position.current for other in NEAR[land])
        for land, place in position.lands.items()
        if place.fort is not None and position.seat_of(place.fort.who) != position.active
    )


def _damage(position: Position, seat: str, place: Place) -> float:
    """What it hurts a rival to lose his armies in a land."""
    if position.seat_of(place.who) in (seat, None):
        return 0.0
    return place.n + (2.0 if place.city == WHOLE else 0.0)


# Placing --------------------------------------------------------------------------------------------------------------


def _place(position: Position, seat: str) -> Raw | None:
    """The placement that brings most; none if no army brings anything."""
    if position.in_hand < 1 and not position.working.get("revolt"):
        return None
    best, chosen = 0.0, None
    for given in choices(position, MOVES["place"], seat, seat)[0]:
        gain = _gain(position, seat, given)
        if gain > best:
            best, chosen = gain, given
    return None if chosen is None else {"by": seat, "move": "place", **chosen}


def _gain(position: Position, seat: str, given: Raw) -> float:
    land, place = given["land"], position.lands[given["land"]]
    way = placing.judge(position, land, given["from"], False, given.get("fort"))
    if way == placing.STRENGTHEN:
        return GUARD / place.n + (GUARD if place.city == WHOLE else 0.0)
    if way == placing.OWN:
        return 0.05 if position.is_faction else 0.0
    if given.get("fort") == "destroy":
        return 0.0
    bounty = LOOT * (2 if is_capital(land, position.period) else 1) if given.get("loot") else 0.0
    if place.who in KINGDOMS and KINGDOMS[place.who].land == land and given.get("loot"):
        bounty += KINGDOMS[place.who].loot
    gain = _points(position, seat, land, bool(given.get("loot"))) + bounty + SPREAD
    if position.is_faction and LANDS[land].resource:
        gain += RESOURCE
    if way == placing.CLAIM:
        return 50.0 + gain
    if way != placing.ATTACK:
        return gain
    gain += HURT * _damage(position, seat, place) * (position.player_of(place.who) != position.owners[seat])
    chance, cost = odds(position, land, given["from"], position.in_hand)
    return chance * gain - ARMY * cost


def _points(position: Position, seat: str, land: str, looted: bool) -> float:
    """What the phase would score more with this land."""
    was = position.lands[land]
    place = was._replace(who=position.current, n=1, city="looted" if looted else was.city)
    return float(difference(position, seat, position.phase, land, place))


def odds(position: Position, land: str, source: str, armies: int) -> tuple[float, float]:
    """The chance to take a land with so many armies, and how many it costs on the average; retreats are not counted."""
    place, bonus = position.lands[land], position.working
    overseas = source == "sea" and place.who not in COLOURS and place.who not in KINGDOMS and place.who != "rebel"
    walls = place.fort.level if place.fort is not None and not bonus.get("no_fort_bonus") else 0
    edge = int(bonus.get("attack_plus") or 0) - int(overseas)
    win = chance(
        3 if bonus.get("three_dice") else 2, 2 if combat.hard(position, land, source) else 1, edge - (walls > 0),
        walls == combat.FORTRESS, bool(bonus.get("ties")),
    )  # fmt: skip
    return race(win, place.n + (place.fort is not None), armies)


@cache
def chance(mine: int, his: int, edge: int, fortress: bool, ties: bool) -> float:
    """The chance to win a round with so many dice against so many; what is thrown again does not count."""
    won = lost = 0
    for dice in product(range(1, 7), repeat=mine + his):
        winner = combat.decide(max(dice[:mine]) + edge, max(dice[mine:]), fortress, ties)
        won += winner == "attacker"
        lost += winner == "defender"
    return won / (won + lost) if won + lost else 0.5


@cache
def race(win: float, need: int, armies: int) -> tuple[float, float]:
    """The chance of so many wins before so many losses, and the losses on the average."""
    if not need:
        return 1.0, 0.0
    if not armies:
        return 0.0, 0.0
    a, cost_a = race(win, need - 1, armies)
    b, cost_b = race(win, need, armies - 1)
    return win * a + (1 - win) * b, win * cost_a + (1 - win) * (1 + cost_b)


# Ending ---------------------------------------------------------------------------------------------------------------


def _end(position: Position, seat: str) -> Raw:
    """Free Forts where they cover a City, then Cities, first at home, and the end."""
    if position.resume is not None:
        return {"by": seat, "move": "end_sub"}
    if position.phase != FACTION:
        return {"by": seat, "move": "end_phase"}
    if position.free_forts and combat.has_fort(position):
        open_lands = [land for land in position.held(position.colour) if position.lands[land].fort is None]
        if open_lands:
            land = max(open_lands, key=lambda one: (position.lands[one].city == WHOLE, LANDS[one].resource))
            return {"by": seat, "move": "fort", "land": land}
    home = phases.home_area(position)
    sites = sorted(phases.sites(position), key=lambda land: land not in home)
    return {"by": seat, "move": "end_phase", "cities": sites[: phases.resources(position) // 2]}


ENDS = ("end_phase", "end_sub")
EAGER = 0.93
"""How often the random player does something else than end."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when all is over."""
    going = view.automatic(position)
    if going is not None:
        return {"move": going}
    seat = view.mover(position)
    if seat is None:
        return None
    ends: list[tuple[str, list[Mapping[str, Any]]]] = []
    acts: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, cls in MOVES.items():
        ways = [] if cls.automatic else choices(position, cls, seat, seat)[0]
        if ways:
            (ends if name in ENDS else acts).append((name, ways))
    kinds = acts if acts and (not ends or rng.random() < EAGER) else ends
    name, ways = rng.choice(kinds)
    return {"by": seat, "move": name, **rng.choice(ways)}


class EmpirePlayers:
    """See `games.contract.players.Players` and `Graded`."""

    grades: Mapping[str, Mapping[str, Any]] = {f"{n} players": {"players": n} for n in (2, 3, 4)}
    games = 200
    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
    labels: Mapping[str, str] = {
        "grade": "table",
        "A": "seat A wins",
        "B": "seat B wins",
        "C": "seat C wins",
        "D": "seat D wins",
        "points": "points of the winner",
        "last": "points of the last",
        "p": "Peoples, all seats",
        "f": "Factions, all seats",
        "legions": "Legions lost",
        "romans": "lands of Factions",
        "shares": "share of all points",
        "seat": "By seat",
        "people": "By People, in the order of the turns",
        "emperor": "By Emperor, in the order of the turns",
        **{f"seat-{seat}": f"seat {seat}" for seat in SEATS},
        **{f"people-{one.id}": f"{numeral(one.period)} {one.n} {one.name}" for one in CHART},
        **{f"emperor-{one.id}": f"{numeral(one.period)} {one.n} {one.name}" for one in EMPERORS.values()},
    }

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Who won, and what all had at the end; `unfinished` if nothing had ended."""
        result = position.result or {"winner": "unfinished", "totals": {"": 0}}
        totals = result["totals"].values()
        numbers = {
            "points": max(totals),
            "last": min(totals),
            "p": sum(of[P] for of in position.vp.values()),
            "f": sum(of[F] for of in position.vp.values()),
            "legions": sum(position.losses.values()),
            "romans": sum(len(position.held(colour)) for colour in position.factions.values()),
        }
        points = {f"seat-{seat}": sum(of.values()) for seat, of in position.vp.items()} | position.earned
        return End(str(result["winner"]), "", numbers, points)
