"""The history of a game: its board after any entry."""

from __future__ import annotations

import re
from typing import Any

from tests.tetrarchia.test_web import alone, pytestmark

__all__ = ["alone", "pytestmark"]


def figure(page: str, emperor: str) -> str:
    """Return the space of an Emperor according to the table of the board."""
    (row,) = re.findall(
        rf'<tr><th scope="row">([^<]+)</th><td>(?:(?!</td>).)*data-nation="{emperor}"[^>]*><span'
        r' class="swatch"></span>\w+<',
        page,
    )
    return row


def test_the_board_after_any_entry_is_shown(alone: Any) -> None:
    alone.post("ada", do="place_fleets", zones="internum-aegaeum")
    alone.post("ada", do="enter", at="bithynia")
    entered = alone.campaign.entries.order_by("sequence").last().number
    alone.post("ada", do="move", path="thracia")
    then, now = (alone.text("ada", f"history/?at={n}") for n in (entered, entered + 1))
    assert [figure(page, "diocletian") for page in (then, now)] == ["BITHYNIA", "THRACIA"]
    assert "?at=thracia" not in now
    assert 'method="post"' not in now.partition('id="main"')[2].partition("<footer")[0], (
        "nothing is decided here"
    )
    assert "Order of play" not in now
