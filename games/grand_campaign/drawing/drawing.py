"""The drawing of a scenario: everything on a map that does not matter to the rules.

A shipped drawing is beside its scenario, and each is checked against the other; a scenario without
a drawing is laid out (`layout`). Either way the result is an immutable, cached `Drawing`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.grand_campaign.drawing import other_names, parts
from games.grand_campaign.drawing.layout import lay_out
from games.grand_campaign.drawing.parts import (
    SPOKEN,
    Facts,
    Pair,
    as_hex,
    as_list,
    as_number,
    as_object,
    as_pair,
    as_path,
    as_point,
    as_spoken,
    as_text,
    facts,
    no_twins,
    same_keys,
)
from games.grand_campaign.rules.numbers import Fault
from games.grand_campaign.rules.scenario import shipped

__all__ = [
    "PATTERNS",
    "Drawing",
    "Name",
    "NationDrawing",
    "Place",
    "ProvinceDrawing",
    "Region",
    "River",
    "border_faults",
    "brought_drawing",
    "for_scenario",
    "parse",
    "read",
]

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"
PATTERNS = ("solid", "diagonal-left", "zigzag", "dots", "crosshatch", "vertical", "horizontal")
# A shorter contact is an accident of drawing and too small to see; the map's builder draws none.
BORDER_LENGTH = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """A named point of the map: a seat or a port."""

    name: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ProvinceDrawing:
    """The drawing of a province: its outline, name, city, and port if it is maritime.

    The name is set in `lines` of this `size` around the point `label`.
    """

    d: str
    label: tuple[float, float]
    lines: tuple[str, ...]
    size: float
    seat: Place
    port: Place | None
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NationDrawing:
    """The drawing of a nation: its adjective, pattern, ink on white, and the place of its name.

    The name is there as long as the nation holds its home. `spoken` has the grammar of the name if
    the drawing gives it (`engine.language.Name.with_forms`).
    """

    adjective: str
    pattern: str
    text: str
    label: tuple[float, float]
    spoken: Mapping[str, Any]
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A sheet of the atlas: a window around a point, `zoom` times as large as on the whole map."""

    key: str
    name: str
    centre: tuple[float, float]
    zoom: float


@dataclass(frozen=True, slots=True)
class Name:
    """A name on sea or land, rotated by this number of degrees."""

    name: str
    x: float
    y: float
    size: float
    rotate: float


@dataclass(frozen=True, slots=True)
class River:
    """A river; `width` is 1 to 3."""

    name: str
    width: int
    d: str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Drawing:
    """A whole drawing, equal only to itself, so that it can be a key of caches.

    `contacts` has the shared line of each two provinces that touch. A border without a shared line
    is a strait (a mark at a point) or, on a laid-out map, a link (a line).
    """

    scenario: str
    width: int
    height: int
    nations: Mapping[str, NationDrawing]
    provinces: Mapping[str, ProvinceDrawing]
    aliases: Mapping[str, tuple[str, ...]]
    regions: tuple[Region, ...]
    sea_routes: Mapping[Pair, str]
    straits: Mapping[Pair, tuple[float, float]]
    links: Mapping[Pair, str]
    sea_names: tuple[Name, ...]
    land_names: tuple[Name, ...]
    rivers: tuple[River, ...]
    land: str
    wasteland: str
    lakes: str
    contacts: Mapping[Pair, str]
    laid_out: bool


NATION_OPTIONS = (*SPOKEN, other_names.FIELD)
_KEYS = (
    "scenario",
    "viewBox",
    "nations",
    "provinces",
    "aliases",
    "regions",
    "sea_routes",
    "straits",
    "sea_names",
    "land_names",
    "rivers",
    "land",
    "wasteland",
    "lakes",
)


def for_scenario(scenario: Mapping[str, object]) -> Drawing:
    """Return the shipped drawing that fits a scenario, or a layout of its borders and routes."""
    return _cached(_cache_text(scenario))


def drawing_of(scenario: Mapping[str, object], text: str) -> Drawing:
    """Return the campaign's own drawing, or the title's drawing for its scenario.

    `text` is the campaign's own drawing, or empty if it has none.
    """
    return brought_drawing(text, scenario) if text else for_scenario(scenario)


