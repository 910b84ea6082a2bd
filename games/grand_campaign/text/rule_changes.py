"""The rules that a campaign plays differently, in words for users who think of joining it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.language import gettext as _
from engine.language import pgettext, sentence
from games.contract.rules import HouseRule
from games.grand_campaign.rules.scenario import START, Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.rule_names import GROUPS, TABLES
from games.grand_campaign.text.rule_values import (
    Row,
    row_text,
    rows_in,
    usual_rows,
    usual_value,
    value_in,
    written,
)

START_RULES = {"stability": "2.1", "prestige": "2.4", "income": "2.5", "army": "2.8"}
"""The paragraphs about the starting levels of nations, by account."""


def changes(scenario: Scenario) -> list[HouseRule]:
    """Return the numbers and tables of a scenario that differ, in the order of the rules."""
    return [*start_changes(scenario), *number_changes(scenario), *table_changes(scenario)]


def start_changes(scenario: Scenario) -> Iterator[HouseRule]:
    """Yield the accounts whose starting levels differ."""
    for account, usual in START.items():
        value = scenario.start[account]
        if value != usual:
            name = sentence(_("Start: {account}"), account=words.book()["accounts"][account])
            yield HouseRule(name, str(value), str(usual), START_RULES[account])


def number_changes(scenario: Scenario) -> Iterator[HouseRule]:
    """Yield the numbers that differ."""
    for group in GROUPS:
        for number in group.numbers:
            value, usual = value_in(scenario.rules.raw, number), usual_value(number)
            if value != usual:
                yield HouseRule(
                    name=f"{group.heading}: {_(number.label)}",
                    here=written(value) or pgettext("rule changes", "none"),
                    usual=written(usual) or pgettext("rule changes", "none"),
                    rule=number.rule,
                )


def table_changes(scenario: Scenario) -> Iterator[HouseRule]:
    """Yield the tables that differ, with the rows that are in only one of the two tables."""
    for table in TABLES:
        rows, usual = rows_in(scenario.rules.raw, table), usual_rows(table)
        if as_lists(rows) != as_lists(usual):
            yield HouseRule(
                name=_(table.title),
                here=rows_beyond(table.path, rows, usual),
                usual=rows_beyond(table.path, usual, rows),
                rule=table.rule,
            )


def rows_beyond(path: str, rows: Sequence[Row], others: Sequence[Row]) -> str:
    """Return the rows that the other table does not have, in a line."""
    known = as_lists(others)
    texts = [row_text(path, row) for row in rows if list(row) not in known]
    return "; ".join(texts) or _("none of these")


def as_lists(rows: Sequence[Row]) -> list[Row]:
    """Return the rows as lists, so that lists and tuples compare equal."""
    return [list(row) for row in rows]
