"""The state of a Grand Campaign after a log entry, and the functions that change it."""

from __future__ import annotations

from bisect import insort
from types import TracebackType
from typing import Any, NamedTuple

from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules.numbers import Rules, table
from games.grand_campaign.rules.scenario import Scenario

SLOT_OPENS = Phrase("slot-opens", "3.2")
ACCOUNTS = ("stability", "prestige", "income", "army", "victory_points", "actions")
OWN_ARMY = ("land", "amphibious")
COVERT = "independent"
EDITION = 2
"""The edition of the rules.

Since the second edition, army lists decide whether an escort is barred (7.8).
"""


class Options(NamedTuple):
    """The options of a campaign; the defaults are the meaning of a record without them.

    Attributes:
        hidden: Whether hands are hidden (4.2).
        external_attacks: Whether external provinces may be starting points (6.1).
        diplomat: Which independent provinces a Diplomat wins, `bordering` or `anywhere` (4.8).
        attack_limit: Which attacks count, those of the `turn` or those `running` (7.2).
        edition: The edition of the rules.
    """

    hidden: bool = False
    external_attacks: bool = False
    diplomat: str = "bordering"
    attack_limit: str = "turn"
    edition: int = EDITION


class Nation:
    """A nation's sheet.

    `actions` are half-actions. `opening_stability` is the stability when the slot opened (3.12).
    `own_attack` and `covert_attack` count the attacks of this turn (7.2). `fell` is the turn in
    which a fallen nation fell, None if it is not known. `crumbled` says whether it fell by its
    stability (2.3).
    """

    fell: int | None = None
    crumbled = False

    def __init__(self, key: str, start: dict[str, Any]) -> None:
        self.key = key
        self.stability: int = start["stability"]
        self.prestige: int = start["prestige"]
        self.income: int = start["income"]
        self.army: int = start["army"]
        self.victory_points = 0
        self.actions = 0
        self.hand: list[str] = sorted(start.get("hand", ()))
        self.table: list[str] = []
        self.structures: list[str] = [*start.get("structures", ())]
        self.barracks: bool = start.get("barracks", False)
        self.siege_trains: int = start.get("siege_trains", 0)
        self.fallen = False
        self.keep = False
        self.event = ""
        self.event_actions = 0
        self.tax_increases = 0
        self.opening_stability = 0
        self.spies = 0
        self.own_attack = 0
        self.covert_attack = 0
        self.raided: tuple[str, ...] = ()
        self.raided_before: tuple[str, ...] = ()

    def copy(self) -> Nation:
        new = Nation.__new__(Nation)
        new.__dict__.update(self.__dict__)
        new.hand = self.hand.copy()
        new.table = self.table.copy()
        new.structures = self.structures.copy()
        return new

    def encode(self) -> dict[str, Any]:
        data = self.__dict__ | {
            "raided": list(self.raided),
            "raided_before": list(self.raided_before),
        }
        data = {name: value for name, value in data.items() if name not in ("fell", "crumbled")}
        # The rule allows at most one attack (7.2), so the count is written as yes or no, and as a
        # number only if it is higher.
        return data | {
            name: bool(data[name]) if data[name] < 2 else data[name]
            for name in ("own_attack", "covert_attack")
        }


class Attack:
    """An attack or insurrection.

    `id` counts in the order of launch. The points of both sides are frozen at launch (3.13).
    """

    def __init__(
        self, id: int, kind: str, turn: int, attacker: str, source: str | None, target: str
    ) -> None:
        self.id = id
        self.kind = kind
        self.turn = turn
        self.attacker = attacker
        self.source = source
        self.target = target
        self.defender: str | None = None
        self.leader: str | None = None
        self.battle = "open"
        self.module_attacker: str | None = None
        self.points_attacker = 0
        self.points_defender = 0
        self.status = "challenged"
        self.outcome: str | None = None
        self.siege: str | None = None
        self.siege_train = False
        self.cards_attacker: tuple[str, ...] = ()
        self.cards_defender: tuple[str, ...] = ()
        self.encountered = False
        self.answer: str | None = None
        self.naval = False

    def copy(self) -> Attack:
        new = Attack.__new__(Attack)
        new.__dict__.update(self.__dict__)
        return new

    def encode(self) -> dict[str, Any]:
        return {
            **self.__dict__,
            "cards_attacker": list(self.cards_attacker),
            "cards_defender": list(self.cards_defender),
        }

    @property
    def own_army(self) -> bool:
        """Return whether the attacker leads their own nation's army."""
        return self.kind in OWN_ARMY


