"""The moves that the bar proposes, and the cards that it offers.

A proposal uses only what the acting seat may know, and it is never the end of a phase.
"""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.play import perform
from games.roman_empire.bots.choosing import best
from games.roman_empire.bots.styles import SUGGESTED, Choice
from games.roman_empire.page.preparing import Card
from games.roman_empire.rules import placing, view
from games.roman_empire.rules.moves import decode
from games.roman_empire.rules.position import CARDS, Position

MOST = 40
"""The maximum number of moves proposed at once."""
PROPOSED = (
    "choose_start",
    "take_up",
    "recruit",
    "bribe",
    "fort",
    "fortress",
    "rebuild",
    "place",
)


def suggested(position: Position) -> list[dict[str, Any]]:
    """Return the moves that the bar proposes one after another, up to the first attack.

    Each has the name that the script uses, the land, the number of armies, and the reason. An
    attack is the last, because what follows it depends on dice.
    """
    trial, dice = position.copy(), Dice(view.LAST_LINK, seed="")
    seat, rows = view.mover(position), list[dict[str, Any]]()
    while len(rows) < MOST:
        choice = best(trial, SUGGESTED)
        if choice is None or choice.raw["move"] not in PROPOSED or choice.raw.get("by") != seat:
            break
        fights = is_attack(trial, choice)
        rows.append(
            {
                "do": "war" if fights else choice.raw["move"],
                "land": choice.raw.get("land"),
                "n": choice.raw.get("n", 1),
                "why": choice.sentence,
            }
        )
        if fights or choice.raw.get("loot"):
            break
        perform(trial, decode(dict(choice.raw), trial), dice)
    return rows


def is_attack(position: Position, choice: Choice) -> bool:
    """Return whether a move is an attack, which dice decide."""
    raw = choice.raw
    if raw["move"] != "place":
        return False
    return placing.judge(position, raw["land"], raw["from"], False, raw.get("fort")) == (
        placing.ATTACK
    )


def playable(cards: list[Card]) -> list[dict[str, Any]]:
    """Return the cards that can be played now, with the choices that they require."""
    return [
        {
            "key": card.key,
            "name": card.name,
            "text": card.text,
            "before": CARDS[card.key].timing == "before",
            "asks": [[ask.key, ask.name, list(ask.choices)] for ask in card.play.asks],
        }
        for card in cards
        if card.play is not None
    ]
