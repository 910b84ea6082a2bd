"""RECORD, Later additions: any value in any place gets a state or an error, never a traceback."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from engine.dice import chain
from games.replay import replay
from tests.grand_campaign.table import OPEN, record, slots
from tests.grand_campaign.test_later_dice import OTHER, renewal, table
from tests.grand_campaign.test_later_resume import resume, taken
from tests.grand_campaign.test_later_sheets import amend, assets, begun, fort, ships, structures

JUNK = (None, True, -1, 10**30, 1.5, "\ud800", [], [[]], {"amber": None})
CODES = {
    "malformed-record",
    "bad-argument",
    "unknown-nation",
    "unknown-province",
    "unknown-move",
    "not-allowed",
    "not-your-slot",
}
CODES |= {"no-dice", "wrong-phase"}
SHEET = {"hand": ["spy"], "structures": ["shrines"], "barracks": True, "siege_trains": 1}
WALLS = {"fortification": "walls", "fleet": True}
RECORDS = {
    "resume": taken(
        resume(
            2,
            {"amber": SHEET},
            {"a2": {"owner": "amber", **WALLS}},
            truces=[{"nations": ["amber", "birch"], "until": 3}],
            targets={"amber": ["b2"]},
            appointed="birch",
        ),
        OPEN,
    ),
    "amend": record(
        slots(1),
        amend(costs={"fleet": 1}, religious=[["shrines", 1, 2, 0]], attacks_per_turn={"overt": 2}),
        OPEN,
    ),
    "sheets": record(
        structures("gymnasia"),
        assets(barracks=False, siege_trains=2),
        fort("a2", "walls"),
        ships("a2"),
        **begun(SHEET, WALLS, "a3"),
    ),
    "dice": table(
        renewals=[renewal(seed=OTHER, links=chain(OTHER, 6)[:2])],
        mixed={"2": {"draw": "x", "phrases": {"amber": "y"}}},
    ),
}
NEW = {"moves", "renewals", "mixed", "start", "fortification", "fleet"}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield every place in a record that the additions have introduced."""
    if NEW & set(path):
        yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inner:
        if key not in ("fixed", "borders", "sea_routes"):
            yield from places(part, (*path, key))


@pytest.mark.parametrize("name", RECORDS)
def test_anything_in_any_place_is_answered(name: str) -> None:
    assert "error" not in replay(RECORDS[name])
    answers = 0
    for path in places(RECORDS[name]):
        for junk in JUNK:
            written = copy.deepcopy(RECORDS[name])
            inner: Any = written
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = junk
            answer = replay(written)
            assert "error" not in answer or answer["error"]["code"] in CODES, (path, junk, answer)
            answers += 1
    assert answers > 100