class Truce(NamedTuple):
    """A truce of two nations, in alphabetical order, up to the end of turn `until` (4.8)."""

    nations: tuple[str, str]
    until: int


class Posting:
    """A context in which changes are posted together.

    Thresholds compare the levels before all the changes with those after them (2.6).
    """

    __slots__ = ("position", "outer")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.outer = False

    def __enter__(self) -> None:
        self.outer = self.position.before is None
        if self.outer:
            self.position.before = {}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.outer:
            if kind is None:
                settle(self.position)
            self.position.before = None


class Position:
    """The state of RECORD, and the further facts that the rules need.

    `amendments` has the rules after each change in play, with the turn from which they apply.
    """

    def __init__(self, scenario: Scenario, options: Options) -> None:
        self.scenario = scenario
        self.rules: Rules = scenario.rules
        self.amendments: tuple[tuple[int, Rules], ...] = ()
        self.options = options
        self.effects: list[Effect] = []
        self.turn = 0
        self.phase = "setup"
        self.opener = 0
        self.order: list[str] = []
        self.place = 0
        self.slot: str | None = None
        self.nations = {
            key: Nation(key, {**scenario.start, **scenario.given.get(key, {})})
            for key in scenario.order
        }
        self.owner: dict[str, str | None] = {key: p.owner for key, p in scenario.provinces.items()}
        self.fortification: dict[str, int] = dict(scenario.fortification)
        self.fleets: dict[str, int] = dict.fromkeys(scenario.fleets, 0)
        self.attacks: list[Attack] = []
        self.running: list[Attack] = []
        self.attacked: set[str] = set()
        self.sources: set[str] = set()
        self.truces: list[Truce] = []
        self.led_last: str | None = None
        self.standings: list[dict[str, Any]] | None = None
        self.before: dict[str, tuple[int, int, int]] | None = None
        self.bereft: set[str] = set()

    def copy(self) -> Position:
        new = Position.__new__(Position)
        new.__dict__.update(self.__dict__)
        new.effects = []
        new.order = self.order.copy()
        new.nations = {key: nation.copy() for key, nation in self.nations.items()}
        new.owner = self.owner.copy()
        new.fortification = self.fortification.copy()
        new.fleets = self.fleets.copy()
        # Resolved attacks never change again, so only the running attacks are copied.
        new.running = [attack.copy() for attack in self.running]
        new.attacks = self.attacks.copy()
        for attack in new.running:
            new.attacks[attack.id - 1] = attack
        new.attacked = self.attacked.copy()
        new.sources = self.sources.copy()
        new.truces = self.truces.copy()
        new.bereft = self.bereft.copy()
        return new

    def encode(self) -> dict[str, Any]:
        """Return everything that distinguishes this position from others of the same scenario."""
        return {
            "turn": self.turn,
            "phase": self.phase,
            "opener": self.opener,
            "order": self.order,
            "place": self.place,
            "slot": self.slot,
            "nations": {key: nation.encode() for key, nation in self.nations.items()},
            "owner": self.owner,
            "fortification": self.fortification,
            "fleets": self.fleets,
            "attacks": [attack.encode() for attack in self.attacks],
            "attacked": sorted(self.attacked),
            "sources": sorted(self.sources),
            "truces": [[list(t.nations), t.until] for t in self.truces],
            "led_last": self.led_last,
            "standings": self.standings,
            **({} if self.rules is self.scenario.rules else {"rules": self.rules.raw}),
        }

    def finish_move(self) -> None:
        """Open the next slot after one has ended, and close a turn in which nothing is open (1.3).

        The slots of fallen nations are skipped.
        """
        if self.phase == "slots":
            if self.slot is not None:
                if not self.nations[self.slot].fallen:
                    return
                self.slot = None
                self.place += 1
            while self.place < len(self.order):
                key = self.order[self.place]
                if not self.nations[key].fallen:
                    open_slot(self, key)
                    return
                self.place += 1
            self.phase = "battles"
            self.note("turn", None, "battles", Phrase("slots-ended", "1.3"))
        if self.phase == "battles" and not self.running:
            close(self)

    def attacks_counted(self, seat: str, *, covert: bool) -> int:
        """Count the nation's attacks against the limit of 7.2.

        These are the attacks of this turn or, by an option, the unresolved ones.
        """
        nation = self.nations[seat]
        if self.options.attack_limit == "running":
            mine = [attack for attack in self.running if attack.attacker == seat]
            return sum(attack.kind == COVERT if covert else attack.own_army for attack in mine)
        return nation.covert_attack if covert else nation.own_attack

    # Accounts -------------------------------------------------------------------------------------

    def posting(self) -> Posting:
        """Return a context that collects changes.

        Thresholds fire when the outermost context closes.
        """
        return Posting(self)

    def change(self, seat: str, account: str, amount: int, cause: Phrase) -> None:
        """Change an account and write the effect; nothing else changes accounts.

        All accounts except victory points stop at 0.
        """
        nation = self.nations[seat]
        old: int = getattr(nation, account)
        new = old + amount
        if new < 0 and account != "victory_points":
            new = 0
        if new == old:
            return
        if account in WATCHED:
            if self.before is not None:
                self.before.setdefault(seat, (nation.stability, nation.prestige, nation.income))
            elif new < old:  # A rise alone crosses no threshold.
                with Posting(self):
                    self.change(seat, account, amount, cause)
                return
        setattr(nation, account, new)
        self.effects.append(Effect("account", seat, account, cause, new - old, new))

    def spend(self, seat: str, cost: int, cause: Phrase) -> None:
        """Pay half-actions of the slot; the caller has checked that there are enough."""
        self.change(seat, "actions", -cost, cause)

    # Cards ----------------------------------------------------------------------------------------

    def private(self, *seats: str) -> tuple[str, ...] | None:
        """Return the audience of a fact that only these seats may see if hands are hidden (4.2)."""
        return seats if self.options.hidden else None

    def gain_card(
        self,
        seat: str,
        card: str,
        cause: Phrase,
        audience: tuple[str, ...] | None = None,
        zone: str = "hand",
    ) -> None:
        """Add a card to a hand, or to the table in front of its owner."""
        insort(getattr(self.nations[seat], zone), card)
        self.effects.append(Effect("card", seat, card, cause, 1, 0, {"zone": zone}, audience))

    def lose_card(
        self,
        seat: str,
        card: str,
        cause: Phrase,
        audience: tuple[str, ...] | None = None,
        zone: str = "hand",
    ) -> None:
        """Remove a card from the hand or the table."""
        getattr(self.nations[seat], zone).remove(card)
        self.effects.append(Effect("card", seat, card, cause, -1, 0, {"zone": zone}, audience))

    # Provinces ------------------------------------------------------------------------------------

    def set_owner(self, province: str, owner: str | None, cause: Phrase) -> None:
        """Give a province to a nation or make it independent (3.7, 3.10).

        Its fortification and fleet are lost.
        """
        previous = self.owner[province]
        lost = self.fortification.pop(province, 0)
        fleet = self.fleets.pop(province, None) is not None
        self.owner[province] = owner
        facts = {"was": previous, "owner": owner, "fortification_lost": lost, "fleet_lost": fleet}
        self.effects.append(Effect("holding", owner, province, cause, 0, 0, facts))
        if previous is not None:
            self.bereft.add(previous)
            if self.before is None:
                with Posting(self):
                    pass

    def wreck_fleet(self, province: str, cause: Phrase) -> None:
        """Destroy the fleet of the province, if there is one."""
        if self.fleets.pop(province, None) is not None:
            self.effects.append(
                Effect("holding", self.owner[province], province, cause, 0, 0, {"fleet_lost": True})
            )

    def carrier_exists(self, attack: Attack) -> bool:
        """Return whether the fleet that carries the amphibious attack still exists.

        A fleet that was built there since then did not carry the attack (3.12).
        """
        return (
            attack.source is not None and self.fleets.get(attack.source, attack.turn) < attack.turn
        )

    def wreck_carrier(self, attack: Attack, cause: Phrase) -> None:
        """Destroy the fleet that carried an amphibious attack (3.10)."""
        if attack.source is not None and self.carrier_exists(attack):
            self.wreck_fleet(attack.source, cause)

    def provinces_of(self, nation: str) -> list[str]:
        """Return the provinces that a nation owns, in the scenario's order."""
        return [key for key, owner in self.owner.items() if owner == nation]

    def neighbours_land(self, nation: str, province: str) -> bool:
        """Return whether the province borders a province of the nation by land."""
        owner = self.owner
        return any(owner[other] == nation for other in self.scenario.land[province])

    def borders_nation(self, nation: str, other: str) -> bool:
        """Return whether the two nations have a land border."""
        owner, land = self.owner, self.scenario.land
        for province, holder in owner.items():
            if holder == nation:
                for neighbour in land[province]:
                    if owner[neighbour] == other:
                        return True
        return False

    def under_attack(self, province: str) -> bool:
        """Return whether there is an unresolved attack or insurrection on the province."""
        return any(attack.target == province for attack in self.running)

    def truce_between(self, nation: str, other: str) -> bool:
        """Return whether a truce between the two nations is in force."""
        pair = (nation, other) if nation < other else (other, nation)
        return any(truce.nations == pair and truce.until >= self.turn for truce in self.truces)

    def note(
        self, kind: str, holder: str | None, subject: str, cause: Phrase, **facts: Any
    ) -> None:
        """Write an effect other than that of an account, card or holding."""
        self.effects.append(Effect(kind, holder, subject, cause, 0, 0, facts))


