"""A reader of results by their words in any order: sides, shares, and words for winning.

Huns 23%, Romans 46% Ingrid won 46 to 23
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.language import gettext as _
from engine.language import sentence
from games.grand_campaign.text.result_sides import (
    MOST_PER_CENT,
    SIDES,
    Reading,
    Side,
    other_side,
    without_battle_numbers,
    without_points,
)
from games.grand_campaign.text.verdicts import Share
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import Kind, Token, number, tokenize

PER_CENT = "%"
JOINERS = EVERY.between_shares | EVERY.between_joined_shares | {":", "/", "-"}
ERAS = {phrase[0] for phrase in EVERY.eras if len(phrase) == 1}
SIDE = "?"
"""The mark of a side in the texts between two shares."""


def read_words(line: str, sides: Mapping[str, Side]) -> Reading | None:
    """Read a line with a share beside each side, or with a winner or loser and two shares.

    Return None if the line is incomplete.
    """
    parts = parts_of_line(line, sides)
    shares = shares_by_side(parts)
    if shares is None:
        return None
    own, enemy = shares[SIDES[0]], shares[SIDES[1]]
    reading = Reading(line=line, draw=parts.has_word(EVERY.draw), shares=(own, enemy))
    reading.read.append(sentence(_("{first} and {second} per cent"), first=own, second=enemy))
    return reading


# The parts of a line.


@dataclass(slots=True)
class LineParts:
    """The parts of a line in order.

    `order` has the keys of sides, and shares. `words` has all other words. `has_joined_shares` says
    whether there is nothing between two shares but a dash or a word like "to".
    """

    order: list[str | Share] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    has_joined_shares: bool = False
    has_per_cent: bool = False
    since_share: list[str] = field(default_factory=list)
    """The texts since the last share; `SIDE` represents a side."""

    def add_side(self, key: str) -> None:
        if not self.order or self.order[-1] != key:
            self.order.append(key)
        self.since_share = [SIDE]

    def add_share(self, share: Share) -> None:
        follows_share = bool(self.order) and not isinstance(self.order[-1], str)
        if follows_share and is_joint(self.since_share):
            self.has_joined_shares = True
        self.order.append(share)
        self.since_share = []

    def add_other(self, token: Token) -> None:
        if token.text == PER_CENT:
            self.has_per_cent = True
            return
        if token.kind is Kind.WORD:
            self.words.append(token.text)
        self.since_share.append(token.text)

    @property
    def shares(self) -> list[Share]:
        return [item for item in self.order if not isinstance(item, str)]

    @property
    def sides(self) -> list[str]:
        return [item for item in self.order if isinstance(item, str)]

    @property
    def has_share_beside_each_side(self) -> bool:
        """Return whether two sides and two shares alternate."""
        pattern = [isinstance(item, str) for item in self.order]
        alternating = ([True, False] * 2, [False, True] * 2, [True, False, False, True])
        return len(set(self.sides)) == 2 and pattern in alternating

    def has_word(self, words: Iterable[str]) -> bool:
        return not set(self.words).isdisjoint(words)

    @property
    def is_passive(self) -> bool:
        """Return whether an agent follows an auxiliary verb, as in "were beaten by"."""
        auxiliaries = [at for at, word in enumerate(self.words) if word in EVERY.auxiliaries]
        return bool(auxiliaries) and any(
            word in EVERY.agents for word in self.words[auxiliaries[0] + 1 :]
        )


def is_joint(texts: Sequence[str]) -> bool:
    """Return whether the texts between two shares join them into a pair."""
    return not texts or (len(texts) == 1 and texts[0] in JOINERS)


def parts_of_line(line: str, sides: Mapping[str, Side]) -> LineParts:
    """Return the sides, shares and other words of a line."""
    tokens = relevant(without_points(without_battle_numbers(tokenize(line)))[0])
    texts, parts = [token.text for token in tokens], LineParts()
    for match in side_names(sides).in_turn(texts):
        token, following = tokens[match.start], texts[match.end : match.end + 1]
        if match.meaning is not None:
            parts.add_side(match.meaning)
        elif token.kind is not Kind.NUMBER:
            parts.add_other(token)
        elif number(token.text) > MOST_PER_CENT or ERAS.intersection(following):
            parts.words.append(token.text)
        else:
            parts.add_share(number(token.text))
    return parts


def relevant(tokens: Iterable[Token]) -> list[Token]:
    """Return all words and numbers, and the signs that join shares or mean per cent."""
    return [
        token
        for token in tokens
        if not token.is_sign or token.text in JOINERS or token.text == PER_CENT
    ]


def side_names(sides: Mapping[str, Side]) -> PhraseBook[str]:
    """Return the names that only one side has, each with the side's key."""
    return PhraseBook(
        ([token.text for token in relevant(tokenize(name))], key)
        for key, side in sides.items()
        for name in side.names
        if name not in sides[other_side(key)].names
    )


# The meaning of the parts.


def shares_by_side(parts: LineParts) -> dict[str, Share] | None:
    """Return the share of each side, or None if the line does not give them."""
    if len(parts.shares) != 2 or not parts.sides:
        return None
    if parts.has_share_beside_each_side:
        return shares_beside_sides(parts)
    is_each_side_once = len(set(parts.sides)) == len(parts.sides)
    if parts.has_joined_shares and is_each_side_once and not parts.has_word(EVERY.draw):
        return shares_by_winner(parts)
    return None


def shares_beside_sides(parts: LineParts) -> dict[str, Share] | None:
    """Return the shares beside sides, or None if other words make them doubtful."""
    has_victory, is_draw = parts.has_word(EVERY.victory), parts.has_word(EVERY.draw)
    has_only_names = EVERY.beside_shares.issuperset(parts.words)
    if not (parts.has_per_cent or has_victory or is_draw or has_only_names):
        return None
    first, second = parts.shares
    first_wins = has_victory and not is_draw and not parts.is_passive
    if first_wins and first > second:
        return None  # The verb and the shares contradict each other.
    return dict(zip(parts.sides, parts.shares, strict=True))


def shares_by_winner(parts: LineParts) -> dict[str, Share] | None:
    """Return the shares of winner and loser, or None if the line does not identify them."""
    is_defeat = parts.has_word(EVERY.defeat)
    if len(parts.sides) == 2:
        is_doubtful = parts.has_word(EVERY.victory) == is_defeat
    else:
        needs_loser = parts.has_word(EVERY.victory - EVERY.victory_alone)
        is_doubtful = parts.has_word(EVERY.victory_alone) == is_defeat or needs_loser
    if is_doubtful:
        return None
    low, high = sorted(parts.shares)
    first_wins = not is_defeat and not parts.is_passive
    first, other = (low, high) if first_wins else (high, low)
    return {parts.sides[0]: first, other_side(parts.sides[0]): other}
