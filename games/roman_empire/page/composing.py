"""What the page's script is given to compose a phase on the board.

The script gets the public position, ways, chances, points and words: nothing of hands and counters.
It judges nothing: it shows what the rules would likely say, and the server plays move by move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.errors import IllegalMove
from engine.language import Plural, language
from games.roman_empire.page import placing
from games.roman_empire.rules import combat, phases, view
from games.roman_empire.rules.factions import DEARER, recruitable
from games.roman_empire.rules.placing import returns, start_land
from games.roman_empire.rules.position import (
    AREAS,
    COLOURS,
    COUNTERS,
    FACTION,
    LANDS,
    NEAR,
    OF_AREA,
    PEOPLE,
    POINTS,
    REBEL,
    STACK,
    START,
    STARTS,
    F,
    Place,
    Position,
    data,
)
from games.roman_empire.text.english import BOARD
from games.roman_empire.text.words import group_name, seat_name

MOST_ON_BOARD = 10
"""Chances are told for so many armies."""
START_PERIODS = 3
"""The points of a start land's area are shown for the first periods."""


def document(position: Position, mine: bool) -> dict[str, Any]:
    """All the script may know; `play` is there only where the reader composes a phase now."""
    groups = {place.who for place in position.lands.values() if place.who} | set(position.control)
    if position.current is not None:
        groups.add(position.current)
    whole: dict[str, Any] = {
        "lands": {key: _place(place) for key, place in position.lands.items()},
        "groups": {
            key: [group_name(key), position.seat_of(key) or REBEL, _kind(key)]
            for key in sorted(groups)
        },
        "names": {key: one.name for key, one in LANDS.items()},
        "geo": _geography(),
        "phase": [
            position.period,
            position.phase,
            position.active,
            position.current,
            position.resume is not None,
        ],
        "mover": view.mover(position),
        "fought": position.combat.land if position.combat is not None else "",
        "words": _words(language()),
    }
    if mine and position.pending is not None:
        whole["decide"] = list(position.pending.to)
    elif mine and position.phase in (PEOPLE, FACTION) and view.automatic(position) is None:
        whole["play"] = _play(position)
    return whole


def _place(place: Place) -> list[Any]:
    """Group, armies, City, whose Fort, its level."""
    fort = place.fort
    return [place.who, place.n, place.city, fort.who if fort else None, fort.level if fort else 0]


def _kind(group: str) -> str:
    return "faction" if group in COLOURS else "rebel" if group == REBEL else "people"


@cache
def _geography() -> dict[str, list[Any]]:
    """Where stack, City, Fort and resource of each land stand, whether its name is below, whether
    it is a capital's.
    """
    drawn = data("drawing")["lands"]
    return {
        key: [
            one["markers"]["stack"],
            one["markers"].get("city"),
            one["markers"].get("fort"),
            one["markers"].get("resource"),
            one["label"][1] > one["markers"]["stack"][1],
            bool(one["capital"]),
        ]
        for key, one in drawn.items()
    }


def _play(position: Position) -> dict[str, Any]:
    """What the acting seat composes with."""
    seat, group = str(position.active), str(position.current)
    revolt = position.working.get("revolt")
    return {
        "seat": seat,
        "group": group,
        "name": group_name(group),
        "faction": position.is_faction,
        "hand": position.in_hand,
        "begin": position.step == START,
        "home": start_land(position),
        "returns": returns(position),
        "stack": STACK,
        "revolt": [revolt["land"], revolt["n"]] if revolt and revolt["n"] else None,
        "near": {
            key: {to: int(combat.hard(position, to, key)) for to in of} for key, of in NEAR.items()
        },
        "coast": [key for key, one in LANDS.items() if one.coastal],
        "bribed": [colour for people, colour in position.bribed if people == group],
        "fights": {key: chances for key in LANDS if (chances := _chances(position, key))},
        "areas": {key: [name, OF_AREA[key], POINTS[key]] for key, name in AREAS.items()},
        "city": {key: phases.city(key, position.phase, position.period) for key in LANDS},
        "capitals": [key for key in LANDS if combat.loot_dice(position, key) > 1],
        "per_land": phases.per_land(position, position.phase),
        "strict": "strict_domination" in position.options.flags,
        "main": group_name(position.resume.current) if position.resume is not None else "",
        "score": [phases.score(position, seat, position.phase).points],
        "fight": position.combat is not None and not position.combat.standing,
        **(
            _faction(position, seat)
            if position.is_faction
            else {"take_up": _take_ups(position, seat)}
        ),
    }