# Slots open one after the other; a turn in which nothing is open closes (1.3, 3.2).


def open_slot(position: Position, key: str) -> None:
    """Open a nation's slot: return its cards from the table and grant its actions (3.2, 4.3)."""
    nation = position.nations[key]
    position.slot = key
    nation.opening_stability = nation.stability
    nation.tax_increases = 0
    position.note("slot", key, "opened", SLOT_OPENS)
    for card in list(nation.table):
        position.lose_card(key, card, Phrase("back-to-hand", "4.3"), None, "table")
        position.gain_card(key, card, Phrase("back-to-hand", "4.3"))
    position.change(
        key,
        "actions",
        position.rules.actions(nation.income),
        Phrase("allowance", "3.1", {"income": nation.income}),
    )
    if nation.event_actions:
        position.change(key, "actions", nation.event_actions, Phrase(f"event-{nation.event}", "5"))


def has_slot_to_come(position: Position, key: str) -> bool:
    """Return whether another slot of this nation will open before the campaign ends (1.3)."""
    if position.nations[key].fallen or position.phase == "finished":
        return False
    if position.turn < position.scenario.turns or position.phase not in (
        "slots",
        "battles",
        "closed",
    ):
        return True
    first = position.place + (position.slot is not None)
    return position.phase == "slots" and key in position.order[first:]


