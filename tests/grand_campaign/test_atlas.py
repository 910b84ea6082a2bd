"""The map as SVG: it shows the state, and no markup can be injected."""

from __future__ import annotations

import copy
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from games.grand_campaign.drawing import atlas, drawing, parts

SCENARIO: dict[str, Any] = json.loads(
    (drawing.SCENARIOS / "420ad" / "scenario.json").read_text(encoding="utf-8")
)
DRAWING = drawing.for_scenario(SCENARIO)
HOSTILE = """"><script>alert('&')</script>"""


def start(scenario: dict[str, Any] = SCENARIO) -> Any:
    holdings = {
        p["key"]: {"owner": p["owner"], "fortification": None, "fleet": False}
        for p in scenario["provinces"]
    }
    return {"provinces": holdings, "attacks": []}


def attack(
    number: int, kind: str, attacker: str, source: str | None, target: str, status: str = "fighting"
) -> dict[str, Any]:
    return {
        "number": number,
        "kind": kind,
        "attacker": attacker,
        "from": source,
        "target": target,
        "status": status,
    }


def small(province: str = "Alba", **nation: Any) -> dict[str, Any]:
    first = {
        "key": "albans",
        "name": "Albans",
        "culture": "civilized",
        "army": "A",
        "capital": "alba",
        "colour": "#8040c0",
        "escort": False,
        **nation,
    }
    other = {**first, "key": "others", "name": "Others", "capital": "ostia", "colour": "#c0a000"}
    return {
        "key": "small",
        "name": "Small",
        "turns": 3,
        "nations": [first, other],
        "provinces": [
            {"key": "alba", "name": province, "kind": "nation", "owner": "albans", "army": "A"},
            {"key": "ostia", "name": "Ostia", "kind": "nation", "owner": "others", "army": "B"},
            {"key": "veii", "name": "Veii", "kind": "independent", "owner": None, "army": "C"},
        ],
        "borders": [["alba", "ostia"], ["alba", "veii"]],
        "sea_routes": [["ostia", "veii"]],
    }


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def by_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [e for e in tree(svg).iter() if name in e.get("class", "").split()]


def frontier(state: Any) -> str:
    return by_class(atlas.map_svg(DRAWING, SCENARIO, state), "m-frontier")[0].get("d", "")


def test_every_province_is_a_link_with_name_and_owner():
    links = list(tree(atlas.map_svg(DRAWING, SCENARIO, start())).iter("a"))
    assert len(links) == 90
    content = {e.get("href"): e.get("aria-label") for e in links}
    assert content["#p-hunnia"] == "Hunnia, Huns"
    assert content["#p-viennensis"] == "Viennensis, independent"
    assert content["#p-serica"] == "Serica, external"


def test_a_long_name_of_a_nation_is_cut_on_the_whole_map():
    scenario = copy.deepcopy(SCENARIO)
    for nation in scenario["nations"]:
        if nation["key"] == "huns":
            nation["name"] = "Völkerwanderungsgemeinschaft"
    names = by_class(atlas.map_svg(DRAWING, scenario, start()), "m-nations")[0]
    assert {e.text for e in names} == {
        "Hephtalites",
        "Völkerwanderu…",
        "Kushans",
        "Romans",
        "Sassanids",
        "Vandals",
    }


def test_links_are_the_callers_or_none():
    svg = atlas.map_svg(DRAWING, SCENARIO, start(), links=lambda key: f"?a=1&p={key}")
    assert 'href="?a=1&amp;p=hunnia"' in svg
    assert not list(tree(atlas.map_svg(DRAWING, SCENARIO, start(), links=False)).iter("a"))


def test_an_owner_is_an_attribute_and_moves_the_frontier():
    before = start()
    after = copy.deepcopy(before)
    after["provinces"]["dalmatia"]["owner"] = "huns"
    assert frontier(before) != frontier(after)
    shared = DRAWING.contacts["dalmatia", "italia-annonaria"]
    assert shared not in frontier(before)
    assert shared in frontier(after)
    assert DRAWING.contacts["dalmatia", "pannonia"] not in frontier(after)
    owners = [
        e.get("data-nation") for e in by_class(atlas.map_svg(DRAWING, SCENARIO, after), "m-prov")
    ]
    assert owners.count("huns") == sum(p["owner"] == "huns" for p in SCENARIO["provinces"]) + 1
    assert owners.count("external") == 12


def test_arrows_carry_kind_status_and_number():
    state = start()
    state["attacks"] = [
        attack(13, "land", "huns", "pannonia", "dalmatia"),
        attack(14, "independent", "hephtalites", "cappadocia", "asia", "challenged"),
        attack(15, "amphibious", "vandals", "baetica", "tingitana"),
        attack(16, "insurrection", "romans", None, "media"),
        attack(12, "land", "huns", "pannonia", "dalmatia", "resolved"),
    ]
    svg = atlas.map_svg(DRAWING, SCENARIO, state)
    assert [
        (e.get("data-kind"), e.get("data-nation"), e.get("data-status"))
        for e in by_class(svg, "arrow")
    ] == [
        ("land", "huns", "fighting"),
        ("independent", "hephtalites", "challenged"),
        ("amphibious", "vandals", "fighting"),
        ("insurrection", "romans", "fighting"),
    ]
    assert [e.findtext("text") for e in by_class(svg, "arrow__no")] == ["13", "14", "15", "16"]


