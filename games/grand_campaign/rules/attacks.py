"""Attacks from announcement to result, with the levy (3.11, 7 to 10).

Besides attacks by a nation's own army and covert attacks, the module has answers to challenges,
naval encounters, reports and forfeits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules.form import (
    ESCORT_DIE,
    GrandMove,
    MasterMove,
    Reader,
    SlotMove,
    a_number,
    a_province,
    attack_number,
    bad,
    cards,
    flag,
    one_of,
    register,
    running_attack,
)
from games.grand_campaign.rules.numbers import Rules, table
from games.grand_campaign.rules.position import (
    COVERT,
    OWN_ARMY,
    Attack,
    Position,
    check_actions,
    next_leader,
)
from games.grand_campaign.rules.scenario import Scenario

BATTLES = ("open", "flank-march", "remove-the-head", "escort-baggage-train")
ESCORT = "escort-baggage-train"
HEAD = "remove-the-head"
"""The only battle without a house rule: Field of Glory II itself names its winner (9.1)."""
NO_COVERT_ATTACK, NO_ATTACK = 3, 2
"""The highest stability at which a nation may make no covert attack (2.1), and no attack (2.2)."""

KINDS = (*OWN_ARMY, COVERT)


@register("provincial-levy")
class ProvincialLevy(SlotMove):
    """A levy that replenishes a depleted army (3.11)."""

    def check(self, position: Position) -> None:
        nation, rules = position.nations[self.seat], position.rules
        if not nation.barracks:
            raise IllegalMove("no-barracks", "3.11")
        if nation.army >= rules.army["full"]:
            raise IllegalMove(
                "army-not-depleted", "3.11", army=nation.army, full=rules.army["full"]
            )
        check_actions(position, self.seat, rules.costs["provincial-levy"], "3.11")

    def apply(self, position: Position, dice: Dice) -> None:
        nation, rules = position.nations[self.seat], position.rules
        cause = Phrase("provincial-levy", "3.11")
        position.spend(self.seat, rules.costs["provincial-levy"], cause)
        position.change(
            self.seat, "army", min(rules.army["levy"], rules.army["full"] - nation.army), cause
        )


def attack_cost(position: Position, kind: str, target: str, rules: Rules | None = None) -> int:
    """Return the cost in half-actions of an attack of this kind on this target (7.1, 2.7).

    The rules in force apply unless other rules are given.
    """
    rules = rules or position.rules
    owner = position.owner[target]
    if (
        kind == COVERT
        and owner is not None
        and position.nations[owner].prestige >= rules.prestigious
    ):
        return rules.costs["independent-prestigious"]
    return rules.costs[kind]


def trains_free(position: Position, seat: str) -> int:
    """Return the number of siege trains that are not with an unresolved attack (3.9)."""
    away = sum(1 for attack in position.running if attack.siege_train and attack.attacker == seat)
    return max(0, position.nations[seat].siege_trains - away)


@register("attack")
class LaunchAttack(SlotMove):
    """The launch of a land, amphibious or independent attack (7.1 to 7.7)."""

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
        refuse_external(position, self.source, self.target, self.kind == COVERT)
        refuse_protected_capital(position, self.target)
        self._way(position)
        check_starting_point(position, self.source)
        check_target(position, self.target)
        if self.target in position.nations[self.seat].raided_before:
            raise IllegalMove(
                "repeat-attack", "7.6", province=self.target, next_turn=position.turn + 1
            )
        refuse_truce(position, self.seat, position.owner[self.target])
        self._cards(position)
        self._limits(position)
        check_actions(position, self.seat, attack_cost(position, self.kind, self.target), "7.1")

    def _ownership(self, position: Position) -> None:
        source, target = position.owner[self.source], position.owner[self.target]
        if self.kind == COVERT:
            if source is not None:
                raise IllegalMove(
                    "not-independent", "7.1", "source-not-independent", province=self.source
                )
        elif source != self.seat:
            raise IllegalMove("not-owner", "7.1", province=self.source, nation=self.seat)
        if target == self.seat:
            raise IllegalMove("own-province", "7.1", province=self.target)
        if self.kind == COVERT and target is None and self.target not in position.scenario.external:
            raise IllegalMove("not-allowed", "7.1", "covert-on-independent", province=self.target)

    def _way(self, position: Position) -> None:
        """Check that the target can be reached from the starting point (7.1, 3.12)."""
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
                raise IllegalMove(
                    "fleet-too-new", "3.12", province=self.source, next_turn=position.turn + 1
                )
            return
        if not neighbour:
            raise IllegalMove("not-adjacent", "7.1", **where)
        owner = position.owner[self.target]
        if self.kind == COVERT and owner is not None and position.borders_nation(self.seat, owner):
            raise IllegalMove("borders-opponent", "7.1", nation=owner)

    def _cards(self, position: Position) -> None:
        check_cards(
            position,
            self.seat,
            self.cards,
            WITH_ATTACK,
            encounter=self.kind == "amphibious" and self.target in position.fleets,
        )
        if self.siege_train and not position.nations[self.seat].siege_trains:
            raise IllegalMove("no-siege-train", "7.7")

    def _limits(self, position: Position) -> None:
        nation = position.nations[self.seat]
        covert = self.kind == COVERT
        counted = position.attacks_counted(self.seat, covert=covert)
        if counted >= position.rules.attacks_per_turn["covert" if covert else "overt"]:
            message = "covert-attack-limit" if covert else "attack-limit"
            running = "-running" if position.options.attack_limit == "running" else ""
            raise IllegalMove("attack-limit", "7.2", message + running)
        if self.siege_train and not trains_free(position, self.seat):
            raise IllegalMove("no-siege-train", "3.9", "siege-trains-away")
        least = NO_COVERT_ATTACK if covert else NO_ATTACK
        if min(nation.stability, nation.opening_stability) <= least:
            rule = (
                "2.1"
                if covert and min(nation.stability, nation.opening_stability) > NO_ATTACK
                else "2.2"
            )
            raise IllegalMove(
                "stability-too-low",
                rule,
                stability=nation.stability,
                opening=nation.opening_stability,
            )

    def apply(self, position: Position, dice: Dice) -> None:
        nation, army = position.nations[self.seat], position.rules.army
        cause = Phrase("attacks", "7.1", {"source": self.source, "target": self.target})
        position.spend(self.seat, attack_cost(position, self.kind, self.target), cause)
        attack = Attack(
            len(position.attacks) + 1, self.kind, position.turn, self.seat, self.source, self.target
        )
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


# The launch of an attack or insurrection (3.13, 7.8 to 7.10).


def launch(position: Position, attack: Attack, cause: Phrase) -> None:
    """Enter an attack whose attacker's side is complete.

    A defending nation is challenged; the troops of an independent province get a leader.
    """
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
        "attack",
        attack.attacker,
        str(attack.id),
        cause,
        launched=True,
        attack_kind=attack.kind,
        source=attack.source,
        target=attack.target,
        defender=attack.defender,
        leader=attack.leader,
        battle=attack.battle,
        siege_train=attack.siege_train,
    )


# The rules that protect a province or forbid a starting point (6.1, 6.2, 7.3 to 7.5, 4.8), in the
# order of the paragraphs.


def refuse_external(
    position: Position, source: str | None, target: str, covert: bool = False
) -> None:
    """Refuse an attack on or from an external province (6.1).

    An option allows external provinces as starting points of covert attacks.
    """
    if target in position.scenario.external:
        raise IllegalMove("external-province", "6.1", province=target)
    if source in position.scenario.external and not (covert and position.options.external_attacks):
        raise IllegalMove("external-province", "6.1", "external-source", province=source)


def is_capital(position: Position, province: str) -> bool:
    """Return whether the province is the capital of the nation that holds it now."""
    owner = position.owner[province]
    return owner is not None and position.scenario.capital_of.get(province) == owner


def refuse_protected_capital(position: Position, target: str) -> None:
    """Refuse an attack on a protected capital (6.2).

    A capital is protected in the first turns, and as long as its nation holds another province.
    """
    if not is_capital(position, target):
        return
    before = position.rules.capital_protected_before_turn
    if position.turn < before:
        raise IllegalMove(
            "capital-protected", "6.2", "capital-before-turn", province=target, turn=before
        )
    owner = position.owner[target]
    if sum(1 for holder in position.owner.values() if holder == owner) > 1:
        raise IllegalMove(
            "capital-protected", "6.2", "capital-not-last", province=target, nation=owner
        )


def refuse_capital(position: Position, target: str, rule: str) -> None:
    """Refuse a capital, because insurrections and traitors never affect one (4.5, 4.9).

    It is refused whichever nation holds it now.
    """
    if target in position.scenario.capital_of:
        raise IllegalMove("capital-protected", rule, "capital-never", province=target)


def check_starting_point(position: Position, source: str) -> None:
    """Refuse a starting point that is under attack or already used this turn (7.3)."""
    if position.under_attack(source):
        raise IllegalMove("starting-point-under-attack", "7.3", province=source)
    if source in position.sources:
        raise IllegalMove("starting-point-used", "7.3", province=source)


def refuse_starting_point(position: Position, target: str) -> None:
    """Refuse a target that is a starting point: it is protected for the whole turn (7.4)."""
    if target in position.sources:
        raise IllegalMove("starting-point-protected", "7.4", province=target)


def check_target(position: Position, province: str) -> None:
    """Refuse a target that is a starting point or was attacked this turn (7.4, 7.5)."""
    refuse_starting_point(position, province)
    if province in position.attacked:
        raise IllegalMove("already-attacked", "7.5", province=province)


def refuse_under_attack(position: Position, province: str, rule: str) -> None:
    """Refuse a province on which there is an unresolved attack."""
    if position.under_attack(province):
        raise IllegalMove("province-under-attack", rule, province=province)


def refuse_truce(position: Position, nation: str, other: str | None) -> None:
    """Refuse an attack between two nations that have a truce (4.8)."""
    if other is not None and position.truce_between(nation, other):
        until = next(t.until for t in position.truces if set(t.nations) == {nation, other})
        raise IllegalMove("truce", "4.8", nation=other, until=until)


# Cards that go with an attack or an answer (4.4, 4.11 to 4.15).

TECHNOLOGY = "naval-technology"
WITH_ATTACK = frozenset({"ambush", "reinforcements", "scouts", "naval-technology"})
WITH_ANSWER = frozenset({"reinforcements", "scouts", "naval-technology"})
CARD_RULE = {
    "ambush": "4.12",
    "reinforcements": "4.13",
    "scouts": "4.15",
    "naval-technology": "4.11",
}


def check_cards(
    position: Position,
    seat: str,
    cards: Sequence[str],
    playable: frozenset[str],
    *,
    encounter: bool,
) -> None:
    """Check that these cards can be played here and are in the hand (4.4).

    Naval Technology needs a naval encounter to come (4.11), which `encounter` indicates.
    """
    for card in cards:
        if card not in playable:
            raise IllegalMove("card-not-playable", "4.4", "card-not-here", card=card)
        if card == "naval-technology" and not encounter:
            raise IllegalMove("card-not-playable", "4.11", "no-encounter", card=card)
    hand = position.nations[seat].hand
    for card in cards:
        if card not in hand:
            raise IllegalMove("no-such-card", "4.1", card=card)


def commit_cards(
    position: Position, attack: Attack, side: str, seat: str, cards: tuple[str, ...]
) -> None:
    """Play the cards on the battle and discard them.

    Reinforcements raise the side's points (4.13).
    """
    for card in cards:
        position.lose_card(
            seat,
            card,
            Phrase("plays-on-battle", CARD_RULE[card], {"card": card, "target": attack.target}),
        )
    extra = position.rules.army["reinforcements"] if "reinforcements" in cards else 0
    if side == "attacker":
        attack.cards_attacker = cards
        attack.points_attacker += extra
    else:
        attack.cards_defender = cards
        attack.points_defender += extra


# Answers to challenges, encounters at sea, reports and forfeits (7.8, 8, 9, 10).


SIDES = ("attacker", "defender")
BOTH = frozenset(SIDES)
FOUGHT = ("slots", "battles")


def encounter_due(position: Position, attack: Attack) -> bool:
    """Return whether a naval encounter follows when the challenge is accepted (8.1)."""
    return (
        attack.kind == "amphibious" and not attack.encountered and attack.target in position.fleets
    )


def escort_right(position: Position, attack: Attack) -> bool:
    """Return whether the defender may try to force an escort (7.8)."""
    nations = position.scenario.nations
    if attack.defender is None or not nations[attack.defender].escort:
        return False
    if position.options.edition == 1:
        return _escort_by_nation(position, attack)
    hosts = {nation.army for nation in nations.values() if nation.escort}
    attacking, _defending = lists_of_attack(position.scenario, attack)
    return attacking not in hosts


def _escort_by_nation(position: Position, attack: Attack) -> bool:
    """Return whether the first edition of the rules allows an escort against the attack (7.8).

    It allows none against insurgents and against the own army of a nation with `escort`. The army
    list of an independent army does not matter.
    """
    barred = attack.own_army and position.scenario.nations[attack.attacker].escort
    return attack.kind != "insurrection" and not barred


def army_lists(
    scenario: Scenario,
    kind: str,
    attacker: str,
    defender: str | None,
    source: str | None,
    target: str,
) -> tuple[str, str]:
    """Return the army lists of attacker and defender in the scenario (6.1, 7.8).

    A nation's own army has the nation's list, an independent or external army that of its province,
    insurgents that of the nation against which they rise (4.5).
    """
    nations, provinces = scenario.nations, scenario.provinces
    defending = provinces[target].army if defender is None else nations[defender].army
    if kind in OWN_ARMY:
        return nations[attacker].army, defending
    return defending if source is None else provinces[source].army, defending


def lists_of_attack(scenario: Scenario, attack: Attack) -> tuple[str, str]:
    """Return the army lists of the two sides of an attack."""
    return army_lists(
        scenario, attack.kind, attack.attacker, attack.defender, attack.source, attack.target
    )


def encounter_facts(attack: Attack) -> dict[str, Any]:
    """Return the place and the two sides of the attack's naval encounter (8.1)."""
    return {"target": attack.target, "by": attack.attacker, "victim": attack.defender}


