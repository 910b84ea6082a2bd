"""All that is wrong with a scenario, by the same law as `scenario.check_scenario`, which tells the first of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import MalformedRecord
from games.grand_campaign import scenario as law
from games.grand_campaign.faults import Fault
from games.grand_campaign.rules import read_rules, whole

Rows = dict[str, dict[str, Any]]


def faults(raw: object) -> list[MalformedRecord]:
    """Each fault with its key, in the scenario's order; empty where it is one. What would follow from others is not told."""
    if type(raw) is not dict:
        return [Fault("scenario", "object")]
    found: list[MalformedRecord] = []

    def look(what: Callable[..., Any], *args: Any) -> bool:
        try:
            what(*args)
        except MalformedRecord as wrong:
            found.append(wrong)
            return False
        return True

    known = law.NEEDED | {"start", "rules"}
    found += [Fault(f"scenario.{str(key)[:40]}", "unknown-key") for key in raw if key not in known]
    found += [Fault(f"scenario.{key}", "missing") for key in sorted(law.NEEDED - set(raw))]
    for key in ("key", "name"):
        if key in raw:
            look(law.check_text, f"scenario.{key}", raw[key])
    if "turns" in raw:
        look(whole, "scenario.turns", raw["turns"], 1, 100)
    nations, sound = _rows(raw, "nations", law.NATION, law.NATION_MAYBE, look)
    if sound:
        look(law.check_count, "scenario.nations", nations)
    for key, row in nations.items():
        sound = look(law.check_nation, f"scenario.nations.{key}", row) and sound
    provinces, whole_map = _rows(raw, "provinces", law.PROVINCE, law.PROVINCE_MAYBE, look)
    if sound:
        for key, row in provinces.items():
            whole_map = look(law.check_province, f"scenario.provinces.{key}", row, nations) and whole_map
    if sound and whole_map:
        for key, row in nations.items():
            look(law.check_capital, f"scenario.nations.{key}.capital", key, row, provinces)
    if whole_map:
        for way in ("borders", "sea_routes"):
            _pairs(raw, way, provinces, look)
    look(law.check_start, raw.get("start", {}))
    wrong_rules = _of_rules(raw["rules"]) if "rules" in raw else []
    found += wrong_rules
    if not wrong_rules:  # by which structures and fortifications are judged
        rules = read_rules(raw.get("rules", {}))
        for key, row in nations.items() if sound else ():
            look(law.check_given, f"scenario.nations.{key}", row, rules)
        for key, row in provinces.items() if not found else ():
            look(law.check_defences, f"scenario.provinces.{key}", row, raw["sea_routes"], rules)
    if not found:
        look(law.check_scenario, raw)
    return found


def _rows(
    raw: dict[str, Any], name: str, keys: frozenset[str], maybe: frozenset[str], look: Callable[..., bool]
) -> tuple[Rows, bool]:
    """The rows that are well formed, and whether all are."""
    rows: Rows = {}
    if name not in raw:
        return rows, False
    if type(raw[name]) is not list:
        return rows, look(law._rows, f"scenario.{name}", raw[name], keys, maybe)
    results = [look(law.add_row, f"scenario.{name}.{n}", item, keys, maybe, rows) for n, item in enumerate(raw[name])]
    return rows, all(results)


def _pairs(raw: dict[str, Any], name: str, provinces: Rows, look: Callable[..., bool]) -> None:
    if name not in raw:
        return
    if type(raw[name]) is not list:
        look(law._pairs, f"scenario.{name}", raw[name], provinces)
        return
    seen: set[frozenset[str]] = set()
    for n, pair in enumerate(raw[name]):
        look(law.add_pair, f"scenario.{name}.{n}", pair, provinces, seen)


def _of_rules(raw: object) -> list[MalformedRecord]:
    """Of the overridden rules the first fault of each number and table: what is wrong is set aside and the rest read again."""
    found: list[MalformedRecord] = []
    rest: Any = dict(raw) if type(raw) is dict else raw
    while True:
        try:
            read_rules(rest)
        except MalformedRecord as wrong:
            part = wrong.where.removeprefix("scenario.rules").strip(".").split(".")[0]
            if type(rest) is not dict or part not in rest:
                return found or [wrong]
            found.append(wrong)
            del rest[part]
            continue
        return found
