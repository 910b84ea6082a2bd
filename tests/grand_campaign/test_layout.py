"""Scenarios without a drawing, laid out from borders and sea routes.

The layout is deterministic and shows nothing that is untrue.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from games.grand_campaign.drawing import drawing, parts
from games.grand_campaign.drawing.layout import lay_out
from games.grand_campaign.drawing.parts import facts

pytestmark = pytest.mark.thorough


def scenario(
    n: int, borders: list[tuple[int, int]], routes: list[tuple[int, int]], nations: int = 2
) -> dict[str, Any]:
    """Return a scenario with `n` provinces p0, p1 ….

    The first provinces are capitals; the last one is external if there is room for it.
    """
    owners = [f"n{i}" if i < nations else None for i in range(n)]
    kinds = ["nation" if owner else "independent" for owner in owners]
    if n > nations + 1:
        kinds[-1] = "external"
    return {
        "key": "small",
        "name": "Small",
        "turns": 6,
        "nations": [
            {
                "key": f"n{i}",
                "name": f"Nation {i}",
                "culture": "civilized",
                "army": f"List {i}",
                "capital": f"p{i}",
                "colour": f"#{(i * 37) % 256:02x}{(i * 91) % 256:02x}80",
                "escort": False,
            }
            for i in range(nations)
        ],
        "provinces": [
            {
                "key": f"p{i}",
                "name": f"Province {i}",
                "kind": kinds[i],
                "owner": owners[i],
                "army": f"Local {i}",
            }
            for i in range(n)
        ],
        "borders": [[f"p{a}", f"p{b}"] for a, b in borders],
        "sea_routes": [[f"p{a}", f"p{b}"] for a, b in routes],
    }


def grid(w: int, h: int) -> list[tuple[int, int]]:
    across = [(y * w + x, y * w + x + 1) for y in range(h) for x in range(w - 1)]
    return across + [(y * w + x, y * w + w + x) for y in range(h - 1) for x in range(w)]


SMALL = {
    "two": scenario(2, [(0, 1)], []),
    "ring": scenario(7, [(i, (i + 1) % 7) for i in range(7)], [(0, 3), (2, 5)]),
    "apart": scenario(8, [(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4), (5, 6), (6, 7)], nations=3),
    "star": scenario(12, [(0, i) for i in range(1, 12)], []),
    "grid": scenario(40, grid(8, 5), [(0, 7), (32, 39)], nations=12),
    "everybody": scenario(9, [(a, b) for b in range(9) for a in range(b)], []),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_border_and_route_is_drawn_and_no_other(name: str):
    given = SMALL[name]
    drawn = drawing.for_scenario(given)
    borders = {tuple(sorted(b)) for b in given["borders"]}
    assert drawn.laid_out
    assert list(drawn.provinces) == [p["key"] for p in given["provinces"]]
    assert set(drawn.contacts) <= borders
    assert set(drawn.contacts) | set(drawn.links) == borders
    assert set(drawn.sea_routes) == {tuple(sorted(r)) for r in given["sea_routes"]}


@pytest.mark.parametrize("name", SMALL)
def test_land_lies_inside_the_frame_and_does_not_overlap(name: str):
    drawn = drawing.for_scenario(SMALL[name])
    rings = {key: parts.path_parts(p.d) for key, p in drawn.provinces.items()}
    for key, lines in rings.items():
        assert all(
            0 <= x <= drawn.width * 10 and 0 <= y <= drawn.height * 10
            for line in lines
            for x, y in line
        )
        at = drawn.provinces[key].label
        assert [other for other in rings if parts.inside(rings[other], *at)] == [key]


def test_a_plain_grid_needs_few_links():
    assert len(drawing.for_scenario(SMALL["grid"]).links) <= 12
    assert not drawing.for_scenario(SMALL["ring"]).links


def test_large_maps_have_quarters_and_small_ones_none():
    assert len(drawing.for_scenario(SMALL["grid"]).regions) == 4
    assert drawing.for_scenario(SMALL["ring"]).regions == ()


def test_the_layout_is_the_same_in_every_process():
    here = json.dumps(lay_out(facts(SMALL["apart"])), sort_keys=True)
    assert here == json.dumps(lay_out(facts(SMALL["apart"])), sort_keys=True)
    program = (
        "import json, sys; from games.grand_campaign.drawing.parts import facts;"
        "from games.grand_campaign.drawing.layout import lay_out;"
        "print(json.dumps(lay_out(facts(json.load(sys.stdin))), sort_keys=True))"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(SMALL["apart"]),
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        )
        assert done.stdout.strip() == here


def test_the_order_of_borders_does_not_matter():
    given = SMALL["ring"]
    turned = {
        **given,
        "borders": [b[::-1] for b in given["borders"][::-1]],
        "sea_routes": given["sea_routes"][::-1],
    }
    assert lay_out(facts(turned)) == lay_out(facts(given))


def test_the_shipped_nations_keep_their_patterns():
    given = json.loads(json.dumps(SMALL["apart"]).replace('"n1"', '"huns"'))
    patterns = {key: n.pattern for key, n in drawing.for_scenario(given).nations.items()}
    assert patterns["huns"] == "zigzag"
    assert len(set(patterns.values())) == 3