def close(position: Position) -> None:
    """Close the turn; the close of the last turn ends the campaign (1.3, 12)."""
    last = position.turn == position.scenario.turns
    position.phase = "finished" if last else "closed"
    position.note(
        "turn",
        None,
        position.phase,
        Phrase("campaign-ends" if last else "turn-closes", "1.3", {"turn": position.turn}),
    )
    if last:
        final_scoring(position)


# Victory: the final scoring and the standings (12).


def final_points(position: Position, key: str) -> list[tuple[str, int]]:
    """Return what the final scoring gives a nation for its present levels, by cause.

    It is a forecast as long as the campaign runs.
    """
    nation, points = position.nations[key], position.rules.points
    levels = sum(
        level
        for province, level in position.fortification.items()
        if position.owner[province] == key
    )
    fleets = sum(1 for province in position.fleets if position.owner[province] == key)
    return [
        ("score-stability", nation.stability * points["stability"]),
        ("score-prestige", nation.prestige * points["prestige"]),
        ("score-fortifications", levels * points["fortification_level"]),
        ("score-barracks", points["barracks"] if nation.barracks else 0),
        ("score-fleets", fleets * points["fleet"]),
    ]


def final_scoring(position: Position) -> None:
    """Post the final scoring for every nation, fallen or not, and note the standings."""
    for key in position.scenario.order:
        for cause, amount in final_points(position, key):
            position.change(key, "victory_points", amount, Phrase(cause, "12"))
    position.standings = standings(position)
    position.note(
        "turn", None, "standings", Phrase("standings", "12"), standings=position.standings
    )


