"""The lesson of the Roman Empire: two counters, the march of the Galli, and a Faction."""

from __future__ import annotations

from typing import Any

from games.contract.players import Lesson, Passage, Step
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


RULES = {
    "people": (
        Passage("1.2", "it has a Roman **Faction** (a colour)"),
        Passage(
            "4.2",
            "each seat without a counter draws one at random, looks at it and keeps it or "
            "passes it",
        ),
        Passage("5.1", "the seat takes control of the People with its number in this period"),
    ),
    "emperor": (
        Passage("1.2", "it has a Roman **Faction** (a colour)"),
        Passage("4.3", "**Emperor counters** 1-6 are drawn in the same way"),
        Passage("6.1", "the Emperor's bonus takes effect"),
    ),
    "home": (
        Passage("5.1", "The seat has as many armies in hand as the People's strength"),
        Passage("5.3", "if the People has no army on the map, the first goes to the start land"),
        Passage("5.3", "the seat places armies one at a time"),
    ),
    "spread": (
        Passage("1.1", "An **area** is five lands of one colour"),
        Passage(
            "10.1",
            "*Presence* (1 land) scores them x1; *domination* (3 or more lands, or more than "
            "any other seat's Peoples or Faction, each counted alone) scores them x2; "
            "*control* (all five) scores them x3",
        ),
        Passage("5.3", "otherwise there is combat"),
    ),
    "cards": (
        Passage("5.3", "the seat places armies one at a time"),
        Passage("3.3", "a secret hand of nine"),
        Passage("9.1", "A seat may play at most two cards in a turn"),
    ),
    "send": (Passage("5.4", "the seat scores (10), and the armies left in hand are lost"),),
    "faction": (
        Passage("1.2", "it has a Roman **Faction** (a colour)"),
        Passage(
            "6.3",
            "each seat in play order chooses a start land (AQUITANIA, ITALIA, MACEDONIA, "
            "SYRIA) that no one has chosen",
        ),
    ),
    "recruit": (
        Passage("1.2", "it has a Roman **Faction** (a colour)"),
        Passage("5.3", "the seat places armies one at a time"),
        Passage("5.3", "an army goes into a land that the People holds"),
        Passage(
            "6.2", "it buys n Legions, for 2 RVP each in periods I-III, for 3 RVP each from IV"
        ),
        Passage("6.2", "may together not exceed the starting number"),
        Passage("1.6", "RVP are F points that are used as money"),
        Passage("6.3", "the seat places Legions one at a time as in 5.3"),
    ),
    "score": (
        Passage(
            "6.7", "each in a land that the Faction controls, with a resource symbol and no City"
        ),
        Passage(
            "6.7", "The seat may build up to half as many as the Faction controls resource symbols"
        ),
        Passage("6.8", "Then the phase is scored"),
    ),
    "on": (
        Passage("10", "The People phase counts all Peoples"),
        Passage("10", "The Faction phase counts only the Faction"),
        Passage("10.1", "Areas** score their `area_points` of the period"),
        Passage("11.1", "The highest P+F wins"),
        Passage("11.1", "After turn VII"),
    ),
}
"""The passages of the rules on which each step rests."""

LESSON = Lesson(
    TEXTS,
    (
        Step("people", BAR, is_move("keep", "pass_counter"), rests_on=RULES["people"]),
        Step("emperor", BAR, is_move("keep", "pass_counter"), rests_on=RULES["emperor"]),
        Step(
            "home",
            f'[data-land="{HOME}"]',
            lambda move: move["move"] == "place" and move.get("land") == HOME,
            possible=leads_galli,
            rests_on=RULES["home"],
        ),
        Step(
            "spread",
            f'[data-land="{NEXT}"]',
            lambda move: move["move"] == "place" and move.get("land") != HOME,
            rests_on=RULES["spread"],
        ),
        Step(
            "cards",
            BAR,
            is_move("play_event", "place", "end_phase"),
            ahead=False,
            rests_on=RULES["cards"],
        ),
        Step("send", BAR, is_move("end_phase"), rests_on=RULES["send"]),
        Step("faction", BAR, is_move("choose_start"), rests_on=RULES["faction"]),
        Step(
            "recruit",
            BAR,
            is_move("recruit", "place", "fort", "end_phase"),
            ahead=False,
            rests_on=RULES["recruit"],
        ),
        Step("score", BAR, is_move("end_phase"), rests_on=RULES["score"]),
        Step("on", BAR, rests_on=RULES["on"]),
    ),
    seed=f"{20:064x}",
    scenario="standard",
    options={"players": 4},
    seat=LESSON_SEAT,
    level="beginner",
    chosen=frozenset({"keep", "pass_counter", "place", "end_phase", "recruit"}),
)
