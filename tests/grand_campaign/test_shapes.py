"""Shapes of foreign files that become provinces.

The tests cover what is read, how neighbours are found, and what is refused.
"""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
from typing import Any

import pytest

from campaign.scenarios import check_scenario
from games.grand_campaign.drawing import coverage, parts
from games.grand_campaign.drawing.drawing import shipped_document
from games.grand_campaign.drawing.shapes import read_shapes, transform
from games.grand_campaign.rules.numbers import Fault
from games.grand_campaign.rules.scenario import load
from games.registry import TITLES

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg"'
    ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">'
)
# Two fields side by side, drawn 0.2 apart; a corner of a third over the second; an island whose
# name is only on its group; a frame.
CLEAN = f"""<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
{HEAD}<defs><path id="Unseen" d="M0 0h5v5z"/></defs>
<rect id="sheet" x="-5" y="-5" width="160" height="110"/>
<g transform="translate(10 20) scale(2)"><rect width="20" height="20" inkscape:label="Campi Magni" id="rect12"/>
<polygon data-name="Silva" points="20.1,0 40,0 40,20 20.1,20"/></g>
<path d="M10 60h40v20H10z"><title>Palus</title></path>
<g id="Insula"><path id="path77" transform="rotate(90 130 80)" d="M120 75h20v10h-20z"/></g>
<circle cx="110" cy="40" r="8"/><path fill="none" d="M0 0L100 100"/><path style="display:none" d="M0 0h9v9z"/>
<use href="#Unseen"/></svg>"""  # noqa: E501


def svg(*elements: str) -> bytes:
    return f"{HEAD}{''.join(elements)}</svg>".encode()


def test_the_shapes_of_an_svg_with_their_names_and_transforms() -> None:
    shapes = read_shapes(CLEAN.encode())
    assert shapes.faults == ()
    assert [(outline.name, outline.number, outline.ground) for outline in shapes.outlines] == [
        ("sheet", 1, True),
        ("Campi Magni", 2, False),
        ("Silva", 3, False),
        ("Palus", 4, False),
        ("Insula", 5, False),
        ("", 6, False),
    ]
    assert (shapes.lines, shapes.copies) == (1, 1)
    assert shapes.outlines[1].rings == (((10, 20), (50, 20), (50, 60), (10, 60)),)
    turned = [(round(x, 6), round(y, 6)) for x, y in shapes.outlines[4].rings[0]]
    assert turned == [(135, 70), (135, 90), (125, 90), (125, 70)]
    assert transform("translate(1,2) skewX(45) matrix(1 0 0 1 3 0)") == pytest.approx(
        (1, 0, 1, 1, 4, 2)
    )


def test_a_clean_file_is_a_scenario_without_faults() -> None:
    shapes = read_shapes(CLEAN.encode())
    names = ["", "Campi Magni", "Silva", "Palus", "Insula", "Rotunda"]
    laid = coverage.lay(shapes, names)
    # The lines that lay apart have been joined, so nothing is reported.
    assert laid.borders == (("Campi Magni", "Palus"), ("Campi Magni", "Silva"))
    assert laid.troubles == ()
    bundle = coverage.as_bundle(laid, "Parva Res")
    scenario = bundle["scenario"]
    assert (scenario["key"], [row["key"] for row in scenario["provinces"]]) == (
        "parva-res",
        ["campi-magni", "silva", "palus", "insula", "rotunda"],
    )
    assert scenario["borders"] == [["campi-magni", "palus"], ["campi-magni", "silva"]]
    assert scenario["sea_routes"] == [["insula", "rotunda"], ["rotunda", "silva"]]
    assert [(row["capital"], row["army"]) for row in scenario["nations"]] == [
        ("campi-magni", "Army to be chosen"),
        ("insula", "Army to be chosen"),
    ]
    assert check_scenario(TITLES["grand_campaign"], json.dumps(bundle)).faults == []


