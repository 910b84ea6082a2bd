"""Corner cases of the rules, each worked out by hand from RULES.md.

They are refusals in their order, the queue, mergers, invasions and ends.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.registry import TITLES
from games.situations import Block, blocks, judge

CORNERS = list(blocks((Path(__file__).parent / "corners.md").read_text(encoding="utf-8")))


def test_the_number_of_corner_cases_is_known() -> None:
    assert len(CORNERS) == 62


@pytest.mark.parametrize("block", CORNERS, ids=lambda block: f"line-{block.line}")
def test_a_corner_case(block: Block) -> None:
    name, wrong = judge(TITLES["march_on_rome"], block)
    assert wrong == [], name
