"""The lesson of the Grand Campaign: the first slot of the Romans in a practice campaign."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Step
from games.grand_campaign.text.english import LESSON as TEXTS

SEAT = "romans"


def is_move(*names: str) -> Any:
    return lambda move: move["move"] in names


def still_open(position: Any) -> bool:
    """Return whether the slot of the Romans is open."""
    return bool(position.slot == SEAT)


LESSON = Lesson(
    TEXTS,
    (
        Step("nation", "#waits", page="nation"),
        Step("build", "#slot", is_move("build"), possible=still_open),
        Step("attack", "#moves", is_move("attack"), possible=still_open),
        Step("end", "#slot", is_move("end-slot")),
        Step("on", "#waits"),
    ),
    seed=f"{2:064x}",
    scenario="420ad",
    seat=SEAT,
    level="cautious",
    chosen=frozenset({"build", "attack", "end-slot"}),
)
