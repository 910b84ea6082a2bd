"""The game master's corrections, each with a public reason (13; RECORD, Correcting a sheet)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules.attacks import refuse_under_attack
from games.grand_campaign.rules.form import (
    MasterMove,
    Reader,
    a_card,
    a_nation,
    a_number,
    a_province,
    bad,
    flag,
    judged,
    nation_or_nobody,
    one_of,
    reason,
    register,
)
from games.grand_campaign.rules.numbers import MOST, halves, whole
from games.grand_campaign.rules.position import ACCOUNTS, Position
from games.grand_campaign.text import sheet


def a_change(position: Position, value: Any) -> int | Decimal:
    """Read a change other than 0, below 10^9 in either direction.

    Whether it may be a fraction depends on the account, so `admit` decides it.
    """
    change = a_number(position, value)
    if not -MOST < change < MOST or change == 0:
        raise bad("no-change")
    return change


@register("adjust")
class Adjust(MasterMove):
    """The change of an account; thresholds fire as in play."""

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
        if self.account == "actions" and position.slot != self.nation:
            raise IllegalMove("not-your-slot", "3.2", "actions-without-slot", nation=self.nation)

    def named_nations(self) -> tuple[str | None, ...]:
        return () if self.account == "victory_points" else (self.nation,)

    def apply(self, position: Position, dice: Dice) -> None:
        amount = halves(self.change) if self.account == "actions" else int(self.change)
        position.change(
            self.nation, self.account, amount, Phrase("correction", "13", {"reason": self.reason})
        )


@register("set-owner")
class SetOwner(MasterMove):
    """The transfer of a province to a nation, or to independence.

    It changes no talents and no victory points; fortification and fleet are lost.
    """

    form: ClassVar[dict[str, Reader]] = {
        "province": a_province,
        "owner": nation_or_nobody,
        "reason": reason,
    }
    province: str
    owner: str | None
    reason: str

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.owner,)

    def check(self, position: Position) -> None:
        if self.province in position.scenario.external:
            raise IllegalMove("external-province", "6.1", province=self.province)
        refuse_under_attack(position, self.province, "13")

    def apply(self, position: Position, dice: Dice) -> None:
        position.set_owner(
            self.province, self.owner, Phrase("correction", "13", {"reason": self.reason})
        )


@register("give-card")
class GiveCard(MasterMove):
    """The addition of a card to a hand."""

    form: ClassVar[dict[str, Reader]] = {"nation": a_nation, "card": a_card, "reason": reason}
    nation: str
    card: str
    reason: str

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("correction", "13", {"reason": self.reason})
        position.gain_card(self.nation, self.card, cause, position.private(self.nation))


@register("discard-card")
class DiscardCard(MasterMove):
    """The removal of a card from a hand, or from the table if it is not in the hand."""

    form: ClassVar[dict[str, Reader]] = {"nation": a_nation, "card": a_card, "reason": reason}
    nation: str
    card: str
    reason: str

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def check(self, position: Position) -> None:
        nation = position.nations[self.nation]
        if self.card not in nation.hand and self.card not in nation.table:
            raise IllegalMove(
                "no-such-card", "13", "not-in-their-hand", nation=self.nation, card=self.card
            )

    def apply(self, position: Position, dice: Dice) -> None:
        zone = "hand" if self.card in position.nations[self.nation].hand else "table"
        cause = Phrase("correction", "13", {"reason": self.reason})
        audience = position.private(self.nation) if zone == "hand" else None
        position.lose_card(self.nation, self.card, cause, audience, zone)


def check_change(changes: bool) -> None:
    """Refuse a correction that changes nothing; called after all other checks."""
    if not changes:
        raise bad("changes-nothing")


def names(position: Position, value: Any) -> tuple[str, ...]:
    """Read a list of names; `admit` checks that they are structures of the nation's culture."""
    if type(value) is not list or any(type(name) is not str for name in value):
        raise bad("not-structures")
    return tuple(value)


@register("set-structures")
class SetStructures(MasterMove):
    """The correction of a nation's structures, of each track the first ones in order.

    They give no levels and no victory points.
    """

    form: ClassVar[dict[str, Reader]] = {"nation": a_nation, "structures": names, "reason": reason}
    nation: str
    structures: tuple[str, ...]
    reason: str

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def admit(self, position: Position) -> None:
        culture = position.scenario.nations[self.nation].culture
        judged(sheet.structures, "structures", [*self.structures], position.rules, culture)
        MasterMove.admit(self, position)

    def check(self, position: Position) -> None:
        check_change(list(self.structures) != position.nations[self.nation].structures)

    def apply(self, position: Position, dice: Dice) -> None:
        nation, cause = (
            position.nations[self.nation],
            Phrase("correction", "13", {"reason": self.reason}),
        )
        previous, nation.structures = nation.structures, list(self.structures)
        for structure in previous:
            if structure not in self.structures:
                position.note("structure", self.nation, structure, cause, built=False)
        for structure in self.structures:
            if structure not in previous:
                position.note("structure", self.nation, structure, cause, built=True)


