"""Cards that go with an attack or an answer (4.4, 4.11 to 4.15)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects import Say
from engine.errors import IllegalMove
from games.grand_campaign.position import Attack, Position

WITH_ATTACK = frozenset({"ambush", "reinforcements", "scouts", "naval-technology"})
WITH_ANSWER = frozenset({"reinforcements", "scouts", "naval-technology"})
CARD_RULE = {"ambush": "4.12", "reinforcements": "4.13", "scouts": "4.15", "naval-technology": "4.11"}


def hold(position: Position, who: str, cards: Sequence[str], playable: frozenset[str], *, encounter: bool) -> None:
    """Can these cards be played here, and are they in the hand? Naval Technology needs an `encounter` to come (4.4)."""
    for card in cards:
        if card not in playable:
            raise IllegalMove("card-not-playable", "4.4", "card-not-here", card=card)
        if card == "naval-technology" and not encounter:
            raise IllegalMove("card-not-playable", "4.11", "no-encounter", card=card)
    hand = position.nations[who].hand
    for card in cards:
        if card not in hand:
            raise IllegalMove("no-such-card", "4.1", card=card)


def commit_cards(position: Position, attack: Attack, side: str, who: str, cards: tuple[str, ...]) -> None:
    """The cards are played on the battle and discarded; Reinforcements raise the side's points (4.13)."""
    for card in cards:
        position.lose_card(who, card, Say("plays-on-battle", CARD_RULE[card], {"card": card, "target": attack.target}))
    extra = position.rules.army["reinforcements"] if "reinforcements" in cards else 0
    if side == "attacker":
        attack.cards_attacker = cards
        attack.points_attacker += extra
    else:
        attack.cards_defender = cards
        attack.points_defender += extra
