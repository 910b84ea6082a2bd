"""The shipped scenario and its drawing, which are complete and agree with each other.

Faults are reported exactly.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from games.grand_campaign.drawing import drawing, parts
from games.grand_campaign.rules.numbers import Fault
from games.grand_campaign.scenarios import build

pytestmark = pytest.mark.thorough

FOLDER = drawing.SCENARIOS / "420ad"
SCENARIO: dict[str, Any] = json.loads((FOLDER / "scenario.json").read_text(encoding="utf-8"))
DOCUMENT: dict[str, Any] = json.loads((FOLDER / "drawing.json").read_text(encoding="utf-8"))


def test_the_scenario_is_whole_and_has_the_records_keys_only():
    assert (SCENARIO["key"], SCENARIO["name"], SCENARIO["turns"]) == (
        "420ad",
        "420 AD Grand Campaign",
        6,
    )
    assert set(SCENARIO) == {
        "key",
        "name",
        "turns",
        "nations",
        "provinces",
        "borders",
        "sea_routes",
    }
    assert (len(SCENARIO["provinces"]), len(SCENARIO["borders"]), len(SCENARIO["sea_routes"])) == (
        90,
        184,
        46,
    )
    assert {frozenset(n) for n in SCENARIO["nations"]} == {
        frozenset({"key", "name", "culture", "army", "capital", "colour", "escort"})
    }
    assert all(
        set(p) - {"maritime"} == {"key", "name", "kind", "owner", "army"}
        for p in SCENARIO["provinces"]
    )


def test_both_files_are_what_their_sources_make():
    assert build.written(build.scenario()) == (FOLDER / "scenario.json").read_text(encoding="utf-8")
    assert build.written(build.drawing()) == (FOLDER / "drawing.json").read_text(encoding="utf-8")


def test_the_drawing_shows_all_of_the_scenario():
    drawn = drawing.for_scenario(SCENARIO)
    borders = {tuple(sorted(b)) for b in SCENARIO["borders"]}
    assert len(drawn.provinces) == 90
    assert set(drawn.contacts) | set(drawn.straits) == borders
    assert set(drawn.sea_routes) == {tuple(sorted(r)) for r in SCENARIO["sea_routes"]}
    assert not drawn.laid_out
    assert [r.name for r in drawn.regions] == ["West", "Danube", "East", "Persia", "India"]
    assert {k for k, p in drawn.provinces.items() if p.port} == {
        k for r in SCENARIO["sea_routes"] for k in r
    }
    assert all(p.seat.name for p in drawn.provinces.values())
    assert drawn.nations["huns"].adjective == "Hunnic"


def test_every_army_list_has_its_spellings():
    drawn = drawing.for_scenario(SCENARIO)
    lists = {x["army"] for x in [*SCENARIO["nations"], *SCENARIO["provinces"]]}
    assert set(drawn.aliases) == lists
    assert all(army in spellings for army, spellings in drawn.aliases.items())
    assert "Hunnic (Western) 376-454 AD" in drawn.aliases["Hunnic Western 376-454 AD"]
    assert "Hunnic (Hephthalite) 350-570 AD" in drawn.aliases["Hephtalites 350-570 AD"]


def test_the_result_is_cached_and_cannot_be_changed():
    drawn = drawing.for_scenario(SCENARIO)
    assert drawing.for_scenario(copy.deepcopy(SCENARIO)) is drawn
    with pytest.raises(TypeError):
        drawn.provinces["hunnia"] = drawn.provinces["italia-annonaria"]  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        drawn.land = ""  # type: ignore[misc]


def test_other_owners_on_the_same_map_use_its_drawing():
    other = copy.deepcopy(SCENARIO)
    other["key"] = "421ad"
    other["provinces"][5].update(kind="independent", owner=None)
    assert not drawing.for_scenario(other).laid_out


def without(*path: str) -> Callable[[Any], None]:
    def damage(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return damage


def put(value: object, *path: Any) -> Callable[[Any], None]:
    def damage(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return damage


HUNNIA = ("provinces", "hunnia")
DAMAGE = {
    "provinces.hunnia": without(*HUNNIA),
    "provinces.utopia": lambda d: d["provinces"].update(utopia=d["provinces"]["hunnia"]),
    "provinces.hunnia.d": put("M1 1l2 2 alert", *HUNNIA, "d"),
    "provinces.hunnia.label": put([10, 10], *HUNNIA, "label"),
    "provinces.hunnia.label.0": put([float("nan"), 10], *HUNNIA, "label"),
    "provinces.hunnia.label.1": put([10, 5000], *HUNNIA, "label"),
    "provinces.hunnia.lines": put([], *HUNNIA, "lines"),
    "provinces.hunnia.lines.0": put([7], *HUNNIA, "lines"),
    "provinces.hunnia.size": put(True, *HUNNIA, "size"),
    "provinces.hunnia.seat": without(*HUNNIA, "seat"),
    "provinces.hunnia.seat.name": put("  ", *HUNNIA, "seat", "name"),
    "provinces.hunnia.seat.at": put([1, 1], *HUNNIA, "seat", "at"),
    "provinces.hunnia.port": put({"name": "None", "at": [1, 1]}, *HUNNIA, "port"),
    "provinces.sicilia.port": without("provinces", "sicilia", "port"),
    "provinces.hunnia.colour": put("red", *HUNNIA, "colour"),
    "nations.huns": without("nations", "huns"),
    "nations.huns.pattern": put("stars", "nations", "huns", "pattern"),
    "nations.huns.text": put("url(x)", "nations", "huns", "text"),
    "nations.huns.adjective": without("nations", "huns", "adjective"),
    "aliases.Alan 25-650 AD": without("aliases", "Alan 25-650 AD"),
    "aliases.Pictish 210-476 AD.0": put(["Alan 25-650 AD"], "aliases", "Pictish 210-476 AD"),
    "aliases.Nobody": put(["x"], "aliases", "Nobody"),
    "sea_routes.belgica|britannia": without("sea_routes", "belgica|britannia"),
    "sea_routes.hunnia|sicilia": put("M1 1l2 2", "sea_routes", "hunnia|sicilia"),
    "sea_routes.sicilia|hunnia": put("M1 1l2 2", "sea_routes", "sicilia|hunnia"),
    "borders.asia|thracia": without("straits", "asia|thracia"),
    "straits.hunnia|sicilia": put([1, 1], "straits", "hunnia|sicilia"),
    "regions.0.key": put("whole", "regions", 0, "key"),
    "regions.1.zoom": put(0, "regions", 1, "zoom"),
    "rivers.0.class": put(4, "rivers", 0, "class"),
    "sea_names.0.size": put("big", "sea_names", 0, "size"),
    "land_names.0.name": put(None, "land_names", 0, "name"),
    "viewBox": put([0, 0, "1600", 964], "viewBox"),
    "land": put("", "land"),
    "lakes": without("lakes"),
    "notes": put("?", "notes"),
}


@pytest.mark.long
@pytest.mark.parametrize("key", DAMAGE)
def test_a_damaged_drawing_names_its_key(key: str):
    document = copy.deepcopy(DOCUMENT)
    DAMAGE[key](document)
    with pytest.raises(Fault) as caught:
        drawing.parse(document, SCENARIO)
    assert caught.value.where == key
    assert str(caught.value).startswith(f"{key}: ")


SCENARIO_DAMAGE = {
    "provinces.utopia": (
        lambda s: s["provinces"].append({**s["provinces"][0], "key": "utopia", "name": "Utopia"})
    ),
    "provinces.baetica": lambda s: (
        put([r for r in s["borders"] if "baetica" not in r], "borders")(s)
        or put([r for r in s["sea_routes"] if "baetica" not in r], "sea_routes")(s)
        or put([p for p in s["provinces"] if p["key"] != "baetica"], "provinces")(s)
        or put("lusitania", "nations", 5, "capital")(s)
    ),
    "borders.hunnia|sicilia": lambda s: s["borders"].append(["sicilia", "hunnia"]),
    "provinces.acatziria.d": lambda s: s["borders"].remove(["acatziria", "alania"]),
    "sea_routes.asia|italia-annonaria": (
        lambda s: s["sea_routes"].append(["italia-annonaria", "asia"])
    ),
    "sea_routes.britannia|gallaecia": lambda s: s["sea_routes"].remove(["britannia", "gallaecia"]),
    "aliases.Elves": put("Elves", "provinces", 3, "army"),
    "scenario.borders": without("borders"),
    "scenario.borders.0": put(["hunnia", "hunnia"], "borders", 0),
    "scenario.borders.1": put(["hunnia", "nowhere"], "borders", 1),
    "scenario.provinces.2.key": put("baetica", "provinces", 2, "key"),
    "scenario.provinces.baetica.kind": put("vassal", "provinces", 0, "kind"),
    "scenario.provinces.baetica.owner": put("elves", "provinces", 0, "owner"),
    "scenario.nations.huns.capital": put("atlantis", "nations", 1, "capital"),
    "scenario.provinces.4": put([], "provinces", 4),
}


@pytest.mark.parametrize("key", SCENARIO_DAMAGE)
def test_a_damaged_scenario_names_its_key(key: str):
    scenario = copy.deepcopy(SCENARIO)
    SCENARIO_DAMAGE[key](scenario)
    with pytest.raises(Fault) as caught:
        drawing.parse(DOCUMENT, scenario)
    assert caught.value.where == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("{", "drawing"),
        ("[]", "drawing"),
        ('{"land": "", "land": ""}', "land"),
        ("[" * 9999, "drawing"),
    ],
)
def test_a_file_that_is_no_drawing_says_so(text: str, key: str):
    with pytest.raises(Fault) as caught:
        drawing.read(text, SCENARIO)
    assert caught.value.where == key


def test_outlines_read_what_they_write():
    for province in DOCUMENT["provinces"].values():
        rings = parts.path_parts(province["d"])
        assert parts.path_parts("".join(parts.path(r, closed=True) for r in rings)) == rings
    assert not parts.is_path("M1 1l2 2\n")
    assert not parts.is_path('M1 1"/><script>')
    assert [parts.area(line) for line in parts.path_parts("M0 0l10 0 0 10zM5 5l-1 0 0 2 1 0z")] == [
        5000,
        200,
    ]


def test_lines_with_fewer_points_still_lie_on_each_other():
    """Two squares share a wavy line, read from either side; there are an island and the coast."""
    left = "M0 0l10 0 0.1 5-0.1 5-10 0z"
    right = "M10 0l10 0 0 10-10 0 0.1-5z"
    island = "M30 0l1 0 1 0 0 2-2 0z"
    both = "M10 0l0.1 5-0.1 5"
    assert parts.thinned([left, right, island, both], 2.0) == [
        "M10 0l0 10-10 0 0-10z",
        "M10 0l10 0 0 10-10 0z",
        "M30 0l2 0 0 2-2 0z",
        "M10 0l0 10",
    ]
    assert parts.thinned([left, both], 0.5) == ["M10 0l0.1 5-0.1 5-10 0 0-10z", both]
    tiny = "M0 0l0.1 0.1-0.1 0.1z"
    assert parts.thinned([tiny], 5.0) == [tiny]
    assert parts.thinned(["M0.1 0.2l0.6 4-0.3 5.2", "M0.4 9.4l0 5", tiny], 0.1, 5) == [
        "M0 0l0.5 4 0 5.5",
        "M0.5 9.5l0 5",
        tiny,
    ]
