"""A scenario: nations, provinces, borders, sea routes, starting levels; read, checked, and ready for use (RECORD)."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys
from engine.strict_json import is_text
from games.grand_campaign.rules.numbers import CULTURES, KEY, Fault, Rules, default_rules, read_rules, whole
from games.grand_campaign.text import sheet
from games.grand_campaign.text.sheet import LEVELS

SHIPPED = Path(__file__).parent.parent / "scenarios"
NEEDED = {"key", "name", "turns", "nations", "provinces", "borders", "sea_routes"}
NATION = frozenset({"key", "name", "culture", "army", "capital", "colour", "escort"})
PROVINCE = frozenset({"key", "name", "kind", "owner", "army"})
NATION_MAYBE = frozenset({"start"})
PROVINCE_MAYBE = frozenset({"maritime", "fortification", "fleet"})
GIVEN = frozenset({*LEVELS, "structures", "barracks", "siege_trains", "hand"})
"""What a nation's own `start` may give."""
START = {"stability": 6, "prestige": 6, "income": 450, "army": 1600}


class NationInfo(NamedTuple):
    """A nation as the scenario gives it."""

    key: str
    name: str
    culture: str
    army: str
    capital: str
    colour: str
    escort: bool


class ProvinceInfo(NamedTuple):
    """A province as the scenario gives it; `owner` at the start."""

    key: str
    name: str
    kind: str
    owner: str | None
    army: str
    maritime: bool


class Scenario:
    """A checked scenario. `raw` is the object it was read from; `land` and `sea` map a province to its neighbours; `given` is
    what nations begin with by themselves, levels over the scenario's `start`; `fortification` the levels that stand at the
    start, `fleets` the provinces that have one; `spoken` how its drawing says that nations are spoken of."""

    def __init__(self, raw: dict[str, Any], rules: Rules) -> None:
        self.raw = raw
        self.key: str = raw["key"]
        self.name: str = raw["name"]
        self.turns: int = raw["turns"]
        self.rules = rules
        self.start: dict[str, int] = {**START, **raw.get("start", {})}
        nations = sorted(raw["nations"], key=lambda n: str(n["key"]))
        self.nations = {n["key"]: NationInfo(**{field: n[field] for field in NationInfo._fields}) for n in nations}
        self.given: dict[str, dict[str, Any]] = {n["key"]: n["start"] for n in nations if "start" in n}
        self.order = tuple(self.nations)
        self.borders = [tuple(pair) for pair in raw["borders"]]
        self.routes = [tuple(pair) for pair in raw["sea_routes"]]
        self.land = _neighbours(raw["provinces"], raw["borders"])
        self.sea = _neighbours(raw["provinces"], raw["sea_routes"])
        self.provinces = {
            p["key"]: ProvinceInfo(
                p["key"], p["name"], p["kind"], p["owner"], p["army"], p.get("maritime", False) or bool(self.sea[p["key"]])
            )
            for p in raw["provinces"]
        }
        levels = ((p["key"], sheet.fortification("", p.get("fortification"), rules)) for p in raw["provinces"])
        self.fortification: dict[str, int] = {key: level for key, level in levels if level}
        self.fleets: tuple[str, ...] = tuple(p["key"] for p in raw["provinces"] if p.get("fleet", False))
        self.external = frozenset(k for k, p in self.provinces.items() if p.kind == "external")
        self.capital_of = {n.capital: n.key for n in self.nations.values()}
        self.spoken: dict[str, dict[str, Any]] = {}


def _neighbours(provinces: list[dict[str, Any]], pairs: list[list[str]]) -> dict[str, tuple[str, ...]]:
    neighbours: dict[str, list[str]] = {p["key"]: [] for p in provinces}
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return {key: tuple(sorted(others)) for key, others in neighbours.items()}


def read_scenario(raw: object) -> Scenario:
    """The scenario of a record: the name of a shipped one, or the object in place."""
    if type(raw) is str:
        if raw not in shipped():
            raise Fault("scenario", "not-shipped")
        return load(raw)
    return check_scenario(raw)


@cache
def shipped() -> tuple[str, ...]:
    """The keys of the scenarios that come with the title."""
    return tuple(sorted(path.parent.name for path in SHIPPED.glob("*/scenario.json")))


@cache
def load(key: str) -> Scenario:
    """A shipped scenario; its file is checked like any other."""
    text = (SHIPPED / key / "scenario.json").read_text(encoding="utf-8")
    scenario = check_scenario(json.loads(text, parse_float=Decimal))
    if scenario.key != key:
        raise Fault("scenario.key", "folder", key=key)
    return scenario


