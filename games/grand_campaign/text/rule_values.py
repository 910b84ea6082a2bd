"""The numbers and tables of the rules as people write and read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from engine.language import gettext as _
from engine.language import sentence
from games.grand_campaign.rules.numbers import table, value_at
from games.grand_campaign.text import words
from games.grand_campaign.text.rule_names import RESULTS, NamedNumber, NamedTable
from games.kit.numbers import Number

Cell = int | Decimal | str
"""A cell of a table: a number or a key."""
Row = Sequence[Cell]
"""A row of a table."""
Value = Number | Sequence[int]
"""A number of the rules, or a list of numbers."""
RawRules = Mapping[str, object]
"""Rules as in a scenario's file: numbers, lists and tables, some of them in groups."""


def rules_of(scenario: Mapping[str, object]) -> RawRules:
    """Return the rules in a scenario's file, which differ from the usual ones."""
    rules = scenario.get("rules")
    return rules if isinstance(rules, dict) else {}


def usual_value(number: NamedNumber) -> Value:
    """Return the usual value of a number."""
    value: Value = value_at(table("rules"), number.path)
    return value


def usual_rows(named: NamedTable) -> Sequence[Row]:
    """Return the usual rows of a table."""
    rows: Sequence[Row] = value_at(table("rules"), named.path)
    return rows


def value_in(rules: RawRules, number: NamedNumber) -> Value:
    """Return the value of a number by these rules, or its usual value if they do not have it."""
    value: Value | None = value_at(rules, number.path)
    return usual_value(number) if value is None else value


def rows_in(rules: RawRules, named: NamedTable) -> Sequence[Row]:
    """Return the rows of a table by these rules, or its usual rows if they do not have it."""
    rows: Sequence[Row] | None = value_at(rules, named.path)
    return usual_rows(named) if rows is None else rows


def written(value: Cell | Value) -> str:
    """Return a number, a key or a list of numbers as the text of a field."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, Decimal)):
        return str(value).replace("-", "−")
    return ", ".join(map(str, value))


def written_rows(rows: Sequence[Row]) -> list[list[str]]:
    """Return a table as the texts of its fields."""
    return [[written(cell) for cell in row] for row in rows]


def table_text(path: str, rows: Sequence[Row]) -> str:
    """Return a whole table in a line."""
    return "; ".join(row_text(path, row) for row in rows)


def row_text(path: str, row: Row) -> str:
    """Return a row of the table with this path as a phrase."""
    if path in RESULTS:
        first, last, key = row
        return f"{first}–{last} {RESULTS[path](str(key))}"
    if path == "income_actions":
        income, actions = row
        return sentence(_("from {income}t {actions}"), income=income, actions=actions)
    key, *numbers = row
    return f"{words.structure_name(str(key))} {', '.join(map(written, numbers))}"
