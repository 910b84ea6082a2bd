"""The lesson of March on Rome: a battle for Syria, an alliance, and the second year."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Step
from games.march_on_rome.text.english import LESSON as TEXTS

TARGET, ALLY = "syria", "achaia"
BAR = ".play-bar"


def is_move(*names: str, target: str = "") -> Any:
    return lambda move: move["move"] in names and target in ("", move.get("target", ""))


def chooses(position: Any) -> bool:
    """Return whether the learner chooses the action of the year, without an open question."""
    return bool(position.phase == "pc" and position.pending is None)


def neighbour(land: str) -> Any:
    return lambda position: not chooses(position) or land in position.targets()


def not_chosen(position: Any) -> bool:
    return not chooses(position)


LESSON = Lesson(
    TEXTS,
    (
        Step("attack", f'[data-key="{TARGET}"]', is_move("attack"), possible=neighbour(TARGET)),
        Step("devote", BAR, is_move("devote"), possible=not_chosen),
        Step("ally", f'[data-key="{ALLY}"]', is_move("ally", "attack"), possible=neighbour(ALLY)),
        Step("again", BAR, is_move("devote"), possible=not_chosen),
        Step("pass", BAR, is_move("pass", "attack", "ally")),
        Step("on", BAR),
    ),
    seed=f"{22:064x}",
    scenario="standard",
    chosen=frozenset({"attack", "ally", "pass", "devote"}),
)
