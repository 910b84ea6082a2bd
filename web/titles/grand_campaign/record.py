"""The types of the parts of a scenario's file and of its drawing that pages read.

`games.grand_campaign.rules.scenario` and `games.grand_campaign.drawing` check them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

StructureRow = Sequence[str | int]
"""A structure or a fortification: its key, then its numbers."""


class StartRecord(TypedDict, total=False):
    """The starting values of a nation that differ from those of the others."""

    stability: int
    prestige: int
    income: int
    army: int
    structures: list[str]
    barracks: bool
    siege_trains: int
    hand: list[str]


class NationRecord(TypedDict):
    """A nation of a scenario."""

    key: str
    name: str
    colour: str
    culture: str
    capital: str
    army: str
    escort: bool
    start: NotRequired[StartRecord]


class ProvinceRecord(TypedDict):
    """A province of a scenario; `kind` is `nation`, `independent` or `external`."""

    key: str
    name: str
    kind: str
    owner: str | None
    army: str
    maritime: NotRequired[bool]
    fortification: NotRequired[str | None]
    fleet: NotRequired[bool]


class RulesRecord(TypedDict, total=False):
    """The tables of the rules that pages read from a scenario's file."""

    fortifications: Sequence[StructureRow]
    architecture: Mapping[str, Sequence[StructureRow]]
    religious: Sequence[StructureRow]
    commercial: Sequence[StructureRow]


class ScenarioRecord(TypedDict):
    """A scenario as in its file."""

    key: str
    name: str
    turns: int
    provinces: list[ProvinceRecord]
    nations: list[NationRecord]
    borders: list[list[str]]
    sea_routes: list[list[str]]
    start: NotRequired[Mapping[str, int]]
    rules: NotRequired[RulesRecord]


class DrawnNation(TypedDict, total=False):
    """The grammar of a nation's name, and its drawing; `it` has its Italian name."""

    adjective: str
    spoken: str
    article: bool
    pattern: str
    other_names: Sequence[str]
    it: Mapping[str, str]


class DrawnSeat(TypedDict):
    """The place of a province's name on the map."""

    name: str


class DrawnProvince(TypedDict):
    """A province of a drawing."""

    seat: NotRequired[DrawnSeat]
    other_names: NotRequired[Sequence[str]]


class DrawingRecord(TypedDict):
    """A drawing as in its file."""

    provinces: Mapping[str, DrawnProvince]
    nations: NotRequired[Mapping[str, DrawnNation]]


class Bundle(TypedDict):
    """A draft: its scenario and its drawing."""

    scenario: ScenarioRecord
    drawing: DrawingRecord
