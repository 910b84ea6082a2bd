"""The numbers of a draft's rules as a form, as acts, and in the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import rulebook
from engine.errors import MalformedRecord
from games.grand_campaign.drawing.editing import plain
from games.grand_campaign.rules.numbers import (
    NUMBERS,
    TABLES,
    Fault,
    Rules,
    default_rules,
    read_rules,
)
from games.grand_campaign.rules.scenario import USUAL, load
from games.grand_campaign.text import words
from games.grand_campaign.text.rule_values import Row
from games.grand_campaign.text.rulebook import NUMBERS as TEXTS
from games.grand_campaign.text.rulebook import amendment, rule_numbers
from games.grand_campaign.title import GrandCampaign
from games.kit.numbers import Number, read_number
from web.titles.grand_campaign.editor.acts import Act, whole_number
from web.titles.grand_campaign.record import Bundle

TITLE = GrandCampaign()
SECTIONS = (
    (gettext_noop("Turns, cards and dice"), ("1",)),
    (gettext_noop("Levels and the army"), ("2",)),
    (gettext_noop("Costs, in actions"), ("3",)),
    (gettext_noop("Cards and events"), ("4", "5")),
    (gettext_noop("Attacks"), ("6", "7")),
    (gettext_noop("Battles and sieges"), ("9",)),
    (gettext_noop("Victory points"), ("12",)),
)
"""The parts of the page, each with its chapters of the rules."""
LIST, BANDS = "list", "bands"
"""The units of a list of numbers, and of the bands of a die."""
EVENT_TURNS = "event_turns"
DIE_TABLES: Mapping[str, Callable[[str], str]] = {
    "cards": words.card_name,
    "events": words.event_name,
}
"""The tables that a die decides, with the functions that name their rows."""
SINGLES = frozenset(row.path for row in NUMBERS)
FIELD = "n."
"""The prefix of the fields of the form; the path of the number follows."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number, a list, or a row of bands: its meaning, its value here and the usual value.

    A band is a name with the last roll that counts for it.
    """

    path: str
    rule: str
    meaning: str
    unit: str
    here: str
    usual: str
    bands: Sequence[tuple[str, str]] = ()

    @property
    def is_changed(self) -> bool:
        return self.here != self.usual

    @property
    def is_list(self) -> bool:
        return self.unit == LIST

    @property
    def may_go_back(self) -> bool:
        """Whether it alone can be set back to the usual value; numbers of a table cannot."""
        return self.is_changed and (self.is_list or bool(self.bands) or self.path in SINGLES)


def rules_of(bundle: Bundle) -> Rules:
    """Return the rules of a draft."""
    return read_rules(bundle["scenario"].get("rules", {}))


def numbers(bundle: Bundle) -> list[tuple[str, list[Cell]]]:
    """Return all numbers of the rules in parts with headings."""
    here, usual = rules_of(bundle), default_rules()
    cells = [
        *number_cells(here, usual),
        event_turns_cell(here, usual),
        *(bands_cell(path, here, usual) for path in DIE_TABLES),
    ]
    return [
        (
            _(heading),
            sorted(
                (cell for cell in cells if cell.rule.partition(".")[0] in chapters),
                key=lambda cell: [int(part) for part in cell.rule.split(".")],
            ),
        )
        for heading, chapters in SECTIONS
    ]


def number_cells(here: Rules, usual: Rules) -> list[Cell]:
    """Return the single numbers and those of tables."""
    usual_values = {row.path: shown(row.value) for row in rule_numbers(usual)}
    return [
        Cell(
            path=row.path,
            rule=row.rule,
            meaning=row.meaning,
            unit=row.unit,
            here=shown(row.value),
            usual=usual_values.get(row.path, ""),
        )
        for row in rule_numbers(here)
    ]


def event_turns_cell(here: Rules, usual: Rules) -> Cell:
    """Return the turns with events."""

    def turns(rules: Rules) -> str:
        return ", ".join(map(str, rules.raw[EVENT_TURNS]))

    return Cell(
        path=EVENT_TURNS,
        rule=TABLES[EVENT_TURNS],
        meaning=meanings()[EVENT_TURNS],
        unit=LIST,
        here=turns(here),
        usual=turns(usual),
    )


def bands_cell(path: str, here: Rules, usual: Rules) -> Cell:
    """Return a table that a die decides."""

    def last_rolls(rules: Rules) -> str:
        return " ".join(str(row[1]) for row in rules.raw[path])

    name = DIE_TABLES[path]
    return Cell(
        path=path,
        rule=TABLES[path],
        meaning=meanings()[path],
        unit=BANDS,
        here=last_rolls(here),
        usual=last_rolls(usual),
        bands=[(name(row[2]), str(row[1])) for row in here.raw[path]],
    )


def meanings() -> Mapping[str, str]:
    """Return the meaning of each number, by its path."""
    texts: Mapping[str, str] = TEXTS.read()["meaning"]
    return texts


def shown(value: Number | float) -> str:
    """Return a number as people write it, with halves as ½."""
    if isinstance(value, (Decimal, float)) and value * 2 % 1 == 0 and value % 1:
        whole = int(value)
        return f"{whole or ''}½"
    return str(plain(value)).replace("-", "\N{MINUS SIGN}")


def rules_acts(
    bundle: Bundle, post_data: Mapping[str, Sequence[str]]
) -> tuple[list[Act], dict[str, str]]:
    """Return the acts of the typed numbers, and the errors of the others by path."""
    rules = rules_of(bundle)
    present: dict[str, Number] = {row.path: row.value for row in rule_numbers(rules)}
    acts: list[Act] = []
    typed: dict[str, Number] = {}
    wrong: dict[str, str] = {}
    for path, values in numbers_typed(post_data):
        try:
            if path in present:
                typed[path] = read_number(values[-1])
            elif path == EVENT_TURNS:
                acts.append(rules_act(path, event_turns(values[-1])))
            elif path in DIE_TABLES:
                acts.append(rules_act(path, bands(rules.raw[path], values)))
        except MalformedRecord as fault:
            wrong[path] = f"{fault.why}."
        except ValueError as refused:
            wrong[path] = str(refused)
    changed = {path: value for path, value in typed.items() if value != present[path]}
    return [*acts, *number_acts(rules, changed)], wrong


def numbers_typed(post_data: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    """Return the values of the form's fields for numbers, by their paths."""
    return [
        (field.removeprefix(FIELD), values)
        for field, values in post_data.items()
        if field.startswith(FIELD)
    ]


