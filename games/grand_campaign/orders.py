"""Standing orders of a nation: the answer to a challenge (7.8), and what a Bodyguard does (4.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.title import Ordered, OrderField, OrderKind
from games.grand_campaign import words
from games.grand_campaign.form import a_province, bad, cards, one_of
from games.grand_campaign.hand import WITH_ANSWER
from games.grand_campaign.position import Attack, Position
from games.grand_campaign.scenario import Scenario

ANSWER, BODYGUARD = "answer", "bodyguard"
CHOICES = ("accept", "withdraw", "escort")
GUARDS = ("keep", "guard")
FORMS = {ANSWER: {"kind", "provinces", "choice", "cards"}, BODYGUARD: {"kind", "guard"}}


def order_kinds(position: Position, seat: str) -> tuple[OrderKind, ...]:
    """Answers for provinces, an escort where the nation may ever force one; nothing for who has fallen."""
    if seat not in position.nations or position.nations[seat].fallen:
        return ()
    said, scenario = words.book()["orders"], position.scenario
    own = sorted(position.provinces_of(seat), key=lambda key: words.province_name(scenario, key))
    choices = CHOICES if scenario.nations[seat].escort else CHOICES[:2]
    names = [(key, str(words.province_name(scenario, key))) for key in own]
    answers = (
        OrderField("provinces", said["provinces"], names, True, said["provinces-help"]),
        OrderField("choice", said["choice"], [(key, said["choices"][key]) for key in choices]),
        OrderField("cards", said["cards"], [(k, words.card_name(k)) for k in sorted(WITH_ANSWER)], True, said["cards-help"]),
    )
    guards = (OrderField("guard", said["guard"], [(key, said["guards"][key]) for key in GUARDS]),)
    return (
        OrderKind(ANSWER, said["answer"], said["answer-about"], "7.8", answers),
        OrderKind(BODYGUARD, said["bodyguard"], said["bodyguard-about"], "4.10", guards, timed=False),
    )


def read_order(position: Position, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The order in its one form. A withdrawal goes without cards (7.8); provinces need not be one's own yet."""
    kind = one_of(*FORMS)(position, raw.get("kind"))
    if unknown := sorted(set(raw) - FORMS[kind]):
        raise bad("unknown-argument", key=unknown[0][:40], move=kind)
    if kind == BODYGUARD:
        return {"kind": kind, "guard": one_of(*GUARDS)(position, raw.get("guard"))}
    named = raw.get("provinces", [])
    if type(named) is not list or len(named) > len(position.owner):
        raise bad("not-a-list")
    provinces = sorted({a_province(position, one) for one in named})
    choice, given = one_of(*CHOICES)(position, raw.get("choice")), cards(position, raw.get("cards", []))
    if choice == "escort" and not position.scenario.nations[seat].escort:
        raise bad("no-escort-right", nation=seat)
    for card in given:
        if card not in WITH_ANSWER or choice == "withdraw":
            raise bad("card-not-here" if card not in WITH_ANSWER else "no-cards-with-withdrawal", card=card)
    return {"kind": kind, "provinces": provinces, "choice": choice, "cards": sorted(given)}


def order_line(scenario: Scenario, order: Mapping[str, Any]) -> str:
    """Dalmatia, Italia: accept with Scouts."""
    said = words.book()["orders"]
    if order["kind"] == BODYGUARD:
        return str(said["lines"][order["guard"]])
    where = ", ".join(words.province_name(scenario, key) for key in order["provinces"]) or said["everywhere"]
    what = said["choices"][order["choice"]]
    if order["cards"]:
        cards_named = words.listed([*map(words.card_name, order["cards"])])
        return str(said["lines"]["cards"]).format(where=where, what=what, cards=cards_named)
    return str(said["lines"]["answer"]).format(where=where, what=what)


def said_by_orders(position: Position, seat: str, orders: Sequence[Mapping[str, Any]]) -> list[Ordered]:
    """To each challenge that waits for the nation: first the orders for its province, then those for all."""
    made = []
    for attack in position.running:
        if attack.defender == seat and attack.status == "challenged":
            fitting = [(n, one) for n, one in enumerate(orders) if one["kind"] == ANSWER and _fits(attack, one)]
            fitting.sort(key=lambda one: not one[1]["provinces"])
            made += [Ordered(n, f"attack-{attack.id}", _answer(seat, attack, one), attack.id) for n, one in fitting]
    nation = position.nations[seat]
    for n, one in enumerate(orders):
        if one["kind"] == BODYGUARD and "bodyguard" in nation.hand and nation.keep != (one["guard"] == "keep"):
            keep = {"by": seat, "move": "keep", "card": "bodyguard", "value": one["guard"] == "keep"}
            made.append(Ordered(n, "bodyguard", keep))
    return made


def _fits(attack: Attack, order: Mapping[str, Any]) -> bool:
    return not order["provinces"] or attack.target in order["provinces"]


def _answer(seat: str, attack: Attack, order: Mapping[str, Any]) -> dict[str, Any]:
    raw = {"by": seat, "move": "respond", "attack": attack.id, "choice": order["choice"]}
    return {**raw, "cards": list(order["cards"])} if order["cards"] else raw
