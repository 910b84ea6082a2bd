"""The line in which players post a result on a forum, read (9.1): who beat whom, with which armies, and how far each routed.

    Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23

The first share is the loser's. A line is read by its verb and its two shares; everything else only helps to find out
who is who: names of players at the table or in Field of Glory II, names of nations, army lists in all their spellings.
It may be written in English or Italian.
What could not be read is told and never guessed: without the sides there are no shares.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils.translation import gettext as _

from engine.language import sentence
from games.grand_campaign.text.words import listed, side_name

Share = int | Decimal
SIDES = ("attacker", "defender")
LONGEST = 2000
PEOPLE, ARMIES, NATIONS = "people", "armies", "nations"

BEATS = (
    r"beats?|beat|bt|b(?=\s)|defeats?|defeated|def\.?|wins?\s+(?:against|vs\.?|over)|won\s+(?:against|vs\.?|over)|def\s"
    r"|(?:s?batte|ha\s+(?:s?battuto|sconfitto)|sconfigge)|(?:vince|ha\s+vinto)\s+(?:contro|con|su)"
)
LOSES = (
    r"loses?\s+(?:to|against)|lost\s+(?:to|against)|is\s+beaten\s+by|was\s+beaten\s+by"
    r"|(?:perde|ha\s+perso)\s+(?:contro|con|da)|(?:è|viene)\s+(?:stat[oa]\s+)?(?:battut|sconfitt)[oa]\s+da"
)
DRAWS = (
    r"draws?(?:\s+(?:with|against|vs\.?))?|drew(?:\s+(?:with|against|vs\.?))?|ties?\s+(?:with|against)|tied\s+(?:with|against)"
    r"|(?:pareggia|ha\s+pareggiato|pari)\s+(?:contro|con)"
)
VERB = re.compile(rf"(?<!\w)(?:(?P<loses>{LOSES})|(?P<draws>{DRAWS})|(?P<beats>{BEATS}))(?!\w)", re.IGNORECASE)
TAG = re.compile(r"\[/?[a-z][a-z0-9]*(?:=[^\]\n]{0,200})?\]|</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
NUMBER = r"\d{1,3}(?:[.,]\d{1,3})?"
SCORE = re.compile(
    rf"(?<![\d.,])({NUMBER})\s*%?\s*(?:-|:|/|\bto\b|\ba\b)\s*({NUMBER})(?![\d.,]*\d)\s*%?(?!\s*(?:AD|BC|[da]\.\s?C)\b)",
    re.IGNORECASE,
)
POINTS = re.compile(r"\(\s*(\d{2,5})\s*(?:pts?\.?|points?|pt[ie]\.?|punti)?\s*\)", re.IGNORECASE)
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
QUOTES = {ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"', ord("\u00a0"): " ", ord("\u202f"): " "}
LETTERS = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Side:
    """Whom a side may be called by, and what it fields: players' names, names of the nation, spellings of its list."""

    people: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()
    points: int = 0


@dataclass(slots=True)
class Reading:
    """What was read. `shares` (attacker's, defender's) only where all of it fits; `read` and `unread` say it in words."""

    shares: tuple[Share, Share] | None = None
    draw: bool = False
    read: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    line: str = ""


@dataclass(frozen=True, slots=True)
class _Half:
    """One half of the line: as folded words, and the points it names."""

    text: str
    points: int | None


def read(text: str, sides: Mapping[str, Side]) -> Reading:
    """The first line of `text` that has a verb of winning and two shares; the whole text where none has."""
    reading = Reading()
    cleaned = clean(text[:LONGEST])
    for line in [*cleaned.split("\n"), " ".join(cleaned.split())]:
        verb = _verb(line)
        score = _score(line[verb.end() :]) if verb else None
        if verb and score:
            return _read_verb(line, verb, score, sides)
    reading.unread.append(
        _("No result line was found: “A list (points) beats B list (points) 46-23”, the loser’s routed share first.")
    )
    return reading


def clean(text: str) -> str:
    """Without tags of BBCode or HTML, every dash a hyphen, spaces made one, lines kept."""
    text = unicodedata.normalize("NFC", text).translate(DASHES | QUOTES)
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in TAG.sub(" ", text).splitlines())
    return "\n".join(line for line in lines if line)


def _verb(line: str) -> re.Match[str] | None:
    """The verb of the result: the first one that stands after something and before something."""
    return next((m for m in VERB.finditer(line) if m.start() > 0 and m.end() < len(line)), None)


def _score(rest: str) -> re.Match[str] | None:
    """The last pair of numbers that can be shares; years of a list and points in brackets are none."""
    pairs = [m for m in SCORE.finditer(rest) if max(_number(m[1]), _number(m[2])) <= 100 and not _in_brackets(rest, m)]
    return pairs[-1] if pairs else None


