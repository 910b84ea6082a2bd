"""What may be said now: the arguments of every legal move, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

from engine.errors import IllegalMove
from games.kit.moves import GM
from games.kit.view import Given, legal_choices
from games.roman_empire.rules import combat, events, phases
from games.roman_empire.rules.board import AREAS, CARDS, LANDS, NEAR, PEOPLES, STACK, STARTS
from games.roman_empire.rules.factions import recruitable
from games.roman_empire.rules.moves import EmpireMove
from games.roman_empire.rules.placing import ATTACK, CLAIM, TAKE, conquers, judge
from games.roman_empire.rules.position import F, Pending, Position


def choices(position: Position, cls: type[EmpireMove], seat: str, by: str) -> tuple[list[Given], IllegalMove | None]:
    """The arguments that make a legal move of this kind for this seat, and why there are none.

    `place` names a way into a land only once where ways do not differ, Cities are offered one by one and as many as may be.
    """
    candidates = CANDIDATES.get(cls.name, _nothing)(position)
    return legal_choices(position, cls, seat, by if by == GM else seat, candidates)


def _nothing(position: Position) -> Iterator[Given]:
    yield {}


def _passing(position: Position) -> Iterator[Given]:
    for seat in position.seats:
        yield {"to": seat}


def _places(position: Position) -> Iterator[Given]:
    """Every way to place an army; where nothing is legal, one that says why not."""
    any_place = False
    for land in LANDS:
        for source in sources(position, land):
            try:
                way = judge(position, land, source, False, "take")
            except IllegalMove:
                continue
            lootable = way == ATTACK or (way == CLAIM and conquers(position, land))
            place = position.lands[land]
            holder = place.who or (place.fort.who if place.fort else None)
            loots = (False, True) if lootable and combat.lootable(position, land, holder) else (None,)
            forts = ("take", "destroy") if way == TAKE else (None,)
            any_place = True
            for loot in loots:
                for fort in forts:
                    yield {"land": land, "from": source, "loot": loot, "fort": fort}
    if not any_place:
        yield {"land": next(iter(LANDS)), "from": "start", "loot": None, "fort": None}


def sources(position: Position, land: str) -> list[str]:
    """Where an army may come from into a land: of the neighbours that differ for the defender one each."""
    group = position.current
    if group is None:
        return []
    if position.lands[land].who == group:
        lands = [land]
    else:
        near = [other for other in NEAR[land] if position.lands[other].who == group]
        easy = [other for other in near if not combat.hard(position, land, other)]
        lands = easy[:1] + [other for other in near if other not in easy][:1]
        if position.is_faction:
            lands.append("sea")
    if not position.on_map(group):
        lands += ["start", "reentry"]
    revolt = position.working.get("revolt")
    return [*lands, "revolt"] if revolt and revolt["land"] == land else lands


def _take_ups(position: Position) -> Iterator[Given]:
    for land in position.held(position.current):
        for n in range(1, position.lands[land].n + 1):
            yield {"land": land, "n": n}
    yield {"land": next(iter(LANDS)), "n": 1}


def _recruits(position: Position) -> Iterator[Given]:
    most = recruitable(position) if position.is_faction else 0
    for n in range(1, max(1, most) + 1):
        yield {"n": n}


def _lands(position: Position) -> Iterator[Given]:
    for land in LANDS:
        yield {"land": land}


def _starts(position: Position) -> Iterator[Given]:
    for land in STARTS:
        yield {"land": land}


EMPTY = {"land": None, "area": None, "people": None, "use": None, "loot": None}


def _events(position: Position) -> Iterator[Given]:
    hand = position.hand.get(str(position.active), [])
    for key in hand:
        needed = events.ARGUMENTS.get(CARDS[key].kind, frozenset())
        ways: list[Given] = [{"card": key, **EMPTY}]
        try:
            events.admit(position, str(position.active), key)
        except IllegalMove:
            yield from ways
            continue
        for name, values in NAMED.items():
            if name in needed:
                ways = [{**one, name: value} for one in ways for value in values]
        if CARDS[key].kind == "treachery":
            ways = [{**one, "loot": loot} for one in ways for loot in (False, True)]
        yield from ways
    if not hand:
        yield {"card": next(iter(CARDS)), **EMPTY}


NAMED: dict[str, list[str]] = {
    "land": list(LANDS), "area": list(AREAS), "people": list(PEOPLES), "use": [events.FORTS, events.BRIDGES],
}  # fmt: skip


def _ends(position: Position) -> Iterator[Given]:
    """No Cities, one, and the most there may be: first at home, in board order."""
    yield {"cities": None}
    if not position.is_faction or position.step == "done":
        return
    home = phases.home_area(position)
    sites = sorted(phases.sites(position), key=lambda land: land not in home)
    most = min(len(sites), phases.resources(position) // 2)
    for land in sites if most else ():
        yield {"cities": [land]}
    if most > 1:
        yield {"cities": sites[:most]}


def _retreats(position: Position) -> Iterator[Given]:
    asked = position.pending
    for land in asked.to if asked is not None else ():
        yield {"to": land, "hold": None, "lands": None}
    yield {"to": None, "hold": False, "lands": None}
    if asked is not None and position.combat is None:
        for lands in shares(position, asked):
            yield {"to": None, "hold": None, "lands": list(lands)}
    else:
        yield {"to": None, "hold": True, "lands": None}


def shares(position: Position, asked: Pending) -> list[tuple[str, ...]]:
    """How the armies of a start land may be shared among the lands that have room (12.5)."""
    return [
        lands
        for lands in combinations_with_replacement(asked.to, position.lands[asked.land].n)
        if all(position.lands[land].n + lands.count(land) <= STACK for land in lands)
    ]


def _offers(position: Position) -> Iterator[Given]:
    most = position.vp[position.pending.seat][F] if position.pending is not None else 0
    for amount in range(most + 1):
        yield {"amount": amount}


def _answers(position: Position) -> Iterator[Given]:
    yield {"accept": True}
    yield {"accept": False}


CANDIDATES: dict[str, Callable[[Position], Iterator[Given]]] = {
    "pass_counter": _passing, "place": _places, "take_up": _take_ups, "play_event": _events, "end_phase": _ends,
    "retreat": _retreats, "offer": _offers, "answer": _answers, "choose_start": _starts, "recruit": _recruits,
    "bribe": _lands, "fort": _lands, "fortress": _lands, "rebuild": _lands,
}  # fmt: skip
"""Every argument that could be legal, and where there may be none at least one to say why."""
