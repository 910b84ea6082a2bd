"""What `drawing` checks with: small readers that name the key that is wrong, and the facts of a scenario."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from games.grand_campaign import outlines
from games.grand_campaign.faults import Fault
from games.grand_campaign.outlines import Pair

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """For `json.loads`: a key given twice is an error and not the last one's victory."""
    out: dict[str, object] = {}
    for key, value in pairs:
        if key in out:
            raise Fault(key, "given-twice")
        out[key] = value
    return out


def as_object(
    value: object, at: str, required: Collection[str] | None = None, optional: Collection[str] = (), *, root: bool = False
) -> Mapping[str, object]:
    """An object; with `required`, one that has these keys and beside them at most the optional ones."""
    if not isinstance(value, Mapping):
        raise Fault(at, "object")
    if required is not None:
        within = "" if root else f"{at}."
        for key in required:
            if key not in value:
                raise Fault(f"{within}{key}", "missing")
        for key in value:
            if key not in required and key not in optional:
                raise Fault(f"{within}{key}", "not-known")
    return value


def as_list(value: object, at: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise Fault(at, "list")
    return list(value)


def as_text(value: object, at: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Fault(at, "text-not-empty")
    return value


def as_hex(value: object, at: str) -> str:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Fault(at, "colour")
    return value.lower()


def as_number(value: object, at: str, least: float, most: float) -> float:
    # `type` and not `isinstance`: true is no number. The chained comparison refuses NaN.
    if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
        raise Fault(at, "number-from-to", least=least, most=most)
    return value  # type: ignore[return-value]


def as_point(value: object, at: str, width: int, height: int) -> tuple[float, float]:
    items = as_list(value, at)
    if len(items) != 2:
        raise Fault(at, "point")
    return as_number(items[0], f"{at}.0", 0, width), as_number(items[1], f"{at}.1", 0, height)


def as_path(value: object, at: str, *, closed: bool = False, empty: bool = False) -> str:
    """A path as `outlines` reads it; `closed`: every part a ring of at least three points."""
    if empty and value == "":
        return ""
    if not isinstance(value, str) or not outlines.is_path(value):
        raise Fault(at, "no-path")
    if closed and (value.count("M") != value.count("z") or min(map(len, outlines.lines(value))) < 3):
        raise Fault(at, "no-ring")
    return value


def as_pair(key: str, where: str) -> Pair:
    """`a|b`, in alphabetical order."""
    a, bar, b = key.partition("|")
    if not bar or not a < b:
        raise Fault(f"{where}.{key}", "pair-order")
    return a, b


def same_keys(drawn: Collection[str], known: Collection[str], where: str) -> None:
    for key in known:
        if key not in drawn:
            raise Fault(f"{where}.{key}", "not-drawn")
    for key in drawn:
        if key not in known:
            raise Fault(f"{where}.{key}", "only-drawn")


@dataclass(frozen=True, slots=True)
class Facts:
    """Of a scenario, what a drawing must know. Orders are the scenario's."""

    key: str
    nations: dict[str, tuple[str, str]]  # name, capital
    provinces: dict[str, tuple[str, str, str | None]]  # name, kind, owner
    borders: frozenset[Pair]
    routes: frozenset[Pair]
    maritime: frozenset[str]
    armies: frozenset[str]


def facts(scenario: Mapping[str, object]) -> Facts:
    """The facts of a scenario object; what is not as the record says is a `Fault` at `scenario.…`.

    The law of scenarios is checked where they are loaded; here only what would break a drawing.
    """
    top = as_object(scenario, "scenario")
    for key in ("key", "nations", "provinces", "borders", "sea_routes"):
        if key not in top:
            raise Fault(f"scenario.{key}", "missing")
    nations: dict[str, tuple[str, str]] = {}
    provinces: dict[str, tuple[str, str, str | None]] = {}
    armies, maritime = set(), set()
    for i, item in enumerate(as_list(top["nations"], "scenario.nations")):
        key, row = _row(item, f"scenario.nations.{i}", nations)
        at = f"scenario.nations.{key}"
        nations[key] = as_text(row.get("name"), f"{at}.name"), as_text(row.get("capital"), f"{at}.capital")
        armies.add(as_text(row.get("army"), f"{at}.army"))
    for i, item in enumerate(as_list(top["provinces"], "scenario.provinces")):
        key, row = _row(item, f"scenario.provinces.{i}", provinces)
        at, kind, owner = f"scenario.provinces.{key}", row.get("kind"), row.get("owner")
        if kind not in ("nation", "independent", "external"):
            raise Fault(f"{at}.kind", "kind")
        if owner is not None and owner not in nations:
            raise Fault(f"{at}.owner", "no-nation")
        provinces[key] = as_text(row.get("name"), f"{at}.name"), str(kind), None if owner is None else str(owner)
        armies.add(as_text(row.get("army"), f"{at}.army"))
        if row.get("maritime") is True:
            maritime.add(key)
    for key, (_, capital) in nations.items():
        if capital not in provinces:
            raise Fault(f"scenario.nations.{key}.capital", "no-province")
    borders = _scenario_pairs(top["borders"], "scenario.borders", provinces)
    routes = _scenario_pairs(top["sea_routes"], "scenario.sea_routes", provinces)
    maritime.update(key for pair in routes for key in pair)
    return Facts(as_text(top["key"], "scenario.key"), nations, provinces, borders, routes, frozenset(maritime), frozenset(armies))


def _row(item: object, at: str, known: Collection[str]) -> tuple[str, Mapping[str, object]]:
    row = as_object(item, at)
    key = as_text(row.get("key"), f"{at}.key")
    if key in known:
        raise Fault(f"{at}.key", "key-given-twice", key=key)
    return key, row


def _scenario_pairs(value: object, where: str, provinces: Collection[str]) -> frozenset[Pair]:
    out: set[Pair] = set()
    for i, item in enumerate(as_list(value, where)):
        ends = as_list(item, f"{where}.{i}")
        if len(ends) != 2 or ends[0] == ends[1]:
            raise Fault(f"{where}.{i}", "joins-two")
        for end in ends:
            if end not in provinces:
                raise Fault(f"{where}.{i}", "no-such-province", key=str(end))
        a, b = sorted(map(str, ends))
        if (a, b) in out:
            raise Fault(f"{where}.{i}", "given-twice")
        out.add((a, b))
    return frozenset(out)