def encounter_chances(rules: Rules, lead: int) -> tuple[int, int, int, int]:
    """Count the pairs of dice of a naval encounter (8.1).

    `lead` is the attacker's bonus minus the defender's bonus. Return how many pairs the attacker
    wins, how many the defender wins, how many are even, and how many there are.
    """
    die = rules.die
    won = sum(max(0, min(die, ours + lead - 1)) for ours in range(1, die + 1))
    even = sum(1 for ours in range(1, die + 1) if 1 <= ours + lead <= die)
    return won, die * die - won - even, even, die * die


def escort_chance(rules: Rules) -> tuple[int, int]:
    """Return how many faces of the escort die force the escort, and how many it has (7.8)."""
    return max(0, min(ESCORT_DIE, ESCORT_DIE + 1 - rules.escort_from)), ESCORT_DIE


def accept(position: Position, attack: Attack, dice: Dice) -> None:
    """Accept the challenge, and resolve the naval encounter if one is due (8.1)."""
    attack.status = "fighting"
    if not encounter_due(position, attack):
        return
    attack.encountered = True
    die, bonus = position.rules.die, position.rules.naval_technology
    thrown = {side: dice.roll(purpose(attack, f"naval/{side}"), die, attack.turn) for side in SIDES}
    extra = {
        "attacker": bonus if TECHNOLOGY in attack.cards_attacker else 0,
        "defender": bonus if TECHNOLOGY in attack.cards_defender else 0,
    }
    ours, theirs = (thrown[side] + extra[side] for side in SIDES)
    facts = {
        **encounter_facts(attack),
        "attacker": ours,
        "defender": theirs,
        "attacker_bonus": extra["attacker"],
        "defender_bonus": extra["defender"],
    }
    if ours > theirs:
        position.wreck_fleet(attack.target, Phrase("encounter-won", "8.1", facts))
        return
    if theirs > ours:
        cause = Phrase(
            "encounter-lost", "8.1", facts | {"wrecked": position.carrier_exists(attack)}
        )
        position.wreck_carrier(attack, cause)
    else:
        cause = Phrase("encounter-even", "8.1", facts)
    conclude(position, attack, "naval-repulse", cause)


