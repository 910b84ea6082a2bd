"""The line in which players post a result on a forum, read (9.1): who beat whom, with which armies,
and how far each routed.

    Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23
    Huns 23%, Romans 46%
    Ingrid won 46 to 23

The loser has routed more (9.1), so a pair of shares needs only a winner. Names of players at the
table or in Field of Glory II, names of nations, army lists in all their spellings tell who is who.
A line may be written in English, Italian, German, French or Spanish. What could not be read is
reported and never guessed: without the sides there are no shares.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.language import sentence
from games.grand_campaign.rules.attacks import winner_by_shares
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.words import listed, side_name
from web.titles.grand_campaign.atlas import brief

Share = int | Decimal
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
    """Whom a side may be called by, and what it fields: players' names, names of the nation,
    spellings of its list.
    """

    people: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()
    points: int = 0


@dataclass(slots=True)
class Reading:
    """What was read. `shares` (attacker's, defender's) only where all of it fits; `read` and
    `unread` say it in words.
    """

    shares: tuple[Share, Share] | None = None
    draw: bool = False
    read: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    line: str = ""
    contradicts: bool = False
    sides: list[str] = field(default_factory=list)
    """Who is who with what share, for people, where the battle is known."""


@dataclass(frozen=True, slots=True)
class _Half:
    """One half of the line: as folded words, and the points it names."""

    text: str
    points: int | None


def read(text: str, sides: Mapping[str, Side]) -> Reading:
    """The first line of `text` that has a verb of winning and two shares; the whole text where none
    has.
    """
    reading = Reading()
    cleaned = clean(text[:LONGEST])
    doubtful = None
    for line in [*cleaned.split("\n"), " ".join(cleaned.split())]:
        verb = _verb(line)
        score = _score(line[verb.end() :]) if verb else None
        one = _read_verb(line, verb, score, sides) if verb and score else None
        if one is not None and (one.shares is not None or one.contradicts):
            return one
        if (plain := _read_plain(line, sides)) is not None:
            return plain
        doubtful = doubtful or one
    if doubtful is not None:
        return doubtful
    reading.unread.append(
        _(
            "No result line was found: “A list (points) beats B list (points) 46-23”, the loser’s"
            " routed share first."
        )
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
    """The last pair of numbers that can be shares; years of a list and points in brackets
    are none.
    """
    pairs = [
        m
        for m in SCORE.finditer(rest)
        if max(_number(m[1]), _number(m[2])) <= 100 and not _in_brackets(rest, m)
    ]
    return pairs[-1] if pairs else None


def _in_brackets(rest: str, match: re.Match[str]) -> bool:
    """Does the pair stand within brackets that hold more than it, as the years of "(Western 53-54
    AD)" do?
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
    pair = _number(score[1]), _number(score[2])
    for one in (first, second):
        if _fold(one.text) == "":
            reading.unread.append(_("Only one side is named."))
            return reading
    placed, why = _place(first, second, sides)
    shares = sentence(_("{first} and {second} per cent"), first=score[1], second=score[2])
    reading.read.append(_("a draw") if reading.draw else shares)
    if placed is None:
        reading.unread.append(
            _(
                "The sides could not be identified: no player, nation or army list of this battle"
                " is named."
            )
        )
        return reading
    if placed == "":
        reading.contradicts = True
        reading.unread.append(_("The names and lists of the line contradict each other."))
        return reading
    ways = {PEOPLE: _("the players’ names"), ARMIES: _("the army lists"), NATIONS: _("the nations")}
    reading.read.append(sentence(_("the sides by {how}"), how=listed([ways[one] for one in why])))
    _points(reading, first, second, placed, sides)
    # The greater share is the loser's; in a draw the first share is the first one's named.
    loser_first = (
        pair
        if reading.draw
        else (max(pair), min(pair))
        if verb["loses"]
        else (min(pair), max(pair))
    )
    ordered = loser_first if placed == SIDES[0] else (loser_first[1], loser_first[0])
    reading.shares = ordered
    return reading


