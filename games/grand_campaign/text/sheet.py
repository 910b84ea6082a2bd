"""Checks of the parts of a nation's sheet and of a province that are given and not earned.

A scenario, `resume` or a tool of the game master gives them (RECORD, Later additions). Each check
raises `Fault` with the key that is wrong; the moves turn it into `bad-argument`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.grand_campaign.rules.numbers import CARDS, MOST, TRACK_ACCOUNT, Fault, Rules, whole

LEVELS = ("stability", "prestige", "income", "army")
LEAST_STABILITY = 2
"""The least stability of a nation that has not fallen; below it the nation crumbles (2.3)."""


def level(where: str, value: object, account: str, fallen: bool = False) -> int:
    """Return a starting level of an account; only victory points may be below 0."""
    least = {"victory_points": 1 - MOST, "stability": 0 if fallen else LEAST_STABILITY}.get(
        account, 0
    )
    return whole(where, value, least)


def flag(where: str, value: object) -> bool:
    if type(value) is not bool:
        raise Fault(where, "boolean")
    return value


def cards(where: str, value: object) -> list[str]:
    """Return cards of the rules, sorted like a hand; there may be several of a kind."""
    for n, key in enumerate(_list(where, value)):
        card(f"{where}.{n}", key)
    return sorted(_list(where, value))


def card(where: str, value: object) -> None:
    if type(value) is not str or value not in CARDS:
        raise Fault(where, "not-of-the-rules", known=sorted(CARDS))


def structures(where: str, value: object, rules: Rules, culture: str) -> list[str]:
    """Return structures of the culture's tracks, of each track the first ones in order.

    The tracks may be mixed.
    """
    known, standing = rules.structures[culture], {""}
    for n, name in enumerate(_list(where, value)):
        if type(name) is not str or name not in known:
            raise Fault(f"{where}.{n}", "no-structure", known=list(known))
        if name in standing:
            raise Fault(f"{where}.{n}", "stands-twice")
        if known[name].before not in standing:
            raise Fault(f"{where}.{n}", "structure-before", before=known[name].before)
        standing.add(name)
    return list(_list(where, value))


def fortification(where: str, value: object, rules: Rules) -> int:
    """Return the level of the fortification of this name, 0 for none."""
    if value is None:
        return 0
    for row in rules.fortifications:
        if row.name == value:
            return row.level
    raise Fault(where, "no-fortification", known=[row.name for row in rules.fortifications])


def _list(where: str, value: object) -> list[Any]:
    if type(value) is not list:
        raise Fault(where, "list")
    return value


def assets(where: str, given: dict[str, Any], rules: Rules, culture: str) -> None:
    """Check the keys of a sheet besides its levels, as far as they are given."""
    checks: dict[str, Callable[[str, object], object]] = {
        "hand": cards,
        "table": cards,
        "structures": lambda place, value: structures(place, value, rules, culture),
        "barracks": flag,
        "siege_trains": whole,
    }
    for key, check in checks.items():
        if key in given:
            check(f"{where}.{key}", given[key])


def defences(
    where: str, given: dict[str, Any], rules: Rules, owner: str | None, maritime: bool
) -> None:
    """Check the fortification and fleet of a province, as far as they are given.

    Only a nation's province has any; a fleet needs a maritime province.
    """
    if fortification(f"{where}.fortification", given.get("fortification"), rules) and owner is None:
        raise Fault(f"{where}.fortification", "no-nations")
    if flag(f"{where}.fleet", given.get("fleet", False)):
        if owner is None:
            raise Fault(f"{where}.fleet", "no-nations")
        if not maritime:
            raise Fault(f"{where}.fleet", "not-maritime")


def check_kept_rows(
    rules: Rules, in_force: Rules, tracks: dict[str, set[str]], highest: int
) -> None:
    """Check that new rules keep the rows of everything that has been built.

    They must keep place and name of each structure that is built, and of each fortification up to
    the highest level that is built. `tracks` has the built structures by culture.
    """
    for culture, built in tracks.items():
        for track in TRACK_ACCOUNT:
            new = [row.name for row in rules.track(culture, track)]
            for place, row in enumerate(in_force.track(culture, track)):
                if row.name in built and new[place : place + 1] != [row.name]:
                    raise Fault(f"rules.{track}", "row-stands", name=row.name)
    rows = [row.name for row in rules.fortifications[:highest]]
    for place, fort in enumerate(in_force.fortifications[:highest]):
        if rows[place : place + 1] != [fort.name]:
            raise Fault("rules.fortifications", "row-stands", name=fort.name)