@register("respond")
class Respond(GrandMove):
    """The answer to a challenge: accept, withdraw or escort, with cards (7.8)."""

    form: ClassVar[dict[str, Reader]] = {
        "attack": attack_number,
        "choice": one_of("accept", "withdraw", "escort"),
        "cards": cards,
    }
    phases: ClassVar[tuple[str, ...]] = FOUGHT
    attack: int
    choice: str
    cards: tuple[str, ...] = ()

    def admit(self, position: Position) -> None:
        running_attack(position, self.attack, challenged=True)
        GrandMove.admit(self, position)

    def check(self, position: Position) -> None:
        attack = position.attacks[self.attack - 1]
        if attack.defender != self.seat:
            raise IllegalMove("not-allowed", "7.8", "not-the-challenged", nation=attack.defender)
        if self.choice == "escort" and not escort_right(position, attack):
            message = (
                "no-escort-insurrection" if attack.kind == "insurrection" else "no-escort-right"
            )
            raise IllegalMove("no-escort-right", "7.8", message, nation=self.seat)
        if self.choice == "withdraw" and self.cards:
            raise IllegalMove(
                "card-not-playable", "7.8", "no-cards-with-withdrawal", card=self.cards[0]
            )
        check_cards(
            position, self.seat, self.cards, WITH_ANSWER, encounter=encounter_due(position, attack)
        )

    def apply(self, position: Position, dice: Dice) -> None:
        attack = position.attacks[self.attack - 1]
        attack.answer = self.choice
        commit_cards(position, attack, "defender", self.seat, self.cards)
        answer = Phrase(f"answers-{self.choice}", "7.8", {"target": attack.target})
        position.note("attack", self.seat, str(attack.id), answer, answer=self.choice)
        if self.choice == "withdraw":
            withdrawn(position, attack, dice)
            return
        if self.choice == "escort":
            roll = dice.roll(purpose(attack, "escort"), ESCORT_DIE, attack.turn)
            forced = roll >= position.rules.escort_from
            if forced:
                attack.battle, attack.module_attacker = ESCORT, "defender"
            facts = {
                "target": attack.target,
                "nation": self.seat,
                "roll": roll,
                "battle": attack.battle,
            }
            facts |= {"least": position.rules.escort_from, "sides": ESCORT_DIE}
            cause = Phrase("escort-forced" if forced else "escort-failed", "7.8", facts)
            position.note(
                "attack", self.seat, str(attack.id), cause, roll=roll, battle=attack.battle
            )
        accept(position, attack, dice)