def shipped_text(scenario: Mapping[str, object]) -> str:
    """Return the text of the drawing that is shipped with a scenario, empty if there is none."""
    file = SCENARIOS / str(scenario["key"]) / "drawing.json"
    return file.read_text("utf-8") if scenario["key"] in shipped() and file.is_file() else ""


def brought_drawing(text: str, scenario: Mapping[str, object]) -> Drawing:
    """Return a campaign's own drawing from its text, which `own_drawing` has written."""
    return _cached_own(text, _cache_text(scenario))


@lru_cache(maxsize=64)
def _cached_own(text: str, scenario: str) -> Drawing:
    return read(text, json.loads(scenario))


def _cache_text(scenario: Mapping[str, object]) -> str:
    asked = {
        key: scenario[key]
        for key in ("key", "nations", "provinces", "borders", "sea_routes")
        if key in scenario
    }
    return json.dumps(asked, sort_keys=True, default=str)


@lru_cache(maxsize=64)
def _cached(text: str) -> Drawing:
    scenario = json.loads(text)
    known = facts(scenario)
    for file in sorted(
        SCENARIOS.glob("*/drawing.json"), key=lambda f: (f.parent.name != known.key, f.parent.name)
    ):
        document = _document(file.read_text(encoding="utf-8"))
        # Another scenario on the same map (with other owners or armies) may use its drawing. Only
        # the shipped scenario itself must use it, so there a fault is an error.
        if file.parent.name == known.key and known == _shipped_facts(file.parent):
            return parse(document, scenario)
        if _fits(document, known):
            try:
                return parse(document, scenario)
            except Fault:
                continue
    return parse(lay_out(known), scenario, laid_out=True)


def shipped_document(scenario: Mapping[str, object]) -> object | None:
    """Return the document of the shipped drawing that a scenario without its own uses, or None."""
    known = facts(scenario)
    for file in sorted(
        SCENARIOS.glob("*/drawing.json"), key=lambda f: (f.parent.name != known.key, f.parent.name)
    ):
        document = _document(file.read_text(encoding="utf-8"))
        if _fits(document, known):
            return document
    return None


def _shipped_facts(folder: Path) -> Facts:
    return facts(json.loads((folder / "scenario.json").read_text(encoding="utf-8")))


def _fits(document: object, known: Facts) -> bool:
    if not isinstance(document, dict):
        return False
    nations, provinces = document.get("nations"), document.get("provinces")
    return (
        isinstance(nations, dict)
        and isinstance(provinces, dict)
        and (set(nations) == set(known.nations) and set(provinces) == set(known.provinces))
    )


def _document(text: str) -> object:
    try:
        document: object = json.loads(text, object_pairs_hook=no_twins)
    except (ValueError, RecursionError) as error:
        raise Fault("drawing", "no-json", why=str(error)) from error
    return document


def read(text: str, scenario: Mapping[str, object]) -> Drawing:
    """Return a drawing from the text of its file; raises `Fault` with the key that is wrong."""
    return parse(_document(text), scenario)


