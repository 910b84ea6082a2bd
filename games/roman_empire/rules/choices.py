"""The arguments of every legal move, and the standing orders of a Faction."""

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
    """Return the arguments that make a legal move of this kind for this seat, or the refusal.

    Ways into a land that are equal for `place` are listed once. Cities are listed one by one, and
    as many as are allowed.
    """
    candidates = CANDIDATES.get(cls.name, _nothing)(position)
    return legal_choices(position, cls, seat, by if by == GM else seat, candidates)


def _nothing(position: Position) -> Iterator[Given]:
    yield {}


def _passing(position: Position) -> Iterator[Given]:
    for seat in position.seats:
        yield {"to": seat}


def _places(position: Position) -> Iterator[Given]:
    """Yield every way to place an army; if there is none, a way whose refusal explains it."""
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
    """Return the origins from which an army may come into a land.

    Of the neighbours that are equal for the defender, only the first is listed.
    """
    group = position.current
    if group is None:
        return []
    if position.lands[land].who == group:
        lands = [land]
    else:
        near = [other for other in NEAR[land] if position.lands[other].who == group]
        easy = [other for other in near if not combat.is_hard(position, land, other)]
        lands = easy[:1] + [other for other in near if other not in easy][:1]
        if position.is_faction:
            lands.append("sea")
    if not position.on_map(group):
        lands += ["start", "reentry"]
    revolt = position.active_bonuses.get("revolt")
    return [*lands, "revolt"] if revolt and revolt["land"] == land else lands


def _take_ups(position: Position) -> Iterator[Given]:
    for land in position.lands_of(position.current):
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
                ways = [{**way, name: value} for way in ways for value in values]
        if CARDS[key].kind == "treachery":
            ways = [{**way, "loot": loot} for way in ways for loot in (False, True)]
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
    """Yield no City, each single City, and as many as are allowed.

    Cities at home come first, then the order is that of the board.
    """
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
    """Return the ways to share the armies of a start land among the lands that have room (12.5)."""
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
"""Arguments that could be legal, by the name of the move.

If none can be legal, at least one candidate gives the reason.
"""


# Standing orders of a Faction: the lands to which its Legions retreat when they may, or that they
# stay (8.5).

RETREAT, HOLD = "retreat", "hold"
ANY, NONE = "any", "none"
WISHES = ("to", "second", "third")
"""The lands of a retreat, in order of preference."""
WHEN = {"once": STACK, "two": 2, "one": 1}
"""The most armies left with which a Faction retreats. A seat is only asked after a round."""
FORMS = {RETREAT: {"kind", "lands", "left", *WISHES}, HOLD: {"kind", "lands"}}


def order_kinds(position: Position, seat: str) -> tuple[OrderKind, ...]:
    """Return the orders to retreat and to hold, for the lands of the Faction.

    There are none for another seat or when the game is over.
    """
    if seat not in position.seats or position.phase == "over":
        return ()
    book, colour = words.book()["orders"], position.factions[seat]
    own = sorted(position.lands_of(colour), key=words.land_name)
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
    """Return the order in canonical form: lands in board order, each goal once.

    The Faction need not hold the lands yet.

    Raises:
        IllegalMove: The order is malformed.
    """
    kind = raw.get("kind")
    if kind not in FORMS:
        raise bad("not-a-way", key="kind", ways=", ".join(FORMS))
    if unknown := sorted(set(raw) - FORMS[kind]):
        raise bad("unknown-argument", key=unknown[0][:40], move=kind)
    named = raw.get("lands", [])
    if type(named) is not list or not all(type(land) is str for land in named):
        raise bad("not-texts", key="lands")
    chosen = {_land(land) for land in named}
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
    """Return an order in words.

    An example is "Italia: retreat to Dalmatia, otherwise to Gallia, when one army is left".
    """
    book = words.book()["orders"]
    where = ", ".join(map(words.land_name, order["lands"])) or book["everywhere"]
    if order["kind"] == HOLD:
        return str(book["lines"]["hold"]).format(where=where)
    goals = [book["any-line"] if key == ANY else words.land_name(key) for key in _goals(order)]
    named = dict(zip(("first", "second", "third"), goals, strict=False))
    line = str(book["lines"][f"retreat-{len(goals)}"])
    return line.format(where=where, when=book["whens"][order["left"]], **named)


def _goals(order: Mapping[str, Any]) -> list[str]:
    return [order[key] for key in WISHES if order[key] != NONE]


def answers_by_orders(
    position: Position, seat: str, orders: Sequence[Mapping[str, Any]]
) -> list[Ordered]:
    """Return the answers of a seat's orders to the retreat that it has to decide.

    Orders for the land come before those for all lands. An order that applies only after more
    losses holds this round. An order whose goals are all closed gives no answer.
    """
    asked = position.pending
    if asked is None or position.makes_way or asked.kind != RETREAT or asked.seat != seat:
        return []
    question = f"retreat-{position.roll_prefix.replace('/', '-')}-{_battle(position)}"
    fitting = [
        (n, order)
        for n, order in enumerate(orders)
        if not order["lands"] or asked.land in order["lands"]
    ]
    fitting.sort(key=lambda numbered: not numbered[1]["lands"])
    answers = [(n, _answer(position, order)) for n, order in fitting]
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
