"""Attacks of one's own army and covert ones, and the levy (3.11, 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.rules.construction import afford
from games.grand_campaign.rules.form import Reader, SlotMove, a_province, bad, cards, flag, one_of, register
from games.grand_campaign.rules.levels import next_leader
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import OWN_ARMY, Attack, Position

BATTLES = ("open", "flank-march", "remove-the-head", "escort-baggage-train")
ESCORT = "escort-baggage-train"
COVERT = "independent"
NO_COVERT_ATTACK, NO_ATTACK = 3, 2
"""Stability up to which a nation makes no covert attack (2.1), and none at all (2.2)."""

KINDS = (*OWN_ARMY, COVERT)


@register("provincial-levy")
class ProvincialLevy(SlotMove):
    """Replenishes a depleted army (3.11)."""

    def check(self, position: Position) -> None:
        nation, rules = position.nations[self.seat], position.rules
        if not nation.barracks:
            raise IllegalMove("no-barracks", "3.11")
        if nation.army >= rules.army["full"]:
            raise IllegalMove("army-not-depleted", "3.11", army=nation.army, full=rules.army["full"])
        afford(position, self.seat, rules.costs["provincial-levy"], "3.11")

    def apply(self, position: Position, dice: Dice) -> None:
        nation, rules = position.nations[self.seat], position.rules
        cause = Say("provincial-levy", "3.11")
        position.spend(self.seat, rules.costs["provincial-levy"], cause)
        position.change(self.seat, "army", min(rules.army["levy"], rules.army["full"] - nation.army), cause)


def attack_cost(position: Position, kind: str, target: str, rules: Rules | None = None) -> int:
    """Half-actions an attack of this kind on this target costs (7.1, 2.7), by the rules in force or by others."""
    rules = rules or position.rules
    owner = position.owner[target]
    if kind == COVERT and owner is not None and position.nations[owner].prestige >= rules.prestigious:
        return rules.costs["independent-prestigious"]
    return rules.costs[kind]


def trains_free(position: Position, who: str) -> int:
    """The siege trains that go with no unresolved attack (3.9)."""
    away = sum(1 for attack in position.running if attack.siege_train and attack.attacker == who)
    return max(0, position.nations[who].siege_trains - away)


@register("attack")
class LaunchAttack(SlotMove):
    """Launches a land, amphibious or independent attack (7.1 to 7.7)."""

    form: ClassVar[dict[str, Reader]] = {
        "kind": one_of(*KINDS),
        "from": a_province,
        "target": a_province,
        "battle": one_of(*BATTLES),
        "siege_train": flag,
        "cards": cards,
    }
    kind: str
    source: str
    target: str
    battle: str = "open"
    siege_train: bool = False
    cards: tuple[str, ...] = ()

    def admit(self, position: Position) -> None:
        if self.battle == ESCORT and "ambush" not in self.cards:
            raise bad("escort-needs-ambush")
        if self.kind == COVERT and self.siege_train:
            raise bad("covert-siege-train")
        if self.kind == COVERT and "reinforcements" in self.cards:
            raise bad("covert-reinforcements")
        SlotMove.admit(self, position)

    def check(self, position: Position) -> None:
        self._ownership(position)
        external(position, self.source, self.target, self.kind == COVERT)
        capital(position, self.target)
        self._way(position)
        starting_point(position, self.source)
        target(position, self.target)
        if self.target in position.nations[self.seat].raided_before:
            raise IllegalMove("repeat-attack", "7.6", province=self.target, next_turn=position.turn + 1)
        truce(position, self.seat, position.owner[self.target])
        self._cards(position)
        self._limits(position)
        afford(position, self.seat, attack_cost(position, self.kind, self.target), "7.1")

    def _ownership(self, position: Position) -> None:
        source, target = position.owner[self.source], position.owner[self.target]
        if self.kind == COVERT:
            if source is not None:
                raise IllegalMove("not-independent", "7.1", "source-not-independent", province=self.source)
        elif source != self.seat:
            raise IllegalMove("not-owner", "7.1", province=self.source, nation=self.seat)
        if target == self.seat:
            raise IllegalMove("own-province", "7.1", province=self.target)
        if self.kind == COVERT and target is None and self.target not in position.scenario.external:
            raise IllegalMove("not-allowed", "7.1", "covert-on-independent", province=self.target)

    def _way(self, position: Position) -> None:
        """The way from the starting point to the target (7.1, 3.12)."""
        scenario = position.scenario
        neighbour = self.target in scenario.land[self.source]
        where = {"source": self.source, "target": self.target}
        if self.kind == "amphibious":
            if neighbour:
                raise IllegalMove("not-allowed", "7.1", "amphibious-neighbours", **where)
            if self.target not in scenario.sea[self.source]:
                raise IllegalMove("no-sea-route", "7.1", **where)
            if self.source not in position.fleets:
                raise IllegalMove("no-fleet", "7.1", province=self.source)
            if position.fleets[self.source] >= position.turn:
                raise IllegalMove("fleet-too-new", "3.12", province=self.source, next_turn=position.turn + 1)
            return
        if not neighbour:
            raise IllegalMove("not-adjacent", "7.1", **where)
        owner = position.owner[self.target]
        if self.kind == COVERT and owner is not None and position.borders_nation(self.seat, owner):
            raise IllegalMove("borders-opponent", "7.1", nation=owner)

    def _cards(self, position: Position) -> None:
        hold(position, self.seat, self.cards, WITH_ATTACK, encounter=self.kind == "amphibious" and self.target in position.fleets)
        if self.siege_train and not position.nations[self.seat].siege_trains:
            raise IllegalMove("no-siege-train", "7.7")

    def _limits(self, position: Position) -> None:
        nation = position.nations[self.seat]
        covert = self.kind == COVERT
        launched, most = nation.covert_attack if covert else nation.own_attack, position.rules.attacks_per_turn
        if launched >= most["covert" if covert else "overt"]:
            raise IllegalMove("attack-limit", "7.2", "covert-attack-limit" if covert else "attack-limit")
        if self.siege_train and not trains_free(position, self.seat):
            raise IllegalMove("no-siege-train", "3.9", "siege-trains-away")
        least = NO_COVERT_ATTACK if covert else NO_ATTACK
        if min(nation.stability, nation.opening_stability) <= least:
            rule = "2.1" if covert and min(nation.stability, nation.opening_stability) > NO_ATTACK else "2.2"
            raise IllegalMove("stability-too-low", rule, stability=nation.stability, opening=nation.opening_stability)

    def apply(self, position: Position, dice: Dice) -> None:
        nation, army = position.nations[self.seat], position.rules.army
        cause = Say("attacks", "7.1", {"source": self.source, "target": self.target})
        position.spend(self.seat, attack_cost(position, self.kind, self.target), cause)
        attack = Attack(len(position.attacks) + 1, self.kind, position.turn, self.seat, self.source, self.target)
        attack.siege_train = self.siege_train
        attack.battle = self.battle
        if "ambush" in self.cards:
            attack.battle, attack.module_attacker = ESCORT, "attacker"
        if self.kind == COVERT:
            attack.points_attacker = army["independent"]
            nation.covert_attack += 1
        else:
            attack.points_attacker = nation.army
            nation.own_attack += 1
        nation.raided = (*nation.raided, self.target)
        position.sources.add(self.source)
        launch(position, attack, cause)
        commit_cards(position, attack, "attacker", self.seat, self.cards)


# An attack or insurrection begins: number, frozen points, challenge or leader (3.13, 7.8 to 7.10).


def launch(position: Position, attack: Attack, cause: Say) -> None:
    """Enter the attack, whose attacker's side is ready: a nation is challenged, an independent province led."""
    attack.defender = position.owner[attack.target]
    position.attacked.add(attack.target)
    if attack.defender is None:
        attack.points_defender = position.rules.army["independent"]
        attack.leader = next_leader(position, attack)
        attack.status = "fighting"
    else:
        attack.points_defender = position.nations[attack.defender].army
    position.attacks.append(attack)
    position.running.append(attack)
    position.note(
        "attack", attack.attacker, str(attack.id), cause, launched=True, attack_kind=attack.kind, source=attack.source,
        target=attack.target, defender=attack.defender, leader=attack.leader, battle=attack.battle,
        siege_train=attack.siege_train,
    )  # fmt: skip