def routed(position: Position, value: Any) -> tuple[int | Decimal, int | Decimal]:
    """Read the routed share of each side's own army, 0 to 100."""
    if type(value) is not dict or value.keys() != BOTH:
        raise bad("not-shares")
    attacker, defender = (
        a_number(position, value["attacker"]),
        a_number(position, value["defender"]),
    )
    if not (0 <= attacker <= 100 and 0 <= defender <= 100):
        raise bad("share-off")
    return attacker, defender


def true_only(position: Position, value: Any) -> bool:
    if value is not True:
        raise bad("only-true")
    return True


def winner_by_shares(position: Position, own: int | Decimal, enemy: int | Decimal) -> str:
    """Return the winner by the routed shares of attacker and defender (9.1)."""
    rout = position.rules.rout
    decisive, early, most = rout["decisive"], rout["early"], rout["early_own_losses"]
    if own >= decisive and enemy >= decisive:
        return "draw"
    if enemy >= decisive or own >= decisive:
        return "attacker" if enemy >= decisive else "defender"
    attacker, defender = enemy >= early and own <= most, own >= early and enemy <= most
    if attacker == defender:
        return "draw"
    return "attacker" if attacker else "defender"


@register("report")
class Report(MasterMove):
    """The result of a battle; an unanswered challenge counts as accepted first (9.1)."""

    form: ClassVar[dict[str, Reader]] = {
        "attack": attack_number,
        "routed": routed,
        "winner": one_of("attacker", "defender", "draw"),
        "called_off": true_only,
        "naval": one_of("attacker", "defender", "draw"),
    }
    phases: ClassVar[tuple[str, ...]] = FOUGHT
    attack: int
    routed: tuple[int | Decimal, int | Decimal] | None = None
    winner: str | None = None
    called_off: bool = False
    naval: str | None = None

    def to_json(self) -> dict[str, Any]:
        raw = MasterMove.to_json(self)
        if self.routed is not None:
            raw["routed"] = dict(zip(SIDES, self.routed, strict=True))
        return raw

    def admit(self, position: Position) -> None:
        if (self.routed is not None) + (self.winner is not None) + self.called_off + (
            self.naval is not None
        ) != 1:
            raise bad("one-result")
        running_attack(position, self.attack)
        MasterMove.admit(self, position)

    def check(self, position: Position) -> None:
        attack = position.attacks[self.attack - 1]
        if self.naval is not None:
            if attack.kind != "amphibious" or attack.defender is None or attack.encountered:
                raise IllegalMove("not-allowed", "8.2", "no-naval-battle", attack=self.attack)
        elif attack.battle == HEAD and self.winner is None:
            raise IllegalMove("not-allowed", "9.1", "module-by-winner", battle=attack.battle)

    def apply(self, position: Position, dice: Dice) -> None:
        attack = position.attacks[self.attack - 1]
        if attack.status == "challenged" and self.naval is None:
            accept(position, attack, dice)
            if attack.status == "resolved":
                raise IllegalMove(
                    "already-resolved", "8.1", "encounter-ended-it", attack=self.attack
                )
        attack.status = "fighting"
        attack.naval = self.naval is not None
        if self.routed is not None:
            result = winner_by_shares(position, *self.routed)
        else:
            result = self.winner or self.naval or "draw"
        battle_over(position, attack, result, dice)


