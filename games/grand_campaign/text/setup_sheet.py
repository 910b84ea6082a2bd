"""The set-up of a battle in Field of Glory II: the lines of a sheet, and the sheet as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.language import gettext as _
from engine.language import pgettext, sentence
from games.contract.plain import Known
from games.contract.report import Bullets, Contents, Heading, Report, Span
from games.grand_campaign.rules.attacks import ESCORT, HEAD
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.battles import (
    Players,
    Side,
    module_word,
    naval_possible,
    rules_of_battle,
    scout,
    side_name,
    sides,
    who_plays,
)
from games.grand_campaign.text.words import province_name


class SetupLine(NamedTuple):
    """A line of a sheet: its label, its text, and the rule."""

    label: str
    text: str
    rule: str = ""


def setup_sheet(scenario: Scenario, known: Known, players: Players) -> list[SetupLine]:
    """Return the set-up that both players enter in Field of Glory II (7.11)."""
    attacker, defender = sides(scenario, known, players)
    lines = [
        SetupLine(_("Game"), _("Field of Glory II, custom battle")),
        SetupLine(_("Module"), module_word(known), _module_rule(known)),
    ]
    if known["battle"] == ESCORT and known["module_attacker"]:
        lines.append(_attacker_of_module(scenario, known, players))
    host = sentence(_("opened by {who}"), who=who_plays(scenario, known, players, "attacker"))
    lines += [
        SetupLine(pgettext("setup sheet", "Map"), _("large armies, wide map"), "7.11"),
        _terrain(scenario, known, players),
        SetupLine(_("Side A"), _force(scenario, known, players, attacker, "attacker")),
        SetupLine(_("Side B"), _force(scenario, known, players, defender, "defender")),
        SetupLine(pgettext("setup sheet", "Lobby"), host, "7.11"),
        _ends(scenario, known),
    ]
    if naval_possible(known):
        naval = _(
            "a naval battle in Mare Nostrum if both players agree: large, the defender selects "
            "the map and the wind"
        )
        lines.append(SetupLine(_("Or at sea"), naval, "8.2"))
    return lines


def _attacker_of_module(scenario: Scenario, known: Known, players: Players) -> SetupLine:
    side = known["module_attacker"]
    lead, name = who_plays(scenario, known, players, side), side_name(scenario, known, side)
    text = _("{who} (Side A)") if side == "attacker" else _("{who} (Side B)")
    return SetupLine(
        _("Attacker in the module"), sentence(text, who=lead if lead == name else f"{lead}, {name}")
    )


def _terrain(scenario: Scenario, known: Known, players: Players) -> SetupLine:
    chooser = scout(known)
    if chooser is not None:
        who = who_plays(scenario, known, players, chooser)
        return SetupLine(_("Terrain"), sentence(_("chosen by {who} (Scouts)"), who=who), "4.15")
    if all("scouts" in known[f"cards_{side}"] for side in ("attacker", "defender")):
        return SetupLine(_("Terrain"), _("pot luck; both sides have Scouts"), "4.15")
    return SetupLine(_("Terrain"), _("pot luck"), "7.11")


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
        who=who_plays(scenario, known, players, which),
        army=side.army,
        points=side.points,
        name=side.in_game,
    )


def _ends(scenario: Scenario, known: Known) -> SetupLine:
    if known["battle"] == HEAD:
        return SetupLine(_("Ends"), _("as the game decides, without a house rule"), "9.1")
    rout = rules_of_battle(scenario, known).rout
    shares = {"share": rout["decisive"], "early": rout["early"], "own": rout["early_own_losses"]}
    text = _("at {share}% routed, or {early}% against {own}% or less")
    if known["battle"] == ESCORT:
        text = _("at {share}% routed, or {early}% against {own}% or less, or as the module ends it")
    return SetupLine(_("Ends"), sentence(text, **shares), "9.1")


def plain(lines: Sequence[SetupLine], title: str) -> str:
    """Return the sheet as text, for the message to the opponent."""
    width = max(len(line.label) for line in lines) + 2
    return "\n".join([title, *(f"{line.label + ':':<{width}}{line.text}" for line in lines)])


# The sheet as a report.


def setup_contents(scenario: Scenario, contests: Mapping[int, Known]) -> list[Contents]:
    """Return the set-up sheets of the battles that are being fought, the latest first."""
    fought = [
        (number, known) for number, known in contests.items() if known["status"] == "fighting"
    ]
    return [
        Contents(
            f"setup-{number}",
            "setup",
            _titled(_("#{number} {province}: set-up"), scenario, known, number),
            known["turn"],
            True,
        )
        for number, known in sorted(fought, reverse=True)
    ]


def setup_report(
    scenario: Scenario, contests: Mapping[int, Known], number: int, campaign: str, players: Players
) -> Report | None:
    """Return the set-up of a battle as a report, or None if it is not being fought."""
    known = contests.get(number)
    if known is None or known["status"] != "fighting":
        return None
    set_up = _titled(_("#{number}: set-up in {province}"), scenario, known, number)
    title = f"{campaign}, {set_up}"
    lines = setup_sheet(scenario, known, players)
    items = tuple(
        (
            Span(f"{line.label}: ", bold=True),
            Span(line.text + (f" (§{line.rule})" if line.rule else "")),
        )
        for line in lines
    )
    return Report(title, (Heading((Span(title),), 1), Bullets(items)), (), (), 0, 0)


def _titled(text: str, scenario: Scenario, known: Known, number: int) -> str:
    return sentence(text, number=number, province=province_name(scenario, known["target"]))
