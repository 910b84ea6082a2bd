"""The purposes of rolls and their dice (RECORD, Dice)."""

from __future__ import annotations

from games.grand_campaign.faults import Fault
from games.grand_campaign.rules import MOST_CARDS
from games.grand_campaign.scenario import Scenario

ESCORT_DIE = 6
LARGEST_HAND = 10**9
FURTHER_CARDS = frozenset(str(n) for n in range(2, MOST_CARDS + 1))


def check_roll(scenario: Scenario, purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its value on the die; else `MalformedRecord`."""
    sides = sides_of(scenario, purpose)
    if sides is None:
        raise Fault(f"dice.fixed.{purpose[:80]}", "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise Fault(f"dice.fixed.{purpose}", "whole", least=1, most=sides)


def sides_of(scenario: Scenario, purpose: str) -> int | None:
    """The sides of the purpose's die, None for no purpose of this scenario; a spy's depends on the hand."""
    if purpose == "start":
        return len(scenario.nations)
    parts = purpose.split("/")
    if len(parts) < 3 or parts[2] not in scenario.nations or not _a_turn(scenario, parts[0]):
        return None
    kind, rest = parts[1], parts[3:]
    if kind in ("card", "event"):
        return scenario.rules.die if not rest or (kind == "card" and len(rest) == 1 and rest[0] in FURTHER_CARDS) else None
    if kind == "spy":
        return LARGEST_HAND if not rest or (len(rest) == 1 and _number(rest[0], 2)) else None
    if kind == "attack" and len(rest) >= 2 and rest[0] in scenario.provinces:
        what = "/".join(rest[1:])
        if what == "escort":
            return ESCORT_DIE
        if what in ("naval/attacker", "naval/defender", "siege"):
            return scenario.rules.die
    return None


def _a_turn(scenario: Scenario, text: str) -> bool:
    return text.startswith("turn-") and _number(text[5:], 1) and int(text[5:]) <= scenario.turns


def _number(text: str, least: int) -> bool:
    """Is it a whole number written without sign or leading zeros?"""
    return text.isascii() and text.isdigit() and len(text) < 10 and text[0] != "0" and int(text) >= least
