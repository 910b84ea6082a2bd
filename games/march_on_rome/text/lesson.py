"""The lesson of March on Rome: a battle for Syria, an alliance, and the second year."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Passage, Step
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


RULES = {
    "attack": (
        Passage("1.1", "6 Asia, 7 Syria"),
        Passage("2.2", "d6 + 2 legions"),
        Passage("3.1", "attack a neighbouring province"),
    ),
    "devote": (
        Passage("1.1", "5 Achaia"),
        Passage("4.1", "A battle has an attacker"),
        Passage("4.5", "The player may devote any number"),
        Passage(
            "4.7",
            "the side with the initiative rolls 3d6, and each 1 at once removes as many of "
            "the enemy's devoted legions as the loss number; then the other side does the "
            "same",
        ),
        Passage("4.8", "Generals take back what is left of their legions"),
    ),
    "ally": (
        Passage("3.1", "or offer its holder an alliance"),
        Passage("1.1", "5 Achaia"),
        Passage(
            "5.1",
            "a no means a battle at once, in which the side that made the offer attacks the "
            "province in question",
        ),
        Passage(
            "5.4", "A rival who would dominate always says yes; one who would not says yes on 1–2"
        ),
        Passage(
            "5.6",
            "If the player makes an offer to a stronger rival, who says yes, the player is "
            "absorbed",
        ),
    ),
    "again": (Passage("5.1", "a no means a battle at once"),),
    "pass": (
        Passage("3.2", "Then the rivals act"),
        Passage("3.1", "they wait"),
        Passage("3.3", "Every general recruits 1 legion for each province they hold"),
    ),
    "on": (
        Passage(
            "3.5",
            "If the player then holds 3 or more provinces and no rival is alive, the player "
            "has **won**",
        ),
        Passage("7.1", "The reign is lost when the general has no province"),
    ),
}
"""The passages of the rules on which each step rests."""

LESSON = Lesson(
    TEXTS,
    (
        Step(
            "attack",
            f'[data-key="{TARGET}"]',
            is_move("attack"),
            possible=neighbour(TARGET),
            rests_on=RULES["attack"],
        ),
        Step("devote", BAR, is_move("devote"), possible=not_chosen, rests_on=RULES["devote"]),
        Step(
            "ally",
            f'[data-key="{ALLY}"]',
            is_move("ally", "attack"),
            possible=neighbour(ALLY),
            rests_on=RULES["ally"],
        ),
        Step("again", BAR, is_move("devote"), possible=not_chosen, rests_on=RULES["again"]),
        Step("pass", BAR, is_move("pass", "attack", "ally"), rests_on=RULES["pass"]),
        Step("on", BAR, rests_on=RULES["on"]),
    ),
    seed=f"{22:064x}",
    scenario="standard",
    chosen=frozenset({"attack", "ally", "pass", "devote"}),
)