def test_nested_groups_with_long_styles_take_no_memory_for_each_child() -> None:
    # 157 kB: forty nested groups with three thousand properties between them, and 9,000 children in
    # the last.
    groups = "".join(
        f'<g style="{";".join(f"a{n:02}{k:02}:1" for k in range(76))}">' for n in range(38)
    )
    bomb = svg(groups, "<g/>" * 9_000, "</g>" * 38)
    tracemalloc.start()
    try:
        shapes = read_shapes(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [str(fault) for fault in shapes.faults] == [NO_SHAPE]
    assert peak < 20_000_000


def test_fill_is_inherited_and_what_is_not_seen_is_left_out() -> None:
    line = '<path d="M0 0L9 0L9 9"/>'
    data = svg(
        f'<g style="fill : none; stroke:red"><g>{line}<g fill="red">{line}</g></g></g>{line}',
        f'<g visibility="hidden">{line}</g><g style="display:none">{line}</g>',
    )
    shapes = read_shapes(data)
    assert (len(shapes.outlines), shapes.lines, shapes.faults) == (2, 1, ())


def test_shapes_of_one_name_are_one_province_and_a_covered_shape_is_reported() -> None:
    data = svg(
        '<rect id="A" width="10" height="10"/>',
        '<rect id="B" x="20" width="10" height="10"/>',
        '<rect id="C" x="2" y="2" width="3" height="3"/>',
    )
    laid = coverage.lay(read_shapes(data), ["A", "A", "C"])
    assert [(name, len(area.geoms)) for name, area in laid.areas.items()] == [("A", 2), ("C", 1)]
    # C lies within A. It is the smaller shape, so the land belongs to it.
    assert [(trouble.kind, trouble.names) for trouble in laid.troubles] == [("overlap", ("A", "C"))]
    assert laid.borders == (("A", "C"),)
    twice = svg(
        *(f'<rect id="{name}" width="10" height="10"/>' for name in "AB"),
        '<rect id="C" x="10" width="9" height="9"/>',
    )
    laid = coverage.lay(read_shapes(twice))
    assert (laid.covered, laid.borders) == (("B",), (("A", "C"),))
    with pytest.raises(Fault, match="B") as wrong:
        coverage.as_bundle(laid, "Twice")
    assert wrong.value.message == "shape-covered"
    assert coverage.as_bundle(coverage.lay(read_shapes(twice), ["A", "", "C"]), "Once")["scenario"][
        "borders"
    ] == [["a", "c"]]


def test_gaps_and_holes_are_reported_with_place_and_size() -> None:
    data = svg(
        '<path id="Ring" d="M0 0H100V100H0z M40 40H44V44H40z"/>',
        '<rect id="East" x="100.9" width="99" height="100"/>',
    )
    laid = coverage.lay(read_shapes(data))
    # 1,600 units are 215.892 of the file's; the gap of 0.9 is 6.6 of them, too wide to be one line.
    assert [(trouble.kind, trouble.names) for trouble in laid.troubles] == [
        ("hole", ("Ring",)),
        ("open", ("East", "Ring")),
    ]
    assert [(trouble.wide, trouble.high) for trouble in laid.troubles] == [
        (29.6, 29.6),
        (6.6, 740.1),
    ]
    assert laid.borders == ()


def test_neighbours_that_were_drawn_apart_meet_again() -> None:
    """Every point of every province of the shipped map is moved by up to half a unit.

    The same borders are found.
    """
    scenario = load("420ad").raw
    document: Any = shipped_document(scenario)
    chance = random.Random(4)
    elements = []
    for key, row in document["provinces"].items():
        d = ""
        for line in parts.path_parts(row["d"]):
            points = [
                (x / 10 + chance.uniform(-0.5, 0.5), y / 10 + chance.uniform(-0.5, 0.5))
                for x, y in line
            ]
            d += "M" + " ".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"
        elements.append(f'<path id="{key}" d="{d}"/>')
    bundle = coverage.as_bundle(coverage.lay(read_shapes(svg(*elements))), "Again")
    drawn = {tuple(pair) for pair in bundle["scenario"]["borders"]}
    known = {tuple(sorted(pair)) for pair in scenario["borders"]}
    # These two share only a corner, of eight units.
    assert drawn ^ known == {("bosporus", "iberia")}
    assert check_scenario(TITLES["grand_campaign"], json.dumps(bundle)).faults == []


def test_geojson_is_projected_at_its_middle_latitude() -> None:
    def square(west: float, south: float) -> list[list[list[float]]]:
        return [
            [
                [west, south],
                [west + 10, south],
                [west + 10, south + 10],
                [west, south + 10],
                [west, south],
            ]
        ]

    features = [
        {
            "type": "Feature",
            "properties": {"NAME": "Ultima"},
            "geometry": {"type": "Polygon", "coordinates": square(0, 55)},
        },
        {
            "type": "Feature",
            "properties": {"name": " Thule "},
            "geometry": {"type": "MultiPolygon", "coordinates": [square(10, 55)]},
        },
        {
            "type": "Feature",
            "properties": None,
            "id": "Insula",
            "geometry": {"type": "Polygon", "coordinates": square(25, 55)},
        },
        {
            "type": "Feature",
            "properties": {"name": "Via"},
            "geometry": {"type": "LineString", "coordinates": [[0, 1], [2, 3]]},
        },
    ]
    shapes = read_shapes(json.dumps({"type": "FeatureCollection", "features": features}).encode())
    assert [outline.name for outline in shapes.outlines] == ["Ultima", "Thule", "Insula"]
    assert (shapes.faults, shapes.lines) == ((), 1)
    # At 60° a degree of longitude is half as long as one of latitude; north is up.
    assert [(round(x, 9), y) for x, y in shapes.outlines[0].rings[0][:3]] == [
        (0, -55),
        (5, -55),
        (5, -65),
    ]
    laid = coverage.lay(shapes)
    assert laid.borders == (("Thule", "Ultima"),)
    assert (
        check_scenario(
            TITLES["grand_campaign"], json.dumps(coverage.as_bundle(laid, "Septentrio"))
        ).faults
        == []
    )


ENTITIES = "file: declares entities of its own, which are not read: save it as plain SVG"
NO_SHAPE = (
    "file: has no closed shape in it: draw each province as a path, polygon, rectangle, circle or "
    "ellipse"
)
NO_GEOJSON = (
    "file: is not usable GeoJSON: it must be a FeatureCollection of Polygons or MultiPolygons"
)
LAUGHS = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b"", ["file: is neither SVG nor GeoJSON"]),
        (b"<svg", ["file: is not well-formed XML, line 1, column 1"]),
        (b"<html/>", ["file: is XML, but not SVG: it begins with html"]),
        (f"{LAUGHS}<svg><title>&b;</title></svg>".encode(), [ENTITIES]),
        (f"{OUTSIDE}<svg>&a;</svg>".encode(), [ENTITIES]),
        (
            gzip.compress(b"<svg/>", mtime=0),
            ["file: is compressed: save it as plain .svg or .geojson"],
        ),
        (b"<svg>" + b" " * 2_000_000, ["file: is larger than 2 MB"]),
        (svg("<g>" * 50, "</g>" * 50), ["file: has groups nested more than 40 deep"]),
        (svg("<g/>" * 20_001), ["file: has more than 20000 elements"]),
        (svg('<rect width="1" height="1"/>' * 151), ["file: has more than 150 shapes"]),
        (
            svg('<g transform="warp(3)"/>'),
            ["file.transform: has a transform that SVG does not know: warp(3)"],
        ),
        (svg("<text>Roma</text>"), [NO_SHAPE]),
        (
            svg(
                '<path id="Roma" d="M0 0L5 5"/>',
                '<path d="M0 0 R 5"/>',
                '<rect id="Ostia" width="9mm" height="1"/>',
                '<path id="Alba" d="M0 0h9999999v5z"/>',
            ),
            [
                "shapes.1 (Roma): encloses no land",
                "shapes.2: has a character at 5 that is not allowed in a path",
                "shapes.3 (Ostia): has a length that is not a plain number: width",
                "shapes.4 (Alba): has a number at 6 that is too large",
            ],
        ),
        (b'{"type": "Topology"}', ["file: is TopoJSON: save it as GeoJSON"]),
        (b'{"a": 1, "a": 2}', ["the key 'a' appears twice in one object"]),
        (b"[" * 100_000, ["nested too deeply"]),
        (b'{"type": "FeatureCollection", "features": 3}', [NO_GEOJSON]),
        (
            json.dumps(
                {
                    "type": "GeometryCollection",
                    "geometries": [
                        {"type": "Polygon", "coordinates": [[[0, True]]]},
                        {"type": "Circle"},
                        {"type": "Polygon", "coordinates": [[[0, 10**10], [1, 1], [2, 2]]]},
                    ],
                }
            ).encode(),
            [
                "shapes.1: has coordinates that are not lists of two numbers",
                "shapes.2: is of the kind Circle; it must be Polygon or MultiPolygon",
                "shapes.3: leads too far outside the drawing",
            ],
        ),
    ],
)
def test_hostile_or_invalid_shapes_are_reported_by_name(data: bytes, faults: list[str]) -> None:
    assert [str(fault) for fault in read_shapes(data).faults] == faults


