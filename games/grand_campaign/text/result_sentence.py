"""A reader of results as sentences: the first side, a verb, the second side, two shares.

Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from engine.language import gettext as _
from engine.language import pgettext, sentence
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
from games.grand_campaign.text.words import listed, side_name
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import Match, PhraseBook
from games.kit.reading.tokens import Kind, Token, number, tokenize, words_and_numbers

PEOPLE, ARMIES, NATIONS = "people", "armies", "nations"
JOINERS = EVERY.between_shares | {"-", ":", "/"}
SHARE = re.compile(r"\d{1,3}(?:[.,]\d{1,3})?")
OPENING, CLOSING, PER_CENT = "(", ")", "%"


class Verb(Enum):
    """The meaning of a sentence's verb for the side that is named first."""

    WINS = auto()
    LOSES = auto()
    DRAWS = auto()


VERBS = PhraseBook(
    [
        *((phrase, Verb.LOSES) for phrase in EVERY.loses_to),
        *((phrase, Verb.DRAWS) for phrase in EVERY.draws_with),
        *((phrase, Verb.WINS) for phrase in EVERY.beats),
    ]
)
ERAS = PhraseBook((phrase, None) for phrase in EVERY.eras)


class Pair(NamedTuple):
    """Two shares of a line, as written and as numbers, and the places where they begin and end."""

    start: int
    end: int
    texts: tuple[str, str]
    shares: tuple[Share, Share]


class Half(NamedTuple):
    """A half of a sentence: its words, and the size of an army that it names."""

    words: tuple[str, ...]
    points: int | None


class Order(NamedTuple):
    """The side that a sentence names first, and the kinds of names that show it.

    `first` is empty if the names contradict each other.
    """

    first: str
    kinds: Sequence[str] = ()


class ResultSentence(NamedTuple):
    """A line with a verb for winning, losing or drawing, and two shares."""

    line: str
    verb: Verb
    first: Half
    second: Half
    pair: Pair


def read_sentence(line: str, sides: Mapping[str, Side]) -> Reading | None:
    """Read a line, or return None if it has no verb of the result or no two shares."""
    parsed = parse(line)
    if parsed is None:
        return None
    reading = Reading(line=line, draw=parsed.verb is Verb.DRAWS)
    if not parsed.first.words or not parsed.second.words:
        reading.unread.append(_("Only one side is named."))
        return reading
    order = order_of_sides(parsed, sides)
    reading.read.append(
        pgettext("result sentence", "a draw") if reading.draw else shares_text(parsed.pair)
    )
    if order is None or not order.first:
        reading.contradicts = order is not None
        reading.unread.append(why_not_ordered(order))
        return reading
    reading.read.append(ordered_by(order))
    compare_points(reading, parsed, order.first, sides)
    reading.shares = shares_in_order(parsed, order.first)
    return reading


def parse(line: str) -> ResultSentence | None:
    """Return the parts of a line, or None if it has no verb of the result or no two shares."""
    tokens = without_battle_numbers(tokenize(line))
    verb = find_verb(line, tokens)
    rest = tokens[verb.end :] if verb else ()
    pair = last_pair(rest)
    if verb is None or pair is None:
        return None
    first, second = half(tokens[: verb.start]), half(rest[: pair.start])
    return ResultSentence(line, verb.meaning, first, second, pair)


def find_verb(line: str, tokens: Sequence[Token]) -> Match[Verb] | None:
    """Return the verb of the result, which is the first that has text before and after it."""
    for match in VERBS.everywhere([token.text for token in tokens]):
        first, last = tokens[match.start], tokens[match.end - 1]
        is_abbreviation = len(first.text) == 1  # "b" means "beats", but not in "A (b)".
        if first.start > 0 and last.end < len(line) and (first.is_spaced or not is_abbreviation):
            return match
    return None


def half(tokens: Sequence[Token]) -> Half:
    kept, points = without_points(tokens)
    return Half(words_and_numbers(kept), points)


# Shares.


def last_pair(tokens: Sequence[Token]) -> Pair | None:
    """Return the last pair of numbers that can be shares.

    The years of an army list and points in brackets cannot.
    """
    pairs, at = list[Pair](), 0
    while at < len(tokens):
        pair = pair_at(tokens, at)
        at = pair.end if pair else at + 1
        if pair and max(pair.shares) <= MOST_PER_CENT and not is_in_brackets(tokens, pair):
            pairs.append(pair)
    return pairs[-1] if pairs else None


def pair_at(tokens: Sequence[Token], start: int) -> Pair | None:
    """Return the pair of shares that begins at a place, such as "46-23" or "46% to 23%"."""
    joiner = end_of_share(tokens, start)
    is_joined = start < joiner < len(tokens) and tokens[joiner].text in JOINERS
    second = joiner + 1
    end = end_of_share(tokens, second) if is_joined else second
    if end == second or ERAS.at([token.text for token in tokens], second + 1):
        return None
    texts = tokens[start].text, tokens[second].text
    return Pair(start, end, texts, (number(texts[0]), number(texts[1])))


