"""The whole state of a reign, its scenario and options, the set-up, and the board.

Methods of `Position` and `begin` change the state (RULES, State; 1, 2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NotRequired, TypedDict

from engine.dice import Dice
from engine.effects import Effect, Phrase
from engine.errors import MalformedRecord
from engine.strict_json import check_keys
from games.kit.records import STANDARD as STANDARD
from games.kit.records import BoardPosition, read_standard
from games.march_on_rome.text.english import FAULTS

SIDES = ("attacker", "defender")
OTHER = {"attacker": "defender", "defender": "attacker"}


class Battle(TypedDict):
    """The battle in progress, which is never changed in place.

    `attacker` is `barbarians` in an invasion, which alone has a `horde`.
    """

    no: int
    target: str
    attacker: str
    defender: str
    cause: str
    initiative: str | None
    devoted: dict[str, int | None]
    horde: NotRequired[int]


Pending = TypedDict(
    "Pending",
    {"kind": str, "side": NotRequired[str], "from": NotRequired[str], "target": NotRequired[str]},
)
"""The question to the player: `devote` for a side, or the `answer` to an offer.

It is never changed in place.
"""


class Position(BoardPosition):
    """The state of RULES under the same names.

    `battle` and `pending` are replaced, never changed.
    """

    def __init__(self, scenario: Scenario, options: Options) -> None:
        self.scenario = scenario
        self.options = options
        self.effects: list[Effect] = []
        self.turn = 1
        self.phase = "setup"
        self.owner: dict[str, str] = dict.fromkeys(PROVINCES, LOST)
        self.garrison: dict[str, int] = {}
        self.legions: dict[str, int] = {}
        self.queue: list[str] | None = None
        self.events_left: int | None = None
        self.event_no = 0
        self.battle_no = 0
        self.barbarians: dict[str, int] = {}
        self.battle: Battle | None = None
        self.pending: Pending | None = None
        self.npc_seq = 0
        self.result: str | None = None

    def encode(self) -> dict[str, Any]:
        """Return the state as RULES writes it."""
        battle = (
            None
            if self.battle is None
            else {**self.battle, "devoted": dict(self.battle["devoted"])}
        )
        return {
            "turn": self.turn,
            "phase": self.phase,
            "owner": self.owner.copy(),
            "garrison": self.garrison.copy(),
            "legions": self.legions.copy(),
            "queue": None if self.queue is None else self.queue.copy(),
            "events_left": self.events_left,
            "event_no": self.event_no,
            "battle_no": self.battle_no,
            "barbarians": self.barbarians.copy(),
            "battle": battle,
            "pending": None if self.pending is None else {**self.pending},
            "npc_seq": self.npc_seq,
            "result": self.result,
            "options": self.options._asdict(),
        }

    # Queries --------------------------------------------------------------------------------------

    def lands(self, general: str) -> list[str]:
        """Return the provinces of an owner, in number order."""
        return [key for key, owner in self.owner.items() if owner == general]

    def npcs(self) -> list[str]:
        """Return the living rivals by their numbers."""
        return sorted((general for general in self.legions if general != PC), key=number)

    def generals(self) -> list[str]:
        """Return all living generals, the player's first."""
        return [PC, *self.npcs()] if PC in self.legions else self.npcs()

    def neighbours_pc(self, province: str) -> bool:
        """Return whether the province borders a province of the player."""
        return any(self.owner[other] == PC for other in RING[province])

    def targets(self) -> list[str]:
        """Return the provinces that may be attacked or made an offer, in number order (3.1)."""
        return [key for key, owner in self.owner.items() if owner != PC and self.neighbours_pc(key)]

    def total(self, side: str, battle: Battle) -> int:
        """Return all legions of a side of the battle, devoted or not (4.5)."""
        who = battle["attacker"] if side == "attacker" else battle["defender"]
        if who == BARBARIANS:
            return battle["horde"]
        if who == SENATE:
            return self.garrison[battle["target"]]
        return self.barbarians[battle["target"]] if who == LOST else self.legions[who]

    def dominates(self, general: str, other: str, offered: str) -> bool:
        """Return whether `general` dominates the `other` (5.2, R10).

        `offered` is the general who received the offer.
        """
        own, theirs = self.legions[general], self.legions[other]
        if own != theirs:
            return own > theirs
        here, there = len(self.lands(general)), len(self.lands(other))
        return here > there if here != there else general == offered

    # Changes --------------------------------------------------------------------------------------

    def change_legions(self, general: str, change: int, cause: Phrase) -> None:
        """Change the legions of a general."""
        if change:
            self.legions[general] += change
            self.effects.append(
                Effect("account", general, "legions", cause, change, self.legions[general])
            )

    def change_garrison(self, province: str, change: int, cause: Phrase) -> None:
        """Change the legions of a procurator.

        The account is that of all procurators; the facts have the province.
        """
        if change:
            self.garrison[province] += change
            facts = {"province": province, "now": self.garrison[province]}
            self.effects.append(
                Effect(
                    "account", SENATE, "garrison", cause, change, sum(self.garrison.values()), facts
                )
            )

    def change_barbarians(self, province: str, change: int, cause: Phrase) -> None:
        """Change the known strength of a barbarian nation, from 0 when it becomes known.

        The account is that of all nations.
        """
        if change:
            now = self.barbarians.get(province, 0) + change
            self.barbarians[province] = now
            facts = {"province": province, "now": now}
            self.effects.append(
                Effect(
                    "account", LOST, "armies", cause, change, sum(self.barbarians.values()), facts
                )
            )

    def set_owner(self, province: str, owner: str, cause: Phrase) -> None:
        """Change the owner of a province.

        Its garrison and barbarian strength are removed; a new procurator has no legions.
        """
        was = self.owner[province]
        facts = {"from": was, "to": owner}
        cause = cause._replace(facts={**cause.facts, **facts, "province": province})
        if was == SENATE:
            self.change_garrison(province, -self.garrison[province], cause)
            del self.garrison[province]
        if province in self.barbarians:
            self.change_barbarians(province, -self.barbarians[province], cause)
            del self.barbarians[province]
        self.owner[province] = owner
        if owner == SENATE:
            self.garrison[province] = 0
        self.effects.append(Effect("holding", owner, province, cause, 0, 0, facts))

    def remove(self, general: str, cause: Phrase) -> None:
        """Remove a general with their legions and their place in the queue (3.2e, 4.9).

        Without the player's general the game is lost.
        """
        self.change_legions(general, -self.legions[general], cause)
        del self.legions[general]
        if self.queue is not None:
            self.queue = [other for other in self.queue if other != general]
        self.note("general_out", general, general, cause.rule, general=general, why=cause.id)
        if general == PC:
            self.end("lost", cause.id)

    def end(self, result: str, why: str) -> None:
        """End the reign."""
        self.result = result
        self.phase = "over"
        self.pending = None
        rule = "3.5" if result == "won" else "7.1"
        self.note(
            result,
            PC,
            PC,
            rule,
            why=why,
            turn=self.turn,
            provinces=len(self.lands(PC)),
            legions=self.legions.get(PC, 0),
        )


