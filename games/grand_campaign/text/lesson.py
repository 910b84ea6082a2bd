"""The lesson of the Grand Campaign: the first slot of the Romans in a practice campaign."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Passage, Step
from games.grand_campaign.text.english import LESSON as TEXTS

SEAT = "romans"


def is_move(*names: str) -> Any:
    return lambda move: move["move"] in names


def still_open(position: Any) -> bool:
    """Return whether the slot of the Romans is open."""
    return bool(position.slot == SEAT)


RULES = {
    "nation": (
        Passage("1.1", "`romans`"),
        Passage("1.1", "Six nations"),
        Passage("1.3", "The turn closes when every slot has ended"),
    ),
    "build": (
        Passage("1.3", "The turn closes when every slot has ended"),
        Passage("2", "Each nation has ledgers"),
        Passage("3.1", "Income gives actions for the slot"),
        Passage("3.3", "once each, in this order"),
    ),
    "attack": (
        Passage("7.2", "option `attack_limit` = `turn`"),
        Passage("7.1", "`land`: 1 action, from an own province to a land neighbour"),
        Passage(
            "7.2", "At most one land or amphibious attack and one independent attack per nation"
        ),
    ),
    "end": (
        Passage("1.3", "each nation's slot, in order of play"),
        Passage("1.3", "The turn closes when every slot has ended"),
        Passage("3.2", "Unused actions lapse when the slot ends"),
    ),
    "on": (
        Passage("1.2", "The campaign has 6 turns"),
        Passage("12", "Most victory points win"),
        Passage("12", "for every nation"),
    ),
}
"""The passages of the rules on which each step rests."""

LESSON = Lesson(
    TEXTS,
    (
        Step("nation", "#waits", page="nation", rests_on=RULES["nation"]),
        Step("build", "#slot", is_move("build"), possible=still_open, rests_on=RULES["build"]),
        Step("attack", "#moves", is_move("attack"), possible=still_open, rests_on=RULES["attack"]),
        Step("end", "#slot", is_move("end-slot"), rests_on=RULES["end"]),
        Step("on", "#waits", rests_on=RULES["on"]),
    ),
    seed=f"{2:064x}",
    scenario="420ad",
    seat=SEAT,
    level="cautious",
    chosen=frozenset({"build", "attack", "end-slot"}),
)
