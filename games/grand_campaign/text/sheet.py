"""What a nation's sheet and a province may have when it is given, not earned: by a scenario, by
`resume` or by a tool of the game master (RECORD, Later additions). Each reader raises `Fault` with
the key that is wrong; the moves make `bad-argument` of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.grand_campaign.rules.numbers import CARDS, MOST, TRACK_ACCOUNT, Fault, Rules, whole

LEVELS = ("stability", "prestige", "income", "army")
LEAST_STABILITY = 2
"""A nation that stands has at least this: below it crumbles (2.3)."""


def level(where: str, value: object, account: str, fallen: bool = False) -> int:
    """An amount of one of the five accounts that a ledger begins with; only victory points may be
    below 0.
    """
    least = {"victory_points": 1 - MOST, "stability": 0 if fallen else LEAST_STABILITY}.get(
        account, 0
    )
    return whole(where, value, least)


def flag(where: str, value: object) -> bool:
    if type(value) is not bool:
        raise Fault(where, "boolean")
    return value


def cards(where: str, value: object) -> list[str]:
    """Cards of the rules, several of a kind allowed; sorted, as hands are."""
    for n, one in enumerate(_list(where, value)):
        card(f"{where}.{n}", one)
    return sorted(_list(where, value))


def card(where: str, value: object) -> None:
    if type(value) is not str or value not in CARDS:
        raise Fault(where, "not-of-the-rules", known=sorted(CARDS))


def structures(where: str, value: object, rules: Rules, culture: str) -> list[str]:
    """Structures of the culture's own tracks, of each track the first ones in their order; the
    tracks may be mixed.
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
    """The level of the fortification of this name, 0 for none."""
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
    """The keys of a sheet beside its levels, as far as they are given."""
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
    """Fortification and fleet of a province, as far as they are given: only a nation's has any, a
    fleet only by the sea.
    """
    if fortification(f"{where}.fortification", given.get("fortification"), rules) and owner is None:
        raise Fault(f"{where}.fortification", "no-nations")
    if flag(f"{where}.fleet", given.get("fleet", False)):
        if owner is None:
            raise Fault(f"{where}.fleet", "no-nations")
        if not maritime:
            raise Fault(f"{where}.fleet", "not-maritime")


def kept_by(rules: Rules, standing: Rules, tracks: dict[str, set[str]], highest: int) -> None:
    """Keep new rules the place and name of each structure row that is built, and of each
    fortification row up to the highest level that stands? `tracks` has the structures that stand,
    by culture.
    """
    for culture, built in tracks.items():
        for track in TRACK_ACCOUNT:
            new = [row.name for row in rules.track(culture, track)]
            for place, row in enumerate(standing.track(culture, track)):
                if row.name in built and new[place : place + 1] != [row.name]:
                    raise Fault(f"rules.{track}", "row-stands", name=row.name)
    rows = [row.name for row in rules.fortifications[:highest]]
    for place, fort in enumerate(standing.fortifications[:highest]):
        if rows[place : place + 1] != [fort.name]:
            raise Fault("rules.fortifications", "row-stands", name=fort.name)
