"""The numbers and tables of the rules, with a scenario's overrides merged over them (RECORD)."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.strict_json import is_text
from games.grand_campaign.text.english import FAULTS


@cache
def table(name: str) -> Any:
    """Return the table of that name, with fractions as decimals. Callers must not change it."""
    return json.loads(
        (Path(__file__).parent.parent / "tables" / f"{name}.json").read_text(encoding="utf-8"),
        parse_float=Decimal,
    )


KEY = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
MOST = 10**9
LARGEST_DIE = 1_000_000
MOST_CARDS = 5
"""The most cards that a nation can draw at the opening of a turn."""
CARDS = frozenset(table("effects")["cards"])
EVENTS = frozenset(table("effects")["events"])
CULTURES = ("civilized", "barbarian")


class Number(NamedTuple):
    """A number of `rules`.

    `path` has the keys that lead to it, joined by points; `rule` the paragraph in which it is used;
    `unit` what it counts; `least` and `most` its bounds. The texts have its meaning under its path.
    """

    path: str
    rule: str
    unit: str
    least: int = 0
    most: int = MOST - 1


NUMBERS = (
    Number("die", "1.3", "sides", 1, LARGEST_DIE),
    Number("cards_per_turn", "1.3", "cards", 0, MOST_CARDS),
    Number("prestigious", "2.7", "levels"),
    Number("army.victory", "2.8", "army"),
    Number("army.defeat", "2.8", "army", 1 - MOST),
    Number("army.maximum", "2.8", "army"),
    Number("army.minimum", "2.8", "army"),
    Number("costs.tax-exemption", "3.6", "actions"),
    Number("tax_increase_actions", "3.6", "actions"),
    Number("tax_increases_per_slot", "3.6", "times"),
    Number("costs.barracks", "3.8", "actions"),
    Number("costs.siege-train", "3.9", "actions"),
    Number("costs.fleet", "3.10", "actions"),
    Number("costs.provincial-levy", "3.11", "actions"),
    Number("army.levy", "3.11", "army"),
    Number("army.full", "3.11", "army"),
    Number("chancellor_actions", "4.7", "actions"),
    Number("truce_turns", "4.8", "turns"),
    Number("talents.card_conquest", "4.8", "talents"),
    Number("naval_technology", "4.11", "roll"),
    Number("army.reinforcements", "4.13", "army"),
    Number("army.mercenaries", "4.14", "army"),
    Number("army.mercenaries_talents", "4.14", "talents"),
    Number("talents.plague", "5", "talents"),
    Number("talents.agrarian-improvements", "5", "talents"),
    Number("capital_protected_before_turn", "6.2", "turn"),
    Number("costs.land", "7.1", "actions"),
    Number("costs.amphibious", "7.1", "actions"),
    Number("costs.independent", "7.1", "actions"),
    Number("costs.independent-prestigious", "2.7", "actions"),
    Number("attacks_per_turn.overt", "7.2", "attacks", 0, 9),
    Number("attacks_per_turn.covert", "7.2", "attacks", 0, 9),
    Number("escort_from", "7.8", "roll"),
    Number("army.independent", "7.10", "army"),
    Number("rout.decisive", "9.1", "percent"),
    Number("rout.early", "9.1", "percent"),
    Number("rout.early_own_losses", "9.1", "percent"),
    Number("victory_points.battle", "9.2", "points"),
    Number("victory_points.independent_defence", "9.3", "points"),
    Number("talents.ravage", "9.6", "talents"),
    Number("siege_train", "9.7", "roll"),
    Number("victory_points.conquest", "9.8", "points"),
    Number("talents.conquest", "9.8", "talents"),
    Number("talents.loss", "9.8", "talents"),
    Number("victory_points.stability", "12", "points"),
    Number("victory_points.prestige", "12", "points"),
    Number("victory_points.fortification_level", "12", "points"),
    Number("victory_points.barracks", "12", "points"),
    Number("victory_points.fleet", "12", "points"),
)
"""Every number of `rules` that is not in a table, in the order of the rules."""
TABLES = {
    "income_actions": "3.1",
    "architecture.civilized": "3.3",
    "architecture.barbarian": "3.3",
    "religious": "3.4",
    "commercial": "3.5",
    "fortifications": "3.7",
    "cards": "4",
    "event_turns": "5",
    "events": "5",
}
"""Every table of `rules`, with the paragraph in which it is used."""


class Structure(NamedTuple):
    """A row of 3.3 to 3.5.

    `before` is the structure before it on its track ("" for the first); `cost` is in half-actions;
    `gain` is the gain on the track's account.
    """

    name: str
    track: str
    before: str
    cost: int
    gain: int
    points: int


class Fortification(NamedTuple):
    """A row of 3.7.

    `level` counts from 1; `cost` is in half-actions; `holds` is the highest roll at which a siege
    fails.
    """

    name: str
    level: int
    cost: int
    holds: int


TRACK_ACCOUNT = {"architecture": "prestige", "religious": "stability", "commercial": "income"}


class Rules:
    """The rules of a scenario in a form ready for use.

    All costs and amounts of actions are whole half-actions.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self.die: int = raw["die"]
        self.event_turns = frozenset(raw["event_turns"])
        self._incomes = [least for least, _actions in raw["income_actions"]]
        self._actions = [0, *(halves(actions) for _least, actions in raw["income_actions"])]
        self._cards = _bands_of(raw["cards"])
        self._events = _bands_of(raw["events"])
        self.structures = {culture: self._tracks(culture) for culture in CULTURES}
        self.names = frozenset(name for known in self.structures.values() for name in known)
        self.fortifications: tuple[Fortification, ...] = tuple(
            Fortification(name, level, halves(cost), holds)
            for level, (name, cost, holds) in enumerate(raw["fortifications"], 1)
        )
        self.costs = {name: halves(cost) for name, cost in raw["costs"].items()}
        self.tax_increase_actions = halves(raw["tax_increase_actions"])
        self.tax_increases_per_slot: int = raw["tax_increases_per_slot"]
        self.chancellor_actions = halves(raw["chancellor_actions"])
        self.prestigious: int = raw["prestigious"]
        self.army: dict[str, int] = raw["army"]
        self.rout: dict[str, Any] = raw["rout"]
        self.siege_train: int = raw["siege_train"]
        self.naval_technology: int = raw["naval_technology"]
        self.escort_from: int = raw["escort_from"]
        self.truce_turns: int = raw["truce_turns"]
        self.talents: dict[str, int] = raw["talents"]
        self.points: dict[str, int] = raw["victory_points"]
        self.capital_protected_before_turn: int = raw["capital_protected_before_turn"]
        self.cards_per_turn: int = raw["cards_per_turn"]
        self.attacks_per_turn: dict[str, int] = raw["attacks_per_turn"]

    def _tracks(self, culture: str) -> dict[str, Structure]:
        tracks = {
            "architecture": self.raw["architecture"][culture],
            "religious": self.raw["religious"],
            "commercial": self.raw["commercial"],
        }
        return {
            name: Structure(name, track, before, halves(cost), gain, points)
            for track, rows in tracks.items()
            for before, (name, cost, gain, points) in zip(
                ["", *(row[0] for row in rows)], rows, strict=False
            )
        }

    def track(self, culture: str, track: str) -> list[Structure]:
        """Return the structures of a track in order."""
        return [s for s in self.structures[culture].values() if s.track == track]

    def actions(self, income: int) -> int:
        """Return the half-actions that an income gives (3.1).

        Amounts between two rows count as the lower row.
        """
        return self._actions[bisect_right(self._incomes, income)]

    def card(self, roll: int) -> str:
        """Return the card that a roll draws (4)."""
        lasts, cards = self._cards
        return cards[bisect_left(lasts, roll)]

    def event(self, roll: int) -> str:
        """Return the random event of a roll (5)."""
        lasts, events = self._events
        return events[bisect_left(lasts, roll)]