def test_two_attacks_from_one_place_do_not_share_a_number_token():
    state = start()
    state["attacks"] = [attack(n, "land", "huns", "pannonia", "dalmatia") for n in (1, 2, 3)]
    spots = {
        (e[0].get("cx"), e[0].get("cy"))
        for e in by_class(atlas.map_svg(DRAWING, SCENARIO, state), "arrow__no")
    }
    assert len(spots) == 3


def test_fortifications_by_level_fleets_and_capitals():
    state = start()
    state["provinces"]["dalmatia"]["fortification"] = "walls"
    state["provinces"]["africa"]["fortification"] = 3
    state["provinces"]["sicilia"]["fleet"] = True
    svg = atlas.map_svg(DRAWING, SCENARIO, state)
    forts = by_class(svg, "m-fort")
    assert sorted((f.get("data-level"), f.findtext("title")) for f in forts) == [
        ("2", "Walls"),
        ("3", "Great Walls"),
    ]
    assert [f.get("data-nation") for f in by_class(svg, "m-fleet")] == ["romans"]
    assert len(by_class(svg, "m-star")) == 6
    state["provinces"]["hunnia"]["owner"] = None
    assert len(by_class(atlas.map_svg(DRAWING, SCENARIO, state), "m-star")) == 5


def test_other_names_of_fortifications():
    state = start() | {"levels": ["ditch", "high-keep"]}
    state["provinces"]["dalmatia"]["fortification"] = "high-keep"
    assert (
        by_class(atlas.map_svg(DRAWING, SCENARIO, state), "m-fort")[0].findtext("title")
        == "High Keep"
    )


def test_highlights_selection_and_window():
    svg = atlas.map_svg(
        DRAWING,
        SCENARIO,
        start(),
        highlight=["viennensis", "burgundia"],
        selected="dalmatia",
        window=(295, 292, 3.5),
        uid="n",
    )
    assert len(by_class(svg, "m-lit")) == 2
    assert by_class(svg, "m-selected")[0].get("href") == "#n-dalmatia"
    assert "transform:scale(3.5) translate(505px,190px)" in by_class(svg, "map__world")[0].get(
        "style", ""
    )


def test_what_has_changed_is_marked():
    svg = atlas.map_svg(DRAWING, SCENARIO, start(), changed=["dalmatia"])
    assert [e.get("href") for e in by_class(svg, "m-changed")] == ["#m-dalmatia"]


def test_what_moves_is_the_same_in_the_map_and_alone():
    after = start()
    after["provinces"]["dalmatia"]["owner"] = "huns"
    after["attacks"] = [attack(13, "land", "huns", "pannonia", "dalmatia")]
    whole, alone = (
        atlas.map_svg(DRAWING, SCENARIO, after, links=False, moving=moving)
        for moving in (False, True)
    )
    groups = {
        e.get("data-now"): ElementTree.tostring(e)
        for e in tree(whole).iter("g")
        if e.get("data-now")
    }
    assert {e.get("data-now"): ElementTree.tostring(e) for e in tree(alone)} == groups
    assert set(groups) == {"owners", "borders", "over"}
    assert static(whole) == static(atlas.map_svg(DRAWING, SCENARIO, start(), links=False))


def static(svg: str) -> bytes:
    """Return the map without its moving parts."""
    created = tree(svg)
    for parent in list(created.iter()):
        for child in list(parent):
            if child.get("data-now"):
                parent.remove(child)
    return ElementTree.tostring(created)


def test_a_window_contains_its_provinces():
    x, y, zoom = atlas.window_on(DRAWING, ["dalmatia", "pannonia"])
    for key in ("dalmatia", "pannonia"):
        at = DRAWING.provinces[key].label
        assert abs(at[0] - x) < 800 / zoom
        assert abs(at[1] - y) < 320 / zoom


def test_ids_are_unique_and_every_reference_has_its_target():
    root = tree(atlas.map_svg(DRAWING, SCENARIO, start(), uid="k"))
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {e.get("href", "")[1:] for e in root.iter("use")} <= set(ids)


def test_the_file_has_every_shape_that_a_map_uses_and_maps_use_few():
    """Each shape costs the browser time.

    There is one for each province, and three more if it has an owner.
    """
    text, _name = atlas.outlines(DRAWING)
    known = {e.get("id") for e in ElementTree.fromstring(text).iter()}
    state = start()
    asked = [
        e.get("href", "")
        for e in tree(atlas.map_svg(DRAWING, SCENARIO, state, file="/maps/a.svg")).iter("use")
    ]
    assert {address.split("#")[1] for address in asked} <= known
    assert all(address.startswith("/maps/a.svg#o-") for address in asked)
    owned = sum(row["owner"] is not None for row in state["provinces"].values())
    assert (owned, len(asked)) == (
        39,
        90 + 3 * 39 + 12 + 14,
    )  # external land is hatched; waves, land and lines: 14


