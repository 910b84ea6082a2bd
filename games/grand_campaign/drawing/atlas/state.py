"""The changing facts of a map: owners, fortifications, fleets and attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from games.grand_campaign.text.words import fortification_name

FOUGHT = 12
"""The number of resolved attacks that a map shows."""
LEVELS = ("ramparts", "walls", "great-walls")

Scenario = Mapping[str, Any]
"""A scenario as in its file."""


class Holding(TypedDict):
    """A province: its owner or None, its fortification by key or level, and its fleet."""

    owner: str | None
    fortification: str | int | None
    fleet: bool


Attack = TypedDict(
    "Attack",
    {"number": int, "kind": str, "attacker": str, "from": str | None, "target": str, "status": str},
)


class State(TypedDict):
    """The changing facts of a map.

    `levels` has the fortifications in order, if the scenario's rules rename them; `fought` has the
    most recently resolved attacks.
    """

    provinces: Mapping[str, Holding]
    attacks: Sequence[Attack]
    levels: NotRequired[Sequence[str]]
    fought: NotRequired[Sequence[Attack]]


def from_record(state: Mapping[str, Any], levels: Sequence[str] = LEVELS) -> State:
    """Return the map's part of a state in the form of the record."""
    attacks: list[Attack] = [
        {
            "number": attack["id"],
            "kind": attack["kind"],
            "attacker": attack["attacker"],
            "from": attack["from"],
            "target": attack["target"],
            "status": attack["status"],
        }
        for attack in state["attacks"]
    ]
    running = [attack for attack in attacks if attack["status"] != "resolved"]
    fought = [attack for attack in attacks if attack["status"] == "resolved"][-FOUGHT:]
    return {"provinces": state["provinces"], "attacks": running, "levels": levels, "fought": fought}


def level_of(holding: Holding, state: State) -> tuple[int, str]:
    """Return level and name of a province's fortification, or (0, "") if there is none."""
    walls, levels = holding["fortification"], state.get("levels", LEVELS)
    if not walls:
        return 0, ""
    level = walls if isinstance(walls, int) else levels.index(walls) + 1
    name = levels[level - 1]
    return level, fortification_name(name)


def kind_of(province: Mapping[str, Any]) -> str:
    """Return the group that colours a province without an owner: `external` or `independent`."""
    return "external" if province["kind"] == "external" else "independent"
