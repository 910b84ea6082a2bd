"""A battle of the Grand Campaign in words: its sides, its state, its set-up in Field of Glory II.

Everything here reads a battle's public facts (`known`: the attack as the title's rows have it) and
the scenario. `players` names who holds each seat. No hidden fact comes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.language import sentence
from games.contract.report import Bullets, Contents, Heading, Report, Span
from games.grand_campaign.drawing.drawing import spellings
from games.grand_campaign.rules.attacks import CARD_RULE, ESCORT, HEAD, agreeable
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import OWN_ARMY
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.words import (
    book,
    card_name,
    nation_name,
    province_name,
    structure_name,
)
from web.frame.table import TableContext

Known = Mapping[str, Any]
Players = Mapping[str, str]
INDEPENDENT = "independent"
CARD_ICONS = {
    "ambush": "swords",
    "reinforcements": "shield",
    "scouts": "eye",
    "naval-technology": "ship",
}


class Line(NamedTuple):
    """A line of a sheet: its label, its text, and the rule."""

    label: str
    text: str
    rule: str = ""


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


def army_list(name: str) -> str:
    """Return an army list as the game writes it: the first alias that is another name."""
    aliases = spellings().get(name, ())
    return next((alias for alias in aliases if alias != name), name)


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
    leader, army = _leader(known, side), _army(scenario, known, side)
    in_game = army_list(army)
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
    points, extra = known[f"points_{side}"], _rules(scenario, known).army["reinforcements"]
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


def _rules(scenario: Scenario, known: Known) -> Rules:
    """Return the rules by which this battle is fought."""
    return scenario.as_of(known["turn"]).rules


def _army(scenario: Scenario, known: Known, side: str) -> str:
    """Return the army list of a side: a nation's, or an independent province's.

    Insurgents have the list of the nation that they rise against (4.5).
    """
    nations, provinces = scenario.nations, scenario.provinces
    if side == "defender":
        return (
            nations[known["defender"]].army
            if known["defender"]
            else provinces[known["target"]].army
        )
    if known["kind"] == "insurrection":
        return nations[known["defender"]].army
    return (
        nations[known["attacker"]].army
        if known["kind"] in OWN_ARMY
        else provinces[known["source"]].army
    )


def _played_card(
    scenario: Scenario, known: Known, players: Players, side: str, card: str
) -> Played:
    rules = _rules(scenario, known)
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
            _("{who} determines the terrain"), who=_by(scenario, known, players, side)
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


def _by(scenario: Scenario, known: Known, players: Players, side: str) -> str:
    """Return who plays a side: the player, else the nation, else nobody."""
    seat = _leader(known, side)
    return players.get(seat or "", "") or nation_name(scenario, seat)


def setup_sheet(scenario: Scenario, known: Known, players: Players) -> list[Line]:
    """Return how the battle is set up in Field of Glory II (7.11): what both players enter."""
    attacker, defender = sides(scenario, known, players)
    lines = [
        Line(_("Game"), _("Field of Glory II, custom battle")),
        Line(_("Module"), module_word(known), _module_rule(known)),
    ]
    if known["battle"] == ESCORT and known["module_attacker"]:
        lines.append(_attacker_of_module(scenario, known, players))
    host = sentence(_("opened by {who}"), who=_by(scenario, known, players, "attacker"))
    lines += [
        Line(_("Map"), _("large armies, wide map"), "7.11"),
        _terrain(scenario, known, players),
        Line(_("Side A"), _force(scenario, known, players, attacker, "attacker")),
        Line(_("Side B"), _force(scenario, known, players, defender, "defender")),
        Line(_("Lobby"), host, "7.11"),
        _ends(scenario, known),
    ]
    if naval_possible(known):
        naval = _(
            "a naval battle in Mare Nostrum if both agree: large, the defender selects map and wind"
        )
        lines.append(Line(_("Or at sea"), naval, "8.2"))
    return lines


def _attacker_of_module(scenario: Scenario, known: Known, players: Players) -> Line:
    side = known["module_attacker"]
    lead, name = _by(scenario, known, players, side), side_name(scenario, known, side)
    text = _("{who} (Side A)") if side == "attacker" else _("{who} (Side B)")
    return Line(_("Its attacker"), sentence(text, who=lead if lead == name else f"{lead}, {name}"))


def _terrain(scenario: Scenario, known: Known, players: Players) -> Line:
    chooser = scout(known)
    if chooser is not None:
        who = _by(scenario, known, players, chooser)
        return Line(_("Terrain"), sentence(_("chosen by {who}, Scouts"), who=who), "4.15")
    if all("scouts" in known[f"cards_{side}"] for side in ("attacker", "defender")):
        return Line(_("Terrain"), _("pot luck; both sides have Scouts"), "4.15")
    return Line(_("Terrain"), _("pot luck"), "7.11")


def _module_rule(known: Known) -> str:
    if known["battle"] == ESCORT:
        return "4.12" if known["module_attacker"] == "attacker" else "7.8"
    return "7.7"


def _force(scenario: Scenario, known: Known, players: Players, side: Side, which: str) -> str:
    text = (
        _("{who}, {army}, {points} points; in the game {name}")
        if side.in_game
        else _("{who}, {army}, {points} points")
    )
    return sentence(
        text,
        who=_by(scenario, known, players, which),
        army=side.army,
        points=side.points,
        name=side.in_game,
    )


def _ends(scenario: Scenario, known: Known) -> Line:
    if known["battle"] == HEAD:
        return Line(_("Ends"), _("as the game gives it, without house rule"), "9.1")
    rout = _rules(scenario, known).rout
    shares = {"share": rout["decisive"], "early": rout["early"], "own": rout["early_own_losses"]}
    text = _("at {share}% routed, or {early}% against {own}% or less")
    if known["battle"] == ESCORT:
        text = _("at {share}% routed, or {early}% against {own}% or less, or as the module ends it")
    return Line(_("Ends"), sentence(text, **shares), "9.1")


def naval_possible(known: Known) -> bool:
    """Return whether a naval battle may still replace encounter and battle (8.2)."""
    return bool(agreeable(known))


def running(known: Known) -> bool:
    return bool(known["status"] != "resolved")


def plain(lines: Sequence[Line], title: str) -> str:
    """Return the sheet as text, for the message to the opponent."""
    width = max(len(line.label) for line in lines) + 2
    return "\n".join([title, *(f"{line.label + ':':<{width}}{line.text}" for line in lines)])


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


# The set-up sheet as a report for the forum.


def sheets(table: TableContext) -> list[Contents]:
    """Return the set-up sheets of the battles that are being fought, the latest first."""
    fought = [
        (number, known)
        for number, known in table.rows.contests.items()
        if known["status"] == "fighting"
    ]
    return [
        Contents(
            f"setup-{number}",
            "setup",
            _titled(_("#{number} {province}: set-up"), table, known, number),
            known["turn"],
            True,
        )
        for number, known in sorted(fought, reverse=True)
    ]


def sheet(table: TableContext, number: int) -> Report | None:
    """Return how both players set a battle up; None if it is not being fought."""
    known = table.rows.contests.get(number)
    if known is None or known["status"] != "fighting":
        return None
    set_up = _titled(_("#{number}: set-up in {province}"), table, known, number)
    title = f"{table.campaign.name}, {set_up}"
    people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    lines = setup_sheet(table.scenario, known, people)
    items = tuple(
        (
            Span(f"{line.label}: ", bold=True),
            Span(line.text + (f" (§{line.rule})" if line.rule else "")),
        )
        for line in lines
    )
    return Report(title, (Heading((Span(title),), 1), Bullets(items)), (), (), 0, 0)


def _titled(text: str, table: TableContext, known: Mapping[str, Any], number: int) -> str:
    return sentence(text, number=number, province=province_name(table.scenario, known["target"]))
