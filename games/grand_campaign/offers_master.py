"""What the game master may do now, beside making any nation's move for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.title import Field, Offer
from games.grand_campaign.battles import MODULES, SIDES
from games.grand_campaign.offers import by_name, refusal_of
from games.grand_campaign.position import ACCOUNTS, Attack, Position
from games.grand_campaign.rules import CARDS

RESULTS = ("attacker", "defender", "draw")
# Numbers and texts are typed by people; these stand for them where moves are enumerated.
SHARES = ({"attacker": 20, "defender": 50}, {"attacker": 50, "defender": 20}, {"attacker": 30, "defender": 30})
REASONS = ("A correction.",)


def master_offers(position: Position) -> list[Offer]:
    """Turns, results and corrections."""
    offers = [_offer(position, "start", "turn"), _offer(position, "open-turn", "turn")]
    for attack in position.running:
        offers += _results(position, attack)
    return offers + _corrections(position)


def _offer(position: Position, move: str, group: str, key: str = "", **given: Any) -> Offer:
    refusal = refusal_of(position, {"by": "gm", "move": move, **given})
    return Offer(key or move, move, group, "gm", "gm", given, (), None, refusal)


def _results(position: Position, attack: Attack) -> list[Offer]:
    number = {"attack": attack.id}
    offers = []
    if attack.battle not in MODULES:
        offers.append(_with(f"report-{attack.id}-routed", "report", number, {"routed": ("shares", SHARES)}))
        offers.append(_offer(position, "report", "result", f"report-{attack.id}-called-off", **number, called_off=True))
    offers.append(_with(f"report-{attack.id}-winner", "report", number, {"winner": ("choice", RESULTS)}))
    naval = refusal_of(position, {"by": "gm", "move": "report", **number, "naval": "draw"})
    if attack.kind == "amphibious":
        offer = _with(f"report-{attack.id}-naval", "report", number, {"naval": ("choice", RESULTS)})
        offer.refusal = naval
        offers.append(offer)
    offers.append(_with(f"forfeit-{attack.id}", "forfeit", number, {"side": ("choice", SIDES)}))
    return offers


Fields = Mapping[str, tuple[str, Sequence[Any]]]


def _with(key: str, move: str, given: Mapping[str, Any], fields: Fields, group: str = "result") -> Offer:
    values = {name: list(allowed) for name, (_, allowed) in fields.items()}
    listed = tuple(Field(name, kind) for name, (kind, _) in fields.items())
    return Offer(key, move, group, "gm", "gm", given, listed, None, None, lambda name, _chosen: values[name])


def _corrections(position: Position) -> list[Offer]:
    standing = [key for key, nation in position.nations.items() if not nation.fallen]
    free = [p for p in position.owner if p not in position.scenario.external and not position.under_attack(p)]
    reason = {"reason": ("text", REASONS)}
    held = {key: sorted(set(nation.hand + nation.table)) for key, nation in position.nations.items()}
    offers = [
        _with("adjust", "adjust", {}, {"nation": ("nation", list(position.nations)), "account": ("choice", ACCOUNTS),
                                       "change": ("number", (1, -1)), **reason}, "correction"),
        _with("set-owner", "set-owner", {}, {"province": ("province", by_name(position, free)),
                                             "owner": ("nation", [*standing, None]), **reason}, "correction"),
        _with("give-card", "give-card", {}, {"nation": ("nation", standing), "card": ("card", sorted(CARDS)), **reason},
              "correction"),
        _with("discard-card", "discard-card", {}, {"nation": ("nation", [k for k in standing if held[k]]),
                                                   "card": ("card", ()), **reason}, "correction"),
    ]  # fmt: skip
    adjust, discard = offers[0], offers[3]

    def adjustable(name: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if name == "nation":
            return list(position.nations)
        if name == "account":
            nation = chosen.get("nation")
            if nation in position.nations and position.nations[nation].fallen:
                return ["victory_points"]
            return [a for a in ACCOUNTS if a != "actions" or nation in (None, position.slot)]
        return (1, -1) if name == "change" else REASONS

    def discardable(name: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if name == "nation":
            return [key for key in standing if held[key]]
        return held.get(chosen.get("nation", ""), []) if name == "card" else REASONS

    adjust.allowed, discard.allowed = adjustable, discardable
    if position.phase not in ("slots", "battles", "closed"):
        for offer in offers:
            offer.refusal = refusal_of(
                position, {"by": "gm", "move": "adjust", "nation": standing[0] if standing else next(iter(position.nations)),
                           "account": "victory_points", "change": 1, "reason": "-"},
            )  # fmt: skip
    return offers