# What shields a province or forbids a starting point (6.1, 6.2, 7.3 to 7.5, 4.8), in the order of the numbers.


def external(position: Position, source: str | None, target: str, covert: bool = False) -> None:
    """External provinces are never targets, and starting points of covert attacks only by option (6.1)."""
    if target in position.scenario.external:
        raise IllegalMove("external-province", "6.1", province=target)
    if source in position.scenario.external and not (covert and position.options.external_attacks):
        raise IllegalMove("external-province", "6.1", "external-source", province=source)


def is_capital(position: Position, province: str) -> bool:
    """Is it the capital of the nation that holds it now?"""
    owner = position.owner[province]
    return owner is not None and position.scenario.capital_of.get(province) == owner


def capital(position: Position, target: str) -> None:
    """A capital is safe before turn 6, and while another province of its nation stands (6.2)."""
    if not is_capital(position, target):
        return
    before = position.rules.capital_protected_before_turn
    if position.turn < before:
        raise IllegalMove("capital-protected", "6.2", "capital-before-turn", province=target, turn=before)
    owner = position.owner[target]
    if sum(1 for holder in position.owner.values() if holder == owner) > 1:
        raise IllegalMove("capital-protected", "6.2", "capital-not-last", province=target, nation=owner)


def no_capital(position: Position, target: str, rule: str) -> None:
    """Insurrections and traitors never touch a capital, whoever holds it (4.5, 4.9)."""
    if target in position.scenario.capital_of:
        raise IllegalMove("capital-protected", rule, "capital-never", province=target)