# Scenario and options: only the general's name and an optional rule.

GENERAL = "Albinus"
LONGEST = 40


class Scenario(NamedTuple):
    """The only scenario. `general` is the name of the player's general; only texts use it."""

    general: str = GENERAL
    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key, "general": self.general}


class Options(NamedTuple):
    """The options of a reign.

    `barbarian_initiative`: barbarians with the initiative fight with two more armies (7.2).
    """

    barbarian_initiative: bool = False


def read_scenario(raw: object) -> Scenario:
    """Return the scenario of a record: its key, or an object with the general's name."""
    general = read_standard(raw, {"general"}).get("general", GENERAL)
    if (
        type(general) is not str
        or not 1 <= len(general) <= LONGEST
        or not general.isprintable()
        or not general.strip()
    ):
        raise Fault("scenario.general", "printable", most=LONGEST)
    return Scenario(general)


def read_options(raw: object) -> Options:
    parts = check_keys("options", raw, {"barbarian_initiative"})
    armies = parts.get("barbarian_initiative", False)
    if type(armies) is not bool:
        raise MalformedRecord("options.barbarian_initiative", "boolean")
    return Options(armies)


# Faults of a record, its options or a position of this title.


class Fault(MalformedRecord):
    """A fault in a record of this title.

    Its sentence is in FAULTS, unless all titles share it.
    """

    BOOK = FAULTS


# The set-up: provinces, rivals and procurators at the start (2).

D6, D8, D12 = 6, 8, 12


def begin(position: Position, dice: Dice) -> None:
    """Set up the board and open the first year."""
    province = NUMBERED[dice.roll("setup/pc/province", D8, 0)]
    table = TABLES["setup"]["pc"]["legions"]
    legions = table["base"] + dice.roll("setup/pc/legions", D6, 0)
    _declare(position, PC, province, legions, "2.2")
    rivals = row("npc_count", dice.roll("setup/npc-count", D12, 0))
    for rival in range(1, rivals["npcs"] + 1):
        who = npc(rival)
        legions = rivals["base"] + sum(
            dice.roll_several(f"setup/{who}/legions", rivals["sides"], rivals["dice"], 0)
        )
        province = _free_core(position, dice, who)
        position.npc_seq = rival
        _declare(position, who, province, legions, "2.4")
    for key in CORE:
        if position.owner[key] == LOST:
            position.set_owner(key, SENATE, Phrase("procurator", "2.5"))
            legions = row("garrison", dice.roll(f"setup/garrison/{key}", D6, 0))["legions"]
            position.change_garrison(key, legions, Phrase("garrison", "2.5", {"province": key}))
    position.phase = "pc"
    position.note("begun", PC, PC, "2", turn=position.turn)