def check_scenario(raw: object) -> Scenario:
    """The scenario, if it is well formed and makes sense; else `MalformedRecord` names the key that is wrong."""
    parts = only_keys("scenario", raw, NEEDED | {"start", "rules"}, NEEDED)
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
    for level, value in only_keys("scenario.start", raw, set(LEVELS)).items():
        whole(f"scenario.start.{level}", value, 2 if level == "stability" else 0)


def check_given(where: str, nation: dict[str, Any], rules: Rules) -> None:
    """What a nation begins with by itself."""
    where += ".start"
    given = only_keys(where, nation.get("start", {}), set(GIVEN))
    for level in LEVELS:
        if level in given:
            sheet.level(f"{where}.{level}", given[level], level)
    sheet.assets(where, given, rules, nation["culture"])


def check_defences(where: str, province: dict[str, Any], routes: list[list[str]], rules: Rules) -> None:
    """The fortification and the fleet that a province begins with."""
    maritime = province.get("maritime", False) or any(province["key"] in pair for pair in routes)
    sheet.defences(where, province, rules, province["owner"], maritime)


def _key(where: str, value: object) -> str:
    if type(value) is not str or not KEY.fullmatch(value):
        raise Fault(where, "key")
    return value


def check_text(where: str, value: object) -> None:
    if not is_text(value):
        raise Fault(where, "text")


def _rows(where: str, raw: object, keys: frozenset[str], maybe: frozenset[str] = frozenset()) -> dict[str, dict[str, Any]]:
    if type(raw) is not list:
        raise Fault(where, "list")
    rows: dict[str, dict[str, Any]] = {}
    for n, item in enumerate(raw):
        add_row(f"{where}.{n}", item, keys, maybe, rows)
    return rows


def add_row(where: str, item: object, keys: frozenset[str], maybe: frozenset[str], rows: dict[str, dict[str, Any]]) -> None:
    """Add a nation or province to those before it, by its key."""
    row = only_keys(where, item, set(keys | maybe), set(keys))
    key = _key(f"{where}.key", row["key"])
    if key in rows or key == "gm":
        raise Fault(f"{where}.key", "key-twice" if key in rows else "key-gm", key=key)
    for field in ("name", "army"):
        check_text(f"{where}.{field}", row[field])
    rows[key] = row


def _nations(raw: object) -> dict[str, dict[str, Any]]:
    where = "scenario.nations"
    rows = _rows(where, raw, NATION, NATION_MAYBE)
    check_count(where, rows)
    for key, row in rows.items():
        check_nation(f"{where}.{key}", row)
    return rows


def check_count(where: str, rows: dict[str, dict[str, Any]]) -> None:
    if not 2 <= len(rows) <= 12:
        raise Fault(where, "nations")


def check_nation(where: str, row: dict[str, Any]) -> None:
    if row["culture"] not in CULTURES:
        raise Fault(f"{where}.culture", "culture")
    _key(f"{where}.capital", row["capital"])
    check_text(f"{where}.colour", row["colour"])
    if type(row["escort"]) is not bool:
        raise Fault(f"{where}.escort", "boolean")


