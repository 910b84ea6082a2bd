"""The map of the editor."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.grand_campaign.drawing import editing
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.rules.numbers import default_rules
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.editor.checks import Bundle

SHAPE_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is drawn: the whole map as `svg`, or only what moves as `moving`, if the browser has the
    map of this `shape`. `graph` is for the script: see `graph_of`.
    """

    shape: str
    svg: str
    moving: str
    styles: Mapping[str, str]
    graph: Mapping[str, Any]


def sheet(bundle: Bundle, selected: str = "", shape: str = "") -> Sheet:
    """Return the map; `shape` is that of the map that the browser has."""
    scenario = bundle["scenario"]
    drawing, touching, _faults = editing.drawn(bundle)
    present = shape_of(drawing, scenario)
    state, options = state_of(scenario), map_options(selected)
    svg, moving = "", ""
    if shape == present:
        moving = atlas.map_svg(drawing, scenario, state, moving=True, **options)
    else:
        svg = atlas.framed_map(drawing, scenario, state, **options).svg
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
    return atlas.framed_map(drawing, scenario, state_of(scenario), **map_options(selected))


def map_options(selected: str) -> dict[str, Any]:
    """Return the options of `atlas.map_svg`: each province opens its panel."""
    return {
        "links": lambda key: f"?province={key}#panel",
        "uid": "m",
        "selected": selected or None,
    }


def state_of(scenario: Mapping[str, Any]) -> atlas.State:
    """Return the provinces at the start, without fortifications that the rules do not have."""
    levels = [row[0] for row in fortification_levels(scenario)]
    provinces = {
        row["key"]: {
            "owner": row["owner"],
            "fortification": known(row.get("fortification"), levels),
            "fleet": bool(row.get("fleet")),
        }
        for row in scenario["provinces"]
    }
    return {"provinces": provinces, "attacks": [], "levels": levels}  # type: ignore[typeddict-item]


def known(fortification: str | None, levels: Sequence[str]) -> str | None:
    """Return a fortification that the rules have; None for every other one."""
    return fortification if fortification in levels else None


def fortification_levels(scenario: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    """Return the fortifications by the rules of the scenario, the weakest first."""
    usual = default_rules().raw["fortifications"]
    levels: Sequence[Sequence[Any]] = scenario.get("rules", {}).get("fortifications", usual)
    return levels


def shape_of(drawing: Drawing, scenario: Mapping[str, Any]) -> str:
    """Return a digest of everything on the map that does not move."""
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


def graph_of(
    bundle: Bundle, drawing: Drawing, touching: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """Return where provinces lie and which are joined, for the tools that join pairs."""
    scenario = bundle["scenario"]
    return {
        "at": {key: [*row.seat.at] for key, row in drawing.provinces.items()},
        "names": {row["key"]: row["name"] for row in scenario["provinces"]},
        "owners": {row["key"]: row["owner"] or row["kind"] for row in scenario["provinces"]},
        "borders": scenario["borders"],
        "routes": scenario["sea_routes"],
        "missing": [list(pair) for pair in touching],
    }
