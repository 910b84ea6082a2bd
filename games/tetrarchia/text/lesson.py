"""The lesson of Tetrarchia: Diocletian's first turn, the barbarians, and a battle of Galerius."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.players import Lesson, Passage, Step
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


RULES = {
    "fleets": (
        Passage("3.1", "[tokens 3-5][fleets 1-3]"),
        Passage("3.5", "the players choose different zones for the fleets"),
        Passage(
            "4.2", "A step between two coastal provinces of the same zone with a fleet costs 1"
        ),
    ),
    "enter": (
        Passage("1.4", "4 Emperors (Diocletian green"),
        Passage("1.6", "BITHYNIA Diocletian"),
        Passage("2.1", "With 1 player, that player has all four Emperors"),
        Passage("4.1", "Entering is free"),
    ),
    "march": (
        Passage("1.2", "*broken* (difficult terrain)"),
        Passage(
            "4.2",
            "normal link 1, broken link 2, +1 for each step into a province with a Revolt token",
        ),
    ),
    "quiet": (
        Passage("4.2", "remove Revolt 2 IP"),
        Passage("4.3", "every Unrest token linked to a Revolt token becomes Revolt"),
        Passage("4.3", "each Roman province linked to it gets a Revolt token"),
    ),
    "secure": (
        Passage("4.2", "put one of his tokens from his supply on his space"),
        Passage("4.2", "1 IP. On an **outside** space"),
        Passage(
            "4.3",
            "If an Emperor's token (or an uncovered printed token) is there, nothing "
            "happens. If there is no token, the province gets an Unrest token",
        ),
        Passage("5.2", "the size of the largest connected group of spaces with his tokens"),
    ),
    "end": (Passage("4.3", "Barbarian phase (move `end_turn`; everything in it is automatic)"),),
    "galerius": (
        Passage("1.6", "PANNONIA INFERIOR Galerius"),
        Passage("4.3", "The next Emperor has his turn"),
    ),
    "attack": (
        Passage("4.2", "remove Revolt 2 IP"),
        Passage("4.2", "this costs what the move there would cost"),
    ),
    "on": (
        Passage("4.2", "that border is then secured"),
        Passage("6.1", "when all 6 outside spaces hold an Emperor's token"),
        Passage(
            "6.2",
            "when an army enters ROMA (`rome`), or when a Revolt or Unrest token has to be "
            "placed and the reserve of that kind is empty",
        ),
    ),
}
"""The passages of the rules on which each step rests."""

LESSON = Lesson(
    TEXTS,
    (
        Step("fleets", BAR, is_move("place_fleets"), rests_on=RULES["fleets"]),
        Step("enter", BAR, is_move("enter"), rests_on=RULES["enter"]),
        Step("march", f'[data-key="{PLACE}"]', goes, possible=at_least(2), rests_on=RULES["march"]),
        Step("quiet", BAR, is_move("subdue"), possible=at_least(1), rests_on=RULES["quiet"]),
        Step("secure", BAR, is_move("secure"), possible=at_least(1), rests_on=RULES["secure"]),
        Step("end", BAR, is_move("end_turn"), rests_on=RULES["end"]),
        Step("galerius", BAR, is_move("enter"), rests_on=RULES["galerius"]),
        Step(
            "attack",
            f'[data-key="{ARMY}"]',
            is_move("attack"),
            possible=army_there,
            rests_on=RULES["attack"],
        ),
        Step("on", BAR, rests_on=RULES["on"]),
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