@register("forfeit")
class Forfeit(MasterMove):
    """The attribution of a battle: the side loses it with all the effects of defeat (10, 11)."""

    form: ClassVar[dict[str, Reader]] = {"attack": attack_number, "side": one_of(*SIDES)}
    phases: ClassVar[tuple[str, ...]] = FOUGHT
    attack: int
    side: str

    def admit(self, position: Position) -> None:
        running_attack(position, self.attack)
        MasterMove.admit(self, position)

    def apply(self, position: Position, dice: Dice) -> None:
        attack = position.attacks[self.attack - 1]
        attack.status = "fighting"
        battle_over(position, attack, SIDES[1 - SIDES.index(self.side)], dice)


# The consequences of a battle, a withdrawal or a forfeit, posted in the order of 9.11 (9.2 to 9.11,
# 10).

VICTORY: dict[str, int] = table("effects")["battle"]["victory"]
DEFEAT: dict[str, int] = table("effects")["battle"]["defeat"]


def purpose(attack: Attack, what: str) -> str:
    """Return the purpose of a roll of the attack."""
    return f"turn-{attack.turn}/attack/{attack.attacker}/{attack.target}/{what}"


def conclude(position: Position, attack: Attack, outcome: str, cause: Phrase) -> None:
    """Mark the attack as resolved with this outcome."""
    attack.status, attack.outcome = "resolved", outcome
    position.running.remove(attack)
    facts = {"outcome": outcome, "target": attack.target} | (
        {"siege": attack.siege} if attack.siege else {}
    )
    position.note("attack", attack.attacker, str(attack.id), cause, **facts)


