"""The sheet of threats: armies and their next spaces, Unrest, the threat die, the reserve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.tetrarchia.page.tables import NamedEmperor, named_emperor
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
"""The pairs of 36 with which a broken link holds (4.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """An army: its distance from ROMA, its next space and the chance that it goes there."""

    name: str
    steps: str
    text: str
    chance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """Unrest that may become Revolt in the next phase."""

    name: str
    beside: str
    """The Revolts beside it."""
    chance: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DieResult:
    """A result of the threat die: its number of provinces, and its chance."""

    name: str
    why: str
    n: int
    of: int
    text: str
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Threats:
    """The sheet of threats."""

    armies: Sequence[Army]
    unrest: Sequence[Risk]
    reserve: Sequence[str]
    secured: int
    borders: int
    die: Sequence[DieResult]
    heavy: Sequence[str]
    """The heavy regions."""


def threats(position: Position) -> Threats:
    """Return the sheet of threats."""
    return Threats(
        armies=[
            army(position, key)
            for key in sorted(position.barbarians, key=lambda key: TO_ROME[key])
            if key in ONWARD
        ],
        unrest=[danger for key in PROVINCES if (danger := risk(position, key))],
        reserve=[
            counted_phrase(f"reserve-{what}", position.reserve[what])
            for what in (REVOLT, UNREST, ARMIES)
        ],
        secured=len(position.secured()),
        borders=len(OUTSIDE),
        die=die(position),
        heavy=[
            f"{REGION_NUMERALS[key]} {REGIONS[key]}"
            for key in REGIONS
            if weight(position, key) > HEAVY
        ],
    )


def army(position: Position, key: str) -> Army:
    """Return an army on its way to ROMA."""
    to = ONWARD[key]
    broken = LINKS[key].get(to, False)
    standing = [emperor(figure) for figure in position.standing(to)]
    if to in position.barbarians and TO_ROME[to] >= TO_ROME[key]:
        how, chance = "army-blocked", 0
    elif standing:
        how, chance = "army-battle-broken" if broken else "army-battle", HALF if broken else 36
    else:
        how, chance = "army-broken" if broken else "army-open", HALF if broken else 36
    return Army(
        name=space(key),
        steps=counted_phrase("steps", TO_ROME[key]),
        text=phrase_text(how, to=space(to), name=standing[0] if standing else ""),
        chance=percent(chance),
    )


def risk(position: Position, key: str) -> Risk | None:
    """Return the risk of a province; None if it has no Unrest, or no Revolt beside it."""
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
    return Risk(
        name=space(key),
        beside=", ".join(space(other) for other in near),
        chance=percent(chance),
        sure=chance == 36,
    )


def die(position: Position) -> list[DieResult]:
    """Return the results of the threat die by provinces; it never chooses ITALIA (4.3.3)."""
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
        DieResult(
            name=phrase_text(f"die-{key}"),
            why=phrase_text(f"die-{key}-why"),
            n=n,
            of=len(provinces),
            text=text,
            share=share(n),
        )
        for (key, n), text in zip(chances.items(), percents([*chances.values()]), strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A space to which another one is linked."""

    name: str
    broken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceRow:
    """A space in the table of the board, with its contents."""

    key: str
    name: str
    token: str
    """The Emperor whose token is there, otherwise empty."""
    word: str
    """The name of the token."""
    standing: Sequence[NamedEmperor]
    army: bool
    links: Sequence[Link]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionRows:
    """The spaces of a region."""

    name: str
    rows: Sequence[SpaceRow]


def spaces(position: Position) -> list[RegionRows]:
    """Return every space by region, as a table with the content of the board."""
    regions = []
    for region, name in REGIONS.items():
        keys = [key for key, place in SPACES.items() if place.region == region]
        rows = [space_row(position, key) for key in keys]
        regions.append(RegionRows(name=f"{REGION_NUMERALS[region]} {name}".strip(), rows=rows))
    return regions


def space_row(position: Position, key: str) -> SpaceRow:
    """Return a space in the table of the board."""
    token = position.tokens.get(key)
    printed = token is None and key in PRINTED
    return SpaceRow(
        key=key,
        name=space(key),
        token=token if token is not None and token in EMPERORS else "",
        word=(
            emperor(str(token))
            if token in EMPERORS
            else phrase_text(token)
            if token
            else phrase_text("printed")
            if printed
            else ""
        ),
        standing=[named_emperor(figure) for figure in position.standing(key)],
        army=key in position.barbarians,
        links=[Link(name=space(other), broken=broken) for other, broken in LINKS[key].items()],
    )
