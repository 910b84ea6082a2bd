"""The numbers and tables of the rules: the defaults, and a scenario's overrides merged over them (RECORD)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.strict_json import is_text
from games.grand_campaign.english import FAULTS
from games.grand_campaign.tables import table

KEY = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
MOST = 10**9
LARGEST_DIE = 1_000_000
MOST_CARDS, MOST_ATTACKS = 5, 9
"""Of one nation in one turn: cards drawn, attacks of each sort."""
CARDS = frozenset(table("effects")["cards"])
EVENTS = frozenset(table("effects")["events"])
CULTURES = ("civilized", "barbarian")


class Structure(NamedTuple):
    """A row of 3.3 to 3.5: its track, the structure before it there ("" for the first), cost in half-actions, gain on
    the track's account, points."""

    name: str
    track: str
    before: str
    cost: int
    gain: int
    points: int


class Fortification(NamedTuple):
    """A row of 3.7: level from 1, cost in half-actions, highest roll at which a siege fails."""

    name: str
    level: int
    cost: int
    holds: int


TRACK_ACCOUNT = {"architecture": "prestige", "religious": "stability", "commercial": "income"}


class Rules:
    """The rules of one scenario, ready for use. All costs and amounts of actions are whole half-actions."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self.die: int = raw["die"]
        self.event_turns = frozenset(raw["event_turns"])
        self._income = [(least, halves(actions)) for least, actions in raw["income_actions"]]
        self._cards = sorted(tuple(row) for row in raw["cards"])
        self._events = sorted(tuple(row) for row in raw["events"])
        self.structures = {culture: self._tracks(culture) for culture in CULTURES}
        self.fortifications: tuple[Fortification, ...] = tuple(
            Fortification(name, level, halves(cost), holds) for level, (name, cost, holds) in enumerate(raw["fortifications"], 1)
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
            for before, (name, cost, gain, points) in zip(["", *(row[0] for row in rows)], rows, strict=False)
        }

    def track(self, culture: str, track: str) -> list[Structure]:
        """The structures of one track in their order."""
        return [s for s in self.structures[culture].values() if s.track == track]

    def actions(self, income: int) -> int:
        """Half-actions that an income gives (3.1); amounts between two rows count as the lower row."""
        given = 0
        for least, actions in self._income:
            if income < least:
                break
            given = actions
        return given

    def card(self, roll: int) -> str:
        """The card that a roll draws (4)."""
        return _row(self._cards, roll)

    def event(self, roll: int) -> str:
        """The random event that a roll brings (5)."""
        return _row(self._events, roll)


def halves(actions: int | Decimal) -> int:
    """An amount of actions as whole half-actions."""
    return int(actions * 2)


def _row(rows: Sequence[tuple[Any, ...]], roll: int) -> str:
    for _, last, name in rows:
        if roll <= last:
            return str(name)
    raise ValueError(f"no row for {roll}")


@cache
def default_rules() -> Rules:
    """The rules without overrides."""
    return Rules(table("rules"))


def read_rules(raw: object) -> Rules:
    """The defaults with a scenario's overrides merged over them, key by key; `MalformedRecord` names what is wrong."""
    merged = _merge("scenario.rules", table("rules"), raw)
    _check("scenario.rules.", merged)
    return Rules(merged)


def amended_rules(standing: Rules, raw: object) -> Rules:
    """The rules in force with an amendment merged over them, key by key; `MalformedRecord` names what is wrong."""
    merged = _merge("rules", standing.raw, raw)
    _check("rules.", merged)
    return Rules(merged)


def _merge(where: str, default: dict[str, Any], raw: object) -> dict[str, Any]:
    if type(raw) is not dict:
        raise Fault(where, "object")
    merged = dict(default)
    for key, value in raw.items():
        if key not in default:
            raise Fault(f"{where}.{key[:40]}", "unknown-key")
        here = f"{where}.{key}"
        merged[key] = _merge(here, default[key], value) if type(default[key]) is dict else value
    return merged


