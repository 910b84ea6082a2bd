"""The best use of a nation's actions, and the worth of attacks (docs/play/opponents.md).

Programs plan with it until the end of the campaign. It also estimates the nation's final place
among the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, product
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from games.grand_campaign.rules.attacks import siege_holds
from games.grand_campaign.rules.numbers import Rules, table
from games.grand_campaign.rules.position import Attack, Nation, Position, final_points

Raw = dict[str, Any]

NORMAL = NormalDist()
SAFE = 4
"""The stability below which a program does not go by its own choice."""


class Choice(NamedTuple):
    """A move with its expected worth, in victory points or places."""

    worth: float
    raw: Raw


def turns_left(position: Position) -> int:
    """Return the number of turns after this turn."""
    return position.scenario.turns - position.turn


class Bundle(NamedTuple):
    """The use of a slot's actions.

    `build` has the number of further structures on each track; `taxed` says whether taxes rise;
    `left` is the number of unused half-actions; `worth` is what the nation then gains until the
    end, in victory points.
    """

    worth: float
    build: tuple[int, int, int]
    taxed: bool
    left: int


class Plan:
    """A plan of a nation's actions until the end, without battles.

    For every state of its three tracks and every income it has the best that each slot can buy,
    computed from the last turn backwards. It knows the chances of random events (5): a religious
    building that is built too early may be lost in an earthquake.
    """

    TRACKS = ("commercial", "religious", "architecture")

    def __init__(self, rules: Rules, culture: str, turns: int) -> None:
        self.rules, self.turns, points = rules, turns, rules.points
        self.rows = [rules.track(culture, track) for track in self.TRACKS]
        self.costs = [[0, *accumulate(structure.cost for structure in rows)] for rows in self.rows]
        self.income = [0, *accumulate(structure.gain for structure in self.rows[0])]
        worth = [
            [
                structure.points + (structure.gain * points[account] if account else 0)
                for structure in rows
            ]
            for rows, account in zip(self.rows, ("", "stability", "prestige"), strict=True)
        ]
        self.worth = [[0, *accumulate(rows)] for rows in worth]
        self.half = points["stability"] / max(1, rules.costs["tax-exemption"])
        self.events = {
            name: (last - first + 1) / rules.die for first, last, name in rules.raw["events"]
        }
        self.known: dict[tuple[int, ...], float] = {}

    def opening(self, turn: int, income: int, built: tuple[int, int, int]) -> float:
        """Return the expected gain from the opening of this turn to the end, over all events."""
        if turn > self.turns:
            return 0.0
        if turn not in self.rules.event_turns:
            return self._spent(turn, income, built)
        key = (turn, income, *built)
        worth = self.known.get(key)
        if worth is None:
            worth = sum(
                chance * self._after(event, turn, income, built)
                for event, chance in self.events.items()
            )
            self._remember(key, worth)
        return worth

    def _after(self, event: str, turn: int, income: int, built: tuple[int, int, int]) -> float:
        """Return the gain from this event to the end."""
        trade, faith, fame = built
        if event == "earthquake":
            before = max(0, faith - 1)
            return (
                self._spent(turn, income, (trade, before, fame))
                - self.worth[1][faith]
                + self.worth[1][before]
            )
        if event == "commercial-efforts":
            after = min(trade + 1, len(self.rows[0]))
            return self._spent(
                turn, income + self.income[after] - self.income[trade], (after, faith, fame)
            )
        account, amount = table("effects")["events"][event]
        if type(amount) is str:
            talents = self.rules.talents[amount.removeprefix("-")]
            return self._spent(
                turn,
                max(0, income - talents if amount.startswith("-") else income + talents),
                built,
            )
        if account == "actions":
            return self._spent(turn, income, built, amount)
        return self._spent(turn, income, built) + float(amount * self.rules.points[account])

    def _spent(self, turn: int, income: int, built: tuple[int, int, int], more: int = 0) -> float:
        """Return the gain from the actions of this income, and `more`, from the slot to the end."""
        key = (turn, income, *built, more)
        worth = self.known.get(key)
        if worth is None:
            worth = self.slot(
                turn, income, built, max(0, self.rules.actions(income) + more), True
            ).worth
            self._remember(key, worth)
        return worth

    def _remember(self, key: tuple[int, ...], worth: float) -> None:
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        self.known[key] = worth

    def slot(
        self, turn: int, income: int, built: tuple[int, int, int], have: int, may_tax: bool
    ) -> Bundle:
        """Return the best use of these half-actions now, with its consequences until the end."""
        best = Bundle(-1.0, (0, 0, 0), False, have)
        more = self.rules.tax_increase_actions if may_tax else 0
        trade, faith, fame = (list(self._steps(n, at, have + more)) for n, at in enumerate(built))
        for a, b in product(trade, faith):
            if a[1] + b[1] > have + more:
                continue
            for c in fame:
                spent = a[1] + b[1] + c[1]
                if spent > have + more:
                    break
                taxed = spent > have
                left = have + more * taxed - spent
                after = (built[0] + a[0], built[1] + b[0], built[2] + c[0])
                grown = income + self.income[after[0]] - self.income[built[0]]
                worth = (
                    a[2] + b[2] + c[2] + left * self.half - taxed * self.rules.points["stability"]
                )
                worth += self.opening(turn + 1, grown, after)
                if worth > best.worth + 1e-9:
                    best = Bundle(worth, (a[0], b[0], c[0]), taxed, left)
        return best

    def _steps(self, track: int, at: int, have: int) -> Iterator[tuple[int, int, float]]:
        """Yield how many next structures of a track can be bought, their price and worth."""
        costs, worth = self.costs[track], self.worth[track]
        for n in range(len(costs) - at):
            if (price := costs[at + n] - costs[at]) > have:
                return
            yield n, price, worth[at + n] - worth[at]


MOST_KNOWN = 200_000
"""The most states that a plan remembers."""


@lru_cache(maxsize=24)
def plan_of(rules: Rules, culture: str, turns: int) -> Plan:
    return Plan(rules, culture, turns)


class Outlook:
    """A nation's plan in its present slot."""

    def __init__(self, position: Position, nation: Nation, may_tax: bool) -> None:
        culture = position.scenario.nations[nation.key].culture
        self.plan = plan_of(position.rules, culture, position.scenario.turns)
        self.turn, self.income, self.have = position.turn, nation.income, nation.actions
        self.may_tax = may_tax
        a, b, c = (
            sum(structure.name in nation.structures for structure in rows)
            for rows in self.plan.rows
        )
        self.built = (a, b, c)
        self._bundles: dict[int, Bundle] = {}

    def bundle(self, spent: int = 0) -> Bundle:
        """Return the best use of the actions after these half-actions are spent elsewhere."""
        if spent not in self._bundles:
            self._bundles[spent] = self.plan.slot(
                self.turn, self.income, self.built, self.have - spent, self.may_tax
            )
        return self._bundles[spent]

    def gain(self, change: int) -> float:
        """Return the worth of a change of income from the next turn on.

        Between two rows of the table of actions it is a part of a row.
        """

        def mean(income: int) -> float:
            at = [
                self.plan.opening(self.turn + 1, max(0, income + step), self.built)
                for step in (-50, 0, 0, 50)
            ]
            return sum(at) / len(at)

        return mean(self.income + change) - mean(self.income)


