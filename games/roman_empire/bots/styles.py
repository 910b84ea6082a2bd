"""The weights by which programs choose a move, and their choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.roman_empire.text.english import BOTS

Raw = Mapping[str, Any]


class Style(NamedTuple):
    """The weights of a style of play.

    Values are in points:

    - army: an army
    - loot: a looted City
    - spread: a new land, in addition to its points in this phase
    - guard: a second army in a land
    - hurt: a point that another player will not get; `leader` is added for the leader
    - resource: a Faction's resource symbol, which is half a City
    - save: the points it keeps before it recruits
    - cards: the least value for which it plays a card
    - trade: how much worse a counter must be than those left to be passed on

    `least` is the smallest chance at which it attacks.
    """

    army: float = 0.9
    loot: float = 3.5
    spread: float = 0.35
    guard: float = 0.15
    hurt: float = 0.45
    leader: float = 0.0
    resource: float = 0.8
    least: float = 0.0
    save: int = 12
    cards: float = 0.0
    trade: float = 99.0


class Choice(NamedTuple):
    """A move in record form, and its reason: a text of `BOTS` with its facts."""

    raw: Raw
    why: str
    facts: Mapping[str, Any] = {}

    @property
    def sentence(self) -> str:
        """Return the reason in the reader's language."""
        return BOTS.text(self.why, **self.facts)


SENSIBLE = Style()
BEGINNER = Style(
    army=1.2, loot=2.5, guard=0.6, spread=0.6, hurt=0.0, resource=0.8, least=0.6, save=10, cards=99
)
SUGGESTED = Style(loot=2.0, hurt=0.0, army=1.0, spread=0.5, guard=0.3, least=0.5, save=6, cards=99)
"""The style of the moves that the bar of the page proposes; it leaves cards to the player."""
CAUTIOUS = Style(
    army=1.3, guard=0.6, spread=0.6, hurt=0.25, resource=1.2, least=0.6, save=20, cards=1.5
)
BOLD = Style(army=0.7, loot=4.5, guard=0.1, hurt=0.6, leader=0.3, least=0.4, save=8)
GREEDY = Style(army=0.5, loot=6.0, spread=0.2, guard=0.05, hurt=0.2, resource=1.0, save=6)
GUARDED = Style(army=1.1, guard=0.35, spread=0.5, resource=1.0, least=0.5)
