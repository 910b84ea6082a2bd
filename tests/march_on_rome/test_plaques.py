"""The plaques of the map: standards, garrisons and chances cover neither names nor each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from engine.language import use_language
from games.contract.pages import Reader
from games.march_on_rome.drawing.map import Standard, armies_on_map, draw
from games.march_on_rome.drawing.plaques import (
    SCALES,
    Box,
    Plaque,
    anchor,
    chance_size,
    name_box,
)
from games.march_on_rome.page.composing import document
from games.march_on_rome.page.pages import MarchPages
from games.march_on_rome.rules.position import PROVINCES
from games.march_on_rome.text.words import general_name
from tests.march_on_rome.table import SCENARIO
from tests.march_on_rome.test_digest import reign

READER = Reader(("pc",), {}, True)


def choices(seeds: range, last: int) -> Iterator[Any]:
    """Yield the positions in which the player chooses an action, up to a year."""
    for seed in seeds:
        seen = set[int]()
        for position, _ in reign(seed):
            if position.turn > last:
                break
            chooses = position.phase == "pc" and not position.pending
            if chooses and position.turn not in seen:
                seen.add(position.turn)
                yield position


def plaques_on_map(position: Any) -> list[Plaque]:
    """Return all plaques of the page of a position."""
    standards = [
        Standard(general, general_name(SCENARIO, general), legions)
        for general, legions in position.legions.items()
    ]
    armies = armies_on_map(position.owner, position.garrison, standards)
    shown = document(position, READER, MarchPages.asked_now(position, READER))
    chances = [
        Plaque(key, (target["plaque"]["x"], target["plaque"]["y"]), chance_size(target["chance"]))
        for key, target in shown["targets"].items()
    ]
    return [*armies.standards.values(), *armies.garrisons.values(), *chances]


def overlap(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


@pytest.mark.parametrize(
    ("seeds", "last", "language"),
    [
        (range(12), 1, "en"),
        (range(3), 30, "de"),
        pytest.param(range(40), 30, "en", marks=pytest.mark.nightly),
    ],
    ids=["starts", "reigns", "many reigns"],
)
def test_no_plaque_covers_a_name_or_another_plaque(seeds: range, last: int, language: str) -> None:
    number = 0
    with use_language(language):
        for position in choices(seeds, last):
            number += 1
            plaques = plaques_on_map(position)
            for k in SCALES:
                boxes = [(plaque.province, plaque.box(k)) for plaque in plaques]
                names = [(key, name_box(key, k)) for key in PROVINCES]
                pairs = [*combinations(boxes, 2), *product(boxes, names)]
                for (here, box), (there, other) in pairs:
                    assert not overlap(box, other), (position.turn, k, here, there)
    assert number >= len(seeds)


def test_outlines_are_drawn_below_names_and_plaques() -> None:
    owner = dict.fromkeys(PROVINCES, "lost") | {"italy": "pc", "gaul": "senate"}
    text = draw(
        owner,
        {"gaul": 1},
        [Standard("pc", "Albinus", 6)],
        lambda holder, province: holder,
        lit=["gaul", "noricum"],
        selected="gaul",
        title="The map",
    )
    outlines = [match.start() for match in re.finditer('class="m-(lit|selected)"', text)]
    above = [text.index(f'class="{name}') for name in ("m-routes", "m-label", "m-std")]
    assert len(outlines) == 3
    assert max(outlines) < min(above)


def test_a_plaque_lies_beside_the_name_of_its_province() -> None:
    plaque = Plaque("gaul", (0.0, 20.0), chance_size("97%"))
    x, y = anchor("gaul")
    assert plaque.box(1.0) == Box(x - 19, y + 9, x + 19, y + 31)
