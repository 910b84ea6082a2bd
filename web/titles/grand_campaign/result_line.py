"""Read the line in which players post a result on a forum (9.1): who beat whom, and the shares.

    Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23
    Huns 23%, Romans 46%
    Ingrid won 46 to 23

The loser has routed more (9.1), so a pair of shares needs only a winner. A side is known by names
of players at the table or in Field of Glory II, by names of nations, and by army lists in all their
spellings. A line may be written in English, Italian, German, French or Spanish. What cannot be read
is reported and never guessed: without the sides there are no shares.
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
from web.titles.grand_campaign.plane import Share, whole_if_possible

SIDES = ("attacker", "defender")
LONGEST = 2000
PEOPLE, ARMIES, NATIONS = "people", "armies", "nations"

ABROAD = {
    "hephtalites": ("Hephthaliten", "Hephtalites", "Heftalitas"),
    "huns": ("Hunnen", "Huns", "Hunos"),
    "kushans": ("Kuschan", "Kouchans", "Kushanas"),
    "romans": ("Römer", "Romains", "Romanos"),
    "sassanids": ("Sassaniden", "Sassanides", "Sasánidas"),
    "vandals": ("Vandalen", "Vandales", "Vándalos"),
}
"""Nations of the shipped scenario in languages that the pages do not have."""
BEATS = (
    r"beats?|beat|bt|b(?=\s)|defeats?|defeated|def\.?|wins?\s+(?:against|vs\.?|over)|won\s+(?:against|vs\.?|over)|def\s"
    r"|(?:s?batte|ha\s+(?:s?battuto|sconfitto)|sconfigge)|(?:vince|ha\s+vinto)\s+(?:contro|con|su)"
)
LOSES = (
    r"loses?\s+(?:to|against)|lost\s+(?:to|against)|is\s+beaten\s+by|was\s+beaten\s+by"
    r"|(?:is|are|was|were)\s+(?:defeated|crushed|beaten)\s+by"
    r"|(?:perde|ha\s+perso)\s+(?:contro|con|da)|(?:è|viene)\s+(?:stat[oa]\s+)?(?:battut|sconfitt)[oa]\s+da"
)
DRAWS = (
    r"draws?(?:\s+(?:with|against|vs\.?))?|drew(?:\s+(?:with|against|vs\.?))?|ties?\s+(?:with|against)|tied\s+(?:with|against)"
    r"|(?:pareggia|ha\s+pareggiato|pari)\s+(?:contro|con)"
)
VERB = re.compile(
    rf"(?<!\w)(?:(?P<loses>{LOSES})|(?P<draws>{DRAWS})|(?P<beats>{BEATS}))(?!\w)", re.IGNORECASE
)
TAG = re.compile(r"\[/?[a-z][a-z0-9]*(?:=[^\]\n]{0,200})?\]|</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
NUMBER = r"\d{1,3}(?:[.,]\d{1,3})?"
SCORE = re.compile(
    rf"(?<![\d.,])({NUMBER})\s*%?\s*(?:-|:|/|\bto\b|\ba\b)\s*({NUMBER})(?![\d.,]*\d)\s*%?(?!\s*(?:AD|BC|[da]\.\s?C)\b)",
    re.IGNORECASE,
)
POINTS = re.compile(r"\(\s*(\d{2,5})\s*(?:pts?\.?|points?|pt[ie]\.?|punti)?\s*\)", re.IGNORECASE)
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
QUOTES = {
    ord("’"): "'",
    ord("‘"): "'",
    ord("“"): '"',
    ord("”"): '"',
    ord("\u00a0"): " ",
    ord("\u202f"): " ",
}
LETTERS = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Side:
    """The names of a side: of its players, its nation and its army list; and its points."""

    people: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()
    points: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.people, *self.armies, *self.nations)


@dataclass(slots=True)
class Reading:
    """What was read of a result line.

    `shares` are the attacker's and the defender's; None unless the whole line fits. `read` and
    `unread` are what was read and what was not, in words. `sides` are the sides with their shares,
    if the battle is known.
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
        """Return what was read as a sentence; empty if nothing was."""
        return _("Read: %(what)s.") % {"what": ", ".join(self.read)} if self.read else ""


@dataclass(frozen=True, slots=True)
class _Half:
    """One half of the line: as folded words, and the points it names."""

    text: str
    points: int | None