def rules_act(path: str, value: object) -> Act:
    """Return the act that sets a number; None is the usual value."""
    return {"act": "rules", "path": path, "value": value}


def number_acts(rules: Rules, typed: Mapping[str, Number]) -> list[Act]:
    """Return an act for each of these numbers, or for a row of a table."""
    acts = []
    for top, value in amendment(rules, typed).items():
        if isinstance(value, dict):
            acts += [rules_act(f"{top}.{key}", inner) for key, inner in value.items()]
        else:
            acts.append(rules_act(top, value))
    return acts


def event_turns(typed_text: str) -> list[int]:
    """Return the typed turns with events."""
    return [whole_number(EVENT_TURNS, turn) for turn in typed_text.replace(",", " ").split()]


def bands(rows: Sequence[Row], last_rolls: Sequence[str]) -> list[Row]:
    """Return the bands of a die by their last rolls: first roll, last roll, result."""
    if len(last_rolls) != len(rows):
        raise Fault("bands", "a-number")
    result: list[Row] = []
    first = 1
    for row, text in zip(rows, last_rolls, strict=True):
        last = whole_number("bands", text)
        result.append([first, last, row[2]])
        first = last + 1
    return result


def changed_paragraphs(bundle: Bundle) -> list[tuple[str, SafeString]]:
    """Return the paragraphs of the rulebook that change, each with its number."""
    rules = bundle["scenario"].get("rules", {})
    if not rules:
        return []
    usual = load(USUAL)
    scenario = TITLE.scenario({**usual.raw, "rules": rules})
    _name, chapters = rulebook.chapters(TITLE.key, scenario)
    _name, usual_chapters = rulebook.chapters(TITLE.key, usual)
    known = {paragraph for chapter in usual_chapters for paragraph in chapter.paragraphs}
    return [
        (paragraph.number or chapter.number, paragraph.html)
        for chapter in chapters
        for paragraph in chapter.paragraphs
        if paragraph not in known
    ]