def standings(position: Position) -> list[dict[str, Any]]:
    """Return the standings, best first: by victory points, then income.

    Equal nations share a rank and are in alphabetical order.
    """
    lines = sorted(position.nations.values(), key=lambda n: (-n.victory_points, -n.income, n.key))
    table: list[dict[str, Any]] = []
    for place, nation in enumerate(lines, 1):
        line = {
            "nation": nation.key,
            "victory_points": nation.victory_points,
            "income": nation.income,
            "rank": place,
        }
        if table and (table[-1]["victory_points"], table[-1]["income"]) == (
            nation.victory_points,
            nation.income,
        ):
            line["rank"] = table[-1]["rank"]
        table.append(line)
    return table


# Thresholds, crumbling and falling (2.1 to 2.9).


WATCHED = frozenset({"stability", "prestige", "income"})
LEVELS = ("stability", "prestige", "income")
CRUMBLES_AT = 1


class Threshold(NamedTuple):
    """A level of an account whose crossing downwards changes another account.

    `watched` is the place of the crossed account in LEVELS.
    """

    watched: int
    level: int
    account: str
    change: int
    cause: Phrase


THRESHOLDS = tuple(
    Threshold(
        LEVELS.index(watched), level, account, change, Phrase(f"threshold-{watched}-{level}", rule)
    )
    for watched, level, account, change, rule in table("effects")["thresholds"]
)
WATCHES = tuple((threshold.watched, threshold.level, threshold) for threshold in THRESHOLDS)


def crossed_thresholds(before: tuple[int, int, int], now: tuple[int, int, int]) -> list[Threshold]:
    """Return the thresholds crossed downwards between two states.

    A state is (stability, prestige, income).
    """
    if before[0] <= now[0] and before[1] <= now[1] and before[2] <= now[2]:
        return []
    return [
        threshold
        for watched, level, threshold in WATCHES
        if before[watched] > level >= now[watched]
    ]


def would_crumble(position: Position, seat: str, account: str, change: int) -> bool:
    """Return whether this change and its cascade of thresholds would crumble the nation (3.6)."""
    nation = position.nations[seat]
    values = [nation.stability, nation.prestige, nation.income]
    before = (values[0], values[1], values[2])
    values[LEVELS.index(account)] = max(0, values[LEVELS.index(account)] + change)
    now = (values[0], values[1], values[2])
    start = before[0]
    while crossed := crossed_thresholds(before, now):
        before = now
        for threshold in crossed:
            at = LEVELS.index(threshold.account)
            values[at] = max(0, values[at] + threshold.change)
        now = (values[0], values[1], values[2])
    return start > CRUMBLES_AT >= now[0]


