"""Uploaded drawings of the worst possible kind."""

from __future__ import annotations

import pytest

from games.grand_campaign.drawing import own_drawing
from games.grand_campaign.rules.numbers import Fault


def test_the_worst_possible_outlines_are_compared_quickly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten thousand points on one spot lie beside ten thousand on the next.

    There are as many comparisons as places.
    """
    asked: list[int] = []
    real = own_drawing._close

    def counted(point: own_drawing.Point, cells: own_drawing.Cells) -> bool:
        asked.append(max(map(len, cells.values())))
        return real(point, cells)

    monkeypatch.setattr(own_drawing, "_close", counted)
    dense = [((left, 100), (left + 9, 100)) * 5000 + ((left, 105),) for left in (1000, 1041)]
    one, other = (own_drawing.Shape([line], {}, (1600, 1000)) for line in dense)
    assert own_drawing.along(one, other) == []
    assert (len(asked) < 20, max(asked) <= 36) == (True, True)
    pairs = [(f"a{n}", f"b{n}") for n in range(own_drawing.MOST_APART + 1)]
    assert own_drawing.apart(pairs[1:]) == sorted(pairs[1:])
    with pytest.raises(Fault, match="more than 600 borders"):
        own_drawing.apart(pairs)