def test_frontiers_lie_on_the_lines_of_the_file():
    state = start()
    path = by_class(atlas.map_svg(DRAWING, SCENARIO, state, file="/maps/a.svg"), "m-frontier")[
        0
    ].get("d", "")
    shapes = {
        e.get("id"): e.get("d", "")
        for e in ElementTree.fromstring(atlas.outlines(DRAWING)[0]).iter()
    }
    read = (parts.read(d) for d in (path, shapes["o--borders"]))
    spots = [
        {(round(x, 1), round(y, 1)) for line, _closed in lines for x, y in line} for lines in read
    ]
    assert len(spots[0]) > 400
    assert spots[0] <= spots[1]


def test_hostile_names_stay_text():
    scenario = small(HOSTILE, name=HOSTILE)
    svg = atlas.map_svg(
        drawing.for_scenario(scenario),
        scenario,
        start(scenario),
        title=HOSTILE,
        links=lambda _: HOSTILE,
    )
    assert "<script" not in svg
    root = tree(svg)
    assert root.findtext("title") == HOSTILE
    assert {e.tag for e in root.iter()}.isdisjoint({"script"})
    assert root.find(".//a").get("href") == HOSTILE  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "colour", ["red;background:url(//x)", "#12345", "#123456;x", 7, None, '#12345"']
)
def test_only_a_colour_becomes_style(colour: Any):
    scenario = small(colour=colour)
    styles = atlas.nation_styles(drawing.for_scenario(scenario), scenario)
    assert styles["albans"].startswith("--fill:var(--n-7);")
    assert styles["others"].startswith("--fill:#c0a000;")


def test_colours_too_alike_take_the_spare_ones_in_order():
    scenario = small(colour="#c0a004")
    scenario["nations"].reverse()
    styles = atlas.nation_styles(drawing.for_scenario(scenario), scenario)
    assert styles["albans"].startswith("--fill:var(--n-7);")


def test_the_six_shipped_nations_need_no_style():
    assert set(atlas.nation_styles(DRAWING, SCENARIO).values()) == {""}


def test_a_laid_out_scenario_is_drawn_with_its_own_colours():
    scenario = small()
    svg = atlas.map_svg(drawing.for_scenario(scenario), scenario, start(scenario))
    assert "--fill:#8040c0;" in svg
    assert len(by_class(svg, "m-prov")) == 3
    assert len(list(tree(svg).iter("a"))) == 3


def test_the_context_of_the_template():
    context = atlas.framed_map(DRAWING, SCENARIO, start())
    assert [region.key for region in context.regions] == [
        "west",
        "danube",
        "east",
        "persia",
        "india",
    ]
    assert context.style.startswith(
        "--z1:2.5;--x1:500px;--y1:112px;--z2:2.6;--x2:180px;--y2:162px;"
    )
    assert atlas.framed_map(DRAWING, SCENARIO, start(), window=(1, 1, 2)).crop


def test_the_state_of_a_record_can_be_drawn():
    record = {
        "provinces": start()["provinces"],
        "attacks": [
            {
                **attack(0, "land", "huns", "pannonia", "dalmatia"),
                "id": 4,
                "points": {},
                "outcome": None,
            },
            {**attack(0, "land", "huns", "pannonia", "dalmatia", "resolved"), "id": 3},
        ],
    }
    state = atlas.from_record(record)
    assert [a["number"] for a in state["attacks"]] == [4]
    assert len(by_class(atlas.map_svg(DRAWING, SCENARIO, state), "arrow")) == 1
    assert [a["number"] for a in state["fought"]] == [3]
    both = atlas.map_svg(DRAWING, SCENARIO, state, fought=True)
    assert len(by_class(both, "arrow")) == 2
    assert both.index('class="m-fought"') < both.index('data-status="resolved"')
    assert atlas.framed_map(DRAWING, SCENARIO, state, fought=True).fought is True
    assert atlas.framed_map(DRAWING, SCENARIO, start(), fought=True).fought is False


def test_the_table_of_provinces_says_what_the_map_shows():
    state = start()
    state["provinces"]["dalmatia"].update(owner="huns", fortification="walls")
    state["attacks"] = [attack(5, "land", "romans", "italia-annonaria", "dalmatia")]
    rows = {r.key: r for r in atlas.provinces_table(DRAWING, SCENARIO, state)}
    assert len(rows) == 90
    assert [r.name for r in rows.values()] == sorted(
        (r.name for r in rows.values()), key=str.casefold
    )
    dalmatia = rows["dalmatia"]
    assert (dalmatia.owner_name, dalmatia.army, dalmatia.local_army) == (
        "Huns",
        "Hunnic Western 376-454 AD",
        next(p["army"] for p in SCENARIO["provinces"] if p["key"] == "dalmatia"),
    )
    assert (dalmatia.level, dalmatia.fortification, dalmatia.attacks) == (2, "Walls", [5])
    assert rows["italia-annonaria"].starting_point == [5]
    assert rows["italia-annonaria"].capital_of == "romans"
    assert "pannonia" in dalmatia.by_land
