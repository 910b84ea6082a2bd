"""The best that a nation of the Grand Campaign can do with its actions until the end: programs plan by it (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import Nation, Position


class Bundle(NamedTuple):
    """What a slot spends its actions on: the next structures of each track, whether taxes rise, half-actions that are left;
    `worth` is what the nation then comes to at the end, in victory points."""

    worth: float
    build: tuple[int, int, int]
    taxed: bool
    left: int


class Plan:
    """What a nation's actions come to until the end, played without battles: for every stand of its three tracks and every
    income, the best that each slot can buy, worked out from the last turn back."""

    TRACKS = ("commercial", "religious", "architecture")

    def __init__(self, rules: Rules, culture: str, turns: int) -> None:
        self.rules, self.turns, points = rules, turns, rules.points
        self.rows = [rules.track(culture, track) for track in self.TRACKS]
        self.costs = [[0, *accumulate(one.cost for one in rows)] for rows in self.rows]
        self.income = [0, *accumulate(one.gain for one in self.rows[0])]
        worth = [[one.points + (one.gain * points[account] if account else 0) for one in rows]
                 for rows, account in zip(self.rows, ("", "stability", "prestige"), strict=True)]  # fmt: skip
        self.worth = [[0, *accumulate(rows)] for rows in worth]
        self.half = points["stability"] / max(1, rules.costs["tax-exemption"])
        self.known: dict[tuple[int, ...], float] = {}

    def opening(self, turn: int, income: int, stands: tuple[int, int, int]) -> float:
        """What the nation gains from the opening of this turn's slot to the end."""
        if turn > self.turns:
            return 0.0
        key = (turn, income, *stands)
        if key not in self.known:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            self.known[key] = self.slot(turn, income, stands, self.rules.actions(income), True).worth
        return self.known[key]

    def slot(self, turn: int, income: int, stands: tuple[int, int, int], have: int, may_tax: bool) -> Bundle:
        """The best that these half-actions buy now, what follows included."""
        best = Bundle(-1.0, (0, 0, 0), False, have)
        more = self.rules.tax_increase_actions if may_tax else 0
        trade, faith, fame = (list(self._steps(n, at, have + more)) for n, at in enumerate(stands))
        for a, b in product(trade, faith):
            if a[1] + b[1] > have + more:
                continue
            for c in fame:
                spent = a[1] + b[1] + c[1]
                if spent > have + more:
                    break
                taxed = spent > have
                left = have + more * taxed - spent
                after = (stands[0] + a[0], stands[1] + b[0], stands[2] + c[0])
                grown = income + self.income[after[0]] - self.income[stands[0]]
                worth = a[2] + b[2] + c[2] + left * self.half - taxed * self.rules.points["stability"]
                worth += self.opening(turn + 1, grown, after)
                if worth > best.worth + 1e-9:
                    best = Bundle(worth, (a[0], b[0], c[0]), taxed, left)
        return best

    def _steps(self, track: int, at: int, have: int) -> Iterator[tuple[int, int, float]]:
        """How many of the next structures of a track these half-actions buy, their price and worth."""
        costs, worth = self.costs[track], self.worth[track]
        for n in range(len(costs) - at):
            if (price := costs[at + n] - costs[at]) > have:
                return
            yield n, price, worth[at + n] - worth[at]


MOST_KNOWN = 200_000
"""Stands that a plan remembers."""


@lru_cache(maxsize=24)
def plan_of(rules: Rules, culture: str, turns: int) -> Plan:
    return Plan(rules, culture, turns)


class Outlook:
    """A nation's plan as it stands in its slot."""

    def __init__(self, position: Position, nation: Nation, may_tax: bool) -> None:
        culture = position.scenario.nations[nation.key].culture
        self.plan = plan_of(position.rules, culture, position.scenario.turns)
        self.turn, self.income, self.have = position.turn, nation.income, nation.actions
        self.may_tax = may_tax
        a, b, c = (sum(one.name in nation.structures for one in rows) for rows in self.plan.rows)
        self.stands = (a, b, c)
        self._bundles: dict[int, Bundle] = {}

    def bundle(self, spent: int = 0) -> Bundle:
        """The best that is left after these half-actions went elsewhere."""
        if spent not in self._bundles:
            self._bundles[spent] = self.plan.slot(self.turn, self.income, self.stands, self.have - spent, self.may_tax)
        return self._bundles[spent]

    def gain(self, change: int) -> float:
        """What a change of income is worth from the next turn on; between two rows of the table of actions a part of a row."""

        def mean(income: int) -> float:
            at = [self.plan.opening(self.turn + 1, max(0, income + step), self.stands) for step in (-50, 0, 0, 50)]
            return sum(at) / len(at)

        return mean(self.income + change) - mean(self.income)
