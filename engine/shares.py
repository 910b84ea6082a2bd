"""Shares of a whole as whole per cents that add up to 100."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def whole_percents(shares: Sequence[Fraction | float], least: int = 1) -> list[int]:
    """Return each share in whole per cent, rounded by the largest remainder: together they are 100.

    The result for a share above 0 is at least `least`. Shares that do not add up to 1 are rounded
    one by one.
    """
    if not shares or abs(float(sum(shares)) - 1) > 1e-6:
        return [round(float(share) * 100) for share in shares]
    exact = [share * 100 for share in shares]
    percents = [max(int(share), least if share > 0 else 0) for share in exact]
    while (missing := 100 - sum(percents)) != 0:
        step = 1 if missing > 0 else -1
        free = [
            n for n, share in enumerate(exact) if share > 0 and (step > 0 or percents[n] > least)
        ]
        if not free:
            break
        place = max(free, key=lambda n: (step * (exact[n] - percents[n]), -n))
        percents[place] += step
    return percents
