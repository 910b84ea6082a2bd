"""Scenarios: nations, provinces, borders, sea routes and starting levels (RECORD).

The module reads and checks them, and makes them ready for use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from copy import copy
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.strict_json import check_keys, is_text
from games.grand_campaign.rules.numbers import (
    CULTURES,
    KEY,
    Fault,
    Rules,
    default_rules,
    read_rules,
    whole,
)
from games.grand_campaign.text import sheet
from games.grand_campaign.text.sheet import LEVELS

USUAL = "420ad"
"""The scenario that applies if none is chosen; its numbers are those of the rules."""
SHIPPED = Path(__file__).parent.parent / "scenarios"
NEEDED = {"key", "name", "turns", "nations", "provinces", "borders", "sea_routes"}
NATION = frozenset({"key", "name", "culture", "army", "capital", "colour", "escort"})
PROVINCE = frozenset({"key", "name", "kind", "owner", "army"})
NATION_OPTIONAL = frozenset({"start"})
PROVINCE_OPTIONAL = frozenset({"maritime", "fortification", "fleet"})
GIVEN = frozenset({*LEVELS, "structures", "barracks", "siege_trains", "hand"})
"""The keys that a nation's own `start` may have."""
KINDS = ("nation", "independent", "external")
START = {"stability": 6, "prestige": 6, "income": 450, "army": 1600}


class NationInfo(NamedTuple):
    """A nation of a scenario."""

    key: str
    name: str
    culture: str
    army: str
    capital: str
    colour: str
    escort: bool


class ProvinceInfo(NamedTuple):
    """A province of a scenario; `owner` is its owner at the start."""

    key: str
    name: str
    kind: str
    owner: str | None
    army: str
    maritime: bool


class Scenario:
    """A checked scenario.

    `raw` is the object from which it was read. `land` and `sea` map a province to its neighbours.
    `given` has the starting values of single nations, which come before the `start` of the
    scenario. `fortification` and `fleets` are those at the start. `spoken` has the grammar of the
    nations' names from the drawing, `other_names` the everyday names of its provinces and nations,
    by their table and key. `amendments` has the rules after each change in play, with the
    turn from which they apply; the scenario of a record has none.
    """

    amendments: tuple[tuple[int, Rules], ...] = ()

    def __init__(self, raw: dict[str, Any], rules: Rules) -> None:
        self.raw = raw
        self.key: str = raw["key"]
        self.name: str = raw["name"]
        self.turns: int = raw["turns"]
        self.rules = self.first_rules = rules
        self.start: dict[str, int] = {**START, **raw.get("start", {})}
        nations = sorted(raw["nations"], key=lambda n: str(n["key"]))
        self.nations = {
            n["key"]: NationInfo(**{field: n[field] for field in NationInfo._fields})
            for n in nations
        }
        self.given: dict[str, dict[str, Any]] = {
            n["key"]: n["start"] for n in nations if "start" in n
        }
        self.order = tuple(self.nations)
        self.borders = [tuple(pair) for pair in raw["borders"]]
        self.routes = [tuple(pair) for pair in raw["sea_routes"]]
        self.land = _neighbours(raw["provinces"], raw["borders"])
        self.sea = _neighbours(raw["provinces"], raw["sea_routes"])
        self.provinces = {
            p["key"]: ProvinceInfo(
                p["key"],
                p["name"],
                p["kind"],
                p["owner"],
                p["army"],
                p.get("maritime", False) or bool(self.sea[p["key"]]),
            )
            for p in raw["provinces"]
        }
        levels = (
            (p["key"], sheet.fortification("", p.get("fortification"), rules))
            for p in raw["provinces"]
        )
        self.fortification: dict[str, int] = {key: level for key, level in levels if level}
        self.fleets: tuple[str, ...] = tuple(
            p["key"] for p in raw["provinces"] if p.get("fleet", False)
        )
        self.external = frozenset(k for k, p in self.provinces.items() if p.kind == "external")
        self.capital_of = {n.capital: n.key for n in self.nations.values()}
        self.spoken: dict[str, dict[str, Any]] = {}
        self.other_names: dict[tuple[str, str], tuple[str, ...]] = {}

    def amended(self, amendments: tuple[tuple[int, Rules], ...]) -> Scenario:
        """Return the scenario with these amendments; its `rules` are those in force."""
        if not amendments:
            return self
        other = copy(self)
        other.amendments, other.rules = amendments, amendments[-1][1]
        return other

    def as_of(self, turn: int) -> Scenario:
        """Return the scenario with the amendments that applied in a turn."""
        if not self.amendments:
            return self
        other = copy(self)
        other.amendments = tuple(amendment for amendment in self.amendments if amendment[0] <= turn)
        other.rules = other.amendments[-1][1] if other.amendments else self.first_rules
        return other