def end_of_share(tokens: Sequence[Token], start: int) -> int:
    """Return the place after a share with or without "%" that begins at `start`.

    Return `start` itself if there is no share.
    """
    if start >= len(tokens) or not may_be_share(tokens, start):
        return start
    has_sign = start + 1 < len(tokens) and tokens[start + 1].text == PER_CENT
    return start + 1 + has_sign


def may_be_share(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token is a number that may be a share, and not a part of "1.2.3"."""
    token = tokens[at]
    if token.kind is not Kind.NUMBER or not SHARE.fullmatch(token.text):
        return False
    before = tokens[at - 1] if at > 0 else None
    if before is not None and is_point(before) and before.touches(token):
        return False
    return not continues_with_digits(tokens[at : at + 3])


def continues_with_digits(tokens: Sequence[Token]) -> bool:
    """Return whether a point and another number touch a number."""
    if len(tokens) < 3 or not is_point(tokens[1]):
        return False
    first, point, second = tokens
    return second.kind is Kind.NUMBER and first.touches(point) and point.touches(second)


def is_point(token: Token) -> bool:
    return token.text in (".", ",")


def is_in_brackets(tokens: Sequence[Token], pair: Pair) -> bool:
    """Return whether a pair is in brackets with other text, such as "(Western 53-54 AD)"."""
    before = [token.text for token in tokens[: pair.start]]
    if before.count(OPENING) <= before.count(CLOSING):
        return False
    following = [token.text for token in tokens[pair.end : pair.end + 1]]
    return before[-1] != OPENING or following != [CLOSING]


def shares_text(pair: Pair) -> str:
    first, second = pair.texts
    return sentence(_("{first} and {second} per cent"), first=first, second=second)


def shares_in_order(parsed: ResultSentence, first_side: str) -> tuple[Share, Share]:
    """Return the shares of attacker and defender.

    The loser has the greater share. In a draw the first share is that of the side named first.
    """
    first, second = parsed.pair.shares
    if parsed.verb is not Verb.DRAWS:
        low, high = sorted((first, second))
        first, second = (high, low) if parsed.verb is Verb.LOSES else (low, high)
    return (first, second) if first_side == SIDES[0] else (second, first)


# Sides.


def order_of_sides(parsed: ResultSentence, sides: Mapping[str, Side]) -> Order | None:
    """Return the order of the sides, or None if no name shows it."""
    people = first_side(parsed, {key: side.people for key, side in sides.items()})
    armies = first_side(parsed, {key: side.armies for key, side in sides.items()})
    by_kind = {kind: side for kind, side in ((PEOPLE, people), (ARMIES, armies)) if side}
    if not by_kind:
        # An army list may have the name of a nation that does not use it, so nations count only if
        # no other names are known.
        nations = first_side(parsed, {key: side.nations for key, side in sides.items()})
        by_kind = {NATIONS: nations} if nations else {}
    if not by_kind:
        return None
    named = set(by_kind.values())
    return Order(named.pop(), [*by_kind]) if len(named) == 1 else Order("")


def first_side(parsed: ResultSentence, names: Mapping[str, Sequence[str]]) -> str | None:
    """Return the side that these names show to be first.

    If one half of the sentence is known, so is the other.
    """
    book = PhraseBook(
        (words_and_numbers(tokenize(name)), key) for key in SIDES for name in names[key]
    )
    first, second = named_side(book, parsed.first), named_side(book, parsed.second)
    votes = {first, other_side(second) if second else None} - {None}
    return votes.pop() if len(votes) == 1 else None


def named_side(book: PhraseBook[str], half: Half) -> str | None:
    """Return the side that a half of the sentence names by the longer name, or None."""
    longest = dict.fromkeys(SIDES, 0)
    for match in book.everywhere(half.words):
        length = len(" ".join(half.words[match.start : match.end]))
        longest[match.meaning] = max(longest[match.meaning], length)
    attacker, defender = (longest[side] for side in SIDES)
    if attacker == defender:
        return None
    return SIDES[0] if attacker > defender else SIDES[1]


def why_not_ordered(order: Order | None) -> str:
    if order is None:
        return _(
            "The sides could not be identified: no player, nation or army list of this battle"
            " is named."
        )
    return _("The names and lists of the line contradict each other.")


def ordered_by(order: Order) -> str:
    """Return the kinds of names by which the sides were recognised."""
    words = {
        PEOPLE: _("the players’ names"),
        ARMIES: _("the army lists"),
        NATIONS: _("the nations"),
    }
    return sentence(
        _("sides identified by {how}"), how=listed([words[kind] for kind in order.kinds])
    )


def compare_points(
    reading: Reading, parsed: ResultSentence, first_side: str, sides: Mapping[str, Side]
) -> None:
    """Note points that differ from those of the set-up sheet; the result is valid nevertheless."""
    halves = ((parsed.first, first_side), (parsed.second, other_side(first_side)))
    for part, key in halves:
        points, others = part.points, sides[key].points
        if points is None:
            continue
        if others and points != others:
            text = _(
                "The pasted line gives the {side} {points} points; the set-up sheet says {others}."
            )
            reading.unread.append(sentence(text, points=points, side=side_name(key), others=others))
        else:
            text = _("{points} points for the {side}")
            reading.read.append(sentence(text, points=points, side=side_name(key)))
