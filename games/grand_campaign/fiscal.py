"""Fiscal measures (3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.construction import afford
from games.grand_campaign.form import SlotMove, register
from games.grand_campaign.levels import would_crumble
from games.grand_campaign.position import Position
from games.grand_campaign.tables import table


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class TaxExemption(SlotMove):
    """Buys a level of stability, any number of times (3.6)."""

    name: ClassVar[str] = "tax-exemption"

    def check(self, position: Position) -> None:
        afford(position, self.seat, position.rules.costs["tax-exemption"], "3.6")

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Say("tax-exemption", "3.6")
        account, gain = table("effects")["tax_exemption"]
        position.spend(self.seat, position.rules.costs["tax-exemption"], cause)
        position.change(self.seat, account, gain, cause)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class TaxIncrease(SlotMove):
    """Sells a level of stability for half an action, once a slot (3.6)."""

    name: ClassVar[str] = "tax-increase"

    def check(self, position: Position) -> None:
        if position.nations[self.seat].tax_increases >= position.rules.tax_increases_per_slot:
            raise IllegalMove("not-allowed", "3.6", "tax-increase-once")
        if would_crumble(position, self.seat, *table("effects")["tax_increase"]):
            raise IllegalMove("would-crumble", "3.6", nation=self.seat)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Say("tax-increase", "3.6")
        account, loss = table("effects")["tax_increase"]
        position.nations[self.seat].tax_increases += 1
        position.change(self.seat, account, loss, cause)
        position.change(self.seat, "actions", position.rules.tax_increase_actions, cause)
