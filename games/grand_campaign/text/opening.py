"""The rolls and openings of the start and of the next turn (1.2, 1.3)."""

from __future__ import annotations

from engine.language import gettext as _
from engine.language import sentence
from games.contract.desk import RuleText
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words


def opening(position: Position) -> list[RuleText]:
    """Return sentences about what the start or the next turn rolls and opens."""
    scenario = position.scenario.amended(position.amendments)
    if position.phase == "setup":
        return start_sentences(position, scenario)
    standing = [key for key in scenario.order if not position.nations[key].fallen]
    turn = position.turn + 1
    sentences = [cards_drawn(position, len(standing))]
    if turn in position.rules.event_turns:
        sentences.append((sentence(_("{n} random events are rolled."), n=len(standing)), "1.3"))
    nation = words.nation_name(scenario, opener(position, scenario, turn))
    sentences.append((sentence(_("The turn of {nation:the} begins."), nation=nation), "1.2"))
    if not position.options.hidden:
        sentences.append((sentence(_("The key of turn {n} is published."), n=position.turn), ""))
    return sentences


def start_sentences(position: Position, scenario: Scenario) -> list[RuleText]:
    """Return sentences about what the start of the campaign rolls and fixes."""
    count = len(scenario.order)
    return [
        (sentence(_("A d{n} decides which nation opens turn 1."), n=count), "1.2"),
        cards_drawn(position, count),
        (_("From then on, the scenario, the options and the seed cannot change."), ""),
    ]


def cards_drawn(position: Position, count: int) -> RuleText:
    text = sentence(_("{n} cards are drawn, d{die} each."), n=count, die=position.rules.die)
    return text, "1.3"


def opener(position: Position, scenario: Scenario, turn: int) -> str:
    """Return the nation that opens a turn by the rotation, skipping fallen nations (1.2)."""
    keys: list[str] = list(scenario.order)
    place = (position.opener + turn - 2) % len(keys)
    return next(key for key in keys[place:] + keys[:place] if not position.nations[key].fallen)
