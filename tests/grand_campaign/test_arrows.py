"""Arrows that avoid the names, for every attack that the shipped map allows."""

from __future__ import annotations

import json

import pytest

from games.grand_campaign.drawing import atlas, drawing

SCENARIO = json.loads((drawing.SCENARIOS / "420ad" / "scenario.json").read_text(encoding="utf-8"))
DRAWING = drawing.for_scenario(SCENARIO)
NAMES = dict(zip(DRAWING.provinces, atlas.names(DRAWING), strict=True))
ATTACKS = [
    pair for way in ("borders", "sea_routes") for a, b in SCENARIO[way] for pair in ((a, b), (b, a))
]

# Where capitals are close together there is no way around: the line touches one name, which can
# still be read.
NO_WAY_ROUND = 12


@pytest.fixture(scope="module")
def ways() -> dict[tuple[str, str], atlas.Way]:
    assert len(ATTACKS) == 460
    return {pair: atlas.attack_path(DRAWING, *pair) for pair in ATTACKS}


def test_no_number_lies_on_a_name(ways: dict[tuple[str, str], atlas.Way]) -> None:
    assert [
        pair
        for pair, way in ways.items()
        for box in NAMES.values()
        if atlas.within(box, way.start, 7)
    ] == []


def test_lines_and_heads_keep_off_the_names(ways: dict[tuple[str, str], atlas.Way]) -> None:
    crossed = {}
    for pair, way in ways.items():
        spots = [way.at(k / 60) for k in range(61)] + list(way.head)
        crossed[pair] = {
            key for key, box in NAMES.items() if any(atlas.within(box, spot, 1) for spot in spots)
        }
    result = {pair: names for pair, names in crossed.items() if names}
    assert len(result) <= NO_WAY_ROUND, result
    assert all(len(names) == 1 for names in result.values()), result


def test_every_arrow_ends_at_the_seat_or_inside_its_province(
    ways: dict[tuple[str, str], atlas.Way],
) -> None:
    for (_, target), way in ways.items():
        x, y = DRAWING.provinces[target].seat.at
        assert (way.end[0] - x) ** 2 + (way.end[1] - y) ** 2 <= 27**2


def test_an_insurrection_comes_from_beside_the_seat() -> None:
    for key, place in DRAWING.provinces.items():
        way = atlas.attack_path(DRAWING, None, key)
        assert abs(way.start[0] - place.seat.at[0]) < 60
        assert abs(way.start[1] - place.seat.at[1]) < 60


def test_many_attacks_at_once_have_numbers_of_their_own() -> None:
    tokens: list[tuple[float, float]] = []
    for number, (source, target) in enumerate(ATTACKS[:40:4]):
        attack = {
            "number": number,
            "kind": "land",
            "attacker": "huns",
            "from": source,
            "target": target,
            "status": "fighting",
        }
        atlas.arrow(attack, DRAWING, tokens, "")
    assert all(
        (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= 20**2
        for n, a in enumerate(tokens)
        for b in tokens[:n]
    )
