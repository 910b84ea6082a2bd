"""What may be said now: the arguments of every legal move, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from engine.errors import IllegalMove
from games.contract.title import Ordered, OrderField, OrderKind
from games.kit.records import GM, Given, bad, legal_choices
from games.roman_empire.rules import combat, events, phases
from games.roman_empire.rules.factions import recruitable
from games.roman_empire.rules.moves import EmpireMove
from games.roman_empire.rules.placing import ATTACK, CLAIM, TAKE, conquers, judge
from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    COLOURS,
    LANDS,
    NEAR,
    PEOPLES,
    STACK,
    STARTS,
    F,
    Pending,
    Position,
    Scenario,
)
from games.roman_empire.text import words


def choices(
    position: Position, cls: type[EmpireMove], seat: str, by: str
) -> tuple[list[Given], IllegalMove | None]:
    """The arguments that make a legal move of this kind for this seat, and why there are none.

    `place` names a way into a land only once where ways do not differ, Cities are offered one by
    one and as many as may be.
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
            loots = (
                (False, True) if lootable and combat.lootable(position, land, holder) else (None,)
            )
            forts = ("take", "destroy") if way == TAKE else (None,)
            any_place = True
            for loot in loots:
                for fort in forts:
                    yield {"land": land, "from": source, "loot": loot, "fort": fort}
    if not any_place:
        yield {"land": next(iter(LANDS)), "from": "start", "loot": None, "fort": None}


def sources(position: Position, land: str) -> list[str]:
    """Where an army may come from into a land: of the neighbours that differ for the defender one
    each.
    """
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
    "land": list(LANDS),
    "area": list(AREAS),
    "people": list(PEOPLES),
    "use": [events.FORTS, events.BRIDGES],
}


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
    if asked is not None and position.makes_way:
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
    "pass_counter": _passing,
    "place": _places,
    "take_up": _take_ups,
    "play_event": _events,
    "end_phase": _ends,
    "retreat": _retreats,
    "offer": _offers,
    "answer": _answers,
    "choose_start": _starts,
    "recruit": _recruits,
    "bribe": _lands,
    "fort": _lands,
    "fortress": _lands,
    "rebuild": _lands,
}
"""Every argument that could be legal, and where there may be none at least one to say why."""


# Standing orders of a Faction: where its Legions go, or whether they stay, when they are asked to
# retreat (8.5).

RETREAT, HOLD = "retreat", "hold"
ANY, NONE = "any", "none"
WISHES = ("to", "second", "third")
"""The lands of a retreat, the first possible of which is taken."""
WHEN = {"once": STACK, "two": 2, "one": 1}
"""When one retreats: with at most so many armies left. Nobody is asked before a round was
fought.
"""
FORMS = {RETREAT: {"kind", "lands", "left", *WISHES}, HOLD: {"kind", "lands"}}


def order_kinds(position: Position, seat: str) -> tuple[OrderKind, ...]:
    """To retreat and to hold, for the lands of the Faction; nothing where there is no such seat, or
    all is over.
    """
    if seat not in position.seats or position.phase == "over":
        return ()
    book, colour = words.book()["orders"], position.factions[seat]
    own = sorted(position.held(colour), key=words.land_name)
    forts = [
        key
        for key, place in position.lands.items()
        if place.fort is not None and place.fort.who == colour
    ]
    near = {other for key in own for other in NEAR[key]}
    goals = sorted({*own, *forts, *near}, key=words.land_name)
    lands = OrderField("lands", book["lands"], _named(own), True, book["lands-help"])
    none = (NONE, book["none"])
    retreat = (
        lands,
        OrderField("left", book["when"], [(key, book["whens"][key]) for key in WHEN]),
        OrderField("to", book["to"], [(ANY, book["any"]), *_named(goals)]),
        OrderField("second", book["second"], [none, *_named(goals)]),
        OrderField("third", book["third"], [none, *_named(goals)], help=book["third-help"]),
    )
    return (
        OrderKind(RETREAT, book["retreat"], book["retreat-about"], "8.5", retreat, timed=False),
        OrderKind(HOLD, book["hold"], book["hold-about"], "8.5", (lands,), timed=False),
    )


