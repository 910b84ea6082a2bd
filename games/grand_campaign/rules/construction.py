"""Construction and fiscal measures (3.3 to 3.10)."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules.form import Reader, SlotMove, a_province, bad, register
from games.grand_campaign.rules.numbers import TRACK_ACCOUNT, Fortification, Structure, table
from games.grand_campaign.rules.position import Position, check_actions, would_crumble

TRACK_RULE = {"architecture": "3.3", "religious": "3.4", "commercial": "3.5"}


def build_free(position: Position, seat: str, structure: Structure, cause: Phrase) -> None:
    """Add the structure to the nation without cost, and post its gain and victory points."""
    position.nations[seat].structures.append(structure.name)
    position.note("structure", seat, structure.name, cause, built=True)
    position.change(seat, TRACK_ACCOUNT[structure.track], structure.gain, cause)
    position.change(seat, "victory_points", structure.points, cause)


def destroy(position: Position, seat: str, structure: Structure, cause: Phrase) -> None:
    """Remove the structure, with the levels and victory points that it gave (5, Earthquake)."""
    position.nations[seat].structures.remove(structure.name)
    position.note("structure", seat, structure.name, cause, built=False)
    with position.posting():
        position.change(seat, TRACK_ACCOUNT[structure.track], -structure.gain, cause)
        position.change(seat, "victory_points", -structure.points, cause)


def a_structure(position: Position, value: Any) -> str:
    """Read the name of a structure; `admit` refuses a structure of the other culture."""
    if type(value) is not str or value not in position.rules.names:
        raise bad("not-a-structure")
    return value


@register("build")
class Build(SlotMove):
    """The construction of the next structure of a track, each once and in order (3.3 to 3.5)."""

    form: ClassVar[dict[str, Reader]] = {"structure": a_structure}
    structure: str

    def admit(self, position: Position) -> None:
        if self.seat != "gm" and self.structure not in self._known(position):
            raise bad("other-culture", structure=self.structure)
        SlotMove.admit(self, position)

    def _known(self, position: Position) -> dict[str, Structure]:
        return position.rules.structures[position.scenario.nations[self.seat].culture]

    def check(self, position: Position) -> None:
        known, standing = self._known(position), position.nations[self.seat].structures
        built = known[self.structure]
        rule = TRACK_RULE[built.track]
        if self.structure in standing:
            raise IllegalMove("already-built", rule, structure=self.structure)
        # The structures of a track that exist are always its first ones: they are built in order
        # and lost from the top.
        before = known.get(built.before)
        if before is not None and before.name not in standing:
            raise IllegalMove(
                "prerequisite-missing", rule, structure=self.structure, missing=before.name
            )
        check_actions(position, self.seat, built.cost, rule)

    def apply(self, position: Position, dice: Dice) -> None:
        built = self._known(position)[self.structure]
        cause = Phrase("builds", TRACK_RULE[built.track], {"structure": self.structure})
        position.spend(self.seat, built.cost, cause)
        build_free(position, self.seat, built, cause)


@register("barracks")
class Barracks(SlotMove):
    """The construction of the nation's only barracks, which allow levies (3.8)."""

    def check(self, position: Position) -> None:
        if position.nations[self.seat].barracks:
            raise IllegalMove("already-built", "3.8", structure="barracks")
        check_actions(position, self.seat, position.rules.costs["barracks"], "3.8")

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("builds", "3.8", {"structure": "barracks"})
        position.spend(self.seat, position.rules.costs["barracks"], cause)
        position.nations[self.seat].barracks = True
        position.note("structure", self.seat, "barracks", cause, built=True)


@register("siege-train")
class SiegeTrain(SlotMove):
    """The construction of a siege train; a nation may own several (3.9)."""

    def check(self, position: Position) -> None:
        check_actions(position, self.seat, position.rules.costs["siege-train"], "3.9")

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("builds", "3.9", {"structure": "siege-train"})
        position.spend(self.seat, position.rules.costs["siege-train"], cause)
        position.nations[self.seat].siege_trains += 1
        position.note("structure", self.seat, "siege-train", cause, built=True)


