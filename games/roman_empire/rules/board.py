"""The board, the charts and the cards, read from their files (1, 2, 5.1, 7, 9)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent.parent
REBEL = "rebel"
WHOLE, LOOTED = "whole", "looted"
CAPITAL_PERIOD = {"italia": 1, "tracia": 4}
"""The two capitals, and the period from which each counts as one (8.10, 10.2)."""
PERIODS = 7


class Land(NamedTuple):
    """A space of the board: its area, whether it has a resource symbol, whether it lies on a coast."""

    key: str
    name: str
    area: str
    resource: bool
    coastal: bool


class People(NamedTuple):
    """A line of the People chart (5.1); some peoples stand on it more than once."""

    id: int
    period: int
    n: int
    key: str
    name: str
    start: str
    strength: int
    colour: str


class State(NamedTuple):
    """A Kingdom or a Minor People (9.2): its land, strength, loot bonus (0 for a Minor People)."""

    key: str
    name: str
    land: str
    strength: int
    loot: int


class Emperor(NamedTuple):
    """A line of the Emperor chart: `bonus` is its kind or "", `value` the number that goes with it (7)."""

    id: int
    period: int
    n: int
    name: str
    bonus: str
    value: int


class Card(NamedTuple):
    """An event card: set 1 to 9 (None: the optional one), `before` or `during`, phase, periods, effect (9)."""

    key: str
    set: int | None
    name: str
    timing: str
    phase: str
    periods: tuple[int, ...]
    effect: Mapping[str, Any]
    text: str

    @property
    def kind(self) -> str:
        return str(self.effect["type"])


@cache
def data(name: str) -> Any:
    """A data file of this folder. Not to be changed by whoever reads it."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


LANDS = {
    one["key"]: Land(one["key"], one["name"], one["area"], one["resource"], one["coastal"]) for one in data("board")["lands"]
}
"""By key, in board order."""
ORDER = {key: at for at, key in enumerate(LANDS)}
AREAS: dict[str, str] = {one["key"]: one["name"] for one in data("board")["areas"]}
OF_AREA = {area: tuple(key for key, land in LANDS.items() if land.area == area) for area in AREAS}
POINTS: dict[str, list[int]] = data("board")["area_points"]
"""An area's points by period (10.1)."""
STARTS: tuple[str, ...] = tuple(one["land"] for one in data("board")["starts"])
COLOURS: tuple[str, ...] = tuple(data("board")["factions"])
COUNTERS: dict[str, int] = data("board")["counters"]
STACK = COUNTERS["stack"]


def _neighbours() -> dict[str, dict[str, str]]:
    neighbours: dict[str, dict[str, str]] = {key: {} for key in LANDS}
    for one in data("board")["borders"]:
        neighbours[one["a"]][one["b"]], neighbours[one["b"]][one["a"]] = one["into_b"] or "", one["into_a"] or ""
    for one in data("board")["straits"]:
        neighbours[one["a"]][one["b"]] = neighbours[one["b"]][one["a"]] = "strait"
    return {key: dict(sorted(of.items(), key=lambda one: ORDER[one[0]])) for key, of in neighbours.items()}


NEAR = _neighbours()
"""The neighbours of a land in board order, each with what makes it hard to enter from there: mountain, forest, strait or ""
(1.5, 8.2)."""

CHART = tuple(
    People(p["id"], p["period"], p["n"], p["key"], p["name"], p["start"], p["strength"], p["colour"])
    for p in data("peoples")["people"]
)
PEOPLES = {one.key: one.name for one in CHART}
PEOPLE_COUNTERS: dict[str, int] = data("peoples")["people_counters"]
KINGDOMS = {k["key"]: State(k["key"], k["name"], k["land"], k["strength"], k["loot_bonus"]) for k in data("peoples")["kingdoms"]}
MINORS = {m["key"]: State(m["key"], m["name"], m["land"], m["strength"], 0) for m in data("peoples")["minor_peoples"]}
STATES = {**KINGDOMS, **MINORS}
BARBARIANS = frozenset({*PEOPLES, *STATES})
"""Every group that has a controller: Peoples, Kingdoms, Minor Peoples (1.3)."""
GROUPS = frozenset({*BARBARIANS, *COLOURS, REBEL})
EMPERORS = {
    e["id"]: Emperor(
        e["id"], e["period"], e["n"], e["name"], (e["bonus"] or {}).get("type", ""), (e["bonus"] or {}).get("value", 0)
    )
    for e in data("emperors")["emperors"]
}
CARDS = {
    c["key"]: Card(c["key"], c["set"], c["name"], c["timing"], c["phase"], tuple(c["periods"]), c["effect"], c["text"])
    for c in data("events")["cards"]
}
SETS = tuple(range(1, 10))
GODS_FAVOR, REPLACED = "gods_favor", "wrath_2"


def people_of(period: int, n: int) -> People:
    """The line of the People chart that a counter calls (5.1)."""
    return next(one for one in CHART if (one.period, one.n) == (period, n))


def emperor_of(period: int, n: int) -> Emperor:
    """The Emperor that a counter calls (6.1)."""
    return next(one for one in EMPERORS.values() if (one.period, one.n) == (period, n))


def earlier(people: str, period: int) -> People | None:
    """A People's last entry of the chart before this period (9.2)."""
    return next((one for one in reversed(CHART) if one.key == people and one.period < period), None)


def cards_of(number: int, favor: bool) -> list[str]:
    """The cards of a set in file order; with God's Favor it stands where the second Wrath of God stood (12)."""
    cards = [key for key, card in CARDS.items() if card.set == number]
    return [GODS_FAVOR if favor and key == REPLACED else key for key in cards]


def is_capital(land: str, period: int) -> bool:
    """Does this land count as a capital in this period (8.10, 10.2)?"""
    return land in CAPITAL_PERIOD and period >= CAPITAL_PERIOD[land]