# Without the usual form: what is named in the line, in its order.

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
"""Of winning, what needs nobody who is beaten."""
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
"""Words that may stand beside names and shares without telling anything else."""
JOINED = re.compile(r"^%?(?:-|:|/|to|a|zu|bis|against|contro|gegen|contre|contra|and|e|und|et|y)?$")
PIECE = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+|[%:/-]")


def _bare(text: str) -> str:
    return "".join(
        sign
        for sign in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(sign)
    )


def _read_plain(line: str, sides: Mapping[str, Side]) -> Reading | None:
    """A line that names a share beside each side, or a winner or loser and two shares; None where
    it does not say all of it.
    """
    pieces = PIECE.findall(_bare(POINTS.sub(" ", line)))
    names = [
        (tuple(PIECE.findall(_bare(name))), key)
        for key, side in sides.items()
        for name in (*side.people, *side.armies, *side.nations)
        if name
        and name
        not in (
            *sides[_other(key)].people,
            *sides[_other(key)].armies,
            *sides[_other(key)].nations,
        )
    ]
    names.sort(key=lambda one: -len(one[0]))
    order: list[str | Share] = []  # a side, or a share
    words: list[str] = []
    between = ""
    joined = signs = at = 0
    while at < len(pieces):
        label = next((one for one in names if tuple(pieces[at : at + len(one[0])]) == one[0]), None)
        piece = pieces[at]
        if label is not None:
            if not order or order[-1] != label[1]:
                order.append(label[1])
            at, between = at + len(label[0]), "?"
            continue
        if piece[0].isdecimal():
            value = _number(piece)
            if value <= 100 and pieces[at + 1 : at + 2] not in (["ad"], ["bc"]):
                joined += (
                    bool(order)
                    and not isinstance(order[-1], str)
                    and JOINED.match(between) is not None
                )
                order.append(value)
                between = ""
            else:
                words.append(piece)
        elif piece == "%":
            signs += 1
        elif piece.isalpha():
            words.append(piece)
        if piece != "%" and not piece[0].isdecimal():
            between += piece
        at += 1
    shares = [one for one in order if not isinstance(one, str)]
    named = [one for one in order if isinstance(one, str)]
    if len(shares) != 2 or not named:
        return None
    shown = set(words)
    won, lost, even = bool(shown & WINS), bool(shown & LOST), bool(shown & EVEN)
    apart = [isinstance(one, str) for one in order]
    if (
        len(set(named)) == 2
        and len(named) == 2
        and apart in ([True, False] * 2, [False, True] * 2, [True, False, False, True])
    ):
        if not (signs or won or even or shown <= BESIDE_SHARES):
            return None
        ways = dict(zip(named, shares, strict=True))
        if (
            won
            and not even
            and not PASSIVE.search(" ".join(words))
            and ways[named[0]] > ways[named[1]]
        ):
            return None  # its verb and its shares contradict each other
    elif joined and not even and len(set(named)) == len(named):
        if (
            won == lost
            if len(named) == 2
            else bool(shown & ALONE) == lost or shown & (WINS - ALONE)
        ):
            return None
        first_wins = not lost and not PASSIVE.search(" ".join(words))
        first = min(shares) if first_wins else max(shares)
        ways = {named[0]: first, _other(named[0]): max(shares) if first_wins else min(shares)}
    else:
        return None
    reading = Reading(line=line, draw=even, shares=(ways[SIDES[0]], ways[SIDES[1]]))
    reading.read.append(
        sentence(_("{first} and {second} per cent"), first=ways[SIDES[0]], second=ways[SIDES[1]])
    )
    return reading


def _half(text: str) -> _Half:
    points = [int(m[1]) for m in POINTS.finditer(text)]
    return _Half(POINTS.sub(" ", text), points[-1] if points else None)


def _place(
    first: _Half, second: _Half, sides: Mapping[str, Side]
) -> tuple[str | None, Sequence[str]]:
    """Which side the first half is, and by what; None where nothing tells, empty where the tellings
    differ.
    """
    placed_names: dict[str, str] = {}
    for how, names in (
        (PEOPLE, {key: side.people for key, side in sides.items()}),
        (ARMIES, {key: side.armies for key, side in sides.items()}),
        (NATIONS, {key: side.nations for key, side in sides.items()}),
    ):
        answer = _by(first, second, names)
        # A list may be called after a nation that does not field it: nations tell only where
        # nothing else does.
        if answer is not None and (how != NATIONS or not placed_names):
            placed_names[how] = answer
    if not placed_names:
        return None, ()
    if len(set(placed_names.values())) > 1:
        return "", ()
    return next(iter(placed_names.values())), list(placed_names)


