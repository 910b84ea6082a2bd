"""A drawing that somebody sends may be the worst there is."""

from __future__ import annotations

import pytest

from games.grand_campaign.drawing import own
from games.grand_campaign.rules.numbers import Fault


def test_the_worst_outlines_that_somebody_may_send_are_compared_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten thousand points on one spot beside ten thousand on the next: as many comparisons as there
    are places.
    """
    asked: list[int] = []
    real = own._close

    def counted(point: own.Point, cells: own.Cells) -> bool:
        asked.append(max(map(len, cells.values())))
        return real(point, cells)

    monkeypatch.setattr(own, "_close", counted)
    dense = [((left, 100), (left + 9, 100)) * 5000 + ((left, 105),) for left in (1000, 1041)]
    one, other = (own.Shape([line], {}, (1600, 1000)) for line in dense)
    assert own.along(one, other) == []
    assert (len(asked) < 20, max(asked) <= 36) == (True, True)
    pairs = [(f"a{n}", f"b{n}") for n in range(own.MOST_APART + 1)]
    assert own.apart(pairs[1:]) == sorted(pairs[1:])
    with pytest.raises(Fault, match="more than 600 borders"):
        own.apart(pairs)