def _chances(position: Position, land: str) -> dict[str, Any]:
    """Of an attack on a land: per cent for one army to ten by open ground, hard ground, sea and
    revolt; the words of each.
    """
    place = position.lands[land]
    if position.current == place.who or not (place.n or place.fort):
        return {}
    ways: dict[str, str] = {}
    for source in NEAR[land]:
        ways.setdefault("h" if combat.hard(position, land, source) else "e", source)
    if position.is_faction and LANDS[land].coastal:
        ways["s"] = "sea"
    if position.working.get("revolt"):
        ways["r"] = "revolt"
    rows: dict[str, Any] = {}
    for key, source in ways.items():
        odds = combat.attack(position, land, source)
        shown = placing.chance(odds, position, land, source)
        chances = [
            combat.conquest_chance(odds.sides, n, odds.defenders)
            for n in range(1, MOST_ON_BOARD + 1)
        ]
        rows[key] = [
            [_percent(one) for one in chances],
            ", ".join(shown.mine),
            ", ".join(shown.his),
        ]
    holder = place.who or (place.fort.who if place.fort else None)
    rows["holder"] = group_name(holder)
    rows["beat"] = place.n + (place.fort is not None)
    rows["loot"] = combat.lootable(position, land, holder)
    rows["asks"] = place.who in position.factions.values() and place.n > 0
    return rows


def _percent(chance: float) -> int:
    return int(combat.percent(chance)[:-1])


def _take_ups(position: Position, seat: str) -> dict[str, int]:
    most: dict[str, int] = {}
    for one in placing.legal(position, "take_up", seat):
        most[str(one["land"])] = max(most.get(str(one["land"]), 0), int(one["n"]))
    return most


def _faction(position: Position, seat: str) -> dict[str, Any]:
    """What only a Faction does before it places, with its prices."""

    def lands(name: str) -> list[str]:
        return [str(one["land"]) for one in placing.legal(position, name, seat)]

    starts = {
        key: [
            AREAS[LANDS[key].area],
            POINTS[LANDS[key].area][:START_PERIODS],
            OF_AREA[LANDS[key].area],
        ]
        for key in lands("choose_start")
    }
    taken = {land: seat_name(other) for other, land in position.start.items() if other != seat}
    return {
        "starts": starts,
        "taken": taken if starts else {},
        "all_starts": list(STARTS),
        "points": position.vp[seat][F],
        "free_forts": position.free_forts,
        "forts_left": _forts_left(position),
        "price": 3 if position.period >= DEARER else 2,
        "recruits": max(
            [int(one["n"]) for one in placing.legal(position, "recruit", seat)], default=0
        ),
        "room": max(0, recruitable(position)),
        "take_up": _take_ups(position, seat),
        "bribe": {key: 2 * position.lands[key].n for key in lands("bribe")},
        "fortress": lands("fortress"),
        "resources": [key for key, one in LANDS.items() if one.resource],
        "home_area": list(phases.home_area(position)),
    }


def _forts_left(position: Position) -> int:
    return max(0, COUNTERS["forts_per_faction"] - position.forts(position.colour))


@cache
def _words(_: str) -> dict[str, Any]:
    """The texts of the script in the language of now: of what counts, one and many."""
    texts: Mapping[str, Any] = BOARD.read()
    return {
        key: [one.form(1), one.form(2)] if isinstance(one, Plural) else one
        for key, one in texts.items()
    }


def wanted(position: Position, condition: Mapping[str, Any]) -> bool:
    """Is a move still to be made, by its condition (`games.contract.pages.Conditional`): a land is
    yet to be fought for (`fights`), lands were won (`won`), no army was lost before a land just now
    (`unbroken`)?
    """
    known = {"fights", "won", "unbroken"}
    for key, value in condition.items():
        lands = value if key == "won" and isinstance(value, list) else [value]
        if key not in known or any(type(land) is not str or land not in LANDS for land in lands):
            raise IllegalMove(
                "bad-arguments", "", "unknown-argument", key=str(key)[:40], move="place"
            )
    now, group = position.combat, position.current
    broken = now is not None and not now.standing and now.land == condition.get("unbroken")
    fought = "fights" not in condition or position.lands[condition["fights"]].who != group
    return (
        not broken
        and fought
        and all(position.lands[land].who == group for land in condition.get("won", ()))
    )
