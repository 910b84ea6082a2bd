"""The board: spaces, links, seas, Emperors, the ways of the barbarians, read from their file (1, 4.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.effects import Effect

HERE = Path(__file__).parent.parent
UNREST = "unrest"
REVOLT = "revolt"
ARMIES = "barbarians"
RESERVE = "reserve"
ROMA = "roma"
ITALIA = "italia"
BARBARIANS = 3
"""Armies there are (1.4)."""
TOKENS = 21
"""Unrest tokens there are, and Revolt tokens (1.4)."""
IP = 6
"""Imperium Points of a turn (4.2)."""


class Space(NamedTuple):
    """A province or, `outside`, the land beyond a border: region, number in it (7 outside), sea zone or ""."""

    key: str
    name: str
    region: str
    n: int
    coord: str
    zone: str
    outside: bool


class Emperor(NamedTuple):
    """An Emperor: `augustus` or `caesar`, `east` or `west`, the colleague who shares his half, his capital."""

    key: str
    name: str
    rank: str
    half: str
    colleague: str
    colour: str
    capital: str


@cache
def data(name: str) -> Any:
    """A data file of this folder. Not to be changed by whoever reads it."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def _spaces() -> dict[str, Space]:
    board = data("board")
    inside = [Space(p["key"], p["name"], p["region"], p["n"], p["coord"], p["zone"] or "", False) for p in board["provinces"]]
    return {s.key: s for s in inside} | {
        o["key"]: Space(o["key"], o["name"], o["region"], 7, o["coord"], "", True) for o in board["outside"]
    }


SPACES = _spaces()
"""By key, in board order: regions I to VI, ITALIA, numbers; then the outside spaces."""
ORDER = {key: at for at, key in enumerate(SPACES)}
PROVINCES = tuple(key for key, space in SPACES.items() if not space.outside)
OUTSIDE = tuple(key for key, space in SPACES.items() if space.outside)
REGIONS: dict[str, str] = {r["key"]: r["name"] for r in data("board")["regions"]}
"""Names by key: I to VI, then ITALIA."""
REGION_NUMERALS: dict[str, str] = {r["key"]: r["numeral"] for r in data("board")["regions"]}
OUTER = tuple(key for key in REGIONS if key != ITALIA)
BORDER: dict[str, str] = {r["key"]: r["outside"] for r in data("board")["regions"] if r["outside"]}
"""The outside space of an outer region."""
NUMBERED = {(s.region, s.n): s.key for s in SPACES.values()}
OF_REGION = {region: tuple(key for key in PROVINCES if SPACES[key].region == region) for region in REGIONS}


def _links() -> dict[str, dict[str, bool]]:
    links: dict[str, dict[str, bool]] = {key: {} for key in SPACES}
    for link in data("board")["links"]:
        links[link["a"]][link["b"]] = links[link["b"]][link["a"]] = link["broken"]
    return {key: dict(sorted(of.items(), key=lambda one: ORDER[one[0]])) for key, of in links.items()}


LINKS = _links()
"""The linked spaces of a space in board order, and whether the link is broken (1.2)."""
ZONES: dict[str, str] = {zone["key"]: zone["name"] for zone in data("board")["sea_zones"]}
ADJACENT: dict[str, tuple[str, ...]] = {zone["key"]: tuple(zone["adjacent"]) for zone in data("board")["sea_zones"]}
COASTS = {zone: tuple(key for key, space in SPACES.items() if space.zone == zone) for zone in ZONES}
EMPERORS = {
    e["key"]: Emperor(e["key"], e["name"], e["rank"], e["half"], e["colleague"], e["colour"], e["capital"])
    for name in data("board")["turn_order"]
    for e in data("board")["emperors"]
    if e["key"] == name
}
"""In the order of their turns."""
PRINTED: Mapping[str, frozenset[str]] = {e.capital: frozenset({e.key}) for e in EMPERORS.values()} | {ROMA: frozenset(EMPERORS)}
"""The Emperors whose token is printed on a space (1.6)."""
DIGITS: dict[str, list[int]] = {key: data("board")["difficulty"][key] for key in data("board")["difficulty"]["order"]}
"""The four digits of a level and what each may be, the easiest first (3.1)."""
VARIANTS: tuple[str, ...] = tuple(data("board")["variants"])
OPTIONS: tuple[str, ...] = tuple(data("board")["options"])


def _step_tables() -> tuple[dict[str, str], dict[str, int]]:
    onward: dict[str, str] = {}
    left = {ROMA: 0}
    for path in data("board")["barbarian_paths"].values():
        for at, space in enumerate(path[:-1]):
            onward[space], left[space] = path[at + 1], len(path) - 1 - at
    # No way leads through the rest. An army that a told position puts there goes where it comes on one soonest.
    while len(left) < len(SPACES):
        for key in SPACES:
            near = [other for other in LINKS[key] if other in left]
            if key not in left and near:
                onward[key] = min(near, key=lambda other: (left[other], ORDER[other]))
                left[key] = left[onward[key]] + 1
    return onward, left


ONWARD, TO_ROME = _step_tables()
"""Where an army goes from a space, and how many steps are left to ROMA from there (4.4)."""


def next_emperor(emperor: str) -> str | None:
    """Whose turn comes after his in the same round; None after the last."""
    keys = list(EMPERORS)
    at = keys.index(emperor) + 1
    return keys[at] if at < len(keys) else None


def ordered(spaces: Any) -> list[str]:
    """Spaces in board order."""
    return sorted(spaces, key=ORDER.__getitem__)


# What lies and stands on the board, told by effects alone: who tells a game step by step needs nothing else.

COMES = frozenset({"entered", "moved", "moved_in"})


class World(NamedTuple):
    """The board at a moment: tokens, figures, armies and fleets; never changed in place."""

    tokens: dict[str, str] = {}
    figures: dict[str, str | None] = dict.fromkeys(EMPERORS)
    armies: tuple[str, ...] = ()
    fleets: tuple[str, ...] = ()

    def after(self, effects: Iterable[Effect]) -> World:
        """The board after these effects."""
        tokens, figures = dict(self.tokens), dict(self.figures)
        armies, fleets = list(self.armies), list(self.fleets)
        for effect in effects:
            kind, facts = effect.kind, effect.facts
            if kind == "holding":
                if effect.holder is None:
                    del tokens[effect.subject]
                else:
                    tokens[effect.subject] = effect.holder
            elif kind in COMES:
                figures[str(effect.holder)] = effect.subject
            elif kind == "emperor_removed":
                figures[str(effect.holder)] = None
            elif kind == "invaders":
                armies.append(effect.subject)
            elif kind in ("advance", "army_removed"):
                armies.remove(str(facts["space"]))
                armies += [effect.subject] if kind == "advance" else []
            elif kind == "fleets":
                fleets = list(facts["zones"])
            elif kind == "sailed":
                fleets.remove(facts["zone"])
                fleets.append(facts["to_zone"])
        return World(tokens, figures, tuple(armies), tuple(fleets))
