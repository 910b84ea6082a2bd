"""The form with the numbers and tables of the rules for founding a campaign."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.core.exceptions import ValidationError

from games.grand_campaign.text.rule_names import TABLES, NamedNumber, NamedTable, all_numbers
from games.grand_campaign.text.rule_values import (
    RawRules,
    Row,
    rows_in,
    usual_rows,
    usual_value,
    value_in,
    written,
    written_rows,
)
from games.kit.numbers import Number, read_number, whole_numbers
from web.frame.raw_forms import PostedForm

FormValues = Mapping[str, str]
"""The fields of a form as typed."""
PREFIX = "rules."
"""The prefix of the fields; the path of the number or table follows."""
MOST_ROWS = 60
"""The most rows of a table that are read."""


def form_field(named: NamedNumber | NamedTable) -> str:
    """Return the name of a number's field, or the prefix of the fields of a table."""
    return PREFIX + named.path


def cell_field(table: NamedTable, row: int, column: int) -> str:
    """Return the name of the field of a cell."""
    return f"{form_field(table)}.{row}.{column}"


class NumberField(forms.Field):
    """A number as people write it."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: str | None) -> Number:
        """Return the number."""
        try:
            return read_number(value or "")
        except ValueError as wrong:
            raise ValidationError(str(wrong)) from None


class WholeNumbersField(forms.Field):
    """Whole numbers with commas between them."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: str | None) -> list[int]:
        """Return the numbers."""
        try:
            return whole_numbers(value or "")
        except ValueError as wrong:
            raise ValidationError(str(wrong)) from None


class KeyField(forms.Field):
    """The key of a structure, a card or an event, which the rules check."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: str | None) -> str:
        """Return the key without spaces around it."""
        return (value or "").strip()


class RulesForm(PostedForm):
    """The posted numbers and tables of the rules.

    Each cell of a table has a field; rows without any text have none. A page that shows the form
    reads only the texts (`rules_page`), because hundreds of form fields take time.
    """

    def __init__(self, form_values: FormValues) -> None:
        """Read the fields in `form_values`."""
        super().__init__(form_values)
        for named in all_numbers():
            is_list = isinstance(usual_value(named), list)
            self.fields[form_field(named)] = WholeNumbersField() if is_list else NumberField()
        self.cell_fields = {table.path: filled_rows(table, form_values) for table in TABLES}
        """The names of the fields of each table, by row."""
        for table in TABLES:
            for row in self.cell_fields[table.path]:
                self.fields.update(zip(row, fields_of_row(table), strict=True))

    def errors_by_field(self) -> dict[str, str]:
        """Return the error of each field."""
        return {field: str(texts[0]) for field, texts in self.errors.items()}

    def changed_rules(self) -> dict[str, object]:
        """Return the rules that differ from the usual ones, in record form."""
        rules: dict[str, object] = {}
        for named in all_numbers():
            value = self.cleaned_data[form_field(named)]
            if value != usual_value(named):
                put(rules, named, value)
        for table in TABLES:
            rows = self.rows(table)
            if rows != usual_rows(table):
                put(rules, table, rows)
        return rules

    def rows(self, table: NamedTable) -> list[Row]:
        """Return the rows of a table."""
        names = self.cell_fields[table.path]
        return [[self.cleaned_data[field] for field in row] for row in names]


def fields_of_row(table: NamedTable) -> list[forms.Field]:
    """Return the fields of a row of a table."""
    return [
        KeyField() if column == table.text_column else NumberField()
        for column in range(len(table.columns))
    ]


def filled_rows(table: NamedTable, texts: FormValues) -> list[list[str]]:
    """Return the names of the fields of the rows that have any text."""
    columns = range(len(table.columns))
    rows = [
        [cell_field(table, row, column) for column in columns]
        for row in range(count_rows(table, texts))
    ]
    return [row for row in rows if any(texts.get(field, "").strip() for field in row)]


def rows_typed(table: NamedTable, texts: FormValues) -> list[list[str]]:
    """Return the texts of the rows that have any text."""
    return [[texts.get(field, "") for field in row] for row in filled_rows(table, texts)]


def count_rows(table: NamedTable, texts: FormValues) -> int:
    """Return the number of a table's rows in a form."""
    for row in range(MOST_ROWS):
        if cell_field(table, row, 0) not in texts:
            return row
    return MOST_ROWS


def written_rules(rules: RawRules) -> dict[str, str]:
    """Return rules as the texts of the form's fields."""
    texts = {form_field(named): written(value_in(rules, named)) for named in all_numbers()}
    for table in TABLES:
        for row, cells in enumerate(written_rows(rows_in(rules, table))):
            for column, text in enumerate(cells):
                texts[cell_field(table, row, column)] = text
    return texts


def put(rules: dict[str, object], named: NamedNumber | NamedTable, value: object) -> None:
    """Put a value into the rules, in its group if it belongs to one."""
    group, _point, key = named.path.partition(".")
    if not key:
        rules[group] = value
        return
    values = rules.setdefault(group, {})
    if isinstance(values, dict):
        values[key] = value


def laid_over(rules: RawRules, changes: RawRules) -> dict[str, object]:
    """Return the rules in which the changes replace the values of the same keys."""
    whole = dict(rules)
    for key, value in changes.items():
        below = whole.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            whole[key] = {**below, **value}
        else:
            whole[key] = value
    return whole
