"""The battles of the Grand Campaign in words: their sides, their states, their places.

Everything here reads a battle's public facts (`known`: the attack as the title's rows have it) and
the scenario. `players` are the names of the users by their seats. No hidden fact is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.language import gettext as _
from engine.language import sentence
from games.contract.plain import Known
from games.grand_campaign.rules.attacks import CARD_RULE, agreeable
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import OWN_ARMY
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.army_lists import army_list, list_in_game
from games.grand_campaign.text.words import (
    book,
    card_name,
    nation_name,
    province_name,
    structure_name,
)

Players = Mapping[str, str]
INDEPENDENT = "independent"
CARD_ICONS = {
    "ambush": "swords",
    "reinforcements": "shield",
    "scouts": "eye",
    "naval-technology": "ship",
}


class Played(NamedTuple):
    """A card that was played on a battle; `text` is what it does there."""

    key: str
    name: str
    text: str
    icon: str
    rule: str


class Side(NamedTuple):
    """One side of a battle.

    `key` is attacker or defender and `role` the word for it. `nation` is the nation of the side, or
    `independent`. `leader` is the seat that plays it; None if nobody does. `army` is the list by
    the campaign's name, `in_game` by the game's own name if that differs. `base` says how the
    points come about.
    """

    key: str
    role: str
    nation: str
    name: str
    leader: str | None
    player: str
    leads: str
    army: str
    in_game: str
    points: int
    base: str
    base_rule: str
    cards: tuple[Played, ...]
    train: bool
    fortification: str


def kind_word(known: Known) -> str:
    return str(book()["kinds"][known["kind"]])


def module_word(known: Known) -> str:
    """Return the module as a sheet names it."""
    word = str(book()["battles"][known["battle"]])
    return word[0].upper() + word[1:]


def where(scenario: Scenario, known: Known) -> str:
    """Return source → target; an insurrection has only its province."""
    target = province_name(scenario, known["target"])
    return f"{province_name(scenario, known['source'])} → {target}" if known["source"] else target


def side_name(scenario: Scenario, known: Known, side: str) -> str:
    """Return who fights on a side: a nation, the independents of a province, insurgents."""
    if side == "attacker":
        return (
            _("Insurgents")
            if known["kind"] == "insurrection"
            else nation_name(scenario, known["attacker"])
        )
    return nation_name(scenario, known["defender"]) if known["defender"] else _("Independents")


def role_word(side: str) -> str:
    return _("Attacker") if side == "attacker" else _("Defender")


def side_nation(known: Known, side: str) -> str:
    """Return the key of the nation whose colours a side has on a page."""
    if side == "attacker":
        return INDEPENDENT if known["kind"] == "insurrection" else str(known["attacker"])
    return str(known["defender"] or INDEPENDENT)


def sides(
    scenario: Scenario, known: Known, players: Players, fortification: int = 0
) -> tuple[Side, Side]:
    """Return attacker and defender, with everything that they bring."""
    attacker = _side(scenario, known, players, "attacker", 0)
    return attacker, _side(scenario, known, players, "defender", fortification)


def _side(scenario: Scenario, known: Known, players: Players, side: str, level: int) -> Side:
    leader, army = _leader(known, side), army_list(scenario, known, side)
    in_game = list_in_game(army)
    base, base_rule = _base_of_points(scenario, known, side)
    return Side(
        key=side,
        role=role_word(side),
        nation=side_nation(known, side),
        name=side_name(scenario, known, side),
        leader=leader,
        player=players.get(leader or "", ""),
        leads=_leads(scenario, known, side),
        army=army,
        in_game="" if in_game == army else in_game,
        points=known[f"points_{side}"],
        base=base,
        base_rule=base_rule,
        cards=tuple(
            _played_card(scenario, known, players, side, card) for card in known[f"cards_{side}"]
        ),
        train=side == "attacker" and known["siege_train"],
        fortification=(
            structure_name(scenario.rules.fortifications[level - 1].name) if level else ""
        ),
    )


def _leader(known: Known, side: str) -> str | None:
    """Return the seat that plays a side; None if nobody does."""
    leader = known["attacker"] if side == "attacker" else known["defender"] or known["leader"]
    return str(leader) if leader is not None else None


def _base_of_points(scenario: Scenario, known: Known, side: str) -> tuple[str, str]:
    """Return how the points of an army come about, and the rule."""
    points, extra = known[f"points_{side}"], rules_of_battle(scenario, known).army["reinforcements"]
    is_independent = (
        known["kind"] not in OWN_ARMY if side == "attacker" else known["defender"] is None
    )
    if is_independent:
        return sentence(_("{points} always"), points=points), "7.10"
    if "reinforcements" in known[f"cards_{side}"]:
        text = _("{points} as launched and {extra} by card")
        return sentence(text, points=points - extra, extra=extra), "3.13"
    return _("army as launched"), "3.13"


def _leads(scenario: Scenario, known: Known, side: str) -> str:
    """Return who leads independents; empty if a nation fights for itself."""
    leader = _leader(known, side)
    if leader is not None and side_nation(known, side) == INDEPENDENT:
        return sentence(_("led by {nation:the}"), nation=nation_name(scenario, leader))
    if known["kind"] == "independent" and side == "attacker":
        province = province_name(scenario, known["source"])
        return sentence(_("leading the independents of {province}"), province=province)
    return ""


def rules_of_battle(scenario: Scenario, known: Known) -> Rules:
    """Return the rules by which this battle is fought."""
    return scenario.as_of(known["turn"]).rules


def _played_card(
    scenario: Scenario, known: Known, players: Players, side: str, card: str
) -> Played:
    rules = rules_of_battle(scenario, known)
    texts = {
        "ambush": _("an escort baggage train, as its attacker"),
        "reinforcements": sentence(
            _("+{points} points for this battle"), points=rules.army["reinforcements"]
        ),
        "naval-technology": sentence(_("+{n} in the encounter at sea"), n=rules.naval_technology),
        "scouts": _("cancelled by the other side’s Scouts"),
    }
    if card == "scouts" and scout(known) == side:
        texts["scouts"] = sentence(
            _("{who} determines the terrain"), who=who_plays(scenario, known, players, side)
        )
    return Played(
        card,
        card_name(card),
        texts.get(card, ""),
        CARD_ICONS.get(card, "scroll"),
        CARD_RULE.get(card, ""),
    )


def scout(known: Known) -> str | None:
    """Return the side that determines the terrain; None for pot luck.

    Scouts on both sides cancel each other (4.15).
    """
    have = [side for side in ("attacker", "defender") if "scouts" in known[f"cards_{side}"]]
    return have[0] if len(have) == 1 else None


def who_plays(scenario: Scenario, known: Known, players: Players, side: str) -> str:
    """Return who plays a side: the player, else the nation, else nobody."""
    seat = _leader(known, side)
    return players.get(seat or "", "") or nation_name(scenario, seat)


def naval_possible(known: Known) -> bool:
    """Return whether a naval battle may still replace encounter and battle (8.2)."""
    return bool(agreeable(known))


def running(known: Known) -> bool:
    return bool(known["status"] != "resolved")


def state_word(scenario: Scenario, known: Known) -> tuple[str, str]:
    """Return the battle's state in a word or two, and its tone.

    `ready` in the known facts says that the battle is set up in the game.
    """
    if known["status"] == "challenged":
        return _("Answer awaited"), "warn"
    if known["status"] == "fighting":
        return (_("In play") if known.get("ready") else _("Set-up awaited")), ""
    outcome, siege = known["outcome"], known["siege"]
    if outcome in ("attacker", "defender"):
        word = sentence(_("{side} won"), side=side_name(scenario, known, outcome))
    else:
        word = {
            "draw": _("Drawn"),
            "withdrawn": _("Defender withdrew"),
            "naval-repulse": _("Repulsed at sea"),
            "lapsed": _("Lapsed"),
        }[outcome]
    if siege:
        word = sentence(_siege_word(siege, known["kind"]), word=word)
    return word, "" if outcome in ("lapsed", "draw") else "good"


def _siege_word(siege: str, kind: str) -> str:
    """Return the result of a siege; a covert success makes the province independent (9.8)."""
    if siege == "held":
        return _("{word}, the province held")
    if kind in OWN_ARMY:
        return _("{word}, the province taken")
    return _("{word}, the province turns independent")
