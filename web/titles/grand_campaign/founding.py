"""The Grand Campaign's part of founding a campaign (`web.lobby.contract.FoundingForm`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.contract.plain import RawOptions, RawScenario
from games.grand_campaign.text.rule_values import rules_of
from web.titles.grand_campaign import readings_form
from web.titles.grand_campaign.rules_form import FormValues, RulesForm, laid_over
from web.titles.grand_campaign.rules_page import Errors, RulesPart, field_of, rules_part

__all__ = [
    "TEMPLATE",
    "field_of",
    "form",
    "read",
]

TEMPLATE = "titles/grand_campaign/_found.html"


class ReadTerms(NamedTuple):
    """The terms of a form; `errors` are by field."""

    scenario: RawScenario
    options: RawOptions
    errors: Mapping[str, str]


def form(
    scenario: RawScenario, options: RawOptions, form_values: FormValues | None, errors: Errors
) -> RulesPart:
    """Return the rules for the page; `form_values` has posted fields to keep."""
    return rules_part(rules_of(scenario), options, form_values, errors)


def read(scenario: RawScenario, form_values: FormValues, *, keep: bool = False) -> ReadTerms:
    """Return the terms of a form; the scenario has only the rules that differ.

    With `keep` the scenario's own rules apply wherever the form has the usual ones. If something is
    wrong, the scenario stays unchanged.
    """
    rules_form, options = RulesForm(form_values), readings_form.read(form_values)
    if not rules_form.is_valid():
        return ReadTerms(scenario, options, rules_form.errors_by_field())
    rules = rules_form.changed_rules()
    if keep:
        rules = laid_over(rules_of(scenario), rules)
    parts = {key: value for key, value in scenario.items() if key != "rules"}
    return ReadTerms(parts | ({"rules": rules} if rules else {}), options, {})
