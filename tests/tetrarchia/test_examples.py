"""The worked examples of RULES, one test each."""

from __future__ import annotations

import json
import re

import pytest

from games.situations import Block, blocks, judge
from games.tetrarchia.rules.position import HERE
from tests.tetrarchia.table import TITLE

TEXT = (HERE / "RULES.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: block for block in blocks(TEXT) for name in re.findall(r'^\{"id":"([^"]+)"', block.text)
}


def test_there_are_nineteen_examples() -> None:
    assert list(EXAMPLES) == [f"tet-{n:02}" for n in range(1, 20)]
    assert len(list(blocks(TEXT))) == 19


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example(name: str) -> None:
    assert judge(TITLE, EXAMPLES[name]) == (name, [])


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_example_can_fail(name: str) -> None:
    raw = json.loads(EXAMPLES[name].text)
    raw["expect"].setdefault("state", {})["round"] = 77
    (wrong,) = judge(TITLE, Block(json.dumps(raw), 1))[1]
    assert wrong.startswith("round: expected 77, found ")