def _named(keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(key, words.land_name(key)) for key in keys]


def read_order(position: Position, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The order in its one form: lands in board order, each goal once. Lands need not be one's own
    yet.
    """
    kind = raw.get("kind")
    if kind not in FORMS:
        raise bad("not-a-way", key="kind", ways=", ".join(FORMS))
    if unknown := sorted(set(raw) - FORMS[kind]):
        raise bad("unknown-argument", key=unknown[0][:40], move=kind)
    named = raw.get("lands", [])
    if type(named) is not list or not all(type(one) is str for one in named):
        raise bad("not-texts", key="lands")
    chosen = {_land(one) for one in named}
    order: dict[str, Any] = {"kind": kind, "lands": [key for key in LANDS if key in chosen]}
    if kind == HOLD:
        return order
    left = raw.get("left")
    if left not in WHEN:
        raise bad("not-a-way", key="left", ways=", ".join(WHEN))
    goals: list[str] = []
    for key in WISHES:
        wish = raw.get(key, ANY if key == "to" else NONE)
        if wish != NONE and wish not in goals:
            goals.append(wish if wish == ANY else _land(wish))
    if not goals:
        raise bad("not-a-way", key="to", ways=ANY)
    return order | {"left": left} | dict(zip(WISHES, [*goals, NONE, NONE], strict=False))


def _land(key: object) -> str:
    if type(key) is not str or key not in LANDS:
        raise bad("unknown-land", name=str(key)[:40])
    return key


def order_line(scenario: Scenario, order: Mapping[str, Any]) -> str:
    """Italia, Sicilia: retreat to Dalmatia, else to Gallia, once beaten."""
    book = words.book()["orders"]
    where = ", ".join(map(words.land_name, order["lands"])) or book["everywhere"]
    if order["kind"] == HOLD:
        return str(book["lines"]["hold"]).format(where=where)
    first, *others = [
        book["any-line"] if key == ANY else words.land_name(key) for key in _goals(order)
    ]
    goal = str(book["lines"]["to"]).format(land=first) + "".join(
        book["lines"]["else"].format(land=one) for one in others
    )
    return str(book["lines"]["retreat"]).format(
        where=where, goal=goal, when=book["whens"][order["left"]]
    )


def _goals(order: Mapping[str, Any]) -> list[str]:
    return [order[key] for key in WISHES if order[key] != NONE]


def said_by_orders(
    position: Position, seat: str, orders: Sequence[Mapping[str, Any]]
) -> list[Ordered]:
    """To the retreat that waits for the seat: first the orders for that land, then those for all.
    One that waits for more to fall stands this round; one whose goals are all shut says nothing.
    """
    asked = position.pending
    if asked is None or position.makes_way or asked.kind != RETREAT or asked.seat != seat:
        return []
    question = f"retreat-{position.base.replace('/', '-')}-{_battle(position)}"
    fitting = [
        (n, one) for n, one in enumerate(orders) if not one["lands"] or asked.land in one["lands"]
    ]
    fitting.sort(key=lambda one: not one[1]["lands"])
    answers = [(n, _answer(position, one)) for n, one in fitting]
    return [
        Ordered(n, question, {"by": seat, "move": "retreat", **answer})
        for n, answer in answers
        if answer is not None
    ]


def _battle(position: Position) -> str:
    """Return the combat or Rebellion that asks for a retreat, with its round."""
    if position.rebellion is not None:
        return f"{position.rebellion.card}-{position.rebellion.round}"
    assert position.combat is not None
    return f"{position.combat.no}-{position.combat.round}"


def _answer(position: Position, order: Mapping[str, Any]) -> dict[str, Any] | None:
    assert position.pending is not None
    if order["kind"] == HOLD:
        return {"to": None, "hold": True}
    place, open_to = position.lands[position.pending.land], position.pending.to
    if place.n > WHEN[order["left"]]:
        return {"to": None}
    for goal in _goals(order):
        if goal == ANY:
            return {"to": min(open_to, key=lambda key: position.lands[key].n)}
        if goal in open_to:
            return {"to": goal}
    return None


assert not {ANY, NONE} & (set(LANDS) | set(COLOURS))