def _free_core(position: Position, dice: Dice, who: str) -> str:
    """Roll a core province that no general holds (2.4)."""
    purpose, again = f"setup/{who}/province", 0
    province = NUMBERED[dice.roll(purpose, D8, 0)]
    while position.owner[province] != LOST:
        again += 1
        province = NUMBERED[dice.roll(f"{purpose}/reroll-{again}", D8, 0)]
    return province


def _declare(position: Position, who: str, province: str, legions: int, rule: str) -> None:
    """Let a general declare themselves in a province, with these legions."""
    cause = Phrase("declares", rule, {"general": who, "province": province})
    position.legions[who] = 0
    position.change_legions(who, legions, cause)
    position.set_owner(province, who, cause)


# The map, the invasions and the dice tables, read from their files (1.1, 1.4).

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
    """A people that invades, with its route through the Empire."""

    key: str
    name: str
    route: tuple[str, ...]


@cache
def data(name: str) -> Any:
    """Return the content of a data file of this folder; it must not be changed."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


PROVINCES = {
    p["key"]: Province(p["n"], p["key"], p["name"], p["core"]) for p in data("board")["provinces"]
}
"""The provinces by key, in number order."""
NUMBERED = {p.n: p.key for p in PROVINCES.values()}
CORE = tuple(p.key for p in PROVINCES.values() if p.core)
RING = {
    key: tuple(step["to"] for step in ring) for key, ring in data("board")["neighbours"].items()
}
"""The neighbours of a province clockwise from due north (1.4)."""
INVASIONS = {
    i["roll"]: Invasion(i["key"], i["name"], tuple(i["route"])) for i in data("board")["invasions"]
}
NPC_NAMES: tuple[str, ...] = tuple(data("board")["npc_names"])
TABLES: dict[str, Any] = data("tables")
LOSS_STEP: int = TABLES["loss_step"]


def row(table: str, value: int) -> dict[str, Any]:
    """Return the row of a dice table for a value."""
    line: dict[str, Any] = next(row for row in TABLES[table] if row["from"] <= value <= row["to"])
    return line


def npc(number: int) -> str:
    """Return the key of a rival by number."""
    return f"npc-{number}"


def number(general: str) -> int:
    """Return the number of a rival; 0 for the player's general, who comes first."""
    return 0 if general == PC else int(general.removeprefix("npc-"))


def is_general(owner: str) -> bool:
    return owner not in (SENATE, LOST, BARBARIANS)


def devotes(roll: int, own: int, other: int, initiative: bool) -> int:
    """Return how many of their `own` legions a rival devotes, by their d6 (4.5).

    `other` are the legions of the other side.
    """
    column = "equal" if own == other else "stronger" if other > own else "weaker"
    share = -(-own * int(row("devote", roll)[column]) // 100)
    return min(own, share + 2 if initiative else share)


def losses(devoted: int) -> int:
    """Return the loss number X for all legions devoted by both sides (4.6)."""
    return -(-devoted // LOSS_STEP)


# The board after any entry of the log, computed from the effects alone, for the steps, the mosaic
# and the reports.


@dataclass(slots=True)
class World:
    """The owners of provinces, garrisons of procurators, legions of the living generals."""

    owner: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PROVINCES, LOST))
    garrison: dict[str, int] = field(default_factory=dict)
    legions: dict[str, int] = field(default_factory=dict)

    def copy(self) -> World:
        return World(self.owner.copy(), self.garrison.copy(), self.legions.copy())

    def add(self, effect: Effect) -> None:
        """Apply an effect."""
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
        """Return the board after further effects."""
        new = self.copy()
        for effect in effects:
            new.add(effect)
        return new

    def lands(self, holder: str) -> list[str]:
        """Return the provinces of a holder, in number order."""
        return [key for key, owner in self.owner.items() if owner == holder]

    def strength(self, holder: str) -> int:
        """Return the legions of a general, or the garrisons of all procurators."""
        return sum(self.garrison.values()) if holder == SENATE else self.legions.get(holder, 0)

    def generals(self) -> list[str]:
        """Return the living generals, the player's first, then the rivals by number."""
        return sorted(self.legions, key=lambda general: -1 if general == PC else number(general))
