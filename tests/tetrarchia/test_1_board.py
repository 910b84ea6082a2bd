"""The board (1, 4.4) and its drawing: the content of the files."""

from __future__ import annotations

import math

import pytest

from games.tetrarchia.rules.position import (
    ADJACENT,
    BORDER,
    COASTS,
    DIGITS,
    EMPERORS,
    LINKS,
    NUMBERED,
    ONWARD,
    OUTER,
    OUTSIDE,
    PRINTED,
    PROVINCES,
    REGION_NUMERALS,
    REGIONS,
    SPACES,
    TO_ROME,
    VARIANTS,
    data,
)

DRAWING = data("drawing")


def test_1_1_seven_regions_of_six() -> None:
    assert len(PROVINCES) == 42
    assert len(OUTSIDE) == 6
    assert list(REGIONS.values()) == [
        "HISPANIA",
        "GALLIA",
        "ILLYRICVM",
        "GRAECIA",
        "ASIA MINOR",
        "AFRICA",
        "ITALIA",
    ]
    assert list(REGION_NUMERALS.values()) == ["I", "II", "III", "IV", "V", "VI", "IT"]
    for region, numeral in REGION_NUMERALS.items():
        numbers = range(1, 8 if region in BORDER else 7)
        assert [NUMBERED[region, n] for n in numbers] == [
            s.key for s in SPACES.values() if s.region == region
        ]
        assert all(SPACES[NUMBERED[region, n]].coord == f"{numeral} {n}" for n in numbers)
    assert SPACES["belgica"].coord == "II 1"


def test_1_2_links() -> None:
    assert sum(map(len, LINKS.values())) == 2 * 69
    assert sum(broken for near in LINKS.values() for broken in near.values()) == 2 * 25
    for space in OUTSIDE:
        assert list(LINKS[space]) == [NUMBERED[SPACES[space].region, 1]]
    result, todo = {"roma"}, ["roma"]
    while todo:
        new = set(LINKS[todo.pop()]) - result
        result |= new
        todo += new
    assert result == set(SPACES)


def test_1_3_seas() -> None:
    assert ADJACENT == {
        "atlanticum": ("internum",),
        "internum": ("atlanticum", "aegaeum"),
        "aegaeum": ("internum",),
    }
    assert {zone: len(coast) for zone, coast in COASTS.items()} == {
        "atlanticum": 7,
        "internum": 15,
        "aegaeum": 10,
    }
    assert not any(SPACES[space].zone for space in OUTSIDE)


def test_1_6_capitals() -> None:
    assert {key: sorted(of) for key, of in PRINTED.items()} == {
        "bithynia": ["diocletian"],
        "pannonia_inferior": ["galerius"],
        "belgica": ["constantius"],
        "cisalpina": ["maximian"],
        "roma": ["constantius", "diocletian", "galerius", "maximian"],
    }


def test_1_7_emperors_in_the_order_of_their_turns() -> None:
    assert [(e.key, e.rank, e.half, e.colleague) for e in EMPERORS.values()] == [
        ("diocletian", "augustus", "east", "galerius"),
        ("galerius", "caesar", "east", "diocletian"),
        ("constantius", "caesar", "west", "maximian"),
        ("maximian", "augustus", "west", "constantius"),
    ]


def test_3_1_there_are_81_levels() -> None:
    assert math.prod(map(len, DIGITS.values())) == 81
    assert list(DIGITS.values()) == [[5, 4, 3], [3, 2, 1], [0, 1, 2], [0, 1, 2]]
    assert len(VARIANTS) == 5


WAYS = {
    "gaetulia": (
        "tingitana baetica lusitania carthaginensis tarraconensis narbonensis cisalpina etruria"
        " roma"
    ),
    "britannia": (
        "belgica germania_inferior germania_superior lugdunensis aquitania narbonensis cisalpina"
        " etruria roma"
    ),
    "sarmatia": (
        "dacia moesia_superior pannonia_inferior pannonia_superior rhaetia cisalpina etruria roma"
    ),
    "scythia": "moesia_inferior thracia macedonia epirus apulia roma",
    "persia": "syria cilicia cappadocia galatia asia bithynia thracia macedonia epirus apulia roma",
    "nubia": "aegyptus cyrenaica tripolitania africa sicilia apulia roma",
}


@pytest.mark.parametrize("start", WAYS)
def test_4_4_the_ways_of_the_barbarians(start: str) -> None:
    way = [start]
    while way[-1] != "roma":
        assert ONWARD[way[-1]] in LINKS[way[-1]]
        way.append(ONWARD[way[-1]])
    assert way[1:] == WAYS[start].split()
    assert [TO_ROME[space] for space in way] == list(range(len(way)))[::-1]


HINTS = (
    "cisalpina etruria",
    "etruria roma",
    "germania_superior cisalpina",
    "aquitania narbonensis",
    "aquitania lugdunensis",
    "lugdunensis narbonensis",
    "rhaetia pannonia_superior",
    "pannonia_superior cisalpina",
    "pannonia_superior dalmatia",
    "thracia macedonia",
    "macedonia epirus",
)


def test_8_1_the_map_agrees_with_the_source() -> None:
    for pair in HINTS:
        a, b = pair.split()
        assert b in LINKS[a]
    assert LINKS["germania_superior"]["narbonensis"] is False
    assert LINKS["cisalpina"]["narbonensis"] is True
    assert "roma" not in LINKS["cisalpina"]
    assert "lugdunensis" not in LINKS["belgica"]
    assert not {"cisalpina", "etruria", "roma"} & set(LINKS["dalmatia"])
    assert [key for key in LINKS["narbonensis"] if SPACES[key].region == "hispania"] == [
        "tarraconensis"
    ]
    assert [BORDER[region] for region in OUTER] == [
        "gaetulia",
        "britannia",
        "sarmatia",
        "scythia",
        "persia",
        "nubia",
    ]


def test_every_space_is_drawn_once_in_board_order() -> None:
    assert list(DRAWING["spaces"]) == list(SPACES)
    capitals = {e.capital: e.key for e in EMPERORS.values()}
    for key, drawn in DRAWING["spaces"].items():
        space = SPACES[key]
        assert (drawn["coord"], drawn["region"], drawn["zone"] or "") == (
            space.coord,
            space.region,
            space.zone,
        )
        assert (" ".join(drawn["lines"]), drawn["outside"]) == (space.name, space.outside)
        assert (drawn["capital"], drawn["joker"]) == (capitals.get(key), key == "roma")


def test_every_link_is_drawn_as_it_is() -> None:
    drawn = {key: link["broken"] for key, link in DRAWING["links"].items()}
    assert drawn == {f"{link['a']}|{link['b']}": link["broken"] for link in data("board")["links"]}


def test_no_circles_overlap() -> None:
    circles = [drawn["circle"] for drawn in DRAWING["spaces"].values()] + [
        z["fleet"] for z in DRAWING["sea_zones"].values()
    ]
    assert len(circles) == 48 + 3
    for at, (x, y, r) in enumerate(circles):
        assert r >= 26
        assert all(math.dist((x, y), (u, v)) > r + q + 8 for u, v, q in circles[:at])


def test_the_seas_are_drawn() -> None:
    assert list(DRAWING["sea_zones"]) == list(ADJACENT)
    assert {tuple(key.split("|")) for key in DRAWING["sea_borders"]} == {
        ("atlanticum", "internum"),
        ("internum", "aegaeum"),
    }
    assert set(DRAWING["regions"]) == set(REGIONS)
