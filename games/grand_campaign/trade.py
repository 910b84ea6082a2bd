"""Cards on the table, and the Bodyguard's orders (4.3, 4.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.form import GrandMove, Reader, SlotMove, a_card, a_nation, bad, flag, register
from games.grand_campaign.position import Position

ALWAYS = ("setup", "slots", "battles", "closed", "finished")


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class OfferCard(SlotMove):
    """Puts a card on the table until the owner's next slot opens (4.3)."""

    name: ClassVar[str] = "offer"
    form: ClassVar[dict[str, Reader]] = {"card": a_card}
    card: str

    def check(self, position: Position) -> None:
        if self.card not in position.nations[self.seat].hand:
            raise IllegalMove("no-such-card", "4.3", card=self.card)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Say("offers", "4.3", {"card": self.card})
        position.lose_card(self.seat, self.card, cause)
        position.gain_card(self.seat, self.card, cause, None, "table")


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class TakeCard(SlotMove):
    """Takes a card from another nation's table, giving one of the hand for it (4.3)."""

    name: ClassVar[str] = "take"
    form: ClassVar[dict[str, Reader]] = {"from": a_nation, "card": a_card, "give": a_card}
    source: str
    card: str
    give: str

    def admit(self, position: Position) -> None:
        if self.source == self.seat:
            raise bad("on-oneself", card=self.card)
        SlotMove.admit(self, position)

    def standing(self) -> tuple[str | None, ...]:
        return (self.source,)

    def check(self, position: Position) -> None:
        if self.card not in position.nations[self.source].table:
            raise IllegalMove("no-such-card", "4.3", "not-on-their-table", nation=self.source, card=self.card)
        if self.give not in position.nations[self.seat].hand:
            raise IllegalMove("no-such-card", "4.3", card=self.give)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Say("trades", "4.3", {"from": self.source, "to": self.seat})
        both = position.private(self.seat, self.source)
        position.lose_card(self.source, self.card, cause, None, "table")
        position.gain_card(self.seat, self.card, cause)
        position.lose_card(self.seat, self.give, cause, both)
        position.gain_card(self.source, self.give, cause, both)


def a_bodyguard(position: Position, value: Any) -> str:
    if a_card(position, value) != "bodyguard":
        raise bad("only-bodyguard")
    return "bodyguard"


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(GrandMove):
    """Says whether a Bodyguard is to be kept when an Assassin comes (4.10)."""

    name: ClassVar[str] = "keep"
    form: ClassVar[dict[str, Reader]] = {"card": a_bodyguard, "value": flag}
    phases: ClassVar[tuple[str, ...]] = ALWAYS
    card: str
    value: bool

    def apply(self, position: Position, dice: Dice) -> None:
        position.nations[self.seat].keep = self.value
        cause = Say("keeps" if self.value else "keeps-not", "4.10")
        position.note("seat", self.seat, "keep", cause, value=self.value)
