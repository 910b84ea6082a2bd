"""Standing orders of a Faction: where its Legions go, or whether they stay, when they are asked to retreat (8.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.contract.title import Ordered, OrderField, OrderKind
from games.kit.moves import bad
from games.roman_empire.rules.board import COLOURS, LANDS, NEAR, STACK
from games.roman_empire.rules.position import Position, Scenario
from games.roman_empire.text import words

RETREAT, HOLD = "retreat", "hold"
ANY, NONE = "any", "none"
WISHES = ("to", "second", "third")
"""The lands of a retreat, the first possible of which is taken."""
WHEN = {"once": STACK, "two": 2, "one": 1}
"""When one retreats: with at most so many armies left. Nobody is asked before a round was fought."""
FORMS = {RETREAT: {"kind", "lands", "left", *WISHES}, HOLD: {"kind", "lands"}}


def order_kinds(position: Position, seat: str) -> tuple[OrderKind, ...]:
    """To retreat and to hold, for the lands of the Faction; nothing where there is no such seat, or all is over."""
    if seat not in position.seats or position.phase == "over":
        return ()
    book, colour = words.book()["orders"], position.factions[seat]
    own = sorted(position.held(colour), key=words.land_name)
    forts = [key for key, place in position.lands.items() if place.fort is not None and place.fort.who == colour]
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
    """The order in its one form: lands in board order, each goal once. Lands need not be one's own yet."""
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
    first, *others = [book["any-line"] if key == ANY else words.land_name(key) for key in _goals(order)]
    goal = str(book["lines"]["to"]).format(land=first) + "".join(book["lines"]["else"].format(land=one) for one in others)
    return str(book["lines"]["retreat"]).format(where=where, goal=goal, when=book["whens"][order["left"]])


def _goals(order: Mapping[str, Any]) -> list[str]:
    return [order[key] for key in WISHES if order[key] != NONE]


def said_by_orders(position: Position, seat: str, orders: Sequence[Mapping[str, Any]]) -> list[Ordered]:
    """To the retreat that waits for the seat: first the orders for that land, then those for all. One that waits for more
    to fall stands this round; one whose goals are all shut says nothing."""
    asked, combat = position.pending, position.combat
    if asked is None or combat is None or asked.kind != RETREAT or asked.seat != seat:
        return []
    question = f"retreat-{position.base.replace('/', '-')}-{combat.no}-{combat.round}"
    fitting = [(n, one) for n, one in enumerate(orders) if not one["lands"] or asked.land in one["lands"]]
    fitting.sort(key=lambda one: not one[1]["lands"])
    answers = [(n, _answer(position, one)) for n, one in fitting]
    return [Ordered(n, question, {"by": seat, "move": "retreat", **answer}) for n, answer in answers if answer is not None]


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
