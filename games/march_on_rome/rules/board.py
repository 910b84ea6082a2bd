"""The map, the invasions and the dice tables, read from their files (1.1, 1.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.effects import Effect

HERE = Path(__file__).parent.parent
PC = "pc"
SENATE = "senate"
LOST = "lost"
BARBARIANS = "barbarians"


class Province(NamedTuple):
    """A province: its number, key, name, and whether it is core."""

    n: int
    key: str
    name: str
    core: bool


class Invasion(NamedTuple):
    """A people that invades, and its way through the Empire."""

    key: str
    name: str
    route: tuple[str, ...]


@cache
def data(name: str) -> Any:
    """A data file of this folder. Not to be changed by whoever reads it."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


PROVINCES = {p["key"]: Province(p["n"], p["key"], p["name"], p["core"]) for p in data("board")["provinces"]}
"""By key, in number order."""
NUMBERED = {p.n: p.key for p in PROVINCES.values()}
CORE = tuple(p.key for p in PROVINCES.values() if p.core)
RING = {key: tuple(step["to"] for step in ring) for key, ring in data("board")["neighbours"].items()}
"""The neighbours of a province clockwise from due north (1.4)."""
INVASIONS = {i["roll"]: Invasion(i["key"], i["name"], tuple(i["route"])) for i in data("board")["invasions"]}
NPC_NAMES: tuple[str, ...] = tuple(data("board")["npc_names"])
TABLES: dict[str, Any] = data("tables")
LOSS_STEP: int = TABLES["loss_step"]


def row(table: str, value: int) -> dict[str, Any]:
    """The row of a dice table that a value falls on."""
    line: dict[str, Any] = next(row for row in TABLES[table] if row["from"] <= value <= row["to"])
    return line


def npc(number: int) -> str:
    """The key of a rival by his number."""
    return f"npc-{number}"


def number(general: str) -> int:
    """The number of a rival; the player's general comes before all of them."""
    return 0 if general == PC else int(general.removeprefix("npc-"))


def is_general(owner: str) -> bool:
    return owner not in (SENATE, LOST, BARBARIANS)


def devotes(roll: int, own: int, other: int, initiative: bool) -> int:
    """How many of his `own` legions a rival devotes to a battle against `other` of them, by his d6 (4.5)."""
    column = "equal" if own == other else "stronger" if other > own else "weaker"
    share = -(-own * int(row("devote", roll)[column]) // 100)
    return min(own, share + 2 if initiative else share)


def losses(devoted: int) -> int:
    """The loss number X from all legions devoted by both sides (4.6)."""
    return -(-devoted // LOSS_STEP)


# The board at any moment of the log, folded from the effects alone: what telling, mosaic and reports look back at.


@dataclass(slots=True)
class World:
    """Owners by province, garrisons of procurators, legions of the living generals."""

    owner: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PROVINCES, LOST))
    garrison: dict[str, int] = field(default_factory=dict)
    legions: dict[str, int] = field(default_factory=dict)

    def copy(self) -> World:
        return World(self.owner.copy(), self.garrison.copy(), self.legions.copy())

    def add(self, effect: Effect) -> None:
        """What one effect changes."""
        if effect.kind == "holding":
            self.owner[effect.subject] = str(effect.facts["to"])
            if effect.facts["to"] == SENATE:
                self.garrison[effect.subject] = 0
            else:
                self.garrison.pop(effect.subject, None)
        elif effect.kind == "account" and effect.subject == "legions" and effect.holder is not None:
            self.legions[effect.holder] = effect.balance
        elif effect.kind == "account" and effect.subject == "garrison":
            self.garrison[str(effect.facts["province"])] = int(effect.facts["now"])
        elif effect.kind == "general_out":
            self.legions.pop(effect.subject, None)

    def after(self, effects: Iterable[Effect]) -> World:
        """The board when these effects have happened too."""
        new = self.copy()
        for effect in effects:
            new.add(effect)
        return new

    def lands(self, holder: str) -> list[str]:
        """The provinces of a holder, in number order."""
        return [key for key, owner in self.owner.items() if owner == holder]

    def strength(self, holder: str) -> int:
        """The legions of a general, or the garrisons of all procurators."""
        return sum(self.garrison.values()) if holder == SENATE else self.legions.get(holder, 0)

    def generals(self) -> list[str]:
        """The living generals, the player's first, then the rivals by number."""
        return sorted(self.legions, key=lambda one: -1 if one == PC else number(one))