def _neighbours(
    provinces: list[dict[str, Any]], pairs: list[list[str]]
) -> dict[str, tuple[str, ...]]:
    neighbours: dict[str, list[str]] = {p["key"]: [] for p in provinces}
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return {key: tuple(sorted(others)) for key, others in neighbours.items()}


def read_scenario(raw: object) -> Scenario:
    """Return the scenario of a record.

    The record has the name of a shipped scenario, or the whole scenario as an object.
    """
    if type(raw) is str:
        if raw not in shipped():
            raise Fault("scenario", "not-shipped")
        return load(raw)
    return check_scenario(raw)


@cache
def shipped() -> tuple[str, ...]:
    """Return the keys of the scenarios that come with the title, the usual one first."""
    return tuple(
        sorted(
            (path.parent.name for path in SHIPPED.glob("*/scenario.json")),
            key=lambda key: (key != USUAL, key),
        )
    )


@cache
def load(key: str) -> Scenario:
    """Return a shipped scenario; its file is checked like any other."""
    text = (SHIPPED / key / "scenario.json").read_text(encoding="utf-8")
    scenario = check_scenario(json.loads(text, parse_float=Decimal))
    if scenario.key != key:
        raise Fault("scenario.key", "folder", key=key)
    return scenario


def check_scenario(raw: object) -> Scenario:
    """Return the scenario if it is well formed and consistent.

    Raises `MalformedRecord` with the key that is wrong.
    """
    parts = check_keys("scenario", raw, NEEDED | {"start", "rules"}, NEEDED)
    check_text("scenario.key", parts["key"])
    check_text("scenario.name", parts["name"])
    whole("scenario.turns", parts["turns"], 1, 100)
    nations = _nations(parts["nations"])
    provinces = _provinces(parts["provinces"], nations)
    for key, nation in nations.items():
        check_capital(f"scenario.nations.{key}.capital", key, nation, provinces)
    _pairs("scenario.borders", parts["borders"], provinces)
    _pairs("scenario.sea_routes", parts["sea_routes"], provinces)
    check_start(parts.get("start", {}))
    rules = read_rules(parts["rules"]) if "rules" in parts else default_rules()
    for key, nation in nations.items():
        check_given(f"scenario.nations.{key}", nation, rules)
    for key, province in provinces.items():
        check_defences(f"scenario.provinces.{key}", province, parts["sea_routes"], rules)
    return Scenario(parts, rules)


def check_start(raw: object) -> None:
    for level, value in check_keys("scenario.start", raw, set(LEVELS)).items():
        check_level(f"scenario.start.{level}", value, level)


def check_level(where: str, value: object, level: str) -> None:
    whole(where, value, 2 if level == "stability" else 0)


def check_given(where: str, nation: dict[str, Any], rules: Rules) -> None:
    """Check the starting values of a single nation."""
    where += ".start"
    given = check_keys(where, nation.get("start", {}), set(GIVEN))
    for level in LEVELS:
        if level in given:
            sheet.level(f"{where}.{level}", given[level], level)
    sheet.assets(where, given, rules, nation["culture"])


def check_defences(
    where: str, province: dict[str, Any], routes: list[list[str]], rules: Rules
) -> None:
    """Check the fortification and the fleet of a province at the start."""
    maritime = province.get("maritime", False) or any(province["key"] in pair for pair in routes)
    sheet.defences(where, province, rules, province["owner"], maritime)


def check_key(where: str, value: object) -> str:
    if type(value) is not str or not KEY.fullmatch(value):
        raise Fault(where, "key")
    return value