def army_change(position: Position, seat: str, victory: bool) -> int:
    """Return the change of an army by a victory or defeat, within the bounds of 2.8.

    A victory never lowers an army that is above the maximum, and a defeat never raises one below
    the minimum.
    """
    army, rules = position.nations[seat].army, position.rules.army
    if victory:
        return max(0, min(army + rules["victory"], rules["maximum"]) - army)
    return min(0, max(army + rules["defeat"], rules["minimum"]) - army)


def triumph(position: Position, seat: str, cause: Phrase, armies: bool) -> None:
    """Post the winner's effects of 9.2."""
    for account, change in VICTORY.items():
        position.change(seat, account, change, cause)
    position.change(seat, "victory_points", position.rules.points["battle"], cause)
    if armies:
        position.change(seat, "army", army_change(position, seat, True), cause)


def rout(position: Position, seat: str, cause: Phrase, armies: bool) -> None:
    """Post the loser's effects of 9.2."""
    for account, change in DEFEAT.items():
        position.change(seat, account, change, cause)
    if armies:
        position.change(seat, "army", army_change(position, seat, False), cause)


def battle_over(position: Position, attack: Attack, result: str, dice: Dice) -> None:
    """Apply the result `attacker`, `defender` or `draw` (9.11).

    The order is: effects, siege, conquest, then thresholds.
    """
    where = {"target": attack.target}
    with position.posting():
        if result == "draw":
            _drawn(position, attack, Phrase("battle-drawn", "9.6", where))
        elif result == "attacker":
            _attacker_won(position, attack, where)
        else:
            _defender_won(position, attack, where)
        taken = result == "attacker" and _siege(position, attack, dice)
        if taken:
            _conquest(position, attack)
        conclude(position, attack, result, Phrase(f"outcome-{result}", "9.1", where))