def a_count(position: Position, value: Any) -> int:
    return judged(whole, "siege_trains", value)


@register("set-assets")
class SetAssets(MasterMove):
    """The correction of a nation's barracks, its number of siege trains, or both."""

    form: ClassVar[dict[str, Reader]] = {
        "nation": a_nation,
        "barracks": flag,
        "siege_trains": a_count,
        "reason": reason,
    }
    nation: str
    reason: str
    barracks: bool | None = None
    siege_trains: int | None = None

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.nation,)

    def admit(self, position: Position) -> None:
        if self.barracks is None and self.siege_trains is None:
            raise bad("no-asset")
        MasterMove.admit(self, position)

    def check(self, position: Position) -> None:
        nation = position.nations[self.nation]
        check_change(
            self.barracks not in (None, nation.barracks)
            or self.siege_trains not in (None, nation.siege_trains)
        )

    def apply(self, position: Position, dice: Dice) -> None:
        nation, cause = (
            position.nations[self.nation],
            Phrase("correction", "13", {"reason": self.reason}),
        )
        if self.barracks is not None and self.barracks != nation.barracks:
            nation.barracks = self.barracks
            position.note("structure", self.nation, "barracks", cause, built=self.barracks)
        if self.siege_trains is not None and self.siege_trains != nation.siege_trains:
            more, nation.siege_trains = self.siege_trains > nation.siege_trains, self.siege_trains
            position.note(
                "structure", self.nation, "siege-train", cause, built=more, count=self.siege_trains
            )


def a_fortification(position: Position, value: Any) -> str | None:
    judged(sheet.fortification, "fortification", value, position.rules)
    return None if value is None else str(value)


def owning_nation(position: Position, province: str) -> str:
    """Return the nation that owns the province; only a nation has fortifications and fleets."""
    owner = position.owner[province]
    if owner is None:
        raise IllegalMove("not-owner", "3.7", "nobodys-province", province=province)
    return owner


@register("set-fortification")
class SetFortification(MasterMove):
    """The correction of a province's fortification, to a level or to none."""

    form: ClassVar[dict[str, Reader]] = {
        "province": a_province,
        "fortification": a_fortification,
        "reason": reason,
    }
    province: str
    fortification: str | None
    reason: str

    def check(self, position: Position) -> None:
        owning_nation(position, self.province)
        refuse_under_attack(position, self.province, "13")
        check_change(self._level(position) != position.fortification.get(self.province, 0))

    def _level(self, position: Position) -> int:
        return sheet.fortification("", self.fortification, position.rules)

    def apply(self, position: Position, dice: Dice) -> None:
        previous, level = position.fortification.pop(self.province, 0), self._level(position)
        if level:
            position.fortification[self.province] = level
        lost = {} if level else {"fortification_lost": previous}
        cause = Phrase("correction", "13", {"reason": self.reason})
        position.note(
            "holding",
            position.owner[self.province],
            self.province,
            cause,
            fortification=self.fortification,
            **lost,
        )


@register("set-fleet")
class SetFleet(MasterMove):
    """The correction of whether a province has a fleet.

    A fleet that is added in this way carries attacks at once (3.12 applies to fleets that are
    built).
    """

    form: ClassVar[dict[str, Reader]] = {"province": a_province, "fleet": flag, "reason": reason}
    province: str
    fleet: bool
    reason: str

    def check(self, position: Position) -> None:
        owning_nation(position, self.province)
        if self.fleet and not position.scenario.provinces[self.province].maritime:
            raise IllegalMove("not-maritime", "3.10", province=self.province)
        refuse_under_attack(position, self.province, "13")
        check_change(self.fleet != (self.province in position.fleets))

    def apply(self, position: Position, dice: Dice) -> None:
        cause, owner = (
            Phrase("correction", "13", {"reason": self.reason}),
            position.owner[self.province],
        )
        if self.fleet:
            position.fleets[self.province] = position.turn - 1
            position.note("holding", owner, self.province, cause, fleet=True)
        else:
            del position.fleets[self.province]
            position.note("holding", owner, self.province, cause, fleet_lost=True)