def check_own_province(position: Position, seat: str, province: str) -> None:
    """Refuse a province that the nation does not own (6.1)."""
    if position.owner[province] != seat:
        raise IllegalMove("not-owner", "6.1", province=province, nation=seat)


@register("fortify")
class Fortify(SlotMove):
    """The construction of the next level of a province's fortification (3.7)."""

    form: ClassVar[dict[str, Reader]] = {"province": a_province}
    province: str

    def next_level(self, position: Position) -> Fortification | None:
        """Return the level that comes next in the province, or None if all are built."""
        level, rows = position.fortification.get(self.province, 0), position.rules.fortifications
        return rows[level] if level < len(rows) else None

    def check(self, position: Position) -> None:
        check_own_province(position, self.seat, self.province)
        level = self.next_level(position)
        if level is None:
            raise IllegalMove("already-built", "3.7", "fully-fortified", province=self.province)
        if position.under_attack(self.province):
            raise IllegalMove(
                "province-under-attack", "3.7", "no-building-under-attack", province=self.province
            )
        check_actions(position, self.seat, level.cost, "3.7")

    def apply(self, position: Position, dice: Dice) -> None:
        level = self.next_level(position)
        assert level is not None
        cause = Phrase("fortifies", "3.7", {"fortification": level.name, "province": self.province})
        position.spend(self.seat, level.cost, cause)
        position.fortification[self.province] = level.level
        position.note("holding", self.seat, self.province, cause, fortification=level.name)


@register("fleet")
class Fleet(SlotMove):
    """The construction of a fleet in the nation's own maritime province (3.10, 3.12).

    The fleet carries attacks from the next turn on.
    """

    form: ClassVar[dict[str, Reader]] = {"province": a_province}
    province: str

    def check(self, position: Position) -> None:
        check_own_province(position, self.seat, self.province)
        if not position.scenario.provinces[self.province].maritime:
            raise IllegalMove("not-maritime", "3.10", province=self.province)
        if self.province in position.fleets:
            raise IllegalMove("already-built", "3.10", "fleet-there", province=self.province)
        if position.under_attack(self.province):
            raise IllegalMove(
                "province-under-attack", "3.10", "no-building-under-attack", province=self.province
            )
        check_actions(position, self.seat, position.rules.costs["fleet"], "3.10")

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("builds-fleet", "3.10", {"province": self.province})
        position.spend(self.seat, position.rules.costs["fleet"], cause)
        position.fleets[self.province] = position.turn
        position.note("holding", self.seat, self.province, cause, fleet=True)


# Fiscal measures (3.6).

TAX_EXEMPTION, TAX_INCREASE = Phrase("tax-exemption", "3.6"), Phrase("tax-increase", "3.6")


@register("tax-exemption")
class TaxExemption(SlotMove):
    """The purchase of a level of stability, any number of times (3.6)."""

    def check(self, position: Position) -> None:
        check_actions(position, self.seat, position.rules.costs["tax-exemption"], "3.6")

    def apply(self, position: Position, dice: Dice) -> None:
        cause = TAX_EXEMPTION
        account, gain = table("effects")["tax_exemption"]
        position.spend(self.seat, position.rules.costs["tax-exemption"], cause)
        position.change(self.seat, account, gain, cause)


@register("tax-increase")
class TaxIncrease(SlotMove):
    """The sale of a level of stability for half an action, once a slot (3.6)."""

    def check(self, position: Position) -> None:
        if position.nations[self.seat].tax_increases >= position.rules.tax_increases_per_slot:
            raise IllegalMove("not-allowed", "3.6", "tax-increase-once")
        if would_crumble(position, self.seat, *table("effects")["tax_increase"]):
            raise IllegalMove("would-crumble", "3.6", nation=self.seat)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = TAX_INCREASE
        account, loss = table("effects")["tax_increase"]
        position.nations[self.seat].tax_increases += 1
        position.change(self.seat, account, loss, cause)
        position.change(self.seat, "actions", position.rules.tax_increase_actions, cause)
