"""The Grand Campaign's part of founding a campaign (`web.lobby.found.FoundingForm`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.errors import MalformedRecord
from engine.language import sentence
from games.contract.plain import RawOptions, RawScenario
from games.grand_campaign.rules.position import Options
from games.grand_campaign.rules.scenario import Scenario
from web.titles.grand_campaign import readings
from web.titles.grand_campaign.record import ScenarioRecord
from web.titles.grand_campaign.rule_changes import Change, changes
from web.titles.grand_campaign.rule_values import number, rules_of
from web.titles.grand_campaign.rules_form import RulesForm, Typed, laid_over
from web.titles.grand_campaign.rules_page import Errors, RulesPart, field_of, rules_part

__all__ = [
    "OWN_SCENARIOS",
    "TEMPLATE",
    "facts",
    "field_of",
    "form",
    "house_rules",
    "number",
    "read",
    "takes_long",
    "vet",
]

TEMPLATE = "titles/grand_campaign/_found.html"
OWN_SCENARIOS = True
MOST_PROVINCES = 150
"""The most provinces of a user's own scenario: laying out a larger map takes seconds."""
LARGE = 100
"""A map of more provinces takes more than half a second to lay out."""


class ReadTerms(NamedTuple):
    """The terms that a form means; `errors` are by field."""

    scenario: RawScenario
    options: RawOptions
    errors: Mapping[str, str]


def facts(scenario: Scenario, options: Options) -> list[tuple[str, str]]:
    """Return what a user should know before they join: labels and texts."""
    changed = len(changes(scenario))
    house_rules_text = sentence(ngettext("{n} changed", "{n} changed", changed), n=changed)
    return [
        (_("Length"), sentence(_("{n} turns of 3 to 4 weeks"), n=scenario.turns)),
        (_("Your part"), _("a slot a turn, one or two battles")),
        (_("Battles"), _("Field of Glory II, against people")),
        *readings.chosen(scenario, options),
        (_("House rules"), house_rules_text if changed else _("none")),
    ]


def house_rules(scenario: Scenario, _options: Options) -> list[Change]:
    """Return the rules that are played differently."""
    return changes(scenario)


def takes_long(scenario: ScenarioRecord) -> bool:
    """Return whether laying out the map takes more than half a second."""
    return len(scenario["provinces"]) > LARGE


def vet(scenario: ScenarioRecord) -> None:
    """Check that a page can draw a user's own scenario.

    Raises:
        MalformedRecord: It has too many provinces.
    """
    if len(scenario["provinces"]) > MOST_PROVINCES:
        raise MalformedRecord(
            "scenario.provinces", _("must be at most %(most)s") % {"most": MOST_PROVINCES}
        )


def form(
    scenario: RawScenario, options: RawOptions, typed: Typed | None, errors: Errors
) -> RulesPart:
    """Return what the page shows of the rules; `typed` are posted fields to keep."""
    return rules_part(rules_of(scenario), options, typed, errors)


def read(scenario: RawScenario, typed: Typed, *, keep: bool = False) -> ReadTerms:
    """Return the terms that a form means; the scenario has only the rules that differ.

    With `keep` the scenario's own rules apply wherever the form has the usual ones. If something is
    wrong, the scenario stays as it is.
    """
    rules_form, options = RulesForm(typed), readings.read(typed)
    if not rules_form.is_valid():
        return ReadTerms(scenario, options, rules_form.errors_by_field())
    rules = rules_form.changed_rules()
    if keep:
        rules = laid_over(rules_of(scenario), rules)
    parts = {key: value for key, value in scenario.items() if key != "rules"}
    return ReadTerms(parts | ({"rules": rules} if rules else {}), options, {})
