"""The battles of the Grand Campaign in words: their sides, states and places.

Everything here reads the scenario and a battle's public facts (`known`, which is the attack in the
title's rows). `players` has the names of the users by their seats. No hidden fact is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.language import gettext as _
from engine.language import pgettext, sentence
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


class PlayedCard(NamedTuple):
    """A card that was played on a battle; `text` is its effect there."""

    key: str
    name: str
    text: str
    icon: str
    rule: str


class Side(NamedTuple):
    """A side of a battle.

    `key` is attacker or defender and `role` the word for it. `nation` is the nation of the side, or
    `independent`. `leader` is the seat that plays it, or None. `army` is the list by its name in
    the campaign, `in_game` its name in the game if that differs. `base` explains the points.
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
    cards: tuple[PlayedCard, ...]
    train: bool
    fortification: str


def kind_word(known: Known) -> str:
    return str(book()["kinds"][known["kind"]])


def module_word(known: Known) -> str:
    """Return the module as a sheet writes it."""
    word = str(book()["battles"][known["battle"]])
    return word[0].upper() + word[1:]


def where(scenario: Scenario, known: Known) -> str:
    """Return "source → target", or only the province of an insurrection."""
    target = province_name(scenario, known["target"])
    return f"{province_name(scenario, known['source'])} → {target}" if known["source"] else target


def side_name(scenario: Scenario, known: Known, side: str) -> str:
    """Return the name of a side: a nation, the independents of a province, or insurgents."""
    if side == "attacker":
        return (
            _("Insurgents")
            if known["kind"] == "insurrection"
            else nation_name(scenario, known["attacker"])
        )
    return nation_name(scenario, known["defender"]) if known["defender"] else _("Independents")


def role_word(side: str) -> str:
    return (
        pgettext("battles", "Attacker") if side == "attacker" else pgettext("battles", "Defender")
    )


def side_nation(known: Known, side: str) -> str:
    """Return the key of the nation whose colours a side has on a page."""
    if side == "attacker":
        return INDEPENDENT if known["kind"] == "insurrection" else str(known["attacker"])
    return str(known["defender"] or INDEPENDENT)


def sides(
    scenario: Scenario, known: Known, players: Players, fortification: int = 0
) -> tuple[Side, Side]:
    """Return attacker and defender, with their armies, cards and fortifications."""
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
    """Return the seat that plays a side, or None."""
    leader = known["attacker"] if side == "attacker" else known["defender"] or known["leader"]
    return str(leader) if leader is not None else None


def _base_of_points(scenario: Scenario, known: Known, side: str) -> tuple[str, str]:
    """Return an explanation of an army's points, and its paragraph."""
    points, extra = known[f"points_{side}"], rules_of_battle(scenario, known).army["reinforcements"]
    is_independent = (
        known["kind"] not in OWN_ARMY if side == "attacker" else known["defender"] is None
    )
    if is_independent:
        return sentence(_("always {points}"), points=points), "7.10"
    if "reinforcements" in known[f"cards_{side}"]:
        text = _("{points} at launch and {extra} from a card")
        return sentence(text, points=points - extra, extra=extra), "3.13"
    return _("army points at launch"), "3.13"


def _leads(scenario: Scenario, known: Known, side: str) -> str:
    """Return the nation that leads independents as text, empty if a nation fights for itself."""
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
) -> PlayedCard:
    rules = rules_of_battle(scenario, known)
    texts = {
        "ambush": _("an escort baggage train with this side as its attacker"),
        "reinforcements": sentence(
            _("+{points} points for this battle"), points=rules.army["reinforcements"]
        ),
        "naval-technology": sentence(_("+{n} in the encounter at sea"), n=rules.naval_technology),
        "scouts": _("cancelled by the other side’s Scouts"),
    }
    if card == "scouts" and scout(known) == side:
        texts["scouts"] = sentence(
            _("{who} chooses the terrain"), who=who_plays(scenario, known, players, side)
        )
    return PlayedCard(
        card,
        card_name(card),
        texts.get(card, ""),
        CARD_ICONS.get(card, "scroll"),
        CARD_RULE.get(card, ""),
    )


def scout(known: Known) -> str | None:
    """Return the side that determines the terrain, or None for pot luck.

    Scouts on both sides cancel each other (4.15).
    """
    have = [side for side in ("attacker", "defender") if "scouts" in known[f"cards_{side}"]]
    return have[0] if len(have) == 1 else None


def who_plays(scenario: Scenario, known: Known, players: Players, side: str) -> str:
    """Return the name of the player of a side, otherwise that of the nation, or "nobody"."""
    seat = _leader(known, side)
    return players.get(seat or "", "") or nation_name(scenario, seat)


def naval_possible(known: Known) -> bool:
    """Return whether a naval battle may still replace encounter and battle (8.2)."""
    return bool(agreeable(known))


def running(known: Known) -> bool:
    return bool(known["status"] != "resolved")


def state_word(scenario: Scenario, known: Known) -> tuple[str, str]:
    """Return the battle's state in a word or two, and its tone.

    `ready` in the known facts means that the battle is set up in the game, and `by_model` that a
    model decides it.
    """
    if known["status"] == "challenged":
        return _("Answer awaited"), "warn"
    if known["status"] == "fighting":
        if known.get("by_model"):
            return pgettext("state", "The model decides"), ""
        return (pgettext("state", "In play") if known.get("ready") else _("Set-up awaited")), ""
    outcome = known["outcome"]
    if outcome in ("attacker", "defender"):
        text = _won_text(known["siege"], known["kind"])
        word = sentence(text, side=side_name(scenario, known, outcome))
    elif outcome == "withdrawn":
        word = _withdrawal_text(known["siege"], known["kind"])
    else:
        word = {
            "draw": _("Drawn"),
            "naval-repulse": _("Repulsed at sea"),
            "lapsed": pgettext("state", "Lapsed"),
        }[outcome]
    return word, "" if outcome in ("lapsed", "draw") else "good"


def _won_text(siege: str | None, kind: str) -> str:
    """Return a victory, with the result of a siege if there was one.

    A covert success makes the province independent (9.8).
    """
    if not siege:
        return _("{side} won")
    if siege == "held":
        return _("{side} won; the siege failed")
    if kind in OWN_ARMY:
        return _("{side} won and took the province")
    return _("{side} won; the province became independent")


def _withdrawal_text(siege: str | None, kind: str) -> str:
    """Return a withdrawal, with the result of a siege if there was one."""
    if not siege:
        return _("Defender withdrew")
    if siege == "held":
        return _("Defender withdrew; the siege failed")
    if kind in OWN_ARMY:
        return _("Defender withdrew and lost the province")
    return _("Defender withdrew; the province became independent")
