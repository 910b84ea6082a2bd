"""The choice of cards that a program plays before it spends actions."""

from __future__ import annotations

from collections.abc import Iterator

from games.grand_campaign.bots.battle_model import Raw
from games.grand_campaign.bots.moves import legal, ownerless_provinces
from games.grand_campaign.bots.planning import Choice
from games.grand_campaign.bots.ranking import leaders, leading
from games.grand_campaign.bots.weighing import RISES_FROM, Style
from games.grand_campaign.rules.position import Nation, Position


def cards_first(position: Position, nation: Nation, style: Style) -> Iterator[Choice]:
    """Yield cards that are better played than kept, before actions are spent."""
    for given in _cards_to_play(position, nation, style):
        raw: Raw = {"by": nation.key, "move": "play", **given}
        if legal(position, raw):
            yield Choice(1.0, raw)


def _cards_to_play(position: Position, nation: Nation, style: Style) -> Iterator[Raw]:
    hand, army = nation.hand, position.rules.army
    if "chancellor" in hand:
        yield {"card": "chancellor"}
    if "mercenaries" in hand and nation.army + army["mercenaries"] <= army["full"]:
        yield {"card": "mercenaries"}
    if "diplomat" in hand:
        for province in ownerless_provinces(position):
            yield {"card": "diplomat", "province": province}
    if "traitor" in hand:
        for province in _provinces_of_others(position, nation.key):
            yield {"card": "traitor", "province": province}
    if "spy" in hand:
        yield from _best_spies(position, nation.key)
    if "assassin" in hand and not position.options.hidden:
        yield from _best_assassins(position, nation.key)
    if "local-insurrection" in hand and style.hurt > RISES_FROM:
        for province in _provinces_of_leaders(position, nation.key):
            yield {"card": "local-insurrection", "province": province, "battle": "open"}


def _provinces_of_others(position: Position, seat: str) -> Iterator[str]:
    """Yield the provinces of the other nations, those of the leader first."""
    for victim in leaders(position, seat):
        yield from position.provinces_of(victim)


def _provinces_of_leaders(position: Position, seat: str) -> Iterator[str]:
    for victim in leading(position, seat):
        yield from position.provinces_of(victim)


def _best_spies(position: Position, seat: str) -> Iterator[Raw]:
    for victim in leaders(position, seat):
        theirs = position.nations[victim].hand
        if not position.options.hidden:
            for card in WANTED:
                if card in theirs:
                    yield {"card": "spy", "target": victim, "steal": card}
        elif theirs:
            yield {"card": "spy", "target": victim}


def _best_assassins(position: Position, seat: str) -> Iterator[Raw]:
    for victim in leading(position, seat):
        for card in ("traitor", "diplomat", "chancellor", "spy"):
            if card in position.nations[victim].hand:
                yield {"card": "assassin", "target": victim, "destroy": card}


WANTED = (
    "traitor",
    "diplomat",
    "chancellor",
    "reinforcements",
    "ambush",
    "assassin",
    "mercenaries",
    "scouts",
    "local-insurrection",
)
"""The cards that a spy takes, the best first."""
