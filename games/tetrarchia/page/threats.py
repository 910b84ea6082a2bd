"""What threatens: armies and where they come next, Unrest, the threat die, the reserve."""

from __future__ import annotations

from typing import Any

from games.tetrarchia.rules.barbarians import HEAVY, weight
from games.tetrarchia.rules.battle import percent, percents, share
from games.tetrarchia.rules.position import (
    ARMIES,
    EMPERORS,
    LINKS,
    OF_REGION,
    ONWARD,
    OUTER,
    OUTSIDE,
    PRINTED,
    PROVINCES,
    REGION_NUMERALS,
    REGIONS,
    REVOLT,
    SPACES,
    TO_ROME,
    UNREST,
    Position,
)
from games.tetrarchia.text.words import counted_phrase, emperor, phrase_text, space

HALF = 18
"""Pairs of 36 with which a broken link holds (4.3)."""


def threats(position: Position) -> dict[str, Any]:
    """The sheet of threats."""
    return {
        "armies": [
            army(position, key)
            for key in sorted(position.barbarians, key=lambda key: TO_ROME[key])
            if key in ONWARD
        ],
        "unrest": [one for key in PROVINCES if (one := risk(position, key))],
        "reserve": [
            counted_phrase(f"reserve-{what}", position.reserve[what])
            for what in (REVOLT, UNREST, ARMIES)
        ],
        "secured": len(position.secured()),
        "borders": len(OUTSIDE),
        "die": die(position),
        "heavy": [
            f"{REGION_NUMERALS[key]} {REGIONS[key]}"
            for key in REGIONS
            if weight(position, key) > HEAVY
        ],
    }


def army(position: Position, key: str) -> dict[str, Any]:
    """An army: how far from ROMA, where it comes next and with which chance."""
    to = ONWARD[key]
    broken = LINKS[key].get(to, False)
    standing = [emperor(one) for one in position.standing(to)]
    if to in position.barbarians and TO_ROME[to] >= TO_ROME[key]:
        how, chance = "army-blocked", 0
    elif standing:
        how, chance = "army-battle-broken" if broken else "army-battle", HALF if broken else 36
    else:
        how, chance = "army-broken" if broken else "army-open", HALF if broken else 36
    return {
        "key": key,
        "name": space(key),
        "steps": counted_phrase("steps", TO_ROME[key]),
        "text": phrase_text(how, to=space(to), name=standing[0] if standing else ""),
        "chance": percent(chance),
        "rome": TO_ROME[key] == 1,
    }


def risk(position: Position, key: str) -> dict[str, Any] | None:
    """Unrest that may become Revolt in the next phase; None where it is none or stands alone."""
    if position.tokens.get(key) != UNREST:
        return None
    near = {
        other: broken
        for other, broken in LINKS[key].items()
        if position.tokens.get(other) == REVOLT
    }
    if not near:
        return None
    tries = len(near)
    chance = 36 if not all(near.values()) else 36 - 36 // 2**tries
    return {
        "key": key,
        "name": space(key),
        "beside": ", ".join(space(other) for other in near),
        "chance": percent(chance),
        "sure": chance == 36,
    }


def die(position: Position) -> list[dict[str, Any]]:
    """What the threat die brings, by provinces: it never falls on ITALIA (4.3.3)."""
    chances = dict.fromkeys(("nothing", UNREST, REVOLT, "uprising"), 0)
    provinces = [key for region in OUTER for key in OF_REGION[region]]
    for key in provinces:
        token = position.tokens.get(key)
        if token == REVOLT:
            chances["uprising"] += 1
        elif token == UNREST:
            chances[REVOLT] += 1
        elif token in EMPERORS or key in PRINTED:
            chances["nothing"] += 1
        else:
            chances[UNREST] += 1
    return [
        {
            "name": phrase_text(f"die-{key}"),
            "why": phrase_text(f"die-{key}-why"),
            "n": n,
            "of": len(provinces),
            "text": text,
            "share": share(n),
        }
        for (key, n), text in zip(chances.items(), percents([*chances.values()]), strict=True)
    ]


def spaces(position: Position) -> list[dict[str, Any]]:
    """Every space by region, with all that is there: the table that says what the board says."""
    rows = []
    for region, name in REGIONS.items():
        keys = [key for key, one in SPACES.items() if one.region == region]
        rows.append(
            {
                "name": f"{REGION_NUMERALS[region]} {name}".strip(),
                "rows": [row(position, key) for key in keys],
            }
        )
    return rows


def row(position: Position, key: str) -> dict[str, Any]:
    token = position.tokens.get(key)
    printed = token is None and key in PRINTED
    return {
        "key": key,
        "name": space(key),
        "coord": SPACES[key].coord,
        "token": token if token in EMPERORS else "",
        "word": (
            emperor(str(token))
            if token in EMPERORS
            else phrase_text(token)
            if token
            else phrase_text("printed")
            if printed
            else ""
        ),
        "standing": [{"key": one, "name": emperor(one)} for one in position.standing(key)],
        "army": key in position.barbarians,
        "links": [{"name": space(other), "broken": broken} for other, broken in LINKS[key].items()],
    }
