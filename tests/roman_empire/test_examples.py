"""The worked examples of RULES, one test each."""

from __future__ import annotations

import json
import re

import pytest

from games.roman_empire.rules.position import HERE
from games.situations import Block, blocks, judge
from tests.roman_empire.table import TITLE

TEXT = (HERE / "RULES.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: block for block in blocks(TEXT) for name in re.findall(r'^\{"id":"([^"]+)"', block.text)
}


def test_there_are_eighteen_examples() -> None:
    assert list(EXAMPLES) == [f"hre-{n:02}" for n in range(1, 19)]
    assert len(list(blocks(TEXT))) == 18


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example(name: str) -> None:
    assert judge(TITLE, EXAMPLES[name]) == (name, [])


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_example_can_fail(name: str) -> None:
    raw = json.loads(EXAMPLES[name].text)
    raw["expect"].setdefault("state", {})["period"] = 77
    (wrong,) = judge(TITLE, Block(json.dumps(raw), 1))[1]
    assert wrong.startswith("period: expected 77, found ")
