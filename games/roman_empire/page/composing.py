"""The data with which the page's script composes a phase on the board.

The script gets the public position, ways, chances, points and words, and the cards that the reader
can play now, but nothing else about hands and counters. It does not judge moves: it shows what the
rules would probably do, and the server plays move by move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.errors import IllegalMove
from engine.language import Plural, language
from games.roman_empire.page import placing
from games.roman_empire.page.preparing import cards_of_seat
from games.roman_empire.page.suggesting import playable, suggested
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
from games.roman_empire.text.words import group_in_sentence, group_name, seat_name

MOST_ON_BOARD = 10
"""The most armies for which chances are shown."""
START_PERIODS = 3
"""The number of first periods for which the points of a start land's area are shown."""


def document(position: Position, mine: bool, *, sees_hand: bool = False) -> dict[str, Any]:
    """Return the data for the script; it has `play` only if the reader composes a phase now.

    Playable cards are in it only if the reader may see the hand of the acting seat.
    """
    groups = {place.who for place in position.lands.values() if place.who} | set(position.control)
    if position.current is not None:
        groups.add(position.current)
    whole: dict[str, Any] = {
        "lands": {key: _place(place) for key, place in position.lands.items()},
        "groups": {
            key: [group_name(key), position.seat_of(key) or REBEL, _kind(key)]
            for key in sorted(groups)
        },
        "names": {key: land.name for key, land in LANDS.items()},
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
        whole["play"] = _play(position, sees_hand)
    return whole


def _place(place: Place) -> list[Any]:
    """Return the group of a land, its armies, City, and the owner and level of its Fort."""
    fort = place.fort
    return [place.who, place.n, place.city, fort.who if fort else None, fort.level if fort else 0]


def _kind(group: str) -> str:
    return "faction" if group in COLOURS else "rebel" if group == REBEL else "people"


@cache
def _geography() -> dict[str, list[Any]]:
    """Return the drawing data of each land.

    These are the places of its stack, City, Fort and resource, whether its name is below the stack,
    and whether its City is a capital.
    """
    drawn = data("drawing")["lands"]
    return {
        key: [
            drawn_land["markers"]["stack"],
            drawn_land["markers"].get("city"),
            drawn_land["markers"].get("fort"),
            drawn_land["markers"].get("resource"),
            drawn_land["label"][1] > drawn_land["markers"]["stack"][1],
            bool(drawn_land["capital"]),
        ]
        for key, drawn_land in drawn.items()
    }


def _play(position: Position, sees_hand: bool) -> dict[str, Any]:
    """Return the data with which the acting seat composes its phase."""
    seat, group = str(position.active), str(position.current)
    revolt = position.active_bonuses.get("revolt")
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
            key: {to: int(combat.is_hard(position, to, key)) for to in neighbours}
            for key, neighbours in NEAR.items()
        },
        "coast": [key for key, land in LANDS.items() if land.coastal],
        "bribed": [colour for people, colour in position.bribed if people == group],
        "fights": {key: chances for key in LANDS if (chances := _chances(position, key))},
        "areas": {key: [name, OF_AREA[key], POINTS[key]] for key, name in AREAS.items()},
        "city": {key: phases.city(key, position.phase, position.period) for key in LANDS},
        "capitals": [key for key in LANDS if combat.loot_dice(position, key) > 1],
        "per_land": phases.per_land(position, position.phase),
        "strict": "strict_domination" in position.options.flags,
        "main": group_in_sentence(position.resume.current) if position.resume is not None else "",
        "score": [phases.score(position, seat, position.phase).points],
        "cards": playable(cards_of_seat(position, seat)) if sees_hand else [],
        "suggested": suggested(position),
        "fight": position.combat is not None and not position.combat.standing,
        **(
            _faction(position, seat)
            if position.is_faction
            else {"take_up": _take_ups(position, seat)}
        ),
    }


def _chances(position: Position, land: str) -> dict[str, Any]:
    """Return the chances of an attack on a land, and their terms in words.

    The chances are in per cent for one army to ten, over open ground, over hard ground, from the
    sea and by revolt.
    """
    place = position.lands[land]
    if position.current == place.who or not (place.n or place.fort):
        return {}
    ways: dict[str, str] = {}
    for source in NEAR[land]:
        ways.setdefault("h" if combat.is_hard(position, land, source) else "e", source)
    if position.is_faction and LANDS[land].coastal:
        ways["s"] = "sea"
    if position.active_bonuses.get("revolt"):
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
            [_percent(chance) for chance in chances],
            ", ".join(shown.mine),
            ", ".join(shown.theirs),
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
    for given in placing.legal(position, "take_up", seat):
        most[str(given["land"])] = max(most.get(str(given["land"]), 0), int(given["n"]))
    return most


def _faction(position: Position, seat: str) -> dict[str, Any]:
    """Return the moves that only a Faction makes before it places, with their prices."""

    def lands(name: str) -> list[str]:
        return [str(given["land"]) for given in placing.legal(position, name, seat)]

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
            [int(given["n"]) for given in placing.legal(position, "recruit", seat)], default=0
        ),
        "room": max(0, recruitable(position)),
        "take_up": _take_ups(position, seat),
        "bribe": {key: 2 * position.lands[key].n for key in lands("bribe")},
        "fortress": lands("fortress"),
        "resources": [key for key, land in LANDS.items() if land.resource],
        "home_area": list(phases.home_area(position)),
    }


def _forts_left(position: Position) -> int:
    return max(0, COUNTERS["forts_per_faction"] - position.forts(position.colour))


@cache
def _words(_: str) -> dict[str, Any]:
    """Return the texts of the script in the reader's language, those with numbers in both forms."""
    texts: Mapping[str, Any] = BOARD.read()
    return {
        key: [text.form(1), text.form(2)] if isinstance(text, Plural) else text
        for key, text in texts.items()
    }


def wanted(position: Position, condition: Mapping[str, Any]) -> bool:
    """Return whether a planned move still has to be made (`games.contract.pages.WithConditions`).

    The conditions are: a land has not been taken yet (`fights`), lands were won (`won`), no army
    was just lost before a land (`unbroken`).

    Raises:
        IllegalMove: The condition is malformed.
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