def starting_point(position: Position, source: str) -> None:
    """A starting point is not under attack and serves one attack a turn (7.3)."""
    if position.under_attack(source):
        raise IllegalMove("starting-point-under-attack", "7.3", province=source)
    if source in position.sources:
        raise IllegalMove("starting-point-used", "7.3", province=source)


def not_starting_point(position: Position, target: str) -> None:
    """A starting point is protected for the whole turn (7.4)."""
    if target in position.sources:
        raise IllegalMove("starting-point-protected", "7.4", province=target)


def target(position: Position, province: str) -> None:
    """A target is no starting point and has not been attacked this turn (7.4, 7.5)."""
    not_starting_point(position, province)
    if province in position.attacked:
        raise IllegalMove("already-attacked", "7.5", province=province)


def not_under_attack(position: Position, province: str, rule: str) -> None:
    """The province has no unresolved attack on it."""
    if position.under_attack(province):
        raise IllegalMove("province-under-attack", rule, province=province)


def truce(position: Position, one: str, other: str | None) -> None:
    """No truce stands between the two (4.8)."""
    if other is not None and position.truce_between(one, other):
        until = next(t.until for t in position.truces if set(t.nations) == {one, other})
        raise IllegalMove("truce", "4.8", nation=other, until=until)


# Cards that go with an attack or an answer (4.4, 4.11 to 4.15).

WITH_ATTACK = frozenset({"ambush", "reinforcements", "scouts", "naval-technology"})
WITH_ANSWER = frozenset({"reinforcements", "scouts", "naval-technology"})
CARD_RULE = {"ambush": "4.12", "reinforcements": "4.13", "scouts": "4.15", "naval-technology": "4.11"}


def hold(position: Position, who: str, cards: Sequence[str], playable: frozenset[str], *, encounter: bool) -> None:
    """Can these cards be played here, and are they in the hand? Naval Technology needs an `encounter` to come (4.4)."""
    for card in cards:
        if card not in playable:
            raise IllegalMove("card-not-playable", "4.4", "card-not-here", card=card)
        if card == "naval-technology" and not encounter:
            raise IllegalMove("card-not-playable", "4.11", "no-encounter", card=card)
    hand = position.nations[who].hand
    for card in cards:
        if card not in hand:
            raise IllegalMove("no-such-card", "4.1", card=card)


def commit_cards(position: Position, attack: Attack, side: str, who: str, cards: tuple[str, ...]) -> None:
    """The cards are played on the battle and discarded; Reinforcements raise the side's points (4.13)."""
    for card in cards:
        position.lose_card(who, card, Say("plays-on-battle", CARD_RULE[card], {"card": card, "target": attack.target}))
    extra = position.rules.army["reinforcements"] if "reinforcements" in cards else 0
    if side == "attacker":
        attack.cards_attacker = cards
        attack.points_attacker += extra
    else:
        attack.cards_defender = cards
        attack.points_defender += extra
