"""Answers to challenges, encounters at sea, reports and forfeits (7.8, 8, 9, 10)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.form import (
    GrandMove,
    MasterMove,
    Reader,
    a_number,
    attack_number,
    bad,
    cards,
    one_of,
    register,
    running_attack,
)
from games.grand_campaign.hand import WITH_ANSWER, commit_cards, hold
from games.grand_campaign.military import ESCORT
from games.grand_campaign.outcome import battle_over, conclude, purpose, withdrawn
from games.grand_campaign.position import Attack, Position

ESCORT_DIE = 6
MODULES = frozenset({"remove-the-head", ESCORT})
SIDES = ("attacker", "defender")
FOUGHT = ("slots", "battles")


def encounter_due(position: Position, attack: Attack) -> bool:
    """Is a naval encounter to come when the challenge is accepted (8.1)?"""
    return attack.kind == "amphibious" and not attack.encountered and attack.target in position.fleets


def escort_right(position: Position, attack: Attack) -> bool:
    """May the defender try to force an escort (7.8)?"""
    nations = position.scenario.nations
    if attack.kind == "insurrection" or attack.defender is None or not nations[attack.defender].escort:
        return False
    return not (attack.own_army and nations[attack.attacker].escort)


def accept(position: Position, attack: Attack, dice: Dice) -> None:
    """The challenge is taken up: an encounter first where one is due, then the battle (8.1)."""
    attack.status = "fighting"
    if not encounter_due(position, attack):
        return
    attack.encountered = True
    die, bonus = position.rules.die, position.rules.naval_technology
    thrown = {side: dice.roll(purpose(attack, f"naval/{side}"), die, attack.turn) for side in SIDES}
    ours = thrown["attacker"] + (bonus if "naval-technology" in attack.cards_attacker else 0)
    theirs = thrown["defender"] + (bonus if "naval-technology" in attack.cards_defender else 0)
    facts = {"target": attack.target, "attacker": ours, "defender": theirs}
    if ours > theirs:
        position.wreck_fleet(attack.target, Say("encounter-won", "8.1", facts))
        return
    cause = Say("encounter-lost" if theirs > ours else "encounter-even", "8.1", facts)
    if theirs > ours:
        position.wreck_carrier(attack, cause)
    conclude(position, attack, "naval-repulse", cause)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Respond(GrandMove):
    """Answers a challenge: accept, withdraw or escort, with cards (7.8)."""

    name: ClassVar[str] = "respond"
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
            message = "no-escort-insurrection" if attack.kind == "insurrection" else "no-escort-right"
            raise IllegalMove("no-escort-right", "7.8", message, nation=self.seat)
        if self.choice == "withdraw" and self.cards:
            raise IllegalMove("card-not-playable", "7.8", "no-cards-with-withdrawal", card=self.cards[0])
        hold(position, self.seat, self.cards, WITH_ANSWER, encounter=encounter_due(position, attack))

    def apply(self, position: Position, dice: Dice) -> None:
        attack = position.attacks[self.attack - 1]
        attack.answer = self.choice
        commit_cards(position, attack, "defender", self.seat, self.cards)
        said = Say(f"answers-{self.choice}", "7.8", {"target": attack.target})
        position.note("attack", self.seat, str(attack.id), said, answer=self.choice)
        if self.choice == "withdraw":
            withdrawn(position, attack, dice)
            return
        if self.choice == "escort":
            roll = dice.roll(purpose(attack, "escort"), ESCORT_DIE, attack.turn)
            forced = roll >= position.rules.escort_from
            if forced:
                attack.battle, attack.module_attacker = ESCORT, "defender"
            cause = Say("escort-forced" if forced else "escort-failed", "7.8", {"target": attack.target})
            position.note("attack", self.seat, str(attack.id), cause, roll=roll, battle=attack.battle)
        accept(position, attack, dice)


def routed(position: Position, value: Any) -> tuple[int | Decimal, int | Decimal]:
    """Two shares of each side's own army, 0 to 100."""
    if type(value) is not dict or set(value) != set(SIDES):
        raise bad("not-shares")
    shares = [a_number(position, value[side]) for side in SIDES]
    if not all(0 <= share <= 100 for share in shares):
        raise bad("share-off")
    return shares[0], shares[1]


def true_only(position: Position, value: Any) -> bool:
    if value is not True:
        raise bad("only-true")
    return True


def winner_by_shares(position: Position, own: int | Decimal, enemy: int | Decimal) -> str:
    """Who won, from the routed shares of attacker and defender (9.1)."""
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


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Report(MasterMove):
    """Enters the result of a battle; an unanswered challenge counts as accepted first (9.1)."""

    name: ClassVar[str] = "report"
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
        if (self.routed is not None) + (self.winner is not None) + self.called_off + (self.naval is not None) != 1:
            raise bad("one-result")
        running_attack(position, self.attack)
        MasterMove.admit(self, position)

    def check(self, position: Position) -> None:
        attack = position.attacks[self.attack - 1]
        if self.naval is not None:
            if attack.kind != "amphibious" or attack.defender is None or attack.encountered:
                raise IllegalMove("not-allowed", "8.2", "no-naval-battle", attack=self.attack)
        elif attack.battle in MODULES and self.winner is None:
            raise IllegalMove("not-allowed", "9.1", "module-by-winner", battle=attack.battle)

    def apply(self, position: Position, dice: Dice) -> None:
        attack = position.attacks[self.attack - 1]
        if attack.status == "challenged" and self.naval is None:
            accept(position, attack, dice)
            if attack.status == "resolved":
                raise IllegalMove("already-resolved", "8.1", "encounter-ended-it", attack=self.attack)
        attack.status = "fighting"
        attack.naval = self.naval is not None
        if self.routed is not None:
            result = winner_by_shares(position, *self.routed)
        else:
            result = self.winner or self.naval or "draw"
        battle_over(position, attack, result, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit(MasterMove):
    """Attributes a battle: the side loses it with all the effects of defeat (10, 11)."""

    name: ClassVar[str] = "forfeit"
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
