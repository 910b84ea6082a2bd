"""The Grand Campaign's part of founding: options, and the numbers and tables of the rules as a
form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import ngettext

from engine.errors import MalformedRecord
from engine.language import sentence, within
from engine.strict_json import whole
from games.grand_campaign.rules import numbers
from games.grand_campaign.rules.numbers import CARDS, EVENTS, table, value_at
from games.grand_campaign.rules.scenario import START, Scenario
from games.grand_campaign.text import words
from web.titles.grand_campaign import readings

TEMPLATE = "titles/grand_campaign/_found.html"
OWN_SCENARIOS = True
MOST_PROVINCES = 150  # a map of more takes seconds to lay out
LARGE = 100
SPARE_ROWS = 1
MOST_ROWS = 60
NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
# Tables whose first column is a number; in the others it is a key.
NUMBERED = ("income_actions", "cards", "events")
HALF = Decimal("0.5")
Values = Mapping[str, str]


def defaults() -> dict[str, Any]:
    """The rules without overrides."""
    rules: dict[str, Any] = table("rules")
    return rules


def current(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of a scenario object: the defaults with its own over them."""
    values = dict(defaults())
    for key, value in scenario.get("rules", {}).items():
        values[key] = {**values[key], **value} if isinstance(values[key], dict) else value
    return values


def facts(scenario: Any, options: Any) -> list[tuple[str, str]]:
    """What somebody who joins should know."""
    changed = len(changes(scenario, options))
    return [
        (_("Length"), sentence(_("{n} turns of 3 to 4 weeks"), n=scenario.turns)),
        (_("Your part"), _("a slot a turn, one or two battles")),
        (_("Battles"), _("Field of Glory II, against people")),
        *readings.chosen(scenario, options),
        (
            _("House rules"),
            (
                sentence(ngettext("{n} changed", "{n} changed", changed), n=changed)
                if changed
                else _("none")
            ),
        ),
    ]


def house_rules(scenario: Any, options: Any) -> list[Change]:
    """What is played otherwise than the rules have it."""
    return changes(scenario, options)


# The form -----------------------------------------------------------------------------------------
def written(value: Any) -> str:
    """A number or list as it stands in a field."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else str(value).replace("-", "−")


def form(
    scenario: Mapping[str, Any],
    options: Mapping[str, Any],
    bound: Values | None,
    errors: Mapping[str, str],
) -> dict[str, Any]:
    """What the template draws. `bound` are posted values to keep; `errors` name a field, a row of a
    table, or a table.
    """
    rules, base = current(scenario), defaults()

    def shown(name: str, value: Any) -> str:
        return bound.get(name, "") if bound is not None else written(value)

    groups: list[dict[str, Any]] = []
    for title, entries in GROUPS:
        fields = []
        for path, label in entries:
            name = f"rules.{path}"
            now, usual = value_at(rules, path), value_at(base, path)
            fields.append(
                {
                    "name": name,
                    "id": "f-" + name.replace(".", "-"),
                    "label": _(label),
                    "rule": RULES[path],
                    "value": shown(name, now),
                    "usual": written(usual),
                    "changed": shown(name, now).strip() != written(usual),
                    "error": errors.get(name, ""),
                }
            )
        groups.append({"title": _(title), "fields": fields})
    taxes = _taken_out(groups, f"rules.{readings.TAXES}")
    tables = [
        _table(path, title, rule, columns, value_at(rules, path), bound, errors)
        for path, title, rule, columns in TABLES
    ]
    changed = sum(field["changed"] for group in groups for field in group["fields"])
    changed += sum(t["changed"] for t in tables)
    return {
        "groups": groups,
        "tables": tables,
        "changed": changed,
        "open": changed or any(k.startswith("rules") for k in errors),
        "numbers": sum(len(group["fields"]) for group in groups) + len(tables),
        "readings": readings.form(options, bound),
        "taxes": taxes,
    }


def _taken_out(groups: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Remove a field from its group, because the page shows it separately."""
    for group in groups:
        for field in group["fields"]:
            if field["name"] == name:
                group["fields"].remove(field)
                return dict(field)
    raise KeyError(name)


