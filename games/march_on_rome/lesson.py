"""The lesson of March on Rome: a battle for Syria, an alliance, and the second year."""

from __future__ import annotations

from typing import Any

from games.contract.lessons import Lesson, Step
from games.march_on_rome.english import LESSON as TEXTS

TARGET, ALLY = "syria", "achaia"
BAR = ".play-bar"


def is_move(*names: str, target: str = "") -> Any:
    return lambda move: move["move"] in names and target in ("", move.get("target", ""))


LESSON = Lesson(
    TEXTS,
    (
        Step("attack", f'[data-key="{TARGET}"]', is_move("attack")),
        Step("devote", BAR, is_move("devote")),
        Step("ally", f'[data-key="{ALLY}"]', is_move("ally", "attack")),
        Step("again", BAR, is_move("devote")),
        Step("pass", BAR, is_move("pass", "attack", "ally")),
        Step("on", BAR),
    ),
    seed=f"{22:064x}", scenario="standard", chosen=frozenset({"attack", "ally", "pass", "devote"}),
)  # fmt: skip