def check_text(where: str, value: object) -> None:
    if not is_text(value):
        raise Fault(where, "text")


def _rows(
    where: str, raw: object, keys: frozenset[str], optional: frozenset[str] = frozenset()
) -> dict[str, dict[str, Any]]:
    if type(raw) is not list:
        raise Fault(where, "list")
    rows: dict[str, dict[str, Any]] = {}
    for n, item in enumerate(raw):
        add_row(f"{where}.{n}", item, keys, optional, rows)
    return rows


def add_row(
    where: str,
    item: object,
    keys: frozenset[str],
    optional: frozenset[str],
    rows: dict[str, dict[str, Any]],
) -> None:
    """Add a nation or province to the rows before it, by its key."""
    row = check_keys(where, item, set(keys | optional), set(keys))
    key = check_key(f"{where}.key", row["key"])
    if key in rows or key == "gm":
        raise Fault(f"{where}.key", "key-twice" if key in rows else "key-gm", key=key)
    for field in ("name", "army"):
        check_text(f"{where}.{field}", row[field])
    rows[key] = row


def _nations(raw: object) -> dict[str, dict[str, Any]]:
    where = "scenario.nations"
    rows = _rows(where, raw, NATION, NATION_OPTIONAL)
    check_count(where, rows)
    for key, row in rows.items():
        check_nation(f"{where}.{key}", row)
    return rows


def check_count(where: str, rows: dict[str, dict[str, Any]]) -> None:
    if not 2 <= len(rows) <= 12:
        raise Fault(where, "nations")


def check_nation(where: str, row: dict[str, Any]) -> None:
    for field, check in NATION_LAW.items():
        check(f"{where}.{field}", row[field])


def check_culture(where: str, value: object) -> None:
    if value not in CULTURES:
        raise Fault(where, "culture", known=CULTURES)


NATION_LAW: Mapping[str, Callable[[str, Any], object]] = {
    "culture": check_culture,
    "capital": check_key,
    "colour": check_text,
    "escort": sheet.flag,
}
"""The checks of a nation's row besides key, name and army, in order."""


def _provinces(raw: object, nations: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    where = "scenario.provinces"
    rows = _rows(where, raw, PROVINCE, PROVINCE_OPTIONAL)
    for key, row in rows.items():
        check_province(f"{where}.{key}", row, nations)
    return rows


def check_province(where: str, row: dict[str, Any], nations: Collection[str]) -> None:
    owner, kind = row["owner"], row["kind"]
    if kind not in KINDS:
        raise Fault(f"{where}.kind", "kind", known=KINDS)
    if owner is not None and (type(owner) is not str or owner not in nations):
        raise Fault(f"{where}.owner", "owner", known=nations)
    if (kind == "nation") != (owner is not None):
        raise Fault(f"{where}.owner", "owner-kind", kind=kind)
    if type(row.get("maritime", False)) is not bool:
        raise Fault(f"{where}.maritime", "boolean")


def check_capital(
    where: str, key: str, nation: dict[str, Any], provinces: dict[str, dict[str, Any]]
) -> None:
    capital = provinces.get(nation["capital"])
    if capital is None or capital["owner"] != key:
        raise Fault(
            where,
            "capital",
            known=[province for province, row in provinces.items() if row["owner"] == key],
        )


def _pairs(where: str, raw: object, provinces: dict[str, dict[str, Any]]) -> None:
    if type(raw) is not list:
        raise Fault(where, "list")
    seen: set[frozenset[str]] = set()
    for n, pair in enumerate(raw):
        add_pair(f"{where}.{n}", pair, provinces, seen)


def add_pair(
    where: str, pair: object, provinces: Collection[str], seen: set[frozenset[str]]
) -> None:
    """Add a border or sea route to those before it."""
    if (
        type(pair) is not list
        or len(pair) != 2
        or any(type(p) is not str or p not in provinces for p in pair)
    ):
        raise Fault(where, "pair", known=provinces)
    if pair[0] == pair[1] or frozenset(pair) in seen:
        raise Fault(where, "pair-twice")
    seen.add(frozenset(pair))
