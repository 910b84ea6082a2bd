"""The two sides of a battle by their names, and the parts of a result that were read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.language import gettext as _
from games.grand_campaign.text.verdicts import Share
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import Kind, Token

SIDES = ("attacker", "defender")
MOST_PER_CENT = 100
DIGITS_OF_POINTS = range(2, 6)


@dataclass(frozen=True, slots=True)
class Side:
    """The names of a side's players, nation and army list, and its points."""

    people: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()
    points: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.people, *self.armies, *self.nations)


@dataclass(slots=True)
class Reading:
    """The result of reading a line.

    `shares` are those of the attacker and the defender, or None unless the whole line was
    understood. `read` and `unread` describe the parts that were read and that were not. `sides` has
    the sides with their shares, if the battle is known.
    """

    shares: tuple[Share, Share] | None = None
    draw: bool = False
    read: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    line: str = ""
    contradicts: bool = False
    sides: list[str] = field(default_factory=list)

    @property
    def found_text(self) -> str:
        """Return the parts that were read as a sentence, empty if there are none."""
        return (
            _("Read from the line: %(what)s.") % {"what": ", ".join(self.read)} if self.read else ""
        )


def other_side(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def without_points(tokens: Sequence[Token]) -> tuple[list[Token], int | None]:
    """Return the tokens without army sizes such as "(1600 pts)", and the last of these sizes."""
    kept: list[Token] = []
    points, at = None, 0
    while at < len(tokens):
        end = end_of_points(tokens, at)
        if end > at:
            points = int(tokens[at + 1].text)
            at = end
        else:
            kept.append(tokens[at])
            at += 1
    return kept, points


def without_battle_numbers(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without numbers of battles, such as "#6" or "battle 6:"."""
    return [
        token
        for at, token in enumerate(tokens)
        if at == 0 or token.kind is not Kind.NUMBER or not names_battle(tokens, at)
    ]


def names_battle(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a number belongs to a battle: it follows "#", or "battle" and precedes ":"."""
    before, following = tokens[at - 1], [token.text for token in tokens[at + 1 : at + 2]]
    if before.text == "#":
        return before.touches(tokens[at])
    return before.text in EVERY.battles and following in ([":"], [","], ["."], ["("])


def is_doubtful(tokens: Sequence[Token], names: PhraseBook[str]) -> bool:
    """Return whether a line has a condition, a guess or a negation, or asks something.

    The names of the sides do not count: a player may be called Will.
    """
    texts = [token.text for token in tokens]
    words = [texts[match.start] for match in names.in_turn(texts) if match.meaning is None]
    return not EVERY.doubts.isdisjoint(words) or "?" in words


def end_of_points(tokens: Sequence[Token], start: int) -> int:
    """Return the place after an army size in brackets that begins at `start`, or `start` itself."""
    texts = [token.text for token in tokens[start : start + 5]]
    if len(texts) < 3 or texts[0] != "(" or not is_size(tokens[start + 1]):
        return start
    at = 3 if texts[2] in EVERY.points else 2
    at += at == 3 and texts[at : at + 1] == ["."]
    return start + at + 1 if texts[at : at + 1] == [")"] else start


def is_size(token: Token) -> bool:
    """Return whether a token may be the size of an army."""
    return (
        token.kind is Kind.NUMBER and token.text.isdecimal() and len(token.text) in DIGITS_OF_POINTS
    )
