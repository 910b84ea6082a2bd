"""Attacks of one's own army and covert ones, and the levy (3.11, 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign import protection
from games.grand_campaign.construction import afford
from games.grand_campaign.form import Reader, SlotMove, a_province, bad, cards, flag, one_of, register
from games.grand_campaign.hand import WITH_ATTACK, commit_cards, hold
from games.grand_campaign.launch import launch
from games.grand_campaign.position import OWN_ARMY, Attack, Position

BATTLES = ("open", "flank-march", "remove-the-head", "escort-baggage-train")
ESCORT = "escort-baggage-train"
COVERT = "independent"
NO_COVERT_ATTACK, NO_ATTACK = 3, 2
"""Stability up to which a nation makes no covert attack (2.1), and none at all (2.2)."""

KINDS = (*OWN_ARMY, COVERT)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class ProvincialLevy(SlotMove):
    """Replenishes a depleted army (3.11)."""

    name: ClassVar[str] = "provincial-levy"

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


def attack_cost(position: Position, kind: str, target: str) -> int:
    """Half-actions an attack of this kind on this target costs (7.1, 2.7)."""
    costs = position.rules.costs
    owner = position.owner[target]
    if kind == COVERT and owner is not None and position.nations[owner].prestige >= position.rules.prestigious:
        return costs["independent-prestigious"]
    return costs[kind]


def trains_free(position: Position, who: str) -> int:
    """The siege trains that go with no unresolved attack (3.9)."""
    away = sum(1 for attack in position.running if attack.siege_train and attack.attacker == who)
    return max(0, position.nations[who].siege_trains - away)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchAttack(SlotMove):
    """Launches a land, amphibious or independent attack (7.1 to 7.7)."""

    name: ClassVar[str] = "attack"
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
        protection.external(position, self.source, self.target, self.kind == COVERT)
        protection.capital(position, self.target)
        self._way(position)
        protection.starting_point(position, self.source)
        protection.target(position, self.target)
        if self.target in position.nations[self.seat].raided_before:
            raise IllegalMove("repeat-attack", "7.6", province=self.target, next_turn=position.turn + 1)
        protection.truce(position, self.seat, position.owner[self.target])
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