def halves(actions: int | Decimal) -> int:
    """Return an amount of actions in whole half-actions."""
    return int(actions * 2)


def _bands_of(rows: Sequence[Sequence[Any]]) -> tuple[list[int], list[str]]:
    """Return the last rolls of a die's bands in ascending order, and the name of each band."""
    bands = sorted((last, name) for _first, last, name in rows)
    return [last for last, _name in bands], [name for _last, name in bands]


@cache
def default_rules() -> Rules:
    """Return the rules without overrides."""
    return Rules(table("rules"))


def read_rules(raw: object) -> Rules:
    """Return the default rules with a scenario's overrides merged over them, key by key.

    Raises `MalformedRecord` with the key that is wrong.
    """
    merged = _merge("scenario.rules", table("rules"), raw)
    _check("scenario.rules.", merged)
    return Rules(merged)


def amended_rules(in_force: Rules, raw: object) -> Rules:
    """Return the rules in force with an amendment merged over them, key by key.

    Raises `MalformedRecord` with the key that is wrong.
    """
    merged = _merge("rules", in_force.raw, raw)
    _check("rules.", merged)
    return Rules(merged)


def _merge(where: str, default: dict[str, Any], raw: object) -> dict[str, Any]:
    if type(raw) is not dict:
        raise Fault(where, "object")
    merged = dict(default)
    for key, value in raw.items():
        if key not in default:
            raise Fault(f"{where}.{key[:40]}", "unknown-key", known=list(default))
        here = f"{where}.{key}"
        merged[key] = _merge(here, default[key], value) if type(default[key]) is dict else value
    return merged