def _provinces(raw: object, nations: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    where = "scenario.provinces"
    rows = _rows(where, raw, PROVINCE, PROVINCE_MAYBE)
    for key, row in rows.items():
        check_province(f"{where}.{key}", row, nations)
    return rows


def check_province(where: str, row: dict[str, Any], nations: dict[str, dict[str, Any]]) -> None:
    owner, kind = row["owner"], row["kind"]
    if kind not in ("nation", "independent", "external"):
        raise Fault(f"{where}.kind", "kind")
    if owner is not None and (type(owner) is not str or owner not in nations):
        raise Fault(f"{where}.owner", "owner")
    if (kind == "nation") != (owner is not None):
        raise Fault(f"{where}.owner", "owner-kind", kind=kind)
    if type(row.get("maritime", False)) is not bool:
        raise Fault(f"{where}.maritime", "boolean")


def check_capital(where: str, key: str, nation: dict[str, Any], provinces: dict[str, dict[str, Any]]) -> None:
    capital = provinces.get(nation["capital"])
    if capital is None or capital["owner"] != key:
        raise Fault(where, "capital")


def _pairs(where: str, raw: object, provinces: dict[str, dict[str, Any]]) -> None:
    if type(raw) is not list:
        raise Fault(where, "list")
    seen: set[frozenset[str]] = set()
    for n, pair in enumerate(raw):
        add_pair(f"{where}.{n}", pair, provinces, seen)


def add_pair(where: str, pair: object, provinces: dict[str, dict[str, Any]], seen: set[frozenset[str]]) -> None:
    """Add a border or sea route to those before it."""
    if type(pair) is not list or len(pair) != 2 or any(type(p) is not str or p not in provinces for p in pair):
        raise Fault(where, "pair")
    if pair[0] == pair[1] or frozenset(pair) in seen:
        raise Fault(where, "pair-twice")
    seen.add(frozenset(pair))


# All that is wrong with a scenario, by the same law as `scenario.check_scenario`, which tells the first of it.

Rows = dict[str, dict[str, Any]]


def faults(raw: object) -> list[MalformedRecord]:
    """Each fault with its key, in the scenario's order; empty where it is one. What would follow from others is not told."""
    if type(raw) is not dict:
        return [Fault("scenario", "object")]
    wrongs: list[MalformedRecord] = []

    def look(what: Callable[..., Any], *args: Any) -> bool:
        try:
            what(*args)
        except MalformedRecord as wrong:
            wrongs.append(wrong)
            return False
        return True

    known = NEEDED | {"start", "rules"}
    wrongs += [Fault(f"scenario.{str(key)[:40]}", "unknown-key") for key in raw if key not in known]
    wrongs += [Fault(f"scenario.{key}", "missing") for key in sorted(NEEDED - set(raw))]
    for key in ("key", "name"):
        if key in raw:
            look(check_text, f"scenario.{key}", raw[key])
    if "turns" in raw:
        look(whole, "scenario.turns", raw["turns"], 1, 100)
    nations, sound = _fault_rows(raw, "nations", NATION, NATION_MAYBE, look)
    if sound:
        look(check_count, "scenario.nations", nations)
    for key, row in nations.items():
        sound = look(check_nation, f"scenario.nations.{key}", row) and sound
    provinces, whole_map = _fault_rows(raw, "provinces", PROVINCE, PROVINCE_MAYBE, look)
    if sound:
        for key, row in provinces.items():
            whole_map = look(check_province, f"scenario.provinces.{key}", row, nations) and whole_map
    if sound and whole_map:
        for key, row in nations.items():
            look(check_capital, f"scenario.nations.{key}.capital", key, row, provinces)
    if whole_map:
        for way in ("borders", "sea_routes"):
            _fault_pairs(raw, way, provinces, look)
    look(check_start, raw.get("start", {}))
    wrong_rules = _of_rules(raw["rules"]) if "rules" in raw else []
    wrongs += wrong_rules
    if not wrong_rules:  # by which structures and fortifications are judged
        rules = read_rules(raw.get("rules", {}))
        for key, row in nations.items() if sound else ():
            look(check_given, f"scenario.nations.{key}", row, rules)
        for key, row in provinces.items() if not wrongs else ():
            look(check_defences, f"scenario.provinces.{key}", row, raw["sea_routes"], rules)
    if not wrongs:
        look(check_scenario, raw)
    return wrongs


def _fault_rows(
    raw: dict[str, Any], name: str, keys: frozenset[str], maybe: frozenset[str], look: Callable[..., bool]
) -> tuple[Rows, bool]:
    """The rows that are well formed, and whether all are."""
    rows: Rows = {}
    if name not in raw:
        return rows, False
    if type(raw[name]) is not list:
        return rows, look(_rows, f"scenario.{name}", raw[name], keys, maybe)
    results = [look(add_row, f"scenario.{name}.{n}", item, keys, maybe, rows) for n, item in enumerate(raw[name])]
    return rows, all(results)


def _fault_pairs(raw: dict[str, Any], name: str, provinces: Rows, look: Callable[..., bool]) -> None:
    if name not in raw:
        return
    if type(raw[name]) is not list:
        look(_pairs, f"scenario.{name}", raw[name], provinces)
        return
    seen: set[frozenset[str]] = set()
    for n, pair in enumerate(raw[name]):
        look(add_pair, f"scenario.{name}.{n}", pair, provinces, seen)


def _of_rules(raw: object) -> list[MalformedRecord]:
    """Of the overridden rules the first fault of each number and table: what is wrong is set aside and the rest read again."""
    faults: list[MalformedRecord] = []
    rest: Any = dict(raw) if type(raw) is dict else raw
    while True:
        try:
            read_rules(rest)
        except MalformedRecord as wrong:
            part = wrong.where.removeprefix("scenario.rules").strip(".").split(".")[0]
            if type(rest) is not dict or part not in rest:
                return faults or [wrong]
            faults.append(wrong)
            del rest[part]
            continue
        return faults
