"""The Grand Campaign's part of founding a campaign (`web.lobby.found.FoundingForm`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from engine.errors import MalformedRecord
from games.contract.plain import RawOptions, RawScenario
from games.grand_campaign.text.rule_values import rules_of
from web.titles.grand_campaign import readings_form
from web.titles.grand_campaign.record import ScenarioRecord
from web.titles.grand_campaign.rules_form import RulesForm, Typed, laid_over
from web.titles.grand_campaign.rules_page import Errors, RulesPart, field_of, rules_part

__all__ = [
    "OWN_SCENARIOS",
    "TEMPLATE",
    "field_of",
    "form",
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
    rules_form, options = RulesForm(typed), readings_form.read(typed)
    if not rules_form.is_valid():
        return ReadTerms(scenario, options, rules_form.errors_by_field())
    rules = rules_form.changed_rules()
    if keep:
        rules = laid_over(rules_of(scenario), rules)
    parts = {key: value for key, value in scenario.items() if key != "rules"}
    return ReadTerms(parts | ({"rules": rules} if rules else {}), options, {})
