"""The part of the founding page that shows options, numbers and tables of the Grand Campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.language import inside_sentence, sentence
from games.grand_campaign.text.readings import READINGS, TAXES
from games.grand_campaign.text.rule_names import (
    GROUPS,
    KEYS_OF_RESULTS,
    RESULTS,
    TABLES,
    NamedNumber,
    NamedTable,
    NumberGroup,
)
from games.grand_campaign.text.rule_values import (
    RawRules,
    table_text,
    usual_rows,
    usual_value,
    written,
    written_rows,
)
from web.titles.grand_campaign.readings_form import ReadingField, reading_fields
from web.titles.grand_campaign.rules_form import (
    FormValues,
    cell_field,
    form_field,
    rows_typed,
    written_rules,
)

Choice = tuple[str, str]
"""A key and its name."""
Errors = Mapping[str, str]
"""The errors by field; the rules may also name a row or a whole table."""


@dataclass(frozen=True, slots=True)
class NumberInput:
    """A field with a number of the rules, or with a list of numbers."""

    name: str
    label: str
    rule: str
    value: str
    usual: str
    error: str

    @property
    def id(self) -> str:
        """Return the id of the field."""
        return "f-" + self.name.replace(".", "-")

    @property
    def is_changed(self) -> bool:
        """Return whether the value differs from the usual one."""
        return self.value.strip() != self.usual


@dataclass(frozen=True, slots=True)
class GroupShown:
    """A group of numbers of the rules with a heading."""

    title: str
    fields: Sequence[NumberInput]


@dataclass(frozen=True, slots=True)
class CellInput:
    """A field with a cell of a table; with `choices` it is a list."""

    name: str
    value: str
    label: str
    choices: Sequence[Choice]
    is_wrong: bool
    is_key: bool


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of the rules; its last row is empty, for a new row."""

    title: str
    rule: str
    columns: Sequence[str]
    is_changed: bool
    usual: str
    rows: Sequence[Sequence[CellInput]]
    errors: Sequence[str]

    @property
    def is_open(self) -> bool:
        """Return whether the table is shown at once."""
        return self.is_changed or bool(self.errors)


@dataclass(frozen=True, slots=True)
class RulesPart:
    """The part of the founding page that shows the rules."""

    readings: Sequence[ReadingField]
    taxes: NumberInput
    groups: Sequence[GroupShown]
    tables: Sequence[TableShown]
    is_faulty: bool

    @property
    def changed(self) -> int:
        """Return the number of numbers and tables that differ from the usual ones."""
        fields = [field for group in self.groups for field in group.fields]
        return sum(field.is_changed for field in fields) + sum(
            table.is_changed for table in self.tables
        )

    @property
    def total(self) -> int:
        """Return the number of numbers and tables."""
        return sum(len(group.fields) for group in self.groups) + len(self.tables)

    @property
    def is_open(self) -> bool:
        """Return whether the numbers and tables are shown at once."""
        return self.is_faulty or self.changed > 0


def rules_part(
    rules: RawRules, options: Mapping[str, object], form_values: FormValues | None, errors: Errors
) -> RulesPart:
    """Return the rules for the page.

    Args:
        rules: The rules in the scenario's file.
        options: The options of the campaign.
        form_values: The fields as typed, or None for those of the rules and options.
        errors: The errors.
    """
    texts = written_rules(rules) if form_values is None else form_values
    groups = [(group, number_inputs(texts, group, errors)) for group in GROUPS]
    (taxes,) = (field for _group, fields in groups for field in fields if is_taxes(field))
    return RulesPart(
        readings=reading_fields(options, form_values),
        taxes=taxes,
        groups=[
            GroupShown(group.heading, [field for field in fields if not is_taxes(field)])
            for group, fields in groups
        ],
        tables=[table_shown(texts, table, errors) for table in TABLES],
        is_faulty=any(field.startswith("rules") for field in errors),
    )