def withdrawn(position: Position, attack: Attack, dice: Dice) -> None:
    """Apply a withdrawal: a siege if the target is fortified, then the conquest (9.10)."""
    with position.posting():
        if _siege(position, attack, dice):
            _conquest(position, attack)
        conclude(
            position,
            attack,
            "withdrawn",
            Phrase("outcome-withdrawn", "9.10", {"target": attack.target}),
        )


def _drawn(position: Position, attack: Attack, cause: Phrase) -> None:
    ravage = position.rules.talents["ravage"]
    if attack.own_army:
        position.change(attack.attacker, "income", ravage, cause)
    if attack.defender is not None:
        position.change(attack.defender, "income", -ravage, cause)


def _attacker_won(position: Position, attack: Attack, where: dict[str, str]) -> None:
    if attack.own_army:
        triumph(
            position,
            attack.attacker,
            Phrase("battle-won", "9.2" if attack.defender else "9.3", where),
            not attack.naval,
        )
    elif attack.kind == "independent":
        cause = Phrase("covert-won", "9.4", where)
        position.change(attack.attacker, "prestige", VICTORY["prestige"], cause)
        position.change(attack.attacker, "victory_points", position.rules.points["battle"], cause)
    if attack.defender is not None:
        rout(
            position, attack.defender, Phrase("battle-lost", _rule(attack), where), not attack.naval
        )
    position.wreck_fleet(attack.target, Phrase("fleet-lost-with-battle", "3.10", where))