def value_at(rules: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path of the rules, or None if there is none."""
    value: Any = rules
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def _check(top: str, rules: dict[str, Any]) -> None:
    for entry in NUMBERS:
        check_number(top, entry, rules)
    _income(top + "income_actions", rules["income_actions"])
    _bands(top + "cards", rules["cards"], rules["die"], CARDS)
    _bands(top + "events", rules["events"], rules["die"], EVENTS)
    for n, turn in enumerate(_list(top + "event_turns", rules["event_turns"])):
        whole(f"{top}event_turns.{n}", turn)
    for culture in CULTURES:
        names: set[str] = set()
        for track in ("architecture", "religious", "commercial"):
            own = track == "architecture"
            where = f"{top}{track}.{culture}" if own else top + track
            _structures(where, rules[track][culture] if own else rules[track], names)
    names = set()
    for n, row in enumerate(_list(top + "fortifications", rules["fortifications"])):
        _fort(f"{top}fortifications.{n}", row, names)


def check_number(top: str, entry: Number, rules: Mapping[str, Any]) -> None:
    judge: dict[str, Callable[[str, object], object]] = {"actions": actions, "percent": number}
    value = value_at(rules, entry.path)
    if entry.unit in judge:
        judge[entry.unit](top + entry.path, value)
    else:
        whole(top + entry.path, value, entry.least, entry.most)


def whole(where: str, value: object, least: int = 0, most: int = MOST - 1) -> int:
    """Return the value if it is a whole number within the bounds."""
    if type(value) is not int or not least <= value <= most:
        raise Fault(where, "whole", least=least, most=most)
    return value


def number(where: str, value: object) -> int | Decimal:
    """Return the value if it is a number from 0 to below 10^9; fractions are allowed."""
    # True is an `int` in Python.
    if not isinstance(value, int | Decimal) or isinstance(value, bool) or not 0 <= value < MOST:
        raise Fault(where, "number")
    return value


def actions(where: str, value: object) -> int | Decimal:
    """Return the value if it is an amount of actions, whole or in halves."""
    amount = number(where, value)
    if amount * 2 % 1:
        raise Fault(where, "halves")
    return amount


def _list(where: str, value: object) -> list[Any]:
    if type(value) is not list:
        raise Fault(where, "list")
    return value


def _row_of(where: str, row: object, length: int, names: set[str]) -> list[Any]:
    if type(row) is not list or len(row) != length:
        raise Fault(where, "row", length=length)
    if not is_text(row[0]) or not row[0]:
        raise Fault(where + ".0", "name")
    if row[0] in names:
        raise Fault(where + ".0", "stands-twice")
    names.add(row[0])
    return row


def _structures(where: str, rows: object, names: set[str]) -> None:
    for n, row in enumerate(_list(where, rows)):
        _structure(f"{where}.{n}", row, names)


def _structure(where: str, row: object, names: set[str]) -> None:
    _, cost, gain, points = _row_of(where, row, 4, names)
    actions(f"{where}.1", cost)
    whole(f"{where}.2", gain)
    whole(f"{where}.3", points)


def _fort(where: str, row: object, names: set[str]) -> None:
    _, cost, holds = _row_of(where, row, 3, names)
    actions(f"{where}.1", cost)
    whole(f"{where}.2", holds)


def _income(where: str, rows: object) -> None:
    """Check the rows of incomes and their actions.

    The incomes must rise; otherwise two rows would apply to the same income.
    """
    before = -1
    for n, row in enumerate(_list(where, rows)):
        before = _income_row(where, n, row, before)


def _income_row(where: str, n: int, row: object, before: int = -1) -> int:
    if type(row) is not list or len(row) != 2:
        raise Fault(f"{where}.{n}", "row", length=2)
    least, given = row
    if type(least) is not int or not 0 <= least < MOST:
        whole(f"{where}.{n}.0", least)
    if least <= before:
        raise Fault(f"{where}.{n}", "incomes")
    # Building the path for each of a million good rows would take longer than reading them.
    if type(given) is not Decimal or not 0 <= given < MOST or given * 2 % 1:
        actions(f"{where}.{n}.1", given)
    return int(least)


def _bands(where: str, rows: object, die: int, known: frozenset[str]) -> None:
    """Check that the rows of first roll, last roll and key cover the die without gap or overlap.

    They may be in any order.
    """
    bands = []
    for n, row in enumerate(_list(where, rows)):
        bands.append((*_band(f"{where}.{n}", row, known), n))
    next_roll = 1
    for first, last, n in sorted(bands):
        if first != next_roll or last < first:
            raise Fault(f"{where}.{n}", "band", first=next_roll)
        next_roll = last + 1
    if next_roll != die + 1:
        raise Fault(where, "bands-end", die=die)


def _band(where: str, row: object, known: frozenset[str]) -> tuple[int, int]:
    if type(row) is not list or len(row) != 3:
        raise Fault(where, "row", length=3)
    first, last = whole(f"{where}.0", row[0]), whole(f"{where}.1", row[1])
    if type(row[2]) is not str or row[2] not in known:
        raise Fault(f"{where}.2", "not-of-the-rules", known=sorted(known))
    return first, last


def rule_faults(raw: object) -> list[MalformedRecord]:
    """Return all faults of a scenario's overrides of the rules.

    The checks are those of `read_rules`, which raises only the first fault. A table with wrong rows
    is not checked as a whole, because its faults would follow from the rows.
    """
    top, faults = "scenario.rules", list[MalformedRecord]()
    rules = _merged_all(top, table("rules"), raw, faults)

    def passes(check: Callable[..., Any], *args: Any) -> bool:
        try:
            check(*args)
        except MalformedRecord as fault:
            faults.append(fault)
            return False
        return True

    def rows(path: str, row_check: Callable[..., Any], *more: Any) -> bool:
        where, given = f"{top}.{path}", value_at(rules, path)
        if not passes(_list, where, given):
            return False
        return not [
            n for n, row in enumerate(given) if not passes(row_check, f"{where}.{n}", row, *more)
        ]

    sound = {entry.path: passes(check_number, top + ".", entry, rules) for entry in NUMBERS}
    incomes = f"{top}.income_actions"
    if passes(_list, incomes, rules["income_actions"]):
        wrong = [
            n
            for n, row in enumerate(rules["income_actions"])
            if not passes(_income_row, incomes, n, row)
        ]
        if not wrong:
            passes(_income, incomes, rules["income_actions"])
    for path, known in (("cards", CARDS), ("events", EVENTS)):
        if rows(path, _band, known) and sound["die"]:
            passes(_bands, f"{top}.{path}", rules[path], rules["die"], known)
    rows("event_turns", whole)
    common: set[str] = set()
    for track in ("religious", "commercial"):
        rows(track, _structure, common)
    for culture in CULTURES:
        rows(f"architecture.{culture}", _structure, set(common))
    rows("fortifications", _fort, set())
    return faults


def _merged_all(
    where: str, default: dict[str, Any], raw: object, faults: list[MalformedRecord]
) -> dict[str, Any]:
    """Merge like `_merge`, but report what cannot be merged and leave it out."""
    if type(raw) is not dict:
        faults.append(Fault(where, "object"))
        return default
    merged = dict(default)
    for key, value in raw.items():
        here = f"{where}.{key[:40]}"
        if key not in default:
            faults.append(Fault(here, "unknown-key", known=list(default)))
        else:
            merged[key] = (
                _merged_all(here, default[key], value, faults)
                if type(default[key]) is dict
                else value
            )
    return merged


# The faults of a scenario or a drawing of the Grand Campaign.


class Fault(MalformedRecord):
    """A fault whose sentence is in FAULTS, unless it is a fault that any title may have."""

    BOOK = FAULTS