def small_purchases(position: Position, nation: Nation) -> Iterator[Choice]:
    """Yield purchases other than structures, with their points for a half-action."""
    rules, seat, have = position.rules, nation.key, nation.actions
    points, costs = rules.points, rules.costs
    if costs["tax-exemption"] <= have:
        low = nation.stability <= SAFE
        yield Choice(
            points["stability"] / max(1, costs["tax-exemption"]) + low,
            {"by": seat, "move": "tax-exemption"},
        )
    for province in position.provinces_of(seat):
        level = position.fortification.get(province, 0)
        if level < len(rules.fortifications) and (row := rules.fortifications[level]).cost <= have:
            near = any(
                position.owner[other] not in (None, seat)
                for other in position.scenario.land[province]
            )
            worth = (points["fortification_level"] + 0.5 * near - 0.1) / max(1, row.cost)
            yield Choice(worth, {"by": seat, "move": "fortify", "province": province})
        if (
            position.scenario.provinces[province].maritime
            and province not in position.fleets
            and costs["fleet"] <= have
        ):
            yield Choice(
                (points["fleet"] - 0.15) / max(1, costs["fleet"]),
                {"by": seat, "move": "fleet", "province": province},
            )


CARD_WORTH = {
    "traitor": 3.0,
    "diplomat": 2.5,
    "chancellor": 2.0,
    "spy": 1.5,
    "reinforcements": 1.2,
    "local-insurrection": 1.0,
    "mercenaries": 0.8,
    "assassin": 0.6,
    "ambush": 0.6,
    "scouts": 0.5,
    "naval-technology": 0.2,
    "bodyguard": 0.1,
}
"""The approximate worth in victory points of a card that its holder can play."""
GAIN = 0.5
"""The least by which a card must be worth more than the card given for it."""


