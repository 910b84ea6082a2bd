"""The placing of an army: its origin and its consequences (5.3, 6.3 to 6.5, 8.7, 8.8)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.roman_empire.rules import combat
from games.roman_empire.rules.position import (
    CHART,
    COLOURS,
    EXPAND,
    LANDS,
    NEAR,
    STACK,
    STATES,
    Pending,
    Position,
)

STRENGTHEN, VACANT, OWN, TAKE, ATTACK, CLAIM = (
    "strengthen",
    "vacant",
    "own",
    "take",
    "attack",
    "claim",
)


def read_places(land: str) -> None:
    """Check that a land exists."""
    if land not in LANDS:
        raise IllegalMove("unknown-land", "1.1", name=land[:40])


def start_land(position: Position) -> str | None:
    """Return the land where the acting group begins with no army on the map (5.3, 6.3)."""
    if position.is_faction:
        return position.start.get(str(position.active)) if position.period == 1 else None
    if position.start_land is not None:
        return position.start_land
    if position.current in STATES:
        return STATES[position.current].land
    return next(
        (p.start for p in CHART if p.key == position.current and p.period == position.period), None
    )


def judge(position: Position, land: str, source: str, loot: bool, fort: str | None = None) -> str:
    """Return the kind of a placement, one of the constants above.

    `fort` says whether a vacant Fort is taken or destroyed (8.7).

    Raises:
        IllegalMove: The rules forbid the placement.
    """
    read_places(land)
    _place_source(position, source)
    _source(position, land, source)
    place = position.lands[land]
    if place.who == position.current and place.n >= STACK:
        raise IllegalMove("stack-full", "2", land=land)
    way = CLAIM if source == "start" else _placing_kind(position, land)
    if (
        way == TAKE
        and fort is None
        and position.combat is not None
        and position.combat.land == land
    ):
        way = ATTACK  # the combat for the Fort goes on (8.4)
    holder = place.who or (place.fort.who if place.fort else None)
    if way == ATTACK and (position.current, holder) in position.bribed:
        raise IllegalMove("bad-target", "12", "bribed", group=position.current, colour=holder)
    if loot and way in (ATTACK, CLAIM):
        may_loot(position, land, conquest=way == ATTACK or conquers(position, land))
    return way


def may_loot(position: Position, land: str, conquest: bool = True) -> None:
    """Check that a conqueror of a land could loot it (8.10).

    Raises:
        IllegalMove: They could not.
    """
    place = position.lands[land]
    holder = place.who or (place.fort.who if place.fort else None)
    if conquest and not combat.lootable(position, land, holder):
        raise IllegalMove(
            "cannot-loot", "8.10", "no-city" if place.city != "whole" else "cannot-loot", land=land
        )


def _place_source(position: Position, source: str) -> None:
    revolt = position.active_bonuses.get("revolt")
    if source == "revolt":
        if not revolt:
            raise IllegalMove("bad-from", "9.3", "no-revolt")
        armies = int(revolt["n"])
    else:
        armies = position.in_hand
    if armies < 1 or position.counters_left(position.current) < 1:
        raise IllegalMove("no-units", "5.3", group=position.current)


def _source(position: Position, land: str, source: str) -> None:
    place, group = position.lands[land], position.current
    if source == "revolt":
        if position.bonus["revolt"]["land"] != land:
            raise IllegalMove(
                "bad-from", "9.3", "other-revolt", land=position.bonus["revolt"]["land"]
            )
    elif source == "start":
        home = start_land(position)
        if home is None or home != land or position.on_map(group):
            raise IllegalMove("bad-from", "5.3", "not-start", land=home)
    elif source == "sea":
        if not position.is_faction:
            raise IllegalMove("bad-from", "6.4", "no-ships", group=group)
        if not LANDS[land].coastal or not any(
            LANDS[other].coastal for other in position.lands_of(group)
        ):
            raise IllegalMove("bad-from", "6.4", "no-coast", land=land)
    elif source == "reentry":
        if land not in returns(position):
            raise IllegalMove("bad-from", "6.5", "no-return", land=land)
    elif source not in LANDS or position.lands[source].who != group or group is None:
        raise IllegalMove("bad-from", "5.3", name=source[:40])
    elif source == land:
        if place.n >= STACK:
            raise IllegalMove("stack-full", "2", land=land)
    elif land not in NEAR[source]:
        raise IllegalMove("not-adjacent", "1.5", land=land, source=source)


def returns(position: Position) -> list[str]:
    """Return the lands to which a Faction with no Legion on the map may return (6.5)."""
    if (
        not position.is_faction
        or position.on_map(position.colour)
        or start_land(position) is not None
    ):
        return []
    if (
        position.period == 1 and position.has_counters
    ):  # in turn 1 the first Legion goes to a start land (6.3)
        return []
    forts = [
        land
        for land, place in position.lands.items()
        if place.who is None and place.fort is not None
    ]
    if forts:
        return forts
    roman = [land for land, place in position.lands.items() if place.who in COLOURS]
    near = [
        land
        for land in LANDS
        if position.lands[land].who is None and any(other in roman for other in NEAR[land])
    ]
    return near or roman


def _placing_kind(position: Position, land: str) -> str:
    place = position.lands[land]
    if place.who == position.current:
        return STRENGTHEN
    if position.is_own(land) and (place.who is not None or not position.is_faction):
        return OWN
    if place.who is None and (place.fort is None or place.fort.who == position.current):
        return VACANT
    return TAKE if place.who is None and position.is_faction else ATTACK


def conquers(position: Position, land: str) -> bool:
    """Return whether a start land has an army or a Fort of another seat (5.3, R8)."""
    place = position.lands[land]
    return (place.who is not None or place.fort is not None) and not position.is_own(land)


def put(
    position: Position, dice: Dice, land: str, source: str, loot: bool, fort: str, way: str
) -> None:
    """Place an army, in the way that `judge` returned."""
    position.step = EXPAND
    if position.combat is not None and (position.combat.land != land or way != ATTACK):
        combat.leave(position)
    if source == "revolt":
        position.bonus["revolt"] = {"land": land, "n": position.bonus["revolt"]["n"] - 1}
    else:
        position.in_hand -= 1
    group = str(position.current)
    position.note(
        "placed", position.active, land, "5.3", land=land, source=source, group=group, way=way
    )
    cause = Phrase("placed", "5.3", {"group": group})
    place = position.lands[land]
    if way == STRENGTHEN:
        position.settle(land, cause, n=place.n + 1)
    elif way == ATTACK:
        combat.engage(position, dice, land, source, loot)
    elif way == CLAIM:
        _claim(position, dice, land, loot)
    elif way == OWN:
        _overrun(position, land)
    elif way == TAKE:
        _take(position, land, fort)
    else:
        position.settle(land, cause, who=group, n=1, of=None)


def _claim(position: Position, dice: Dice, land: str, loot: bool) -> None:
    """Place the first army in a start land, from which others retreat (5.3).

    Without a retreat they die. The Fort is lost. Their seat may be asked first where its armies go
    (12.5).
    """
    place = position.lands[land]
    seat = position.seat_of(place.who)
    if seat is not None and (room := combat.open_ways(position, land)):
        position.pending = Pending("retreat", seat, land, room, 0, loot)
        position.note("asked_retreat", seat, land, "8.6", seat=seat, land=land, n=place.n)
        return
    arrive(position, dice, land, loot)


def arrive(
    position: Position, dice: Dice, land: str, loot: bool, goals: Sequence[str] = ()
) -> None:
    """Clear a start land, whose armies go to `goals` first, and place an army there (5.3, 8.6)."""
    place = position.lands[land]
    conquest = conquers(position, land)
    holder = place.who or (place.fort.who if place.fort else None)
    if place.n:
        combat.scatter(position, land, goals)
    combat.lose_fort(position, land, "5.3")
    if conquest:
        combat.win(position, dice, land, holder, loot)
    else:
        position.settle(
            land,
            Phrase("placed", "5.3", {"group": position.current}),
            who=position.current,
            n=1,
            of=None,
        )


def _overrun(position: Position, land: str) -> None:
    """Take a land of the same seat without combat; its Fort remains only for a Faction (8.8)."""
    place, group = position.lands[land], position.current
    position.kill(land, place.n, Phrase("replaced", "8.8", {"group": place.who, "by": group}))
    if place.fort is not None and not position.is_faction:
        combat.lose_fort(position, land, "8.8")
    elif place.fort is not None:
        position.settle(
            land,
            Phrase("fort_kept", "8.8", {"group": group}),
            fort=combat.keep_fort(position, place.fort),
        )
    position.settle(land, Phrase("placed", "8.8", {"group": group}), who=group, n=1, of=None)
    position.note("overrun", position.active, land, "8.8", land=land, group=group, of=place.who)


def _take(position: Position, land: str, fort: str) -> None:
    """Enter a vacant land with another Faction's Fort, and take or destroy the Fort (8.7)."""
    if fort == "take":
        old = position.lands[land].fort
        kept = combat.keep_fort(position, old)
        cause = Phrase("fort_taken", "8.7", {"group": position.current})
        position.note(
            "fort_taken",
            position.active,
            land,
            "8.7",
            land=land,
            group=position.current,
            of=old.who if old else None,
        )
        position.settle(land, cause, fort=kept)
    else:
        combat.lose_fort(position, land, "8.7")
    position.settle(
        land,
        Phrase("placed", "8.7", {"group": position.current}),
        who=position.current,
        n=1,
        of=None,
    )