def parse(document: object, scenario: Mapping[str, object], *, laid_out: bool = False) -> Drawing:
    """Return a drawing from its document after checking it and the scenario against each other."""
    known = facts(scenario)
    top = as_object(document, "drawing", _KEYS, ("links", "contacts"), root=True)
    width, height = _view_box(top["viewBox"])
    provinces = _provinces(top["provinces"], known, width, height)
    rings = {key: parts.path_parts(p.d) for key, p in provinces.items()}
    for key, p in provinces.items():
        for name, at in (("label", p.label), ("seat.at", p.seat.at)):
            if not parts.inside(rings[key], *at):
                raise Fault(f"provinces.{key}.{name}", "outside-province")
    straits = {
        pair: as_point(v, f"straits.{'|'.join(pair)}", width, height)
        for pair, v in _pairs(top["straits"], "straits")
    }
    links = {
        pair: as_path(v, f"links.{'|'.join(pair)}")
        for pair, v in _pairs(top.get("links", {}), "links")
    }
    shared = parts.contacts(rings)
    near = {
        pair: as_path(v, f"contacts.{'|'.join(pair)}")
        for pair, v in _pairs(top.get("contacts", {}), "contacts")
    }
    touching = near | {
        pair: "".join(parts.path(line) for line in lines) for pair, lines in shared.items()
    }
    _check_borders(shared, {"straits": straits, "links": links, "contacts": near}, known)
    routes = {
        pair: as_path(v, f"sea_routes.{'|'.join(pair)}")
        for pair, v in _pairs(top["sea_routes"], "sea_routes")
    }
    for fault in other_names.twice_used(top, {}):
        raise fault
    same_keys({"|".join(p) for p in routes}, {"|".join(p) for p in known.routes}, "sea_routes")
    return Drawing(
        scenario=as_text(top["scenario"], "scenario"),
        width=width,
        height=height,
        nations=MappingProxyType(_nations(top["nations"], known, width, height)),
        provinces=MappingProxyType(provinces),
        aliases=MappingProxyType(_aliases(top["aliases"], known)),
        regions=_regions(top["regions"], width, height),
        sea_routes=MappingProxyType(routes),
        straits=MappingProxyType(straits),
        links=MappingProxyType(links),
        sea_names=_names(top["sea_names"], "sea_names"),
        land_names=_names(top["land_names"], "land_names"),
        rivers=_rivers(top["rivers"]),
        land=as_path(top["land"], "land"),
        wasteland=as_path(top["wasteland"], "wasteland", empty=True),
        lakes=as_path(top["lakes"], "lakes", empty=True),
        contacts=MappingProxyType(touching),
        laid_out=laid_out,
    )


def _view_box(value: object) -> tuple[int, int]:
    match as_list(value, "viewBox"):
        case [0, 0, int(width), int(height)] if width > 0 and height > 0:
            return width, height
    raise Fault("viewBox", "view-box-whole")


def _provinces(value: object, known: Facts, width: int, height: int) -> dict[str, ProvinceDrawing]:
    table = as_object(value, "provinces")
    same_keys(table, known.provinces, "provinces")
    out = {}
    for key in known.provinces:
        at = f"provinces.{key}"
        row = as_object(
            table[key], at, ("d", "label", "lines", "size", "seat"), ("port", other_names.FIELD)
        )
        lines = tuple(
            as_text(v, f"{at}.lines.{i}")
            for i, v in enumerate(as_list(row["lines"], f"{at}.lines"))
        )
        if not lines:
            raise Fault(f"{at}.lines", "no-line")
        if ("port" in row) != (key in known.maritime):
            raise Fault(f"{at}.port", "missing" if key in known.maritime else "not-maritime")
        out[key] = ProvinceDrawing(
            d=as_path(row["d"], f"{at}.d", closed=True),
            label=as_point(row["label"], f"{at}.label", width, height),
            lines=lines,
            size=as_number(row["size"], f"{at}.size", 4, 80),
            seat=_place(row["seat"], f"{at}.seat", width, height),
            port=_place(row["port"], f"{at}.port", width, height) if "port" in row else None,
            other_names=_other_names(row, at),
        )
    return out


def _other_names(row: Mapping[str, object], at: str) -> tuple[str, ...]:
    typed = row.get(other_names.FIELD, [])
    return tuple(other_names.as_other_names(typed, f"{at}.{other_names.FIELD}"))


def _place(value: object, at: str, width: int, height: int) -> Place:
    row = as_object(value, at, ("name", "at"))
    return Place(as_text(row["name"], f"{at}.name"), as_point(row["at"], f"{at}.at", width, height))


def _nations(value: object, known: Facts, width: int, height: int) -> dict[str, NationDrawing]:
    table = as_object(value, "nations")
    same_keys(table, known.nations, "nations")
    out = {}
    for key in known.nations:
        at = f"nations.{key}"
        row = as_object(table[key], at, ("adjective", "pattern", "text", "label"), NATION_OPTIONS)
        if row["pattern"] not in PATTERNS:
            raise Fault(f"{at}.pattern", "one-of", values=PATTERNS)
        out[key] = NationDrawing(
            adjective=as_text(row["adjective"], f"{at}.adjective"),
            pattern=str(row["pattern"]),
            text=as_hex(row["text"], f"{at}.text"),
            label=as_point(row["label"], f"{at}.label", width, height),
            spoken=MappingProxyType(as_spoken(row, at, as_text)),
            other_names=_other_names(row, at),
        )
    return out


