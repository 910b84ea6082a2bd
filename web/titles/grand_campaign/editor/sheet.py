"""The map of the editor."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from games.grand_campaign.drawing import atlas, editing
from games.grand_campaign.drawing.atlas.state import Holding
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.rules.numbers import default_rules
from web.titles.grand_campaign.editor.acts import keys_of
from web.titles.grand_campaign.record import Bundle, ScenarioRecord, StructureRow

SHAPE_LENGTH = 16


class Graph(TypedDict):
    """The places of provinces and their connections, for the tools that join pairs.

    `at` has the place of each province; `missing` has the pairs that touch without a border.
    """

    at: Mapping[str, Sequence[float]]
    names: Mapping[str, str]
    owners: Mapping[str, str]
    borders: Sequence[Sequence[str]]
    routes: Sequence[Sequence[str]]
    missing: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The map for the browser.

    It is the whole map as `svg`, or only the changing parts as `moving` if the browser has the map
    of this `shape`. `graph` is for the script.
    """

    shape: str
    svg: str
    moving: str
    styles: Mapping[str, str]
    graph: Graph


def sheet(bundle: Bundle, selected: str = "", shape: str = "") -> Sheet:
    """Return the map; `shape` is that of the map that the browser has."""
    scenario = bundle["scenario"]
    drawing, touching, _faults = editing.drawn(bundle)
    present = shape_of(drawing, scenario)
    svg, moving = "", ""
    if shape == present:
        moving = atlas.map_svg(
            drawing,
            scenario,
            state_of(scenario),
            moving=True,
            links=panel_address,
            selected=selected or None,
        )
    else:
        svg = framed_map(drawing, scenario, selected).svg
    styles = atlas.nation_styles(drawing, scenario)
    return Sheet(
        shape=present,
        svg=svg,
        moving=moving,
        styles={key: style for key, style in styles.items() if style},
        graph=graph_of(bundle, drawing, touching),
    )


def map_of(bundle: Bundle, selected: str = "") -> atlas.FramedMap:
    """Return the map with its frame and its regions."""
    scenario = bundle["scenario"]
    drawing, _touching, _faults = editing.drawn(bundle)
    return framed_map(drawing, scenario, selected)


def framed_map(drawing: Drawing, scenario: ScenarioRecord, selected: str) -> atlas.FramedMap:
    """Return the map of a drawing with its frame; each province opens its panel."""
    state = state_of(scenario)
    return atlas.framed_map(
        drawing, scenario, state, links=panel_address, selected=selected or None
    )


def panel_address(province: str) -> str:
    """Return the address that opens the panel of a province."""
    return f"?province={province}#panel"


def state_of(scenario: ScenarioRecord) -> atlas.State:
    """Return the provinces at the start, without fortifications that the rules do not have."""
    levels = keys_of(fortification_levels(scenario))
    provinces = {
        province["key"]: Holding(
            owner=province["owner"],
            fortification=known(province.get("fortification"), levels),
            fleet=bool(province.get("fleet")),
        )
        for province in scenario["provinces"]
    }
    return {"provinces": provinces, "attacks": [], "levels": levels}


def known(fortification: str | None, levels: Sequence[str]) -> str | None:
    """Return the fortification if the rules have it, otherwise None."""
    return fortification if fortification in levels else None


def fortification_levels(scenario: ScenarioRecord) -> Sequence[StructureRow]:
    """Return the fortifications by the rules of the scenario, the weakest first."""
    usual: Sequence[StructureRow] = default_rules().raw["fortifications"]
    return scenario.get("rules", {}).get("fortifications", usual)


def shape_of(drawing: Drawing, scenario: ScenarioRecord) -> str:
    """Return a digest of everything on the map that does not change."""
    provinces = [(key, row.d, row.lines, row.seat.name) for key, row in drawing.provinces.items()]
    patterns = [(key, row.pattern) for key, row in drawing.nations.items()]
    ways = (
        sorted(drawing.sea_routes.items()),
        sorted(drawing.contacts.items()),
        sorted(drawing.straits.items()),
    )
    names = [row["name"] for row in scenario["provinces"]]
    facts = repr((drawing.land, provinces, patterns, ways, names))
    return hashlib.sha256(facts.encode()).hexdigest()[:SHAPE_LENGTH]


def graph_of(bundle: Bundle, drawing: Drawing, touching: Iterable[tuple[str, str]]) -> Graph:
    """Return the places of provinces and their connections."""
    scenario, provinces = bundle["scenario"], bundle["scenario"]["provinces"]
    return Graph(
        at={key: [*province.seat.at] for key, province in drawing.provinces.items()},
        names={province["key"]: province["name"] for province in provinces},
        owners={province["key"]: province["owner"] or province["kind"] for province in provinces},
        borders=scenario["borders"],
        routes=scenario["sea_routes"],
        missing=[list(pair) for pair in touching],
    )