def is_taxes(field: NumberInput) -> bool:
    """Return whether a field is that of the tax increases, which the page shows separately."""
    return field.name == f"rules.{TAXES}"


def number_inputs(texts: FormValues, group: NumberGroup, errors: Errors) -> list[NumberInput]:
    """Return the fields of a group."""
    return [number_input(texts, number, errors) for number in group.numbers]


def number_input(texts: FormValues, number: NamedNumber, errors: Errors) -> NumberInput:
    """Return the field of a number."""
    return NumberInput(
        name=form_field(number),
        label=_(number.label),
        rule=number.rule,
        value=texts.get(form_field(number), ""),
        usual=written(usual_value(number)),
        error=errors.get(form_field(number), ""),
    )


def table_shown(texts: FormValues, table: NamedTable, errors: Errors) -> TableShown:
    """Return a table with its fields."""
    rows, usual = rows_typed(table, texts), usual_rows(table)
    own_errors = {field: text for field, text in errors.items() if belongs_to(field, table)}
    empty_row = [""] * len(table.columns)
    return TableShown(
        title=_(table.title),
        rule=table.rule,
        columns=[_(column) for column in table.columns],
        is_changed=rows != written_rows(usual),
        usual=table_text(table.path, usual),
        rows=[
            row_inputs(table, number, cells, own_errors)
            for number, cells in enumerate([*rows, empty_row])
        ],
        errors=[f"{field_of(field)[1]}: {text}" for field, text in own_errors.items()],
    )


def belongs_to(field: str, table: NamedTable) -> bool:
    """Return whether a field is a table, or a row or cell of it."""
    return field == form_field(table) or field.startswith(f"{form_field(table)}.")


def row_inputs(
    table: NamedTable, row: int, cells: Sequence[str], errors: Errors
) -> list[CellInput]:
    """Return the fields of a row."""
    is_row_wrong = f"{form_field(table)}.{row}" in errors
    return [
        CellInput(
            name=cell_field(table, row, column),
            value=text,
            label=sentence(_("{column}, row {n}"), column=_(table.columns[column]), n=row + 1),
            choices=cell_choices(table, column),
            is_wrong=is_row_wrong or cell_field(table, row, column) in errors,
            is_key=column == 0 and table.text_column == 0,
        )
        for column, text in enumerate(cells)
    ]


def cell_choices(table: NamedTable, column: int) -> list[Choice]:
    """Return the possible results in a table by name; other columns have none."""
    if table.path not in RESULTS or column != table.text_column:
        return []
    name = RESULTS[table.path]
    results = ((key, name(key)) for key in KEYS_OF_RESULTS[table.path])
    return sorted(results, key=lambda result: result[1])


# The form fields of errors in a record


def field_of(where: str) -> tuple[str, str]:
    """Return the form field that corresponds to a wrong key of the record, and its name.

    A key without a field is its own name.
    """
    field = where.removeprefix("scenario.").removeprefix("options.")
    names = field_names()
    if field in names:
        return field, names[field]
    for table in TABLES:
        if belongs_to(field, table):
            return field, place_in_table(table, field)
    return field, field


def field_names() -> dict[str, str]:
    """Return the names of the fields of numbers and of unclear places."""
    numbers = {
        form_field(number): f"{group.heading}, {_(number.label)}"
        for group in GROUPS
        for number in group.numbers
    }
    return numbers | {reading.key: _(reading.name) for reading in READINGS}


def place_in_table(table: NamedTable, field: str) -> str:
    """Return the name of a table, of its row, or of its cell."""
    title, place = _(table.title), field.removeprefix(form_field(table)).strip(".").split(".")
    if not place[0].isdecimal():
        return title
    text = sentence(_("{table}, row {n}"), table=title, n=int(place[0]) + 1)
    if len(place) > 1 and place[1].isdecimal() and int(place[1]) < len(table.columns):
        text += f", {inside_sentence(_(table.columns[int(place[1])]))}"
    return text