def _table(
    path: str,
    title: str,
    rule: str,
    columns: tuple[str, ...],
    now: list[list[Any]],
    bound: Values | None,
    errors: Mapping[str, str],
) -> dict[str, Any]:
    """One table of the rules: its rows, and an empty one to fill."""
    name = f"rules.{path}"
    if bound is None:
        full = [[written(cell) for cell in row] for row in now]
    else:
        posted = [
            [bound.get(f"{name}.{r}.{c}", "") for c in range(len(columns))]
            for r in range(posted_rows(bound, name))
        ]
        full = [row for row in posted if any(cell.strip() for cell in row)]
    usual = [[written(cell) for cell in row] for row in value_at(defaults(), path)]
    own_errors = {
        key: text for key, text in errors.items() if key == name or key.startswith(name + ".")
    }

    def cell(r: int, c: int, value: str) -> dict[str, Any]:
        at, label = (
            f"{name}.{r}.{c}",
            sentence(_("{column}, row {n}"), column=_(columns[c]), n=r + 1),
        )
        return {
            "name": at,
            "value": value,
            "label": label,
            "choices": _choices(path, c),
            "bad": at in own_errors or f"{name}.{r}" in own_errors,
            "key": c == 0 and path not in NUMBERED,
        }

    rows = [*full, *[[""] * len(columns)] * SPARE_ROWS]
    return {
        "name": name,
        "title": _(title),
        "rule": rule,
        "columns": [_(one) for one in columns],
        "changed": full != usual,
        "usual": rows_told(path, value_at(defaults(), path)),
        "rows": [[cell(r, c, value) for c, value in enumerate(row)] for r, row in enumerate(rows)],
        "errors": [f"{field_of(key)[1]}: {text}" for key, text in own_errors.items()],
    }


def posted_rows(bound: Values, name: str) -> int:
    """How many rows of a table were posted."""
    return next((r for r in range(MOST_ROWS) if f"{name}.{r}.0" not in bound), MOST_ROWS)


def _choices(path: str, column: int) -> list[tuple[str, str]]:
    if column != 2 or path not in ("cards", "events"):
        return []
    name = words.card_name if path == "cards" else words.event_name
    return sorted(
        ((key, name(key)) for key in (CARDS if path == "cards" else EVENTS)),
        key=lambda pair: pair[1],
    )


# Reading it ---------------------------------------------------------------------------------------
def takes_long(scenario: Mapping[str, Any]) -> bool:
    """Is its map so large that laying it out takes more than half a second?"""
    return len(scenario["provinces"]) > LARGE


def vet(scenario: Mapping[str, Any]) -> None:
    """What a page asks of somebody's own scenario: a map that can be drawn. Raises
    `MalformedRecord`.
    """
    if len(scenario["provinces"]) > MOST_PROVINCES:
        raise MalformedRecord(
            "scenario.provinces", _("must be at most %(most)s") % {"most": MOST_PROVINCES}
        )


def read(
    scenario: Mapping[str, Any], values: Values, *, keep: bool = False
) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """Scenario object, options and errors by field of what was posted; the scenario has only the
    rules that differ.

    With `keep` the scenario's own rules stand wherever the form says what the rules say.
    """
    errors: dict[str, str] = {}
    rules: dict[str, Any] = {}
    base = defaults()
    for _title, entries in GROUPS:
        for path, _label in entries:
            name = f"rules.{path}"
            usual = value_at(base, path)
            try:
                value = (
                    _whole_list(values.get(name, ""))
                    if isinstance(usual, list)
                    else number(values.get(name, ""))
                )
            except ValueError as error:
                errors[name] = str(error)
                continue
            if value != usual:
                _put(rules, path, value)
    for path, _title, _rule, columns in TABLES:
        name = f"rules.{path}"
        rows = []
        for r in range(posted_rows(values, name)):
            cells = [values.get(f"{name}.{r}.{c}", "").strip() for c in range(len(columns))]
            if any(cells):
                rows.append(
                    [
                        _cell(path, f"{name}.{r}.{c}", c, cell, errors)
                        for c, cell in enumerate(cells)
                    ]
                )
        if rows != value_at(base, path):
            _put(rules, path, rows)
    parts = {key: value for key, value in scenario.items() if key != "rules"}
    if keep:
        rules = _over(scenario.get("rules", {}), rules)
    if rules:
        parts["rules"] = rules
    return parts, readings.read(values), errors


def _put(rules: dict[str, Any], path: str, value: Any) -> None:
    group, _, key = path.partition(".")
    if key:
        rules.setdefault(group, {})[key] = value
    else:
        rules[group] = value


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """These rules with those laid over them, key by key."""
    whole = dict(below)
    for key, value in above.items():
        whole[key] = {**whole[key], **value} if isinstance(value, dict) and key in whole else value
    return whole


def _cell(path: str, name: str, column: int, text: str, errors: dict[str, str]) -> Any:
    if column == {"cards": 2, "events": 2, "income_actions": -1}.get(path, 0):
        return text
    try:
        return number(text)
    except ValueError as error:
        errors[name] = str(error)
        return text