def read(text: str, sides: Mapping[str, Side]) -> Reading:
    """Read the first line with a verb of winning and two shares, or else the whole text."""
    cleaned, doubtful = clean(text[:LONGEST]), None
    for line in [*cleaned.split("\n"), " ".join(cleaned.split())]:
        reading = _read_line(line, sides)
        if reading is not None and (reading.shares is not None or reading.contradicts):
            return reading
        plain = _read_plain(line, sides)
        if plain is not None:
            return plain
        doubtful = doubtful or reading
    return doubtful or Reading(
        unread=[
            _(
                "No result line was found: “A list (points) beats B list (points) 46-23”, the"
                " loser’s routed share first."
            )
        ]
    )


def _read_line(line: str, sides: Mapping[str, Side]) -> Reading | None:
    """Read a line in the usual form; None if it has no verb of winning or no two shares."""
    verb = _verb(line)
    score = _score(line[verb.end() :]) if verb else None
    return _read_verb(line, verb, score, sides) if verb and score else None


def clean(text: str) -> str:
    """Return a text without tags of BBCode or HTML, with hyphens for dashes and single spaces."""
    text = unicodedata.normalize("NFC", text).translate(DASHES | QUOTES)
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in TAG.sub(" ", text).splitlines())
    return "\n".join(line for line in lines if line)


def _verb(line: str) -> re.Match[str] | None:
    """Return the verb of the result: the first that has text before and after it."""
    return next((m for m in VERB.finditer(line) if m.start() > 0 and m.end() < len(line)), None)


def _score(rest: str) -> re.Match[str] | None:
    """Return the last pair of numbers that can be shares.

    The years of an army list and points in brackets are none.
    """
    pairs = [
        m
        for m in SCORE.finditer(rest)
        if max(_number(m[1]), _number(m[2])) <= 100 and not _in_brackets(rest, m)
    ]
    return pairs[-1] if pairs else None


def _in_brackets(rest: str, match: re.Match[str]) -> bool:
    """Return whether a pair is in brackets with other text, like the years of "(Western 53-54
    AD)".
    """
    before, after = rest[: match.start()], rest[match.end() :]
    if before.count("(") <= before.count(")"):
        return False
    return before.rpartition("(")[2].strip() != "" or not after.lstrip().startswith(")")


def _read_verb(
    line: str, verb: re.Match[str], score: re.Match[str], sides: Mapping[str, Side]
) -> Reading:
    reading = Reading(line=line, draw=verb["draws"] is not None)
    rest = line[verb.end() :]
    first, second = _half(line[: verb.start()]), _half(rest[: score.start()])
    if not _fold(first.text) or not _fold(second.text):
        reading.unread.append(_("Only one side is named."))
        return reading
    placed, ways = _place(first, second, sides)
    shares = sentence(_("{first} and {second} per cent"), first=score[1], second=score[2])
    reading.read.append(_("a draw") if reading.draw else shares)
    if not placed:
        reading.contradicts = placed is not None
        reading.unread.append(_why_not_placed(placed))
        return reading
    reading.read.append(_placed_by(ways))
    _points(reading, first, second, placed, sides)
    reading.shares = _shares_in_order(verb, score, placed)
    return reading


def _why_not_placed(placed: str | None) -> str:
    if placed is None:
        return _(
            "The sides could not be identified: no player, nation or army list of this battle"
            " is named."
        )
    return _("The names and lists of the line contradict each other.")


def _placed_by(ways: Sequence[str]) -> str:
    """Return by what names the sides were recognised."""
    words = {
        PEOPLE: _("the players’ names"),
        ARMIES: _("the army lists"),
        NATIONS: _("the nations"),
    }
    return sentence(_("the sides by {how}"), how=listed([words[way] for way in ways]))


def _shares_in_order(verb: re.Match[str], score: re.Match[str], placed: str) -> tuple[Share, Share]:
    """Return the shares of attacker and defender; `placed` is the side that is named first.

    The loser has the greater share. In a draw the first share is that of the side named first.
    """
    first, second = _number(score[1]), _number(score[2])
    if not verb["draws"]:
        low, high = min(first, second), max(first, second)
        first, second = (high, low) if verb["loses"] else (low, high)
    return (first, second) if placed == SIDES[0] else (second, first)


# Lines without the usual form: sides and numbers in their order.