def _aliases(value: object, known: Facts) -> dict[str, tuple[str, ...]]:
    table = as_object(value, "aliases")
    same_keys(table, known.armies, "aliases")
    out: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for army in table:
        at = f"aliases.{army}"
        spellings = tuple(as_text(v, f"{at}.{i}") for i, v in enumerate(as_list(table[army], at)))
        if not spellings:
            raise Fault(at, "no-spelling")
        for i, spelling in enumerate(spellings):
            if owner.setdefault(spelling, army) != army:
                raise Fault(f"{at}.{i}", "spelling-twice", army=owner[spelling])
        out[army] = spellings
    return out


def _regions(value: object, width: int, height: int) -> tuple[Region, ...]:
    out: list[Region] = []
    for i, item in enumerate(as_list(value, "regions")):
        at = f"regions.{i}"
        row = as_object(item, at, ("key", "name", "centre", "zoom"))
        key = as_text(row["key"], f"{at}.key")
        if (
            not key.isascii()
            or not key.replace("-", "").isalnum()
            or key == "whole"
            or key in {r.key for r in out}
        ):
            raise Fault(f"{at}.key", "region-key")
        centre = as_point(row["centre"], f"{at}.centre", width, height)
        out.append(
            Region(
                key,
                as_text(row["name"], f"{at}.name"),
                centre,
                as_number(row["zoom"], f"{at}.zoom", 1, 8),
            )
        )
    return tuple(out)


def _names(value: object, where: str) -> tuple[Name, ...]:
    out = []
    for i, item in enumerate(as_list(value, where)):
        at = f"{where}.{i}"
        row = as_object(item, at, ("name", "x", "y", "size", "rotate"))
        x, y, turn = (as_number(row[k], f"{at}.{k}", -9999, 9999) for k in ("x", "y", "rotate"))
        out.append(
            Name(
                as_text(row["name"], f"{at}.name"),
                x,
                y,
                as_number(row["size"], f"{at}.size", 4, 80),
                turn,
            )
        )
    return tuple(out)


def _rivers(value: object) -> tuple[River, ...]:
    out = []
    for i, item in enumerate(as_list(value, "rivers")):
        at = f"rivers.{i}"
        row = as_object(item, at, ("name", "class", "d"))
        if type(row["class"]) is not int or row["class"] not in (1, 2, 3):
            raise Fault(f"{at}.class", "river-class")
        out.append(
            River(as_text(row["name"], f"{at}.name"), row["class"], as_path(row["d"], f"{at}.d"))
        )
    return tuple(out)


def _pairs(value: object, where: str) -> list[tuple[Pair, object]]:
    return [(as_pair(key, where), item) for key, item in as_object(value, where).items()]


def _check_borders(
    touching: Mapping[Pair, tuple[parts.Line, ...]],
    marks: Mapping[str, Mapping[Pair, object]],
    known: Facts,
) -> None:
    """Check that provinces that touch have a border, and that borders touch or are marked."""
    for where, marked in marks.items():
        for pair in marked:
            if pair not in known.borders:
                raise Fault(f"{where}.{'|'.join(pair)}", "no-border")
    for a, b in sorted(
        known.borders - set(touching) - {pair for marked in marks.values() for pair in marked}
    ):
        raise Fault(f"borders.{a}|{b}", "not-drawn")
    for fault in border_faults(touching, known):
        raise fault


def border_faults(touching: Mapping[Pair, tuple[parts.Line, ...]], known: Facts) -> list[Fault]:
    """Return faults for provinces that share more than a corner without a border."""
    return [
        Fault(f"provinces.{a}.d", "touches", other=b)
        for (a, b), lines in touching.items()
        if (a, b) not in known.borders and sum(map(parts.length, lines)) >= BORDER_LENGTH
    ]