def number(text: str) -> int | Decimal:
    """A number as people write it: 2, 1.5, 1,5, 1½, −30. Raises `ValueError` with what is wrong."""
    clean = text.strip().replace("−", "-").replace(",", ".")
    half = clean.endswith("½")
    clean = clean.removesuffix("½").strip() or ("0" if half else "")
    if not clean:
        raise ValueError(_("a number is missing."))
    if not NUMBER.fullmatch(clean):
        raise ValueError(_("this is not a number."))
    value = Decimal(clean)
    if half:
        value += HALF
    # As it will be read again: 1.0 is 1.
    return int(value) if value == value.to_integral_value() else value.normalize()


def _whole_list(text: str) -> list[int]:
    numbers = []
    for part in text.replace(",", " ").split():
        number = whole(part)
        if number is None:
            raise ValueError(_("whole numbers are asked for, with commas between them."))
        numbers.append(number)
    return numbers


def field_of(where: str) -> tuple[str, str]:
    """The field (or table) that a wrong key of the record stands for, and what to call it."""
    name = where.removeprefix("scenario.").removeprefix("options.")
    known = {
        f"rules.{path}": f"{_(title)}, {_(label)}"
        for title, entries in GROUPS
        for path, label in entries
    }
    known |= {reading.key: _(reading.name) for reading in readings.READINGS}
    tables = {f"rules.{path}": _(title) for path, title, _rule, _columns in TABLES}
    columns = {f"rules.{path}": names for path, _title, _rule, names in TABLES}
    if name in known:
        return name, known[name]
    for table_name, title in tables.items():
        if name == table_name or name.startswith(table_name + "."):
            row = name.removeprefix(table_name).strip(".").split(".")
            text = (
                sentence(_("{table}, row {n}"), table=title, n=int(row[0]) + 1)
                if row[0].isdecimal()
                else title
            )
            if len(row) > 1 and row[1].isdecimal() and int(row[1]) < len(columns[table_name]):
                text += f", {within(_(columns[table_name][int(row[1])]))}"
            return name, text
    return name, name


# Names of the numbers and tables of the rules, in groups, with the rule each belongs to.

RULES = {one.path: one.rule for one in numbers.NUMBERS} | numbers.TABLES
"""The paragraph of each number and table."""
Entry = tuple[str, str]

GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        noop("Die and events"),
        (
            ("die", noop("Sides of the die")),
            ("cards_per_turn", noop("Cards drawn a turn")),
            ("event_turns", noop("Turns with random events")),
        ),
    ),
    (
        noop("Actions"),
        (
            ("tax_increase_actions", noop("Tax increase gives")),
            ("tax_increases_per_slot", noop("Tax increases a slot")),
            ("chancellor_actions", noop("Chancellor gives")),
        ),
    ),
    (
        noop("Costs, in actions"),
        (
            ("costs.tax-exemption", noop("Tax exemption")),
            ("costs.barracks", noop("Barracks")),
            ("costs.siege-train", noop("Siege train")),
            ("costs.fleet", noop("Fleet")),
            ("costs.provincial-levy", noop("Provincial levy")),
            ("costs.land", noop("Land attack")),
            ("costs.amphibious", noop("Amphibious attack")),
            ("costs.independent", noop("Covert attack")),
            ("costs.independent-prestigious", noop("Covert attack on the prestigious")),
            ("prestigious", noop("Prestigious from prestige")),
        ),
    ),
    (
        noop("Army"),
        (
            ("army.full", noop("Full at")),
            ("army.maximum", noop("At most")),
            ("army.minimum", noop("At least")),
            ("army.victory", noop("A victory")),
            ("army.defeat", noop("A defeat")),
            ("army.independent", noop("Independents and insurgents")),
            ("army.levy", noop("Provincial levy")),
            ("army.mercenaries", noop("Mercenaries")),
            ("army.mercenaries_talents", noop("Mercenaries cost, talents")),
            ("army.reinforcements", noop("Reinforcements")),
        ),
    ),
    (
        noop("Battles"),
        (
            ("attacks_per_turn.overt", noop("Land and amphibious attacks a turn")),
            ("attacks_per_turn.covert", noop("Covert attacks a turn")),
            ("rout.decisive", noop("Ends a battle from, % routed")),
            ("rout.early", noop("Early victory from, %")),
            ("rout.early_own_losses", noop("… with own losses up to, %")),
            ("siege_train", noop("Siege train lowers a siege by")),
            ("naval_technology", noop("Naval Technology")),
            ("escort_from", noop("Escort is forced from")),
            ("truce_turns", noop("Truce, in turns")),
            ("capital_protected_before_turn", noop("Capitals safe before turn")),
        ),
    ),
    (
        noop("Talents"),
        (
            ("talents.conquest", noop("Conquest")),
            ("talents.loss", noop("Loss of a province")),
            ("talents.ravage", noop("Draw, won or lost")),
            ("talents.card_conquest", noop("Province won by a card")),
            ("talents.plague", noop("Plague")),
            ("talents.agrarian-improvements", noop("Agrarian Improvements")),
        ),
    ),
    (
        noop("Victory points"),
        (
            ("victory_points.battle", noop("Battle won")),
            ("victory_points.conquest", noop("Conquest")),
            ("victory_points.independent_defence", noop("Defence of independents")),
            ("victory_points.barracks", noop("Barracks")),
            ("victory_points.fleet", noop("Fleet")),
            ("victory_points.fortification_level", noop("Level of fortification")),
            ("victory_points.stability", noop("Point of stability")),
            ("victory_points.prestige", noop("Point of prestige")),
        ),
    ),
)