WINS = frozenset(
    re.findall(
        r"\w+",
        "won win wins beat beats defeat defeats defeated crush crushes crushed over bt vince"
        " vincono vinto batte battono battuto battuti battuta sconfigge sconfiggono sconfitto"
        " sconfitti sconfitta schlagt schlagen geschlagen besiegt besiegen gewinnt gewinnen"
        " gewonnen bat battent battu gagne gagnent vence vencen vencio vencieron gana ganan gano"
        " ganaron derrota derrotan derroto derrotaron",
    )
)
ALONE = frozenset(
    re.findall(
        r"\w+",
        "won win wins vince vincono vinto gewinnt gewinnen gewonnen gagne gagnent gana ganan gano"
        " ganaron vence vencen vencio victory vittoria sieg victoire victoria",
    )
)
"""Words for winning that need no loser."""
LOST = frozenset(
    re.findall(
        r"\w+",
        "lost lose loses perde perdono perso verliert verlieren verloren perd perdent perdu pierde"
        " pierden perdio perdieron",
    )
)
EVEN = frozenset(
    {
        "draw",
        "draws",
        "drew",
        "tie",
        "tied",
        "pareggio",
        "pareggiano",
        "unentschieden",
        "nul",
        "empate",
        "empatan",
    }
)
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|stat[oaie]|wurden?|ete|fueron|fue|sido)\b.*\b(?:by|da|dai|dagli|dal|dalla|von|par|por)\b"
)
BESIDE_SHARES = frozenset(
    re.findall(
        r"\w+",
        "routed rout lost losses lose result results final score the of their his her own army men"
        " percent per cent only just and vs versus against was were is are with i gli le il la e ed"
        " contro risultato perdite rotta die der das und gegen les et contre los las y contra",
    )
)
"""Words beside names and shares that mean nothing else."""
JOINED = re.compile(r"^%?(?:-|:|/|to|a|zu|bis|against|contro|gegen|contre|contra|and|e|und|et|y)?$")
PIECE = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+|[%:/-]")


def _bare(text: str) -> str:
    return "".join(
        sign
        for sign in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(sign)
    )


@dataclass(slots=True)
class _Scan:
    """The parts of a line, in their order.

    `order` has sides by their keys, and shares. `words` are all other words. `joined` counts pairs
    of shares with nothing but a dash or "to" between them, `signs` the signs for per cent.
    """

    order: list[str | Share] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    joined: int = 0
    signs: int = 0
    between: str = ""
    """The text since the last share; "?" is a side."""

    def add_side(self, key: str) -> None:
        if not self.order or self.order[-1] != key:
            self.order.append(key)
        self.between = "?"

    def add_number(self, piece: str, following: str) -> None:
        value = _number(piece)
        if value > 100 or following in ("ad", "bc"):
            self.words.append(piece)
            return
        follows_share = bool(self.order) and not isinstance(self.order[-1], str)
        if follows_share and JOINED.match(self.between):
            self.joined += 1
        self.order.append(value)
        self.between = ""

    def add_word(self, piece: str) -> None:
        if piece == "%":
            self.signs += 1
            return
        if piece.isalpha():
            self.words.append(piece)
        self.between += piece

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

    def says(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.words)

    @property
    def is_passive(self) -> bool:
        return PASSIVE.search(" ".join(self.words)) is not None


def _read_plain(line: str, sides: Mapping[str, Side]) -> Reading | None:
    """Read a line with a share beside each side, or with a winner or loser and two shares.

    Returns None if the line does not say all of it.
    """
    scan = _scan(line, sides)
    ways = _shares_by_side(scan)
    if ways is None:
        return None
    own, enemy = ways[SIDES[0]], ways[SIDES[1]]
    reading = Reading(line=line, draw=scan.says(EVEN), shares=(own, enemy))
    reading.read.append(sentence(_("{first} and {second} per cent"), first=own, second=enemy))
    return reading


def _scan(line: str, sides: Mapping[str, Side]) -> _Scan:
    pieces, names = PIECE.findall(_bare(POINTS.sub(" ", line))), _names_in_pieces(sides)
    scan, place = _Scan(), 0
    while place < len(pieces):
        name = next(
            (name for name, _key in names if tuple(pieces[place : place + len(name)]) == name), ()
        )
        if name:
            scan.add_side(next(key for known, key in names if known == name))
            place += len(name)
            continue
        piece, following = pieces[place], "".join(pieces[place + 1 : place + 2])
        if piece[0].isdecimal():
            scan.add_number(piece, following)
        else:
            scan.add_word(piece)
        place += 1
    return scan


def _names_in_pieces(sides: Mapping[str, Side]) -> list[tuple[tuple[str, ...], str]]:
    """Return the names that only one side has, the longest first, each with the side's key."""
    names = [
        (tuple(PIECE.findall(_bare(name))), key)
        for key, side in sides.items()
        for name in side.names
        if name not in sides[_other(key)].names
    ]
    return sorted((row for row in names if row[0]), key=lambda row: -len(row[0]))


