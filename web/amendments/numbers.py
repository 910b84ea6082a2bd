"""Numbers of the rules: typing and showing them, and the consequences of changing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, cast

from django.utils.safestring import SafeString

from campaign import rulebook
from campaign.log import positions
from campaign.rulebook import Amendment
from games.contract.plain import RawRules
from games.contract.title import (
    RuleConsequence,
    RuleNumber,
    Title,
    WithAmendments,
    WithScenarioRules,
)
from games.kit.numbers import Number
from web.frame.table import TableContext

HALVES = "actions"
"""The unit of the numbers that may be halves."""


class Paragraph(NamedTuple):
    """A paragraph of the changed rules."""

    number: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """A number of the rules that an amendment changes: its present and its new value."""

    number: RuleNumber
    old: str
    new: str


def shown_number(value: Number, unit: str) -> str:
    """Return a number as people write it, with half-actions as ½."""
    if unit == HALVES and value * 2 % 1 == 0:
        whole, rest = divmod(int(value * 2), 2)
        return f"{whole or ''}½" if rest else str(whole)
    return str(value).replace("-", "\N{MINUS SIGN}")


def typed_numbers(amendment: Amendment, numbers: Mapping[str, RuleNumber]) -> dict[str, str]:
    """Return the numbers that an amendment changes, by their paths, as they would be typed."""
    typed = {}
    for path, number in numbers.items():
        value = value_at(amendment.rules, path, number.value)
        if value != number.value:
            typed[path] = shown_number(value, number.unit)
    return typed


def value_at(rules: RawRules, path: str, otherwise: Number) -> Number:
    """Return the value at a path in the data of rules; `otherwise` if there is no number."""
    value: object = rules
    for key in path.split("."):
        value = part_of(value, key)
    return value if isinstance(value, int | Decimal) else otherwise


def part_of(value: object, key: str) -> object:
    """Return the entry of a table or a list with this key or index; None if there is none."""
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        return value[int(key)]
    return None


def changed_numbers(amendment: Amendment, numbers: Mapping[str, RuleNumber]) -> list[ChangedNumber]:
    """Return the numbers that an open amendment changes."""
    return [
        ChangedNumber(
            number=numbers[path],
            old=shown_number(numbers[path].value, numbers[path].unit),
            new=text,
        )
        for path, text in typed_numbers(amendment, numbers).items()
    ]


def line_of(number: RuleNumber) -> str:
    """Return a number's line in the list of all numbers: its rule and its meaning."""
    return f"{number.rule} {number.meaning}"


def path_meant(words: str, numbers: Mapping[str, RuleNumber]) -> str:
    """Return the path of the number that these words describe; empty if that is not unique.

    The words are a line of the list of all numbers, or words that occur in exactly one line.
    """
    wanted = words.casefold().split()
    lines = {path: line_of(number).casefold() for path, number in numbers.items()}
    exact = [path for path, line in lines.items() if line == words.strip().casefold()]
    if exact or not wanted:
        return exact[0] if exact else ""
    matching = [path for path, line in lines.items() if all(word in line for word in wanted)]
    return matching[0] if len(matching) == 1 else ""


def check_rules(table: TableContext, rules: RawRules) -> None:
    """Raise `IllegalMove` if the rules of the game refuse these rules."""
    move = {"by": "gm", "move": rulebook.MOVE, "rules": rules, "reason": "."}
    table.title.decode(move, table.position)


def would_have_changed(table: TableContext, rules: RawRules) -> Sequence[RuleConsequence]:
    """Return the effect that these rules would have had on the moves already played."""
    history = positions.history(table.campaign)
    before = [history.start, *(step.played.after for step in history.steps)]
    steps = (
        (position, step.entry.content, step.played.effects)
        for position, step in zip(before, history.steps, strict=False)
    )
    title = cast("WithAmendments", table.title)
    return title.would_have_changed(steps, table.position, rules)


def changed_paragraphs(table: TableContext, rules: RawRules) -> list[Paragraph]:
    """Return the paragraphs of the rulebook that would change with these rules."""
    title: Title = table.title
    if (
        not isinstance(title, WithScenarioRules)
        or not isinstance(title, WithAmendments)
        or not rules
    ):
        return []
    position = title.amended(table.position, rules)
    _name, now = rulebook.chapters(table.title.key, title.scenario_now(table.position))
    _name, then = rulebook.chapters(table.title.key, title.scenario_now(position))
    known = {paragraph for chapter in now for paragraph in chapter.paragraphs}
    return [
        Paragraph(paragraph.number or chapter.number, paragraph.html)
        for chapter in then
        for paragraph in chapter.paragraphs
        if paragraph not in known
    ]