def test_files_that_would_take_too_long_are_refused() -> None:
    chance = random.Random(1)
    scribble = (
        "M"
        + " ".join(
            f"{chance.uniform(0, 100):.2f} {chance.uniform(0, 100):.2f}" for _ in range(1000)
        )
        + "Z"
    )
    with pytest.raises(Fault) as wrong:
        coverage.lay(
            read_shapes(
                svg(f'<path id="A" d="{scribble}"/>', '<rect id="B" x="200" width="9" height="9"/>')
            )
        )
    assert wrong.value.message in ("file-tangled", "outlines-too-long")
    small = (
        "M"
        + " ".join(f"{chance.uniform(0, 12):.2f} {chance.uniform(0, 12):.2f}" for _ in range(3000))
        + "Z"
    )
    with pytest.raises(Fault) as tangled:
        coverage.lay(
            read_shapes(
                svg(f'<path id="A" d="{small}"/>', '<rect id="B" x="200" width="9" height="9"/>')
            )
        )
    assert tangled.value.message == "file-tangled"
    assert [str(fault) for fault in read_shapes(CLEAN.encode(), seconds=-1).faults] == [
        "file: takes too long to read: simplify it"
    ]


def test_hexagons_become_provinces() -> None:
    rows = ["..AAB", "..ABB", ".CCBB", "CCC..", "....D"]
    cells = {
        (q, r): sign for r, row in enumerate(rows) for q, sign in enumerate(row) if sign != "."
    }
    bundle = coverage.from_hexes(cells, "Hexagons")
    assert bundle["scenario"]["borders"] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert bundle["scenario"]["sea_routes"] == [["b", "d"]]
    assert coverage.hexagon(1, 1) == [(78, 15), (104, 30), (104, 60), (78, 75), (52, 60), (52, 30)]
    assert check_scenario(TITLES["grand_campaign"], json.dumps(bundle)).faults == []
    with pytest.raises(Fault) as wrong:
        coverage.from_hexes({(0, 0): "A"}, "One")
    assert wrong.value.message == "too-few-shapes"