BUILT = (noop("Key"), noop("Cost, actions"), noop("Gain"), noop("Points"))
TABLES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("income_actions", noop("Income and actions"), "3.1", (noop("Income from"), noop("Actions"))),
    ("cards", noop("Cards by roll"), "4", (noop("From"), noop("To"), noop("Card"))),
    ("events", noop("Random events by roll"), "5", (noop("From"), noop("To"), noop("Event"))),
    ("architecture.civilized", noop("Architectures"), "3.3", BUILT),
    ("architecture.barbarian", noop("Urban Infrastructures"), "3.3", BUILT),
    ("religious", noop("Religious Buildings"), "3.4", BUILT),
    ("commercial", noop("Commercial Structures"), "3.5", BUILT),
    (
        "fortifications",
        noop("Fortifications"),
        "3.7",
        (noop("Key"), noop("Cost, actions"), noop("Siege fails up to")),
    ),
)


# What a campaign plays otherwise than the rules have it, in words: for who thinks of sitting down.

LEVELS = {"stability": "2.1", "prestige": "2.4", "income": "2.5", "army": "2.8"}
NAMED = {"cards": words.card_name, "events": words.event_name}


class Change(NamedTuple):
    """A rule that is played otherwise: which, how it is here, how it is in the rules, its
    paragraph.
    """

    name: str
    here: str
    usual: str
    rule: str


def changes(scenario: Scenario, options: Any) -> list[Change]:
    """The scenario's own numbers and tables that differ, in the rules' order."""
    changes_made = []
    for account, usual in START.items():
        if scenario.start[account] != usual:
            name = sentence(_("Start: {account}"), account=words.book()["accounts"][account])
            changes_made.append(
                Change(name, str(scenario.start[account]), str(usual), LEVELS[account])
            )
    own, base = scenario.rules.raw, table("rules")
    for title, entries in GROUPS:
        for path, label in entries:
            now, usual = value_at(own, path), value_at(base, path)
            if now is not None and now != usual:
                changes_made.append(
                    Change(f"{_(title)}: {_(label)}", _written(now), _written(usual), RULES[path])
                )
    for path, title, rule, _columns in TABLES:
        now, usual = value_at(own, path), value_at(base, path)
        if now is not None and [list(row) for row in now] != [list(row) for row in usual]:
            changes_made.append(
                Change(_(title), _rows(path, now, usual), _rows(path, usual, now), rule)
            )
    return changes_made


def _written(value: Any) -> str:
    return (
        ", ".join(map(str, value)) or _("none")
        if isinstance(value, list)
        else str(value).replace("-", "−")
    )


def rows_told(path: str, rows: Sequence[Sequence[Any]]) -> str:
    """A whole table in one line."""
    return "; ".join(_row(path, row) for row in rows)


def _rows(path: str, rows: Sequence[Sequence[Any]], others: Sequence[Sequence[Any]]) -> str:
    """The rows that the other table has not."""
    known = [list(row) for row in others]
    texts = [_row(path, row) for row in rows if list(row) not in known]
    return "; ".join(texts) or _("none of these")


def _row(path: str, row: Sequence[Any]) -> str:
    if path in NAMED:
        first, last, key = row
        return f"{first}–{last} {NAMED[path](str(key))}"
    if path == "income_actions":
        return sentence(_("from {income}t {actions}"), income=row[0], actions=row[1])
    key, *rest = row
    return f"{words.structure_name(str(key))} {', '.join(map(_written, rest))}"
