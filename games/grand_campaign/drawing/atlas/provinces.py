"""The content of the map with a row for each province, for screen readers, sorting and panels."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.language import pgettext
from games.grand_campaign.drawing.atlas.paint import nation_styles
from games.grand_campaign.drawing.atlas.state import Scenario, State, kind_of, level_of
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.text.words import localized_name


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A province on the map.

    `group` is the owner, or the kind of land that no nation owns. `level` is the level of the
    fortification, or 0. `attacks` and `starting_point` have the numbers of running battles.
    """

    key: str
    name: str
    kind: str
    owner: str | None
    owner_name: str
    group: str
    style: str
    capital_of: str | None
    seat: str
    port: str | None
    army: str
    local_army: str
    level: int
    fortification: str
    fleet: bool
    by_land: Sequence[str]
    by_sea: Sequence[str]
    attacks: Sequence[int]
    starting_point: Sequence[int]

    @property
    def is_maritime(self) -> bool:
        return self.port is not None

    @property
    def is_external(self) -> bool:
        return self.kind == "external"

    @property
    def is_capital(self) -> bool:
        """Return whether it is the capital of its owner."""
        return bool(self.capital_of) and self.capital_of == self.owner


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The provinces that border on a province, and those to which sea routes lead."""

    by_land: Sequence[str]
    by_sea: Sequence[str]


_near: deque[tuple[Scenario, dict[str, Neighbours]]] = deque(maxlen=16)


def neighbours(scenario: Scenario) -> dict[str, Neighbours]:
    """Return the neighbours of each province, computed once for each scenario."""
    for known, neighbours_known in list(_near):
        if known is scenario:
            return neighbours_known
    ways: dict[str, dict[str, list[str]]] = {
        province["key"]: {"borders": [], "sea_routes": []} for province in scenario["provinces"]
    }
    for way in ("borders", "sea_routes"):
        for a, b in scenario[way]:
            ways[a][way].append(b)
            ways[b][way].append(a)
    near = {
        key: Neighbours(by_land=sorted(way["borders"]), by_sea=sorted(way["sea_routes"]))
        for key, way in ways.items()
    }
    _near.append((scenario, near))
    return near


def owner_name(owner: str | None, kind: str, names: Mapping[str, str]) -> str:
    """Return the owner of a province in words."""
    if owner:
        return names[owner]
    return (
        pgettext("provinces", "external")
        if kind == "external"
        else pgettext("provinces", "independent")
    )


def provinces_table(drawing: Drawing, scenario: Scenario, state: State) -> list[ProvinceRow]:
    """Return the provinces by name."""
    nations = {nation["key"]: nation for nation in scenario["nations"]}
    names = {
        key: localized_name(key, nation["name"], drawing.nations[key].spoken)
        for key, nation in nations.items()
    }
    capitals = {nation["capital"]: key for key, nation in nations.items()}
    near, styles, rows = neighbours(scenario), nation_styles(drawing, scenario), []
    for province in sorted(scenario["provinces"], key=lambda p: (p["name"].casefold(), p["key"])):
        key = province["key"]
        drawn, holding = drawing.provinces[key], state["provinces"][key]
        owner = holding["owner"]
        level, fortification = level_of(holding, state)
        rows.append(
            ProvinceRow(
                key=key,
                name=province["name"],
                kind=province["kind"],
                owner=owner,
                owner_name=owner_name(owner, province["kind"], names),
                group=owner or kind_of(province),
                style=styles[owner] if owner else "",
                capital_of=capitals.get(key),
                seat=drawn.seat.name,
                port=drawn.port.name if drawn.port else None,
                army=nations[owner]["army"] if owner else province["army"],
                local_army=province["army"],
                level=level,
                fortification=fortification,
                fleet=holding["fleet"],
                by_land=near[key].by_land,
                by_sea=near[key].by_sea,
                attacks=[a["number"] for a in state["attacks"] if a["target"] == key],
                starting_point=[a["number"] for a in state["attacks"] if a["from"] == key],
            )
        )
    return rows
