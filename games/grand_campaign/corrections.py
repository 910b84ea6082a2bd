"""The game master's four tools, each with a reason for all to read (13)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.form import (
    MasterMove,
    Reader,
    a_card,
    a_nation,
    a_number,
    a_province,
    bad,
    nation_or_nobody,
    one_of,
    reason,
    register,
)
from games.grand_campaign.position import ACCOUNTS, Position
from games.grand_campaign.protection import not_under_attack
from games.grand_campaign.rules import MOST, halves


def a_change(position: Position, value: Any) -> int | Decimal:
    """A change other than 0, below 10^9 either way; fractions are judged with the account."""
    change = a_number(position, value)
    if not -MOST < change < MOST or change == 0:
        raise bad("no-change")
    return change


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust(MasterMove):
    """Changes an account; thresholds fire as in play."""

    name: ClassVar[str] = "adjust"
    form: ClassVar[dict[str, Reader]] = {
        "nation": a_nation,
        "account": one_of(*ACCOUNTS),
        "change": a_change,
        "reason": reason,
    }
    nation: str
    account: str
    change: int | Decimal
    reason: str

    def admit(self, position: Position) -> None:
        if self.account == "actions":
            if self.change * 2 % 1:
                raise bad("not-halves")
        elif type(self.change) is not int:
            raise bad("not-a-whole-number")
        MasterMove.admit(self, position)

    def standing(self) -> tuple[str | None, ...]:
        return () if self.account == "victory_points" else (self.nation,)

    def admit_nation(self, position: Position) -> None:
        MasterMove.admit_nation(self, position)
        if self.account == "actions" and position.slot != self.nation:
            raise IllegalMove("not-your-slot", "3.2", "actions-without-slot", nation=self.nation)

    def apply(self, position: Position, dice: Dice) -> None:
        amount = halves(self.change) if self.account == "actions" else int(self.change)
        position.change(self.nation, self.account, amount, Say("correction", "13", {"reason": self.reason}))


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class SetOwner(MasterMove):
    """Gives a province to a nation or to nobody; no talents, no victory points; fortification and fleet are lost."""

    name: ClassVar[str] = "set-owner"
    form: ClassVar[dict[str, Reader]] = {"province": a_province, "owner": nation_or_nobody, "reason": reason}
    province: str
    owner: str | None
    reason: str

    def standing(self) -> tuple[str | None, ...]:
        return (self.owner,)

    def check(self, position: Position) -> None:
        if self.province in position.scenario.external:
            raise IllegalMove("external-province", "6.1", province=self.province)
        not_under_attack(position, self.province, "13")

    def apply(self, position: Position, dice: Dice) -> None:
        position.set_owner(self.province, self.owner, Say("correction", "13", {"reason": self.reason}))


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class GiveCard(MasterMove):
    """Puts a card into a hand."""

    name: ClassVar[str] = "give-card"
    form: ClassVar[dict[str, Reader]] = {"nation": a_nation, "card": a_card, "reason": reason}
    nation: str
    card: str
    reason: str

    def standing(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Say("correction", "13", {"reason": self.reason})
        position.gain_card(self.nation, self.card, cause, position.private(self.nation))


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardCard(MasterMove):
    """Takes a card from the hand, else from the table."""

    name: ClassVar[str] = "discard-card"
    form: ClassVar[dict[str, Reader]] = {"nation": a_nation, "card": a_card, "reason": reason}
    nation: str
    card: str
    reason: str

    def standing(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def check(self, position: Position) -> None:
        nation = position.nations[self.nation]
        if self.card not in nation.hand and self.card not in nation.table:
            raise IllegalMove("no-such-card", "13", "not-in-their-hand", nation=self.nation, card=self.card)

    def apply(self, position: Position, dice: Dice) -> None:
        zone = "hand" if self.card in position.nations[self.nation].hand else "table"
        cause = Say("correction", "13", {"reason": self.reason})
        audience = position.private(self.nation) if zone == "hand" else None
        position.lose_card(self.nation, self.card, cause, audience, zone)
