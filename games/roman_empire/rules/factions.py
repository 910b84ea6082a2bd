"""The moves of Factions alone: start, recruits, bribes, Forts, Cities (6)."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.kit.records import register
from games.roman_empire.rules import combat, placing
from games.roman_empire.rules.moves import MOVES, EmpireMove
from games.roman_empire.rules.position import (
    COUNTERS,
    FACTION,
    LOOTED,
    NEAR,
    REBEL,
    START,
    STARTS,
    WHOLE,
    F,
    Fort,
    Position,
)

BRIBE, FORT, REBUILD = 2, 1, 1
DEARER = 4
"""The period from which Legions cost 3 instead of 2 (6.2)."""


class FactionMove(EmpireMove):
    """A move that only a Faction makes."""

    __slots__ = ()
    phases: ClassVar[tuple[str, ...]] = (FACTION,)


@register(MOVES, "choose_start")
class ChooseStart(FactionMove):
    """The choice of the start land in turn 1 (6.3)."""

    form: ClassVar[dict[str, str]] = {"land": "text"}
    land: str

    def check(self, position: Position) -> None:
        if position.period != 1:
            raise IllegalMove("wrong-phase", "6.3", "only-turn-1")
        placing.read_places(self.land)
        if position.step != START or self.seat in position.start:
            raise IllegalMove("too-late", "6.3", "start-chosen")
        if self.land not in STARTS or self.land in position.start.values():
            raise IllegalMove("bad-target", "6.3", "no-start", land=self.land)

    def apply(self, position: Position, dice: Dice) -> None:
        position.start[self.seat] = self.land
        position.note(
            "started",
            self.seat,
            self.land,
            "6.3",
            seat=self.seat,
            land=self.land,
            group=position.current,
        )


def pay(position: Position, seat: str, cost: int, why: str, **facts: Any) -> None:
    position.score(seat, F, -cost, Phrase(why, "6.2", {"group": position.current, **facts}))


def check_affordable(position: Position, seat: str, cost: int) -> None:
    if cost > position.vp[seat][F]:
        raise IllegalMove("not-enough-vp", "6.2", cost=cost, points=position.vp[seat][F])


@register(MOVES, "recruit")
class Recruit(FactionMove):
    """The recruiting of Legions into the hand (6.2)."""

    only_start: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"n": "number"}
    n: int

    def cost(self, position: Position) -> int:
        return self.n * (3 if position.period >= DEARER else 2)

    def check(self, position: Position) -> None:
        if self.n < 1:
            raise IllegalMove("bad-number", "6.2", "not-positive")
        room = recruitable(position)
        if self.n > room:
            raise IllegalMove("legion-limit", "6.2", limit=position.legion_limit, room=max(0, room))
        check_affordable(position, self.seat, self.cost(position))

    def apply(self, position: Position, dice: Dice) -> None:
        cost = self.cost(position)
        pay(position, self.seat, cost, "recruited", n=self.n)
        position.in_hand += self.n
        position.note(
            "recruited", self.seat, "", "6.2", group=position.current, n=self.n, cost=cost
        )


def recruitable(position: Position) -> int:
    """Return how many Legions may still be recruited (6.2, R5)."""
    colour = position.colour
    return (
        position.legion_limit
        - position.on_map(colour)
        - position.in_hand
        - position.rebels_of(colour)
    )


@register(MOVES, "bribe")
class Bribe(FactionMove):
    """The purchase of the Rebel Legions of a neighbouring land (6.2)."""

    only_start: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"land": "text"}
    land: str

    def check(self, position: Position) -> None:
        placing.read_places(self.land)
        place = position.lands[self.land]
        if place.who != REBEL:
            raise IllegalMove("bad-target", "6.2", "no-rebels", land=self.land)
        if not any(position.lands[other].who == position.colour for other in NEAR[self.land]):
            raise IllegalMove("not-adjacent", "6.2", "not-beside", land=self.land)
        if (
            position.on_map(position.colour) + position.in_hand + place.n
            > COUNTERS["legions_per_faction"]
        ):
            raise IllegalMove("legion-limit", "2", "no-counters")
        check_affordable(position, self.seat, BRIBE * place.n)

    def apply(self, position: Position, dice: Dice) -> None:
        n, colour = position.lands[self.land].n, position.colour
        pay(position, self.seat, BRIBE * n, "bribed", n=n, land=self.land)
        position.settle(
            self.land, Phrase("bribed", "6.2", {"group": colour, "n": n}), who=colour, of=None
        )
        position.note(
            "bribed", self.seat, self.land, "6.2", land=self.land, group=colour, n=n, cost=BRIBE * n
        )


class Building(FactionMove):
    """The building of a Fort or a Fortress (6.1, 6.2).

    It costs a fort point as long as there are any, otherwise, before placing, a victory point.
    """

    __slots__ = ()
    form: ClassVar[dict[str, str]] = {"land": "text"}
    done: ClassVar[str]
    """The kind of its effect."""
    level: ClassVar[int]
    land: str

    def check_time(self, position: Position) -> None:
        if position.step != START and not position.free_forts:
            raise IllegalMove("too-late", "6.2", "no-fort-points")

    def price(self, position: Position) -> int:
        return 0 if position.free_forts else FORT

    def apply(self, position: Position, dice: Dice) -> None:
        cost = self.price(position)
        if cost:
            pay(position, self.seat, cost, self.done, land=self.land)
        else:
            position.free_forts -= 1
        cause = Phrase(self.done, "6.2", {"group": position.current})
        position.settle(self.land, cause, fort=Fort(position.colour, self.level))
        if self.level == 1:
            position.built.append(self.land)
        position.note(
            self.done,
            self.seat,
            self.land,
            "6.2",
            land=self.land,
            group=position.current,
            cost=cost,
        )


@register(MOVES, "fort")
class BuildFort(Building):
    """The building of a Fort in a controlled land (6.2)."""

    done, level = "fort_built", 1
    land: str

    def check(self, position: Position) -> None:
        placing.read_places(self.land)
        self.check_time(position)
        if position.lands[self.land].who != position.colour:
            raise IllegalMove("not-controlled", "6.2", land=self.land)
        if position.lands[self.land].fort is not None:
            raise IllegalMove("fort-there", "6.2", land=self.land)
        if not combat.has_fort(position):
            raise IllegalMove("bad-number", "2", "no-fort-counters")
        check_affordable(position, self.seat, self.price(position))


@register(MOVES, "fortress")
class TurnFort(Building):
    """The change of a Fort in a land with a City into a Fortress (6.2)."""

    done, level = "fort_turned", 2
    land: str

    def check(self, position: Position) -> None:
        placing.read_places(self.land)
        self.check_time(position)
        place = position.lands[self.land]
        if place.fort is None or place.fort.who != position.colour or place.fort.level != 1:
            raise IllegalMove("no-fortress", "6.2", "no-own-fort", land=self.land)
        if self.land in position.built:
            raise IllegalMove("no-fortress", "6.2", "fort-too-new", land=self.land)
        if place.city is None:
            raise IllegalMove("no-fortress", "6.2", "no-city-there", land=self.land)
        check_affordable(position, self.seat, self.price(position))


@register(MOVES, "rebuild")
class Rebuild(FactionMove):
    """The rebuilding of a looted City in a controlled land (6.2)."""

    only_start: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"land": "text"}
    land: str

    def check(self, position: Position) -> None:
        placing.read_places(self.land)
        if position.lands[self.land].who != position.colour:
            raise IllegalMove("not-controlled", "6.2", land=self.land)
        if position.lands[self.land].city != LOOTED:
            raise IllegalMove("bad-target", "6.2", "not-looted", land=self.land)
        check_affordable(position, self.seat, REBUILD)

    def apply(self, position: Position, dice: Dice) -> None:
        pay(position, self.seat, REBUILD, "rebuilt", land=self.land)
        position.settle(
            self.land, Phrase("rebuilt", "6.2", {"group": position.current}), city=WHOLE
        )
        position.note(
            "rebuilt",
            self.seat,
            self.land,
            "6.2",
            land=self.land,
            group=position.current,
            cost=REBUILD,
        )
