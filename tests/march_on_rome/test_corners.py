"""Corners of the rules, each worked by hand from RULES.md: refusals in their order, the queue,
mergers, invasions, ends.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.registry import TITLES
from games.situations import Block, blocks, judge

CORNERS = list(blocks((Path(__file__).parent / "corners.md").read_text(encoding="utf-8")))


def test_there_are_so_many() -> None:
    assert len(CORNERS) == 62


@pytest.mark.parametrize("block", CORNERS, ids=lambda block: f"line-{block.line}")
def test_a_corner(block: Block) -> None:
    name, wrong = judge(TITLES["march_on_rome"], block)
    assert wrong == [], name