def _in_brackets(rest: str, match: re.Match[str]) -> bool:
    """Does the pair stand within brackets that hold more than it, as the years of "(Western 53-54 AD)" do?"""
    before, after = rest[: match.start()], rest[match.end() :]
    if before.count("(") <= before.count(")"):
        return False
    return before.rpartition("(")[2].strip() != "" or not after.lstrip().startswith(")")


def _read_verb(line: str, verb: re.Match[str], score: re.Match[str], sides: Mapping[str, Side]) -> Reading:
    reading = Reading(line=line, draw=verb["draws"] is not None)
    rest = line[verb.end() :]
    first, second = _half(line[: verb.start()]), _half(rest[: score.start()])
    pair = _number(score[1]), _number(score[2])
    for one in (first, second):
        if _fold(one.text) == "":
            reading.unread.append(_("Only one side is named."))
            return reading
    placed, why = _place(first, second, sides)
    shares = sentence(_("{first} and {second} per cent"), first=score[1], second=score[2])
    reading.read.append(_("a draw") if reading.draw else shares)
    if placed is None:
        reading.unread.append(_("The sides could not be identified: no player, nation or army list of this battle is named."))
        return reading
    if placed == "":
        reading.unread.append(_("The names and lists of the line contradict each other."))
        return reading
    ways = {PEOPLE: _("the players’ names"), ARMIES: _("the army lists"), NATIONS: _("the nations")}
    reading.read.append(sentence(_("the sides by {how}"), how=listed([ways[one] for one in why])))
    _points(reading, first, second, placed, sides)
    # The first share is the loser's; in a draw the first one's named.
    loser_first = pair if verb["loses"] or reading.draw else (pair[1], pair[0])
    ordered = loser_first if placed == SIDES[0] else (loser_first[1], loser_first[0])
    reading.shares = ordered
    if not reading.draw and loser_less(pair):
        text = _("The first share is the loser’s, and {first} is less than {second}: check whether this is right.")
        reading.unread.append(sentence(text, first=score[1], second=score[2]))
    return reading


def loser_less(pair: tuple[Share, Share]) -> bool:
    """Has the loser routed less than the winner? Possible on no plane of 9.1, so somebody wrote it the other way round."""
    return pair[0] < pair[1]


def _half(text: str) -> _Half:
    points = [int(m[1]) for m in POINTS.finditer(text)]
    return _Half(POINTS.sub(" ", text), points[-1] if points else None)


def _place(first: _Half, second: _Half, sides: Mapping[str, Side]) -> tuple[str | None, Sequence[str]]:
    """Which side the first half is, and by what; None where nothing tells, empty where the tellings differ."""
    placed_names: dict[str, str] = {}
    for how, names in (
        (PEOPLE, {key: side.people for key, side in sides.items()}),
        (ARMIES, {key: side.armies for key, side in sides.items()}),
        (NATIONS, {key: side.nations for key, side in sides.items()}),
    ):
        answer = _by(first, second, names)
        # A list may be called after a nation that does not field it: nations tell only where nothing else does.
        if answer is not None and (how != NATIONS or not placed_names):
            placed_names[how] = answer
    if not placed_names:
        return None, ()
    if len(set(placed_names.values())) > 1:
        return "", ()
    return next(iter(placed_names.values())), list(placed_names)


def _by(first: _Half, second: _Half, names: Mapping[str, Sequence[str]]) -> str | None:
    """By these names: the side that the first half is. One half that is told tells the other too."""
    votes = set()
    for half, turned in ((first, False), (second, True)):
        best = {key: max((_length(name, half.text) for name in names[key]), default=0) for key in SIDES}
        if best[SIDES[0]] != best[SIDES[1]]:
            side = max(SIDES, key=best.__getitem__)
            votes.add(_other(side) if turned else side)
    return votes.pop() if len(votes) == 1 else None


def _length(name: str, text: str) -> int:
    """How long the name is if it stands in the text as whole words, else 0: of two lists the longer name counts."""
    name = _fold(name)
    return len(name) if name and f" {name} " in f" {_fold(text)} " else 0


def _fold(text: str) -> str:
    """As compared: no case, no accents, no signs, single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return LETTERS.sub(" ", bare.casefold().replace("_", " ")).strip()


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _points(reading: Reading, first: _Half, second: _Half, placed: str, sides: Mapping[str, Side]) -> None:
    """Points that are not those of the set-up sheet are told; the result stands nevertheless."""
    for half, key in ((first, placed), (second, _other(placed))):
        if half.points is None:
            continue
        if sides[key].points and half.points != sides[key].points:
            text = _("The line has {points} points for the {side}, the set-up sheet {others}.")
            reading.unread.append(sentence(text, points=half.points, side=side_name(key), others=sides[key].points))
        else:
            reading.read.append(sentence(_("{points} points for the {side}"), points=half.points, side=side_name(key)))


def _number(text: str) -> Share:
    value = Decimal(text.replace(",", "."))
    return int(value) if value == value.to_integral_value() else value