def _by(first: _Half, second: _Half, names: Mapping[str, Sequence[str]]) -> str | None:
    """By these names: the side that the first half is. One half that is told tells the
    other too.
    """
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
    """How long the name is if it stands in the text as whole words, else 0: of two lists the longer
    name counts.
    """
    name = _fold(name)
    return len(name) if name and f" {name} " in f" {_fold(text)} " else 0


def _fold(text: str) -> str:
    """As compared: no case, no accents, no signs, single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return LETTERS.sub(" ", bare.casefold().replace("_", " ")).strip()


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _points(
    reading: Reading, first: _Half, second: _Half, placed: str, sides: Mapping[str, Side]
) -> None:
    """Points that are not those of the set-up sheet are told; the result stands nevertheless."""
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
    value = Decimal(text.replace(",", "."))
    return int(value) if value == value.to_integral_value() else value


# The plane of 9.1: the attacker's routed share across, the defender's up, every region drawn, a
# result as a point.

WIDTH, LEFT, TOP, FOOT = 280, 40, 8, 42
SIDE = WIDTH - LEFT - 12
CROSS = (
    '<path class="plane__cross" d="M{x} {foot}V{y}M{left} {y}H{x}"/><circle class="plane__dot"'
    ' cx="{x}" cy="{y}" r="5.5"/>'
)
ACROSS = '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
UPWARD = (
    '<text class="plane__t" transform="translate(11 {}) rotate(-90)" text-anchor="middle">{}</text>'
)


class Verdict(NamedTuple):
    """What two shares mean: attacker, defender or draw; whether it is a tie of two routs; why, by
    9.1.
    """

    winner: str
    tie: bool
    why: str


def share(text: str) -> Share | None:
    """A share as people type it ("45", "45.5", "45,5", "46 %"), None if it is none."""
    try:
        value = Decimal(text.strip().removesuffix("%").strip().replace(",", "."))
    except InvalidOperation:
        return None
    if not value.is_finite() or not 0 <= value <= 100 or len(value.as_tuple().digits) > 6:
        return None
    return int(value) if value == value.to_integral_value() else value


def written(value: Share) -> str:
    """A share without needless zeros."""
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, Decimal) else str(value)


def verdict(scenario: Scenario, own: Share, enemy: Share, names: tuple[str, str]) -> Verdict:
    """Who won, from the routed shares of attacker and defender, and the clause that says so."""
    rules: Any = scenario  # only its rules are asked
    rout, winner = scenario.rules.rout, winner_by_shares(rules, own, enemy)
    decisive, early, most = rout["decisive"], rout["early"], rout["early_own_losses"]
    if winner == "draw":
        tie = own >= decisive and enemy >= decisive
        both = sentence(_("both {share}% or more"), share=decisive)
        return Verdict("draw", tie, both if tie else _("neither has routed the other"))
    won, lost = (0, 1) if winner == "attacker" else (1, 0)
    if (own, enemy)[lost] >= decisive:
        return Verdict(
            winner,
            False,
            sentence(_("{loser} {share}% or more"), loser=names[lost], share=decisive),
        )
    text = _("{loser} {share}% or more, {winner} {own}% or less")
    return Verdict(
        winner, False, sentence(text, loser=names[lost], share=early, winner=names[won], own=most)
    )


def plane(
    scenario: Scenario,
    nations: tuple[str, str],
    names: tuple[str, str],
    at: tuple[Share, Share] | None,
) -> SafeString:
    """The picture. `nations` give the colours; a share beyond the sheet widens it to 100."""
    rout = scenario.rules.rout
    decisive, early, most = (float(rout[key]) for key in ("decisive", "early", "early_own_losses"))
    top = min(100.0, max(60.0, decisive + 15))
    if at is not None and max(at) > top:
        top = 100.0

    def x(value: float) -> str:
        return f"{LEFT + SIDE * value / top:.1f}"

    def y(value: float) -> str:
        return f"{TOP + SIDE * (1 - value / top):.1f}"

    def box(css: str, x0: float, x1: float, y0: float, y1: float) -> SafeString:
        size = (f"{SIDE * max(0.0, x1 - x0) / top:.1f}", f"{SIDE * max(0.0, y1 - y0) / top:.1f}")
        return format_html(
            '<rect class="plane__{}" x="{}" y="{}" width="{}" height="{}"/>',
            css,
            x(x0),
            y(y1),
            *size,
        )

    parts = [box("draw", 0, top, 0, top)]
    corner = min(early, decisive)
    parts.append(
        format_html(
            '<g data-nation="{}">{}{}</g>',
            nations[0],
            box("win", 0, decisive, decisive, top),
            box("win", 0, min(most, decisive), corner, decisive),
        )
    )
    parts.append(
        format_html(
            '<g data-nation="{}">{}{}</g>',
            nations[1],
            box("win", decisive, top, 0, decisive),
            box("win", corner, decisive, 0, min(most, decisive)),
        )
    )
    parts.append(box("tie", decisive, top, decisive, top))
    marks = sorted({0.0, most, early, decisive, top})
    parts.append(
        format_html_join(
            "",
            '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
            '<text class="plane__t" x="{}" y="{}" text-anchor="end">{}</text>',
            [
                (
                    x(v),
                    f"{TOP + SIDE + 15}",
                    f"{v:g}",
                    f"{LEFT - 6}",
                    f"{float(y(v)) + 4:.1f}",
                    f"{v:g}",
                )
                for v in marks
            ],
        )
    )
    short = (brief(names[0]), brief(names[1]))
    half, over = decisive / 2, (decisive + top) / 2
    wins = [sentence(_("{side} {side:win|wins}"), side=name) for name in short]
    parts.append(
        format_html(
            '<text class="plane__l" x="{}" y="{}">{}</text>',
            x(half),
            f"{float(y(over)) + 5:.1f}",
            wins[0],
        )
    )
    parts.append(
        format_html(
            '<text class="plane__l" transform="translate({} {}) rotate(-90)">{}</text>',
            f"{float(x(over)) + 4:.1f}",
            y(half),
            wins[1],
        )
    )
    muted = '<text class="plane__l is-muted" x="{}" y="{}">{}</text>'
    parts.append(format_html(muted, x(half), y(half), _("draw")))
    parts.append(format_html(muted, x(over), f"{float(y(over)) + 5:.1f}", _("tie")))
    if at is not None:
        parts.append(format_html(CROSS, x=x(float(at[0])), y=y(float(at[1])), foot=y(0), left=x(0)))
    axes = [sentence(_("{side} routed, %"), side=name) for name in short]
    parts.append(format_html(ACROSS, f"{LEFT + SIDE / 2:.1f}", f"{TOP + SIDE + 34}", axes[0]))
    parts.append(format_html(UPWARD, f"{TOP + SIDE / 2:.1f}", axes[1]))
    size, label = TOP + SIDE + FOOT, _label(scenario, names, at)
    head = '<svg class="plane" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    return format_html(head, WIDTH, size, label, SafeString("".join(parts)))


def _label(scenario: Scenario, names: tuple[str, str], at: tuple[Share, Share] | None) -> str:
    if at is None:
        return sentence(
            _("The outcomes of 9.1 by the shares routed of {attacker} and {defender}"),
            attacker=names[0],
            defender=names[1],
        )
    outcome = verdict(scenario, at[0], at[1], names)
    if outcome.winner == "draw":
        who = _("a tie") if outcome.tie else _("a draw")
    else:
        who = sentence(
            _("{side} {side:win|wins}"), side=names[0 if outcome.winner == "attacker" else 1]
        )
    shares = {"attacker": written(at[0]), "defender": written(at[1])}
    return sentence(_("Routed {attacker} and {defender} per cent: {who}"), **shares, who=who)
