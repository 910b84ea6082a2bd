"""All faults of a scenario that an author writes, and warnings about its oddities.

The checks are those of `scenario.check_scenario`, which raises only the first fault. Warnings
concern values that are allowed but probably not intended.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from engine.errors import MalformedRecord
from games.grand_campaign.rules import scenario as law
from games.grand_campaign.rules.numbers import (
    CULTURES,
    KEY,
    Fault,
    Rules,
    default_rules,
    read_rules,
    rule_faults,
    table,
    value_at,
    whole,
)
from games.grand_campaign.text import sheet
from games.grand_campaign.text.sheet import LEVELS

Row = dict[str, Any]
Rows = dict[str, Row]
SHEETS = ("architecture", "religious", "commercial", "fortifications")
"""The tables of the rules against which the starting values of nations and provinces are checked.
"""
ALIKE = 48
"""The distance below which two colours look alike on a map, in a cube of 256 points a side."""
COLOUR = re.compile("#[0-9a-fA-F]{6}")


def faults(raw: object) -> list[MalformedRecord]:
    """Return each fault with its key, in the scenario's order.

    The list is empty for a sound scenario. Faults that only follow from other faults are left out.
    """
    if type(raw) is not dict:
        return [Fault("scenario", "object")]
    return _Reader(raw).all()


class _Reader:
    """A reader that checks each part of a scenario separately.

    Rows are known by their keys even if something else in them is wrong.
    """

    def __init__(self, raw: Row) -> None:
        self.raw = raw
        self.faults: list[MalformedRecord] = []

    def check(self, function: Callable[..., Any], *args: Any) -> bool:
        """Call a check, collect its fault, and return whether it passed."""
        try:
            function(*args)
        except MalformedRecord as fault:
            self.faults.append(fault)
            return False
        return True

    def keys(
        self,
        where: str,
        row: object,
        known: set[str],
        needed: Set[str] = frozenset(),
    ) -> bool:
        """Return whether the row is an object with all needed keys.

        Unknown keys are reported, but do not change the result.
        """
        if not isinstance(row, dict):
            self.faults.append(Fault(where, "object"))
            return False
        self.faults += [
            Fault(f"{where}.{key[:40]}", "unknown-key", known=sorted(known))
            for key in row
            if key not in known
        ]
        self.faults += [Fault(f"{where}.{key}", "missing") for key in sorted(needed - set(row))]
        return needed <= set(row)

    def all(self) -> list[MalformedRecord]:
        raw = self.raw
        self.keys("scenario", raw, law.NEEDED | {"start", "rules"}, law.NEEDED)
        for key in ("key", "name"):
            if key in raw:
                self.check(law.check_text, f"scenario.{key}", raw[key])
        if "turns" in raw:
            self.check(whole, "scenario.turns", raw["turns"], 1, 100)
        nations = self.rows("nations", law.NATION, law.NATION_OPTIONAL)
        if nations is not None:
            self.nations(nations)
        provinces = self.rows("provinces", law.PROVINCE, law.PROVINCE_OPTIONAL)
        if nations and provinces and self.whole("nations", nations):
            self.owned(nations, provinces)
        if provinces is not None and self.whole("provinces", provinces):
            for way in ("borders", "sea_routes"):
                self.pairs(way, provinces)
        if "start" in raw and self.keys("scenario.start", raw["start"], set(LEVELS)):
            self.levels(raw["start"])
        self.begun(nations or {}, provinces or {})
        if not self.faults:
            self.check(law.check_scenario, raw)
        return self.faults

    def nations(self, nations: Rows) -> None:
        if self.whole("nations", nations):
            self.check(law.check_count, "scenario.nations", nations)
        for key, row in nations.items():
            for field, check in law.NATION_LAW.items():
                if field in row:
                    self.check(check, f"scenario.nations.{key}.{field}", row[field])

    def levels(self, start: Mapping[str, Any]) -> None:
        for level in LEVELS:
            if level in start:
                self.check(law.check_level, f"scenario.start.{level}", start[level], level)

    def rows(self, name: str, keys: frozenset[str], optional: frozenset[str]) -> Rows | None:
        """Return the rows that have a unique key, or None if there is no list of them."""
        where, rows = f"scenario.{name}", Rows()
        if name not in self.raw:
            return None
        if type(self.raw[name]) is not list:
            self.faults.append(Fault(where, "list"))
            return None
        for n, row in enumerate(self.raw[name]):
            here = f"{where}.{n}"
            self.keys(here, row, set(keys | optional), set(keys))
            if not isinstance(row, dict):
                continue
            for field in ("name", "army"):
                if field in row:
                    self.check(law.check_text, f"{here}.{field}", row[field])
            if "key" in row and self.check(law.check_key, f"{here}.key", row["key"]):
                key = row["key"]
                if key in rows or key == "gm":
                    self.faults.append(
                        Fault(f"{here}.key", "key-twice" if key in rows else "key-gm", key=key)
                    )
                else:
                    rows[key] = row
        return rows

    def whole(self, name: str, rows: Rows) -> bool:
        """Return whether every row has a key.

        If not, a key that names a row might mean a row without one.
        """
        return len(rows) == len(self.raw[name])

    def owned(self, nations: Rows, provinces: Rows) -> None:
        """Check the owners of provinces, and that each nation owns its capital."""
        shown = len(self.faults)
        for key, row in provinces.items():
            if "kind" in row and "owner" in row:
                self.check(law.check_province, f"scenario.provinces.{key}", row, nations)
        owned = {key: row for key, row in provinces.items() if "owner" in row}
        if len(self.faults) > shown or not self.whole("provinces", provinces):
            return  # a capital may be the province that is wrong
        for key, row in nations.items():
            if type(row.get("capital")) is str and KEY.fullmatch(row["capital"]):
                self.check(law.check_capital, f"scenario.nations.{key}.capital", key, row, owned)

    def pairs(self, name: str, provinces: Rows) -> None:
        rows, seen = self.raw.get(name, []), set[frozenset[str]]()
        if type(rows) is not list:
            self.faults.append(Fault(f"scenario.{name}", "list"))
            return
        for n, pair in enumerate(rows):
            self.check(law.add_pair, f"scenario.{name}.{n}", pair, provinces, seen)

    def begun(self, nations: Rows, provinces: Rows) -> None:
        """Check the starting values of nations and provinces, as far as their tables are sound."""
        shown = rule_faults(self.raw["rules"]) if "rules" in self.raw else []
        self.faults += shown
        rules = self.tables(shown)
        for key, row in nations.items():
            where = f"scenario.nations.{key}.start"
            if "start" in row and self.keys(where, row["start"], set(law.GIVEN)):
                self.start_of_nation(where, row["start"], row.get("culture"), rules)
        routes = self.raw.get("sea_routes")
        if rules is None or type(routes) is not list:
            return
        for key, row in provinces.items():
            if "owner" in row:
                self.defences(key, row, routes, rules)

    def start_of_nation(
        self, where: str, given: dict[str, Any], culture: Any, rules: Rules | None
    ) -> None:
        for level in LEVELS:
            if level in given:
                self.check(sheet.level, f"{where}.{level}", given[level], level)
        judged = rules or default_rules()
        for field in sorted(set(given) - set(LEVELS) - {"hand"}):
            can_be_judged = field != "structures" or (rules and culture in CULTURES)
            if field in law.GIVEN and can_be_judged:
                self.check(sheet.assets, where, {field: given[field]}, judged, culture)
        hand = given.get("hand", [])
        if type(hand) is not list:
            self.check(sheet.cards, f"{where}.hand", hand)
            return
        for n, card in enumerate(hand):
            self.check(sheet.card, f"{where}.hand.{n}", card)

    def defences(self, key: str, row: dict[str, Any], routes: list[Any], rules: Rules) -> None:
        is_maritime = row.get("maritime") is True or any(
            type(pair) is list and key in pair for pair in routes
        )
        for field in ("fortification", "fleet"):
            if field in row:
                self.check(
                    sheet.defences,
                    f"scenario.provinces.{key}",
                    {field: row[field]},
                    rules,
                    row.get("owner"),
                    is_maritime,
                )

    def tables(self, shown: list[MalformedRecord]) -> Rules | None:
        """Return the rules with the sound overrides, or None if a table of SHEETS is wrong."""
        wrong = {
            fault.where.removeprefix("scenario.rules").strip(".").split(".")[0] for fault in shown
        }
        if wrong & {"", *SHEETS}:
            return None
        given = self.raw.get("rules", {})
        return read_rules({key: value for key, value in given.items() if key in SHEETS})


# Values that are allowed but probably not intended.


def warnings(raw: object) -> list[MalformedRecord]:
    """Return warnings about values that are allowed but probably not intended, each with its key.

    Parts that are not sound are skipped, because `faults` reports them.
    """
    if type(raw) is not dict:
        return []
    shown = rule_faults(raw["rules"]) if "rules" in raw else []
    wrong = {fault.where.removeprefix("scenario.rules").strip(".").split(".")[0] for fault in shown}
    given = raw.get("rules", {})
    sound = (
        {key: value for key, value in given.items() if key not in wrong}
        if isinstance(given, dict)
        else {}
    )
    try:
        rules = read_rules(sound).raw
    except MalformedRecord:  # the sound overrides may not agree with the defaults of the wrong ones
        rules = table("rules")
    return [
        *_of_rules(rules, raw.get("turns")),
        *_of_names(raw),
        *_of_routes(raw),
        *_of_colours(raw),
    ]


def _of_rules(rules: Mapping[str, Any], turns: object) -> Iterator[Fault]:
    top = "scenario.rules"
    for n, turn in enumerate(rules["event_turns"]):
        if type(turns) is int and 1 <= turns < turn:
            yield Fault(f"{top}.event_turns.{n}", "warn-event-turn", turn=turn, last=turns)
    for n, (name, _cost, holds) in enumerate(rules["fortifications"]):
        if holds - rules["siege_train"] >= rules["die"]:
            yield Fault(
                f"{top}.fortifications.{n}",
                "warn-never-falls",
                name=name,
                holds=holds,
                die=rules["die"],
            )
    least, most = (value_at(rules, f"army.{key}") for key in ("minimum", "maximum"))
    if least > most:
        yield Fault(f"{top}.army.minimum", "warn-army", least=least, most=most)


def _sound_rows(raw: Row, name: str) -> Iterator[tuple[int, Row]]:
    rows = raw.get(name)
    for n, row in enumerate(rows if isinstance(rows, list) else []):
        if isinstance(row, dict) and type(row.get("key")) is str and type(row.get("name")) is str:
            yield n, row


def _of_names(raw: Row) -> Iterator[Fault]:
    for what in ("nations", "provinces"):
        before: dict[str, str] = {}
        for n, row in _sound_rows(raw, what):
            other = before.setdefault(" ".join(row["name"].casefold().split()), row["key"])
            if other != row["key"]:
                yield Fault(
                    f"scenario.{what}.{n}.name", "warn-name-twice", name=row["name"], other=other
                )


def _of_routes(raw: Row) -> Iterator[Fault]:
    ways = [raw.get(way) for way in ("borders", "sea_routes")]
    borders, routes = (
        (
            [
                (
                    tuple(sorted(p))
                    if isinstance(p, list) and all(type(key) is str for key in p)
                    else ()
                )
                for p in way
            ]
            if isinstance(way, list)
            else []
        )
        for way in ways
    )
    near = {pair for pair in borders if len(pair) == 2}
    for n, pair in enumerate(routes):
        if pair in near:
            yield Fault(
                f"scenario.sea_routes.{n}", "warn-route-on-land", one=pair[0], other=pair[1]
            )


def _of_colours(raw: Row) -> Iterator[Fault]:
    before: list[tuple[str, tuple[int, ...]]] = []
    for n, row in _sound_rows(raw, "nations"):
        colour = row.get("colour")
        if type(colour) is not str or not COLOUR.fullmatch(colour):
            continue
        rgb = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
        other = next((key for key, taken in before if math.dist(taken, rgb) < ALIKE), None)
        if other is not None:
            yield Fault(f"scenario.nations.{n}.colour", "warn-colours", colour=colour, other=other)
        before.append((row["key"], rgb))