def trades(position: Position, nation: Nation, *, risings: bool) -> Iterator[Raw]:
    """Yield exchanges for cards on others' tables that are worth more, the best first (4.3).

    The nation gives its least valuable card. A program puts no cards on the table, because the
    nation that takes one chooses what to give, and would give its least valuable.
    """

    def worth(card: str) -> float:
        useless = card == "local-insurrection" and not risings
        useless |= (
            card == "mercenaries"
            and nation.army + position.rules.army["mercenaries"] > position.rules.army["full"]
        )
        return 0.0 if useless else CARD_WORTH[card]

    if not nation.hand:
        return
    give = min(nation.hand, key=lambda card: (worth(card), card))
    offered = [
        (worth(card), key, card)
        for key, other in position.nations.items()
        if key != nation.key
        for card in other.table
    ]
    for gain, key, card in sorted(offered, reverse=True):
        if gain >= worth(give) + GAIN:
            yield {"by": nation.key, "move": "take", "from": key, "card": card, "give": give}


# The consequences of a battle, and the nation's final place among the others


ARMY = 0.3
"""The worth of the change of army points by a battle, for each turn that is left."""
HURT = 0.25
"""The worth of a point that another nation loses."""
SURE = 1.0
"""The least worth of an attack beyond what its actions would buy."""


class Outcome(NamedTuple):
    """A possible end of a battle: its chance, and the points of attacker and defender."""

    chance: float
    own: float
    theirs: float


def outcomes(
    position: Position, attack: Attack, win: float, lose: float, outlook: Outlook
) -> list[Outcome]:
    """Return the possible ends of an attack with these chances of victory and defeat.

    They are: the province is taken, it holds in a siege, the attacker loses, and a draw.
    """
    rules, points, target, turns = (
        position.rules,
        position.rules.points,
        attack.target,
        turns_left(position),
    )
    level, army, victory = points["stability"] + points["prestige"], ARMY * turns, points["battle"]
    fleet = points["fleet"] * (target in position.fleets)
    walls = points["fortification_level"] * position.fortification.get(target, 0)
    holds = siege_holds(position, attack) / rules.die
    won, more, lost, drawn = (
        float(points["prestige"] + victory),
        0.0,
        -float(points["prestige"]),
        0.0,
    )
    if attack.own_army:
        won, lost = level + victory + army, -level - army
        more = points["conquest"] + outlook.gain(rules.talents["conquest"])
        drawn = outlook.gain(rules.talents["ravage"])
    return [
        Outcome(win * (1 - holds), won + more, -level - fleet - walls - 0.5 * turns),
        Outcome(win * holds, won, -level - fleet),
        Outcome(lose, lost, level + victory),
        Outcome(1 - win - lose, drawn, 0),
    ]


class Race:
    """The expected end of the last turn.

    It has the lead of each other nation over this nation, and the uncertainty of that lead.
    """

    SLOT, SPREAD, KNOWN = 9.0, 4.0, 1.0
    """The points that a future slot brings another nation, their spread, and the spread without a
    slot.
    """

    def __init__(self, position: Position, seat: str, more: float) -> None:
        waiting = [
            key for key in position.order[position.place + 1 :] if not position.nations[key].fallen
        ]
        mine = self._shown(position, seat) + more
        self.others = {
            key: (
                self._shown(position, key) + self.SLOT * (key in waiting) - mine,
                sqrt(self.KNOWN**2 + self.SPREAD**2 * (key in waiting)),
            )
            for key in position.nations
            if key != seat
        }
        self.now = self.above(0, None, 0)

    def above(self, own: float, rival: str | None, theirs: float) -> float:
        """Return how many nations are expected to end above it.

        It gets `own` more points and the nation `rival` gets `theirs` more.
        """
        return sum(
            NORMAL.cdf((gap - own + theirs * (key == rival)) / spread)
            for key, (gap, spread) in self.others.items()
        )

    @staticmethod
    def _shown(position: Position, key: str) -> int:
        """Return the points of a nation if the campaign ended now."""
        return position.nations[key].victory_points + sum(
            amount for _cause, amount in final_points(position, key)
        )


def worth_of_outcomes(
    ends: list[Outcome], price: float, owner: str | None, race: Race | None
) -> float:
    """Return the worth of an attack with these outcomes beyond its price.

    In a race the worth is the number of places that it wins, otherwise of points.
    """
    if race is not None:
        return race.now - sum(
            chance * race.above(own - price, owner, theirs) for chance, own, theirs in ends
        )
    hurt = HURT * (owner is not None)
    return sum(chance * (own - hurt * theirs) for chance, own, theirs in ends) - price - SURE
