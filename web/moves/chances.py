"""The chances of the reader's side in contests that a model decides, as in practice games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaign.practice import model_decides
from engine.errors import IllegalMove
from engine.shares import whole_percents
from games.contract.move_words import MoveWords
from games.contract.plain import Position
from games.contract.players import BattleChances, WithBattleChances
from games.contract.title import Branch, Field, Offer
from web.frame.table import TableContext

MOST_CHOICES = 24
"""The largest number of choices of a field that are shown with their chances."""


class OwnChance(NamedTuple):
    """The chances of a side in whole per cents, which add up to 100."""

    win: int
    draw: int
    lose: int

    @property
    def text(self) -> str:
        return _("Your chance of winning: %(percent)s%%") % {"percent": self.win}

    @property
    def rest(self) -> str:
        return _("draw %(draw)s%%, defeat %(lose)s%%") % {"draw": self.draw, "lose": self.lose}


class ChanceReader:
    """The chances of a seat in the contests of a title, from facts that both sides see."""

    def __init__(self, words: MoveWords, players: WithBattleChances, seat: str) -> None:
        self.words, self.players, self.seat = words, players, seat

    def of_contest(self, position: Position, number: int) -> OwnChance | None:
        """Return the chances in a running contest; None if it has ended."""
        shares = self.players.battle_chances(position, number, self.seat)
        return rounded(shares) if shares is not None else None

    def of_branches(
        self, raw: Mapping[str, object], branches: Sequence[Branch]
    ) -> OwnChance | None:
        """Return the chances in the contest that a move begins or answers, if it is fought.

        They are None for every other move.
        """
        total, sums = 0.0, [0.0, 0.0, 0.0]
        for branch in branches:
            number = self.words.contest(raw, branch.after)
            if number is None:
                continue
            shares = self.players.battle_chances(branch.after, number, self.seat)
            if shares is None:
                continue
            weight = branch.chance[0] / branch.chance[1]
            total += weight
            sums = [part + weight * share for part, share in zip(sums, shares, strict=True)]
        return rounded(BattleChances(*(part / total for part in sums))) if total else None

    def of_move(self, raw: Mapping[str, object]) -> OwnChance | None:
        """Return the chances of a move; None if it is not possible or begins no contest."""
        words = self.words
        try:
            move = words.title.decode(dict(raw), words.position)
            branches = words.title.branches(words.position, move)
        except IllegalMove:
            return None
        return self.of_branches(raw, branches)

    def of_choices(
        self, offer: Offer, field: Field, values: Mapping[str, object], choices: Sequence[object]
    ) -> dict[object, OwnChance]:
        """Return the chances with each choice of a field; the other fields have these `values`.

        A field for cards has the chances with each card added to the chosen ones.
        """
        if len(choices) > MOST_CHOICES:
            return {}
        known = dict[object, OwnChance]()
        for choice in choices:
            value = choice if field.kind != "cards" else with_card(values.get(field.key), choice)
            chance = self.of_move(offer.raw({**values, field.key: value}))
            if chance is not None:
                known[choice] = chance
        return known


def with_card(chosen: object, card: object) -> list[object]:
    """Return the chosen cards with this card among them."""
    cards = list(chosen) if isinstance(chosen, list) else []
    return cards if card in cards else [*cards, card]


def rounded(shares: BattleChances) -> OwnChance:
    return OwnChance(*whole_percents(shares))


def chance_reader(table: TableContext, words: MoveWords, seat: str) -> ChanceReader | None:
    """Return the chances of the reader's seat; None if people decide the contests.

    They are also None for a reader who does not hold the seat.
    """
    players = table.title.players
    if seat not in table.own_seats or not model_decides(table.campaign):
        return None
    if not isinstance(players, WithBattleChances):
        return None
    return ChanceReader(words, players, seat)