def _shares_by_side(scan: _Scan) -> dict[str, Share] | None:
    """Return the share of each side; None if the line does not say it."""
    if len(scan.shares) != 2 or not scan.sides:
        return None
    if scan.has_share_beside_each_side:
        return _shares_beside_sides(scan)
    is_each_side_once = len(set(scan.sides)) == len(scan.sides)
    if scan.joined and is_each_side_once and not scan.says(EVEN):
        return _shares_by_winner(scan)
    return None


def _shares_beside_sides(scan: _Scan) -> dict[str, Share] | None:
    """Return the shares that are beside sides; None if other words make them doubtful."""
    is_plain = frozenset(scan.words) <= BESIDE_SHARES
    if not (scan.signs or scan.says(WINS) or scan.says(EVEN) or is_plain):
        return None
    first, second = scan.shares
    first_wins = scan.says(WINS) and not scan.says(EVEN) and not scan.is_passive
    if first_wins and first > second:
        return None  # its verb and its shares contradict each other
    return dict(zip(scan.sides, scan.shares, strict=True))


def _shares_by_winner(scan: _Scan) -> dict[str, Share] | None:
    """Return the shares of winner and loser; None unless the line says who is which."""
    lost = scan.says(LOST)
    if len(scan.sides) == 2:
        is_doubtful = scan.says(WINS) == lost
    else:
        is_doubtful = scan.says(ALONE) == lost or scan.says(WINS - ALONE)
    if is_doubtful:
        return None
    low, high = min(scan.shares), max(scan.shares)
    first_wins = not lost and not scan.is_passive
    first, other = (low, high) if first_wins else (high, low)
    return {scan.sides[0]: first, _other(scan.sides[0]): other}


def _half(text: str) -> _Half:
    points = [int(m[1]) for m in POINTS.finditer(text)]
    return _Half(POINTS.sub(" ", text), points[-1] if points else None)


def _place(
    first: _Half, second: _Half, sides: Mapping[str, Side]
) -> tuple[str | None, Sequence[str]]:
    """Return which side the first half is, and which kinds of names say so.

    The side is None if no name says it, and empty if the names contradict each other.
    """
    placed_names: dict[str, str] = {}
    for way, names in (
        (PEOPLE, {key: side.people for key, side in sides.items()}),
        (ARMIES, {key: side.armies for key, side in sides.items()}),
        (NATIONS, {key: side.nations for key, side in sides.items()}),
    ):
        answer = _by(first, second, names)
        # An army list may have the name of a nation that does not use it: nations count only if
        # no other name says anything.
        if answer is not None and (way != NATIONS or not placed_names):
            placed_names[way] = answer
    if not placed_names:
        return None, ()
    if len(set(placed_names.values())) > 1:
        return "", ()
    return next(iter(placed_names.values())), list(placed_names)


def _by(first: _Half, second: _Half, names: Mapping[str, Sequence[str]]) -> str | None:
    """Return which side the first half is by these names. If one half is known, so is the other."""
    votes = set()
    for half, turned in ((first, False), (second, True)):
        best = {
            key: max((_length(name, half.text) for name in names[key]), default=0) for key in SIDES
        }
        if best[SIDES[0]] != best[SIDES[1]]:
            side = max(SIDES, key=best.__getitem__)
            votes.add(_other(side) if turned else side)
    return votes.pop() if len(votes) == 1 else None


def _length(name: str, text: str) -> int:
    """Return the length of a name if the text has it as whole words, else 0.

    Of two army lists the one with the longer name counts.
    """
    name = _fold(name)
    return len(name) if name and f" {name} " in f" {_fold(text)} " else 0


def _fold(text: str) -> str:
    """Return a text as it is compared: without case, accents and signs, with single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return LETTERS.sub(" ", bare.casefold().replace("_", " ")).strip()


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _points(
    reading: Reading, first: _Half, second: _Half, placed: str, sides: Mapping[str, Side]
) -> None:
    """Note points that differ from those of the set-up sheet; the result is valid nevertheless."""
    for half, key in ((first, placed), (second, _other(placed))):
        if half.points is None:
            continue
        if sides[key].points and half.points != sides[key].points:
            text = _("The line has {points} points for the {side}, the set-up sheet {others}.")
            reading.unread.append(
                sentence(text, points=half.points, side=side_name(key), others=sides[key].points)
            )
        else:
            reading.read.append(
                sentence(
                    _("{points} points for the {side}"), points=half.points, side=side_name(key)
                )
            )


def _number(text: str) -> Share:
    return whole_if_possible(Decimal(text.replace(",", ".")))