def settle(position: Position) -> None:
    """Apply thresholds until none fires, then crumbling, then the loss of all provinces (2.6)."""
    before = position.before
    assert before is not None
    crumbling = []
    for key in sorted(before) if len(before) > 1 else before:
        nation = position.nations[key]
        previous = before[key]
        start = previous[0]
        now = (nation.stability, nation.prestige, nation.income)
        while crossed := crossed_thresholds(previous, now):
            previous = now
            for threshold in crossed:
                position.change(key, threshold.account, threshold.change, threshold.cause)
            now = (nation.stability, nation.prestige, nation.income)
        if start > CRUMBLES_AT >= now[0] and not nation.fallen:
            crumbling.append(key)
    for key in crumbling:
        fall(position, key, Phrase("crumbles", "2.3", {"nation": key}))
    if position.bereft:
        for key in sorted(position.bereft):
            if not position.nations[key].fallen and key not in position.owner.values():
                fall(position, key, Phrase("without-provinces", "2.9", {"nation": key}))
        position.bereft.clear()


def fall(position: Position, seat: str, cause: Phrase) -> None:
    """Let a nation crumble or fall (2.3, 2.9).

    Its provinces become independent, its cards are lost and its attacks lapse.
    """
    nation = position.nations[seat]
    nation.fallen, nation.fell, nation.crumbled = True, position.turn, cause.id == "crumbles"
    position.note("seat", seat, "fallen", cause)
    for province, owner in position.owner.items():
        if owner == seat:
            position.set_owner(province, None, cause)
    for zone in ("hand", "table"):
        audience = position.private(seat) if zone == "hand" else None
        for card in list(getattr(nation, zone)):
            position.lose_card(seat, card, cause, audience, zone)
    for attack in position.running:
        if seat in (attack.attacker, attack.defender):
            lapse(position, attack, cause)
    position.running = [attack for attack in position.running if attack.status != "resolved"]
    for attack in position.running:
        if attack.leader == seat:
            attack.leader = next_leader(position, attack)
            anew = Phrase("led-anew", "7.9", {"leader": attack.leader, "target": attack.target})
            position.note("attack", attack.leader, str(attack.id), anew)
    if nation.actions:
        position.change(seat, "actions", -nation.actions, Phrase("slot-ends", "2.3"))
    nation.event_actions = 0


def lapse(position: Position, attack: Attack, cause: Phrase) -> None:
    """End an attack without effect."""
    attack.status, attack.outcome = "resolved", "lapsed"
    lapses = Phrase("lapses", cause.rule, {"target": attack.target})
    position.note(
        "attack", attack.attacker, str(attack.id), lapses, outcome="lapsed", target=attack.target
    )


def next_leader(position: Position, attack: Attack) -> str | None:
    """Return the nation that leads the troops of an independent province next (7.9)."""
    order = position.scenario.order
    last = position.led_last
    first = (order.index(last) + 1) % len(order) if last is not None else 0
    able = [
        k
        for k in order[first:] + order[:first]
        if k != attack.attacker and not position.nations[k].fallen
    ]
    if not able:
        return None
    leads = dict.fromkeys(able, 0)
    for other in position.running:
        if other is not attack and other.leader in leads:
            leads[other.leader] += 1
    # `min` returns the first of several nations with the fewest battles.
    chosen: str = min(able, key=leads.__getitem__)
    position.led_last = chosen
    return chosen


def check_actions(position: Position, seat: str, cost: int, rule: str) -> None:
    """Refuse a move for which the nation has too few actions; this is the last check."""
    have = position.nations[seat].actions
    if have < cost:
        raise IllegalMove("not-enough-actions", rule, cost=cost, have=have)
