"""The lesson of Tetrarchia: Diocletian's first turn, the barbarians, and a battle of Galerius."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.players import Lesson, Step
from games.tetrarchia.rules.position import Position
from games.tetrarchia.text.english import LESSON as TEXTS

PLACE, ARMY = "asia", "dacia"
BAR = ".play-bar"


def at_least(points: int) -> Any:
    """Return a check that Diocletian has this many points left in the first turn."""
    return lambda p: (
        p.phase != "roman" or (p.emperor == "diocletian" and p.round == 1 and p.ip >= points)
    )


def army_there(position: Position) -> bool:
    return bool(ARMY in position.barbarians and position.emperor == "galerius")


def goes(move: Mapping[str, Any]) -> bool:
    return bool(move["move"] == "move" and move["path"][-1:] == [PLACE])


def is_move(name: str, **given: Any) -> Any:
    return lambda move: (
        move["move"] == name and all(move.get(key) == value for key, value in given.items())
    )


LESSON = Lesson(
    TEXTS,
    (
        Step("fleets", BAR, is_move("place_fleets")),
        Step("enter", BAR, is_move("enter")),
        Step("march", f'[data-key="{PLACE}"]', goes, possible=at_least(2)),
        Step("quiet", BAR, is_move("subdue"), possible=at_least(1)),
        Step("secure", BAR, is_move("secure"), possible=at_least(1)),
        Step("end", BAR, is_move("end_turn")),
        Step("galerius", BAR, is_move("enter")),
        Step("attack", f'[data-key="{ARMY}"]', is_move("attack"), possible=army_there),
        Step("on", BAR),
    ),
    seed=f"{0x47F:064x}",
    scenario="standard",
    options={"players": 1, "level": [4, 2, 0, 0]},
    chosen=frozenset(
        {
            "place_fleets",
            "enter",
            "move",
            "sail",
            "secure",
            "subdue",
            "attack",
            "end_turn",
            "imperium",
            "patres",
        }
    ),
)