def _check(top: str, rules: dict[str, Any]) -> None:
    whole(top + "die", rules["die"], least=1, most=LARGEST_DIE)
    _income(top + "income_actions", rules["income_actions"])
    _bands(top + "cards", rules["cards"], rules["die"], CARDS)
    _bands(top + "events", rules["events"], rules["die"], EVENTS)
    turns = _list(top + "event_turns", rules["event_turns"])
    for n, turn in enumerate(turns):
        whole(f"{top}event_turns.{n}", turn)
    for culture in CULTURES:
        names: set[str] = set()
        for track in ("architecture", "religious", "commercial"):
            own = track == "architecture"
            where = f"{top}{track}.{culture}" if own else top + track
            _structures(where, rules[track][culture] if own else rules[track], names)
    names = set()
    for n, row in enumerate(_list(top + "fortifications", rules["fortifications"])):
        _, cost, holds = _row_of(f"{top}fortifications.{n}", row, 3, names)
        actions(f"{top}fortifications.{n}.1", cost)
        whole(f"{top}fortifications.{n}.2", holds)
    for key, value in rules["costs"].items():
        actions(f"{top}costs.{key}", value)
    for key in ("tax_increase_actions", "chancellor_actions"):
        actions(top + key, rules[key])
    for key in (
        "tax_increases_per_slot",
        "prestigious",
        "siege_train",
        "naval_technology",
        "escort_from",
        "truce_turns",
        "capital_protected_before_turn",
    ):
        whole(top + key, rules[key])
    whole(top + "cards_per_turn", rules["cards_per_turn"], most=MOST_CARDS)
    for kind, number_of in rules["attacks_per_turn"].items():
        whole(f"{top}attacks_per_turn.{kind}", number_of, most=MOST_ATTACKS)
    for group in ("army", "talents", "victory_points"):
        for key, value in rules[group].items():
            negative = (group, key) == ("army", "defeat")
            whole(f"{top}{group}.{key}", value, least=1 - MOST if negative else 0)
    for key, value in rules["rout"].items():
        number(f"{top}rout.{key}", value)


def whole(where: str, value: object, least: int = 0, most: int = MOST - 1) -> int:
    """The value, if it is a whole number between the two."""
    if type(value) is not int or not least <= value <= most:
        raise Fault(where, "whole", least=least, most=most)
    return value


def number(where: str, value: object) -> int | Decimal:
    """The value, if it is a number from 0 to below 10^9, fractions allowed."""
    if type(value) not in (int, Decimal) or not 0 <= value < MOST:  # type: ignore[operator]
        raise Fault(where, "number")
    return value  # type: ignore[return-value]


def actions(where: str, value: object) -> int | Decimal:
    """The value, if it is an amount of actions: whole or in halves."""
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
        _, cost, gain, points = _row_of(f"{where}.{n}", row, 4, names)
        actions(f"{where}.{n}.1", cost)
        whole(f"{where}.{n}.2", gain)
        whole(f"{where}.{n}.3", points)


def _income(where: str, rows: object) -> None:
    """Rows of an income and the actions it gives, rising: else two rows would serve one income."""
    before = -1
    for n, row in enumerate(_list(where, rows)):
        if type(row) is not list or len(row) != 2:
            raise Fault(f"{where}.{n}", "row", length=2)
        least, given = row
        if type(least) is not int or not 0 <= least < MOST:
            whole(f"{where}.{n}.0", least)
        if least <= before:
            raise Fault(f"{where}.{n}", "incomes")
        before = least
        # A path for each of a million good rows would take longer than reading them.
        if type(given) is not Decimal or not 0 <= given < MOST or given * 2 % 1:
            actions(f"{where}.{n}.1", given)


def _bands(where: str, rows: object, die: int, known: frozenset[str]) -> None:
    """Rows of first roll, last roll and key cover the die without gap or overlap, in whatever order."""
    bands = []
    for n, row in enumerate(_list(where, rows)):
        if type(row) is not list or len(row) != 3:
            raise Fault(f"{where}.{n}", "row", length=3)
        first, last = whole(f"{where}.{n}.0", row[0]), whole(f"{where}.{n}.1", row[1])
        if type(row[2]) is not str or row[2] not in known:
            raise Fault(f"{where}.{n}.2", "not-of-the-rules")
        bands.append((first, last, n))
    next_roll = 1
    for first, last, n in sorted(bands):
        if first != next_roll or last < first:
            raise Fault(f"{where}.{n}", "band", first=next_roll)
        next_roll = last + 1
    if next_roll != die + 1:
        raise Fault(where, "bands-end", die=die)


# What is wrong with a scenario or a drawing of the Grand Campaign.


class Fault(MalformedRecord):
    """Its sentence is in FAULTS, unless it is one that any title may need."""

    BOOK = FAULTS