def _defender_won(position: Position, attack: Attack, where: dict[str, str]) -> None:
    if attack.own_army:
        rout(
            position,
            attack.attacker,
            Phrase("battle-lost", "9.2" if attack.defender else "9.3", where),
            not attack.naval,
        )
    elif attack.kind == "independent":
        position.change(
            attack.attacker, "prestige", DEFEAT["prestige"], Phrase("covert-lost", "9.4", where)
        )
    if attack.defender is not None:
        triumph(
            position, attack.defender, Phrase("battle-won", _rule(attack), where), not attack.naval
        )
    elif attack.leader is not None:
        points = position.rules.points["independent_defence"]
        position.change(
            attack.leader, "victory_points", points, Phrase("independents-held", "9.3", where)
        )
    if attack.kind == "amphibious":
        position.wreck_carrier(attack, Phrase("fleet-lost-with-battle", "3.10", where))
    _lose_train(position, attack, Phrase("train-lost-with-battle", "9.9", where))


def _rule(attack: Attack) -> str:
    """Return the paragraph by which the defending nation wins or loses."""
    return {"independent": "9.4", "insurrection": "9.5"}.get(attack.kind, "9.2")


def siege_holds(position: Position, attack: Attack) -> int:
    """Return the highest roll at which a siege of the target fails (9.7).

    It is 0 if the target is not fortified.
    """
    level = position.fortification.get(attack.target, 0)
    if not level:
        return 0
    holds = position.rules.fortifications[level - 1].holds
    return max(0, holds - (position.rules.siege_train if attack.siege_train else 0))


def _siege(position: Position, attack: Attack, dice: Dice) -> bool:
    """Besiege the target if it is fortified, and return whether it is taken (9.7)."""
    if not position.fortification.get(attack.target):
        return True
    holds = siege_holds(position, attack)
    roll = dice.roll(purpose(attack, "siege"), position.rules.die, attack.turn)
    attack.siege = "held" if roll <= holds else "taken"
    cause = Phrase(f"siege-{attack.siege}", "9.7", {"target": attack.target, "holds": holds})
    position.note("attack", attack.attacker, str(attack.id), cause, siege=attack.siege, roll=roll)
    if attack.siege == "held":
        _lose_train(
            position, attack, Phrase("train-lost-in-siege", "9.9", {"target": attack.target})
        )
    return attack.siege == "taken"


def _lose_train(position: Position, attack: Attack, cause: Phrase) -> None:
    nation = position.nations[attack.attacker]
    if attack.siege_train and nation.siege_trains:
        nation.siege_trains -= 1
        position.note("structure", attack.attacker, "siege-train", cause, built=False)


def _conquest(position: Position, attack: Attack) -> None:
    """Give the province to the attacker's nation, or make it independent (9.8).

    It becomes independent after a covert attack or an insurrection.
    """
    talents, where = position.rules.talents, {"target": attack.target}
    loser = position.owner[attack.target]
    cause = Phrase("conquest" if attack.own_army else "turns-independent", "9.8", where)
    position.set_owner(attack.target, attack.attacker if attack.own_army else None, cause)
    if attack.own_army:
        position.change(attack.attacker, "victory_points", position.rules.points["conquest"], cause)
        position.change(attack.attacker, "income", talents["conquest"], cause)
    if loser is not None:
        position.change(loser, "income", -talents["loss"], Phrase("province-lost", "9.8", where))


# The claims that the two players of a battle may make, and the agreements that these need (8.2,
# 10).

NAVAL = "naval"


def claimable(raw: Mapping[str, Any]) -> bool:
    """Return whether a player may claim this: only the game master may attribute a forfeit (10)."""
    return bool(raw.get("move") == "report")


def agreement_of(raw: Mapping[str, Any]) -> str:
    """Return what both players must have agreed to before this is claimed or entered, or ""."""
    return NAVAL if NAVAL in raw else ""


def contest_of(raw: Mapping[str, Any]) -> int:
    """Return the number of the battle whose result this move enters."""
    return int(raw["attack"])


def agreeable(known: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the players of this battle may agree to.

    It is a naval battle that replaces encounter and battle (8.2), or nothing.
    """
    open_still = (
        known["kind"] == "amphibious" and bool(known["defender"]) and not known["encountered"]
    )
    return (NAVAL,) if open_still and known["status"] != "resolved" else ()
