"""The lesson of the Roman Empire: two counters, the march of the Galli, and a Faction."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Step
from games.roman_empire.text.english import LESSON as TEXTS

HOME, NEXT = "lugdunensis", "aquitania"
BAR = ".play-bar"
LESSON_SEAT, PEOPLE, GALLI = "A", "people", 1


def is_move(*names: str) -> Any:
    return lambda move: move["move"] in names


def leads_galli(position: Any) -> bool:
    """Return whether the learner leads the Galli, or it is not the phase of their People."""
    people = position.phase == PEOPLE and position.active == LESSON_SEAT
    return not people or bool(position.counters[LESSON_SEAT][PEOPLE] == GALLI)


LESSON = Lesson(
    TEXTS,
    (
        Step("people", BAR, is_move("keep", "pass_counter")),
        Step("emperor", BAR, is_move("keep", "pass_counter")),
        Step(
            "home",
            f'[data-land="{HOME}"]',
            lambda move: move["move"] == "place" and move.get("land") == HOME,
            possible=leads_galli,
        ),
        Step(
            "spread",
            f'[data-land="{NEXT}"]',
            lambda move: move["move"] == "place" and move.get("land") != HOME,
        ),
        Step("cards", BAR, is_move("play_event", "place", "end_phase"), ahead=False),
        Step("send", BAR, is_move("end_phase")),
        Step("faction", BAR, is_move("choose_start")),
        Step("recruit", BAR, is_move("recruit", "place", "fort", "end_phase"), ahead=False),
        Step("score", BAR, is_move("end_phase")),
        Step("on", BAR),
    ),
    seed=f"{20:064x}",
    scenario="standard",
    options={"players": 4},
    seat=LESSON_SEAT,
    level="beginner",
    chosen=frozenset({"keep", "pass_counter", "place", "end_phase", "recruit"}),
)
