"""A battle of the Grand Campaign as its page shows it: sides, set-up sheet for Field of Glory II,
life, outcome.

Everything here reads a battle's public facts (`known`: the attack as the title's rows tell it) and
the scenario; `players` names who holds each seat. Nothing hidden comes in, so nothing hidden can
come out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

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
    """A line of a sheet: what it is called, what it says, the rule it rests on."""

    label: str
    text: str
    rule: str = ""


class Played(NamedTuple):
    """A card on a battle: key, name, what it does there, picture, rule."""

    key: str
    name: str
    text: str
    icon: str
    rule: str


class Side(NamedTuple):
    """One side of a battle.

    `key` is attacker or defender and `role` the word for it; `nation` is whose side it is
    (`independent` where it is nobody's), `leader` the seat that plays it (None: nobody), `army` the
    list by the campaign's name, `in_game` as the game itself writes it (empty: the same), `base`
    how the points come about.
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
    """An army list as the game itself writes it: the first of its aliases that is not the
    campaign's own name.
    """
    aliases = spellings().get(name, ())
    return next((alias for alias in aliases if alias != name), name)


def kind_word(known: Known) -> str:
    return str(book()["kinds"][known["kind"]])


def module_word(known: Known) -> str:
    """The module as a sheet names it."""
    word = str(book()["battles"][known["battle"]])
    return word[0].upper() + word[1:]


def where(scenario: Scenario, known: Known) -> str:
    """From → target; an insurrection has only its province."""
    target = province_name(scenario, known["target"])
    return f"{province_name(scenario, known['source'])} → {target}" if known["source"] else target


def side_name(scenario: Scenario, known: Known, side: str) -> str:
    """Who fights on this side, in a word: a nation, the independents of a province, insurgents."""
    if side == "attacker":
        return (
            _("Insurgents")
            if known["kind"] == "insurrection"
            else nation_name(scenario, known["attacker"])
        )
    return nation_name(scenario, known["defender"]) if known["defender"] else _("Independents")


def role_word(side: str) -> str:
    """Attacker or defender, above a side and in its colours' column."""
    return _("Attacker") if side == "attacker" else _("Defender")


def side_nation(known: Known, side: str) -> str:
    """The key whose colours this side has on a page."""
    if side == "attacker":
        return INDEPENDENT if known["kind"] == "insurrection" else str(known["attacker"])
    return str(known["defender"] or INDEPENDENT)


def sides(
    scenario: Scenario, known: Known, players: Players, fortification: int = 0
) -> tuple[Side, Side]:
    """Attacker and defender, with all that either brings."""
    return _side(scenario, known, players, "attacker", 0), _side(
        scenario, known, players, "defender", fortification
    )


def _side(scenario: Scenario, known: Known, players: Players, side: str, level: int) -> Side:
    leader = known["attacker"] if side == "attacker" else known["defender"] or known["leader"]
    cards = tuple(
        _played_card(scenario, known, players, side, card) for card in known[f"cards_{side}"]
    )
    points, extra = known[f"points_{side}"], _rules(scenario, known).army["reinforcements"]
    free = known["kind"] not in OWN_ARMY if side == "attacker" else known["defender"] is None
    if free:
        base, rule = sentence(_("{points} always"), points=points), "7.10"
    elif "reinforcements" in known[f"cards_{side}"]:
        base, rule = (
            sentence(
                _("{points} as launched and {extra} by card"), points=points - extra, extra=extra
            ),
            "3.13",
        )
    else:
        base, rule = _("army as launched"), "3.13"
    leads = ""
    if leader is not None and (side_nation(known, side) == INDEPENDENT):
        leads = sentence(_("led by {nation:the}"), nation=nation_name(scenario, leader))
    elif known["kind"] == "independent" and side == "attacker":
        leads = sentence(
            _("leading the independents of {province}"),
            province=province_name(scenario, known["source"]),
        )
    army = _army(scenario, known, side)
    listed = army_list(army)
    return Side(
        side,
        role_word(side),
        side_nation(known, side),
        side_name(scenario, known, side),
        leader,
        players.get(leader or "", ""),
        leads,
        army,
        "" if listed == army else listed,
        points,
        base,
        rule,
        cards,
        side == "attacker" and known["siege_train"],
        structure_name(scenario.rules.fortifications[level - 1].name) if level else "",
    )


def _rules(scenario: Scenario, known: Known) -> Rules:
    """The rules by which this battle is fought."""
    return scenario.as_of(known["turn"]).rules


def _army(scenario: Scenario, known: Known, side: str) -> str:
    """The list this side fields: a nation's, an independent province's, or for insurgents that of
    the nation they rise against (4.5).
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
    """The side that determines the terrain, None for pot luck: Scouts on both sides cancel
    (4.15).
    """
    have = [side for side in ("attacker", "defender") if "scouts" in known[f"cards_{side}"]]
    return have[0] if len(have) == 1 else None


def _by(scenario: Scenario, known: Known, players: Players, side: str) -> str:
    """Who plays this side: the player by name, else their nation, else nobody."""
    seat = known["attacker"] if side == "attacker" else known["defender"] or known["leader"]
    return players.get(seat or "", "") or nation_name(scenario, seat)


def setup_sheet(scenario: Scenario, known: Known, players: Players) -> list[Line]:
    """How the battle is set up in Field of Glory II (7.11): everything both players must enter
    alike.
    """
    attacker, defender = sides(scenario, known, players)
    lines = [
        Line(_("Game"), _("Field of Glory II, custom battle")),
        Line(_("Module"), module_word(known), _module_rule(known)),
    ]
    if known["battle"] == ESCORT and known["module_attacker"]:
        lead = _by(scenario, known, players, known["module_attacker"])
        name = side_name(scenario, known, known["module_attacker"])
        who = lead if lead == name else f"{lead}, {name}"
        here = (
            _("{who} (Side A)") if known["module_attacker"] == "attacker" else _("{who} (Side B)")
        )
        lines.append(Line(_("Its attacker"), sentence(here, who=who)))
    lines.append(Line(_("Map"), _("large armies, wide map"), "7.11"))
    chooser = scout(known)
    both = all("scouts" in known[f"cards_{side}"] for side in ("attacker", "defender"))
    if chooser is not None:
        chosen = sentence(_("chosen by {who}, Scouts"), who=_by(scenario, known, players, chooser))
        lines.append(Line(_("Terrain"), chosen, "4.15"))
    elif both:
        lines.append(Line(_("Terrain"), _("pot luck; both sides have Scouts"), "4.15"))
    else:
        lines.append(Line(_("Terrain"), _("pot luck"), "7.11"))
    lines.append(Line(_("Side A"), _force(scenario, known, players, attacker, "attacker")))
    lines.append(Line(_("Side B"), _force(scenario, known, players, defender, "defender")))
    lines.append(
        Line(
            _("Lobby"),
            sentence(_("opened by {who}"), who=_by(scenario, known, players, "attacker")),
            "7.11",
        )
    )
    lines.append(_ends(scenario, known))
    if naval_possible(known):
        naval = _(
            "a naval battle in Mare Nostrum if both agree: large, the defender selects map and wind"
        )
        lines.append(Line(_("Or at sea"), naval, "8.2"))
    return lines


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
    """May a naval battle still replace encounter and battle (8.2)?"""
    return bool(agreeable(known))


def running(known: Known) -> bool:
    return bool(known["status"] != "resolved")


def plain(lines: Sequence[Line], title: str) -> str:
    """The sheet as text, for the message to the opponent."""
    width = max(len(line.label) for line in lines) + 2
    return "\n".join([title, *(f"{line.label + ':':<{width}}{line.text}" for line in lines)])


def state_word(scenario: Scenario, known: Known) -> tuple[str, str]:
    """The battle's state in a word or two, and its tone; `ready` among what is known says that it
    is set up in the game.
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


class Step(NamedTuple):
    """A step of the life of a battle. `at` is when and `note` how; `state` is done, now or
    empty.
    """

    name: str
    note: str
    at: Any
    state: str


def timeline(known: Known, at: Mapping[str, Any], challenger: str, result: str) -> list[Step]:
    """Challenged, answered, set up, in play, claimed, confirmed, applied; an attack on independents
    is not answered (7.9), a lapsed one lapses, a result that the game master enters needs no claim.

    `at` has moments and names: launched, answered, resolved, set-up, claimed, claimant, claim (its
    state), closed, closer. `result` is the battle's state in words.
    """
    status, outcome = known["status"], known["outcome"]
    needs_answer, over = bool(known["defender"]), status == "resolved"
    steps = [
        Step(
            _("Challenged") if needs_answer else _("Launched"),
            challenger,
            at.get("launched"),
            "done",
        )
    ]
    if needs_answer:
        words = {"accept": _("accepted"), "withdraw": _("withdrawn"), "escort": _("escort tried")}
        text = words.get(known["answer"] or "", "")
        if known["answer"] or status == "challenged":
            state = "now" if status == "challenged" else "done"
            steps.append(Step(_("Answered"), text or _("awaited"), at.get("answered"), state))
        else:
            steps.append(Step(_("Answered"), _("not needed"), None, "done"))
    if outcome not in ("withdrawn", "naval-repulse", "lapsed"):
        steps += _fought(known, at)
    end = _("Lapsed") if outcome == "lapsed" else _("Applied")
    steps.append(Step(end, result if over else "", at.get("resolved"), "done" if over else ""))
    return steps


def _fought(known: Known, at: Mapping[str, Any]) -> list[Step]:
    """The steps from the set-up to the confirmation."""
    status, claim = known["status"], at.get("claim", "")
    fighting, over = status == "fighting", status == "resolved"
    steps, ready = [], at.get("set-up")
    if ready or not over:
        state = "done" if ready or claim else "now" if fighting else ""
        steps.append(
            Step(_("Set up"), "" if ready or not fighting or claim else _("awaited"), ready, state)
        )
    state = "done" if over or claim else "now" if fighting and ready else ""
    steps.append(Step(_("In play"), _("at sea") if known["naval"] else "", None, state))
    if claim or not over:
        steps.append(
            Step(
                _("Claimed"),
                at.get("claimant", ""),
                at.get("claimed"),
                "now" if claim == "open" else "done" if claim else "",
            )
        )
        names = {
            "disputed": (_("Disputed"), "now"),
            "judged": (_("Judged"), "done"),
            "confirmed": (_("Confirmed"), "done"),
        }
        name, state = names.get(claim, (_("Confirmed"), ""))
        steps.append(
            Step(
                name,
                at.get("closer", "") if state else "",
                at.get("closed") if state else None,
                state,
            )
        )
    return steps


# The set-up sheet as a report for the forum.


def sheets(table: TableContext) -> list[Contents]:
    """The battles that are to be fought now, the latest first."""
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
    """How both enter the battle; None where it is not to be fought now."""
    known = table.rows.contests.get(number)
    if known is None or known["status"] != "fighting":
        return None
    title = (
        f"{table.campaign.name},"
        f" {_titled(_('#{number}: set-up in {province}'), table, known, number)}"
    )
    people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    lines = setup_sheet(table.scenario, known, people)
    items = tuple(
        (
            Span(f"{one.label}: ", bold=True),
            Span(one.text + (f" (§{one.rule})" if one.rule else "")),
        )
        for one in lines
    )
    return Report(title, (Heading((Span(title),), 1), Bullets(items)), (), (), 0, 0)


def _titled(text: str, table: TableContext, known: Mapping[str, Any], number: int) -> str:
    return sentence(text, number=number, province=province_name(table.scenario, known["target"]))
